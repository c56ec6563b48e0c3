// Every sphere of every fit, against the same spheres computed one by one, without vectors, tiles and threads. Floats
// are computed in the same order, so the spheres must have the same bits.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "geometry_image/pyramid_support.hpp"
#include "lamella/compact_image.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using namespace test;

// What a radius is enlarged by for the roundings in it: of a distance, of a sum with another radius, and where numbers
// are too small for that.
constexpr float kOfDistance = 1 + 0x1p-21f, kOfSum = 1 + 0x1p-22f, kOfTiny = 0x1p-74f;

float squared_distance(Vec3 p, Vec3 q) {
  const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
  return (x * x + y * y) + z * z;
}

Vec3 centre_of(const Sphere& s) { return {s.x, s.y, s.z}; }

Vec3 middle_of(const Aabb& box) {
  const auto middle = [](float low, float high) { return (low + high) * 0.5f + 0.0f; };
  return {middle(box.min.x, box.max.x), middle(box.min.y, box.max.y), middle(box.min.z, box.max.z)};
}

Sphere sphere_of(Vec3 c, float radius) { return {c.x, c.y, c.z, radius}; }

/// Spheres by level and row.
struct Twin {
  const GeometryImage& image;
  std::vector<std::vector<Sphere>> levels;

  explicit Twin(const GeometryImage& of) : image(of), levels(static_cast<std::size_t>(of.n) + 1) {
    for (int level = 0; level <= of.n; ++level)
      levels[static_cast<std::size_t>(level)].resize(std::size_t{1} << 2 * level);
  }
  Sphere& at(int level, std::uint32_t x, std::uint32_t y) {
    return levels[static_cast<std::size_t>(level)][(std::size_t{y} << level) + x];
  }
  [[nodiscard]] std::vector<Vec3> vertices(int level, std::uint32_t x, std::uint32_t y) const {
    std::vector<Vec3> points;
    for_each_vertex_under(image, level, x, y, [&](Vec3 p) { points.push_back(p); });
    return points;
  }
  /// Those `down` levels below, row by row.
  std::vector<Sphere> spheres(int level, std::uint32_t x, std::uint32_t y, int down) {
    std::vector<Sphere> all;
    for (std::uint32_t v = y << down; v < (y + 1) << down; ++v)
      for (std::uint32_t u = x << down; u < (x + 1) << down; ++u) all.push_back(at(level + down, u, v));
    return all;
  }
  void expect_equal(const SpherePyramid& pyramid) {
    for_each_sphere(pyramid, [&](int level, std::uint32_t x, std::uint32_t y, Sphere s) {
      const Sphere expected = at(level, x, y);
      ASSERT_TRUE(s.x == expected.x && s.y == expected.y && s.z == expected.z && s.radius == expected.radius)
          << "level " << level << " (" << x << ", " << y << "): " << s.radius << " for " << expected.radius;
    });
  }
};

/// The furthest vertex of each from the middle of their box. Small images have all spheres like that.
Sphere about_vertices(const std::vector<Vec3>& vertices) {
  Aabb box;
  for (const Vec3 p : vertices) box = extend(box, p);
  const Vec3 c = middle_of(box);
  float square = 0;
  for (const Vec3 p : vertices) square = std::max(square, squared_distance(p, c));
  return sphere_of(c, std::sqrt(square) * kOfDistance + kOfTiny);
}

float reach_of_spheres(const std::vector<Sphere>& spheres, Vec3 c) {
  float reach = 0;
  for (const Sphere& s : spheres)
    reach = std::max(reach, std::sqrt(squared_distance(centre_of(s), c)) * kOfDistance + s.radius);
  return reach * kOfSum + kOfTiny;
}

/// The corner of the vertices' box or the spheres below, whichever is nearer.
Sphere about_box(const std::vector<Vec3>& vertices, const std::vector<Sphere>& below) {
  Aabb box;
  for (const Vec3 p : vertices) box = extend(box, p);
  const Vec3 c = middle_of(box);
  const auto half = [&](int k) { return std::max(box.max[k] - c[k], c[k] - box.min[k]); };
  const float corner = (half(0) * half(0) + half(1) * half(1)) + half(2) * half(2);
  return sphere_of(c, std::min(reach_of_spheres(below, c), std::sqrt(corner) * kOfDistance + kOfTiny));
}

