#include "bench/scene/measure.hpp"

#include <algorithm>
#include <vector>

#include "bench/measure.hpp"
#include "cli/common.hpp"

namespace lamella::cli {
namespace {

constexpr std::size_t kWarmUps = 2;
constexpr std::size_t kMinPasses = 3;
constexpr std::size_t kMaxPasses = 41;
constexpr std::size_t kMinRuns = 15;
constexpr double kBudgetMs = 800;       ///< beyond which no more passes are made than must be
constexpr double kPatienceMs = 10'000;  ///< beyond which one pass must do
constexpr double kLongPassMs = 2000;    ///< beyond which a pass has no more frames

constexpr double SceneSample::*kParts[] = {
    &SceneSample::update,        &SceneSample::broad,      &SceneSample::place,      &SceneSample::ldi,
    &SceneSample::pairs,         &SceneSample::points,     &SceneSample::contacts,   &SceneSample::gpu,
    &SceneSample::total,         &SceneSample::candidates, &SceneSample::pair_count, &SceneSample::point_count,
    &SceneSample::contact_count, &SceneSample::groups,     &SceneSample::columns,    &SceneSample::rounds,
    &SceneSample::read_back};

SceneSample run_frame(const SceneMotion& motion, Scene& scene, std::size_t frame, SceneMeasured& measured) {
  SceneSample sample;
  const Stopwatch watch;
  motion.move(scene, frame);
  sample.update = watch.ms();
  const SceneResult& result = scene.collide();
  sample.total = watch.ms();
  sample.broad = result.ms.broad;
  sample.place = result.ms.place;
  sample.ldi = result.ms.ldi;
  sample.pairs = result.ms.pairs;
  sample.points = result.ms.points;
  sample.contacts = result.ms.contacts;
  sample.gpu = result.ms.gpu;
  sample.candidates = result.candidates;
  sample.pair_count = static_cast<double>(result.pairs.size());
  sample.point_count = static_cast<double>(result.points.size());
  sample.contact_count = static_cast<double>(result.contacts.size());
  sample.rounds = result.rounds;
  sample.read_back = static_cast<double>(result.read_back_bytes);
  sample.groups = static_cast<double>(result.groups.size());
  for (const SceneGroup& g : result.groups) {
    const double cell = std::max(g.grid.cell_u(), g.grid.cell_v());
    sample.columns += static_cast<double>(g.grid.column_count());
    measured.min_cell = measured.min_cell > 0 ? std::min(measured.min_cell, cell) : cell;
    measured.max_cell = std::max(measured.max_cell, cell);
  }
  return sample;
}

double median_of(const std::vector<SceneSample>& samples, double SceneSample::*part) {
  std::vector<double> values;
  for (const SceneSample& s : samples) values.push_back(s.*part);
  return median(std::move(values));
}

/// A scene that plays frames forth and back.
class Player {
 public:
  Player(const SceneMotion& motion, const SceneOptions& options)
      : motion_(motion), scene_(options), by_frame_(motion.frames) {
    motion.add(scene_);
  }

  /// All frames, backwards every other time. The first time ends early where frames take very long: no more than were
  /// played then are played from then on.
  void play() {
    const Stopwatch watch;
    for (std::size_t i = 0; i < by_frame_.size(); ++i) {
      const std::size_t frame = backwards_ ? by_frame_.size() - 1 - i : i;
      by_frame_[frame].push_back(run_frame(motion_, scene_, frame, measured_));
      if (passes_ == 0 && watch.ms() > kLongPassMs) by_frame_.resize(i + 1);
    }
    ++passes_;
    backwards_ = !backwards_;
  }

  /// What was played so far was to warm up.
  void forget() {
    for (auto& samples : by_frame_) samples.clear();
  }

  [[nodiscard]] std::size_t frames() const { return by_frame_.size(); }

  [[nodiscard]] SceneMeasured measured() {
    measured_.frames = frames();
    for (const std::vector<SceneSample>& samples : by_frame_) {
      for (const auto part : kParts) {
        measured_.typical.*part += median_of(samples, part) / static_cast<double>(frames());
      }
      measured_.worst = std::max(measured_.worst, median_of(samples, &SceneSample::total));
      measured_.runs += samples.size();
    }
    return measured_;
  }

 private:
  const SceneMotion& motion_;
  Scene scene_;
  std::vector<std::vector<SceneSample>> by_frame_;
  std::size_t passes_ = 0;
  bool backwards_ = false;
  SceneMeasured measured_;
};

}  // namespace

SceneMeasured measure_scene(const SceneMotion& motion, const SceneOptions& options, bool gpu, Effort effort) {
  const bool quick = effort == Effort::quick;
  Player player(motion, options);
  const auto warm = [&](std::size_t passes, double ms) {
    if (passes == 0) return false;
    if (quick || ms > kPatienceMs) return true;
    return passes >= kWarmUps && (!gpu || ms > kGpuWarmUpMs);
  };
  const auto enough = [&](std::size_t passes, double ms) {
    if (passes == 0) return false;
    if (quick || ms > kPatienceMs) return true;
    if (passes < kMinPasses || passes * player.frames() < kMinRuns) return false;
    return passes >= kMaxPasses || ms > kBudgetMs;
  };
  const Stopwatch warm_up;
  for (std::size_t pass = 0; !warm(pass, warm_up.ms()); ++pass) player.play();
  player.forget();
  const Stopwatch watch;
  for (std::size_t pass = 0; !enough(pass, watch.ms()); ++pass) player.play();
  return player.measured();
}

}  // namespace lamella::cli
