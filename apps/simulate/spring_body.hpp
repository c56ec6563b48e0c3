#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"
#include "lamella/soft.hpp"

// Soft bodies of springs after Macklin, Müller, Chentanez: "XPBD: Position-Based Simulation of Compliant Constrained
// Dynamics", 2016. A body's points are its mesh's vertices and a lattice of points inside it.

namespace lamella::simulate {

struct SpringBodyOptions {
  double spacing = 0.06;  ///< of the points inside, in the mesh's units; above 0
  /// Of a spring: how much longer a unit of force makes it; 0: as stiff as rounds allow. That of springs with an end on
  /// the surface apart: its points are light, and stiff springs would throw them back at each step.
  double compliance = 0.01, skin = 0.01;
  double damping = 0.02;  ///< as SoftBodyOptions::damping, of a step
  unsigned rounds = 2;    ///< over all springs in a step
};

/// Springs pull along the line between their ends, so momentum is kept to rounding; angular momentum drifts by some
/// percent in hundreds of steps, since springs turn within one. Steps are stable for any length. Springs are relaxed
/// one after the other, in one order: the same bits in every run.
class SpringBody {
 public:
  /// A closed mesh; half of the mass is in the surface, by area, half inside.
  SpringBody(MeshView rest, double mass, const SpringBodyOptions& options = {});

  /// First half of a step: points move on, then springs pull. Contacts may move points before the second half.
  void predict(double seconds, Vec3d acceleration);
  /// Second half: velocities are those of the way since predict() began, less damping.
  void finish(double seconds);

  /// The surface as contacts take it; its points are the mesh's vertices.
  [[nodiscard]] SoftMesh surface();
  /// All points, the vertices first. Free to be changed between steps.
  [[nodiscard]] std::span<Vec3d> positions() { return positions_; }
  [[nodiscard]] std::span<const Vec3d> positions() const { return positions_; }
  /// Where points were when the step began.
  [[nodiscard]] std::span<const Vec3d> before() const { return before_; }
  [[nodiscard]] std::span<Vec3d> velocities() { return velocities_; }
  [[nodiscard]] std::span<const Vec3d> velocities() const { return velocities_; }
  [[nodiscard]] double mass(std::size_t i) const { return masses_[i]; }
  [[nodiscard]] std::size_t spring_count() const { return springs_.size(); }

  /// From now on the point stays where it is, whatever pulls.
  void fix(std::size_t i);
  /// Springs are at rest when points are at `shape`, one for each: a body that moves by itself, as muscles do.
  void set_rest(std::span<const Vec3d> shape);

  [[nodiscard]] Vec3d momentum() const;
  [[nodiscard]] Vec3d angular_momentum() const;  ///< about the origin
  [[nodiscard]] double kinetic_energy() const;

 private:
  struct Spring {
    std::uint32_t a = 0, b = 0;
    double length = 0, compliance = 0;
  };
  void add_inside(MeshView rest);
  void link_surface(MeshView rest);
  void link_inside();
  void link(std::uint32_t a, std::uint32_t b);

  SpringBodyOptions options_;
  std::vector<Triangle> triangles_;
  std::size_t vertex_count_ = 0;
  std::vector<Vec3d> positions_, velocities_, before_;
  std::vector<double> masses_, ease_;  ///< ease: inverse masses, 0 of what is fixed
  std::vector<Spring> springs_;
};

}  // namespace lamella::simulate
