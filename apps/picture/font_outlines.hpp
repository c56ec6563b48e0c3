#pragma once

#include <cstdint>
#include <span>

namespace lamella::picture {

/// A letter of a font: contours[first_contour] and so on are its outline.
struct FontLetter {
  std::uint16_t code = 0;  ///< Unicode
  std::uint16_t advance = 0;
  std::uint16_t first_contour = 0, contour_count = 0;
};

/// Outlines of a TrueType font: closed contours of straight lines and quadratic curves. Lengths are in units, of which
/// the font's size has `units_per_em`; y is upwards from the baseline.
struct FontOutlines {
  int units_per_em = 0, ascent = 0, descent = 0;
  /// Two numbers for each point: twice x, plus 1 where it is on the outline, not a control point; and y.
  std::span<const std::int16_t> points;
  std::span<const std::uint16_t> contours;  ///< contour i has the points contours[i] .. contours[i + 1]
  std::span<const FontLetter> letters;      ///< ascending by code
};

extern const FontOutlines kFont;

}  // namespace lamella::picture
