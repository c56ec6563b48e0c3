#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "mpi/node_memory.hpp"

namespace lamella::mpi {

/// Meshes that are brought to a node, in memory that all of its processes share. It is filled from its beginning to its
/// end, and then from its beginning again: the meshes that came first make room, but for those that somebody uses.
///
/// Any thread may call this, of any process of the node.
class MeshCache {
 public:
  /// Whether a mesh is in its place; `coming`: somebody is fetching it; `alone`: it is larger than the cache.
  enum State : std::uint32_t { absent, coming, there, alone };

  /// Collective over the node; `bytes` are the same on all of its processes.
  MeshCache(const Processes& node, std::uint32_t mesh_count, std::uint64_t bytes, const MemoryUse& use);

  struct Found {
    char* memory = nullptr;                       ///< null: there is no room
    std::atomic<std::uint32_t>* state = nullptr;  ///< to be waited for until it is `there`
    bool fetch = false;  ///< it was absent: this process must fetch it, and then say that it is `there`
  };
  /// `bytes`: of the mesh. It stays, from now on, until release() is called as often as this.
  [[nodiscard]] Found acquire(std::uint32_t mesh, std::uint64_t bytes) noexcept;
  void release(std::uint32_t mesh) noexcept;

  // For meshes whose size is known when they are read.

  struct Claim {
    char* memory = nullptr;  ///< not null: the mesh is there, and stays until release() is called
    State state = absent;    ///< absent: this process must read it, and then call put() or give_up()
  };
  [[nodiscard]] Claim hold_or_claim(std::uint32_t mesh) noexcept;
  /// Memory for a mesh that was claimed, to be followed by publish(). Null: it has no room, and is `alone` from now on.
  [[nodiscard]] char* put(std::uint32_t mesh, std::uint64_t bytes) noexcept;
  void publish(std::uint32_t mesh) noexcept;
  /// The next who asks may try.
  void give_up(std::uint32_t mesh) noexcept;

  /// What a cache needs for a mesh of so many bytes.
  [[nodiscard]] static std::uint64_t room_for(std::uint64_t bytes);
  /// Meshes that this process removed, to make room.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  // In the shared memory.
  struct Control {
    std::atomic<std::uint32_t> locked{0};
    std::uint64_t next = 0;  ///< where the next mesh goes, if it has room there
  };
  struct Entry {  ///< of a mesh
    std::uint64_t memory = 0;
    std::uint32_t users = 0;
    std::atomic<std::uint32_t> state{absent};
  };
  struct Block {  ///< at the beginning of each piece of the memory, one after the other; `mesh`: kFree, or whose it is
    std::uint64_t bytes = 0;  ///< the block's own among them
    std::uint64_t mesh = 0;
  };
  static constexpr std::uint64_t kFree = UINT64_MAX;

  class Lock;

  [[nodiscard]] Block& block(std::uint64_t at) const;
  [[nodiscard]] bool in_use(const Block& block) const;
  [[nodiscard]] std::uint64_t make_room(std::uint64_t bytes) noexcept;
  void drop(std::uint64_t begin, std::uint64_t end) noexcept;

  static std::uint64_t control_bytes(std::uint32_t mesh_count);

  std::uint64_t bytes_;
  NodeMemory memory_;
  Control* control_ = nullptr;
  std::span<Entry> entries_;
  char* blocks_ = nullptr;
  std::uint64_t dropped_ = 0;
};

}  // namespace lamella::mpi
