#include "mpi/mesh_store.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "mpi/mesh_bytes.hpp"

namespace lamella::mpi {
namespace {

/// The least for meshes of other nodes, for each process.
constexpr std::uint64_t kLeastRemote = std::uint64_t{32} << 20;

/// Meshes that are held at a time to be copied: one message asks a process for all of them, but all need room.
constexpr std::size_t kCopied = 64;

std::uint32_t first_of(std::size_t process, std::uint32_t mesh_count, std::size_t processes) {
  return static_cast<std::uint32_t>(std::uint64_t{mesh_count} * process / processes);
}

}  // namespace

MeshStore::MeshStore(const Processes& all, const Processes& node, std::uint32_t mesh_count,
                     const std::function<int(std::uint32_t)>& keeper)
    : all_(all), node_(node), starts_(static_cast<std::size_t>(all.size()) + 1) {
  const std::size_t processes = starts_.size() - 1;
  if (!keeper) {
    for (std::size_t i = 0; i <= processes; ++i) starts_[i] = first_of(i, mesh_count, processes);
    return;
  }
  places_.resize(mesh_count);
  for (std::uint32_t mesh = 0; mesh < mesh_count; ++mesh) {
    const int by = keeper(mesh);
    if (by < 0 || by >= all.size())
      throw FailedTogether("mesh " + std::to_string(mesh) + ": its keeper is no process of the job");
    ++starts_[static_cast<std::size_t>(by) + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  for (std::uint32_t mesh = 0; mesh < mesh_count; ++mesh)
    places_[mesh] = next[static_cast<std::size_t>(keeper(mesh))]++;
}

int MeshStore::keeper_at(std::uint32_t place) const {
  return static_cast<int>(std::upper_bound(starts_.begin(), starts_.end(), place) - starts_.begin()) - 1;
}

std::uint64_t MeshStore::begin_of(std::uint32_t place, int keeper) const {
  return place == starts_[static_cast<std::size_t>(keeper)] ? 0 : ends_[place - 1];
}

void MeshStore::load(std::span<const std::uint32_t> needed, const std::function<Mesh(std::uint32_t)>& load) {
  for (const std::uint32_t mesh : needed) {
    loaded_.push_back(load(mesh));
    loaded_places_.push_back(place(mesh));
  }
}

void MeshStore::keep(std::uint64_t remote_bytes) {
  const auto rank = static_cast<std::size_t>(all_.rank());
  const std::uint32_t first = starts_[rank], end = starts_[rank + 1];
  std::vector<std::uint64_t> mine(end - first);
  std::uint64_t size = 0;
  std::size_t next = 0;
  for (std::uint32_t place = first; place < end; ++place) {
    if (next < loaded_places_.size() && loaded_places_[next] == place) size += bytes_of(loaded_[next++]);
    mine[place - first] = size;
  }
  memory_.emplace(node_, size);
  for (std::size_t i = 0; i < loaded_.size(); ++i) {
    const std::uint32_t place = loaded_places_[i] - first;
    write_mesh(memory_->mine() + (place == 0 ? 0 : mine[place - 1]), loaded_[i]);
    loaded_[i] = {};  // so that meshes are not here twice
  }
  loaded_.clear();
  memory_->publish();
  ends_ = all_.all_of(mine);
  const std::vector<int> on_node = node_.ranks_here(all_);
  for (const int number : on_node) pieces_.push_back(number < 0 ? nullptr : memory_->piece(number));
  if (all_.all(node_.size() == all_.size())) return;
  int threads = MPI_THREAD_SINGLE;
  MPI_Query_thread(&threads);
  if (!all_.all(threads >= MPI_THREAD_FUNNELED))
    throw FailedTogether(
        "several machines need an MPI with threads: start it by a Session, or with MPI_THREAD_FUNNELED");
  remote_.emplace(all_, node_, static_cast<std::uint32_t>(ends_.size()), remote_room(remote_bytes));
}

/// The same on all processes of the node. Not more than all meshes of other nodes need.
std::uint64_t MeshStore::remote_room(std::uint64_t asked) const {
  std::uint64_t here = 0, elsewhere = 0;
  int keeper = 0;
  for (std::uint32_t place = 0; place < ends_.size(); ++place) {
    while (place >= starts_[static_cast<std::size_t>(keeper) + 1]) ++keeper;
    const std::uint64_t bytes = ends_[place] - begin_of(place, keeper);
    if (pieces_[static_cast<std::size_t>(keeper)] != nullptr)
      here += bytes;
    else if (bytes != 0)
      elsewhere += MeshCache::room_for(bytes);
  }
  const auto processes = static_cast<std::uint64_t>(node_.size());
  const std::uint64_t each = std::min(asked, elsewhere);  // the product of any size could overflow
  return std::min(elsewhere, asked != 0 ? each * processes : std::max(here, kLeastRemote * processes));
}

MeshView MeshStore::view(std::uint32_t mesh) const {
  return mesh_at(memory_->mine() + begin_of(place(mesh), all_.rank()));
}

void MeshStore::share_during(const std::function<void()>& work) {
  remote_ ? remote_->run(memory_->mine(), work) : work();
}

HeldMeshes MeshStore::hold(std::span<const std::uint32_t> meshes) {
  HeldMeshes out;
  std::vector<RemoteMeshes::Wanted> wanted;
  std::vector<std::size_t> wanted_by;
  for (const std::uint32_t mesh : meshes) {
    const std::uint32_t at = place(mesh);
    const int by = keeper_at(at);
    const std::uint64_t begin = begin_of(at, by);
    MeshView& view = out.views.emplace_back();
    if (const char* piece = pieces_[static_cast<std::size_t>(by)]) {
      view = mesh_at(piece + begin);
      ++in_place_;
    } else {
      wanted.push_back({at, by, begin, ends_[at] - begin});
      wanted_by.push_back(out.views.size() - 1);
    }
  }
  if (wanted.empty()) return out;
  RemoteMeshes::Borrowed borrowed = remote_->borrow(wanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) out.views[wanted_by[i]] = mesh_at(borrowed.meshes[i]);
  out.owner = std::move(borrowed.held);
  return out;
}

std::vector<Mesh> MeshStore::copies_of(std::span<const std::uint32_t> meshes) {
  std::vector<Mesh> copies;
  for (std::size_t at = 0; at < meshes.size(); at += kCopied) {
    const HeldMeshes held = hold(meshes.subspan(at, std::min(kCopied, meshes.size() - at)));
    for (const MeshView& view : held.views) copies.push_back(copy_of(view));
  }
  return copies;
}

MeshTravels MeshStore::travels() const {
  MeshTravels travels = remote_ ? remote_->travels() : MeshTravels{};
  travels.in_place = in_place_;
  return travels;
}

}  // namespace lamella::mpi
