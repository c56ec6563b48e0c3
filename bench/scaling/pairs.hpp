#pragma once

#include "bench/commands.hpp"
#include "bench/table.hpp"

namespace lamella::bench {

/// Thousands of grasps of two meshes: a Detector that is asked for one pair after another, beside a Batch.
[[nodiscard]] Table pairs_table(const ScalingArgs& args);

}  // namespace lamella::bench
