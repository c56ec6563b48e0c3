// Volumes, depths and regions where sampling alone would be wrong without a word.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "clash/boxes.hpp"
#include "lamella/clash.hpp"
#include "lamella/elementary.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::cube;
using test::only_pair;
using test::two_parts;

void append(Mesh& to, const Mesh& more) {
  const auto first = static_cast<std::uint32_t>(to.positions.size());
  to.positions.insert(to.positions.end(), more.positions.begin(), more.positions.end());
  for (const Triangle& t : more.triangles) to.triangles.push_back({t.a + first, t.b + first, t.c + first});
}

/// A prism around the z axis, and its volume as its vertices are.
Mesh prism(int corners, double radius, double low, double high) {
  Mesh m;
  for (const double z : {low, high})
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      m.positions.push_back(to_float(Vec3d{radius * elementary::cos(angle), radius * elementary::sin(angle), z}));
    }
  const auto n = static_cast<std::uint32_t>(corners);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t next = (i + 1) % n;
    m.triangles.push_back({i, next, n + next});
    m.triangles.push_back({i, n + next, n + i});
    if (i > 0 && i + 1 < n) {
      m.triangles.push_back({0, i + 1, i});
      m.triangles.push_back({n, n + i, n + i + 1});
    }
  }
  return m;
}

/// A plate that overlaps the one below it by a thousandth, with a pin that reaches 15 deep.
Assembly pin_in_plate() {
  Mesh upper = box_mesh({-50, -50, -0.001f}, {50, 50, 10});
  append(upper, box_mesh({20.1f, 13.3f, -15}, {20.6f, 13.8f, 5}));
  return two_parts(box_mesh({-50, -50, -20}, {50, 50, 0}), std::move(upper));
}

TEST(ClashMeasures, APinThatRaysMissIsNotATouch) {
  const ClashPair p = only_pair(pin_in_plate(), {.touch = 0.005});
  EXPECT_EQ(p.verdict, Verdict::colliding);
  EXPECT_NE(p.kind, ClashClass::touching);
  EXPECT_TRUE(p.depth == 0 || p.depth > 10) << p.depth;
}

TEST(ClashMeasures, APinThatRaysMissIsNotAllowedByItsDepth) {
  ClashOptions options;
  options.rules.push_back({.name = "fits", .allowed_depth = 0.01});
  EXPECT_FALSE(only_pair(pin_in_plate(), options).allowed);
  // Without the pin it is a fit.
  const Assembly fit = two_parts(box_mesh({-50, -50, -20}, {50, 50, 0}), box_mesh({-50, -50, -0.001f}, {50, 50, 10}));
  const ClashPair p = only_pair(fit, options);
  EXPECT_TRUE(p.allowed);
  EXPECT_NEAR(p.depth, 0.001, 1e-5);
}

TEST(ClashMeasures, AnAllowedVolumeIsAllowedWithItsErrorBar) {
  const Assembly slab = two_parts(cube(1), cube(1), {{1.9, 0.013, 0.007}, rotation_about({1, 2, 3}, 0.2)});
  const ClashPair found = only_pair(slab);
  ASSERT_GT(found.volume_error, 0);
  ClashOptions options;
  options.rules.push_back({.name = "fits", .allowed_volume = found.volume + 0.5 * found.volume_error});
  EXPECT_FALSE(only_pair(slab, options).allowed);
  options.rules[0].allowed_volume = found.volume + 2 * found.volume_error;
  EXPECT_TRUE(only_pair(slab, options).allowed);
}

bool allowed_up_to(const Assembly& assembly, double volume) {
  ClashOptions options;
  options.rules.push_back({.name = "fits", .allowed_volume = volume});
  return only_pair(assembly, options).allowed;
}

TEST(ClashMeasures, AVolumeThatIsNotAllThatIsSharedIsNotAllowed) {
  const Assembly whole = two_parts(cube(1), cube(1), {{1.9, 0, 0}, {}});
  ASSERT_TRUE(allowed_up_to(whole, 0.5));
  Assembly inwards = whole;  // a body of the second part, in the first one, whose faces look inwards
  Mesh turned = box_mesh({-2.5f, -0.5f, -0.5f}, {-1.5f, 0.5f, 0.5f});
  for (Triangle& t : turned.triangles) std::swap(t.b, t.c);
  append(inwards.meshes[1], turned);
  EXPECT_FALSE(allowed_up_to(inwards, 0.5));
  Assembly damaged = whole;  // one of whose vertices is not finite
  Mesh nowhere = box_mesh({-2.5f, -0.5f, -0.5f}, {-1.5f, 0.5f, 0.5f});
  nowhere.positions[3].x = std::numeric_limits<float>::infinity();
  append(damaged.meshes[1], nowhere);
  EXPECT_FALSE(allowed_up_to(damaged, 0.5));
}

