#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "clash/boxes.hpp"
#include "lamella/clash.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

/// Bodies of a few meshes on a loose lattice, turned every way: some overlap, some do not.
Assembly crowd(std::size_t count) {
  Assembly assembly;
  for (std::uint32_t i = 0; i < 5; ++i) assembly.meshes.push_back(scenes::blob(400 + 50 * i, i + 1));
  for (std::size_t i = 0; i < count; ++i) {
    const double n = static_cast<double>(i);
    const Vec3d at{1.7 * static_cast<double>(i % 5), 1.9 * static_cast<double>(i / 5 % 5),
                   2.1 * static_cast<double>(i / 25)};
    assembly.parts.push_back({.name = "p" + std::to_string(i),
                              .mesh = static_cast<std::uint32_t>(i % 5),
                              .pose = {at, rotation_about({1 + 0.1 * n, 0.3 * n, 2}, 0.7 * n)}});
  }
  return assembly;
}

TEST(FindClashes, AgreesWithIntersectPairByPair) {
  const Assembly assembly = crowd(60);
  const ClashReport report = find_clashes(assembly, {.way_out = WayOut::none, .keep_clear = true});
  std::size_t next = 0, colliding = 0;
  for (std::uint32_t a = 0; a < assembly.parts.size(); ++a)
    for (std::uint32_t b = a + 1; b < assembly.parts.size(); ++b) {
      const auto placed = [&](std::uint32_t i) {
        return transformed(assembly.meshes[assembly.parts[i].mesh], assembly.parts[i].pose);
      };
      const Overlap o = intersect(placed(a), placed(b), {.certify = true});
      const bool listed = next < report.pairs.size() && report.pairs[next].a == a && report.pairs[next].b == b;
      if (!listed) {
        EXPECT_EQ(o.verdict, Verdict::clear) << a << " " << b;
        continue;
      }
      const ClashPair& p = report.pairs[next++];
      EXPECT_EQ(p.verdict, o.verdict) << a << " " << b;
      EXPECT_NEAR(p.volume, o.volume, 2 * (p.volume_error + o.volume_error) + 1e-9) << a << " " << b;
      colliding += o.colliding() ? 1 : 0;
    }
  EXPECT_EQ(next, report.pairs.size());
  EXPECT_GT(colliding, 10u);
}

TEST(FindClashes, AreTheSameForAnyNumberOfThreads) {
  const Assembly assembly = crowd(40);
  const ClashReport one = find_clashes(assembly, {.threads = 1, .clearance = 0.2});
  const ClashReport two = find_clashes(assembly, {.threads = 2, .clearance = 0.2});
  ASSERT_EQ(one.pairs.size(), two.pairs.size());
  for (std::size_t i = 0; i < one.pairs.size(); ++i) {
    EXPECT_EQ(one.pairs[i].kind, two.pairs[i].kind);
    EXPECT_EQ(one.pairs[i].volume, two.pairs[i].volume);
    EXPECT_EQ(one.pairs[i].depth, two.pairs[i].depth);
    EXPECT_EQ(one.pairs[i].distance, two.pairs[i].distance);
  }
}

TEST(FindClashes, OfSharesTogetherAreThoseOfTheWhole) {
  const Assembly assembly = crowd(50);
  const ClashOptions options{.clearance = 0.3};
  const ClashReport whole = find_clashes(assembly, options);
  const std::vector<MeshView> meshes(assembly.meshes.begin(), assembly.meshes.end());
  const MeshesByNumber load = [&](std::span<const std::uint32_t> numbers) {
    std::vector<Mesh> some;
    for (const std::uint32_t number : numbers) some.push_back(assembly.meshes.at(number));
    return some;
  };
  ClashShare share(assembly.parts, part_boxes(meshes, assembly.parts, options), load, options);
  std::size_t pairs = 0, candidates = 0;
  for (int side = 0; side < 2; ++side) {
    const ClashReport part = share.find([&](Vec3d low) { return (low.x > 3) == (side == 1); });
    EXPECT_GT(part.pairs.size(), 5u);
    pairs += part.pairs.size();
    candidates += part.candidate_count;
    for (const ClashPair& p : part.pairs) {
      const auto same = std::find_if(whole.pairs.begin(), whole.pairs.end(),
                                     [&](const ClashPair& w) { return w.a == p.a && w.b == p.b; });
      ASSERT_NE(same, whole.pairs.end());
      EXPECT_EQ(same->volume, p.volume);
      EXPECT_EQ(same->distance, p.distance);
    }
  }
  EXPECT_EQ(pairs, whole.pairs.size());
  EXPECT_EQ(candidates, whole.candidate_count);
}

