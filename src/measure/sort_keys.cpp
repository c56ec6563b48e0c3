#include "measure/sort_keys.hpp"

#include "core/grow.hpp"

namespace lamella::measure {
namespace {

constexpr std::size_t kFew = 1024;  ///< items that are compared with one another instead

}  // namespace

void KeySorter::pass(std::span<const KeyedId> from, KeyedId* to, unsigned shift, Workers& workers) {
  const std::size_t chunk = std::max<std::size_t>(32768, from.size() / (2 * workers.count()) + 1);
  const std::size_t chunks = (from.size() + chunk - 1) / chunk;
  counts_.assign(chunks * kDigits, 0);
  const auto digit = [shift](const KeyedId& x) { return (x.key >> shift) & (kDigits - 1); };
  workers.for_chunks(
      from.size(), chunk,
      [&](std::size_t begin, std::size_t end, unsigned) {
        std::uint32_t* counts = counts_.data() + begin / chunk * kDigits;
        for (std::size_t i = begin; i < end; ++i) ++counts[digit(from[i])];
      },
      1);
  std::uint32_t sum = 0;
  for (std::size_t d = 0; d < kDigits; ++d)
    for (std::size_t c = 0; c < chunks; ++c) {
      const std::uint32_t count = counts_[c * kDigits + d];
      counts_[c * kDigits + d] = sum;
      sum += count;
    }
  workers.for_chunks(
      from.size(), chunk,
      [&](std::size_t begin, std::size_t end, unsigned) {
        std::uint32_t* next = counts_.data() + begin / chunk * kDigits;
        for (std::size_t i = begin; i < end; ++i) to[next[digit(from[i])]++] = from[i];
      },
      1);
}

void KeySorter::sort(std::vector<KeyedId>& items, Workers& workers) {
  if (items.size() <= kFew) {
    std::sort(items.begin(), items.end(),
              [](const KeyedId& x, const KeyedId& y) { return x.key != y.key ? x.key < y.key : x.id < y.id; });
    return;
  }
  std::uint32_t all_or = 0, all_and = ~std::uint32_t{0};
  for (const KeyedId& x : items) all_or |= x.key, all_and &= x.key;
  resize_with_margin(other_, items.size());
  for (unsigned shift = 0; shift < 32; shift += kDigit) {
    if (((all_or ^ all_and) >> shift & (kDigits - 1)) == 0) continue;  // the same in all
    pass(items, other_.data(), shift, workers);
    items.swap(other_);
  }
}

}  // namespace lamella::measure
