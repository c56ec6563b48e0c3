#pragma once

#include "lamella/mpi.hpp"
#include "mpi/processes.hpp"

namespace lamella::mpi {

/// find_clashes(), where `node_of` says which processes are one node: so tests have several on one machine.
[[nodiscard]] GatheredClashes find_clashes_on(const NodeOf& node_of, const PartSource& source,
                                              const ClashOptions& options, const ShareOptions& share);

}  // namespace lamella::mpi
