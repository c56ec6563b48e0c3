#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"

namespace lamella::measure {

struct KeyedId {
  std::uint32_t key, id;
};

/// Sorts items, given in ascending order of their ids, by key and then by id. A radix sort from the lowest digit, 11
/// bits at a time, in chunks that do not depend on the number of threads. Keeps its memory between calls: 8 bytes for
/// each item.
class KeySorter {
 public:
  void sort(std::vector<KeyedId>& items, Workers& workers);

 private:
  static constexpr unsigned kDigit = 11;
  static constexpr std::size_t kDigits = std::size_t{1} << kDigit;

  void pass(std::span<const KeyedId> from, KeyedId* to, unsigned shift, Workers& workers);

  std::vector<KeyedId> other_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace lamella::measure
