// Covers over the bearings, with gaskets, screws and, where a shaft comes out, seals.

#include "scenes/gearbox/builder.hpp"
#include "scenes/gearbox/dimensions.hpp"

namespace lamella::scenes::gearbox_parts {
namespace {

constexpr double kGasket = 0.5, kPlate = 6;
/// Where the plate of a cover in front ends, inside and outside.
constexpr double kInside = kWallOutside - kGasket - 2 * kGap, kOutside = kInside - kPlate;
/// A seal bites into the shaft and into the cover.
constexpr double kSealInShaft = 0.25, kSealInCover = 1.0 / 8, kLip = 1, kSealWidth = 5.5;

PrismStack cover(const CoverSize& size, bool open) {
  PrismStack stack({0, kPlate, kBearingFront - kGap - kOutside});
  const std::size_t outline = stack.add(circle(size.outside), 1);
  for (int i = 0; i < kCoverScrews; ++i) stack.add(circle(kScrewHole, cover_screw(size, i)), 0, outline);
  const std::size_t spigot = stack.add(circle(size.spigot_outside), 3, outline);
  const std::size_t within = stack.add(circle(size.spigot_inside), 1, spigot);
  if (open) stack.add(circle(size.shaft_hole), 0, within);
  return stack;
}

PrismStack gasket(const CoverSize& size) {
  PrismStack stack({0, kGasket});
  const std::size_t outline = stack.add(circle(size.outside), 1);
  for (int i = 0; i < kCoverScrews; ++i) stack.add(circle(kScrewHole, cover_screw(size, i)), 0, outline);
  stack.add(circle(size.spigot_outside + 0.75), 0, outline);
  return stack;
}

/// With a socket for a hexagonal key.
PrismStack screw() {
  PrismStack stack({0, 2, 4, 18});
  const std::size_t head = stack.add(circle(3.5), 3);
  const std::size_t shank = stack.add(circle(2), 7, head);
  stack.add(circle(1.75, {}, 6), 6, shank);
  return stack;
}

PrismStack seal(const CoverSize& size, double shaft) {
  PrismStack stack({0, kLip, kSealWidth});
  const std::size_t outline = stack.add(circle(size.shaft_hole + kSealInCover), 3);
  const std::size_t body = stack.add(circle(shaft + 2.5), 1, outline);
  stack.add(circle(shaft - kSealInShaft), 0, body);
  return stack;
}

struct CoverMeshes {
  CoverSize size;
  std::uint32_t closed, open, gasket;
};

CoverMeshes add_meshes(Builder& builder, const std::string& name, const CoverSize& size) {
  return {size, builder.mesh("cover " + name, cover(size, false)),
          builder.mesh("cover " + name + " open", cover(size, true)),
          builder.mesh("cover gasket " + name, gasket(size))};
}

/// Something at z in front, or where that is at the rear.
Transform placed(double x, double y, double z, bool rear) {
  return rear ? at({x, y, mirrored(z)}, kAgainstShaft) : at({x, y, z});
}

void add_seal(Builder& builder, const BearingPlace& place, bool rear, double shaft, const std::string& shaft_part,
              const std::string& cover_part) {
  const CoverSize& size = cover_of(place.size);
  const std::string name = std::string("seal ") + place.shaft;
  builder.single(name, seal(size, shaft), placed(place.x, 0, kOutside + 0.25, rear), "seals", "soft");
  builder.plant({.a = name,
                 .b = shaft_part,
                 .kind = ClashClass::piercing,
                 .allowed = true,
                 .volume = (circle_area(shaft) - circle_area(shaft - kSealInShaft)) * kLip,
                 .why = "the lip of a seal is stretched over the shaft"});
  builder.plant({.a = name,
                 .b = cover_part,
                 .kind = ClashClass::piercing,
                 .allowed = true,
                 .volume = (circle_area(size.shaft_hole + kSealInCover) - circle_area(size.shaft_hole)) * kSealWidth,
                 .why = "a seal is pressed into its cover"});
}

void add_screws(Builder& builder, const BearingPlace& place, bool rear, std::uint32_t mesh, int& number) {
  for (int i = 0; i < kCoverScrews; ++i) {
    const Point2 p = cover_screw(cover_of(place.size), i);
    const Quaternion axes = rear ? kAgainstShaft : kAlongShaft;
    const double z = kOutside - kGap - 4;
    const Transform pose = at({place.x + p.x, p.y, rear ? mirrored(z) : z}, axes, 0.4 * i);
    const std::string name = "screw M4x14 " + std::to_string(++number);
    builder.part(name, mesh, pose, "fasteners", "fixed");
    if (number != 7) continue;
    builder.part(name + " copy", mesh, pose, "fasteners", "fixed");
    builder.plant({.a = name,
                   .b = name + " copy",
                   .kind = ClashClass::duplicate,
                   .volume = screw().volume(),
                   .why = "the same screw twice"});
  }
}

}  // namespace

void add_covers(Builder& builder) {
  const CoverMeshes small = add_meshes(builder, "small", kSmallCover),
                    large = add_meshes(builder, "large", kLargeCover);
  const std::uint32_t screw_mesh = builder.mesh("screw M4x14", screw());
  int screws = 0;
  for (const BearingPlace& place : kBearingPlaces) {
    const CoverMeshes& meshes = place.size.bore == kSmallBearing.bore ? small : large;
    for (const bool rear : {false, true}) {
      const std::string end = std::string(place.shaft) + (rear ? " rear" : " front");
      const bool open = end == "input front" || end == "output rear";
      builder.part("cover " + end, open ? meshes.open : meshes.closed, placed(place.x, 0, kOutside, rear), "covers",
                   "fixed");
      builder.part("cover gasket " + end, meshes.gasket, placed(place.x, 0, kInside + kGap, rear), "gaskets", "soft");
      add_screws(builder, place, rear, screw_mesh, screws);
      if (open)
        add_seal(builder, place, rear, rear ? 14 : 9, rear ? "shaft/output" : "shaft/input pinion", "cover " + end);
    }
  }
  for (const char* end : {" front", " rear"})
    builder.plant({.a = std::string("cover input") + end,
                   .b = std::string("cover intermediate") + end,
                   .kind = ClashClass::near,
                   .distance = kIntermediate - kInput - 2 * kSmallCover.outside,
                   .why = "covers are 0.5 mm apart, where 0.75 mm are asked for"});
}

}  // namespace lamella::scenes::gearbox_parts
