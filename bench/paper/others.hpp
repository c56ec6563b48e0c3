#pragma once

#include <string>
#include <vector>

#include "bench/commands.hpp"
#include "bench/engines.hpp"
#include "bench/paper/published.hpp"
#include "bench/table.hpp"

// The tables of the two papers that have benchmarks of their own, `lamella bench scene` and `lamella bench gi`, made by
// the same functions.

namespace lamella::bench {

/// Of Jang, Jeong and Han, with these engines for scenes.
[[nodiscard]] Table jang_table(const PublishedTable& published, const PaperArgs& args,
                               const std::vector<BenchEngine>& engines);
/// Of GI-COLLIDE.
[[nodiscard]] Table gi_table(const PublishedTable& published, const PaperArgs& args);

}  // namespace lamella::bench
