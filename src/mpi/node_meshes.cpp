#include "mpi/node_meshes.hpp"

#include <algorithm>

#include "mpi/mesh_bytes.hpp"

namespace lamella::mpi {
namespace {

/// Where a mesh is in the piece of the process that read it.
struct Place {
  std::uint32_t mesh = 0;
  std::uint64_t offset = 0;
};

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

}  // namespace

NodeMeshes::NodeMeshes(const Node& on, std::span<const std::uint32_t> needed,
                       const std::function<Mesh(std::uint32_t)>& load) {
  const Processes node = on.processes();
  const std::vector<std::uint32_t> wanted = wanted_by_all(node, needed);
  std::vector<Mesh> mine;
  std::vector<Place> places;
  std::uint64_t size = 0;
  together(node, [&] {
    for (std::size_t i = static_cast<std::size_t>(node.rank()); i < wanted.size();
         i += static_cast<std::size_t>(node.size())) {
      mine.push_back(load(wanted[i]));
      places.push_back({wanted[i], size});
      size += bytes_of(mine.back());
    }
  });

  memory_.emplace(node, size);
  // An exception would free the shared memory. That is collective, while the others wait in another call: nobody would
  // ever go on.
  or_end_job([&] {
    for (std::size_t i = 0; i < mine.size(); ++i) {
      write_mesh(memory_->mine() + places[i].offset, mine[i]);
      mine[i] = {};  // so that meshes are not here twice
    }
    memory_->publish();
    const auto all = share(node, std::span<const Place>(places));
    for (std::size_t owner = 0; owner < all.size(); ++owner) {
      const char* piece = memory_->piece(static_cast<int>(owner));
      for (const Place& p : all[owner]) views_[p.mesh] = mesh_at(piece + p.offset);
    }
  });
}

}  // namespace lamella::mpi
