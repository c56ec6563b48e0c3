#pragma once

#include "scenes/polygon.hpp"

// Outlines of machine parts, counter-clockwise. Curves are polygons with their corners on the curve.

namespace lamella::scenes {

/// Above 0 for a counter-clockwise outline.
[[nodiscard]] double area(const Polygon& outline);

/// How many sides a circle of this radius gets, in millimetres. Circles of nearly equal radii get the same number, so
/// that a shaft and its bore have parallel sides.
[[nodiscard]] int sides(double radius);

/// The first corner is at the angle `phase`, in radians.
[[nodiscard]] Polygon circle(double radius, Point2 centre = {}, int corners = 0, double phase = 0);
/// `circle` with sides(radius), its area known: corners / 2 * sin(2 pi / corners) * radius^2.
[[nodiscard]] double circle_area(double radius);

[[nodiscard]] Polygon rectangle(Point2 low, Point2 high);
[[nodiscard]] Polygon rounded_rectangle(Point2 low, Point2 high, double radius, int corners_each = 6);

/// A circle with a slot at its top, from the angle of 90 degrees. `bottom` is the y of the slot's flat end: below the
/// radius for a shaft's slot, above it for a hub's.
[[nodiscard]] Polygon slotted_circle(double radius, double half_width, double bottom);

/// Part of a ring, from one angle to another, in radians.
[[nodiscard]] Polygon ring_sector(double inner, double outer, double from, double to, int steps);

struct GearShape {
  int teeth = 20;
  double module = 1;           ///< pitch diameter over teeth
  double backlash = 0;         ///< by how much a tooth is thinner than half of the pitch, along the pitch circle
  double phase = 0;            ///< angle of the middle of a tooth
  double pressure_angle = 20;  ///< degrees
  int flank_points = 6;
};

/// Teeth with involute flanks; below the base circle they are straight. Addendum of one module, dedendum of 1.25.
[[nodiscard]] Polygon gear(const GearShape& shape);

}  // namespace lamella::scenes
