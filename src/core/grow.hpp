#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lamella {

/// Resizes a vector that is filled anew in each frame. Where its memory does not suffice, it takes twice as much as
/// needed: sizes that change a little from frame to frame then seldom need more. resize() after clear() takes no more
/// than needed.
template <class T>
void resize_with_margin(std::vector<T>& v, std::size_t size) {
  if (size > v.capacity()) {
    v.clear();  // so that nothing is copied
    v.reserve(2 * size);
  }
  v.resize(size);
}

}  // namespace lamella
