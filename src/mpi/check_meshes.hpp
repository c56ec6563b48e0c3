#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "mpi/mesh_store.hpp"
#include "mpi/processes.hpp"

namespace lamella::mpi {

/// Collective, after MeshStore::keep(). Where meshes have indices out of range, all processes throw Error for the first
/// of them, with the message that one process would give. `mine`: the meshes of this process, ascending. `name_of`:
/// asked on rank 0; may be empty.
void check_meshes(const Processes& all, const MeshStore& meshes, std::span<const std::uint32_t> mine,
                  const std::function<std::string(std::uint32_t mesh)>& name_of);

}  // namespace lamella::mpi
