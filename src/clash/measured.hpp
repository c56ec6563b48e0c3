#pragma once

// What a view of a pair measured, as the pair's own answer.

#include "clash/regions.hpp"
#include "lamella/clash.hpp"
#include "lamella/result.hpp"

namespace lamella::clash {

void take_sums(const Overlap& from, ClashPair& to);

/// Volumes of regions are of a view that sampled `sampled`: they are made to add up to the pair's. A view may meet
/// nothing of a film; then it is one region, as the pair has it.
void take_regions(Regions regions, double sampled, ClashPair& pair);

}  // namespace lamella::clash
