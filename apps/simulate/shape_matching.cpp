// Departures from the paper:
// - The rotation is not taken from the root of a matrix, which fails where the points are flat or inside out, but found
//   by Müller, Bender, Chentanez, Macklin: "A Robust Method to Extract the Rotational Part of Deformations", 2016. Its
//   exponential map is replaced by a quotient, so that no sine enters.
// - A point's mass is shared by its clusters, as Rivers and James do (FastLSM, 2007), and the quadratic terms are taken
//   from their means: momentum is kept exactly.
// - The deformation that goals follow is not divided by the cube root of its determinant, which feeds energy into large
//   swings: a penalty on the determinant, itself the gradient of an energy, keeps the volume. All forces then have a
//   potential whose only minimum is the rest shape.

#include "simulate/shape_matching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "simulate/damping.hpp"
#include "simulate/invert.hpp"

namespace lamella::simulate {
namespace {

using Columns = std::array<Vec3d, 3>;

Vec3d operator/(Vec3d a, double s) { return a * (1 / s); }
void add(Vec3d& to, Vec3d a) { to = to + a; }

Columns columns_of(const Quaternion& q) {
  const Transform turn{{}, q};
  return {apply(turn, {1, 0, 0}), apply(turn, {0, 1, 0}), apply(turn, {0, 0, 1})};
}

}  // namespace

std::vector<double> surface_shares(MeshView mesh) {
  std::vector<double> shares(mesh.positions.size(), 0.0);
  double all = 0;
  for (const Triangle t : mesh.triangles) {
    const Vec3d a = to_double(mesh.positions[t.a]);
    const double area = length(cross(to_double(mesh.positions[t.b]) - a, to_double(mesh.positions[t.c]) - a));
    for (int i = 0; i < 3; ++i) shares[t[i]] += area;
    all += 3 * area;
  }
  if (!(all > 0)) throw Error("a soft body needs a surface");
  for (double& s : shares) s = std::max(s / all, 1e-9);  // a point without faces still has to weigh something
  return shares;
}

Quaternion rotation_of(const Matrix3& matrix, Quaternion guess, int most_steps) {
  const Columns target{Vec3d{matrix[0].x, matrix[1].x, matrix[2].x},
                       {matrix[0].y, matrix[1].y, matrix[2].y},
                       {matrix[0].z, matrix[1].z, matrix[2].z}};
  Quaternion q = guess;
  for (int step = 0; step < most_steps; ++step) {
    const Columns r = columns_of(q);
    Vec3d turn;
    double along = 0;
    for (int i = 0; i < 3; ++i) {
      add(turn, cross(r[i], target[i]));
      along += dot(r[i], target[i]);
    }
    turn = turn / (std::abs(along) + 1e-12);
    if (dot(turn, turn) < 1e-24) break;
    q = normalized(Quaternion{turn.x / 2, turn.y / 2, turn.z / 2, 1} * q);
  }
  return q;
}

SoftBody::SoftBody(MeshView rest, double mass, const SoftBodyOptions& options)
    : options_(options),
      triangles_(rest.triangles.begin(), rest.triangles.end()),
      velocities_(rest.positions.size()),
      goals_(rest.positions.size()) {
  for (const Vec3 p : rest.positions) positions_.push_back(to_double(p));
  masses_ = surface_shares(rest);
  for (double& m : masses_) m *= mass;
  for (const double m : masses_) ease_.push_back(1 / m);
  make_clusters(rest.positions, std::max(1u, options.clusters));
}

/// Around points that lie far from one another, each with the points that are not much nearer to another.
void SoftBody::make_clusters(std::span<const Vec3> rest, std::uint32_t count) {
  constexpr float kOverlap = 1.6f;
  std::vector<std::vector<float>> distances;
  std::vector<float> nearest(rest.size(), std::numeric_limits<float>::max());
  const std::size_t most = std::min<std::size_t>(count, rest.size());
  for (std::size_t seed = 0; distances.size() < most;
       seed = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin())) {
    std::vector<float>& d = distances.emplace_back(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      d[i] = lamella::length(rest[i] - rest[seed]);
      nearest[i] = std::min(nearest[i], d[i]);
    }
  }
  const float reach = *std::max_element(nearest.begin(), nearest.end());
  clusters_.resize(distances.size());
  shares_.assign(rest.size(), 0);
  for (std::size_t c = 0; c < clusters_.size(); ++c)
    for (std::uint32_t i = 0; i < rest.size(); ++i)
      if (distances[c][i] <= kOverlap * reach || distances.size() == 1) {
        clusters_[c].points.push_back(i);
        shares_[i] += 1;
      }
  for (double& s : shares_) s = 1 / s;
  for (Cluster& c : clusters_) fit(rest, c);
}

