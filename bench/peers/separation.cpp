// `lamella-bench-peers separation`: random deep pairs of real meshes are separated; is each proved to be clear after
// one move, and how much longer is the move than the best of many directions? Then what a direction and a sweep cost.

#include "bench/peers/separation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numbers>
#include <thread>

#include "bench/measure.hpp"
#include "bench/peers/deep_pair_options.hpp"
#include "bench/peers/deep_pairs.hpp"
#include "bench/report.hpp"
#include "cli/common.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "lamella/separation.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"

namespace lamella::bench::peers {
namespace {

struct SeparationArgs : DeepPairArgs {
  std::uint32_t directions = 10'000, judged = 40;
};

constexpr std::uint32_t kCoarse = 64, kFine = 512;
constexpr std::size_t kMeasuredAgain = 16;  ///< of the best directions, on the fine grid

struct Way {
  Vec3d direction;
  double length = 0;
};

/// The shortest of many directions, half of them against the others, on the coarse grid, and of the best of those again
/// on the fine one.
struct BruteForce {
  double coarse = 0, fine = 0;
};

BruteForce try_all(const DeepPair& pair, std::uint32_t directions, unsigned threads) {
  const std::uint32_t views = directions / 2;
  std::vector<Way> ways(2 * views);
  std::atomic<std::uint32_t> next{0};
  const auto work = [&] {
    Separator separator({.threads = 1});
    for (std::uint32_t i = next++; i < views; i = next++) {
      const double z = (i + 0.5) / views, r = std::sqrt(1 - z * z), turn = i * std::numbers::pi * (3 - std::sqrt(5.0));
      const Vec3d d{r * std::cos(turn), r * std::sin(turn), z};
      const FreeInterval free = separator.free_shifts(pair.a, pair.b, d, kCoarse);
      ways[2 * i] = {d, free.forward};
      ways[2 * i + 1] = {-d, free.backward};
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 1; i < threads; ++i) workers.emplace_back(work);
    work();
  }
  std::sort(ways.begin(), ways.end(), [](const Way& p, const Way& q) { return p.length < q.length; });
  BruteForce best{ways[0].length, HUGE_VAL};
  Separator separator({.threads = 1});
  for (std::size_t i = 0; i < std::min(kMeasuredAgain, ways.size()); ++i)
    best.fine = std::min(best.fine, separator.free_shifts(pair.a, pair.b, ways[i].direction, kFine).forward);
  return best;
}

/// What is left of the overlap when a is moved by its deepest contact of a scene.
double left_by_contact(const DeepPair& pair) {
  Scene scene({.engine = "software"});
  const ObjectId a = scene.add(pair.a);
  scene.add(pair.b);
  const SceneResult& result = scene.collide();
  if (result.pairs.empty()) return 1;
  const ScenePair& found = result.pairs[0];
  Vec3d move;
  float deepest = 0;
  for (const Contact& c : result.contacts_of(found))
    if (c.depth > deepest) deepest = c.depth, move = to_double(c.normal) * (found.a == a ? c.depth : -c.depth);
  const Mesh moved = transformed(pair.a, {move, {}});
  return intersect(moved, pair.b, {.engine = "software", .resolution = 128, .keep_spans = false}).volume / pair.shared;
}

constexpr double kTooLong = 1.05;  ///< times the length of brute force

struct Findings {
  std::vector<double> coarse, fine, margin, left, left_by_contact, ms;
  std::size_t certified = 0;