Sphere about_spheres(const std::vector<Sphere>& below) {
  Aabb box;
  for (const Sphere& s : below) {
    box = extend(box, {s.x - s.radius, s.y - s.radius, s.z - s.radius});
    box = extend(box, {s.x + s.radius, s.y + s.radius, s.z + s.radius});
  }
  const Vec3 c = middle_of(box);
  return sphere_of(c, reach_of_spheres(below, c));
}

Twin fast_twin(const GeometryImage& image) {
  Twin twin(image);
  for (int level = image.n; level >= 0; --level) {
    const int up = image.n - level;  // levels above the quads
    for (std::uint32_t y = 0; y < (1u << level); ++y)
      for (std::uint32_t x = 0; x < (1u << level); ++x) {
        Sphere& s = twin.at(level, x, y);
        if (image.n < 6 || up < 2)
          s = about_vertices(twin.vertices(level, x, y));
        else if (up < 4)
          s = about_box(twin.vertices(level, x, y), twin.spheres(level, x, y, 1));
        else  // around those of the third or fourth level from the bottom
          s = about_spheres(twin.spheres(level, x, y, up < 6 ? up - 2 : up - 3));
      }
  }
  return twin;
}

/// Moves the centre towards the furthest 17 times, by a fifth of the way and then by less each time; keeps the best.
void shrink(Sphere& sphere, const std::vector<Sphere>& around, bool by_square) {
  Vec3 c = centre_of(sphere);
  float step = 0.2f;
  for (int i = 0; i < 17; ++i, step *= 0.8f) {
    float most = -1;
    Vec3 furthest = c;
    for (const Sphere& s : around) {
      const float square = squared_distance(centre_of(s), c);
      const float reach = by_square ? square : std::sqrt(square) * kOfDistance + s.radius;
      if (!(reach > most)) continue;
      most = reach;
      furthest = centre_of(s);
    }
    const float radius = by_square ? std::sqrt(most) * kOfDistance + kOfTiny : most * kOfSum + kOfTiny;
    if (radius < sphere.radius) sphere = sphere_of(c, radius);
    c = c + (furthest - c) * step;
  }
}

Twin tight_twin(const GeometryImage& image) {
  Twin twin = fast_twin(image);
  for (int level = image.n; level >= 0; --level) {
    const int up = image.n - level;
    for (std::uint32_t y = 0; y < (1u << level); ++y)
      for (std::uint32_t x = 0; x < (1u << level); ++x) {
        Sphere& s = twin.at(level, x, y);
        std::vector<Sphere> around;
        const std::vector<Vec3> vertices = twin.vertices(level, x, y);
        if (up <= 5)
          for (const Vec3 p : vertices) around.push_back(sphere_of(p, 0));
        else
          around = twin.spheres(level, x, y, 5);
        shrink(s, around, up <= 1 && level >= 4);
        if (up <= 5) continue;
        float square = 0;
        for (const Vec3 p : vertices) square = std::max(square, squared_distance(p, centre_of(s)));
        s.radius = std::min(s.radius, std::sqrt(square) * kOfDistance + kOfTiny);
      }
  }
  return twin;
}

TEST(PyramidTwin, FastSpheresAreThoseComputedOneByOne) {
  for (int n = 1; n <= 8; ++n)
    for (const NamedImage& hard : hard_images(n, static_cast<std::uint32_t>(20 + n))) {
      SCOPED_TRACE(testing::Message() << hard.name << ", n = " << n);
      fast_twin(hard.image).expect_equal([&] {
        SpherePyramid pyramid;
        pyramid.build(n, hard.image.positions);
        return pyramid;
      }());
      if (n == 8) break;  // one is enough at this size
      if (HasFailure()) return;
    }
}

TEST(PyramidTwin, TightSpheresAreThoseComputedOneByOne) {
  for (int n = 1; n <= 7; ++n)
    for (const NamedImage& hard : hard_images(n, static_cast<std::uint32_t>(30 + n))) {
      SCOPED_TRACE(testing::Message() << hard.name << ", n = " << n);
      tight_twin(hard.image).expect_equal(SpherePyramid(hard.image));
      if (n == 7 && hard.name == "huge") break;  // two are enough at this size
      if (HasFailure()) return;
    }
}

