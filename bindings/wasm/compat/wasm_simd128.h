// <wasm_simd128.h> without a fault of clang 14: the splat of a number from memory becomes an instruction that loads it,
// which may end up behind a store to that place. Hidden from it, the number is loaded where the program says so. For
// the same reason the project is compiled without vectors of clang's own making.
#pragma once
#include_next <wasm_simd128.h>

#if defined(__cplusplus)
template <class T>
static inline __attribute__((always_inline)) T lamella_hidden(T x) {
  if (!__builtin_constant_p(x)) asm("" : "+r"(x));
  return x;
}
#define wasm_i8x16_splat(x) wasm_i8x16_splat(static_cast<int8_t>(lamella_hidden<int32_t>(x)))
#define wasm_i16x8_splat(x) wasm_i16x8_splat(static_cast<int16_t>(lamella_hidden<int32_t>(x)))
#define wasm_i32x4_splat(x) wasm_i32x4_splat(lamella_hidden<int32_t>(x))
#define wasm_i64x2_splat(x) wasm_i64x2_splat(lamella_hidden<int64_t>(x))
#define wasm_f32x4_splat(x) wasm_f32x4_splat(lamella_hidden<float>(x))
#define wasm_f64x2_splat(x) wasm_f64x2_splat(lamella_hidden<double>(x))
#endif