TEST(ClashMeasures, AnAllowedVolumeHasRoomForOtherWaysToCloseHoles) {
  Assembly assembly = two_parts(cube(1), cube(1), {{1.9, 0, 0}, {}});
  std::erase_if(assembly.meshes[1].triangles, [](const Triangle& t) { return t.a == 7 || t.b == 7 || t.c == 7; });
  const ClashPair p = only_pair(assembly);
  ASSERT_EQ(p.verdict, Verdict::colliding);
  EXPECT_FALSE(allowed_up_to(assembly, p.volume + p.volume_error + 1));
  EXPECT_TRUE(allowed_up_to(assembly, p.volume + p.volume_error + 8.1));  // the cube is the box around the hole's rim
}

TEST(ClashMeasures, PartsThatCannotBeTestedAreNamed) {
  Assembly assembly = two_parts(cube(1), cube(1), {{0.5, 0, 0}, {}});
  Mesh point = cube(1), nowhere = cube(1);
  for (Vec3& p : point.positions) p = {0, 0, 0};
  for (Vec3& p : nowhere.positions) p.x = std::numeric_limits<float>::quiet_NaN();
  assembly.meshes.push_back(point);
  assembly.meshes.push_back(nowhere);
  assembly.parts.push_back({.name = "point", .mesh = 2});
  assembly.parts.push_back({.name = "nowhere", .mesh = 3});
  const ClashReport report = find_clashes(assembly);
  EXPECT_EQ(report.unusable_parts, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_TRUE(report.damaged_parts.empty());
  EXPECT_EQ(report.pairs.size(), 1u);
}

TEST(ClashMeasures, PartsOfWhichSomethingWasNotTestedAreNamed) {
  Assembly assembly = two_parts(cube(1), cube(1), {{5, 0, 0}, {}});
  Mesh lost = cube(1);
  for (Vec3& p : lost.positions) p.y = std::numeric_limits<float>::quiet_NaN();
  append(assembly.meshes[1], lost);
  const ClashReport report = find_clashes(assembly);
  EXPECT_TRUE(report.unusable_parts.empty());
  EXPECT_EQ(report.damaged_parts, (std::vector<std::uint32_t>{1}));
  Mesh& wide = assembly.meshes[1];  // in doubles, too
  for (const Vec3& p : wide.positions) wide.wide.push_back(to_double(p) * (1 + 1e-12));
  EXPECT_EQ(find_clashes(assembly).damaged_parts, (std::vector<std::uint32_t>{1}));
}

// Grids in the middle of symmetric parts had bars that held for two in three.
TEST(ClashMeasures, VolumesOfSymmetricPartsAreWithinTheirErrorBars) {
  int within = 0, all = 0;
  double worst = 0;
  for (const int corners : {4, 6, 8, 12, 24, 60})
    for (const double radius : {0.31, 0.5, 0.77, 1.0}) {
      const Mesh pin = prism(corners, radius, -2, 2);
      const double exact = signed_volume(prism(corners, radius, -0.5, 0.5));
      // A stack of plates, and a cylinder that is wider at one end only.
      for (const Mesh& other : {box_mesh({-3, -3, -0.5f}, {3, 3, 0.5f}), prism(48, 2.5, -0.5, 0.5)}) {
        const ClashPair p = only_pair(two_parts(pin, other), {.way_out = WayOut::none});
        EXPECT_EQ(p.kind, ClashClass::piercing);
        const double off = std::abs(p.volume - exact);
        ++all;
        within += off <= p.volume_error ? 1 : 0;
        worst = std::max(worst, off / p.volume_error);
      }
    }
  EXPECT_GE(within, 0.9 * all) << within << " of " << all;
  EXPECT_LT(worst, 3);
}

TEST(ClashMeasures, APartInsideAnotherSharesItsOwnVolume) {
  const Mesh inner = scenes::blob(1000, 7);
  const ClashPair p = only_pair(two_parts(cube(4), inner, {{0.3, 0.2, 0.1}, rotation_about({1, 1, 0}, 1)}));
  EXPECT_EQ(p.kind, ClashClass::contained);
  EXPECT_NEAR(p.volume, signed_volume(inner), p.volume_error);
  EXPECT_LT(p.volume_error, 1e-5 * p.volume);
}

TEST(ClashMeasures, ASmallNubInALargeWallOverlaps) {
  for (const float size : {0.4f, 1.0f, 2.0f}) {
    Mesh part = box_mesh({-40, -40, 1}, {40, 40, 5});
    append(part, box_mesh({11.3f, -7.7f, -0.9f}, {11.3f + size, -7.7f + size, 3}));
    const ClashPair p = only_pair(two_parts(box_mesh({-50, -50, -20}, {50, 50, 0}), std::move(part)));
    EXPECT_EQ(p.kind, ClashClass::overlapping) << size;
    EXPECT_NEAR(p.depth, 0.9, 0.01) << size;
    EXPECT_NEAR(p.volume, 0.9 * size * size, 2 * p.volume_error) << size;
  }
}

TEST(ClashMeasures, APartThatReachesOutOfTheOtherIsNotContained) {
  // Half of a thin sheet is in the block: the bar of what they share is long.
  const ClashPair p =
      only_pair(two_parts(cube(10), box_mesh({-5, -5, 0}, {25, 5, 0.001f}), {{}, rotation_about({1, 2, 3}, 0.3)}));
  EXPECT_NE(p.kind, ClashClass::contained);
  EXPECT_NE(p.kind, ClashClass::duplicate);
}

TEST(ClashMeasures, AFilmThatNoRayMeetsHasADepthAndAnErrorBar) {
  Mesh part = box_mesh({-40, -40, 1}, {40, 40, 5});
  append(part, box_mesh({11.3f, -7.7f, -0.2f}, {11.31f, -7.69f, 3}));
  const ClashPair p = only_pair(two_parts(box_mesh({-50, -50, -20}, {50, 50, 0}), std::move(part)));
  EXPECT_EQ(p.verdict, Verdict::colliding);
  EXPECT_GE(p.depth, 0.2 - 1e-6);  // a way that is proved, not always the shortest
  EXPECT_LT(p.depth, 0.5);
  EXPECT_GE(p.volume_error, std::abs(p.volume - 0.2 * 0.01 * 0.01));
}

TEST(ClashMeasures, TeethThatAreCloseAreCountedOneByOne) {
  Mesh comb = box_mesh({-1, -1, 1}, {61, 3, 5});
  for (int i = 0; i < 30; ++i) {
    const auto x = static_cast<float>(2 * i);
    append(comb, box_mesh({x, 0, -0.7f}, {x + 1, 2, 3}));
  }
  const ClashPair p = only_pair(two_parts(box_mesh({-5, -5, -20}, {70, 70, 0}), std::move(comb)));
  ASSERT_EQ(p.region_count, 30u);
  ASSERT_EQ(p.regions.size(), 30u);
  double sum = 0;
  for (const ClashRegion& r : p.regions) {
    EXPECT_NEAR(r.volume, 0.7 * 2, 0.5);  // a tooth is three columns wide in the view that tells them apart
    sum += r.volume;
  }
  EXPECT_NEAR(sum, p.volume, 1e-6 * p.volume);
}

TEST(ClashMeasures, ASmallRegionInsideALargeOneIsFound) {
  // The rim of a lid, and a pin in its middle that is narrower than a column of the coarsest view.
  for (const float at : {-0.3f, 0.1f, 0.55f}) {
    Mesh lid = box_mesh({-41, -41, 5}, {41, 41, 10});
    for (const float side : {-1.f, 1.f}) {
      append(lid, box_mesh({-40, side < 0 ? -40.f : 35.f, -2}, {40, side < 0 ? -35.f : 40.f, 6}));
      append(lid, box_mesh({side < 0 ? -40.f : 35.f, -36, -2}, {side < 0 ? -35.f : 40.f, 36, 6}));
    }
    append(lid, box_mesh({at, at, -2}, {at + 2, at + 2, 6}));
    const ClashPair p = only_pair(two_parts(box_mesh({-50, -50, -20}, {50, 50, 0}), std::move(lid)));
    ASSERT_EQ(p.region_count, 2u) << at;
    EXPECT_GT(p.regions[1].volume, 4) << at;  // of 8: it is two columns wide
    EXPECT_LT(p.regions[1].volume, 12) << at;
  }
}

TEST(ClashMeasures, ATightToleranceIsNotSpoiltByACoarserView) {
  const double exact = signed_volume(prism(24, 1, -0.5, 0.5)) - signed_volume(prism(24, 0.9, -0.5, 0.5));
  Mesh tube = prism(24, 1, -3, 3), bore = prism(24, 0.9, -3, 3);
  for (Triangle& t : bore.triangles) std::swap(t.b, t.c);
  append(tube, bore);
  const ClashPair p = only_pair(two_parts(tube, box_mesh({-4, -4, -0.5f}, {4, 4, 0.5f})),
                                {.tolerance = Tolerance{.relative = 0.001}, .way_out = WayOut::none});
  EXPECT_TRUE(p.tolerance_met);
  EXPECT_NEAR(p.volume, exact, p.volume_error);
  EXPECT_LE(p.volume_error, 0.001 * p.volume);
}

/// A mesh in doubles, placed.
Mesh in_doubles(const Mesh& mesh, const Transform& pose) {
  Mesh out = transformed(mesh, pose);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    out.wide.push_back(apply(pose, to_double(mesh.positions[i])) - out.origin);
    out.positions[i] = to_float(out.wide[i]);
  }
  return out;
}

