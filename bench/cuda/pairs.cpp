// The work of `lamella bench cuda` that is many pairs of small meshes at once.

#include <fmt/core.h>

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
    pair.a = {2 * i % meshes};
    pair.b = {(2 * i + 1 + 2 * (2 * i / meshes)) % meshes};
    pair.pose_a.rotation = rotation_about(random.direction(), random.uniform(0, 6));
    pair.pose_b.rotation = rotation_about(random.direction(), random.uniform(0, 6));
    pair.pose_b.translation = random.direction() * random.uniform(0.2 * kRadius, 1.2 * kRadius);
    pairs.push_back(pair);
  }
  return pairs;
}

/// A batch on the device, and on the CPU one for each number of threads.
struct BatchState {
  BatchState(MovingMeshes moving, std::vector<BatchPair> all, const Options& asked, bool with_gradients)
      : meshes(std::move(moving)),
        pairs(std::move(all)),
        options(asked),
        gradients(with_gradients),
        on_gpu(meshes.all_on_device(), for_device(options)) {}

  /// With this set's vertices.
  [[nodiscard]] Batch& software(unsigned threads, std::size_t set) {
    if (threads == 0) threads = core_count();
    Batch& batch = known_or_made(on_cpu, threads, [&] {
      Batch made(with_engine(options, "software", threads));
      for (std::size_t i = 0; i < meshes.size(); ++i) (void)made.add(meshes.view(i, 0));
      return made;
    });
    for (std::uint32_t i = 0; i < meshes.size() && placed[threads] != set; ++i)
      batch.deform({i}, meshes.view(i, set).positions);
    placed[threads] = set;
    return batch;
  }

  void launch(cuda::Stream stream) {
    if (gradients)
      on_gpu.launch_gradients(pairs, stream);
    else
      on_gpu.launch(pairs, stream);
  }
  void wait() {
    if (gradients)
      answers_with = on_gpu.wait_gradients();
    else
      answers = on_gpu.wait();
  }

  /// Volumes, and force and torque: of sums of integers, so all but the last bits are the same.
  [[nodiscard]] std::string gradient_difference(std::size_t set) {
    const auto expected = software(0, set).volume_gradients(pairs);
    std::size_t differing = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const PairGradient &x = answers_with[i], &y = expected[i];
      const double size = kRadius * kRadius;
      const auto far = [&](Vec3d a, Vec3d b) { return length(a - b) > 1e-9 * size; };
      // Of spans that prove nothing, the CPU leaves out the gradient too.
      if (y.health.uncertain_spans != 0) continue;
      if (x.grid == y.grid && same_volume(x.volume, y.volume) && !far(x.sums.a.translation, y.sums.a.translation) &&
          !far(x.sums.a.rotation, y.sums.a.rotation) && !far(x.sums.b.translation, y.sums.b.translation) &&
          !far(x.sums.b.rotation, y.sums.b.rotation))
        continue;
      ++differing;
    }
    return differing == 0 ? "" : fmt::format("{} differ", cli::counted(differing, "gradient"));
  }

  [[nodiscard]] std::string difference(std::size_t set) {
    if (gradients) return gradient_difference(set);
    const auto expected = software(0, set).intersect(pairs);
    std::size_t differing = 0;
    std::string first;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const PairOverlap &x = answers[i], &y = expected[i];
      if (x.grid == y.grid && x.span_count == y.span_count && same_volume(x.volume, y.volume)) continue;
      if (differing++ == 0) {
        first = fmt::format("pair {} has a volume of {:.12g} instead of {:.12g}, {} spans instead of {}{}", i, x.volume,
                            y.volume, x.span_count, y.span_count, x.grid == y.grid ? "" : ", on another grid");
      }
    }
    return differing == 0 ? "" : fmt::format("{} differ; {}", cli::counted(differing, "pair"), first);
  }

  [[nodiscard]] std::string answer() const {
    std::size_t colliding = 0;
    double volume = 0;
    const auto add = [&](const PairOverlap& p) {
      colliding += p.colliding() ? 1 : 0;
      volume += p.volume;
    };
    for (const PairOverlap& p : answers) add(p);
    for (const PairGradient& p : answers_with) add(p);
    return fmt::format("{} of {} collide, volumes of {} in all", cli::grouped(colliding), cli::grouped(pairs.size()),
                       cli::to_text(volume));
  }

  MovingMeshes meshes;
  std::vector<BatchPair> pairs;
  Options options;
  bool gradients;
  cuda::PairBatch on_gpu;
  std::span<const PairOverlap> answers{};
  std::span<const PairGradient> answers_with{};
  std::map<unsigned, Batch> on_cpu{};        ///< by threads
  std::map<unsigned, std::size_t> placed{};  ///< the set that each has
};

CudaWork batch_work(CudaDevice& device, const std::shared_ptr<BatchState>& batch) {
  const MovingMeshes& meshes = batch->meshes;
  const std::uint32_t resolution = batch->options.resolution;
  return {.description = fmt::format("{} among {} distinct meshes of {} each, {} x {}: volumes{}",
                                     cli::counted(batch->pairs.size(), "pair"), cli::grouped(meshes.size()),
                                     cli::counted(meshes.face_count() / meshes.size(), "face"), resolution, resolution,
                                     batch->gradients ? " and gradients of rigid motions" : ""),
          .bytes = meshes.bytes() + batch->pairs.size() * sizeof(BatchPair),
          .sets = meshes.sets(),
          .place = [batch](std::size_t set) { batch->meshes.place(set); },
          .launch = [batch, &device] { batch->launch(device.stream()); },
          .wait = [batch] { batch->wait(); },
          .difference = [batch](std::size_t set) { return batch->difference(set); },
          .answer = [batch] { return batch->answer(); },
          .software_ms =
              [batch](unsigned threads, std::size_t set) {
                Batch& on_cpu = batch->software(threads, set);
                const cli::Stopwatch watch;
                if (batch->gradients)
                  (void)on_cpu.volume_gradients(batch->pairs);
                else
                  (void)on_cpu.intersect(batch->pairs);
                return watch.ms();
              }};
}

}  // namespace

CudaCase pairs_case(const CudaArgs& args, std::string name, std::uint32_t distinct, bool gradients) {
  const std::uint32_t pairs = args.quick ? kQuickPairs : kPairs;
  // Two for each pair at most: there are no more in use.
  const std::uint32_t meshes = std::min(args.quick ? distinct / 10 : distinct, 2 * pairs);
  const Options options{.resolution = args.quick ? kQuickResolution : kResolution, .device = args.device};
  return {std::move(name), gradients ? 1.5 : 2, pairs, false, [=](CudaDevice& device) {
            // Cheap, and different enough: every set is a little larger than the one before.
            const auto grow = [](std::span<const Vec3> rest, std::size_t, std::size_t set, std::span<Vec3> out) {
              const float scale = 1 + 0.01f * static_cast<float>(set);
              for (std::size_t i = 0; i < rest.size(); ++i) out[i] = rest[i] * scale;
            };
            MovingMeshes moving(device, make_meshes(meshes, args.quick ? kQuickFaces : kFaces), kSets, grow);
            return batch_work(
                device, std::make_shared<BatchState>(std::move(moving), make_pairs(pairs, meshes), options, gradients));
          }};
}

}  // namespace lamella::bench
