#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "mpi/processes.hpp"
#include "mpi/records.hpp"

namespace lamella::mpi {

using PartsByNumber = std::map<std::uint32_t, AssemblyPart>;  ///< by their numbers in the source

[[nodiscard]] std::vector<NumberedPart> take_parts(std::vector<Bytes> received);

/// Rank 0 gets all pairs, ascending, and the parts that they name, by their numbers in the source. `parts`: those that
/// the pairs of `mine` name. Collective, as gather_parts().
void gather_pairs(const Processes& all, const ClashReport& mine, std::span<const NumberedPart> parts,
                  PartsByNumber& known, std::vector<ClashPair>& pairs);
/// Likewise of parts of which something, or all, is tested against nothing.
void gather_parts(const Processes& all, std::span<const NumberedPart> mine, PartsByNumber& known,
                  std::vector<std::uint32_t>& numbers);

}  // namespace lamella::mpi
