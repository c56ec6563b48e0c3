#include "mpi/mesh_store.hpp"

#include <algorithm>
#include <cstring>

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

std::uint32_t first_of(int process, std::uint32_t mesh_count, int processes) {
  return static_cast<std::uint32_t>(std::uint64_t{mesh_count} * static_cast<std::uint64_t>(process) /
                                    static_cast<std::uint64_t>(processes));
}

}  // namespace

int MeshStore::keeper(std::uint32_t mesh, std::uint32_t mesh_count, int processes) {
  auto process = static_cast<int>(std::uint64_t{mesh} * static_cast<std::uint64_t>(processes) / mesh_count);
  while (process + 1 < processes && first_of(process + 1, mesh_count, processes) <= mesh) ++process;
  return process;
}

MeshStore::MeshStore(const Processes& all, std::uint32_t mesh_count) : all_(all), mesh_count_(mesh_count) {}

MeshStore::~MeshStore() {
  if (window_ == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

void MeshStore::load(std::span<const std::uint32_t> needed, const std::function<Mesh(std::uint32_t)>& load) {
  for (const std::uint32_t mesh : needed) {
    loaded_.push_back(load(mesh));
    numbers_.push_back(mesh);
  }
}

void MeshStore::keep() {
  const std::uint32_t first = first_of(all_.rank(), mesh_count_, all_.size());
  const std::uint32_t end = first_of(all_.rank() + 1, mesh_count_, all_.size());
  std::vector<std::uint64_t> mine(end - first);
  std::uint64_t size = 0;
  std::size_t next = 0;
  for (std::uint32_t mesh = first; mesh < end; ++mesh) {
    if (next < numbers_.size() && numbers_[next] == mesh) size += aligned(size_of(loaded_[next++]));
    mine[mesh - first] = size;
  }
  char* memory = nullptr;
  MPI_Win_allocate(static_cast<MPI_Aint>(size), 1, MPI_INFO_NULL, all_.comm(), &memory, &window_);
  memory_ = memory;
  for (std::size_t i = 0; i < loaded_.size(); ++i) {
    const std::uint32_t place = numbers_[i] - first;
    write(memory + (place == 0 ? 0 : mine[place - 1]), loaded_[i]);
    loaded_[i] = {};  // so that meshes are not here twice
  }
  loaded_.clear();
  MPI_Win_fence(0, window_);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  ends_ = all_.all_of(mine);
}

MeshView MeshStore::view(std::uint32_t mesh) const {
  const bool at_start = mesh == first_of(all_.rank(), mesh_count_, all_.size());
  return view_at(memory_ + (at_start ? 0 : ends_[mesh - 1]));
}

std::vector<Mesh> MeshStore::get(std::span<const std::uint32_t> meshes) const {
  struct Copy {
    int keeper = 0;
    std::uint64_t begin = 0;
    std::vector<std::uint64_t> bytes;  // of 8, as they are aligned
  };
  std::vector<Copy> copies;
  for (const std::uint32_t mesh : meshes) {
    Copy& copy = copies.emplace_back();
    copy.keeper = keeper(mesh, mesh_count_, all_.size());
    if (mesh != first_of(copy.keeper, mesh_count_, all_.size())) copy.begin = ends_[mesh - 1];
    copy.bytes.resize((ends_[mesh] - copy.begin) / 8);
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
