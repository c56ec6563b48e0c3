// The work of `lamella bench cuda` that is many bodies which overlap themselves: volumes, and a gradient for each
// vertex.

#include <fmt/core.h>

#include <utility>

#include "bench/cuda/work.hpp"
#include "cli/common.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/cuda.hpp"
#include "lamella/detector.hpp"
#include "lamella/engine.hpp"
#include "scenes/hand.hpp"
#include "scenes/models.hpp"
#include "scenes/motions.hpp"

namespace lamella::bench {
namespace {

constexpr std::uint32_t kBodies = 1024, kQuickBodies = 16;
constexpr std::size_t kFaces = 20'908, kQuickFaces = 2'000;
constexpr std::uint32_t kResolution = 64, kQuickResolution = 16;
constexpr std::size_t kSets = 2;
constexpr std::size_t kChecked = 24;  ///< bodies of a set, by the CPU

/// A hand that closes further from body to body, until its fingers are in its palm.
void close_hand_of(std::span<const Vec3> rest, std::size_t body, std::size_t set, std::span<Vec3> out) {
  constexpr std::size_t kSteps = 64;
  scenes::bend_hand(rest, static_cast<float>(body % kSteps) / kSteps, out);
  const float scale = 1 + 0.01f * static_cast<float>(set) + 0.001f * static_cast<float>(body / kSteps);
  for (Vec3& p : out) p = p * scale;
}

struct BodiesState {
  BodiesState(CudaDevice& gpu, MovingMeshes moving, const Options& asked)
      : device(gpu), meshes(std::move(moving)), options(asked), on_gpu(meshes.all_on_device(), for_device(options)) {}

  [[nodiscard]] SelfGradient by_software(unsigned threads, std::size_t body, std::size_t set) {
    auto& engine =
        known_or_made(on_cpu, threads, [&] { return make_engine(with_engine(options, "software", threads)); });
    SelfGradient out;
    engine->self_gradient(meshes.view(body, set), options.for_query(), {}, out);
    return out;
  }

  [[nodiscard]] std::string difference(std::size_t set) {
    std::vector<Vec3> all(vertices());
    device.read(all.data(), on_gpu.device_gradients(), all.size() * sizeof(Vec3));
    std::size_t volumes = 0, vectors = 0, first = 0;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      const std::size_t count = meshes.view(i, set).positions.size();
      if (i % (meshes.size() / std::min(meshes.size(), kChecked)) == 0) {
        const SelfGradient expected = by_software(0, i, set);
        // Of spans that prove nothing, the CPU leaves out the gradient too.
        if (expected.health.uncertain_spans == 0) {
          volumes += answers[i].grid == expected.grid && same_volume(answers[i].volume, expected.volume) ? 0 : 1;
          for (std::size_t k = 0; k < count; ++k) vectors += all[first + k] == expected.vertices[k] ? 0 : 1;
        }
      }
      first += count;
    }
    if (volumes == 0 && vectors == 0) return "";
    return fmt::format("{} and {} differ", cli::counted(volumes, "volume"), cli::counted(vectors, "vector"));
  }

  [[nodiscard]] std::size_t vertices() const {
    std::size_t all = 0;
    for (std::size_t i = 0; i < meshes.size(); ++i) all += meshes.view(i, 0).positions.size();
    return all;
  }

  CudaDevice& device;
  MovingMeshes meshes;
  Options options;
  cuda::SelfBatch on_gpu;
  std::span<const cuda::BodyOverlap> answers{};
  std::map<unsigned, std::unique_ptr<Engine>> on_cpu{};  ///< by threads
};

CudaWork bodies_work(const std::shared_ptr<BodiesState>& bodies) {
  const MovingMeshes& meshes = bodies->meshes;
  const std::uint32_t resolution = bodies->options.resolution;
  return {.description = fmt::format("{} of {} each, {} x {}: self-overlap and gradients of all vertices",
                                     cli::counted(meshes.size(), "hand"),
                                     cli::counted(meshes.face_count() / meshes.size(), "face"), resolution, resolution),
          .bytes = meshes.bytes() + bodies->vertices() * sizeof(Vec3),
          .sets = meshes.sets(),
          .place = [bodies](std::size_t set) { bodies->meshes.place(set); },
          .launch = [bodies] { bodies->on_gpu.launch(bodies->device.stream()); },
          .wait = [bodies] { bodies->answers = bodies->on_gpu.wait(); },
          .difference = [bodies](std::size_t set) { return bodies->difference(set); },
          .answer =
              [bodies] {
                std::size_t overlapping = 0;
                for (const cuda::BodyOverlap& b : bodies->answers) overlapping += b.span_count != 0 ? 1 : 0;
                return fmt::format("{} of {} overlap themselves", cli::grouped(overlapping),
                                   cli::grouped(bodies->answers.size()));
              },
          .software_ms =
              [bodies](unsigned threads, std::size_t set) {
                (void)bodies->by_software(threads, 0, set);
                const cli::Stopwatch watch;
                for (std::size_t i = 0; i < bodies->meshes.size(); ++i) (void)bodies->by_software(threads, i, set);
                return watch.ms();
              }};
}

}  // namespace

CudaCase bodies_case(const CudaArgs& args) {
  const std::uint32_t bodies = args.quick ? kQuickBodies : kBodies;
  const Options options{.resolution = args.quick ? kQuickResolution : kResolution, .device = args.device};
  return {"bodies", 10'000.0 / kBodies, bodies, false, [=](CudaDevice& device) {
            const Mesh hand = scenes::hand(args.quick ? kQuickFaces : kFaces);
            return bodies_work(std::make_shared<BodiesState>(
                device, MovingMeshes(device, std::vector<Mesh>(bodies, hand), kSets, close_hand_of), options));
          }};
}

}  // namespace lamella::bench
