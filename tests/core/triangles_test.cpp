#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>

#include "core/exact.hpp"
#include "core/four.hpp"
#include "core/triangles_meet.hpp"
#include "core/triangles_oracle.hpp"
#include "lamella/triangles_meet.hpp"

namespace lamella {
namespace {

using test::BigInt;
using Random = std::mt19937;

struct Tri {
  Vec3 corners[3];
};

bool meet(const Tri& a, const Tri& b) { return triangles_meet(a.corners, b.corners); }

std::string words(const Tri& a, const Tri& b) {
  std::string text;
  for (const Tri* t : {&a, &b})
    for (const Vec3 p : t->corners)
      for (int i = 0; i < 3; ++i) {
        char number[40];
        std::snprintf(number, sizeof number, "%a ", static_cast<double>(p[i]));
        text += number;
      }
  return text;
}

int whole(Random& random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

Vec3 lattice_point(Random& random, int reach) {
  const auto one = [&] { return static_cast<float>(whole(random, -reach, reach)); };
  return {one(), one(), one()};
}

Tri lattice_triangle(Random& random, int reach) {
  return {{lattice_point(random, reach), lattice_point(random, reach), lattice_point(random, reach)}};
}

/// Any float that is finite, all exponents alike.
float any_float(Random& random) {
  for (;;) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(value)) return value;
  }
}

/// Six points for two triangles, of one of many sorts that are hard: shared corners, points on edges or nearly,
/// coordinates of very different sizes.
void hard_points(Random& random, Vec3 points[6]) {
  std::uniform_real_distribution<float> unit(-1, 1);
  const int sort = whole(random, 0, 5);
  const float unit_size = std::ldexp(1.0f, whole(random, -140, 120));
  for (int i = 0; i < 6; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const auto lattice = static_cast<float>(whole(random, -3, 3));
      float& value = points[i][axis];
      if (sort == 0) value = unit(random);
      if (sort == 1) value = any_float(random);
      if (sort == 2) value = lattice * unit_size;
      if (sort == 3) value = lattice + 0x1p-22f * static_cast<float>(whole(random, -2, 2));
      if (sort == 4) value = 1000 + unit(random);
      if (sort == 5) value = lattice * std::ldexp(1.0f, whole(random, 0, 3) * 17 - 60);
    }
  for (int i = 0; i < 6; ++i) {  // now and then onto what is there already
    const Vec3 p = points[whole(random, 0, 5)], q = points[whole(random, 0, 5)];
    const int what = whole(random, 0, 7);
    if (what == 0) points[i] = p;
    if (what == 1) points[i] = {p.x / 2 + q.x / 2, p.y / 2 + q.y / 2, p.z / 2 + q.z / 2};
    if (what == 2) points[i][whole(random, 0, 2)] = p[whole(random, 0, 2)];
    if (what == 3) {
      float& value = points[i][whole(random, 0, 2)];
      value = std::nextafter(value, 0.0f);
    }
  }
}

// ---- single cases, the smallest first

TEST(TrianglesMeet, TriangleMeetsItself) {
  const Tri t{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  EXPECT_TRUE(meet(t, t));
}

TEST(TrianglesMeet, ParallelPlanesAreApart) {
  EXPECT_FALSE(meet({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, {{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}}));
}

TEST(TrianglesMeet, EveryKindOfTouchCounts) {
  const Tri t{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  EXPECT_TRUE(meet(t, {{{0, 0, 0}, {-1, 0, 1}, {-1, 1, 1}}})) << "corner on corner";
  EXPECT_TRUE(meet(t, {{{2, 0, 0}, {2, -1, 1}, {3, -1, 1}}})) << "corner on edge";
  EXPECT_TRUE(meet(t, {{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}})) << "corner on face";
  EXPECT_TRUE(meet(t, {{{2, 0, 1}, {2, 0, -1}, {2, -1, 0}}})) << "edge across edge";
  EXPECT_TRUE(meet(t, {{{1, 0, 0}, {2, 0, 0}, {1, -1, 1}}})) << "edge along edge";
  EXPECT_TRUE(meet(t, {{{1, 0, 0}, {2, 0, 0}, {1, -1, 0}}})) << "edge along edge in one plane";
  EXPECT_TRUE(meet(t, {{{4, 0, 0}, {5, 0, 0}, {5, 1, 0}}})) << "corner on corner in one plane";
  EXPECT_TRUE(meet(t, {{{1, 1, 0}, {1.5f, 1, 0}, {1, 1.5f, 0}}})) << "within in one plane";
}

TEST(TrianglesMeet, BesideInOnePlaneIsApart) {
  const Tri t{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  EXPECT_FALSE(meet(t, {{{5, 0, 0}, {6, 0, 0}, {5, 1, 0}}}));
  EXPECT_FALSE(meet(t, {{{4, 4, 0}, {3, 2, 0}, {4, 2, 0}}}));
}

TEST(TrianglesMeet, WithoutAreaItIsASegmentOrAPoint) {
  const Tri t{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  EXPECT_TRUE(meet(t, {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}})) << "point on the face";
  EXPECT_FALSE(meet(t, {{{3, 3, 0}, {3, 3, 0}, {3, 3, 0}}})) << "point in the plane, beside";
  EXPECT_FALSE(meet(t, {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}})) << "point above";
  EXPECT_TRUE(meet(t, {{{1, 1, 1}, {1, 1, 2}, {1, 1, -3}}})) << "segment through";
  EXPECT_FALSE(meet(t, {{{1, 1, 1}, {1, 1, 2}, {1, 1, 3}}})) << "segment above";
  const Tri line{{{0, 0, 0}, {2, 2, 2}, {4, 4, 4}}};
  EXPECT_TRUE(meet(line, {{{4, 4, 4}, {5, 5, 5}, {6, 6, 6}}})) << "end on end along a line";
  EXPECT_FALSE(meet(line, {{{5, 5, 5}, {6, 6, 6}, {5, 5, 5}}})) << "behind one another along a line";
  EXPECT_TRUE(meet(line, {{{0, 0, 4}, {4, 4, 0}, {2, 2, 2}}})) << "crossing segments";
  EXPECT_FALSE(meet(line, {{{0, 1, 4}, {4, 5, 0}, {2, 3, 2}}})) << "segments past each other";
}

// ---- against the oracle

TEST(TrianglesMeet, AgreesWithOracleOnLattices) {
  Random random(1);
  int meeting = 0, pairs = 0;
  for (const int reach : {1, 3, 8})
    for (int i = 0; i < 80000; ++i, ++pairs) {
      const Tri a = lattice_triangle(random, reach), b = lattice_triangle(random, reach);
      const bool expected = test::oracle_meets<std::int64_t>(a.corners, b.corners);
      ASSERT_EQ(meet(a, b), expected) << words(a, b);
      meeting += expected;
    }
  EXPECT_GT(meeting, pairs / 20);
  EXPECT_LT(meeting, pairs - pairs / 20);
}

TEST(TrianglesMeet, AgreesWithOracleInOnePlaneAndOnOneLine) {
  Random random(2);
  for (int i = 0; i < 120000; ++i) {
    const Vec3 origin = lattice_point(random, 3), along = lattice_point(random, 2), up = lattice_point(random, 2);
    const int rows = i % 3 == 0 ? 0 : 3;  // 0: a line
    const auto point = [&] {
      return origin + along * static_cast<float>(whole(random, -4, 4)) +
             up * static_cast<float>(whole(random, 0, rows));
    };
    const Tri a{{point(), point(), point()}};
    Tri b{{point(), point(), point()}};
    if (i % 5 == 0) b.corners[0] = lattice_point(random, 3);
    ASSERT_EQ(meet(a, b), test::oracle_meets<std::int64_t>(a.corners, b.corners)) << words(a, b);
  }
}

TEST(TrianglesMeet, OrderOfCornersAndOfTrianglesDoesNotMatter) {
  Random random(3);
  constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int i = 0; i < 10000; ++i) {
    const Tri a = lattice_triangle(random, 2), b = lattice_triangle(random, 2);
    const bool expected = meet(a, b);
    for (const auto& p : kOrders)
      for (const auto& q : kOrders) {
        const Tri c{{a.corners[p[0]], a.corners[p[1]], a.corners[p[2]]}};
        const Tri d{{b.corners[q[0]], b.corners[q[1]], b.corners[q[2]]}};
        ASSERT_EQ(meet(c, d), expected) << words(c, d);
        ASSERT_EQ(meet(d, c), expected) << words(d, c);
      }
  }
}

TEST(TrianglesMeet, AgreesWithOracleOnHardFloats) {
  Random random(4);
  int meeting = 0;
  for (int i = 0; i < 20000; ++i) {
    Vec3 points[6];
    hard_points(random, points);
    const Tri a{{points[0], points[1], points[2]}}, b{{points[3], points[4], points[5]}};
    const bool expected = test::oracle_meets<BigInt>(a.corners, b.corners);
    ASSERT_EQ(meet(a, b), expected) << words(a, b);
    meeting += expected;
  }
  EXPECT_GT(meeting, 5000);
  EXPECT_LT(meeting, 15000);
}

TEST(TrianglesMeet, OneUlpAcrossAPlaneDecides) {
  Random random(5);
  std::uniform_real_distribution<float> unit(0, 1);
  for (int i = 0; i < 2000; ++i) {
    // The plane x + y + z = 1, seen where its points are exact: the corner of b is on it, then just off it.
    const Tri a{{{2, 0, -1}, {0, 2, -1}, {0, 0, 1}}};
    const float x = std::ldexp(static_cast<float>(whole(random, 1, 1 << 20)), -21);
    const float y = std::ldexp(static_cast<float>(whole(random, 1, 1 << 20)), -21);
    const Vec3 on{x, y, 1 - x - y};
    const Vec3 far{3 + unit(random), 3 + unit(random), 3 + unit(random)}, farther{4, 4 + unit(random), 3};
    EXPECT_TRUE(meet(a, {{on, far, farther}}));
    Vec3 off = on, beyond = on;
    off[i % 3] = std::nextafter(on[i % 3], 2.0f);
    beyond[i % 3] = std::nextafter(on[i % 3], -2.0f);
    EXPECT_FALSE(meet(a, {{off, far, farther}}));
    EXPECT_TRUE(meet(a, {{beyond, far, farther}}));
  }
}

TEST(TrianglesMeet, OneUlpAcrossAnEdgeDecidesInOnePlane) {
  const Tri a{{{0, 0, 0}, {1, 1, 1}, {1, 0, 0}}};  // in the plane y = z
  const auto below = [](float x, float y) { return Tri{{{x, y, y}, {0.25f, 0.75f, 0.75f}, {0, 2, 2}}}; };
  const float y = 1.0f / 3;
  EXPECT_TRUE(meet(a, below(y, y)));
  EXPECT_FALSE(meet(a, below(std::nextafter(y, 0.0f), y)));
  EXPECT_TRUE(meet(a, below(std::nextafter(y, 1.0f), y)));
}

// ---- predicates

TEST(Orient, EveryStageAgreesWithOracleOnHardFloats) {
  Random random(6);
  int zeros = 0, by_integers = 0;
  for (int i = 0; i < 40000; ++i) {
    Vec3 p[6];
    hard_points(random, p);
    const int expected = test::oracle_orient3d<BigInt>(p[0], p[1], p[2], p[3]);
    ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), expected);
    ASSERT_EQ(exact_stage::orient3d_expansion(p[0], p[1], p[2], p[3]), expected);
    int sign = 2;
    if (exact_stage::orient3d_integers(p[0], p[1], p[2], p[3], sign)) {
      ASSERT_EQ(sign, expected);
      ++by_integers;
    }
    for (int axis = 0; axis < 3; ++axis) {
      const int flat = test::oracle_orient2d<BigInt>(p[0], p[1], p[2], axis);
      ASSERT_EQ(orient2d(p[0], p[1], p[2], axis), flat);
      ASSERT_EQ(exact_stage::orient2d_expansion(p[0], p[1], p[2], axis), flat);
    }
    zeros += expected == 0;
  }
  EXPECT_GT(zeros, 4000);
  EXPECT_GT(by_integers, 10000);
  EXPECT_LT(by_integers, 36000);
}

TEST(Orient, PointsOffThePlaneByTheSmallestFloatAreSeen) {
  const float least = std::numeric_limits<float>::denorm_min(), most = std::numeric_limits<float>::max();
  EXPECT_EQ(orient3d({0, 0, 0}, {least, 0, 0}, {0, least, 0}, {0, 0, least}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {most, 0, 0}, {0, most, 0}, {0, 0, -least}), -1);
  EXPECT_EQ(orient3d({-most, -most, 0}, {most, -most, 0}, {-most, most, 0}, {most, most, least}), 1);
  EXPECT_EQ(orient3d({-most, -most, -most}, {most, most, most}, {most, -most, least}, {-most, most, least}), -1);
  EXPECT_EQ(orient2d({0, 0, 0}, {most, 0, 0}, {0, least, 0}, 2), 1);
  EXPECT_EQ(orient2d({0, -most, -most}, {0, most, most}, {0, 0, least}, 0), 1);
}

TEST(Orient, IntegersDecideForPointsInOnePlace) {
  const Vec3 p{0.1f, 1e30f, -3};
  int sign = 2;
  EXPECT_TRUE(exact_stage::orient3d_integers(p, p, p, p, sign));
  EXPECT_EQ(sign, 0);
}

// ---- quads

unsigned by_singles(const Vec3 a[4], const Vec3 b[4]) {
  const Tri of_a[2] = {{{a[0], a[1], a[2]}}, {{a[0], a[2], a[3]}}},
            of_b[2] = {{{b[0], b[1], b[2]}}, {{b[0], b[2], b[3]}}};
  unsigned mask = 0;
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned j = 0; j < 2; ++j) mask |= unsigned{meet(of_a[i], of_b[j])} << (2 * i + j);
  return mask;
}

