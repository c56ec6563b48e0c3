#include "simulate/spring_body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "simulate/damping.hpp"
#include "simulate/shape_matching.hpp"

namespace lamella::simulate {
namespace {

/// Numbers points by the cells of a lattice that they lie in.
class Cells {
 public:
  explicit Cells(double size) : size_(size) {}

  using Cell = std::array<int, 3>;
  [[nodiscard]] Cell cell_of(Vec3d p) const {
    const auto index = [&](double x) { return static_cast<int>(std::floor(x / size_)); };
    return {index(p.x), index(p.y), index(p.z)};
  }
  void add(Vec3d p, std::uint32_t i) { points_[key(cell_of(p))].push_back(i); }
  /// Calls visit(i) for the points in the cells around that of `p`, always in the same order.
  template <class Visit>
  void around(Vec3d p, int reach, const Visit& visit) const {
    const Cell c = cell_of(p);
    for (int x = -reach; x <= reach; ++x)
      for (int y = -reach; y <= reach; ++y)
        for (int z = -reach; z <= reach; ++z) {
          const auto found = points_.find(key({c[0] + x, c[1] + y, c[2] + z}));
          if (found == points_.end()) continue;
          for (const std::uint32_t i : found->second) visit(i);
        }
  }

 private:
  static std::uint64_t key(const Cell& c) {
    std::uint64_t k = 0;
    for (const int i : c) k = k << 21 | (static_cast<std::uint64_t>(i) & 0x1fffff);
    return k;
  }
  double size_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> points_;
};

constexpr double kClose = 0.35;         ///< inside points stay this many spacings away from vertices
constexpr std::size_t kAnchors = 6;     ///< points inside that a vertex hangs on
constexpr std::size_t kMost = 200'000;  ///< points inside

}  // namespace

SpringBody::SpringBody(MeshView rest, double mass, const SpringBodyOptions& options)
    : options_(options),
      triangles_(rest.triangles.begin(), rest.triangles.end()),
      vertex_count_(rest.positions.size()) {
  if (!(options.spacing > 0)) throw Error("a spring body's spacing must be above 0");
  for (const Vec3 p : rest.positions) positions_.push_back(to_double(p));
  masses_ = surface_shares(rest);
  add_inside(rest);
  const std::size_t inside = positions_.size() - vertex_count_;
  const double of_surface = inside > 0 ? mass / 2 : mass;
  for (double& m : masses_) m *= of_surface;
  masses_.resize(positions_.size(), inside > 0 ? (mass - of_surface) / static_cast<double>(inside) : 0.0);
  for (const double m : masses_) ease_.push_back(1 / m);
  velocities_.resize(positions_.size());
  before_ = positions_;
  link_surface(rest);
  link_inside();
}

/// The points of a lattice that are inside the mesh, and not too close to a vertex.
void SpringBody::add_inside(MeshView rest) {
  const Aabb box = bounds(rest);
  const Vec3d low = to_double(box.min), size = to_double(extent(box));
  const double h = options_.spacing;
  if (size.x * size.y * size.z / (h * h * h) > kMost)
    throw Error("a spring body's spacing makes too many points inside; choose a larger one");
  Cells vertices(h);
  for (std::uint32_t i = 0; i < vertex_count_; ++i) vertices.add(positions_[i], i);
  std::vector<Vec3> points;
  for (double z = h / 2; z < size.z; z += h)
    for (double y = h / 2; y < size.y; y += h)
      for (double x = h / 2; x < size.x; x += h) points.push_back(to_float(low + Vec3d{x, y, z}));
  const Containment found = contains(rest, points, {.engine = "software", .threads = 1});
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (found.inside[i] != kPointInside) continue;
    const Vec3d p = to_double(points[i]);
    bool close = false;
    vertices.around(p, 1, [&](std::uint32_t v) { close = close || length(positions_[v] - p) < kClose * h; });
    if (!close) positions_.push_back(p);
  }
}

void SpringBody::link(std::uint32_t a, std::uint32_t b) {
  const double l = length(positions_[a] - positions_[b]);
  const bool skin = std::min(a, b) < vertex_count_;
  if (l > 0) springs_.push_back({a, b, l, skin ? options_.skin : options_.compliance});
}

