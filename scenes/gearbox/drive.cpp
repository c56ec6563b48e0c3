// Shafts with their pinions, wheels, keys and what lies between them along the shafts.

#include "scenes/gearbox/builder.hpp"
#include "scenes/gearbox/dimensions.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes::gearbox_parts {
namespace {

constexpr double kBacklash = 0.15;  // of each of two gears
constexpr int kTeeth1 = 18, kTeeth2 = 42, kTeeth3 = 16, kTeeth4 = 40;
constexpr double kModule1 = 2, kModule2 = 2.5;

// Wheels sit on these; a slot for a key is in them.
constexpr double kSeat1 = 14, kSeat2 = 19, kKeyHalf = 3, kSlotDepth = 3.5, kHubSlotDepth = 3;
constexpr double kWheel1Front = 11.5, kWheel1Rear = 32, kWheel2Front = 45.5, kWheel2Rear = 76.5;

/// A wheel with a thinner web between hub and rim, and holes in the web.
struct Wheel {
  GearShape teeth;
  double seat, hub, rim, web_from, web_to, hole, hole_circle;  ///< radii, and along the shaft
  double front, rear;
};

PrismStack wheel(const Wheel& w) {
  PrismStack stack({w.front, w.web_from, w.web_to, w.rear});
  const std::size_t teeth = stack.add(gear(w.teeth), 7);
  const std::size_t rim = stack.add(circle(w.rim), 2, teeth);
  for (int i = 0; i < 6; ++i) {
    const Polygon place = circle(w.hole_circle, {}, 6);
    stack.add(circle(w.hole, place[static_cast<std::size_t>(i)]), 0, rim);
  }
  const std::size_t hub = stack.add(circle(w.hub), 7, rim);
  stack.add(slotted_circle(w.seat + kGap, kKeyHalf + kGap, w.seat + kHubSlotDepth), 0, hub);
  return stack;
}

PrismStack ring(double inner, double outer, double length) { return plate(0, length, circle(outer), {circle(inner)}); }

void add_shafts(Builder& builder) {
  const Polygon pinion1 = gear({.teeth = kTeeth1, .module = kModule1, .backlash = kBacklash});
  builder.single("shaft/input pinion",
                 stepped_shaft(-60, {{-33, 1}, {-31.5, 0}, {-15.5, 1}, {9, 2}, {11, 3}, {33, 4}, {40, 3}, {106.5, 2}},
                               {circle(8), circle(9), circle(10), circle(13), pinion1}),
                 at({kInput, 0, 0}), "gears", "rotating");

  const Polygon pinion2 = gear({.teeth = kTeeth3, .module = kModule2, .backlash = kBacklash});
  builder.single(
      "shaft/intermediate pinion",
      stepped_shaft(-15.5, {{12, 0}, {32.5, 1}, {44, 2}, {78, 3}, {80, 2}, {106.5, 0}},
                    {circle(10), slotted_circle(kSeat1, kKeyHalf + kGap, kSeat1 - kSlotDepth), circle(16), pinion2}),
      at({kIntermediate, 0, 0}), "gears", "rotating");

  builder.single("shaft/output",
                 stepped_shaft(-15.5, {{40, 2}, {44, 4}, {76, 3}, {107, 2}, {125, 1}, {126.5, 0}, {150, 1}},
                               {circle(13), circle(14), circle(15),
                                slotted_circle(kSeat2, kKeyHalf + kGap, kSeat2 - kSlotDepth), circle(23)}),
                 at({kOutput, 0, 0}), "shafts", "rotating");
}

void add_wheels(Builder& builder) {
  const GearShape teeth2{.teeth = kTeeth2, .module = kModule1, .backlash = kBacklash, .phase = kPi + kPi / kTeeth2};
  const GearShape teeth4{.teeth = kTeeth4, .module = kModule2, .backlash = kBacklash, .phase = kPi + kPi / kTeeth4};
  builder.single("gear/wheel 1", wheel({teeth2, kSeat1, 23, 36, 17, 27, 4, 30, kWheel1Front, kWheel1Rear}),
                 at({kIntermediate, 0, 0}), "gears", "rotating");
  builder.single("gear/wheel 2", wheel({teeth4, kSeat2, 29, 43, 54, 68, 5, 36, kWheel2Front, kWheel2Rear}),
                 at({kOutput, 0, 0}), "gears", "rotating");
}

void add_keys(Builder& builder) {
  constexpr double kTooTall = 0.5, kLength = 19;
  const double bottom1 = kSeat1 - kSlotDepth + kGap, top1 = kSeat1 + kHubSlotDepth + kTooTall;
  builder.single("key 1", plate(0, kLength, rectangle({-kKeyHalf, bottom1}, {kKeyHalf, top1})),
                 at({kIntermediate, 0, 12.5}), "keys", "rotating");
  builder.plant({.a = "key 1",
                 .b = "gear/wheel 1",
                 .kind = ClashClass::overlapping,
                 .volume = 2 * kKeyHalf * kTooTall * kLength,
                 .why = "the key is 0.5 mm taller than the slot in the hub"});
  const double bottom2 = kSeat2 - kSlotDepth + kGap, top2 = kSeat2 + kHubSlotDepth - kGap;
  builder.single("key 2", plate(0, 30, rectangle({-kKeyHalf, bottom2}, {kKeyHalf, top2})), at({kOutput, 0, 45.75}),
                 "keys", "rotating");
}

void add_rings(Builder& builder) {
  const double front = kBearingFront + kBearingWidth;  // of bearings in front; at the rear it is mirrored
  builder.single("spacer/intermediate front", ring(10 + kGap, 18, kWheel1Front - front - kGap),
                 at({kIntermediate, 0, front + kGap}), "spacers", "rotating");
  builder.plant({.a = "spacer/intermediate front",
                 .b = "gear/wheel 1",
                 .kind = ClashClass::touching,
                 .distance = 0,
                 .why = "both end in one plane"});
  builder.single("spacer/intermediate rear", ring(10 + kGap, 13, mirrored(front) - 80 - 2 * kGap),
                 at({kIntermediate, 0, 80 + kGap}), "spacers", "rotating");
  builder.single("spacer/output front", ring(15 + kGap, 20, 40 - front - 2 * kGap), at({kOutput, 0, front + kGap}),
                 "spacers", "rotating");
  constexpr double kTooLong = 1.0 / 512;
  builder.single("spacer/output rear", ring(15 + kGap, 22, mirrored(front) - kGap - kWheel2Rear + kTooLong),
                 at({kOutput, 0, kWheel2Rear - kTooLong}), "spacers", "rotating");
  builder.plant({.a = "spacer/output rear",
                 .b = "gear/wheel 2",
                 .kind = ClashClass::touching,
                 .why = "1/512 mm deep, which counts as touching"});
  builder.single("oil slinger", ring(10 + kGap, 26, 1.5), at({kInput, 0, 0.25}), "spacers", "rotating");
  builder.plant({.a = "oil slinger",
                 .b = "housing/front",
                 .kind = ClashClass::near,
                 .distance = 0.25,
                 .why = "turns 0.25 mm from the wall, where 0.5 mm are asked for"});

  const auto circlip = [](double radius) {  // its own corners: more play than parts with parallel sides need
    return plate(0, 1.25, ring_sector(radius + 0.125, radius + 3.5, 0.35 + kPi / 2, 2 * kPi - 0.35 + kPi / 2, 40));
  };
  builder.single("circlip input", circlip(8), at({kInput, 0, -32.875}), "spacers", "rotating");
  builder.single("circlip output", circlip(13), at({kOutput, 0, 125.125}), "spacers", "rotating");
  builder.single("coupling input", ring(9 + kGap, 25, 22), at({kInput, 0, -58}), "spacers", "rotating");
  builder.single("coupling output", ring(14 + kGap, 32, 20), at({kOutput, 0, 128}), "spacers", "rotating");
}

/// Through the web of wheel 1, between two of its holes.
void add_oil_pipe(Builder& builder) {
  constexpr double kRadius = 2.5;
  builder.single("oil pipe", plate(3, 40, circle(kRadius)), at({kIntermediate, 30, 0}), "oil", "fixed");
  builder.plant({.a = "oil pipe",
                 .b = "gear/wheel 1",
                 .kind = ClashClass::piercing,
                 .volume = circle_area(kRadius) * 10,
                 .why = "runs through the web of the wheel"});
}

}  // namespace

void add_drive(Builder& builder) {
  add_shafts(builder);
  add_wheels(builder);
  add_keys(builder);
  add_rings(builder);
  add_oil_pipe(builder);
}

}  // namespace lamella::scenes::gearbox_parts