  [[nodiscard]] std::ptrdiff_t too_long() const {
    return std::count_if(fine.begin(), fine.end(), [](double ratio) { return ratio > kTooLong; });
  }
};

Row spread(const char* what, const std::vector<double>& values) {
  if (values.empty()) return {{"what", what}};
  return {{"what", what},
          {"pairs", values.size()},
          {"median", median(values)},
          {"p90", percentile(values, 0.9)},
          {"worst", *std::max_element(values.begin(), values.end())}};
}

Findings study(const SeparationArgs& args, const std::vector<Mesh>& meshes, unsigned threads, const Report& report) {
  Findings out;
  Separator separator({.threads = threads});
  cli::Progress progress("pairs");
  for (std::uint32_t i = 0; i < args.pairs; ++i) {
    const DeepPair pair = make_deep_pair(meshes, args.first + i);
    const cli::Stopwatch watch;
    const Separation found = separator.separation(pair.a, pair.b);
    out.ms.push_back(watch.ms());
    const Mesh moved = transformed(pair.a, {found.translation, {}});
    const Overlap after = intersect(moved, pair.b, {.engine = "software", .resolution = 256, .certify = true});
    out.certified += after.verdict == Verdict::clear && after.certificate.certain ? 1 : 0;
    out.left.push_back(after.volume / pair.shared);
    out.left_by_contact.push_back(left_by_contact(pair));
    out.margin.push_back(found.margin / found.length);
    if (i < args.judged) {
      const BruteForce best = try_all(pair, args.directions, threads);
      out.coarse.push_back(found.length / best.coarse);
      out.fine.push_back(found.length / best.fine);
    }
    report.print(Row{{"pair", args.first + i},
                     {"faces", pair.a.triangles.size() + pair.b.triangles.size()},
                     {"length", found.length},
                     {"margin", found.margin},
                     {"ratio", i < args.judged ? out.fine.back() : 0.0},
                     {"left_by_contact", out.left_by_contact.back()},
                     {"ms", out.ms.back()}},
                 "pairs");
    progress.update(i + 1, args.pairs);
  }
  return out;
}

Table study_table(const SeparationArgs& args, const Findings& f) {
  Table table{
      .name = "ways",
      .title = fmt::format("{} random deep pairs: {} proved to be clear after one move", args.pairs, f.certified),
      .columns = columns("what|pairs|median|90 % below=p90|worst"),
      .reading = fmt::format("Of {} pairs, {} are more than 5 % longer than the best of brute force at 512 x 512.\n",
                             f.fine.size(), f.too_long())};
  const std::string best = fmt::format("length / best of {} directions", whole(args.directions));
  table.rows = {spread((best + " at 64 x 64").c_str(), f.coarse),
                spread((best + ", the 16 best at 512 x 512").c_str(), f.fine),
                spread("margin / length", f.margin),
                spread("overlap left", f.left),
                spread("overlap left by the deepest contact of a scene", f.left_by_contact),
                spread("ms", f.ms)};
  return table;
}

/// Medians of a few rounds, milliseconds.
template <class Run>
double time_of(std::size_t rounds, const Run& run) {
  std::vector<double> ms;
  run();
  for (std::size_t i = 0; i < rounds; ++i) {
    const cli::Stopwatch watch;
    run();
    ms.push_back(watch.ms());
  }
  return median(ms);
}

Table cost_table(unsigned threads) {
  Mesh a = scenes::blob(50'000, 3), b = scenes::torus_knot(50'000);
  scale_to_one(a);
  scale_to_one(b);
  b = transformed(b, {{0.1, 0.05, 0.02}, rotation_about({1, 2, 3}, 1)});
  const Mesh away = transformed(b, {{2, 0.1, 0.1}, {}});
  Table table{
      .name = "cost",
      .title = fmt::format("A blob and a knot, {} faces", whole(double(a.triangles.size() + b.triangles.size()))),
      .columns = columns("what|threads|ms")};
  const auto add = [&](const char* what, unsigned n, double ms) {
    table.rows.push_back(Row{{"what", what}, {"threads", n}, {"ms", ms}});
  };
  Separator one({.threads = 1}), all({.threads = threads});
  scenes::Random random(7);
  const auto look = [&](std::uint32_t resolution) { (void)one.free_shifts(a, b, random.direction(), resolution); };
  add("a direction, 16 x 16", 1, time_of(201, [&] { look(16); }));
  add("a direction, 64 x 64", 1, time_of(201, [&] { look(64); }));
  add("a direction, 512 x 512", 1, time_of(21, [&] { look(512); }));
  add("separation, 1000 directions", 1, time_of(5, [&] { (void)one.separation(a, b); }));
  add("separation, 1000 directions", threads, time_of(9, [&] { (void)all.separation(a, b); }));
  Sweeper sweeper(1);
  add("sweep", 1, time_of(51, [&] { (void)sweeper.sweep(a, away, {4, 0, 0}); }));
  return table;
}

void run(const SeparationArgs& args) {
  const Report report("separation", args.json);
  report.say(fmt::format("{}\n", cli::machine_text()));
  const unsigned threads = args.threads != 0 ? args.threads : std::max(1u, std::thread::hardware_concurrency());
  const std::vector<Mesh> meshes = load_closed(args.meshes);
  report.print(study_table(args, study(args, meshes, threads, report)));
  report.print(cost_table(threads));
}

}  // namespace

void add_separation(const cli::Command& app, int& status) {
  const auto args = std::make_shared<SeparationArgs>();
  args->pairs = 200;
  const cli::Command command =
      app.add_subcommand("separation", "Ways out of deep overlaps against brute force over directions, and their cost");
  add_deep_pair_options(command, *args);
  cli::add_count(command, "--judged", 0, 1'000'000, args->judged, "of them that are compared with brute force");
  cli::add_count(command, "--directions", 2, 10'000'000, args->directions, "of brute force");
  command.callback([args, &status] {
    run(*args);
    status = 0;
  });
}

}  // namespace lamella::bench::peers
