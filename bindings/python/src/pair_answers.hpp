#pragma once

#include <vector>

#include "lamella/batch.hpp"

namespace lamella::python {

/// All answers of a call, in one piece of memory.
template <class Pair>
struct Answers {
  std::vector<Pair> pairs;
};
using PairOverlaps = Answers<PairOverlap>;
using PairGradients = Answers<PairGradient>;

}  // namespace lamella::python
