// What holds the halves together and the feet down. Bolts have no threads.

#include "scenes/gearbox/builder.hpp"
#include "scenes/gearbox/dimensions.hpp"

namespace lamella::scenes::gearbox_parts {
namespace {

/// Head first; `head` is the radius of its corners.
PrismStack bolt(double head, double head_height, double shank, double length) {
  PrismStack stack({0, head_height, head_height + length});
  stack.add(circle(shank), 3, stack.add(circle(head, {}, 6), 1));
  return stack;
}

PrismStack nut(double outside, double hole, double height) {
  return plate(0, height, circle(outside, {}, 6), {circle(hole)});
}

PrismStack washer(double outside, double hole, double height) {
  return plate(0, height, circle(outside), {circle(hole)});
}

void touch(Builder& builder, const std::string& a, const std::string& b) {
  builder.plant({.a = a, .b = b, .kind = ClashClass::touching, .allowed = true, .distance = 0, .why = "seat"});
}

/// Bolt, washer, front half, rear half, washer, nut: each touches the next.
void add_flange_bolts(Builder& builder) {
  constexpr double kWasher = 1.5, kHead = 4;
  const double rear_back = mirrored(kFlangeBack);
  const double length = rear_back + kWasher + 6.5 - (kFlangeBack - kWasher);
  const std::uint32_t bolts = builder.mesh("bolt M6x26", bolt(5.5, kHead, 3, length));
  const std::uint32_t washers = builder.mesh("washer M6", washer(6, 3.2, kWasher));
  const std::uint32_t nuts = builder.mesh("nut M6", nut(5.75, 3.125, 5));
  for (std::size_t i = 0; i < kFlangeBolts.size(); ++i) {
    const Point2 p = kFlangeBolts[i];
    const std::string number = std::to_string(i + 1);
    const std::string front = "washer M6 " + std::to_string(2 * i + 1), rear = "washer M6 " + std::to_string(2 * i + 2);
    const double turn = 0.3 * double(i);
    builder.part("bolt M6x26 " + number, bolts, at({p.x, p.y, kFlangeBack - kWasher - kHead}, kAlongShaft, turn),
                 "fasteners", "fixed");
    builder.part(front, washers, at({p.x, p.y, kFlangeBack - kWasher}), "fasteners", "fixed");
    builder.part(rear, washers, at({p.x, p.y, rear_back}), "fasteners", "fixed");
    builder.part("nut M6 " + number, nuts, at({p.x, p.y, rear_back + kWasher}, kAlongShaft, 2 * turn), "fasteners",
                 "fixed");
    touch(builder, "bolt M6x26 " + number, front);
    touch(builder, front, "housing/front");
    touch(builder, "housing/rear", rear);
    touch(builder, rear, "nut M6 " + number);
  }
}

/// Pins in holes that are too narrow: what they share is a tube, whose surfaces face all ways.
void add_dowels(Builder& builder) {
  constexpr double kTooThick = 0.25, kFrom = 37.5, kTo = 53.5;
  const double front = kFlangeFace - kFrom, rear = kTo - mirrored(kFlangeFace);
  const auto add = [&](const char* name, Point2 p, double radius) {
    builder.single(name, plate(kFrom, kTo, circle(radius)), at({p.x, p.y, 0}), "fasteners", "fixed");
  };
  add("dowel pin 1", kDowels[0], kDowel);
  builder.plant({.a = "dowel pin 1",
                 .b = "housing/front",
                 .kind = ClashClass::piercing,
                 .allowed = true,
                 .volume = (circle_area(kDowel) - circle_area(kDowel - kPress)) * front,
                 .why = "press fit"});
  add("dowel pin 2", kDowels[1], kDowel + kTooThick);
  const double thick = circle_area(kDowel + kTooThick);
  builder.plant({.a = "dowel pin 2",
                 .b = "housing/front",
                 .kind = ClashClass::piercing,
                 .volume = (thick - circle_area(kDowel - kPress)) * front,
                 .why = "the pin is 0.5 mm too thick for a press fit"});
  builder.plant({.a = "dowel pin 2",
                 .b = "housing/rear",
                 .kind = ClashClass::piercing,
                 .volume = (thick - circle_area(kDowel + kGap)) * rear,
                 .why = "the pin is 0.5 mm too thick to slide"});
}

/// From above through a foot and the base plate.
void add_foot_bolts(Builder& builder) {
  constexpr double kFootPlate = 8, kHead = 6.5, kWasher = 2, kNut = 8, kShank = 31;
  const std::uint32_t bolts = builder.mesh("bolt M10x31", bolt(9, kHead, 5, kShank));
  const std::uint32_t washers = builder.mesh("washer M10", washer(10, 5.5, kWasher));
  const std::uint32_t nuts = builder.mesh("nut M10", nut(9, 5.25, kNut));
  int number = 0;
  for (const double x : kFeet)
    for (const bool rear : {false, true}) {
      const double front = kFootMiddle + kFootHoleFromMiddle, z = rear ? mirrored(front) : front;
      const double seat = kFootBottom + kFootPlate + kGap;
      const std::string i = std::to_string(++number);
      // Half a turn about x turns the head up.
      builder.part("bolt M10x31 " + i, bolts, {world({x, seat + kWasher + kGap + kHead, z}), {1, 0, 0, 0}}, "fasteners",
                   "fixed");
      builder.part("washer M10 " + i, washers, at({x, seat, z}, kUp), "fasteners", "fixed");
      builder.part("nut M10 " + i, nuts, at({x, kBaseTop - kBaseThickness - kGap - kNut, z}, kUp), "fasteners",
                   "fixed");
    }
}

/// In holes of the rear wall, for oil.
void add_plugs(Builder& builder) {
  constexpr double kSealing = 1.5, kHead = 7;
  const std::uint32_t plugs = builder.mesh("oil plug", bolt(11, kHead, 6, 14));
  const std::uint32_t rings = builder.mesh("oil plug washer", washer(9.5, 6.25, kSealing));
  const double outside = mirrored(kWallOutside);
  for (std::size_t i = 0; i < kPlugs.size(); ++i) {
    const char* name = i == 0 ? "oil plug filler" : "oil plug drain";
    const Point2 p = kPlugs[i];
    builder.part(name, plugs, at({p.x, p.y, outside + 2 * kGap + kSealing + kHead}, kAgainstShaft), "oil", "fixed");
    builder.part(std::string(name) + " washer", rings, at({p.x, p.y, outside + kGap}), "oil", "fixed");
  }
}

}  // namespace

void add_fasteners(Builder& builder) {
  add_flange_bolts(builder);
  add_dowels(builder);
  add_foot_bolts(builder);
  add_plugs(builder);
}

}  // namespace lamella::scenes::gearbox_parts
