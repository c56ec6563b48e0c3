#pragma once

#include "core/parallel.hpp"

namespace lamella {

/// Calls both, at the same time where there are threads.
template <class First, class Second>
void side_by_side(Workers& workers, const First& first, const Second& second) {
  workers.for_chunks(
      2, 1,
      [&](std::size_t i, std::size_t, unsigned) {
        if (i == 0)
          first();
        else
          second();
      },
      1);
}

}  // namespace lamella
