// The work of `lamella bench cuda` that is many pairs of small meshes at once.

#include <fmt/core.h>

#include <cmath>
#include <unordered_map>
#include <utility>

#include "bench/cuda/work.hpp"
#include "bench/engines.hpp"
#include "cli/common.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/batch.hpp"
#include "lamella/cuda.hpp"
#include "scenes/crowd.hpp"
#include "scenes/motions.hpp"
#include "scenes/random.hpp"

namespace lamella::bench {
namespace {

constexpr std::uint32_t kPairs = 10'000, kQuickPairs = 60;
constexpr std::size_t kFaces = 5'000, kQuickFaces = 300;
constexpr std::uint32_t kResolution = 64, kQuickResolution = 16;
constexpr std::size_t kSets = 4;
constexpr double kRadius = 0.35;
constexpr std::uint32_t kSeed = 1;

/// The models in turn, every one in a shape of its own.
std::vector<Mesh> make_meshes(std::uint32_t count, std::size_t faces) {
  std::vector<Mesh> kinds;
  for (const std::string_view model : scenes::crowd_models()) {
    kinds.push_back(scenes::crowd_body(model, faces, kRadius));
  }
  std::vector<Mesh> meshes;
  meshes.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Mesh& kind = kinds[i % kinds.size()];
    Mesh& mesh = meshes.emplace_back(kind);
    scenes::wobble(kind.positions, 0, i + 1, mesh.positions);
  }
  return meshes;
}

/// Every mesh as often as the others, and never with itself; where there are two for each pair, every one once.
std::vector<BatchPair> make_pairs(std::uint32_t count, std::uint32_t meshes) {
  scenes::Random random(kSeed);
  std::vector<BatchPair> pairs;
  for (std::uint32_t i = 0; i < count; ++i) {
    BatchPair pair;
    pair.a = 2 * i % meshes;
    pair.b = (2 * i + 1 + 2 * (2 * i / meshes)) % meshes;
    pair.pose_a.rotation = rotation_about(random.direction(), random.uniform(0, 6));
    pair.pose_b.rotation = rotation_about(random.direction(), random.uniform(0, 6));
    pair.pose_b.translation = random.direction() * random.uniform(0.2 * kRadius, 1.2 * kRadius);
    pairs.push_back(pair);
  }
  return pairs;
}

class BatchWork final : public CudaWork {
 public:
  BatchWork(CudaDevice& device, MovingMeshes meshes, std::vector<BatchPair> pairs, const Options& options)
      : device_(device),
        meshes_(std::move(meshes)),
        pairs_(std::move(pairs)),
        options_(options),
        batch_(make_batch()) {}

  [[nodiscard]] std::string description() const override {
    return fmt::format("{} among {} distinct meshes of {} each, {} x {}: volumes", cli::counted(pairs_.size(), "pair"),
                       cli::grouped(meshes_.size()), cli::counted(meshes_.face_count() / meshes_.size(), "face"),
                       options_.resolution, options_.resolution);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return meshes_.bytes() + pairs_.size() * sizeof(BatchPair); }
  [[nodiscard]] std::size_t sets() const override { return meshes_.sets(); }
  void place(std::size_t set) override { meshes_.place(set); }
  void launch() override { batch_.launch(pairs_, device_.stream()); }
  void wait() override { answers_ = batch_.wait(); }

  [[nodiscard]] std::string difference(std::size_t set) override {
    const auto expected = software(0, set).intersect(pairs_);
    std::size_t differing = 0;
    std::string first;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const PairOverlap &x = answers_[i], &y = expected[i];
      if (x.grid == y.grid && x.spans == y.spans && same_volume(x.volume, y.volume)) continue;
      if (differing++ == 0) {
        first = fmt::format("pair {} has a volume of {:.12g} instead of {:.12g}, {} spans instead of {}{}", i, x.volume,
                            y.volume, x.spans, y.spans, x.grid == y.grid ? "" : ", on another grid");
      }
    }
    return differing == 0 ? "" : fmt::format("{} differ; {}", cli::counted(differing, "pair"), first);
  }
  [[nodiscard]] std::string answer() const override {
    std::size_t colliding = 0;
    double volume = 0;
    for (const PairOverlap& p : answers_) {
      colliding += p.colliding() ? 1 : 0;
      volume += p.volume;
    }
    return fmt::format("{} of {} collide, volumes of {} in all", cli::grouped(colliding), cli::grouped(pairs_.size()),
                       cli::to_text(volume));
  }

  [[nodiscard]] double software_ms(unsigned threads, std::size_t set) override {
    Batch& batch = software(threads, set);
    const cli::Stopwatch watch;
    (void)batch.intersect(pairs_);
    return watch.ms();
  }

 private:
  [[nodiscard]] cuda::PairBatch make_batch() const {
    std::vector<cuda::DeviceMesh> meshes;
    for (std::size_t i = 0; i < meshes_.size(); ++i) meshes.push_back(meshes_.on_device(i));
    return {meshes, options_};
  }

  /// One batch for each number of threads, with this set's vertices.
  [[nodiscard]] Batch& software(unsigned threads, std::size_t set) {
    if (threads == 0) threads = core_count();
    auto known = software_.find(threads);
    if (known == software_.end()) {
      Options options = options_;
      options.engine = "software";
      options.threads = threads;
      options.device = std::nullopt;
      known = software_.emplace(threads, OnCpu{Batch(options), set}).first;
      for (std::size_t i = 0; i < meshes_.size(); ++i) (void)known->second.batch.add(meshes_.view(i, set));
    } else if (known->second.set != set) {
      for (std::uint32_t i = 0; i < meshes_.size(); ++i) {
        known->second.batch.update_vertices(i, meshes_.view(i, set).positions);
      }
      known->second.set = set;
    }
    return known->second.batch;
  }

  struct OnCpu {
    Batch batch;
    std::size_t set;
  };

  CudaDevice& device_;
  MovingMeshes meshes_;
  std::vector<BatchPair> pairs_;
  Options options_;
  cuda::PairBatch batch_;
  std::span<const PairOverlap> answers_;
  std::unordered_map<unsigned, OnCpu> software_;  ///< by threads
};

}  // namespace

CudaCase pairs_case(const CudaArgs& args, std::string name, std::uint32_t distinct) {
  const std::uint32_t pairs = args.quick ? kQuickPairs : kPairs;
  // Two for each pair at most: there are no more in use.
  const std::uint32_t meshes = std::min(args.quick ? distinct / 10 : distinct, 2 * pairs);
  const Options options{.resolution = args.quick ? kQuickResolution : kResolution, .device = args.device};
  return {std::move(name), 2, pairs, false, [=](CudaDevice& device) -> std::unique_ptr<CudaWork> {
            std::vector<Mesh> all = make_meshes(meshes, args.quick ? kQuickFaces : kFaces);
            // Cheap, and different enough: every set is a little larger than the one before.
            auto sets = make_sets(all, kSets,
                                  [](std::span<const Vec3> rest, std::size_t, std::size_t set, std::span<Vec3> out) {
                                    const float scale = 1 + 0.01f * static_cast<float>(set);
                                    for (std::size_t i = 0; i < rest.size(); ++i) out[i] = rest[i] * scale;
                                  });
            return std::make_unique<BatchWork>(device, MovingMeshes(device, std::move(all), std::move(sets)),
                                               make_pairs(pairs, meshes), options);
          }};
}

}  // namespace lamella::bench
