#include "bench/scaling/pairs.hpp"

#include <fmt/core.h>

#include <ctime>
#include <span>
#include <vector>

#include "bench/engines.hpp"
#include "cli/progress.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/batch.hpp"
#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "scenes/crowd.hpp"
#include "scenes/random.hpp"

namespace lamella::bench {
namespace {

constexpr std::uint32_t kPairs = 10'000, kFaces = 5'000, kResolution = 128, kSeed = 1;
constexpr double kRadius = 0.35;  ///< of both bodies
/// Every so many pairs the two take turns, so that other programs on the machine slow down both.
constexpr std::size_t kTurn = 100;

/// Wall time, and processor time of all threads: other programs on the machine do not count in it.
class TwoClocks {
 public:
  template <class Call>
  void time(const Call& call) {
    const cli::Stopwatch watch;
    const std::clock_t start = std::clock();
    call();
    processor_us_ += static_cast<double>(std::clock() - start) * (1e6 / CLOCKS_PER_SEC);
    wall_us_ += watch.ms() * 1e3;
  }
  [[nodiscard]] double processor_us() const { return processor_us_; }
  [[nodiscard]] double wall_us() const { return wall_us_; }

 private:
  double processor_us_ = 0, wall_us_ = 0;
};

/// How far the second body's centre is from the first's at most, in radii.
struct Grasps {
  const char* name;
  double farthest;
};
constexpr Grasps kGrasps[] = {{"in contact", 1.6}, {"anywhere near", 6}};

/// The first body stays where it is.
std::vector<BatchPair> make_grasps(double farthest) {
  scenes::Random random(kSeed);
  std::vector<BatchPair> pairs(kPairs);
  for (BatchPair& p : pairs) {
    p.a = {0};
    p.b = {1};
    p.pose_b.rotation = rotation_about(random.direction(), random.uniform(0, 6));
    p.pose_b.translation = random.direction() * (kRadius * random.uniform(0.2, farthest));
  }
  return pairs;
}

Row measure_grasps(const Grasps& grasps, const Mesh& a, const Mesh& b, const Options& options) {
  const std::vector<BatchPair> pairs = make_grasps(grasps.farthest);
  Detector detector(options);
  Batch batch(options);
  (void)batch.add(a);
  (void)batch.add(b);
  (void)batch.intersect(std::span(pairs).first(kTurn));
  TwoClocks of_loop, of_batch;
  std::size_t colliding = 0, different = 0;
  cli::Progress progress(grasps.name);
  for (std::size_t first = 0; first < pairs.size(); first += kTurn) {
    const auto some = std::span<const BatchPair>(pairs).subspan(first, kTurn);
    std::vector<double> volumes;
    std::span<const PairOverlap> answers;
    of_loop.time([&] {
      for (const BatchPair& p : some) volumes.push_back(detector.intersect(a, transformed(b, p.pose_b)).volume);
    });
    of_batch.time([&] { answers = batch.intersect(some); });
    for (std::size_t i = 0; i < some.size(); ++i) {
      colliding += answers[i].colliding() ? 1 : 0;
      different += answers[i].volume != volumes[i] ? 1 : 0;
    }
    progress.update(first, pairs.size());
  }
  if (different != 0) throw Error(fmt::format("{} of {} volumes of the batch differ", different, pairs.size()));
  const auto count = static_cast<double>(pairs.size());
  return {{"sweep", "pairs"},
          {"grasps", grasps.name},
          {"faces", kFaces},
          {"resolution", options.resolution},
          {"threads", options.threads},
          {"pairs", count},
          {"colliding", static_cast<double>(colliding)},
          {"loop_us", of_loop.wall_us() / count},
          {"batch_us", of_batch.wall_us() / count},
          {"loop_processor_us", of_loop.processor_us() / count},
          {"batch_processor_us", of_batch.processor_us() / count},
          {"ratio", of_loop.wall_us() / of_batch.wall_us()}};
}

}  // namespace

Table pairs_table(const ScalingArgs& args) {
  Table table{.name = "pairs",
              .title = fmt::format("{} grasps of two bodies of {} faces, microseconds a pair", kPairs, kFaces),
              .columns = columns("grasps|grid=resolution:square|threads|colliding|Detector loop=loop_us|Batch=batch_us|"
                                 "loop / Batch=ratio|processor, loop=loop_processor_us|Batch=batch_processor_us"),
              .reading =
                  "The loop places the second body and asks a Detector with as many threads, pair after pair; a\n"
                  "Batch shares the pairs out. Both give the same volumes, to the bit.\n"};
  const auto models = scenes::crowd_models();
  const Mesh a = scenes::crowd_body(models[0], kFaces, kRadius), b = scenes::crowd_body(models[1], kFaces, kRadius);
  std::vector<unsigned> counts{1};
  if (core_count() > 1) counts.push_back(core_count());
  for (const Grasps& grasps : kGrasps)
    for (const unsigned threads : counts)
      table.rows.push_back(measure_grasps(grasps, a, b,
                                          {.engine = "software",
                                           .resolution = args.resolution.value_or(kResolution),
                                           .threads = threads,
                                           .keep_spans = false}));
  return table;
}

}  // namespace lamella::bench
