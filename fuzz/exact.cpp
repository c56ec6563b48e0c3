// Exact predicates, triangles and quads that meet, sweep and prune, and the vector kernels over positions, each against
// a plain computation of its own: sums of 1,024-bit integers, the hull of all differences, every pair, one loop.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "core/broad_phase.hpp"
#include "core/exact.hpp"
#include "core/lattice.hpp"
#include "core/positions.hpp"
#include "core/triangles_meet.hpp"
#include "input.hpp"
#include "lamella/error.hpp"
#include "lamella/triangles_meet.hpp"
#include "lamella/voi.hpp"

// The computations compared with are no part of what is searched.
#define LAMELLA_FUZZ_PLAIN __attribute__((no_sanitize("address", "undefined", "coverage")))

namespace lamella::fuzz {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
using Wide = __int128;
#pragma GCC diagnostic pop

constexpr int sign_of(Wide x) { return (x > 0) - (x < 0); }

// ---- coordinates

/// Whole numbers below 2^24 in size, or any finite floats: how the coordinates of one input are read.
enum class Style : std::uint8_t { few, small, large, nearly_few, any };

struct Coordinates {
  Style style;
  float scale;  ///< a power of two: the float is the whole number times this

  explicit Coordinates(Input& input)
      : style(static_cast<Style>(input.below(5))), scale(std::ldexp(1.0f, input.take<std::int8_t>() % 100)) {}

  [[nodiscard]] bool whole() const { return style != Style::any; }
  std::int32_t take_whole(Input& input) const {
    switch (style) {
      case Style::few:
        return input.take<std::int8_t>() % 4;
      case Style::small:
        return input.take<std::int16_t>();
      case Style::large:
        return input.take<std::int32_t>() >> 8;
      default: {
        const auto bits = input.take<std::int8_t>();
        return ((bits >> 5) << 20) + (bits & 31) - 16;
      }
    }
  }
  float take(Input& input) const {
    if (whole()) return static_cast<float>(take_whole(input)) * scale;
    const auto value = input.take<float>();
    return std::isfinite(value) ? value : 0;
  }
  Vec3 take_point(Input& input) const {
    const float x = take(input), y = take(input), z = take(input);
    return {x, y, z};
  }
};

// ---- orientations

/// Sum of products of up to three floats, as an integer of 1,024 bits: a float is a multiple of 2^-149.
class ExactSum {
 public:
  LAMELLA_FUZZ_PLAIN void add(int sign, float x, float y, float z = 1) {
    int ex = 0, ey = 0, ez = 0;
    const std::int64_t mx = parts(x, ex), my = parts(y, ey), mz = parts(z, ez);
    Wide product = Wide{mx} * my * mz * sign;
    const auto shift = static_cast<unsigned>(ex + ey + ez + 3 * 149);
    std::uint64_t carry = 0;
    const unsigned first = shift / 64, bits = shift % 64;
    for (unsigned i = first; i < kWords; ++i) {
      // Words of the product shifted left, with its sign beyond its end.
      std::uint64_t word = 0;
      const unsigned k = i - first;
      const auto piece = [&](int index) -> std::uint64_t {
        if (index < 0) return 0;
        if (index >= 2) return product < 0 ? ~std::uint64_t{0} : 0;
        return static_cast<std::uint64_t>(product >> (64 * index));
      };
      word = piece(static_cast<int>(k)) << bits;
      if (bits != 0) word |= piece(static_cast<int>(k) - 1) >> (64 - bits);
      const std::uint64_t before = words_[i];
      words_[i] += word + carry;
      carry = carry != 0 ? words_[i] <= before : words_[i] < before;
    }
  }
  [[nodiscard]] LAMELLA_FUZZ_PLAIN int sign() const {
    if (words_[kWords - 1] >> 63 != 0) return -1;
    return std::any_of(words_.begin(), words_.end(), [](std::uint64_t w) { return w != 0; }) ? 1 : 0;
  }

