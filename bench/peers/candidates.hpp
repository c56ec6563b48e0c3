#pragma once

#include <cstdint>
#include <vector>

#include "bench/peers/method.hpp"

namespace lamella::bench::peers {

/// A box as the libraries' boxes are copied to it.
struct BodyBox {
  float low[3], high[3];
};

/// Pairs of boxes that share a point, by comparing all: of a hundred bodies that takes some microseconds.
inline std::vector<BodyPair> box_pairs(const std::vector<BodyBox>& boxes) {
  std::vector<BodyPair> pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    for (std::uint32_t j = i + 1; j < boxes.size(); ++j) {
      bool apart = false;
      for (int k = 0; k < 3; ++k) {
        apart |= boxes[i].low[k] > boxes[j].high[k] || boxes[j].low[k] > boxes[i].high[k];
      }
      if (!apart) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

}  // namespace lamella::bench::peers