TEST(FindClashes, OneScrewInManyHolesIsOneFinding) {
  Assembly assembly;
  assembly.meshes = {test::box_mesh({-50, -1, -1}, {50, 1, 0}), test::box_mesh({-0.2f, -0.2f, -0.5f}, {0.2f, 0.2f, 2})};
  assembly.parts = {{.name = "plate", .mesh = 0}};
  for (int i = 0; i < 40; ++i)
    assembly.parts.push_back(
        {.name = "screw " + std::to_string(i), .mesh = 1, .pose = {{-40.0 + 2 * i, 0, i == 7 ? -0.1 : 0}, {}}});
  const ClashReport report = find_clashes(assembly);
  ASSERT_EQ(report.findings.size(), 1u);
  const ClashFinding& finding = report.findings[0];
  ASSERT_EQ(finding.pairs.size(), 40u);
  EXPECT_EQ(report.pairs[finding.pairs[0]].b, 8u);  // the deepest comes first
  EXPECT_NEAR(finding.largest_volume, 0.4 * 0.4 * 0.6, 1e-4);
  EXPECT_NEAR(finding.total_volume, 0.16 * (39 * 0.5 + 0.6), 1e-3);
}

TEST(FindClashes, ComeTheWorstFirstAndWhatIsAllowedLast) {
  Assembly assembly;
  assembly.meshes = {test::cube(1), test::cube(0.3f), test::cube(0.9f)};
  assembly.parts = {{.name = "a", .mesh = 0}, {.name = "inside", .mesh = 1}, {.name = "beside", .mesh = 2}};
  assembly.parts[2].pose.translation = {1.8, 0, 0};
  ClashReport report = find_clashes(assembly);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].kind, ClashClass::contained);
  EXPECT_EQ(report.findings[1].kind, ClashClass::overlapping);
  ClashOptions options;
  options.rules = {{.a = "inside", .b = "*", .allow_contact = true}};
  report = find_clashes(assembly, options);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].kind, ClashClass::overlapping);
  EXPECT_TRUE(report.findings[1].allowed);
  EXPECT_EQ(report.count(ClashClass::contained), 0u);
}

TEST(FindClashes, StopWithWhatIsKnown) {
  const Assembly assembly = crowd(30);
  ClashOptions options;
  std::uint64_t total = 0;
  options.progress = [&](std::uint64_t, std::uint64_t all) { total = all; };
  EXPECT_TRUE(find_clashes(assembly, options).complete);
  EXPECT_GT(total, 0u);
  options.stop = [] { return true; };
  const ClashReport stopped = find_clashes(assembly, options);
  EXPECT_FALSE(stopped.complete);
  EXPECT_EQ(stopped.tested_count, 0u);
  EXPECT_EQ(stopped.candidate_count, total);
}

TEST(FindClashes, OfAnOpenPartSayWhy) {
  Mesh open = test::cube(1);
  open.triangles.resize(open.triangles.size() - 2);
  const ClashReport closed = find_clashes(test::two_parts(open, test::cube(1), {{0.5, 0.1, 0.2}, {}}));
  ASSERT_EQ(closed.pairs.size(), 1u);
  ASSERT_FALSE(closed.pairs[0].doubts.empty());
  EXPECT_EQ(closed.pairs[0].doubts[0].cause, Doubt::Cause::closed_holes);
  EXPECT_EQ(closed.pairs[0].doubts[0].mesh, 0);
}

TEST(FindClashes, OfPartsThatAreInsideOutAreUndecided) {
  Mesh inside_out = test::cube(1);
  for (Triangle& t : inside_out.triangles) std::swap(t.b, t.c);
  const ClashReport report = find_clashes(test::two_parts(test::cube(1), inside_out, {{0.5, 0.1, 0.2}, {}}));
  ASSERT_EQ(report.pairs.size(), 1u);
  EXPECT_EQ(report.pairs[0].verdict, Verdict::undecided);
  EXPECT_EQ(report.undecided_count(), 1u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_TRUE(report.findings[0].undecided);
  EXPECT_FALSE(report.pairs[0].doubts.empty());
}

TEST(FindClashes, OfNothingIsNothing) {
  EXPECT_TRUE(find_clashes({}).pairs.empty());
  Assembly empty = test::two_parts(Mesh{}, test::cube(1));
  EXPECT_EQ(find_clashes(empty).candidate_count, 0u);
}

TEST(FindClashes, RefuseWhatIsNoAssembly) {
  Assembly assembly = test::two_parts(test::cube(1), test::cube(1));
  assembly.parts[1].mesh = 7;
  EXPECT_THROW((void)find_clashes(assembly), Error);
  assembly.parts[1].mesh = 1;
  assembly.parts[1].pose.translation.x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)find_clashes(assembly), Error);
  assembly.parts[1].pose = {};
  assembly.meshes[0].triangles[0].a = 99;
  EXPECT_THROW((void)find_clashes(assembly), Error);
  EXPECT_THROW((void)find_clashes({}, {.clearance = -1}), Error);
}

}  // namespace
}  // namespace lamella
