// Shapes as they come out of CAD programs, slicers and scanners when nobody thought of the triangles.

#include "scenes/hard_meshes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "lamella/elementary.hpp"
#include "scenes/models.hpp"
#include "scenes/polygon.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {
namespace {

std::uint32_t number(std::size_t i) { return static_cast<std::uint32_t>(i); }

std::uint32_t add_point(Mesh& mesh, Vec3d p) {
  mesh.positions.push_back(to_float(p));
  return number(mesh.positions.size() - 1);
}

void add_quad(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

using Ring = std::vector<std::uint32_t>;

/// Triangles from every edge of a closed ring to one point, which lies to the left of them.
void add_fan(Mesh& mesh, const Ring& ring, std::uint32_t tip) {
  for (std::size_t i = 0; i < ring.size(); ++i) mesh.triangles.push_back({ring[i], ring[(i + 1) % ring.size()], tip});
}

void add_strip(Mesh& mesh, const Ring& below, const Ring& above) {
  for (std::size_t i = 0; i < below.size(); ++i) {
    const std::size_t j = (i + 1) % below.size();
    add_quad(mesh, below[i], below[j], above[j], above[i]);
  }
}

/// Around the z axis, from the lower pole to the upper one: profile(i) is (radius, height) of ring i.
Mesh lathe(std::size_t rings, std::span<const double> angles, Vec3d low, Vec3d high,
           const std::function<Point2(std::size_t)>& profile) {
  Mesh mesh;
  const std::uint32_t first = add_point(mesh, low);
  Ring last;
  for (std::size_t i = 0; i < rings; ++i) {
    const Point2 at = profile(i);
    Ring ring;
    for (const double angle : angles)
      ring.push_back(add_point(mesh, {at.x * elementary::cos(angle), at.x * elementary::sin(angle), at.y}));
    if (i == 0)
      add_fan(mesh, Ring(ring.rbegin(), ring.rend()), first);
    else
      add_strip(mesh, last, ring);
    last = ring;
  }
  add_fan(mesh, last, add_point(mesh, high));
  return mesh;
}

std::vector<double> even_angles(std::size_t count) {
  std::vector<double> angles;
  for (std::size_t i = 0; i < count; ++i)
    angles.push_back(2 * kPi * static_cast<double>(i) / static_cast<double>(count));
  return angles;
}

/// The surface of unit cubes; no two may touch at an edge or a corner alone.
Mesh cubes(std::array<int, 3> size, const std::function<bool(int, int, int)>& solid) {
  Mesh mesh;
  std::map<std::array<int, 3>, std::uint32_t> numbers;
  const auto vertex = [&](std::array<int, 3> p) {
    const auto [at, fresh] = numbers.emplace(p, number(mesh.positions.size()));
    if (fresh) add_point(mesh, {double(p[0]), double(p[1]), double(p[2])});
    return at->second;
  };
  const auto filled = [&](const std::array<int, 3>& p) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (p[axis] < 0 || p[axis] >= size[axis]) return false;
    return solid(p[0], p[1], p[2]);
  };
  for (int cell = 0; cell < size[0] * size[1] * size[2]; ++cell) {
    const std::array<int, 3> at{cell % size[0], cell / size[0] % size[1], cell / size[0] / size[1]};
    if (!filled(at)) continue;
    for (std::size_t face = 0; face < 6; ++face) {
      const std::size_t axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
      const int high = static_cast<int>(face % 2);
      std::array<int, 3> beyond = at, a = at;
      beyond[axis] += 2 * high - 1;
      if (filled(beyond)) continue;
      a[axis] += high;
      std::array<int, 3> b = a, c = a, d = a;
      ++b[u], ++c[u], ++c[v], ++d[v];
      if (high == 0) std::swap(b, d);
      add_quad(mesh, vertex(a), vertex(b), vertex(c), vertex(d));
    }
  }
  return mesh;
}

Mesh lattice(int detail) {
  const int nodes = 3 + (detail - 1) / 2, gap = 3 + detail / 2, size = (nodes - 1) * (gap + 1) + 1;
  return cubes({size, size, size}, [=](int x, int y, int z) {
    return (x % (gap + 1) != 0) + (y % (gap + 1) != 0) + (z % (gap + 1) != 0) <= 1;
  });
}

Mesh comb(int detail) {
  const int teeth = 4 + 4 * detail, length = 60 * detail;
  return cubes({2 * teeth - 1, length, 2}, [=](int x, int y, int) { return y == 0 || x % 2 == 0; });
}

Mesh slivers(int detail) {
  constexpr double kPair = 1e-5;
  const std::size_t rings = 12 * number(detail), sectors = 12 * number(detail);
  std::vector<double> angles;
  for (const double angle : even_angles(sectors)) angles.insert(angles.end(), {angle, angle + kPair});
  return lathe(2 * rings - 2, angles, {0, 0, -1}, {0, 0, 1}, [=](std::size_t i) {
    const double at = kPi * static_cast<double>(i / 2 + 1) / static_cast<double>(rings) + (i % 2 == 0 ? 0 : kPair);
    return Point2{elementary::sin(at), -elementary::cos(at)};
  });
}

Mesh bowl(int detail) {
  constexpr double kThin = 1e-3;
  const std::size_t rings = 20 * number(detail), sectors = 24 * number(detail);
  return lathe(2 * rings, even_angles(sectors), {0, 0, -1}, {0, 0, -1 + kThin}, [=](std::size_t i) {
    const bool outer = i < rings;
    const double part = static_cast<double>(outer ? i + 1 : 2 * rings - i) / static_cast<double>(rings);
    const double at = 0.75 * kPi * part, radius = outer ? 1 : 1 - kThin;
    return Point2{radius * elementary::sin(at), -radius * elementary::cos(at)};
  });
}

Mesh uneven(int detail) {
  const std::size_t sectors = 8 + 4 * number(detail), rings = 20 * number(detail);
  // From one pole to the other every ring is smaller by the same factor, 1e6 in all.
  return lathe(rings, even_angles(sectors), {0, 0, 0}, {0, 0, 1}, [=](std::size_t i) {
    const double size = elementary::pow(1e6, static_cast<double>(i + 1) / static_cast<double>(rings) - 1);
    return Point2{0.5 * size * (i + 1 == rings ? 0.5 : 1), 0.9 * size};
  });
}

Mesh needles(int detail) {
  const Mesh ball = sphere(200 * number(detail));
  Mesh mesh{ball.positions, {}};
  const std::size_t count = 6 * number(detail), steps = 12 * number(detail);
  std::vector<std::vector<std::uint32_t>> after(ball.positions.size());  // by vertex: pairs of the edges around it
  for (const Triangle& t : ball.triangles)
    for (int k = 0; k < 3; ++k) after[t[k]].insert(after[t[k]].end(), {t[(k + 1) % 3], t[(k + 2) % 3]});
  std::vector<bool> taken(ball.positions.size(), false), tip(taken);
  std::size_t made = 0;
  for (std::size_t i = 0; i < ball.positions.size() && made < count; ++i) {
    const std::size_t v = i * 37 % ball.positions.size();
    if (taken[v] || tip[v]) continue;
    bool free = true;
    for (const std::uint32_t w : after[v]) free = free && !tip[w] && !taken[w];
    if (!free) continue;
    for (const std::uint32_t w : after[v]) taken[w] = true;
    tip[v] = true;
    ++made;
  }
  for (const Triangle& t : ball.triangles)
    if (!tip[t.a] && !tip[t.b] && !tip[t.c]) mesh.triangles.push_back(t);
  for (std::uint32_t v = 0; v < tip.size(); ++v) {
    if (!tip[v]) continue;
    Ring ring{after[v][0]};
    while (ring.size() < after[v].size() / 2)
      for (std::size_t k = 0; k < after[v].size(); k += 2)
        if (after[v][k] == ring.back()) {
          ring.push_back(after[v][k + 1]);
          break;
        }
    const Ring base = ring;
    const Vec3d foot = to_double(ball.positions[v]), out = normalize(foot);
    for (std::size_t s = 1; s < steps; ++s) {
      Ring next;
      const double along = static_cast<double>(s) / static_cast<double>(steps);
      for (const std::uint32_t w : base) {
        const Vec3d across = to_double(ball.positions[w]) - foot;
        next.push_back(
            add_point(mesh, foot + out * (4 * along) + (across - out * dot(across, out)) * (0.1 * (1 - 0.9 * along))));
      }
      add_strip(mesh, ring, next);
      ring = next;
    }
    mesh.positions[v] = to_float(foot + out * 4.0);
    add_fan(mesh, ring, v);
  }
  return mesh;
}

/// A bolt's thread: the outline between two windings, swept along a helix.
Mesh screw(int detail) {
  const std::array<Point2, 4> outline{{{1, 0}, {1, 0.3}, {1.4, 0.499}, {1.4, 0.5}}};  // radius, height; a sharp crest
  const std::size_t around = 24 * number(detail), turns = 4 * number(detail), rows = around * turns;
  Mesh mesh;
  std::vector<std::array<std::uint32_t, 4>> numbers(rows + around + 1);
  for (std::size_t m = 0; m < numbers.size(); ++m)
    for (std::size_t p = 0; p < (m <= rows ? outline.size() : 1); ++p) {
      const double turn = static_cast<double>(m) / static_cast<double>(around), angle = 2 * kPi * turn;
      numbers[m][p] = add_point(
          mesh, {outline[p].x * elementary::cos(angle), outline[p].x * elementary::sin(angle), outline[p].y + turn});
    }
  const auto at = [&](std::size_t m, std::size_t p) {
    return p < outline.size() ? numbers[m][p] : numbers[m + around][0];
  };
  for (std::size_t m = 0; m < rows; ++m)
    for (std::size_t p = 0; p < outline.size(); ++p)
      add_quad(mesh, at(m, p), at(m + 1, p), at(m + 1, p + 1), at(m, p + 1));
  Ring bottom, top;
  for (std::size_t m = 0; m < around; ++m) {
    bottom.push_back(at(m, 0));
    top.push_back(at(rows + m, 0));
  }
  for (std::size_t p = outline.size(); p > 0; --p) bottom.push_back(at(0, p));
  std::reverse(bottom.begin(), bottom.end());
  for (std::size_t p = outline.size(); p > 0; --p) top.push_back(at(rows, p));
  add_fan(mesh, bottom, add_point(mesh, {0, 0, 0}));
  add_fan(mesh, top, add_point(mesh, {0, 0, static_cast<double>(turns) + 1}));
  return mesh;
}

Polygon circle(Point2 middle, Point2 radii, std::size_t corners, bool clockwise) {
  Polygon polygon;
  for (const double angle : even_angles(corners))
    polygon.push_back({middle.x + radii.x * elementary::cos(angle), middle.y + radii.y * elementary::sin(angle)});
  if (clockwise) std::reverse(polygon.begin(), polygon.end());
  return polygon;
}

Polygon backwards(Polygon polygon) {
  std::reverse(polygon.begin(), polygon.end());
  return polygon;
}

/// A flat face at a height, from corners that exist already.
void add_face(Mesh& mesh, const std::vector<Ring>& rings, const Polygon& outline, std::span<const Polygon> holes,
              bool up) {
  std::vector<std::uint32_t> corners;
  for (const Ring& ring : rings) corners.insert(corners.end(), ring.begin(), ring.end());
  for (const Triangle& t : triangulate(outline, holes)) {
    const Triangle face{corners[t.a], corners[t.b], corners[t.c]};
    mesh.triangles.push_back(up ? face : Triangle{face.a, face.c, face.b});
  }
}

Ring add_ring(Mesh& mesh, const Polygon& polygon, double height) {
  Ring ring;
  for (const Point2 p : polygon) ring.push_back(add_point(mesh, {p.x, p.y, height}));
  return ring;
}

Mesh plate(int detail) {
  const int holes = 2 + 2 * detail;  // a side
  const std::size_t corners = 16 + 8 * number(detail);
  const double size = 1.2 * holes;
  const Polygon outline{{0, 0}, {size, 0}, {size, size}, {0, size}};
  std::vector<Polygon> round;
  for (int i = 0; i < holes * holes; ++i)
    round.push_back(circle({1.2 * (i % holes) + 0.6, 1.2 * (i / holes) + 0.6}, {0.5, 0.5}, corners, true));
  Mesh mesh;
  std::vector<Ring> low, high;
  const auto add = [&](const Polygon& polygon) {
    low.push_back(add_ring(mesh, polygon, 0));
    high.push_back(add_ring(mesh, polygon, 0.4));
    add_strip(mesh, low.back(), high.back());
  };
  add(outline);
  for (const Polygon& polygon : round) add(polygon);
  add_face(mesh, high, outline, round, true);
  add_face(mesh, low, outline, round, false);
  return mesh;
}

/// A letter: its outline and, where it has one, the hole in it.
struct Letter {
  Polygon outline;  ///< counter-clockwise
  std::vector<Polygon> holes;
};

Letter letter(int which, std::size_t corners) {
  switch (which % 4) {
    case 0:
      return {{{0, 0}, {0.2, 0}, {0.5, 0.7}, {0.8, 0}, {1, 0}, {0.6, 1}, {0.4, 1}}, {}};
    case 1:
      return {circle({0.5, 0.5}, {0.45, 0.5}, corners, false), {circle({0.5, 0.5}, {0.3, 0.35}, corners, true)}};
    case 2:
      return {{{0.1, 0},
               {0.9, 0},
               {0.9, 0.15},
               {0.25, 0.15},
               {0.25, 0.42},
               {0.8, 0.42},
               {0.8, 0.58},
               {0.25, 0.58},
               {0.25, 0.85},
               {0.9, 0.85},
               {0.9, 1},
               {0.1, 1}},
              {}};
    default: {
      Letter d{{}, {}};
      const auto half = [&](double radius, bool clockwise) {
        Polygon polygon;
        for (std::size_t i = 0; i <= corners; ++i) {
          const double angle = kPi * (static_cast<double>(i) / static_cast<double>(corners) - 0.5);
          polygon.push_back({0.35 + radius * elementary::cos(angle), 0.5 + radius * elementary::sin(angle)});
        }
        polygon.push_back({0.35 - (0.5 - (0.5 - radius)) * 0.3, 0.5 + radius});
        polygon.push_back({0.35 - (0.5 - (0.5 - radius)) * 0.3, 0.5 - radius});
        return clockwise ? backwards(polygon) : polygon;
      };
      d.outline = half(0.5, false);
      d.holes.push_back(half(0.33, true));
      return d;
    }
  }
}

Mesh lettering(int detail) {
  const int columns = 4 * detail, rows = detail;
  const std::size_t corners = 24 * number(detail);
  const double width = 1.2 * columns + 0.4, height = 1.4 * rows + 0.4;
  Mesh mesh;
  const Polygon outline{{0, 0}, {width, 0}, {width, height}, {0, height}};
  std::vector<Polygon> outlines;  // of the letters, as holes of the plate
  std::vector<Ring> plate_rings;
  const Ring low = add_ring(mesh, outline, -0.5);
  plate_rings.push_back(add_ring(mesh, outline, 0));
  add_strip(mesh, low, plate_rings.front());
  add_face(mesh, {low}, outline, {}, false);
  for (int i = 0; i < columns * rows; ++i) {
    Letter each = letter(i + i / columns, corners);
    const auto move = [&](Polygon& polygon) {
      for (Point2& p : polygon) p = {p.x + 1.2 * (i % columns) + 0.3, p.y + 1.4 * (i / columns) + 0.4};
    };
    move(each.outline);
    for (Polygon& hole : each.holes) move(hole);
    const Ring foot = add_ring(mesh, each.outline, 0);
    std::vector<Ring> top{add_ring(mesh, each.outline, 0.3)};
    add_strip(mesh, foot, top.front());
    for (const Polygon& hole : each.holes) {
      const Ring inner = add_ring(mesh, hole, 0);
      top.push_back(add_ring(mesh, hole, 0.3));
      add_strip(mesh, inner, top.back());
      add_face(mesh, {Ring(inner.rbegin(), inner.rend())}, backwards(hole), {}, true);
    }
    add_face(mesh, top, each.outline, each.holes, true);
    outlines.push_back(backwards(each.outline));
    plate_rings.emplace_back(foot.rbegin(), foot.rend());
  }
  add_face(mesh, plate_rings, outline, outlines, true);
  return mesh;
}

Mesh fan(int detail) {
  const std::size_t corners = 1000 + 500 * number(detail - 1);
  Mesh mesh;
  const Polygon round = circle({0, 0}, {1, 1}, corners, false);
  const Ring low = add_ring(mesh, round, 0), high = add_ring(mesh, round, 20);
  add_strip(mesh, low, high);
  for (std::uint32_t i = 1; i + 1 < corners; ++i) mesh.triangles.push_back({high[0], high[i], high[i + 1]});
  add_fan(mesh, Ring(low.rbegin(), low.rend()), add_point(mesh, {0, 0, 0}));
  return mesh;
}

constexpr HardMesh kMeshes[]{
    {"lattice", "struts between the points of a grid: genus 28 and more", lattice},
    {"slivers", "a ball of triangles that are 10,000 times as long as wide, and of some that are almost points",
     slivers},
    {"bowl", "a shell, 1/1000 of its radius thick", bowl},
    {"needles", "a ball with long spikes", needles},
    {"uneven", "triangles from 1 to 1/1,000,000 in size", uneven},
    {"comb", "long bars side by side", comb},
    {"screw", "a thread with a sharp crest, in long thin triangles", screw},
    {"lettering", "raised letters; flat faces of long triangles between the letters' corners", lettering},
    {"plate", "a plate of many round holes, faces of long triangles between the holes", plate},
    {"fan", "a cylinder; one corner has 1,000 triangles and more", fan},
};

}  // namespace

std::span<const HardMesh> hard_meshes() { return kMeshes; }

}  // namespace lamella::scenes
