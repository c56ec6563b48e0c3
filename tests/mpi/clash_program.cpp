// Run by mpirun: the clashes of an assembly that is spread over the processes are those of one process, to the bit, on
// one node and on several.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>

#include "lamella/error.hpp"
#include "lamella/mpi.hpp"
#include "mpi/clash.hpp"
#include "scenes/models.hpp"

namespace {

using namespace lamella;

constexpr std::uint32_t kMeshes = 7;
constexpr std::uint64_t kParts = 300;

Mesh mesh_of(std::uint32_t number) { return scenes::blob(300 + 20 * number, number + 1); }

/// On a loose lattice, turned every way; a plate goes through many of them.
AssemblyPart part_of(std::uint64_t i) {
  const double n = static_cast<double>(i);
  return {.name = "part " + std::to_string(i),
          .mesh = static_cast<std::uint32_t>(i % kMeshes),
          .pose = {{1.8 * static_cast<double>(i % 8), 1.9 * static_cast<double>(i / 8 % 8),
                    2.0 * static_cast<double>(i / 64)},
                   rotation_about({1, 0.1 * n, 2}, 0.37 * n)},
          .group = i % 5 == 0 ? "fives" : "",
          .layer = {}};
}

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

bool same(const ClashPair& x, const Assembly& of_x, const ClashPair& y, const Assembly& of_y) {
  return of_x.parts[x.a].name == of_y.parts[y.a].name && of_x.parts[x.b].name == of_y.parts[y.b].name &&
         x.kind == y.kind && x.verdict == y.verdict && x.rule == y.rule && x.allowed == y.allowed &&
         same(x.volume, y.volume) && same(x.volume_error, y.volume_error) && same(x.distance, y.distance) &&
         same(x.depth, y.depth) && x.centroid == y.centroid && x.regions.size() == y.regions.size();
}

int failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

struct OfOneProcess {
  explicit OfOneProcess(const ClashOptions& options) {
    for (std::uint32_t i = 0; i < kMeshes; ++i) assembly.meshes.push_back(mesh_of(i));
    for (std::uint64_t i = 0; i < kParts; ++i) assembly.parts.push_back(part_of(i));
    report = find_clashes(assembly, options);
  }
  Assembly assembly;
  ClashReport report;
};

/// `options`: the same in each call.
void compare(const mpi::GatheredClashes& many, const ClashOptions& options) {
  static const OfOneProcess expected(options);
  const Assembly& assembly = expected.assembly;
  const ClashReport &one = expected.report, &report = many.report;
  expect(one.pairs.size() > 50, "the assembly has clashes");
  expect(report.pairs.size() == one.pairs.size(), "as many pairs");
  for (std::size_t i = 0; i < std::min(one.pairs.size(), report.pairs.size()); ++i)
    expect(same(report.pairs[i], many.assembly, one.pairs[i], assembly), "the same pair");
  expect(report.candidate_count == one.candidate_count, "as many candidates");
  expect(report.ignored_count == one.ignored_count, "as many ignored");
  expect(report.tested_count == one.tested_count, "as many tested");
  expect(report.triangle_count == one.triangle_count, "as many triangles");
  expect(report.findings.size() == one.findings.size(), "as many findings");
  for (std::size_t i = 0; i < std::min(one.findings.size(), report.findings.size()); ++i)
    expect(report.findings[i].pairs == one.findings[i].pairs, "findings in the same order");
  expect(many.assembly.parts.size() < kParts, "only parts of findings are gathered");
  for (const AssemblyPart& part : many.assembly.parts) {
    const auto number = static_cast<std::uint32_t>(std::stoul(part.name.substr(5)));
    expect(many.assembly.meshes[part.mesh].positions == mesh_of(number % kMeshes).positions, "the meshes of parts");
  }
}

/// What find_clashes() throws.
std::string message_of(const mpi::NodeOf& node_of, const mpi::PartSource& source, const ClashOptions& options) {
  try {
    (void)mpi::find_clashes_on(node_of, source, options, {});
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// An error of one process is thrown on all of them: wherever it happens, and whatever is thrown.
template <class Thrown>
void is_told_to_all(const mpi::PartSource& source, const mpi::NodeOf& node_of, bool fails, const Thrown& thrown,
                    const std::string& expected) {
  const auto check = [&](const char* what, const mpi::PartSource& of, const ClashOptions& options) {
    const std::string message = message_of(node_of, of, options);
    expect(message == expected, (std::string(what) + " fails, and all are told: " + message).c_str());
  };
  ClashOptions stops{.resolution = 16, .way_out = WayOut::none};  // while others wait for meshes of this process
  stops.stop = [&]() -> bool { return fails ? throw thrown : false; };
  check("stop", source, stops);
  mpi::PartSource other = source;
  other.mesh = [&](std::uint32_t number) -> Mesh { return number == 3 ? throw thrown : mesh_of(number); };
  check("mesh", other, {});
  other = source;
  other.part = [&](std::uint64_t number) -> AssemblyPart { return fails ? throw thrown : part_of(number); };
  check("part", other, {});
  other = source;
  other.keeper = [&](std::uint32_t) -> int { return fails ? throw thrown : 0; };
  check("keeper", other, {});
}

/// Several nodes, as tests have them on one machine: processes by turns.
mpi::NodeOf of_nodes(int nodes) {
  return [=](int rank) { return rank % nodes; };
}

/// Each mesh comes at most once to each node that does not keep it; what makes room, or finds none, changes no answer.
void compare_on_nodes(const mpi::PartSource& source, const ClashOptions& options, int nodes, bool is_rank_0) {
  struct Room {
    std::uint64_t bytes;
    bool fits, is_there;
  };
  for (const Room room : {Room{0, true, true}, Room{12'000, false, true}, Room{1, false, false}}) {
    const mpi::GatheredClashes found = mpi::find_clashes_on(of_nodes(nodes), source, options,
                                                            {.meshes = true, .cache = {}, .mesh_memory = room.bytes});
    if (!is_rank_0) continue;
    compare(found, options);
    const mpi::MeshTravels& t = found.travels;
    expect(t.in_place > 0, "meshes of the same node are used in place");
    expect((t.fetched > 0) == (nodes > 1) && (t.fetched_bytes > 0) == (nodes > 1), "those of others are fetched");
    if (nodes == 1) continue;
    if (room.fits) expect(t.fetched <= kMeshes * static_cast<unsigned>(nodes - 1), "a mesh comes once to a node");
    if (room.fits) expect(t.dropped == 0 && t.unshared == 0, "all have room");
    if (!room.fits) expect(t.fetched > kMeshes * static_cast<unsigned>(nodes - 1), "without room they come again");
    if (!room.is_there) expect(t.unshared == t.fetched && t.shared == 0, "without any room they are not shared");
    expect((t.shared > 0) == room.is_there, "what is there is used again");
  }
}

}  // namespace

int main(int argc, char** argv) {
  mpi::Session session(argc, argv);
  const mpi::PartSource source{
      .part_count = kParts, .mesh_count = kMeshes, .part = part_of, .mesh = mesh_of, .mesh_name = {}, .keeper = {}};
  ClashOptions options{.clearance = 0.15};
  options.rules = {{.a = "group:fives", .b = "group:fives", .ignore = true},
                   {.a = "part 1?", .b = "*", .allow_contact = true}};
  options.ignored = {{8, 9}, {200, 208}};
  const mpi::GatheredClashes found = mpi::find_clashes(source, options);
  if (session.rank() == 0) compare(found, options);
  mpi::PartSource kept = source;  // in no order, and some processes keep none
  kept.keeper = [&](std::uint32_t mesh) { return static_cast<int>(mesh * 5 % 3) % session.size(); };
  const mpi::GatheredClashes again = mpi::find_clashes(kept, options);
  if (session.rank() == 0) compare(again, options);
  for (int nodes = 1; nodes <= session.size(); ++nodes) {
    compare_on_nodes(source, options, nodes, session.rank() == 0);
    const bool fails = session.rank() == session.size() - 1;
    is_told_to_all(source, of_nodes(nodes), fails, Error("no more of it"), "no more of it");
    is_told_to_all(source, of_nodes(nodes), fails, std::runtime_error("no Error"), "no Error");
    is_told_to_all(source, of_nodes(nodes), fails, std::bad_alloc(),
                   "out of memory; start more processes, on more machines");
    is_told_to_all(source, of_nodes(nodes), fails, 7, "an unknown failure");
  }
  if (session.size() > 1) compare_on_nodes(kept, options, 2, session.rank() == 0);
  if (session.rank() == 0 && failures == 0) std::puts("passed");
  return failures == 0 ? 0 : 1;
}
