// `lamella-bench-peers certify`: certified verdicts. First how often they are those of the library with exact
// predicates, then what they cost: where two meshes collide, beside the plain query; where they are clear although
// their boxes interleave, beside the others' trees.

#include "bench/peers/certify.hpp"

#include <fmt/core.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <memory>
#include <numbers>
#include <optional>
#include <thread>

#include "bench/options.hpp"
#include "bench/peers/certify_poses.hpp"
#include "bench/peers/race.hpp"
#include "bench/report.hpp"
#include "cli/common.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "scenes/motions.hpp"

namespace lamella::bench::peers {
namespace {

struct CertifyArgs {
  std::optional<std::uint32_t> poses;
  std::filesystem::path meshes;
  bool quick = false, json = false;
};

constexpr std::uint32_t kUsualPoses = 500, kMostPoses = 10'000'000;
constexpr std::size_t kRounds = 21, kQuickRounds = 5;
constexpr std::size_t kRingFaces = 250'000, kQuickRingFaces = 10'000;

/// Two rings, one through the other. The hole leaves a gap of about 1 % of the diagonal all around.
PairWork linked_rings(std::size_t faces) {
  constexpr float kTube = 0.48f;
  PairWork work;
  const Transform through{{1, 0, 0}, rotation_about({1, 0, 0}, std::numbers::pi / 2)};
  for (MovingMesh* ring : {&work.a, &work.b}) {
    const Mesh mesh = scenes::torus(faces, 1, kTube);
    ring->triangles = mesh.triangles;
    // The second pose turns a ring a little about its own axis: every vertex moves, and the gap stays.
    for (std::size_t i = 0; i < kPoses; ++i) {
      const Quaternion turn = rotation_about({0, 0, 1}, 0.01 * static_cast<double>(i));
      for (const Vec3 p : mesh.positions) {
        const Vec3d turned = rotate(turn, to_double(p));
        ring->positions[i].push_back(to_float(ring == &work.b ? apply(through, turned) : turned));
      }
    }
  }
  return work;
}

Method our_query(const PairWork& work, bool certify) {
  struct State {
    Detector detector;
    const Overlap* last = nullptr;
  };
  const auto state = std::make_shared<State>(
      State{Detector({.engine = "software", .resolution = 128, .threads = 1, .certify = certify})});
  return {
      .library = "Lamella",
      .call = certify ? "intersect, certified" : "intersect",
      .gives = certify ? "volume, proof" : "volume",
      .run = [state, &work](std::size_t i) { state->last = &state->detector.intersect(work.a.at(i), work.b.at(i)); },
      .answer =
          [state] {
            if (state->detector.options().certify && !state->last->certificate.certain)
              throw Error("a verdict was not proved");
            return Answer{.meets = state->last->colliding()};
          },
      .ours = true};
}

Table race_table(const std::string& name, const std::string& title, const PairWork& work, const Libraries& others,
                 std::size_t rounds, bool& right) {
  Methods methods{our_query(work, false), our_query(work, true)};
  for (const Peer& peer : others.found) {
    if (!peer.pair) continue;
    for (Method& method : peer.pair(work))
      if (method.call != "corefinement") methods.push_back(std::move(method));
  }
  Table table{.name = name,
              .title = title,
              .columns = columns("library|call|answer|ms=ms.median:ms|times plain=ratio.median:times|runs")};
  const std::vector<Finished> entries = race(std::move(methods), {.rounds = rounds});
  for (const Finished& entry : entries) {
    const std::optional<bool> meets = entry.answers.back().meets;
    right = right && (!meets || meets == entries[1].answers.back().meets);
    table.rows.push_back(Row{{"library", entry.method.library},
                             {"call", entry.method.call},
                             {"answer", !meets   ? ""
                                        : *meets ? "colliding"
                                                 : "clear"},
                             {"ms.median", quartiles(entry.ms).median},
                             {"ratio.median", quartiles(entry.ratio).median},
                             {"runs", entry.ms.size()}});
  }
  return table;
}

const Peer* exact_peer(const Libraries& others) {
  const auto found = std::find_if(others.found.begin(), others.found.end(),
                                  [](const Peer& peer) { return peer.name.starts_with("CGAL"); });
  return found == others.found.end() ? nullptr : &*found;
}

Table agreement_table(const CertifyArgs& args, const Peer& exact, bool& right) {
  const std::vector<Mesh> models = models_for_poses(args.meshes);
  const auto counts =
      compare_poses(models, args.poses.value_or(kUsualPoses), exact, std::max(1u, std::thread::hardware_concurrency()));
  Table table{.name = "agreement",
              .title = fmt::format("Poses of {} meshes, against {}", models.size(), exact.name),
              .columns = columns("poses=kind|count|colliding|touching|clear|undecided|wrong")};
  Agreement all;
  const auto add = [&](const char* kind, const Agreement& a) {
    table.rows.push_back(Row{{"kind", kind},
                             {"count", a.poses},
                             {"colliding", a.colliding},
                             {"touching", a.touching},
                             {"clear", a.clear},
                             {"undecided", a.undecided},
                             {"wrong", a.wrong}});
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    add(kPoseKinds[i], counts[i]);
    all.add(counts[i]);
  }
  add("all", all);
  right = right && all.wrong == 0;
  return table;
}

/// False when an answer of ours is wrong.
bool run(const CertifyArgs& args, const Libraries& others) {
  const Report report("certify", args.json);
  report.say(fmt::format("{}\n", cli::machine_text()));
  bool right = true;
  if (const Peer* exact = exact_peer(others); exact != nullptr)
    report.print(agreement_table(args, *exact, right));
  else
    report.say("Without CGAL: nothing to compare the verdicts with.\n");
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  const std::size_t rounds = args.quick ? kQuickRounds : kRounds;
  const PairWork pair = pair_work(args.quick ? quick_sizes() : WorkSizes{});
  report.print(race_table("colliding",
                          fmt::format("A knot and a blob that collide, {} faces",
                                      whole(double(pair.a.triangles.size() + pair.b.triangles.size()))),
                          pair, others, rounds, right));
  const PairWork rings = linked_rings(args.quick ? kQuickRingFaces : kRingFaces);
  report.print(race_table("clear",
                          fmt::format("Two linked rings that are clear, {} faces",
                                      whole(double(rings.a.triangles.size() + rings.b.triangles.size()))),
                          rings, others, rounds, right));
  if (!right) cli::complain("wrong answer: see the tables");
  return right;
}

}  // namespace

void add_certify(const cli::Command& app, int& status, const Libraries& others) {
  const auto args = std::make_shared<CertifyArgs>();
  const cli::Command command =
      app.add_subcommand("certify", "Certified verdicts against CGAL's, and their cost beside other libraries");
  cli::add_count(command, "--poses", 1, kMostPoses, args->poses, "of pairs of meshes that are compared with CGAL")
      .default_str("500");
  command.add_option("--meshes", args->meshes, "folder of meshes for the poses; models when not given")
      .type_name("DIR");
  command.add_flag("--quick", args->quick, "small meshes and few rounds, to try it out");
  command.add_flag("--json", args->json, "one object per line");
  command.footer("Exit status 1 where a certified verdict is not CGAL's.\n");
  command.callback([args, &status, others] {
    if (!run(*args, others)) status = 1;
  });
}

}  // namespace lamella::bench::peers
