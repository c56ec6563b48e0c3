#pragma once

#include <string>

#include "bench/paper/published.hpp"
#include "bench/table.hpp"

namespace lamella::bench {

/// A table of WSCG 2004 in the paper's form: a line for each method, a column for each of the paper's, with the least
/// and most of an animation where the paper gives them. The published methods come first, then what was measured.
[[nodiscard]] std::string paper_form(const PublishedTable& published, const std::vector<Row>& measured);

}  // namespace lamella::bench
