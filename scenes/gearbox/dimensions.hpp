#pragma once

#include <array>

#include "scenes/outlines.hpp"

// Dimensions that parts share. Those along the shafts are multiples of 1/512 mm, which floats hold exactly.

namespace lamella::scenes::gearbox_parts {

/// Between parts that do not move against each other, and should not clash.
inline constexpr double kGap = 1.0 / 32;
/// By how much a press fit is too small, in radius.
inline constexpr double kPress = 1.0 / 32;

// The shafts' places across. Both stages: half the sum of teeth times module.
inline constexpr double kInput = -65, kIntermediate = -5, kOutput = 65;

// The housing is the same from both ends, but for its plugs: what is at z in front is at mirrored(z) at the rear.
inline constexpr double kWallOutside = -16, kWallInside = 0;
inline constexpr double kFlangeBack = 37, kFlangeFace = 45;
constexpr double mirrored(double z) { return 91 - z; }

inline constexpr Point2 kCavityLow{-95, -60}, kCavityHigh{125, 60};
inline constexpr double kCavityRadius = 12, kWall = 8, kFlange = 22;
inline Polygon cavity_outline(double wider) {
  return rounded_rectangle({kCavityLow.x - wider, kCavityLow.y - wider}, {kCavityHigh.x + wider, kCavityHigh.y + wider},
                           kCavityRadius + wider);
}

struct BearingSize {
  const char* name;
  double bore, inner_shoulder, pitch, outer_shoulder, outside;  ///< radii
  double ball;                                                  ///< radius
  int balls;
};
inline constexpr double kBearingWidth = 14, kBearingFront = -15;
inline constexpr BearingSize kSmallBearing{"6204", 10, 14, 16.75, 19.5, 23.5, 4, 8};
inline constexpr BearingSize kLargeBearing{"6206", 15, 20, 23, 26, 31, 4.75, 10};

struct BearingPlace {
  const char* shaft;
  double x;
  BearingSize size;
};
inline constexpr std::array kBearingPlaces{BearingPlace{"input", kInput, kSmallBearing},
                                           BearingPlace{"intermediate", kIntermediate, kSmallBearing},
                                           BearingPlace{"output", kOutput, kLargeBearing}};

/// A cover over a bearing, and its screws.
struct CoverSize {
  double outside, screw_circle, spigot_outside, spigot_inside, shaft_hole;  ///< radii
};
inline constexpr CoverSize kSmallCover{29.75, 26.5, 23, 20, 15};
inline constexpr CoverSize kLargeCover{38, 34.5, 30.5, 27.5, 21};
constexpr const CoverSize& cover_of(const BearingSize& bearing) {
  return bearing.bore == kSmallBearing.bore ? kSmallCover : kLargeCover;
}
inline constexpr int kCoverScrews = 6;
Point2 cover_screw(const CoverSize& cover, int number);  ///< from the cover's middle
inline constexpr double kScrewHole = 2.25;

// Holes of the flange.
inline constexpr std::array<Point2, 14> kFlangeBolts{{{-85, 75},
                                                      {-35, 75},
                                                      {15, 75},
                                                      {65, 75},
                                                      {115, 75},
                                                      {-85, -75},
                                                      {-35, -75},
                                                      {15, -75},
                                                      {65, -75},
                                                      {115, -75},
                                                      {-110, 35},
                                                      {-110, -35},
                                                      {140, 35},
                                                      {140, -35}}};
inline constexpr double kBoltHole = 3.3;
inline constexpr std::array<Point2, 2> kDowels{{{-60, 75}, {90, -75}}};
inline constexpr double kDowel = 4;  ///< radius

inline constexpr std::array<Point2, 2> kPlugs{{{-30, 48}, {-30, -48}}};
inline constexpr double kPlugHole = 6.25;

// Feet: places across, and along the shafts of those in front; what is below.
inline constexpr std::array<double, 2> kFeet{-60, 90};
inline constexpr double kFootMiddle = -20, kFootHoleFromMiddle = -10, kFootHole = 5.5;
inline constexpr double kFootBottom = -82, kBaseTop = kFootBottom - kGap, kBaseThickness = 10;

}  // namespace lamella::scenes::gearbox_parts