void SoftBody::fit(std::span<const Vec3> rest, Cluster& cluster) const {
  Vec3d center;
  for (const std::uint32_t i : cluster.points) {
    const double m = masses_[i] * shares_[i];
    cluster.masses.push_back(m);
    cluster.mass += m;
    add(center, to_double(rest[i]) * m);
  }
  center = center / cluster.mass;
  Terms mean{};
  for (std::size_t k = 0; k < cluster.points.size(); ++k) {
    const auto [x, y, z] = to_double(rest[cluster.points[k]]) - center;
    cluster.rest.push_back({x, y, z, x * x, y * y, z * z, x * y, y * z, z * x});
    for (int j = 0; j < kTerms; ++j) mean[j] += cluster.rest[k][j] * cluster.masses[k] / cluster.mass;
  }
  for (std::size_t k = 0; k < cluster.points.size(); ++k) {
    Terms& t = cluster.rest[k];
    for (int j = 0; j < kTerms; ++j) t[j] -= mean[j];
    for (int i = 0; i < terms(); ++i)
      for (int j = 0; j < terms(); ++j) cluster.inverse[i][j] += cluster.masses[k] * t[i] * t[j];
  }
  invert(cluster.inverse, terms());
}

/// What the goal's columns are to change by so that the volume, of which `fit` is the deformation, returns to that at
/// rest: minus the gradient of half the squared determinant less 1, by the points; times options_.volume as strong as
/// the goal is for a body that swells the same in all directions.
std::array<Vec3d, SoftBody::kTerms> SoftBody::keep_volume(const Cluster& cluster,
                                                          const std::array<Vec3d, kTerms>& fit) const {
  const Columns grown{cross(fit[1], fit[2]), cross(fit[2], fit[0]), cross(fit[0], fit[1])};
  double largest = 1, stiffest = 0;
  for (int i = 0; i < 3; ++i) {
    largest = std::max(largest, length(grown[i]));
    stiffest = std::max(stiffest, cluster.inverse[i][i]);
  }
  // Within bounds, however large the deformation: a step must not go further than to the goal.
  const double excess = options_.volume * std::clamp(dot(fit[0], grown[0]) - 1, -1.0, 1.0) / largest;
  std::array<Vec3d, kTerms> columns{};
  for (int j = 0; j < terms(); ++j)
    for (int i = 0; i < 3; ++i) add(columns[j], grown[i] * (-excess * cluster.inverse[j][i] / (3 * stiffest)));
  return columns;
}

/// Adds the cluster's part of its points' goals.
void SoftBody::match(Cluster& cluster) {
  const int n = terms();
  Vec3d center;
  for (std::size_t k = 0; k < cluster.points.size(); ++k)
    add(center, positions_[cluster.points[k]] * cluster.masses[k]);
  center = center / cluster.mass;

  std::array<Vec3d, kTerms> moments{};  // column j: sum of m p q_j
  for (std::size_t k = 0; k < cluster.points.size(); ++k) {
    const Vec3d p = (positions_[cluster.points[k]] - center) * cluster.masses[k];
    for (int j = 0; j < n; ++j) add(moments[j], p * cluster.rest[k][j]);
  }
  const Matrix3 turned{Vec3d{moments[0].x, moments[1].x, moments[2].x},
                       {moments[0].y, moments[1].y, moments[2].y},
                       {moments[0].z, moments[1].z, moments[2].z}};
  cluster.rotation = rotation_of(turned, cluster.rotation);
  const Columns rigid = columns_of(cluster.rotation);

  std::array<Vec3d, kTerms> goal{};  // column j: what term j of the rest shape adds
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) add(goal[j], moments[i] * cluster.inverse[i][j]);
  const std::array<Vec3d, kTerms> swelling = keep_volume(cluster, goal);
  for (int j = 0; j < n; ++j) {
    goal[j] = goal[j] * options_.deformation + swelling[j];
    if (j < 3) add(goal[j], rigid[j] * (1 - options_.deformation));
  }

  for (std::size_t k = 0; k < cluster.points.size(); ++k) {
    Vec3d g = center;
    for (int j = 0; j < n; ++j) add(g, goal[j] * cluster.rest[k][j]);
    add(goals_[cluster.points[k]], g * shares_[cluster.points[k]]);
  }
}

void SoftBody::step(double seconds, Vec3d acceleration) {
  began_ = positions_;
  std::fill(goals_.begin(), goals_.end(), Vec3d{});
  for (Cluster& c : clusters_) match(c);
  for (std::size_t i = 0; i < positions_.size(); ++i)
    add(velocities_[i], (goals_[i] - positions_[i]) * (options_.stiffness / seconds) + acceleration * seconds);
  damp_deformation(positions_, velocities_, masses_, options_.damping);
  for (std::size_t i = 0; i < positions_.size(); ++i) add(positions_[i], velocities_[i] * seconds);
}

void SoftBody::after_contacts(double seconds) {
  for (std::size_t i = 0; i < positions_.size(); ++i) add(velocities_[i], (positions_[i] - reached_[i]) / seconds);
}

Vec3d SoftBody::momentum() const {
  Vec3d sum;
  for (std::size_t i = 0; i < positions_.size(); ++i) add(sum, velocities_[i] * masses_[i]);
  return sum;
}

Vec3d SoftBody::angular_momentum() const {
  Vec3d sum;
  for (std::size_t i = 0; i < positions_.size(); ++i) add(sum, cross(positions_[i], velocities_[i] * masses_[i]));
  return sum;
}

double SoftBody::kinetic_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < positions_.size(); ++i) sum += dot(velocities_[i], velocities_[i]) * masses_[i] / 2;
  return sum;
}

}  // namespace lamella::simulate
