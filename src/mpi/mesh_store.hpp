#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lamella/clash.hpp"
#include "lamella/mpi.hpp"
#include "mpi/node_memory.hpp"
#include "mpi/processes.hpp"
#include "mpi/remote_meshes.hpp"

namespace lamella::mpi {

/// All meshes of a job. Each is read once, by the process that keeps it, in memory that its node shares: the processes
/// there use it in place. Another node fetches it once, as long as it has room for it (RemoteMeshes). So a process has
/// its share of the meshes, and 8 bytes for each of all meshes, or 12 with keepers of their own choice; where there
/// are several nodes, each has 16 bytes for each mesh beside that.
class MeshStore {
 public:
  /// `keeper`: which process keeps a mesh; empty: each a run of numbers, as long as the others'. Throws FailedTogether
  /// for a process that does not exist.
  MeshStore(const Processes& all, const Processes& node, std::uint32_t mesh_count,
            const std::function<int(std::uint32_t)>& keeper = {});
  MeshStore(const MeshStore&) = delete;
  MeshStore& operator=(const MeshStore&) = delete;

  [[nodiscard]] int keeper(std::uint32_t mesh) const { return keeper_at(place(mesh)); }

  /// Not collective: loads those meshes of this process that are needed, ascending; others must not be asked for.
  /// Throws what `load` throws.
  void load(std::span<const std::uint32_t> needed, const std::function<Mesh(std::uint32_t)>& load);
  /// Collective, once, after load(): puts the meshes where all processes can get them. `remote_bytes`: as
  /// ShareOptions::mesh_memory.
  void keep(std::uint64_t remote_bytes);

  /// Of this process, after keep().
  [[nodiscard]] MeshView view(std::uint32_t mesh) const;

  /// Collective, after keep(): does the work; it may take some meshes at a time, by hold(), from one thread. With
  /// several nodes it has a thread of its own, while this one sends meshes to others, until the work of all is done.
  /// Throws what `work` throws, then.
  void share_during(const std::function<void()>& work);
  /// In the same order.
  [[nodiscard]] HeldMeshes hold(std::span<const std::uint32_t> meshes);
  /// The same, to be kept: the meshes of other nodes are held some at a time.
  [[nodiscard]] std::vector<Mesh> copies_of(std::span<const std::uint32_t> meshes);

  /// Of this process.
  [[nodiscard]] MeshTravels travels() const;

 private:
  [[nodiscard]] std::uint32_t place(std::uint32_t mesh) const { return places_.empty() ? mesh : places_[mesh]; }
  [[nodiscard]] int keeper_at(std::uint32_t place) const;
  [[nodiscard]] std::uint64_t begin_of(std::uint32_t place, int keeper) const;
  [[nodiscard]] std::uint64_t remote_room(std::uint64_t asked) const;

  const Processes& all_;
  const Processes& node_;
  std::vector<std::uint32_t> starts_;  ///< by process: the first place that is its own; at the end, all places
  std::vector<std::uint32_t> places_;  ///< of meshes, so that those of a process are a run; empty: their numbers are
  std::vector<std::uint32_t> loaded_places_;
  std::vector<Mesh> loaded_;  ///< before keep()
  std::optional<NodeMemory> memory_;
  std::vector<const char*> pieces_;     ///< by process: its meshes; null for those of other nodes
  std::vector<std::uint64_t> ends_;     ///< by place: where the mesh ends in the memory of its keeper; it begins where
                                        ///< the one before it ends, or at 0
  std::optional<RemoteMeshes> remote_;  ///< if there are several nodes
  std::uint64_t in_place_ = 0;
};

}  // namespace lamella::mpi
