// `lamella-bench-peers contacts`: random deep pairs of real meshes. How far do depth and normal of their largest patch
// change when cells are halved, and what do patches cost? And are the pairs apart after some frames of a RigidWorld
// without gravity, both free or one of them fixed, and without motion?

#include "bench/peers/contacts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

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
#include "lamella/response.hpp"

namespace lamella::bench::peers {
namespace {

struct ContactsArgs : DeepPairArgs {
  std::uint32_t frames = 30;
};

constexpr std::uint32_t kResolutions[] = {64, 128, 256, 512};
constexpr double kFrame = 1.0 / 60;

/// What a scene says of a pair.
struct Seen {
  ContactPatch patch;
  double deepest = 0, ms = 0;
};

Seen look_at(const DeepPair& pair, std::uint32_t resolution, unsigned threads, bool patches) {
  Scene scene(
      {.engine = "software", .resolution = resolution, .threads = threads, .points = false, .patches = patches});
  scene.add(pair.a);
  scene.add(pair.b);
  scene.collide();
  const cli::Stopwatch watch;
  const SceneResult& result = scene.collide();
  Seen seen;
  seen.ms = watch.ms();
  if (result.pairs.empty()) return seen;
  seen.deepest = static_cast<double>(result.pairs[0].depth);
  if (patches) seen.patch = result.patches_of(result.pairs[0])[0];
  return seen;
}

/// Changes from one resolution to the next.
struct Changes {
  std::vector<double> depth, degrees, deepest;

