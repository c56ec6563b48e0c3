#pragma once

#include "bench/row.hpp"

namespace lamella::bench {

/// TR 395 figure 12 as a whole: every frame deforms the figure of 10k faces, moves 20,000 particles under gravity,
/// finds those inside and pushes them out with a change of velocity, and draws all of it. "ms.total" is such a frame;
/// "ms.deform", "ms.dynamics", "ms.sampling" (stages 1 and 2, of three views), "ms.response" (stage 3 and push-out)
/// and "ms.drawing" are its parts; "loop_fps" follows from it.
[[nodiscard]] Row measure_loop(unsigned threads, bool quick);

}  // namespace lamella::bench
