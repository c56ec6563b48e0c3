#pragma once

#include "core/rows.hpp"
#include "engines/cuda/platform.hpp"

namespace lamella::cuda {

/// Passes one lane's row to all lanes of the warp.
__device__ inline RowSpan span_of_lane(const RowSpan& mine, int lane) {
  return {__shfl_sync(kAllLanes, mine.first_column, lane), __shfl_sync(kAllLanes, mine.count, lane),
          __shfl_sync(kAllLanes, mine.b1, lane),           __shfl_sync(kAllLanes, mine.b2, lane),
          __shfl_sync(kAllLanes, mine.b1_step, lane),      __shfl_sync(kAllLanes, mine.b2_step, lane)};
}

}  // namespace lamella::cuda
