// The work of `lamella bench cuda` that is a scene of many objects. Its pairs, spans and volumes are checked on the
// very grid that the GPU chose: a Scene on the CPU would make groups with grids of their own. Collision points are for
// the tests of the engine.

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "bench/boxes.hpp"
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
      if (!boxes_meet(boxes[a], boxes[b])) continue;
      intersect(ldis[a], ldis[b], min_thickness, overlap);
      if (overlap.colliding()) found.push_back({a, b, overlap.volume, overlap.spans.size()});
    }
  }
  return found;
}

/// A scene on the device, and the public Scene by other engines.
struct SceneState {
  SceneState(MovingMeshes moving, const SceneOptions& asked)
      : meshes(std::move(moving)),
        options(asked),
        on_gpu(meshes.all_on_device(), {.resolution = options.resolution, .device = options.device}) {}

  [[nodiscard]] std::string difference(std::size_t set) const {
    std::vector<cuda::DevicePair> pairs;
    std::vector<CollisionPoint> points;
    on_gpu.read(pairs, points);
    if (answer.grid.column_count() == 0) return "nothing was sampled";
    const std::vector<FoundPair> expected = pairs_on_cpu(meshes, set, answer.grid, options.min_thickness);
    std::size_t differing = 0;
    for (std::size_t i = 0; i < std::min(pairs.size(), expected.size()); ++i) {
      const cuda::DevicePair& x = pairs[i];
      const FoundPair& y = expected[i];
      const bool same =
          x.a.number == y.a && x.b.number == y.b && x.span_count == y.spans && same_volume(x.volume, y.volume);
      differing += same ? 0 : 1;
    }
    if (differing == 0 && pairs.size() == expected.size()) return "";
    return fmt::format("{} instead of {}, {} of them otherwise", cli::counted(pairs.size(), "pair"), expected.size(),
                       differing);
  }

  /// On one view and cells of the same size, without the contacts that the device does not make. Objects of a new scene
  /// are numbered from 0.
  [[nodiscard]] double collide_ms(std::map<unsigned, Scene>& scenes, const std::string& engine, unsigned threads,
                                  std::size_t set) const {
    Scene& scene = known_or_made(scenes, threads, [&] {
      SceneOptions others = with_engine(options, engine, threads);
      others.views = 1;
      others.max_contacts = 0;
      others.cell = static_cast<float>(std::max(answer.grid.cell_u(), answer.grid.cell_v()));
      Scene made(others);
      for (std::size_t i = 0; i < meshes.size(); ++i) (void)made.add(meshes.view(i, 0));
      return made;
    });
    for (std::uint32_t i = 0; i < meshes.size(); ++i) scene.deform({i}, meshes.view(i, set).positions);
    const cli::Stopwatch watch;
    (void)scene.collide();
    return watch.ms();
  }

  MovingMeshes meshes;
  SceneOptions options;
  cuda::DeviceScene on_gpu;
  cuda::DeviceSceneAnswer answer{};
  std::map<unsigned, Scene> software{}, opengl{};  ///< by threads
};

CudaWork scene_work(CudaDevice& device, const std::shared_ptr<SceneState>& scene) {
  const MovingMeshes& meshes = scene->meshes;
  const std::string opengl = hardware_engine("gl-pairs");
  return {
      .description =
          fmt::format("{} of {}, one grid of {} x {}: pairs, volumes and collision points",
                      cli::counted(meshes.size(), "object"), cli::counted(meshes.face_count() / meshes.size(), "face"),
                      scene->options.resolution, scene->options.resolution),
      .bytes = meshes.bytes(),
      .sets = meshes.sets(),
      .place = [scene](std::size_t set) { scene->meshes.place(set); },
      .launch = [scene, &device] { scene->on_gpu.launch(device.stream()); },
      .wait = [scene] { scene->answer = scene->on_gpu.wait(); },
      .difference = [scene](std::size_t set) { return scene->difference(set); },
      .answer =
          [scene] {
            return fmt::format("{} of {} collide, {}", scene->answer.pair_count,
                               cli::counted(scene->answer.candidate_count, "candidate"),
                               cli::counted(scene->answer.point_count, "point"));
          },
      .software_ms = [scene](unsigned threads,
                             std::size_t set) { return scene->collide_ms(scene->software, "software", threads, set); },
      .opengl_engine = opengl,
      .opengl_ms = [scene, opengl](std::size_t set) { return scene->collide_ms(scene->opengl, opengl, 0, set); }};
}

}  // namespace

CudaCase scene_case(const CudaArgs& args) {
  SceneOptions options;
  options.resolution = args.quick ? kQuickResolution : kResolution;
  options.device = args.device;
  return {"scene", 100, 1, true, [=](CudaDevice& device) {
            const scenes::Crowd crowd({.objects = args.quick ? kQuickObjects : kObjects,
                                       .faces = args.quick ? kQuickFaces : kFaces,
                                       .density = kDensity});
            std::vector<Mesh> bodies;
            for (std::size_t i = 0; i < crowd.size(); ++i) bodies.push_back(crowd.mesh(i));
            const auto fly = [&](std::span<const Vec3> rest, std::size_t body, std::size_t set, std::span<Vec3> out) {
              const Transform pose = crowd.pose(body, static_cast<double>(set) * kSecondsApart);
              for (std::size_t i = 0; i < rest.size(); ++i) out[i] = to_float(apply(pose, to_double(rest[i])));
            };
            MovingMeshes meshes(device, std::move(bodies), kSets, fly);
            return scene_work(device, std::make_shared<SceneState>(std::move(meshes), options));
          }};
}

}  // namespace lamella::bench
