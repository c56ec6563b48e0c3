// Highway with doubles: version 1.0 has none for WebAssembly, though WebAssembly has them. Here are the operations that
// the library's kernels use. Minimum and maximum are those of x86 (the second number where one is NaN), as are
// Highway's own of floats. And masks of four lanes without a way through memory.
#include_next <hwy/highway.h>

#if !defined(LAMELLA_WASM_FLOAT64)
#define LAMELLA_WASM_FLOAT64

HWY_BEFORE_NAMESPACE();
namespace hwy::HWY_NAMESPACE {

template <size_t N>
using Doubles = Vec128<double, N>;

template <size_t N, HWY_IF_LE128(double, N)>
HWY_API Doubles<N> Set(Simd<double, N, 0>, const double x) {
  return {wasm_f64x2_splat(x)};
}

/// Highway's own takes the bits for a whole number.
template <size_t N>
HWY_API double GetLane(const Doubles<N> x) {
  return wasm_f64x2_extract_lane(x.raw, 0);
}

template <size_t N>
HWY_API Doubles<N> operator+(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_add(a.raw, b.raw)};
}
template <size_t N>
HWY_API Doubles<N> operator-(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_sub(a.raw, b.raw)};
}
template <size_t N>
HWY_API Doubles<N> operator*(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_mul(a.raw, b.raw)};
}
template <size_t N>
HWY_API Doubles<N> operator/(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_div(a.raw, b.raw)};
}
template <size_t N>
HWY_API Doubles<N> Sqrt(const Doubles<N> x) {
  return {wasm_f64x2_sqrt(x.raw)};
}
template <size_t N>
HWY_API Doubles<N> Abs(const Doubles<N> x) {
  return {wasm_f64x2_abs(x.raw)};
}
template <size_t N>
HWY_API Doubles<N> Min(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_pmin(b.raw, a.raw)};
}
template <size_t N>
HWY_API Doubles<N> Max(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_pmax(b.raw, a.raw)};
}

/// To the nearest, ties to even.
template <size_t N>
HWY_API Doubles<N> Round(const Doubles<N> x) {
  return {wasm_f64x2_nearest(x.raw)};
}
template <size_t N>
HWY_API Doubles<N> Trunc(const Doubles<N> x) {
  return {wasm_f64x2_trunc(x.raw)};
}
template <size_t N>
HWY_API Doubles<N> Floor(const Doubles<N> x) {
  return {wasm_f64x2_floor(x.raw)};
}

template <size_t N>
HWY_API Mask128<double, N> operator==(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_eq(a.raw, b.raw)};
}
template <size_t N>
HWY_API Mask128<double, N> operator!=(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_ne(a.raw, b.raw)};
}
template <size_t N>
HWY_API Mask128<double, N> operator<(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_lt(a.raw, b.raw)};
}
template <size_t N>
HWY_API Mask128<double, N> operator>(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_gt(a.raw, b.raw)};
}

template <size_t N, HWY_IF_LE128(double, N)>
HWY_API Doubles<N> PromoteTo(Simd<double, N, 0>, const Vec128<float, N> x) {
  return {wasm_f64x2_promote_low_f32x4(x.raw)};
}
template <size_t N, HWY_IF_LE128(float, N)>
HWY_API Vec128<float, N> DemoteTo(Simd<float, N, 0>, const Doubles<N> x) {
  return {wasm_f32x4_demote_f64x2_zero(x.raw)};
}

// Highway's own goes through memory, byte by byte. Numbers of bytes must be below 16.
#define LAMELLA_LOOKUP_BYTES(T)                                                     \
  HWY_API Vec128<T> TableLookupBytes(const Vec128<T> bytes, const Vec128<T> from) { \
    return Vec128<T>{wasm_i8x16_swizzle(bytes.raw, from.raw)};                      \
  }
LAMELLA_LOOKUP_BYTES(uint8_t)
LAMELLA_LOOKUP_BYTES(int8_t)
LAMELLA_LOOKUP_BYTES(int32_t)
#undef LAMELLA_LOOKUP_BYTES

// For each type of four lanes, preferred to Highway's templates.
#define LAMELLA_FOUR_LANES(T)                                                                            \
  HWY_API size_t StoreMaskBits(Full128<T>, const Mask128<T> mask, uint8_t* bits) {                       \
    *bits = static_cast<uint8_t>(wasm_i32x4_bitmask(mask.raw));                                          \
    return 1;                                                                                            \
  }                                                                                                      \
  HWY_API size_t CountTrue(Full128<T>, const Mask128<T> mask) {                                          \
    return static_cast<size_t>(__builtin_popcount(static_cast<unsigned>(wasm_i32x4_bitmask(mask.raw)))); \
  }                                                                                                      \
  HWY_API bool AllFalse(Full128<T>, const Mask128<T> mask) { return !wasm_v128_any_true(mask.raw); }     \
  HWY_API size_t FindKnownFirstTrue(Full128<T>, const Mask128<T> mask) {                                 \
    return static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(wasm_i32x4_bitmask(mask.raw))));      \
  }                                                                                                      \
  HWY_API intptr_t FindFirstTrue(Full128<T>, const Mask128<T> mask) {                                    \
    const auto bits = static_cast<unsigned>(wasm_i32x4_bitmask(mask.raw));                               \
    return bits == 0 ? -1 : static_cast<intptr_t>(__builtin_ctz(bits));                                  \
  }                                                                                                      \
  HWY_API Vec128<T> GatherIndex(Full128<T>, const T* HWY_RESTRICT base, const Vec128<int32_t> index) {   \
    auto v = wasm_v128_load32_zero(base + wasm_i32x4_extract_lane(index.raw, 0));                        \
    v = wasm_v128_load32_lane(base + wasm_i32x4_extract_lane(index.raw, 1), v, 1);                       \
    v = wasm_v128_load32_lane(base + wasm_i32x4_extract_lane(index.raw, 2), v, 2);                       \
    return Vec128<T>{wasm_v128_load32_lane(base + wasm_i32x4_extract_lane(index.raw, 3), v, 3)};         \
  }
LAMELLA_FOUR_LANES(uint32_t)
LAMELLA_FOUR_LANES(int32_t)
LAMELLA_FOUR_LANES(float)
#undef LAMELLA_FOUR_LANES

}  // namespace hwy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
