// std::strong_order of floating-point numbers, which libc++ 13 declares but does not have: by their bits, so that -0
// comes before 0 and NaN after infinity.
#include <bit>
#include <compare>
#include <cstdint>
#include <limits>

namespace {

template <class Bits, class Float>
std::strong_ordering order(Float a, Float b) {
  const auto key = [](Float x) {
    const Bits bits = std::bit_cast<Bits>(x);
    return bits < 0 ? static_cast<Bits>(std::numeric_limits<Bits>::max() ^ bits) : bits;
  };
  return key(a) <=> key(b);
}

}  // namespace

_LIBCPP_BEGIN_NAMESPACE_STD
template <>
strong_ordering strong_order<float>(const float& a, const float& b) {
  return order<int32_t>(a, b);
}
template <>
strong_ordering strong_order<double>(const double& a, const double& b) {
  return order<int64_t>(a, b);
}
_LIBCPP_END_NAMESPACE_STD
