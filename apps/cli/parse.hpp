#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/math.hpp"
#include "lamella/options.hpp"

namespace lamella::cli {

// Values of options. Each throws an Error that names `option` and says what to type.

/// A number and nothing else.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// A whole number from `low` to `high`.
[[nodiscard]] std::uint32_t parse_count(std::string_view option, std::string_view text, std::uint32_t low,
                                        std::uint32_t high);

/// How parse_pose wants it, for the help.
inline constexpr std::string_view kPoseForms =
    "POSE is one of:\n"
    "  TX,TY,TZ                  a translation\n"
    "  TX,TY,TZ@AXIS:DEGREES     a rotation before it; AXIS is x, y, z or AX,AY,AZ; @AXIS:DEGREES is a rotation alone\n"
    "  TX,TY,TZ,QX,QY,QZ,QW      the same as a unit quaternion\n"
    "A mesh is scaled first, then rotated, then moved.";

/// A translation, and a rotation before it: about an axis by degrees (the translation may be left out: "@z:30"), or as
/// a quaternion. One that is a unit quaternion but for rounding is normalised.
[[nodiscard]] Transform parse_pose(std::string_view option, std::string_view text);

/// Two opposite corners, X0,Y0,Z0,X1,Y1,Z1, the first below the second along every axis.
[[nodiscard]] Aabb parse_box(std::string_view option, std::string_view text);

/// Three numbers: X,Y,Z.
[[nodiscard]] Vec3d parse_vector(std::string_view option, std::string_view text);

/// "15ms", "500us", "0.5s", from 1 ns to an hour. A bare number is refused: seconds and milliseconds are too easily
/// confused.
[[nodiscard]] std::chrono::nanoseconds parse_budget(std::string_view option, std::string_view text);

/// "0.1%": relative; "2e-6": a volume.
[[nodiscard]] Tolerance parse_tolerance(std::string_view option, std::string_view text);

/// A factor above 0.
[[nodiscard]] double parse_scale(std::string_view option, std::string_view text);

/// A file's name that ends in one of `extensions`.
[[nodiscard]] std::filesystem::path check_extension(std::string_view option, const std::string& text,
                                                    std::span<const std::string_view> extensions);

}  // namespace lamella::cli