/// Along edges, and across each from the one opposite corner to the other, which resists bending.
void SpringBody::link_surface(MeshView rest) {
  struct Edge {
    std::uint64_t key;
    std::uint32_t opposite;
  };
  std::vector<Edge> edges;
  for (const Triangle t : rest.triangles)
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t a = t[i], b = t[(i + 1) % 3];
      edges.push_back({std::min(a, b) << 32 | std::max(a, b), t[(i + 2) % 3]});
    }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.key < b.key; });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto a = static_cast<std::uint32_t>(edges[i].key >> 32), b = static_cast<std::uint32_t>(edges[i].key);
    if (i > 0 && edges[i - 1].key == edges[i].key) {
      link(edges[i - 1].opposite, edges[i].opposite);
    } else {
      link(a, b);
    }
  }
}

/// Points inside to their neighbours, vertices to the nearest points inside.
void SpringBody::link_inside() {
  const double h = options_.spacing;
  Cells inside(h);
  for (auto i = static_cast<std::uint32_t>(vertex_count_); i < positions_.size(); ++i) inside.add(positions_[i], i);
  for (auto i = static_cast<std::uint32_t>(vertex_count_); i < positions_.size(); ++i)
    inside.around(positions_[i], 2, [&](std::uint32_t k) {
      if (k > i && length(positions_[i] - positions_[k]) < 1.8 * h) link(i, k);
    });
  std::vector<std::pair<double, std::uint32_t>> near;
  for (std::uint32_t i = 0; i < vertex_count_; ++i) {
    near.clear();
    inside.around(positions_[i], 2,
                  [&](std::uint32_t k) { near.emplace_back(length(positions_[i] - positions_[k]), k); });
    std::sort(near.begin(), near.end());
    for (std::size_t k = 0; k < std::min(kAnchors, near.size()); ++k) link(i, near[k].second);
  }
}

SoftMesh SpringBody::surface() {
  const std::size_t n = vertex_count_;
  return {triangles_, std::span(positions_).first(n), std::span(ease_).first(n), std::span(before_).first(n)};
}

void SpringBody::predict(double seconds, Vec3d acceleration) {
  before_ = positions_;
  for (std::size_t i = 0; i < positions_.size(); ++i)
    if (ease_[i] > 0) positions_[i] += (velocities_[i] + acceleration * seconds) * seconds;
  // One round of XPBD is exact for a spring alone; further rounds only even out what its neighbours did.
  const double per_step = 1 / (seconds * seconds);
  for (unsigned round = 0; round < options_.rounds; ++round) {
    for (const Spring& s : springs_) {
      const Vec3d way = positions_[s.b] - positions_[s.a];
      const double l = length(way);
      if (!(l > 0) || ease_[s.a] + ease_[s.b] == 0) continue;
      const Vec3d pull = way * ((l - s.length) / (l * (ease_[s.a] + ease_[s.b] + s.compliance * per_step)));
      positions_[s.a] += pull * ease_[s.a];
      positions_[s.b] -= pull * ease_[s.b];
    }
  }
}

void SpringBody::finish(double seconds) {
  for (std::size_t i = 0; i < positions_.size(); ++i) velocities_[i] = (positions_[i] - before_[i]) * (1 / seconds);
  damp_deformation(positions_, velocities_, masses_, options_.damping);
  for (std::size_t i = 0; i < positions_.size(); ++i)
    if (ease_[i] == 0) velocities_[i] = {};
}

void SpringBody::fix(std::size_t i) {
  ease_[i] = 0;
  velocities_[i] = {};
}

void SpringBody::set_rest(std::span<const Vec3d> shape) {
  for (Spring& s : springs_) s.length = length(shape[s.b] - shape[s.a]);
}

Vec3d SpringBody::momentum() const {
  Vec3d sum;
  for (std::size_t i = 0; i < positions_.size(); ++i) sum += velocities_[i] * masses_[i];
  return sum;
}

Vec3d SpringBody::angular_momentum() const {
  Vec3d sum;
  for (std::size_t i = 0; i < positions_.size(); ++i) sum += cross(positions_[i], velocities_[i] * masses_[i]);
  return sum;
}

double SpringBody::kinetic_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < positions_.size(); ++i) sum += dot(velocities_[i], velocities_[i]) * masses_[i] / 2;
  return sum;
}

}  // namespace lamella::simulate
