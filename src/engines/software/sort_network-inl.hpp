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

/// Loads kSize values by load(i), sorts and stores them.
template <std::size_t kSize, class V, class Load>
HWY_INLINE void SortLayers(const Load& load, V* HWY_RESTRICT out) {
  V v[kSize];
  for (std::size_t i = 0; i < kSize; ++i) v[i] = load(i);
  if constexpr (kSize <= 12) {
    SortUnrolled<kSize>(v, std::make_index_sequence<Network<kSize>::kCount>());
  } else {  // too many for registers
    for (const Exchange e : Network<kSize>::kExchanges) ExchangeLanes(v[e.a], v[e.b]);
  }
  for (std::size_t i = 0; i < kSize; ++i) out[i] = v[i];
}

/// The same for n values, at most kLayers; out has room for kLayers. load(i) must give the largest value from i = n on.
template <class V, class Load>
HWY_INLINE void SortSome(std::size_t n, const Load& load, V* HWY_RESTRICT out) {
  switch ((n + 1) / 2) {
    case 0:
      return;
    case 1:
      return SortLayers<2>(load, out);
    case 2:
      return SortLayers<4>(load, out);
    case 3:
      return SortLayers<6>(load, out);
    case 4:
      return SortLayers<8>(load, out);
    case 5:
      return SortLayers<10>(load, out);
    case 6:
      return SortLayers<12>(load, out);
    case 7:
    case 8:
      return SortLayers<16>(load, out);
    case 9:
    case 10:
    case 11:
    case 12:
      return SortLayers<24>(load, out);
    default:
      return SortLayers<32>(load, out);
  }
}
static_assert(kLayers == 32);

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