/// Two cubes of 1 m, placed in their poses or as meshes in doubles.
Assembly placed_cubes(const Transform& a, const Transform& b, bool in_poses) {
  const Mesh cube = box_mesh({0, 0, 0}, {1, 1, 1});
  if (!in_poses) return two_parts(in_doubles(cube, a), in_doubles(cube, b));
  Assembly assembly = two_parts(cube, cube, b);
  assembly.parts[0].pose = a;
  return assembly;
}

/// A kilometre away and near a coordinate that floats do not hold well.
constexpr Vec3d kFarAway{1000.37, -1000.11, 1000.73};
constexpr double kShared = 1e-5;  ///< 10 micrometres

/// Cubes that share a film, one of them turned by a right angle.
Assembly large_cubes(bool in_poses) {
  const Transform turned{{kFarAway.x + 1 - kShared, kFarAway.y + 1, kFarAway.z},
                         rotation_about({0, 0, 1}, -std::numbers::pi / 2)};
  return placed_cubes({kFarAway, {}}, turned, in_poses);
}

TEST(ClashMeasures, FilmsThatLargePartsShareAreRightFarAway) {
  for (const bool in_poses : {true, false}) {
    SCOPED_TRACE(in_poses ? "poses" : "meshes in doubles");
    const ClashPair p = only_pair(large_cubes(in_poses));
    EXPECT_EQ(p.verdict, Verdict::colliding);
    EXPECT_NEAR(p.volume, 1e-5, 1e-8);
    EXPECT_NEAR(p.depth, 1e-5, 1e-8);
    EXPECT_NEAR(p.max.x - p.min.x, 1e-5, 1e-8);
    EXPECT_LE(std::abs(p.volume - 1e-5), p.volume_error);
    EXPECT_LT(p.volume_error, 0.03 * p.volume);
  }
  // What floats alone make of it is farther off, and says so.
  Assembly rounded = large_cubes(false);
  for (Mesh& m : rounded.meshes) m.wide.clear();
  const ClashPair p = only_pair(rounded);
  EXPECT_GT(std::abs(p.volume - 1e-5), 1e-8);
  EXPECT_LE(std::abs(p.volume - 1e-5), p.volume_error);
}

