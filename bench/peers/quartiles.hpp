#pragma once

#include <vector>

namespace lamella::bench::peers {

/// Half of the values lie between `low` and `high`.
struct Quartiles {
  double low = 0, median = 0, high = 0;
};

/// Between two values of the sorted list they are interpolated, so that three or four values have quartiles too. Of a
/// list that is not empty.
[[nodiscard]] Quartiles quartiles(std::vector<double> values);

}  // namespace lamella::bench::peers
