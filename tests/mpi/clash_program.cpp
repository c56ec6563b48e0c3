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

/// The last one has a hole, so that there are doubts.
Mesh mesh_of(std::uint32_t number) {
  Mesh mesh = scenes::blob(300 + 20 * number, number + 1);
  if (number + 1 == kMeshes) mesh.triangles.pop_back();
  return mesh;
}

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

bool same(const ClashRegion& x, const ClashRegion& y) {
  return x.volume == y.volume && x.centroid == y.centroid && x.min == y.min && x.max == y.max;
}

bool same(const ClashPair& x, const Assembly& of_x, const ClashPair& y, const Assembly& of_y) {
  return of_x.parts[x.a].name == of_y.parts[y.a].name && of_x.parts[x.b].name == of_y.parts[y.b].name &&
         x.rule == y.rule && x.kind == y.kind && x.verdict == y.verdict && x.certain == y.certain &&
         x.allowed == y.allowed && same(x.volume, y.volume) && same(x.volume_error, y.volume_error) &&
         x.tolerance_met == y.tolerance_met && same(x.distance, y.distance) && x.on_a == y.on_a && x.on_b == y.on_b &&
         same(x.depth, y.depth) && x.way_out == y.way_out && x.centroid == y.centroid && x.min == y.min &&
         x.max == y.max && x.region_count == y.region_count && x.doubts == y.doubts &&
         std::equal(x.regions.begin(), x.regions.end(), y.regions.begin(), y.regions.end(),
                    [](const ClashRegion& r, const ClashRegion& s) { return same(r, s); });
}

int failures = 0;
void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
  ++failures;
}

mpi::PartSource whole_source() {
  return {.part_count = kParts, .mesh_count = kMeshes, .part = part_of, .mesh = mesh_of, .mesh_name = {}, .keeper = {}};
}

/// On one process.
Assembly assembly_of(const mpi::PartSource& source) {
  Assembly assembly;
  for (std::uint32_t i = 0; i < source.mesh_count; ++i) {
    assembly.meshes.push_back(source.mesh(i));
    if (source.mesh_name) assembly.mesh_names.push_back(source.mesh_name(i));
  }
  for (std::uint64_t i = 0; i < source.part_count; ++i) assembly.parts.push_back(source.part(i));
  return assembly;
}

/// `options`: the same in each call.
void compare(const mpi::GatheredClashes& many, const ClashOptions& options) {
  static const Assembly assembly = assembly_of(whole_source());
  static const ClashReport one = find_clashes(assembly, options);
  const ClashReport& report = many.report;
  const auto some = [&](auto what) { return std::any_of(one.pairs.begin(), one.pairs.end(), what); };
  expect(one.pairs.size() > 50 && some([](const ClashPair& p) { return p.regions.size() > 1; }) &&
             some([](const ClashPair& p) { return !p.doubts.empty(); }),
         "the assembly has clashes, of several regions and with doubts too");
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
    const Mesh &mesh = many.assembly.meshes[part.mesh], expected = mesh_of(number % kMeshes);
    expect(mesh.positions == expected.positions && mesh.triangles == expected.triangles, "the meshes of parts");
  }
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// What find_clashes() throws.
std::string message_of(const mpi::NodeOf& node_of, const mpi::PartSource& source, const ClashOptions& options) {
  return message_of([&] { (void)mpi::find_clashes_on(node_of, source, options, {}); });
}

/// What is wrong with a part or a mesh is told to all, with the message of one process: names, and numbers of the
/// source; if several are wrong, the first.
void faults_are_named(const mpi::PartSource& source, const mpi::NodeOf& node_of, const std::string& begin) {
  const std::string expected = message_of([&] { (void)find_clashes(assembly_of(source)); });
  expect(expected.starts_with(begin), "one process says " + expected + ", which begins with " + begin);
  const std::string message = message_of(node_of, source, {});
  expect(message == expected, "all processes say " + expected + ", and not " + message);
}

