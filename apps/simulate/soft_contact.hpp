#pragma once

#include <vector>

#include "lamella/particles.hpp"
#include "lamella/scene.hpp"
#include "simulate/shape_matching.hpp"

namespace lamella::simulate {

/// Keeps two soft bodies apart. A Scene says whether and how much they overlap; where they do, vertices inside the
/// other body are moved onto its surface, and that surface away from them: each by its share of the masses.
class SoftContacts {
 public:
  /// The bodies' meshes; both bodies are made of their vertices.
  SoftContacts(MeshView a, MeshView b, const SceneOptions& options, double friction);

  /// To be called before the bodies' step: where they come from.
  void remember(const SoftBody& a, const SoftBody& b);
  /// After it. Momentum is kept, but for rounding.
  void resolve(SoftBody& a, SoftBody& b, double seconds);
  /// Detection alone, of the bodies as they are.
  const SceneResult& detect(const SoftBody& a, const SoftBody& b);

  /// Vertices that the last resolve() found inside.
  [[nodiscard]] std::uint32_t inside() const { return inside_; }
  /// Milliseconds of detection since reset_timings().
  [[nodiscard]] const Timings& timings() const { return timings_; }
  void reset_timings() { timings_ = {}; }

 private:
  struct Side {
    Side(MeshView mesh, const SceneOptions& options);
    std::vector<Triangle> triangles;
    ParticlePushOut push_out;  ///< of the other's vertices
    std::vector<Vec3> now, before, normals;
    std::vector<Vec3d> exact_before;
    std::vector<Vec3> points, velocities;  ///< own vertices, as the other's particles
  };
  void push(const Side& of, const Side& from, SoftBody& body, SoftBody& other, std::span<const ParticlePush> pushes,
            double seconds) const;
  std::span<const ParticlePush> find_inside(Side& of, Side& in, double seconds);

  Scene scene_;
  Side a_, b_;
  ObjectId id_a_, id_b_;
  double friction_;
  std::uint32_t inside_ = 0;
  Timings timings_;
};

}  // namespace lamella::simulate