TEST(ClashMeasures, FilmsOfPartsThatAreTurnedAnywhichWayAreRightFarAway) {
  const Vec3d axes[] = {{1, 2, 3}, {-1, 0.2, 0.7}, {0.1, 1, -0.3}, {5, -4, 3}};
  for (const bool in_poses : {true, false})
    for (int i = 0; i < 4; ++i) {
      SCOPED_TRACE(std::string(in_poses ? "poses" : "meshes in doubles") + ", turn " + std::to_string(i));
      const Quaternion turn = rotation_about(axes[i], 0.4 + i);
      const Vec3d shift{1 - kShared, 0.13, -0.21};
      const ClashPair p = only_pair(placed_cubes({kFarAway, turn}, {kFarAway + rotate(turn, shift), turn}, in_poses));
      const double exact = kShared * (1 - 0.13) * (1 - 0.21);
      EXPECT_EQ(p.verdict, Verdict::colliding);
      EXPECT_NEAR(p.volume, exact, 0.001 * exact);
      EXPECT_LE(std::abs(p.volume - exact), p.volume_error);
      EXPECT_LT(p.volume_error, (in_poses ? 0.02 : 0.002) * exact);  // floats may have been rounded
      const Vec3d middle = kFarAway + rotate(turn, {1 - 0.5 * kShared, 0.565, 0.395});
      EXPECT_LT(length(p.centroid - middle), 1e-3);
      EXPECT_EQ(p.region_count, 1u);
      EXPECT_NEAR(p.depth, kShared, 0.001 * kShared);
      EXPECT_LT(length(p.way_out - rotate(turn, {-1, 0, 0})), 1e-6);
      // With a tolerance, too.
      const ClashPair tight =
          only_pair(placed_cubes({kFarAway, turn}, {kFarAway + rotate(turn, shift), turn}, in_poses),
                    {.tolerance = Tolerance{.relative = 0.03}});
      EXPECT_TRUE(tight.tolerance_met);
      EXPECT_NEAR(tight.volume, exact, 0.001 * exact);
    }
}