  void add(const Seen& before, const Seen& after) {
    depth.push_back(std::abs(after.patch.depth / before.patch.depth - 1));
    deepest.push_back(std::abs(after.deepest / before.deepest - 1));
    const double cosine = std::clamp(dot(after.patch.normal, before.patch.normal), -1.0, 1.0);
    if (before.patch.one_sided > 0.1) degrees.push_back(std::acos(cosine) * 180 / std::numbers::pi);
  }
};

struct Findings {
  Changes changes[std::size(kResolutions)];
  std::vector<double> ms_with, ms_without;              ///< of a frame at 128 x 128
  std::vector<double> frames[2], slowest[2], drift[2];  ///< both free, one fixed
  std::size_t apart[2] = {}, proved[2] = {};
};

void study_patches(const DeepPair& pair, unsigned threads, Findings& out) {
  Seen before;
  for (std::size_t i = 0; i < std::size(kResolutions); ++i) {
    const Seen seen = look_at(pair, kResolutions[i], threads, true);
    if (i > 0) out.changes[i].add(before, seen);
    before = seen;
    if (kResolutions[i] != 128) continue;
    out.ms_with.push_back(seen.ms);
    out.ms_without.push_back(look_at(pair, 128, threads, false).ms);
  }
}

void study_response(const DeepPair& pair, bool one_fixed, const ContactsArgs& args, Findings& out) {
  RigidWorld world({.engine = "software", .threads = args.threads, .points = false}, {.gravity = {}});
  const ObjectId a = world.add(pair.a, {}, {.fixed = one_fixed}), b = world.add(pair.b);
  const auto middle = [&] {
    const RigidBody &p = world.body(a), &q = world.body(b);
    if (one_fixed) return apply(p.pose, p.center);
    return (apply(p.pose, p.center) * q.inverse_mass + apply(q.pose, q.center) * p.inverse_mass) *
           (1 / (p.inverse_mass + q.inverse_mass));
  };
  const Vec3d start = middle();
  double fastest = 0;
  Verdict verdict = Verdict::colliding;
  std::uint32_t frame = 0;
  while (frame < args.frames && verdict != Verdict::clear) {
    world.step(kFrame);
    ++frame;
    fastest = std::max(fastest, world.kinetic_energy());
    if (world.report().way_count + world.report().pushed_count > 0) continue;
    const auto placed = [&](const Mesh& mesh, ObjectId id) { return transformed(mesh, world.body(id).pose); };
    const Overlap after = intersect(placed(pair.a, a), placed(pair.b, b), {.resolution = 256, .certify = true});
    verdict = after.verdict;
    if (verdict == Verdict::clear) out.proved[one_fixed] += after.certificate.certain ? 1 : 0;
  }
  out.apart[one_fixed] += verdict == Verdict::clear ? 1 : 0;
  out.frames[one_fixed].push_back(frame);
  out.slowest[one_fixed].push_back(fastest);
  out.drift[one_fixed].push_back(length(middle() - start));
}

Row spread(std::string what, const std::vector<double>& values) {
  if (values.empty()) return {{"what", what}};
  return {{"what", what},
          {"median", median(values)},
          {"p90", percentile(values, 0.9)},
          {"worst", *std::max_element(values.begin(), values.end())}};
}

Table patch_table(const ContactsArgs& args, const Findings& f) {
  Table table{.name = "patches",
              .title = fmt::format("Largest patches of {} random deep pairs", args.pairs),
              .columns = columns("what|median|90 % below=p90|worst")};
  for (std::size_t i = 1; i < std::size(kResolutions); ++i) {
    const std::string step = fmt::format(", from {0}² to {1}²", kResolutions[i - 1], kResolutions[i]);
    table.rows.push_back(spread("change of depth" + step, f.changes[i].depth));
    table.rows.push_back(spread("turn of normal, degrees" + step, f.changes[i].degrees));
    table.rows.push_back(spread("change of the deepest contact" + step, f.changes[i].deepest));
  }
  table.rows.push_back(spread("ms of a frame at 128² with patches", f.ms_with));
  table.rows.push_back(spread("ms without", f.ms_without));
  return table;
}

Table response_table(const ContactsArgs& args, const Findings& f) {
  Table table{.name = "response",
              .title = fmt::format("A RigidWorld for up to {} frames", args.frames),
              .columns = columns("what|median|90 % below=p90|worst"),
              .reading = fmt::format("Apart, of {}: {} with both free ({} proved), {} with one fixed ({} proved).\n",
                                     args.pairs, f.apart[0], f.proved[0], f.apart[1], f.proved[1])};
  for (const int one_fixed : {0, 1}) {
    const std::string how = one_fixed != 0 ? ", one fixed" : ", both free";
    table.rows.push_back(spread("frames until apart" + how, f.frames[one_fixed]));
    table.rows.push_back(spread("largest kinetic energy" + how, f.slowest[one_fixed]));
    table.rows.push_back(spread("drift of the common centre" + how, f.drift[one_fixed]));
  }
  return table;
}

void run(const ContactsArgs& args) {
  const Report report("contacts", args.json);
  report.say(fmt::format("{}\n", cli::machine_text()));
  const std::vector<Mesh> meshes = load_closed(args.meshes);
  Findings findings;
  cli::Progress progress("pairs");
  for (std::uint32_t i = 0; i < args.pairs; ++i) {
    const DeepPair pair = make_deep_pair(meshes, args.first + i);
    study_patches(pair, args.threads, findings);
    for (const bool one_fixed : {false, true}) study_response(pair, one_fixed, args, findings);
    progress.update(i + 1, args.pairs);
  }
  report.print(patch_table(args, findings));
  report.print(response_table(args, findings));
}

}  // namespace

void add_contacts(const cli::Command& app, int& status) {
  const auto args = std::make_shared<ContactsArgs>();
  const cli::Command command =
      app.add_subcommand("contacts", "Contact patches of deep pairs: how they converge, and whether bodies come apart");
  add_deep_pair_options(command, *args);
  cli::add_count(command, "--frames", 1, 1'000'000, args->frames, "of rigid bodies, at most");
  command.callback([args, &status] {
    run(*args);
    status = 0;
  });
}

}  // namespace lamella::bench::peers