// ---- as published

/// Between the exact value and one that is larger by the roundings.
void expect_outward(float radius, long double exact) {
  EXPECT_GE(static_cast<long double>(radius), exact);
  EXPECT_LE(static_cast<long double>(radius), exact * (1 + 0x1p-21L) + 2 * kOfTiny);
}

struct Wide {
  long double x, y, z;
};
long double distance(Wide a, Wide b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}
Wide wide(Vec3 p) { return {p.x, p.y, p.z}; }

TEST(PyramidTwin, PublishedSpheresAreThoseOfThePaperRoundedOutward) {
  for (const SphereFit fit : {SphereFit::published, SphereFit::published_enclosing})
    for (const int n : {1, 3, 5})
      for (const NamedImage& hard : hard_images(n, static_cast<std::uint32_t>(50 + n))) {
        SCOPED_TRACE(testing::Message() << hard.name << ", n = " << n);
        SpherePyramid pyramid;
        pyramid.build(n, hard.image.positions, 1, fit);
        std::uint64_t open = 0;
        for_each_sphere(pyramid, [&](int level, std::uint32_t x, std::uint32_t y, Sphere s) {
          std::vector<Sphere> around;  // vertices have no radius
          if (level == n)
            for_each_vertex_under(hard.image, level, x, y, [&](Vec3 p) { around.push_back(sphere_of(p, 0)); });
          else
            for (unsigned i = 0; i < 4; ++i) around.push_back(pyramid.at(level + 1, 2 * x + i % 2, 2 * y + i / 2));
          Wide low{1e30L, 1e30L, 1e30L}, high{-1e30L, -1e30L, -1e30L};
          for (const Sphere& each : around) {
            const long double r = each.radius;
            low = {std::min(low.x, each.x - r), std::min(low.y, each.y - r), std::min(low.z, each.z - r)};
            high = {std::max(high.x, each.x + r), std::max(high.y, each.y + r), std::max(high.z, each.z + r)};
          }
          // The middle is computed in double.
          const auto middle = [](long double a, long double b) {
            return (static_cast<double>(a) + static_cast<double>(b)) * 0.5;
          };
          const Wide exact{middle(low.x, high.x), middle(low.y, high.y), middle(low.z, high.z)};
          EXPECT_EQ(s.x, static_cast<float>(exact.x));
          EXPECT_EQ(s.y, static_cast<float>(exact.y));
          EXPECT_EQ(s.z, static_cast<float>(exact.z));
          const Wide c = wide(centre_of(s));
          long double reach = 0;
          for (const Sphere& each : around) reach = std::max(reach, distance(wide(centre_of(each)), c) + each.radius);
          if (level != n) return expect_outward(s.radius, reach);
          // Vertices row by row: (0, 0), (1, 0), (0, 1), (1, 1).
          const auto at = [&](std::size_t i) { return wide(centre_of(around[i])); };
          const long double half = std::max(distance(at(0), at(3)), distance(at(1), at(2))) / 2 + distance(c, exact);
          const bool outside = reach > static_cast<long double>(s.radius);
          open += outside ? 1 : 0;
          if (fit == SphereFit::published || half * (1 + 0x1p-22L) + kOfTiny >= reach)
            expect_outward(s.radius, half);
          else
            expect_outward(s.radius, reach);
        });
        if (fit == SphereFit::published_enclosing) {
          EXPECT_EQ(open, 0u);
          EXPECT_EQ(pyramid.open_quad_count(), 0u);
        }
        if (HasFailure()) return;
      }
}

// ---- in eight bytes

