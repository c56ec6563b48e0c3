#include "mpi/node_reader.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "mpi/mesh_bytes.hpp"
#include "mpi/mesh_service.hpp"

namespace lamella::mpi {
namespace {

/// Meshes that can be in the cache at a time, each in the place that its name says.
constexpr std::uint32_t kSlots = 1u << 14;
constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
constexpr MemoryUse kUse{.meshes = "the meshes of a sweep",
                         .remedy = "give them less (mesh_memory, on the command line --mesh-memory), or "};

/// The same on every process: std::hash need not be.
std::uint32_t slot_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return static_cast<std::uint32_t>((hash ^ hash >> 32) % kSlots);
}

/// Half of what is free, for MPI ends the job where there is less than it is asked for. Where MPI keeps shared memory
/// elsewhere, a machine has a folder of this name as well, or nothing is shared.
std::uint64_t free_for_cache() {
  std::error_code failure;
  const std::filesystem::space_info space = std::filesystem::space("/dev/shm", failure);
  return failure ? 0 : space.available / 2;
}

std::uint64_t cache_bytes(const Processes& node, std::uint64_t mesh_memory) {
  const std::uint64_t mine = std::min({mesh_memory, kMost, free_for_cache()});
  std::uint64_t least = 0;
  MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, node.comm());
  return least;
}

// A mesh in the cache: how long its name is, the name, then from the next line on the mesh.

std::uint64_t bytes_before_mesh(std::string_view name) { return in_lines(sizeof(std::uint64_t) + name.size()); }

void write_named(char* to, std::string_view name, const Mesh& mesh) {
  const std::uint64_t length = name.size();
  std::memcpy(to, &length, sizeof length);
  std::memcpy(to + sizeof length, name.data(), name.size());
  write_mesh(to + bytes_before_mesh(name), mesh);
}

bool is_named(const char* memory, std::string_view name) {
  std::uint64_t length = 0;
  std::memcpy(&length, memory, sizeof length);
  return std::string_view(memory + sizeof length, length) == name;
}

}  // namespace

NodeReader::NodeReader(const Processes& node, MeshLoader load, std::uint64_t mesh_memory) : load_(std::move(load)) {
  if (node.size() == 1) return;
  const std::uint64_t bytes = cache_bytes(node, mesh_memory);
  if (bytes != 0) cache_.emplace(node, kSlots, bytes, kUse);
}

Mesh NodeReader::read(const std::string& name) {
  if (!cache_) return load_(name);
  const std::uint32_t slot = slot_of(name);
  for (Pause pause;; pause.wait()) {
    const MeshCache::Claim claim = cache_->hold_or_claim(slot);
    if (claim.state == MeshCache::coming) continue;
    if (claim.state == MeshCache::absent) return read_for_all(name, slot);
    if (claim.memory == nullptr) return load_(name);
    std::optional<Mesh> mesh;
    try {
      if (is_named(claim.memory, name)) mesh = copy_of(mesh_at(claim.memory + bytes_before_mesh(name)));
    } catch (...) {
      cache_->release(slot);
      throw;
    }
    cache_->release(slot);
    return mesh ? std::move(*mesh) : load_(name);  // another mesh has that slot
  }
}

Mesh NodeReader::read_for_all(const std::string& name, std::uint32_t slot) {
  try {
    Mesh mesh = load_(name);
    char* memory = cache_->put(slot, bytes_before_mesh(name) + bytes_of(mesh));
    if (memory == nullptr) return mesh;
    write_named(memory, name, mesh);
    cache_->publish(slot);
    return mesh;
  } catch (...) {
    cache_->give_up(slot);
    throw;
  }
}

}  // namespace lamella::mpi
