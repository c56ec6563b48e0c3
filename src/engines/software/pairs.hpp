#pragma once

#include <memory>

#include "engines/pair_finder.hpp"

namespace lamella {

/// Finds pairs on the CPU, all of a group's objects in one layered depth image. One thread starts no other.
std::unique_ptr<PairFinder> make_software_pairs(unsigned threads, std::uint64_t max_crossings);

}  // namespace lamella
