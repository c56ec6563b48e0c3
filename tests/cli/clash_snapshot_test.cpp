// Where a clash is looked at from, and what its picture shows.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "cli/clash/cut_out.hpp"
#include "cli/clash/snapshot.hpp"
#include "cli/clash_support.hpp"

namespace lamella::test {
namespace {

using cli::ClashView;
using cli::PlacedParts;

/// The share of pixels that are clearly red.
double red_share(const picture::Image& image) {
  std::size_t red = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    red += image.rgb[i] > 140 && image.rgb[i] > 2 * image.rgb[i + 1] && image.rgb[i] > 2 * image.rgb[i + 2] ? 1 : 0;
  return 3.0 * static_cast<double>(red) / static_cast<double>(image.rgb.size());
}

double area(const Mesh& mesh) {
  double sum = 0;
  for (const Triangle t : mesh.triangles) {
    const Vec3d a = to_double(mesh.positions[t.a]);
    sum += length(cross(to_double(mesh.positions[t.b]) - a, to_double(mesh.positions[t.c]) - a)) / 2;
  }
  return sum;
}

TEST(CutOut, KeepsWhatIsInsideAndCutsTheRest) {
  const Mesh box = make_box({0, 0, 0}, {2, 2, 2});
  EXPECT_NEAR(area(cli::cut_out(box, {1, 1, 1}, 5)), 24, 1e-6);
  EXPECT_NEAR(area(cli::cut_out(box, {0, 0, 0}, 1)), 3, 1e-6) << "a quarter of each of three faces";
  EXPECT_TRUE(cli::cut_out(box, {1, 1, 1}, 0.5).triangles.empty());
  EXPECT_TRUE(cli::cut_out(box, {9, 9, 9}, 1).triangles.empty());
}

TEST(CutOut, AHugeTriangleIsNotLost) {
  const Mesh wall = make_box({-1e6f, -1e6f, -1}, {1e6f, 1e6f, 0});
  const Mesh cut = cli::cut_out(wall, {500, -300, 0}, 2);
  EXPECT_NEAR(area(cut), 2 * 16, 0.01);
  for (const Vec3 p : cut.positions) EXPECT_LE(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}), 2.0001f);
}

TEST(CutOut, VerticesThatAreNotFiniteAreLeftOut) {
  Mesh box = make_box({0, 0, 0}, {1, 1, 1});
  box.positions[0].x = std::nanf("");
  const Mesh cut = cli::cut_out(box, {}, 10);
  EXPECT_LT(cut.triangles.size(), box.triangles.size());
  EXPECT_FALSE(cut.triangles.empty());
  EXPECT_TRUE(std::isfinite(area(cut)));
}

TEST(ClashSnapshot, LooksAcrossTheWayOutAndFromAbove) {
  const cli::ClashAnswer answer = SampleAssembly().answer();
  PlacedParts parts(answer.assembly);
  for (const ClashPair& pair : answer.report.pairs) {
    const ClashView view = cli::view_of(pair, parts);
    EXPECT_NEAR(length(view.direction), 1, 1e-12);
    EXPECT_LT(view.direction.z, 0);
    EXPECT_LT(std::abs(dot(view.direction, pair.way_out)), 0.5) << answer.assembly.parts[pair.a].name;
    EXPECT_GT(view.reach, 0);
    EXPECT_LT(view.reach, 100);
    EXPECT_LT(length(view.target - (pair.min + pair.max) * 0.5), 1e-9);
  }
}

TEST(ClashSnapshot, ShowsWhatIsSharedInRed) {
  const cli::ClashAnswer answer = SampleAssembly().answer();
  PlacedParts parts(answer.assembly);
  for (const ClashPair& pair : answer.report.pairs) {
    const double red = red_share(cli::draw_clash(parts, answer, pair, {160, 120}));
    const std::string name = answer.assembly.parts[pair.a].name;
    if (cli::shares_volume(pair)) {
      EXPECT_GT(red, 0.01) << name;
      EXPECT_LT(red, 0.7) << name;
    } else {
      EXPECT_GT(red, 0.0003) << name << ": the points nearest to each other";
      EXPECT_LT(red, 0.02) << name;
    }
  }
}

TEST(ClashSnapshot, DoesNotDependOnWhereTheAssemblyIs) {
  SampleAssembly near, far;
  for (AssemblyPart& part : far.assembly.parts) part.pose.translation = part.pose.translation + Vec3d{1 << 22, 0, 0};
  const cli::ClashAnswer here = near.answer(), there = far.answer();
  ASSERT_EQ(here.report.pairs.size(), there.report.pairs.size());
  PlacedParts parts(there.assembly);
  for (const ClashPair& pair : there.report.pairs) {
    if (!cli::shares_volume(pair)) continue;
    EXPECT_GT(red_share(cli::draw_clash(parts, there, pair, {160, 120})), 0.01);
  }
}

}  // namespace
}  // namespace lamella::test