 private:
  static constexpr unsigned kWords = 16;
  LAMELLA_FUZZ_PLAIN static std::int64_t parts(float x, int& exponent) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const int biased = static_cast<int>(bits >> 23 & 255);
    const std::int64_t mantissa = (bits & 0x7fffff) | (biased != 0 ? 0x800000 : 0);
    exponent = (biased != 0 ? biased : 1) - 150;
    return bits >> 31 != 0 ? -mantissa : mantissa;
  }
  std::array<std::uint64_t, kWords> words_{};
};

LAMELLA_FUZZ_PLAIN void add_determinant(ExactSum& sum, int sign, Vec3 p, Vec3 q, Vec3 r) {
  sum.add(sign, p.x, q.y, r.z), sum.add(-sign, p.x, q.z, r.y);
  sum.add(sign, p.y, q.z, r.x), sum.add(-sign, p.y, q.x, r.z);
  sum.add(sign, p.z, q.x, r.y), sum.add(-sign, p.z, q.y, r.x);
}

LAMELLA_FUZZ_PLAIN int plain_orient3d(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  ExactSum sum;
  add_determinant(sum, 1, b, c, d);
  add_determinant(sum, -1, a, c, d);
  add_determinant(sum, 1, a, b, d);
  add_determinant(sum, -1, a, b, c);
  return sum.sign();
}

LAMELLA_FUZZ_PLAIN int plain_orient2d(Vec3 a, Vec3 b, Vec3 c, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  ExactSum sum;
  const auto add_cross = [&](Vec3 p, Vec3 q) { sum.add(1, p[u], q[v]), sum.add(-1, p[v], q[u]); };
  add_cross(a, b);
  add_cross(b, c);
  add_cross(c, a);
  return sum.sign();
}

void orientations(Input& input) {
  const Coordinates coordinates(input);
  const Vec3 a = coordinates.take_point(input), b = coordinates.take_point(input), c = coordinates.take_point(input);
  Vec3 d = coordinates.take_point(input);
  if (input.flag()) {  // a point close to the plane
    const auto r = static_cast<float>(input.take<std::int8_t>()) * 0x1p-6f;
    const auto s = static_cast<float>(input.take<std::int8_t>()) * 0x1p-6f;
    const Vec3 near = a + (b - a) * r + (c - a) * s;
    if (std::isfinite(near.x + near.y + near.z)) d = near;
  }
  const int expected = plain_orient3d(a, b, c, d);
  require(orient3d(a, b, c, d) == expected, "orient3d has the sign of the determinant");
  require(orient3d(b, c, a, d) == expected && orient3d(b, a, c, d) == -expected, "orient3d turns with its points");
  require(exact_stage::orient3d_expansion(a, b, c, d) == expected, "the expansion has the sign of the determinant");
  int sign = 0;
  if (exact_stage::orient3d_integers(a, b, c, d, sign))
    require(sign == expected, "the integers have the sign of the determinant");
  for (int axis = 0; axis < 3; ++axis) {
    const int turn = plain_orient2d(a, b, c, axis);
    require(orient2d(a, b, c, axis) == turn, "orient2d has the sign of the cross product");
    require(exact_stage::orient2d_expansion(a, b, c, axis) == turn, "so has its expansion");
    require(orient2d(b, a, c, axis) == -turn, "orient2d turns with its points");
  }
}

// ---- triangles