void wrong_parts_are_named(const mpi::PartSource& usual, const mpi::NodeOf& node_of) {
  mpi::PartSource source = usual;
  const auto with = [&](auto change) {
    source.part = [=, &usual](std::uint64_t number) {
      AssemblyPart part = usual.part(number);
      if (number == 211 || number == 251) change(part);
      return part;
    };
    return source;
  };
  const auto nowhere = [](AssemblyPart& part) { part.pose.translation.y = std::nan(""); };
  faults_are_named(with(nowhere), node_of, "the part part 211: the pose is not finite");
  faults_are_named(with([=](AssemblyPart& part) { nowhere(part), part.name.clear(); }), node_of,
                   "part 211: the pose is not finite");
  faults_are_named(with([](AssemblyPart& part) {
                     part = {.name = {}, .mesh = 1, .pose = {{}, {1, 1, 0, 0}}};
                   }),
                   node_of, "part 211: the rotation's quaternion");
  faults_are_named(with([](AssemblyPart& part) { part = {.name = {}, .mesh = 9}; }), node_of,
                   "part 211: it has mesh 9 of 7");
}

/// `keeper_of_2`: of the first mesh that is wrong; rank 0 keeps the others.
void wrong_meshes_are_named(const mpi::PartSource& usual, const mpi::NodeOf& node_of, int keeper_of_2) {
  mpi::PartSource source = usual;
  source.keeper = [=](std::uint32_t mesh) { return mesh == 2 ? keeper_of_2 : 0; };
  source.mesh = [](std::uint32_t number) {
    Mesh mesh = mesh_of(number);
    if (number == 2 || number == 5) mesh.triangles[3].b = 4000;
    return mesh;
  };
  faults_are_named(source, node_of, "mesh 2: triangle 3 names vertex 4000");
  source.mesh_name = [](std::uint32_t number) { return "blob " + std::to_string(number); };
  faults_are_named(source, node_of, "the mesh blob 2: triangle 3 names vertex 4000");
}

/// Parts of which some triangles, or all, cannot be used.
void damaged_parts_are_named(const mpi::PartSource& usual, bool is_rank_0) {
  mpi::PartSource source = usual;
  source.part_count = 24;
  source.mesh = [](std::uint32_t number) {
    Mesh mesh = mesh_of(number);
    const std::size_t lost = number == 2 ? 1 : number == 4 ? mesh.positions.size() : 0;
    for (std::size_t i = 0; i < lost; ++i) mesh.positions[i].x = std::nanf("");
    return mesh;
  };
  const ClashOptions options{.resolution = 16, .way_out = WayOut::none};
  const mpi::GatheredClashes many = mpi::find_clashes(source, options);
  if (!is_rank_0) return;
  const Assembly assembly = assembly_of(source);
  const ClashReport one = find_clashes(assembly, options);
  const auto same_names = [&](const std::vector<std::uint32_t>& here, const std::vector<std::uint32_t>& there) {
    return std::equal(here.begin(), here.end(), there.begin(), there.end(), [&](std::uint32_t x, std::uint32_t y) {
      return many.assembly.parts[x].name == assembly.parts[y].name;
    });
  };
  expect(one.damaged_parts.size() == 4 && same_names(many.report.damaged_parts, one.damaged_parts),
         "parts of which some triangles were left out");
  expect(one.unusable_parts.size() == 3 && same_names(many.report.unusable_parts, one.unusable_parts),
         "parts without a usable triangle");
}

/// An error of one process is thrown on all of them: wherever it happens, and whatever is thrown.
template <class Thrown>
void is_told_to_all(const mpi::PartSource& source, const mpi::NodeOf& node_of, bool fails, const Thrown& thrown,
                    const std::string& expected) {
  const auto check = [&](const char* what, const mpi::PartSource& of, const ClashOptions& options) {
    const std::string message = message_of(node_of, of, options);
    expect(message == expected, std::string(what) + " fails, and all are told: " + message);
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
  const mpi::PartSource source = whole_source();
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
    wrong_parts_are_named(source, of_nodes(nodes));
    wrong_meshes_are_named(source, of_nodes(nodes), session.size() - 1);
  }
  if (session.size() > 1) compare_on_nodes(kept, options, 2, session.rank() == 0);
  damaged_parts_are_named(source, session.rank() == 0);
  if (session.rank() == 0 && failures == 0) std::puts("passed");
  return failures == 0 ? 0 : 1;
}