/// That of the nearest code, with the smallest radius that encloses `s`.
void expect_coded(const CompactPyramid& codes, Sphere actual, SphereCode code, const Sphere& s) {
  const Vec3 low = codes.low(), step = codes.step();
  const std::uint16_t found[3] = {code.x, code.y, code.z};
  for (int k = 0; k < 3; ++k) {
    const double t = step[k] > 0 ? (double{centre_of(s)[k]} - low[k]) / step[k] : 0;
    ASSERT_LE(std::abs(found[k] - std::clamp(t, 0.0, 65535.0)), 0.5);
  }
  const double exact = static_cast<double>(distance(wide(centre_of(s)), wide(centre_of(actual)))) + s.radius;
  ASSERT_GE(actual.radius, exact);
  const float less = std::bit_cast<float>(std::uint32_t{code.radius - 1u} << 16);
  ASSERT_LT(less, exact * (1 + 0x1p-21) + 2 * kOfTiny) << "a smaller code would do";
}

TEST(PyramidTwin, CodedSpheresAreTheSmallestAroundThoseInFloats) {
  for (const int n : {1, 4, 6})
    for (const SphereFit fit : {SphereFit::fast, SphereFit::tight, SphereFit::published})
      for (const NamedImage& hard : hard_images(n, static_cast<std::uint32_t>(60 + n))) {
        SCOPED_TRACE(testing::Message() << hard.name << ", n = " << n);
        const CompactImage image = compacted(hard.image);
        CompactPyramid codes;
        codes.build(image, fit);
        EXPECT_EQ(codes.n(), n);
        EXPECT_EQ(codes.width(), (3u << n) / 2);
        EXPECT_EQ(codes.height(), 1u << n);
        EXPECT_EQ(codes.low(), image.box.min);
        for (int k = 0; k < 3; ++k)
          EXPECT_EQ(codes.step()[k], static_cast<float>((double{image.box.max[k]} - image.box.min[k]) / 65535));
        const SpherePyramid floats(expanded(image), fit);
        EXPECT_EQ(codes.open_quad_count(), floats.open_quad_count());
        for_each_sphere(floats, [&](int level, std::uint32_t x, std::uint32_t y, Sphere s) {
          const SphereCode code =
              codes.pixels()[codes.offsets()[static_cast<std::size_t>(level)] + std::size_t{y} * codes.width() + x];
          expect_coded(codes, codes.at(level, x, y), code, s);
        });
        if (HasFailure()) return;
      }
}

TEST(PyramidTwin, AbovePartsCodedSpheresEncloseThoseSomeLevelsBelow) {
  // Parts have 2^8 quads a side: two levels are above them.
  const CompactImage image = compacted(wavy_ball(10));
  for (const SphereFit fit : {SphereFit::fast, SphereFit::published}) {
    CompactPyramid codes;
    codes.build(image, fit);
    const int down = fit == SphereFit::fast ? 4 : 1;
    for (int level = 0; level < 2; ++level)
      for (std::uint32_t y = 0; y < (1u << level); ++y)
        for (std::uint32_t x = 0; x < (1u << level); ++x) {
          std::vector<Sphere> below;
          for (std::uint32_t v = y << down; v < (y + 1) << down; ++v)
            for (std::uint32_t u = x << down; u < (x + 1) << down; ++u) below.push_back(codes.at(level + down, u, v));
          Sphere s = about_spheres(below);
          long double reach = 0;
          for (const Sphere& each : below)
            reach = std::max(reach, distance(wide(centre_of(each)), wide(centre_of(s))) + each.radius);
          s.radius = static_cast<float>(reach) * kOfSum + kOfTiny;
          const SphereCode code =
              codes.pixels()[codes.offsets()[static_cast<std::size_t>(level)] + std::size_t{y} * codes.width() + x];
          expect_coded(codes, codes.at(level, x, y), code, s);
        }
  }
}

TEST(PyramidTwin, ASizeThatIsNotThatOfTheImageIsRefused) {
  SpherePyramid pyramid;
  const std::vector<Vec3> positions(25);
  for (const int n : {-1, 0, 1, 3, 14, 40}) EXPECT_THROW(pyramid.build(n, positions), Error) << n;
  EXPECT_THROW(pyramid.build(0, std::vector<Vec3>(4)), Error);
  EXPECT_THROW(pyramid.build(2, std::vector<Vec3>(24)), Error);
  EXPECT_NO_THROW(pyramid.build(2, positions));
  try {
    pyramid.build(3, positions);
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "sphere pyramid: 25 positions for n = 3; n must be from 1 to 13, with (2^n + 1)^2 positions");
  }
}

}  // namespace
}  // namespace lamella
