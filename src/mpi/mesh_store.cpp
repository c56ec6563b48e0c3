#include "mpi/mesh_store.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

namespace lamella::mpi {
namespace {

/// A mesh in memory: this, its positions, its triangles.
struct Head {
  std::uint64_t vertices = 0, triangles = 0;
  Vec3d origin{};
};

std::uint64_t size_of(const Mesh& mesh) {
  return sizeof(Head) + mesh.positions.size() * sizeof(Vec3) + mesh.triangles.size() * sizeof(Triangle);
}

template <class T>
char* write(char* to, std::span<const T> values) {
  if (!values.empty()) std::memcpy(to, values.data(), values.size_bytes());
  return to + values.size_bytes();
}

void write(char* to, const Mesh& mesh) {
  const Head head{mesh.positions.size(), mesh.triangles.size(), mesh.origin};
  to = write(to, std::span(&head, 1));
  to = write(to, std::span<const Vec3>(mesh.positions));
  write(to, std::span<const Triangle>(mesh.triangles));
}

/// Sizes are multiples of 4 and the head's of 8, so that all of it is aligned if the mesh before it ends at a multiple
/// of 8.
constexpr std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

Head head_at(const char* memory) {
  Head head;
  std::memcpy(&head, memory, sizeof head);
  return head;
}

MeshView view_at(const char* memory) {
  const Head head = head_at(memory);
  const char* positions = memory + sizeof(Head);
  const char* triangles = positions + head.vertices * sizeof(Vec3);
  return {.positions = {reinterpret_cast<const Vec3*>(positions), head.vertices},
          .triangles = {reinterpret_cast<const Triangle*>(triangles), head.triangles},
          .origin = head.origin};
}

std::uint32_t first_of(std::size_t process, std::uint32_t mesh_count, std::size_t processes) {
  return static_cast<std::uint32_t>(std::uint64_t{mesh_count} * process / processes);
}

}  // namespace

MeshStore::MeshStore(const Processes& all, std::uint32_t mesh_count, const std::function<int(std::uint32_t)>& keeper)
    : all_(all), starts_(static_cast<std::size_t>(all.size()) + 1) {
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

MeshStore::~MeshStore() {
  if (window_ == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

void MeshStore::load(std::span<const std::uint32_t> needed, const std::function<Mesh(std::uint32_t)>& load) {
  for (const std::uint32_t mesh : needed) {
    loaded_.push_back(load(mesh));
    loaded_places_.push_back(place(mesh));
  }
}

void MeshStore::keep() {
  const auto rank = static_cast<std::size_t>(all_.rank());
  const std::uint32_t first = starts_[rank], end = starts_[rank + 1];
  std::vector<std::uint64_t> mine(end - first);
  std::uint64_t size = 0;
  std::size_t next = 0;
  for (std::uint32_t place = first; place < end; ++place) {
    if (next < loaded_places_.size() && loaded_places_[next] == place) size += aligned(size_of(loaded_[next++]));
    mine[place - first] = size;
  }
  char* memory = nullptr;
  MPI_Win_allocate(static_cast<MPI_Aint>(size), 1, MPI_INFO_NULL, all_.comm(), &memory, &window_);
  memory_ = memory;
  for (std::size_t i = 0; i < loaded_.size(); ++i) {
    const std::uint32_t place = loaded_places_[i] - first;
    write(memory + (place == 0 ? 0 : mine[place - 1]), loaded_[i]);
    loaded_[i] = {};  // so that meshes are not here twice
  }
  loaded_.clear();
  MPI_Win_fence(0, window_);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  ends_ = all_.all_of(mine);
}

MeshView MeshStore::view(std::uint32_t mesh) const { return view_at(memory_ + begin_of(place(mesh), all_.rank())); }

std::vector<Mesh> MeshStore::get(std::span<const std::uint32_t> meshes) const {
  struct Copy {
    int keeper = 0;
    std::uint64_t begin = 0;
    std::vector<std::uint64_t> bytes;  // of 8, as they are aligned
  };
  std::vector<Copy> copies;
  for (const std::uint32_t mesh : meshes) {
    Copy& copy = copies.emplace_back();
    const std::uint32_t at_place = place(mesh);
    copy.keeper = keeper_at(at_place);
    copy.begin = begin_of(at_place, copy.keeper);
    copy.bytes.resize((ends_[at_place] - copy.begin) / 8);
    constexpr std::uint64_t kPiece = std::uint64_t{1} << 27;  // words: counts of MPI are ints
    for (std::uint64_t at = 0; at < copy.bytes.size(); at += kPiece) {
      const int words = static_cast<int>(std::min<std::uint64_t>(kPiece, copy.bytes.size() - at));
      MPI_Get(copy.bytes.data() + at, words, MPI_UINT64_T, copy.keeper, static_cast<MPI_Aint>(copy.begin + at * 8),
              words, MPI_UINT64_T, window_);
    }
  }
  MPI_Win_flush_all(window_);
  std::vector<Mesh> out;
  for (const Copy& copy : copies) {
    const MeshView view = view_at(reinterpret_cast<const char*>(copy.bytes.data()));
    out.push_back(
        {{view.positions.begin(), view.positions.end()}, {view.triangles.begin(), view.triangles.end()}, view.origin});
  }
  return out;
}

}  // namespace lamella::mpi
