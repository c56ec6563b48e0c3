#include <string>

#include "lamella/elementary.hpp"
#include "scenes/gearbox/builder.hpp"
#include "scenes/gearbox/dimensions.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes::gearbox_parts {
namespace {

/// Layers of the front half: where screws end, the rest of the wall, the rim, the flange. Those of the rear half are
/// the same from behind.
struct Layers {
  explicit Layers(bool at_rear) : rear(at_rear) {}
  bool rear;

  [[nodiscard]] std::vector<double> levels() const {
    std::vector<double> all{kWallOutside, -6, kWallInside, kFlangeBack, kFlangeFace};
    if (!rear) return all;
    for (double& z : all) z = mirrored(z);
    return {all.rbegin(), all.rend()};
  }
  [[nodiscard]] std::uint32_t bits(bool screws, bool wall, bool rim, bool flange) const {
    return rear ? flange | rim << 1 | wall << 2 | screws << 3 : screws | wall << 1 | rim << 2 | flange << 3;
  }
};

PrismStack half(bool rear) {
  const Layers layers(rear);
  PrismStack stack(layers.levels());
  const std::size_t flange = stack.add(cavity_outline(kFlange), layers.bits(false, false, false, true));
  for (const Point2 place : kFlangeBolts) stack.add(circle(kBoltHole, place), 0, flange);
  // The dowels are pressed into the front half and slide in the other.
  for (const Point2 place : kDowels) stack.add(circle(rear ? kDowel + kGap : kDowel - kPress, place), 0, flange);
  const std::size_t rim = stack.add(cavity_outline(kWall), layers.bits(true, true, true, true), flange);
  const std::size_t wall = stack.add(cavity_outline(0), layers.bits(true, true, false, false), rim);
  for (const BearingPlace& bearing : kBearingPlaces) {
    stack.add(circle(bearing.size.outside + kGap, {bearing.x, 0}), 0, wall);
    for (int i = 0; i < kCoverScrews; ++i) {
      const Point2 p = cover_screw(cover_of(bearing.size), i);
      stack.add(circle(kScrewHole, {bearing.x + p.x, p.y}), layers.bits(false, true, false, false), wall);
    }
  }
  if (rear)
    for (const Point2 place : kPlugs) stack.add(circle(kPlugHole, place), 0, wall);
  return stack;
}

/// Thicker than the space between the halves: it is squeezed from both sides.
void add_gasket(Builder& builder) {
  constexpr double kSqueezed = 1.0 / 16;
  PrismStack gasket({kFlangeFace - kSqueezed, mirrored(kFlangeFace) + kSqueezed});
  const std::size_t outline = gasket.add(cavity_outline(kFlange - 1), 1);
  for (const Point2 place : kFlangeBolts) gasket.add(circle(kBoltHole + 0.2, place), 0, outline);
  for (const Point2 place : kDowels) gasket.add(circle(kDowel + 0.5, place), 0, outline);
  gasket.add(cavity_outline(0), 0, outline);
  builder.single("housing/gasket", gasket, at({}), "gaskets", "soft");
  const double volume = gasket.volume() / (mirrored(kFlangeFace) - kFlangeFace + 2 * kSqueezed) * kSqueezed;
  for (const char* other : {"housing/front", "housing/rear"})
    builder.plant({.a = "housing/gasket",
                   .b = other,
                   .kind = ClashClass::overlapping,
                   .allowed = true,
                   .volume = volume,
                   .why = "a gasket is squeezed by 1/16 mm"});
}

void add_feet(Builder& builder) {
  PrismStack foot({0, 8, 14 - kGap});
  const std::size_t outline = foot.add(rectangle({-24, -12}, {24, 12}), 1);
  foot.add(rectangle({5, -11}, {23, 11}), 3, outline);
  foot.add(circle(kFootHole, {kFootHoleFromMiddle, 0}), 0, outline);
  const std::uint32_t mesh = builder.mesh("foot", foot);
  PrismStack base({0, kBaseThickness});
  const std::size_t base_outline = base.add(rounded_rectangle({-50, -120}, {141, 150}, 10), 1);
  int number = 0;
  for (const double x : kFeet) {
    builder.part("foot " + std::to_string(++number), mesh, at({x, kFootBottom, kFootMiddle}, kUp), "housing", "fixed");
    builder.part("foot " + std::to_string(++number), mesh, at({x, kFootBottom, mirrored(kFootMiddle)}, kUpTurned),
                 "housing", "fixed");
    const double hole = kFootMiddle + kFootHoleFromMiddle;
    base.add(circle(kFootHole, {hole, x}), 0, base_outline);
    base.add(circle(kFootHole, {mirrored(hole), x}), 0, base_outline);
  }
  builder.single("base plate", base, at({0, kBaseTop - kBaseThickness, 0}, kUp), "housing", "fixed");
}

}  // namespace

Point2 cover_screw(const CoverSize& cover, int number) {
  const double angle = kPi / 6 + 2 * kPi * number / kCoverScrews;
  return {cover.screw_circle * elementary::cos(angle), cover.screw_circle * elementary::sin(angle)};
}

void add_housing(Builder& builder) {
  builder.single("housing/front", half(false), at({}), "housing", "fixed");
  builder.single("housing/rear", half(true), at({}), "housing", "fixed");
  add_gasket(builder);
  add_feet(builder);
}

}  // namespace lamella::scenes::gearbox_parts