struct Point {
  std::int64_t x = 0, y = 0, z = 0;
};
LAMELLA_FUZZ_PLAIN constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
/// Differences of whole numbers below 2^25: components have up to 53 bits.
LAMELLA_FUZZ_PLAIN constexpr Point cross(Point a, Point b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LAMELLA_FUZZ_PLAIN constexpr Wide dot(Point a, Point b) { return Wide{a.x} * b.x + Wide{a.y} * b.y + Wide{a.z} * b.z; }
LAMELLA_FUZZ_PLAIN constexpr bool is_zero(Point a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/// Whether the triangles share a point: whether the origin is in the hull of the nine differences of their corners. If
/// it is, it is in the hull of some of them that have volume, area or length, or is one of them (Caratheodory).
LAMELLA_FUZZ_PLAIN bool plain_meet(const Point a[3], const Point b[3]) {
  Point d[9];
  for (int i = 0; i < 9; ++i) d[i] = a[i / 3] - b[i % 3];
  Wide volume[9][9][9];
  for (int i = 0; i < 9; ++i)
    for (int j = i + 1; j < 9; ++j) {
      const Point across = cross(d[i], d[j]);
      if (is_zero(across) && dot(d[i], d[j]) <= 0) return true;
      for (int k = j + 1; k < 9; ++k) {
        volume[i][j][k] = dot(across, d[k]);
        if (volume[i][j][k] != 0) continue;
        const Point normal = cross(d[j] - d[i], d[k] - d[i]);
        if (!is_zero(normal) && dot(across, normal) >= 0 && dot(cross(d[j], d[k]), normal) >= 0 &&
            dot(cross(d[k], d[i]), normal) >= 0)
          return true;
      }
    }
  for (int i = 0; i < 9; ++i)
    for (int j = i + 1; j < 9; ++j)
      for (int k = j + 1; k < 9; ++k)
        for (int l = k + 1; l < 9; ++l) {
          const Wide w[4] = {volume[j][k][l], -volume[i][k][l], volume[i][j][l], -volume[i][j][k]};
          const int side = sign_of(w[0] + w[1] + w[2] + w[3]);
          if (side != 0 && std::all_of(w, w + 4, [&](Wide x) { return sign_of(x) * side >= 0; })) return true;
        }
  return false;
}

constexpr int kTriangles[2][3] = {{0, 1, 2}, {0, 2, 3}};

/// Up to eight corners, as floats and, where these are whole numbers times a scale, as the whole numbers.
struct Corners {
  Vec3 at[8];
  Point whole[8];
};

Corners take_corners(Input& input, const Coordinates& coordinates, int count) {
  Corners corners;
  for (int i = 0; i < count; ++i) {
    if (!coordinates.whole()) {
      corners.at[i] = coordinates.take_point(input);
      continue;
    }
    const std::int32_t x = coordinates.take_whole(input), y = coordinates.take_whole(input),
                       z = coordinates.take_whole(input);
    const auto scaled = [&](std::int32_t v) { return static_cast<float>(v) * coordinates.scale; };
    corners.whole[i] = {x, y, z};
    corners.at[i] = {scaled(x), scaled(y), scaled(z)};
  }
  return corners;
}

void triangles(Input& input) {
  const Coordinates coordinates(input);
  const Corners corners = take_corners(input, coordinates, 6);
  const Vec3 *a = corners.at, *b = corners.at + 3;
  const bool meet = triangles_meet(a, b);
  if (coordinates.whole())
    require(meet == plain_meet(corners.whole, corners.whole + 3), "triangles meet where the plain computation says so");
  require(triangles_meet(b, a) == meet, "the order of the triangles does not matter");
  const Vec3 turned[3] = {a[2], a[1], a[0]};
  require(triangles_meet(turned, b) == meet, "the order of the corners does not matter");
  const Vec3 quad[4] = {b[0], b[1], b[2], b[0]};
  require((triangle_meets_quad(a, quad) & 1u) == unsigned{meet}, "a triangle of a quad meets as the triangle does");
}

void quads(Input& input) {
  const Coordinates coordinates(input);
  const Corners corners = take_corners(input, coordinates, 8);
  const Vec3 *a = corners.at, *b = corners.at + 4;
  const unsigned meeting = quads_meet(a, b);
  for (unsigned pair = 0; pair < 4; ++pair) {
    const int *i = kTriangles[pair >> 1], *j = kTriangles[pair & 1];
    const bool meet = (meeting >> pair & 1) != 0;
    const Vec3 of_a[3] = {a[i[0]], a[i[1]], a[i[2]]}, of_b[3] = {b[j[0]], b[j[1]], b[j[2]]};
    require(triangles_meet(of_a, of_b) == meet, "quads meet where their triangles do");
    if ((pair >> 1) == 0)
      require((triangle_meets_quad(of_a, b) >> (pair & 1) & 1) == unsigned{meet}, "a triangle meets the same quads");
    if (!coordinates.whole()) continue;
    const Point* w = corners.whole;
    const Point plain_a[3] = {w[i[0]], w[i[1]], w[i[2]]}, plain_b[3] = {w[4 + j[0]], w[4 + j[1]], w[4 + j[2]]};
    require(plain_meet(plain_a, plain_b) == meet, "quads meet where the plain computation says so");
  }
  require(meeting < 16, "there are four pairs of triangles");
}

// ---- boxes

Aabb take_box(Input& input, const Coordinates& coordinates) {
  const Vec3 p = coordinates.take_point(input), q = coordinates.take_point(input);
  const Aabb box = extend(extend({}, p), q);
  switch (input.below(16)) {
    case 0:
      return {};
    case 1:
      return {q, p};  // most of them empty
    case 2:
      return {box.min, {box.max.x, std::numeric_limits<float>::quiet_NaN(), box.max.z}};
    case 3:
      return {box.min, {box.max.x, box.max.y, std::numeric_limits<float>::infinity()}};
    default:
      return box;
  }
}

/// No axis separates them. A box without thickness counts where it lies inside another.
bool plain_overlap(const Aabb& a, const Aabb& b) {
  if (a.empty() || b.empty()) return false;
  for (int k = 0; k < 3; ++k)
    if (a.max[k] <= b.min[k] || b.max[k] <= a.min[k]) return false;
  return true;
}

void boxes(Input& input) {
  const Coordinates coordinates(input);
  BroadPhase broad;
  std::vector<std::pair<std::uint32_t, Aabb>> present;
  for (int frame = 0; frame < 6 && !input.empty(); ++frame) {
    for (std::size_t changes = input.below(24); changes > 0; --changes) {
      const std::size_t which = present.empty() ? 0 : input.below(present.size());
      const std::size_t action = input.below(4);
      if (present.empty() || action <= 1) {
        const Aabb box = take_box(input, coordinates);
        const std::uint32_t number = broad.add(box);
        for (const auto& [other, unused] : present) require(other != number, "a number in use is not given again");
        present.emplace_back(number, box);
      } else if (action == 2) {
        present[which].second = take_box(input, coordinates);
        broad.move(present[which].first, present[which].second);
      } else {
        broad.remove(present[which].first);
        present.erase(present.begin() + static_cast<std::ptrdiff_t>(which));
      }
    }
    std::vector<BoxPair> expected;
    for (const auto& [a, box_a] : present)
      for (const auto& [b, box_b] : present)
        if (a < b && plain_overlap(box_a, box_b)) expected.push_back({a, b});
    std::sort(expected.begin(), expected.end());
    const std::size_t most = input.flag() ? BroadPhase::kNoLimit : input.below(40);
    try {
      const auto pairs = broad.update(most);
      require(std::ranges::equal(pairs, expected), "sweep and prune finds every pair of boxes once, in order");
      require(expected.size() <= most, "no more pairs than allowed");
    } catch (const Error&) {
      require(expected.size() > most, "pairs are refused only when there are too many");
    }
  }
}

/// The box to sample: from one's low end to the other's high end along the rays, the shared box across them, the
/// shallowest of all such.
void volume_of_interest(Input& input) {
  const Coordinates coordinates(input);
  const Aabb a = take_box(input, coordinates), b = take_box(input, coordinates);
  std::optional<Axis> forced;
  if (const std::size_t which = input.below(4); which < 3) forced = static_cast<Axis>(which);
  const auto voi = choose_pair_voi(a, b, forced);
  if (voi.has_value()) require(plain_overlap(a, b), "boxes that share no volume have no volume of interest");
  if (!voi) {
    for (int k = 0; k < 3 && plain_overlap(a, b); ++k)
      if (std::min(a.max[k], b.max[k]) - std::max(a.min[k], b.min[k]) <= 0x1p-80f) return;
    require(!plain_overlap(a, b), "boxes that share a volume have a volume of interest");
    return;
  }
  const int w = static_cast<int>(voi->axis);
  require(!forced || *forced == voi->axis, "the axis is the one asked for");
  require(voi->outside_a != voi->outside_b && voi->outside_a != End::both && voi->outside_b != End::both,
          "the outside ends are opposite");
  const Aabb &low = voi->outside_a == End::low ? a : b, &high = voi->outside_a == End::low ? b : a;
  require(voi->box.min[w] == low.min[w] && voi->box.max[w] == high.max[w], "each end lies on the box outside there");
  float shallowest = std::numeric_limits<float>::infinity();
  for (int k = 0; k < 3; ++k) {
    if (k != w)
      require(voi->box.min[k] == std::max(a.min[k], b.min[k]) && voi->box.max[k] == std::min(a.max[k], b.max[k]),
              "across the rays it is the shared box");
    if (!forced || k == w) shallowest = std::min({shallowest, b.max[k] - a.min[k], a.max[k] - b.min[k]});
  }
  require(voi->box.max[w] - voi->box.min[w] == shallowest, "it is the shallowest");
}

// ---- positions

void positions(Input& input) {
  std::vector<Vec3> points(input.below(70));
  const Coordinates coordinates(input);
  for (Vec3& p : points) {
    p = coordinates.take_point(input);
    if (input.below(16) == 0) p[static_cast<int>(input.below(3))] = input.take<float>();
  }
  Aabb box;
  bool all_usable = true;
  for (const Vec3 p : points) {
    const bool is_usable = std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate &&
                           std::abs(p.z) <= kMaxCoordinate;  // not if one is NaN
    if (is_usable) box = extend(box, p);
    all_usable = all_usable && is_usable;
  }
  const PositionFacts facts = inspect_positions(points);
  require(facts.box == box && facts.usable == all_usable, "the box is that of the usable positions");
  std::vector<Vec3> copy(points.size());
  const PositionFacts copied = copy_positions(points, copy.data());
  require(copied.box == box && copied.usable == all_usable, "copying finds the same");
  require(points.empty() || std::memcmp(copy.data(), points.data(), points.size() * sizeof(Vec3)) == 0,
          "a copy has the same bits");
  const Vec3 center = box.empty() ? Vec3{} : lamella::center(box);
  const auto reach = static_cast<double>(reach_from(center, points));
  double farthest = 0;
  for (const Vec3 p : points)
    if (usable(p)) farthest = std::max(farthest, length(to_double(p) - to_double(center)));
  require(reach >= farthest, "no usable position is beyond the reach");
  if (farthest < 0x1p60)
    require(reach <= farthest * 1.001 + 0x1p-72, "the reach is the largest distance, a little more");
  std::vector<Triangle> corners(input.below(40));
  std::uint32_t largest = 0;
  for (Triangle& t : corners) {
    t = {input.take<std::uint32_t>(), input.take<std::uint16_t>(), input.take<std::uint8_t>()};
    if (input.flag()) std::swap(t.a, t.c);
    largest = std::max({largest, t.a, t.b, t.c});
  }
  require(max_index(corners) == largest, "the largest index is found");
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lamella::fuzz;
  Input input(data, size);
  constexpr void (*kChecks[])(Input&) = {orientations, triangles, quads, boxes, volume_of_interest, positions};
  kChecks[input.below(std::size(kChecks))](input);
  return 0;
}
