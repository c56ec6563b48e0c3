// Run by mpirun: all processes of several nodes take meshes and let them go, in no order, with room for all of them and
// with too little. What they get is always the right mesh, and a mesh comes once to each node that has room for it.

#include <algorithm>
#include <cstdio>
#include <deque>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include "mpi/mesh_store.hpp"
#include "mpi/processes.hpp"
#include "scenes/models.hpp"

namespace {

using namespace lamella;

constexpr std::uint32_t kMeshes = 60;

int failures = 0;
void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
  ++failures;
}

/// From 100 to 1,280 faces; far from the origin, so that its origin travels, too. Every third has doubles, which floats
/// do not hold.
Mesh mesh_of(std::uint32_t number) {
  Mesh mesh = scenes::blob(100 + 20 * number, number + 1);
  mesh.origin = {double(number), 0, 1e6};
  if (number % 3 != 0) return mesh;
  for (const Vec3& p : mesh.positions) mesh.wide.push_back(to_double(p) * (1 + 1e-10));
  return mesh;
}

bool same(const MeshView& view, const Mesh& mesh) {
  const auto equal = [](const auto& x, const auto& y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
  const MeshView expected = exact_view(mesh);
  return equal(view.positions, expected.positions) && equal(view.wide, expected.wide) &&
         equal(view.triangles, expected.triangles) && view.origin == expected.origin;
}

struct Held {
  std::vector<std::uint32_t> numbers;
  HeldMeshes meshes;
};

/// Takes some meshes, and has the last three takings at a time.
void take_meshes(mpi::MeshStore& store, const std::vector<Mesh>& meshes, unsigned seed,
                 std::set<std::uint32_t>& taken) {
  std::mt19937 random(seed);
  std::deque<Held> held;
  const auto check = [&] {
    const Held& first = held.front();
    for (std::size_t i = 0; i < first.numbers.size(); ++i)
      expect(same(first.meshes.views[i], meshes[first.numbers[i]]), "a mesh is itself until it is let go");
    held.pop_front();
  };
  for (int round = 0; round < 200; ++round) {
    Held some;
    for (unsigned i = 0; i <= random() % 6; ++i) some.numbers.push_back(static_cast<std::uint32_t>(random() % kMeshes));
    taken.insert(some.numbers.begin(), some.numbers.end());
    some.meshes = store.hold(some.numbers);
    held.push_back(std::move(some));
    if (held.size() > 3) check();
  }
  while (!held.empty()) check();
}

/// How many meshes the node of this process took from others.
std::uint64_t missing(const mpi::MeshStore& store, const mpi::Processes& node, const mpi::Processes& all,
                      const std::set<std::uint32_t>& taken) {
  const std::vector<int> on_node = node.ranks_here(all);
  std::vector<std::uint64_t> by_mesh(kMeshes);
  for (const std::uint32_t mesh : taken) by_mesh[mesh] = on_node[static_cast<std::size_t>(store.keeper(mesh))] < 0;
  node.sum(by_mesh);
  return kMeshes - static_cast<std::uint64_t>(std::count(by_mesh.begin(), by_mesh.end(), 0u));
}

/// As ShareOptions::mesh_memory. `more`: twice as much is 0 in 64 bits.
enum class Room : std::uint64_t { all = 0, more = std::uint64_t{1} << 63, some = 70'000, none = 1 };

void share(const mpi::Processes& all, int nodes, Room room, const std::vector<Mesh>& meshes) {
  const mpi::Node node_here(all, [&](int rank) { return rank % nodes; });
  const mpi::Processes node = node_here.processes();
  mpi::MeshStore store(all, node, kMeshes);
  std::vector<std::uint32_t> own;
  for (std::uint32_t i = 0; i < kMeshes; ++i)
    if (store.keeper(i) == all.rank()) own.push_back(i);
  store.load(own, mesh_of);
  store.keep(static_cast<std::uint64_t>(room));
  std::set<std::uint32_t> taken;
  store.share_during([&] { take_meshes(store, meshes, static_cast<unsigned>(all.rank()), taken); });
  const mpi::MeshTravels t = store.travels();
  const std::uint64_t once =
      node.rank() == 0 ? missing(store, node, all, taken) : (missing(store, node, all, taken), 0);
  std::vector<std::uint64_t> sums{t.in_place, t.fetched, t.shared, t.dropped, t.unshared, once};
  all.sum(sums);
  expect(sums[0] > 0, "meshes of the node are used in place");
  if (nodes == 1) expect(sums[1] == 0, "nothing travels on one node");
  if (nodes == 1) return;
  expect(sums[5] > 0 && sums[2] + sums[1] > 0, "meshes of other nodes are taken");
  if (room == Room::all || room == Room::more)
    expect(sums[1] == sums[5] && sums[3] + sums[4] == 0, "each mesh comes once to a node");
  if (room == Room::some) expect(sums[3] > 0 && sums[2] > 0, "meshes make room, and are used again");
  if (room == Room::none) expect(sums[4] == sums[1] && sums[2] == 0, "nothing is shared without room");
}

/// A process that fails throws when the others are done, who get what they ask it for.
void fails(const mpi::Processes& all, const std::vector<Mesh>& meshes) {
  const mpi::Node node_here(all, [](int rank) { return rank % 2; });
  const mpi::Processes node = node_here.processes();
  mpi::MeshStore store(all, node, kMeshes);
  std::vector<std::uint32_t> own;
  for (std::uint32_t i = 0; i < kMeshes; ++i)
    if (store.keeper(i) == all.rank()) own.push_back(i);
  store.load(own, mesh_of);
  store.keep(0);
  std::set<std::uint32_t> taken;
  bool thrown = false;
  try {
    store.share_during([&] {
      if (all.rank() == 0) throw std::runtime_error("no");
      take_meshes(store, meshes, 7, taken);
    });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  expect(thrown == (all.rank() == 0), "who fails throws, and the others go on");
}

}  // namespace

int main(int argc, char** argv) {
  mpi::Session session(argc, argv);
  {
    const mpi::Job job;
    const mpi::Processes all = job.processes();
    std::vector<Mesh> meshes;
    for (std::uint32_t i = 0; i < kMeshes; ++i) meshes.push_back(mesh_of(i));
    expect(exact_view(meshes[0]).wide.size() == meshes[0].positions.size() && exact_view(meshes[1]).wide.empty(),
           "some meshes have doubles");
    for (int nodes = 1; nodes <= all.size(); ++nodes)
      for (const Room room : {Room::all, Room::more, Room::some, Room::none}) share(all, nodes, room, meshes);
    fails(all, meshes);
  }
  if (session.rank() == 0 && failures == 0) std::puts("passed");
  return failures == 0 ? 0 : 1;
}
