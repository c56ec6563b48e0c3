// What is mounted on the housing, and what was left where it should not be.

#include <algorithm>
#include <string>

#include "lamella/elementary.hpp"
#include "scenes/gearbox/builder.hpp"
#include "scenes/gearbox/dimensions.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes::gearbox_parts {
namespace {

// Outsides of the housing's rim.
constexpr double kTop = 68, kLeft = -103, kRight = 133;

void add_name_plate(Builder& builder) {
  const double outside = kLeft - kGap - 1;
  const auto plate_from = [](std::size_t first) {
    Polygon outline = rounded_rectangle({-10, -18}, {10, 18}, 2);
    std::rotate(outline.begin(), outline.begin() + static_cast<std::ptrdiff_t>(first), outline.end());
    std::vector<Polygon> holes;
    for (const double x : {-8.0, 8.0})
      for (const double y : {-16.0, 16.0}) holes.push_back(circle(1.25, {x, y}));
    return plate(0, 1, outline, holes);
  };
  const Transform pose = at({outside, 0, 76}, kAcross);
  builder.single("name plate", plate_from(0), pose, "fittings", "fixed");
  builder.single("name plate old", plate_from(9), pose, "fittings", "fixed");  // other triangles
  builder.plant({.a = "name plate",
                 .b = "name plate old",
                 .kind = ClashClass::duplicate,
                 .volume = plate_from(0).volume(),
                 .why = "the old plate is still there: other triangles, the same solid"});

  PrismStack rivet({0, 1.1, 2.1});
  rivet.add(circle(1), 3, rivet.add(circle(2), 2));
  const std::uint32_t mesh = builder.mesh("rivet", rivet);
  int number = 0;
  for (const double y : {-8.0, 8.0})
    for (const double z : {-16.0, 16.0})
      builder.part("rivet " + std::to_string(++number), mesh, at({kLeft - 0.125, y, 76 + z}, kAgainstAcross),
                   "fasteners", "fixed");
}

void add_sight_glass(Builder& builder) {
  constexpr double kSunk = 0.5, kSide = 24;
  const Polygon square = rectangle({-kSide / 2, -kSide / 2}, {kSide / 2, kSide / 2});
  builder.single("sight glass", plate(0, 4, square), at({kRight - kSunk, 0, 74}, kAcross), "fittings", "fixed");
  builder.plant({.a = "sight glass",
                 .b = "housing/rear",
                 .kind = ClashClass::overlapping,
                 .volume = kSide * kSide * kSunk,
                 .why = "sunk 0.5 mm into the wall"});
  builder.single("sight glass lens", plate(0, 3, circle(8)), at({kRight - kSunk + 4 + kGap, 0, 74}, kAcross),
                 "fittings", "fixed");
}

/// Through the top wall, where nobody drilled a hole.
void add_probe(Builder& builder) {
  constexpr double kRadius = 3;
  PrismStack probe({0, 30, 36});
  probe.add(circle(kRadius), 3, probe.add(circle(6, {}, 6), 2));
  builder.single("temperature probe", probe, at({20, 50, 70}, kUp), "fittings", "fixed");
  builder.plant({.a = "temperature probe",
                 .b = "housing/rear",
                 .kind = ClashClass::piercing,
                 .volume = circle_area(kRadius) * kWall,
                 .why = "no hole in the wall"});
}

/// A square tube, and a cable through two of its walls.
void add_junction_box(Builder& builder) {
  constexpr double kThick = 2, kCable = 4;
  PrismStack box =
      plate(0, 30, rectangle({-15, 0}, {15, 20}), {rectangle({-15 + kThick, kThick}, {15 - kThick, 20 - kThick})});
  builder.single("junction box", box, at({60, kTop + kGap, 62}), "fittings", "fixed");
  builder.single("cable", plate(0, 50, rectangle({-kCable / 2, -kCable / 2}, {kCable / 2, kCable / 2})),
                 at({35, kTop + 10, 76}, kAcross), "fittings", "fixed");
  builder.plant({.a = "cable",
                 .b = "junction box",
                 .kind = ClashClass::piercing,
                 .volume = 2 * kThick * kCable * kCable,
                 .regions = 2,
                 .why = "goes in and out without holes"});
}

void add_top(Builder& builder) {
  Polygon outline{{-20, 0}, {20, 0}, {20, 6}};
  for (int i = 1; i < 24; ++i) {
    const double angle = kPi * i / 24;
    outline.push_back({12 * elementary::cos(angle), 18 + 12 * elementary::sin(angle)});
  }
  outline.push_back({-20, 6});
  builder.single("lifting lug", plate(0, 12, outline, {circle(6.5, {0, 18})}), at({-35, kTop + kGap, 64}), "fittings",
                 "fixed");
  builder.single("breather", stepped_shaft(0, {{4, 1}, {9, 0}, {22, 2}}, {circle(4), circle(8, {}, 6), circle(9.5)}),
                 at({-72, kTop + kGap, 70}, kUp), "fittings", "fixed");
}

void add_insert(Builder& builder) {
  const PrismStack insert = plate(0, 6, circle(4));
  builder.single("threaded insert", insert, at({15, kBaseTop - 8, 45}, kUp), "fasteners", "fixed");
  builder.plant({.a = "threaded insert",
                 .b = "base plate",
                 .kind = ClashClass::contained,
                 .volume = insert.volume(),
                 .why = "within the plate, out of reach"});
}

}  // namespace

void add_fittings(Builder& builder) {
  add_name_plate(builder);
  add_sight_glass(builder);
  add_probe(builder);
  add_junction_box(builder);
  add_top(builder);
  add_insert(builder);
  // What the whole must fit into: a box around everything, which a rule leaves out.
  builder.single("envelope", plate(-120, 120, rectangle({-65, -140}, {160, 160})), at({}, kUp), "envelope",
                 "reference");
}

}  // namespace lamella::scenes::gearbox_parts