Quaternion some_turn(int i) {
  const double k = i;
  return rotation_about({std::sin(3 * k), std::cos(5 * k), std::sin(7 * k + 1)}, 0.3 + 0.7 * k);
}

/// The view that finds such a film moves its walls by more than it is thick, and sees a part of it.
TEST(ClashMeasures, FilmsThatAreThinnerThanWhatTheLatticeMovesAreNotCutOff) {
  for (int i = 0; i < 24; ++i) {
    SCOPED_TRACE("turn " + std::to_string(i));
    const Quaternion turn = some_turn(i);
    const double shared = i % 2 == 0 ? 2e-6 : 1e-6;
    const Vec3d shift{1 - shared, 0.13, -0.21};
    const ClashPair p = only_pair(placed_cubes({kFarAway, turn}, {kFarAway + rotate(turn, shift), turn}, false));
    const double exact = shared * (1 - 0.13) * (1 - 0.21);
    EXPECT_EQ(p.verdict, Verdict::colliding);
    EXPECT_LE(std::abs(p.volume - exact), p.volume_error);
    EXPECT_NEAR(p.volume, exact, 0.01 * exact);
    EXPECT_EQ(p.region_count, 1u);
    EXPECT_NEAR(p.depth, shared, 0.01 * shared);
    // The film is a rectangle on the wall x = 1; its box in the world is known by a column.
    Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
    for (const double y : {0.13, 1.0})
      for (const double z : {0.0, 0.79})
        for (int axis = 0; axis < 3; ++axis) {
          const double at = (kFarAway + rotate(turn, {1, y, z}))[axis];
          low[axis] = std::min(low[axis], at);
          high[axis] = std::max(high[axis], at);
        }
    EXPECT_LT(length(p.min - low), 0.01);
    EXPECT_LT(length(p.max - high), 0.01);
  }
}

/// Rays see the walls where the lattice moved them; along other directions, ways out look shorter than they are.
TEST(ClashMeasures, FilmsAreAsDeepAsTheyAreThick) {
  constexpr double kThick = 5e-6;
  for (int i = 0; i < 64; ++i) {
    SCOPED_TRACE("turn " + std::to_string(i));
    const Quaternion turn = some_turn(i);
    const Vec3d shift{1 - kThick, 0.4 * std::sin(11.0 * i), 0.4 * std::cos(13.0 * i)};
    const ClashPair p = only_pair(placed_cubes({{}, turn}, {rotate(turn, shift), turn}, true));
    const double exact = kThick * (1 - std::abs(shift.y)) * (1 - std::abs(shift.z));
    EXPECT_LE(std::abs(p.volume - exact), p.volume_error);
    EXPECT_NEAR(p.depth, kThick, 0.001 * kThick);
  }
}

/// Walls that are turned against each other by 10 micrometres a metre: the film ends in an edge.
TEST(ClashMeasures, WedgesBetweenWallsAreNotCutOff) {
  constexpr double kThick = 1e-5;
  for (int i = 0; i < 16; ++i) {
    SCOPED_TRACE("turn " + std::to_string(i));
    const Quaternion turn = some_turn(i);
    const Quaternion tilted = turn * rotation_about({0, 1, 0}, std::atan(kThick));
    // The wall x = 0 of the second cube goes through the edge x = 1, z = 0 of the first one.
    const Vec3d shift{1 - kThick, 0.13, 0};
    const ClashPair p = only_pair(placed_cubes({kFarAway, turn}, {kFarAway + rotate(turn, shift), tilted}, false));
    const double exact = 0.5 * kThick * (1 - 0.13);
    EXPECT_EQ(p.verdict, Verdict::colliding);
    EXPECT_LE(std::abs(p.volume - exact), p.volume_error);
    EXPECT_NEAR(p.volume, exact, 0.01 * exact);
  }
}

}  // namespace
}  // namespace lamella
