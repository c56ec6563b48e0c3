#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"
#include "lamella/response.hpp"
#include "lamella/soft.hpp"

// Soft bodies after Müller, Heidelberger, Teschner, Gross: "Meshless Deformations Based on Shape Matching", SIGGRAPH
// 2005. A body is a cloud of points, here a mesh's vertices; in each step they are drawn towards the rest shape, turned
// and deformed so that it fits where they are.

namespace lamella::simulate {

struct SoftBodyOptions {
  double stiffness = 0.5;  ///< the paper's alpha, 0 to 1: how much of the way to the goal a step goes
  double deformation =
      0.7;                ///< the paper's beta, 0 (rigid) to 1: how much the goal follows the points' own deformation
  bool quadratic = true;  ///< goals also bend and twist; otherwise they stretch and shear
  double volume = 1;      ///< how much it resists swelling and shrinking; stable while stiffness times this is below 2
  std::uint32_t clusters = 1;  ///< overlapping parts that are matched one by one
  double damping = 0.02;       ///< 0 to 1: part of the motion within the body that a step takes; none of its momentum
};

/// Closest rotation to a matrix that stretches and shears, or even turns inside out: a proper rotation always. `guess`
/// speeds it up and is where the search starts.
[[nodiscard]] Quaternion rotation_of(const Matrix3& matrix, Quaternion guess, int most_steps = 40);

/// Each vertex's part of the surface; 1 in all. Throws Error for a mesh without one.
[[nodiscard]] std::vector<double> surface_shares(MeshView mesh);

/// Points with masses by their share of the mesh's surface. Sums are taken in one order; only +, -, *, / and square
/// roots are used once it is made: the same bits in every run.
class SoftBody {
 public:
  SoftBody(MeshView rest, double mass, const SoftBodyOptions& options = {});

  /// Forces of one step: towards the goals, and `acceleration`; then points move on. Momentum and angular momentum
  /// change by the acceleration alone.
  void step(double seconds, Vec3d acceleration);

  /// The body as contacts take it.
  [[nodiscard]] SoftMesh surface() { return {triangles_, positions_, ease_, began_}; }
  /// Around contacts that move points: velocities follow.
  void before_contacts() { reached_ = positions_; }
  void after_contacts(double seconds);

  /// Free to be changed between steps.
  [[nodiscard]] std::span<Vec3d> positions() { return positions_; }
  [[nodiscard]] std::span<const Vec3d> positions() const { return positions_; }
  [[nodiscard]] std::span<Vec3d> velocities() { return velocities_; }
  [[nodiscard]] std::span<const Vec3d> velocities() const { return velocities_; }
  [[nodiscard]] double mass(std::size_t i) const { return masses_[i]; }
  [[nodiscard]] std::span<const std::uint32_t> cluster(std::size_t i) const { return clusters_[i].points; }
  [[nodiscard]] std::size_t cluster_count() const { return clusters_.size(); }

  [[nodiscard]] Vec3d momentum() const;
  [[nodiscard]] Vec3d angular_momentum() const;  ///< about the origin
  [[nodiscard]] double kinetic_energy() const;

 private:
  static constexpr int kTerms = 9;  ///< x, y, z, xx, yy, zz, xy, yz, zx
  using Terms = std::array<double, kTerms>;
  using TermMatrix = std::array<Terms, kTerms>;

  struct Cluster {
    std::vector<std::uint32_t> points;
    std::vector<double> masses;  ///< a point's mass is shared by its clusters
    double mass = 0;
    std::vector<Terms> rest;  ///< of each point, from the rest shape's center
    TermMatrix inverse{};     ///< of the sum of mass times rest times its transpose; linear: the upper left part
    Quaternion rotation;      ///< of the last match
  };

  void make_clusters(std::span<const Vec3> rest, std::uint32_t count);
  void fit(std::span<const Vec3> rest, Cluster& cluster) const;
  [[nodiscard]] std::array<Vec3d, kTerms> keep_volume(const Cluster& cluster,
                                                      const std::array<Vec3d, kTerms>& fit) const;
  void match(Cluster& cluster);
  [[nodiscard]] int terms() const { return options_.quadratic ? kTerms : 3; }

  SoftBodyOptions options_;
  std::vector<Triangle> triangles_;
  std::vector<Vec3d> positions_, velocities_, goals_;
  std::vector<Vec3d> began_, reached_;  ///< positions when the step began, and before contacts
  std::vector<double> masses_, ease_;   ///< ease: inverse masses
  std::vector<double> shares_;          ///< one over the number of a point's clusters
  std::vector<Cluster> clusters_;
};

}  // namespace lamella::simulate
