#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "lamella/mpi.hpp"
#include "mpi/mesh_cache.hpp"
#include "mpi/mesh_service.hpp"

namespace lamella::mpi {

/// Meshes that other nodes keep: each comes once to this node, and stays there for all of its processes as long as
/// there is room.
class RemoteMeshes {
 public:
  /// Collective over the node. `bytes`: for all of its processes together.
  RemoteMeshes(const Processes& all, const Processes& node, std::uint32_t mesh_count, std::uint64_t bytes)
      : service_(all), cache_(node, mesh_count, bytes, kUse) {}

  /// A mesh, in the memory of its keeper.
  struct Wanted {
    std::uint32_t place = 0;
    int keeper = 0;
    std::uint64_t begin = 0, bytes = 0;
  };
  /// As mesh_at() reads them, in the same order; they stay as long as `held`.
  struct Borrowed {
    std::vector<const char*> meshes;
    std::shared_ptr<const void> held;
  };

  /// As MeshService::run().
  void run(const char* memory, const std::function<void()>& work) { service_.run(memory, work); }
  /// For `work`, from one thread. Waits until the meshes are there.
  [[nodiscard]] Borrowed borrow(std::span<const Wanted> wanted);

  /// Of this process.
  [[nodiscard]] MeshTravels travels() const;

 private:
  class Loan;

  static constexpr MemoryUse kUse{.meshes = "meshes of other machines",
                                  .remedy = "give them less (mesh_memory, on the command line --mesh-memory), or "};

  void count(std::span<const MeshService::Fetch> fetched);

  MeshService service_;
  MeshCache cache_;
  MeshTravels travels_;
};

}  // namespace lamella::mpi
