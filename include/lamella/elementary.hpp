#pragma once

#include "lamella/export.hpp"

/// Elementary functions that give the same bits with every C library, compiler and processor, unlike std::sin and the
/// others: what the library and its models compute is then the same everywhere. All but about one result in a thousand
/// are rounded correctly; that one is the neighbouring double. Some 50 ns each.
namespace lamella::elementary {

/// Radians; beyond 2^20 the result is that of some angle near x.
[[nodiscard]] LAMELLA_API double sin(double x);
[[nodiscard]] LAMELLA_API double cos(double x);
[[nodiscard]] LAMELLA_API double tan(double x);
[[nodiscard]] LAMELLA_API double exp(double x);
/// Of numbers above 0; NaN for others, minus infinity for 0.
[[nodiscard]] LAMELLA_API double log(double x);
/// `x` is 0 or more, or `y` a whole number.
[[nodiscard]] LAMELLA_API double pow(double x, double y);
[[nodiscard]] LAMELLA_API double cbrt(double x);
/// The angle of (x, y), from -pi to pi; 0 for the origin.
[[nodiscard]] LAMELLA_API double atan2(double y, double x);

}  // namespace lamella::elementary
