#include "mpi/node_meshes.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include "lamella/error.hpp"

namespace lamella::mpi {
namespace {

/// A mesh in the memory of one process of the node.
struct Place {
  std::uint32_t mesh = 0;
  std::uint64_t vertices = 0, triangles = 0, offset = 0;
  Vec3d origin{};
};

constexpr std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

/// What every process of the node has, one after the other; on each of them.
template <Plain T>
std::vector<std::vector<T>> share(const Processes& node, std::span<const T> mine) {
  Bytes bytes;
  put_all(bytes, mine);
  const std::vector<Bytes> received = node.exchange(std::vector<Bytes>(static_cast<std::size_t>(node.size()), bytes));
  std::vector<std::vector<T>> all(received.size());
  for (std::size_t i = 0; i < all.size(); ++i) Taker(received[i]).take_all(all[i]);
  return all;
}

std::vector<std::uint32_t> wanted_by_all(const Processes& node, std::span<const std::uint32_t> mine) {
  std::vector<std::uint32_t> wanted;
  for (const auto& some : share(node, mine)) wanted.insert(wanted.end(), some.begin(), some.end());
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

/// Throws the message of the first process that has one, on all.
void throw_together(const Processes& node, const std::string& failure) {
  for (const auto& text : share(node, std::span<const char>(failure)))
    if (!text.empty()) throw Error(std::string(text.begin(), text.end()));
}

}  // namespace

NodeMeshes::NodeMeshes(const Node& on, std::span<const std::uint32_t> needed,
                       const std::function<Mesh(std::uint32_t)>& load) {
  const Processes node = on.processes();
  const std::vector<std::uint32_t> wanted = wanted_by_all(node, needed);
  std::vector<Mesh> mine;
  std::vector<Place> places;
  std::uint64_t size = 0;
  std::string failure;
  try {
    for (std::size_t i = static_cast<std::size_t>(node.rank()); i < wanted.size();
         i += static_cast<std::size_t>(node.size())) {
      mine.push_back(load(wanted[i]));
      const Mesh& mesh = mine.back();
      places.push_back({wanted[i], mesh.positions.size(), mesh.triangles.size(), size, mesh.origin});
      size += aligned(mesh.positions.size() * sizeof(Vec3)) + aligned(mesh.triangles.size() * sizeof(Triangle));
    }
  } catch (const std::exception& e) {
    failure = e.what();
  }
  throw_together(node, failure);

  char* memory = nullptr;
  MPI_Win_allocate_shared(static_cast<MPI_Aint>(size), 1, MPI_INFO_NULL, node.comm(), &memory, &window_);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    char* at = memory + places[i].offset;
    std::copy(mine[i].positions.begin(), mine[i].positions.end(), reinterpret_cast<Vec3*>(at));
    at += aligned(mine[i].positions.size() * sizeof(Vec3));
    std::copy(mine[i].triangles.begin(), mine[i].triangles.end(), reinterpret_cast<Triangle*>(at));
  }
  MPI_Win_fence(0, window_);
  const auto all = share(node, std::span<const Place>(places));
  for (std::size_t owner = 0; owner < all.size(); ++owner) {
    MPI_Aint bytes = 0;
    int unit = 0;
    const char* base = nullptr;
    MPI_Win_shared_query(window_, static_cast<int>(owner), &bytes, &unit, &base);
    for (const Place& p : all[owner]) {
      const char* triangles = base + p.offset + aligned(p.vertices * sizeof(Vec3));
      views_[p.mesh] = {.positions = {reinterpret_cast<const Vec3*>(base + p.offset), p.vertices},
                        .triangles = {reinterpret_cast<const Triangle*>(triangles), p.triangles},
                        .origin = p.origin};
    }
  }
}

NodeMeshes::~NodeMeshes() {
  if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
}

}  // namespace lamella::mpi
