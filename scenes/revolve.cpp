#include "scenes/revolve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lamella::scenes {
namespace {

struct Ring {
  ProfilePoint at;
  std::size_t vertices = 3;
  double phase = 0;  ///< of the first vertex, in vertices
};

double distance(ProfilePoint a, ProfilePoint b) {
  const double across = a.radius - b.radius, along = a.along - b.along;
  return std::sqrt(across * across + along * along);
}

/// `count` points inside the polyline, at equal distances along it.
std::vector<ProfilePoint> resample(const std::vector<ProfilePoint>& line, double total, std::size_t count) {
  std::vector<ProfilePoint> points;
  points.reserve(count);
  double passed = 0;
  std::size_t i = 1;
  for (std::size_t k = 1; k <= count; ++k) {
    const double wanted = total * double(k) / double(count + 1);
    double step = distance(line[i - 1], line[i]);
    while (i + 1 < line.size() && passed + step < wanted) {
      passed += step;
      ++i;
      step = distance(line[i - 1], line[i]);
    }
    const double f = std::clamp((wanted - passed) / step, 0.0, 1.0);
    points.push_back({line[i - 1].radius + (line[i].radius - line[i - 1].radius) * f,
                      line[i - 1].along + (line[i].along - line[i - 1].along) * f});
  }
  return points;
}

/// Rings for triangles of about `edge`.
std::vector<Ring> rings_for(const std::vector<ProfilePoint>& profile, double total, double edge,
                            std::size_t min_rings) {
  constexpr double kHeight = 0.866;  // of a triangle with equal sides
  const auto count =
      static_cast<std::size_t>(std::max<double>(double(min_rings), std::round(total / (kHeight * edge)) - 1));
  std::vector<Ring> rings;
  rings.reserve(count);
  for (const ProfilePoint p : resample(profile, total, count)) {
    const double wanted = std::max(3.0, std::round(2 * kPi * p.radius / edge));
    rings.push_back({p, static_cast<std::size_t>(wanted), rings.size() % 2 == 0 ? 0.0 : 0.5});
  }
  return rings;
}

std::size_t vertex_count(const std::vector<Ring>& rings) {
  return std::accumulate(rings.begin(), rings.end(), std::size_t{0},
                         [](std::size_t sum, const Ring& r) { return sum + r.vertices; });
}

/// Adds or takes single vertices, spread over the rings, until there are `wanted`.
void adjust(std::vector<Ring>& rings, std::size_t wanted) {
  std::size_t have = vertex_count(rings);
  while (have != wanted) {
    const std::size_t missing = have < wanted ? wanted - have : have - wanted;
    const std::size_t stride = std::max<std::size_t>(1, rings.size() / missing);
    const std::size_t before = have;
    for (std::size_t i = stride / 2; i < rings.size() && have != wanted; i += stride) {
      if (have < wanted) {
        ++rings[i].vertices;
        ++have;
      } else if (rings[i].vertices > 3) {
        --rings[i].vertices;
        --have;
      }
    }
    if (have == before) return;  // every ring that may shrink is at its least
  }
}

/// Each vertex of a ring belongs to two triangles' worth of surface, so the face count is twice the vertex count.
std::vector<Ring> choose_rings(const std::vector<ProfilePoint>& profile, std::size_t faces, std::size_t min_rings) {
  double total = 0;
  for (std::size_t i = 1; i < profile.size(); ++i) total += distance(profile[i - 1], profile[i]);
  const std::size_t wanted = std::max(faces / 2, 3 * min_rings);
  double fine = total / (4.0 * double(wanted) + 16), coarse = total;
  for (int i = 0; i < 24; ++i) {
    const double edge = std::sqrt(fine * coarse);
    (vertex_count(rings_for(profile, total, edge, min_rings)) > wanted ? fine : coarse) = edge;
  }
  std::vector<Ring> rings = rings_for(profile, total, coarse, min_rings);
  adjust(rings, wanted);
  return rings;
}

/// Closes the strip between two rings: walks around both at once, always advancing the one that lags.
void stitch(const Ring& a, std::uint32_t first_a, const Ring& b, std::uint32_t first_b, std::vector<Triangle>& out) {
  const auto at = [](const Ring& r, std::uint32_t first, std::size_t i) {
    return first + static_cast<std::uint32_t>(i % r.vertices);
  };
  std::size_t i = 0, j = 0;
  while (i < a.vertices || j < b.vertices) {
    const double next_a = (double(i) + 1 + a.phase) / double(a.vertices);
    const double next_b = (double(j) + 1 + b.phase) / double(b.vertices);
    if (j == b.vertices || (i < a.vertices && next_a <= next_b)) {
      out.push_back({at(a, first_a, i), at(b, first_b, j), at(a, first_a, i + 1)});
      ++i;
    } else {
      out.push_back({at(a, first_a, i), at(b, first_b, j), at(b, first_b, j + 1)});
      ++j;
    }
  }
}

}  // namespace

Mesh revolve(const std::vector<ProfilePoint>& profile, std::size_t faces, std::size_t min_rings,
             const std::function<Vec3d(double, double, double)>& place) {
  const std::vector<Ring> rings = choose_rings(profile, faces, min_rings);
  Mesh mesh;
  mesh.positions.push_back(to_float(place(0, profile.front().along, 0)));
  std::vector<std::uint32_t> first;
  for (const Ring& ring : rings) {
    first.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
    for (std::size_t i = 0; i < ring.vertices; ++i) {
      const double angle = 2 * kPi * (double(i) + ring.phase) / double(ring.vertices);
      mesh.positions.push_back(to_float(place(ring.at.radius, ring.at.along, angle)));
    }
  }
  const auto last = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.push_back(to_float(place(0, profile.back().along, 0)));

  const auto fan = [&](const Ring& ring, std::uint32_t start, auto&& emit) {
    for (std::size_t i = 0; i < ring.vertices; ++i) {
      emit(start + static_cast<std::uint32_t>(i), start + static_cast<std::uint32_t>((i + 1) % ring.vertices));
    }
  };
  fan(rings.front(), first.front(), [&](auto u, auto v) { mesh.triangles.push_back({0, u, v}); });
  for (std::size_t k = 0; k + 1 < rings.size(); ++k) {
    stitch(rings[k], first[k], rings[k + 1], first[k + 1], mesh.triangles);
  }
  fan(rings.back(), first.back(), [&](auto u, auto v) { mesh.triangles.push_back({last, v, u}); });
  return mesh;
}

}  // namespace lamella::scenes
