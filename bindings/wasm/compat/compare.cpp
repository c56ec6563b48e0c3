// libc++ 13 declares std::strong_order and does not define it. Total order of floats, as ISO/IEC 60559 has it.
#include <bit>
#include <compare>
#include <cstdint>

namespace {
template <class Int, class Float>
std::strong_ordering by_bits(Float a, Float b) {
  const auto key = [](Float x) {
    const Int bits = std::bit_cast<Int>(x);
    return bits < 0 ? static_cast<Int>(~bits ^ (Int{1} << (sizeof(Int) * 8 - 1))) : bits;
  };
  const Int x = key(a), y = key(b);
  return x < y ? std::strong_ordering::less : x > y ? std::strong_ordering::greater : std::strong_ordering::equal;
}
}  // namespace

_LIBCPP_BEGIN_NAMESPACE_STD
template <>
strong_ordering strong_order(const double& a, const double& b) { return by_bits<std::int64_t>(a, b); }
template <>
strong_ordering strong_order(const float& a, const float& b) { return by_bits<std::int32_t>(a, b); }
_LIBCPP_END_NAMESPACE_STD
