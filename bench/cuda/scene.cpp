// The work of `lamella bench cuda` that is a scene of many objects. Its pairs, spans and volumes are checked on the
// very grid that the GPU chose: a Scene on the CPU would make groups with grids of their own. Collision points are for
// the tests of the engine.

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "bench/cuda/work.hpp"
#include "cli/common.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/cuda.hpp"
#include "lamella/engine.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/scene.hpp"
#include "scenes/crowd.hpp"

namespace lamella::bench {
namespace {

constexpr std::uint32_t kObjects = 100, kQuickObjects = 12;
constexpr std::size_t kFaces = 3'000, kQuickFaces = 300;
constexpr double kDensity = 0.3;  ///< where most bodies touch another: the crowd of `lamella bench scene`
constexpr std::uint32_t kResolution = 256, kQuickResolution = 48;
constexpr std::size_t kSets = 8;
constexpr double kSecondsApart = 0.1;

struct FoundPair {
  std::uint32_t a = 0, b = 0;
  double volume = 0;
  std::size_t spans = 0;
};

bool share_volume(const Aabb& a, const Aabb& b) {
  for (int i = 0; i < 3; ++i) {
    if (!(std::max(a.min[i], b.min[i]) < std::min(a.max[i], b.max[i]))) return false;
  }
  return true;
}

/// All pairs on one grid, from every object's own LDI.
std::vector<FoundPair> pairs_on_cpu(const MovingMeshes& meshes, std::size_t set, const Grid& grid,
                                    float min_thickness) {
  const auto engine = make_engine({.engine = "software"});
  const auto count = static_cast<std::uint32_t>(meshes.size());
  std::vector<Ldi> ldis(count);
  std::vector<Aabb> boxes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    boxes[i] = engine->bounds(meshes.view(i, set));
    engine->build(meshes.view(i, set), grid, ldis[i]);
  }
  std::vector<FoundPair> found;
  Overlap overlap;
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      if (!share_volume(boxes[a], boxes[b])) continue;
      intersect(ldis[a], ldis[b], min_thickness, overlap);
      if (overlap.colliding()) found.push_back({a, b, overlap.volume, overlap.spans.size()});
    }
  }
  return found;
}

class SceneWork final : public CudaWork {
 public:
  SceneWork(CudaDevice& device, MovingMeshes meshes, const SceneOptions& options)
      : device_(device), meshes_(std::move(meshes)), options_(options), scene_(make_scene()) {}

  [[nodiscard]] std::string description() const override {
    return fmt::format(
        "{} of {}, one grid of {} x {}: pairs, volumes and collision points", cli::counted(meshes_.size(), "object"),
        cli::counted(meshes_.face_count() / meshes_.size(), "face"), options_.resolution, options_.resolution);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return meshes_.bytes(); }
  [[nodiscard]] std::size_t sets() const override { return meshes_.sets(); }
  void place(std::size_t set) override { meshes_.place(set); }
  void launch() override { scene_.launch(device_.stream()); }
  void wait() override { answer_ = scene_.wait(); }

  [[nodiscard]] std::string difference(std::size_t set) override {
    std::vector<cuda::DevicePair> pairs;
    std::vector<CollisionPoint> points;
    scene_.read(pairs, points);
    if (answer_.grid.column_count() == 0) return "nothing was sampled";
    const std::vector<FoundPair> expected = pairs_on_cpu(meshes_, set, answer_.grid, options_.min_thickness);
    std::size_t differing = 0;
    for (std::size_t i = 0; i < std::min(pairs.size(), expected.size()); ++i) {
      const cuda::DevicePair& x = pairs[i];
      const FoundPair& y = expected[i];
      const bool same = x.a == y.a && x.b == y.b && x.spans == y.spans && same_volume(x.volume, y.volume);
      differing += same ? 0 : 1;
    }
    if (differing == 0 && pairs.size() == expected.size()) return "";
    return fmt::format("{} instead of {}, {} of them otherwise", cli::counted(pairs.size(), "pair"), expected.size(),
                       differing);
  }
  [[nodiscard]] std::string answer() const override {
    return fmt::format("{} of {} collide, {}", answer_.pairs, cli::counted(answer_.candidates, "candidate"),
                       cli::counted(answer_.points, "point"));
  }

  [[nodiscard]] double software_ms(unsigned threads, std::size_t set) override {
    return collide_ms(scene_of("software", threads), set);
  }
  [[nodiscard]] std::optional<Other> opengl_ms(std::size_t set) override {
    if (!opengl_) opengl_ = hardware_engine("gl-pairs");
    if (opengl_->empty()) return std::nullopt;
    return Other{*opengl_, collide_ms(scene_of(*opengl_, 0), set)};
  }

 private:
  [[nodiscard]] cuda::DeviceScene make_scene() const {
    std::vector<cuda::DeviceMesh> objects;
    for (std::size_t i = 0; i < meshes_.size(); ++i) objects.push_back(meshes_.on_device(i));
    return {objects, options_};
  }

  /// The public Scene, on one view and cells of the same size, without the contacts that the device does not make.
  Scene& scene_of(const std::string& engine, unsigned threads) {
    const std::string key = fmt::format("{} {}", engine, threads);
    const auto known = others_.find(key);
    if (known != others_.end()) return known->second;
    SceneOptions options = options_;
    options.engine = engine;
    options.threads = threads;
    options.device = std::nullopt;
    options.views = 1;
    options.max_contacts = 0;
    options.cell = static_cast<float>(std::max(answer_.grid.cell_u(), answer_.grid.cell_v()));
    Scene& scene = others_.emplace(key, Scene(options)).first->second;
    for (std::size_t i = 0; i < meshes_.size(); ++i) (void)scene.add(meshes_.view(i, 0));
    return scene;
  }

  /// Objects of a new scene are numbered from 0.
  [[nodiscard]] double collide_ms(Scene& scene, std::size_t set) const {
    for (std::uint32_t i = 0; i < meshes_.size(); ++i) scene.deform({i}, meshes_.view(i, set).positions);
    const cli::Stopwatch watch;
    (void)scene.collide();
    return watch.ms();
  }

  CudaDevice& device_;
  MovingMeshes meshes_;
  SceneOptions options_;
  cuda::DeviceScene scene_;
  cuda::DeviceSceneAnswer answer_;
  std::unordered_map<std::string, Scene> others_;
  std::optional<std::string> opengl_;
};

}  // namespace

CudaCase scene_case(const CudaArgs& args) {
  SceneOptions options;
  options.resolution = args.quick ? kQuickResolution : kResolution;
  options.device = args.device;
  return {"scene", 100, 1, true, [=](CudaDevice& device) -> std::unique_ptr<CudaWork> {
            const scenes::Crowd crowd({.objects = args.quick ? kQuickObjects : kObjects,
                                       .faces = args.quick ? kQuickFaces : kFaces,
                                       .density = kDensity});
            std::vector<Mesh> bodies;
            for (std::size_t i = 0; i < crowd.size(); ++i) bodies.push_back(crowd.mesh(i));
            auto sets = make_sets(
                bodies, kSets, [&](std::span<const Vec3> rest, std::size_t body, std::size_t set, std::span<Vec3> out) {
                  const Transform pose = crowd.pose(body, static_cast<double>(set) * kSecondsApart);
                  for (std::size_t i = 0; i < rest.size(); ++i) out[i] = to_float(apply(pose, to_double(rest[i])));
                });
            return std::make_unique<SceneWork>(device, MovingMeshes(device, std::move(bodies), std::move(sets)),
                                               options);
          }};
}

}  // namespace lamella::bench