TEST(QuadsMeet, NumbersItsTrianglesAsImagesDo) {
  const Vec3 a[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const auto needle = [](float x, float y,
                         float shift) {  // both of its triangles pass through (x, y, 0), or one misses
    return std::array<Vec3, 4>{{{x, y, -1}, {x, y, 1}, {x + shift, y, 1}, {x + shift, y, -1}}};
  };
  EXPECT_EQ(quads_meet(a, needle(0.75f, 0.25f, 0.01f).data()), 0b0011u);
  EXPECT_EQ(quads_meet(a, needle(0.25f, 0.75f, 0.01f).data()), 0b1100u);
  const Vec3 b[4] = {{0.8f, 0.2f, 1}, {0.9f, 0.1f, 1}, {0.7f, 0.2f, -1}, {0.6f, 0.2f, 1}};
  EXPECT_EQ(quads_meet(a, b), 0b0011u);
  const Vec3 first_only[4] = {{0.7f, 0.2f, 1}, {0.7f, 0.2f, -1}, {0.8f, 0.2f, 1}, {0.8f, 0.3f, 1}};
  EXPECT_EQ(quads_meet(a, first_only), 0b0001u);
  const Vec3 second_only[4] = {{0.7f, 0.2f, 1}, {0.8f, 0.3f, 1}, {0.8f, 0.2f, 1}, {0.7f, 0.2f, -1}};
  EXPECT_EQ(quads_meet(a, second_only), 0b0010u);
}

TEST(QuadsMeet, GivesTheMaskOfFourSingleTests) {
  Random random(7);
  std::uniform_real_distribution<float> unit(-1, 1);
  unsigned seen = 0;  // which of the 16 masks came up
  for (int i = 0; i < 200000; ++i) {
    Vec3 a[4], b[4];
    const int sort = i % 4;
    const float size = sort == 2 ? std::ldexp(1.0f, whole(random, -70, 60)) : 1;
    for (Vec3* quad : {a, b})
      for (int k = 0; k < 4; ++k) quad[k] = lattice_point(random, sort == 0 ? 2 : 6) * size;
    if (sort == 1 || sort == 2)  // two bumpy patches near each other
      for (int k = 0; k < 4; ++k) {
        const float x = k == 1 || k == 2 ? 1 : 0, y = k >= 2 ? 1 : 0;
        a[k] = Vec3{x, y, 0.3f * unit(random)} * size;
        b[k] = Vec3{x + 0.3f * unit(random), y + 0.3f * unit(random), 0.5f * unit(random)} * size;
      }
    if (sort == 3) {
      for (int k = 0; k < 4; ++k) a[k] = a[k] * 0.1f, b[k] = b[k] * 0.1f;
      b[whole(random, 0, 3)] = a[whole(random, 0, 3)];
    }
    const unsigned mask = quads_meet(a, b);
    ASSERT_EQ(mask, by_singles(a, b)) << i;
    seen |= 1u << mask;
  }
  EXPECT_EQ(seen, 0xffffu);
}

TEST(QuadsMeet, GivesTheMaskOfFourSingleTestsOnHardFloats) {
  Random random(8);
  for (int i = 0; i < 100000; ++i) {
    Vec3 p[6], q[6];
    hard_points(random, p);
    hard_points(random, q);
    const Vec3 a[4] = {p[0], p[1], p[2], i % 2 == 0 ? p[3] : q[0]};
    const Vec3 b[4] = {p[4], p[5], p[i % 4], i % 3 == 0 ? p[0] : q[1]};
    const unsigned mask = by_singles(a, b);
    ASSERT_EQ(quads_meet(a, b), mask) << i;
    ASSERT_EQ(triangle_meets_quad(a, b), mask & 3) << i;
  }
}

TEST(QuadsMeet, GivesTheMaskOfFourSingleTestsInBoxesWithATinyAndLongSides) {
  // Found by fuzz_exact: the bound on rounding was lost in the product with the tiny side.
  const Vec3 far[3] = {{0x1.fffep-134f, 0x1.a6a6p+39f, 0x1.a2a6a6p+39f}, {0x1.49dp-136f, 0, 0}, {}}, origin[4] = {};
  EXPECT_EQ(triangle_meets_quad(far, origin), 0b11u);
  Random random(9);
  for (int i = 0; i < 100000; ++i) {
    Vec3 size{std::ldexp(1.0f, whole(random, -147, -90)), std::ldexp(1.0f, whole(random, 20, 37)),
              std::ldexp(1.0f, whole(random, 20, 37))};
    std::swap(size.x, size[i % 3]);
    Vec3 a[4], b[4];
    for (Vec3* quad : {a, b})
      for (int k = 0; k < 4; ++k) {
        const Vec3 p = lattice_point(random, 3);
        quad[k] = {p.x * size.x, p.y * size.y, p.z * size.z};
      }
    if (i % 2 == 0) b[whole(random, 0, 3)] = a[whole(random, 0, 3)];
    ASSERT_EQ(quads_meet(a, b), by_singles(a, b)) << i;
  }
}

/// Corners that end where the page does; the next one cannot be read.
class AtPageEnd {
 public:
  AtPageEnd()
      : pages_(static_cast<char*>(
            ::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    (void)::mprotect(pages_ + kPage, kPage, PROT_NONE);
  }
  ~AtPageEnd() { ::munmap(pages_, 2 * kPage); }
  AtPageEnd(const AtPageEnd&) = delete;
  AtPageEnd& operator=(const AtPageEnd&) = delete;
  const Vec3* put(std::span<const Vec3> corners) {
    char* to = pages_ + kPage - corners.size_bytes();
    std::memcpy(to, corners.data(), corners.size_bytes());
    return reinterpret_cast<const Vec3*>(to);
  }

 private:
  static constexpr std::size_t kPage = 65536;  // a multiple of every system's pages
  char* pages_;
};

TEST(QuadsMeet, ReadsTheirCornersAndNothingBehindThem) {
  const Vec3 a[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const Vec3 b[4] = {{0.7f, 0.2f, 1}, {0.7f, 0.2f, -1}, {0.8f, 0.2f, 1}, {0.8f, 0.3f, 1}};
  AtPageEnd first, second;
  EXPECT_EQ(quads_meet(first.put(a), second.put(b)), quads_meet(a, b));
  EXPECT_EQ(triangle_meets_quad(first.put(std::span(a, 3)), second.put(b)), triangle_meets_quad(a, b));
  EXPECT_TRUE(triangles_meet(first.put(std::span(a, 3)), second.put(std::span(b, 3))));
}

// ---- four lanes

TEST(Four, NotNegativeIsZeroOrMoreLaneByLane) {
  const float values[] = {0.0f, -0.0f, 1e-45f, -1e-45f, std::numeric_limits<float>::quiet_NaN(), 1};
  for (int lane = 0; lane < 4; ++lane)
    for (const float value : values) {
      Four v = all(-1);
      v[lane] = value;
      EXPECT_EQ(not_negative(v), value >= 0 ? 1u << lane : 0u) << value;
    }
  EXPECT_EQ(not_negative(all(2)), 15u);
}

TEST(Four, TransposingExchangesRowsAndColumns) {
  float numbers[16];
  for (int i = 0; i < 16; ++i) numbers[i] = static_cast<float>(i);
  Four rows[4] = {load(numbers), load(numbers + 4), load(numbers + 8), load(numbers + 12)};
  transpose(rows[0], rows[1], rows[2], rows[3]);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k) EXPECT_EQ(rows[i][k], numbers[4 * k + i]) << i << ' ' << k;
}

// ---- the caller's mistakes

TEST(TrianglesMeet, ComesBackWhateverTheCoordinates) {
  Random random(9);
  const float broken[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()};
  for (int i = 0; i < 4000; ++i) {
    Vec3 points[6];
    hard_points(random, points);
    for (int k = whole(random, 1, 4); k > 0; --k) points[whole(random, 0, 5)][whole(random, 0, 2)] = broken[k % 3];
    const bool answer = triangles_meet(points, points + 3);
    EXPECT_EQ(triangles_meet(points, points + 3), answer);
    EXPECT_LT(quads_meet(points, points + 2), 16u);
  }
}

TEST(BoxesApart, OnlyWhereTheyShareNoPoint) {
  const Vec3 a[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, touching[2] = {{1, 1, 1}, {2, 2, 2}};
  const float above = std::nextafter(1.0f, 2.0f);
  EXPECT_FALSE((boxes_apart<3, 2>(a, touching)));
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 off[2] = {touching[0], touching[1]};
    off[0][axis] = above;
    EXPECT_TRUE((boxes_apart<3, 2>(a, off)));
    EXPECT_TRUE((boxes_apart<2, 3>(off, a)));
  }
}

}  // namespace
}  // namespace lamella
