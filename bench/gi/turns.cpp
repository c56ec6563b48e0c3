// Pairs of moving bodies, decided by every method: see turns.hpp.

#include "bench/gi/turns.hpp"

#include <fmt/core.h>

#include <numeric>

#include "bench/measure.hpp"
#include "cli/progress.hpp"
#include "lamella/image_scene.hpp"
#include "simulate/bunnies.hpp"

namespace lamella::bench {
namespace {

constexpr std::size_t kPairsATurn = 1024;
/// Other libraries take several times as long: beyond so many pairs they are asked in some turns only.
constexpr double kMostSlowPairs = 2e6;
/// About so many boxes overlap an object's, each pair counted once.
constexpr double kPairsAnObject = 2.4;

struct Turn {
  std::vector<PosePair> pairs;
  std::vector<std::uint8_t> colliding;  ///< as the motion was made with
  std::uint32_t frames = 0;
};

double timed(PairRunner& runner, const Turn& turn, std::vector<std::uint8_t>& answers) {
  runner.method->take(turn.pairs);
  answers.assign(turn.pairs.size(), 0);
  const CpuStopwatch watch;
  runner.method->decide(answers);
  const double ms = watch.ms();
  ++runner.turns;
  runner.ms += ms;
  runner.pairs += answers.size();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    runner.collisions += answers[i];
    runner.differ += answers[i] != turn.colliding[i] ? 1 : 0;
  }
  return ms;
}

void warm_up(PairRunner& runner, const Turn& turn) {
  std::vector<std::uint8_t> answers(turn.pairs.size());
  runner.method->take(turn.pairs);
  runner.method->decide(answers);
  runner.warm_up_tests = runner.method->volume_tests();
}

void take_turn(std::vector<PairRunner>& runners, PairLoad& load, Turn& turn) {
  if (load.turns == 0) {
    for (PairRunner& runner : runners) warm_up(runner, turn);
  }
  std::vector<std::uint8_t> answers;
  std::vector<PairRunner*> took;
  double images_ms = 0;
  for (std::size_t k = 0; k < runners.size(); ++k) {
    PairRunner& runner = runners[(k + load.turns / load.slow_every) % runners.size()];
    if (runner.slow && load.turns % load.slow_every != 0) continue;
    const double ms = timed(runner, turn, answers);
    if (&runner == &runners.front()) images_ms = ms;
    took.push_back(&runner);
  }
  for (PairRunner* runner : took) runner->images_ms += images_ms;
  ++load.turns;
  turn = {};
}

}  // namespace

std::vector<PairRunner> make_pair_runners(const ImageBody& body, const Methods& methods,
                                          const std::vector<OtherMethod>& others) {
  std::vector<PairRunner> runners;
  const auto add = [&](std::string name, std::unique_ptr<PairMethod> method, bool slow) {
    PairRunner& runner = runners.emplace_back();
    runner.name = std::move(name);
    runner.method = std::move(method);
    runner.slow = slow;
  };
  add("images", make_image_method(body), false);
  if (methods.published) {
    add("published", make_published_method(body, SphereFit::published), false);
    add("published, enclosing", make_published_method(body, SphereFit::published_enclosing), false);
  }
  if (methods.trees) {
    add("index tree", make_index_method(body), false);
    add("pointer tree", make_pointer_method(body), false);
  }
  for (const OtherMethod& other : others) {
    if (other.convex ? methods.hulls : methods.boxes) add(other.name, other.make(body), true);
  }
  return runners;
}

namespace {

/// A frame's pairs with their verdicts. `colliding` is ascending, as the scene's candidates are.
void add_frame(const ImageScene& scene, const ImageSceneResult& result, Pairs pairs,
               const std::vector<simulate::BunnyPair>& colliding, Turn& turn) {
  if (pairs == Pairs::active) {
    for (const ImageScenePair& pair : result.candidates) {
      turn.pairs.push_back({scene.pose(pair.a), scene.pose(pair.b)});
      turn.colliding.push_back(pair.verdict == Verdict::colliding ? 1 : 0);
    }
    return;
  }
  std::size_t next = 0;
  const auto objects = static_cast<std::uint32_t>(scene.size());
  for (std::uint32_t a = 0; a < objects; ++a) {
    for (std::uint32_t b = a + 1; b < objects; ++b) {
      const bool hit = next < colliding.size() && colliding[next] == simulate::BunnyPair{a, b};
      next += hit ? 1 : 0;
      turn.pairs.push_back({scene.pose({a}), scene.pose({b})});
      turn.colliding.push_back(hit ? 1 : 0);
    }
  }
}

}  // namespace

PairLoad run_pairs(std::uint32_t objects, std::uint32_t frames, const std::shared_ptr<const ImageBody>& body,
                   Pairs pairs, std::vector<PairRunner>& runners) {
  cli::Progress progress(fmt::format("{} objects", objects));
  PairLoad load{.objects = objects, .frames = frames, .pairs = pairs};
  const double pairs_an_object = pairs == Pairs::all ? (objects - 1) / 2.0 : kPairsAnObject;
  load.slow_every = static_cast<std::uint64_t>(pairs_an_object * objects * frames / kMostSlowPairs) + 1;
  simulate::BunnyWorld world({.objects = objects});
  ImageScene scene({.threads = 1});
  for (const Transform& pose : world.poses()) (void)scene.add(body, pose);
  std::vector<simulate::BunnyPair> colliding;
  std::vector<double> sweeps_ms;
  Turn turn;
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    progress.update(frame, frames);
    const std::uint64_t before = interruptions();
    const cli::Stopwatch moving;
    for (std::uint32_t i = 0; i < objects; ++i) scene.move({i}, world.poses()[i]);
    const double moving_ms = moving.ms();
    const ImageSceneResult& result = scene.collide();
    if (interruptions() == before) sweeps_ms.push_back(moving_ms + result.ms.broad);
    colliding.clear();
    for (const ImageScenePair& pair : result.candidates) {
      if (pair.verdict == Verdict::colliding) colliding.push_back({pair.a.number, pair.b.number});
    }
    add_frame(scene, result, pairs, colliding, turn);
    ++turn.frames;
    if (turn.pairs.size() >= kPairsATurn) take_turn(runners, load, turn);
    world.step(colliding);
  }
  if (!turn.pairs.empty()) take_turn(runners, load, turn);
  if (!sweeps_ms.empty()) {
    const double sum = std::accumulate(sweeps_ms.begin(), sweeps_ms.end(), 0.0);
    load.sweep_ms = sum / static_cast<double>(sweeps_ms.size()) * frames;
  }
  return load;
}

}  // namespace lamella::bench
