// Sorting networks over layers: every lane is a column.
//
// Batcher's odd-even merge sort (Batcher, "Sorting networks and their applications", 1968), without the exchanges that
// a shorter list does not need.
//
// Included once per instruction set by foreach_target.h; the guard toggles so that each inclusion is compiled.
#if defined(LAMELLA_SOFTWARE_SORT_NETWORK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LAMELLA_SOFTWARE_SORT_NETWORK_INL
#undef LAMELLA_SOFTWARE_SORT_NETWORK_INL
#else
#define LAMELLA_SOFTWARE_SORT_NETWORK_INL
#endif

#include <array>
#include <cstdint>
#include <utility>

#include "engines/software/tile.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct Exchange {
  std::uint8_t a, b;
};

/// Calls visit(a, b) for every exchange of a network for n values.
template <class Visit>
constexpr void ForExchanges(std::size_t n, const Visit& visit) {
  for (std::size_t p = 1; p < n; p *= 2)
    for (std::size_t k = p; k >= 1; k /= 2)
      for (std::size_t j = k % p; j + k < n; j += 2 * k)
        for (std::size_t i = 0; i < k && i + j + k < n; ++i)
          if ((i + j) / (2 * p) == (i + j + k) / (2 * p)) visit(i + j, i + j + k);
}

template <std::size_t kSize>
struct Network {
  static constexpr std::size_t kCount = [] {
    std::size_t count = 0;
    ForExchanges(kSize, [&](std::size_t, std::size_t) { ++count; });
    return count;
  }();
  static constexpr auto kExchanges = [] {
    std::array<Exchange, kCount> list{};
    std::size_t i = 0;
    ForExchanges(kSize, [&](std::size_t a, std::size_t b) {
      list[i++] = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
    });
    return list;
  }();
};

template <class V>
HWY_INLINE void ExchangeLanes(V& a, V& b) {
  const V low = hn::Min(a, b);
  b = hn::Max(a, b);
  a = low;
}

template <std::size_t kSize, class V, std::size_t... kIndex>
HWY_INLINE void SortUnrolled(V* v, std::index_sequence<kIndex...>) {
  constexpr auto& list = Network<kSize>::kExchanges;
  (ExchangeLanes(v[list[kIndex].a], v[list[kIndex].b]), ...);
}

template <std::size_t kSize, class V>
HWY_INLINE void SortAll(V* HWY_RESTRICT values) {
  V v[kSize];
  for (std::size_t i = 0; i < kSize; ++i) v[i] = values[i];
  if constexpr (kSize <= 12) {
    SortUnrolled<kSize>(v, std::make_index_sequence<Network<kSize>::kCount>());
  } else {  // too many for registers
    for (const Exchange e : Network<kSize>::kExchanges) ExchangeLanes(v[e.a], v[e.b]);
  }
  for (std::size_t i = 0; i < kSize; ++i) values[i] = v[i];
}

/// Sorts n vectors, at most kLayers, lane by lane. The array must have room for kLayers; what follows the n is changed.
/// A function of its own: inlined everywhere, the networks would be most of the program.
template <class V>
HWY_NOINLINE void SortLayers(std::size_t n, V* values) {
  const hn::DFromV<V> d;
  const std::size_t sizes[] = {0, 2, 4, 6, 8, 10, 12, 16, 16, 24, 24, 24, 24, 32, 32, 32, 32};
  const std::size_t size = sizes[(n + 1) / 2];
  for (std::size_t i = n; i < size; ++i) values[i] = hn::Set(d, ~hn::TFromV<V>{0});
  switch (size) {
    case 2:
      return SortAll<2>(values);
    case 4:
      return SortAll<4>(values);
    case 6:
      return SortAll<6>(values);
    case 8:
      return SortAll<8>(values);
    case 10:
      return SortAll<10>(values);
    case 12:
      return SortAll<12>(values);
    case 16:
      return SortAll<16>(values);
    case 24:
      return SortAll<24>(values);
    case 32:
      return SortAll<32>(values);
    default:
      return;
  }
}
static_assert(kLayers == 32);

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
