#include <cmath>
#include <string>

#include "lamella/elementary.hpp"
#include "scenes/gearbox/builder.hpp"
#include "scenes/gearbox/dimensions.hpp"
#include "scenes/lathe.hpp"
#include "scenes/models.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes::gearbox_parts {
namespace {

constexpr double kPlay = 0.1;  // of a ball in its groove
constexpr double kMiddle = kBearingWidth / 2;

/// Corners of the groove between two shoulders, on the circle around a ball's middle; upwards along the outer ring's,
/// downwards along the inner ring's, or the other way round.
Polygon groove(const BearingSize& size, double shoulder) {
  const double radius = size.ball + kPlay, across = shoulder - size.pitch;
  const double half = elementary::atan2(std::sqrt(radius * radius - across * across), std::abs(across));
  constexpr int kSteps = 10;
  Polygon points;
  for (int i = 0; i <= kSteps; ++i) {
    const double angle = half * (2.0 * i / kSteps - 1);
    points.push_back({size.pitch + (across < 0 ? -1 : 1) * radius * elementary::cos(angle),
                      kMiddle + radius * elementary::sin(angle)});
  }
  return points;
}

Mesh inner_ring(const BearingSize& size) {
  const double bore = size.bore - kPress;
  Polygon profile{{bore, 0}, {size.inner_shoulder, 0}};
  for (const Point2 p : groove(size, size.inner_shoulder)) profile.push_back(p);
  profile.insert(profile.end(), {{size.inner_shoulder, kBearingWidth}, {bore, kBearingWidth}});
  return lathe(profile, sides(size.bore));
}

Mesh outer_ring(const BearingSize& size) {
  Polygon profile{{size.outside, 0}, {size.outside, kBearingWidth}, {size.outer_shoulder, kBearingWidth}};
  const Polygon corners = groove(size, size.outer_shoulder);
  profile.insert(profile.end(), corners.rbegin(), corners.rend());
  profile.push_back({size.outer_shoulder, 0});
  return lathe(profile, sides(size.outside));
}

/// A ring beside the balls, with fingers between them.
PrismStack cage(const BearingSize& size) {
  const double base = kMiddle + size.ball + 0.35, inner = size.pitch - 0.75 * size.ball / 2 - 0.25,
               outer = size.pitch + 0.75 * size.ball / 2 + 0.25;
  PrismStack stack({4, base, base + 1.125});
  const std::size_t ring = stack.add(circle(outer), 2);
  for (int i = 0; i < size.balls; ++i) {
    const double middle = 2 * kPi * (i + 0.5) / size.balls, half = 0.35 / size.balls * 1.5;
    stack.add(ring_sector(inner + 0.25, outer - 0.25, middle - half, middle + half, 4), 3, ring);
  }
  stack.add(circle(inner), 0, ring);
  return stack;
}

struct BearingMeshes {
  std::uint32_t inner, outer, cage, ball;
};

BearingMeshes add_meshes(Builder& builder, const BearingSize& size) {
  const std::string name = std::string("bearing ") + size.name;
  return {builder.mesh(name + " inner ring", inner_ring(size)), builder.mesh(name + " outer ring", outer_ring(size)),
          builder.mesh(name + " cage", cage(size)),
          builder.mesh(name + " ball", sphere(300, static_cast<float>(size.ball)))};
}

void add_bearing(Builder& builder, const BearingPlace& place, bool rear, const BearingMeshes& meshes) {
  const double z = rear ? mirrored(kBearingFront) - kBearingWidth : kBearingFront;
  const std::string name = std::string("bearing ") + place.shaft + (rear ? " rear" : " front");
  const Transform pose = at({place.x, 0, z});
  builder.part(name + " inner ring", meshes.inner, pose, "bearings", "bearing");
  builder.part(name + " outer ring", meshes.outer, pose, "bearings", "bearing");
  builder.part(name + " cage", meshes.cage, pose, "bearings", "bearing");
  const Polygon places = circle(place.size.pitch, {place.x, 0}, place.size.balls);
  for (std::size_t i = 0; i < places.size(); ++i)
    builder.part(name + " ball " + std::to_string(i + 1), meshes.ball,
                 at({places[i].x, places[i].y, z + kMiddle}, kAlongShaft, 0.7 * double(i)), "bearings", "bearing");

  const std::string shaft = std::string("shaft/") + place.shaft;
  builder.plant({.a = name + " inner ring",
                 .b = place.size.bore == kLargeBearing.bore ? shaft : shaft + " pinion",
                 .kind = ClashClass::piercing,  // the shaft goes right through the ring
                 .allowed = true,
                 .volume = (circle_area(place.size.bore) - circle_area(place.size.bore - kPress)) * kBearingWidth,
                 .why = "press fit"});
}

}  // namespace

void add_bearings(Builder& builder) {
  const BearingMeshes small = add_meshes(builder, kSmallBearing), large = add_meshes(builder, kLargeBearing);
  for (const BearingPlace& place : kBearingPlaces)
    for (const bool rear : {false, true})
      add_bearing(builder, place, rear, place.size.bore == kSmallBearing.bore ? small : large);

  builder.part("bearing ball left over", small.ball, at({118, 40, -8}), "bearings", "bearing");
  builder.plant({.a = "bearing ball left over",
                 .b = "housing/front",
                 .kind = ClashClass::contained,
                 .volume = signed_volume(builder.sample_.assembly.meshes[small.ball]),
                 .why = "lies within the wall"});
}

}  // namespace lamella::scenes::gearbox_parts
