#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "lamella/export.hpp"
#include "lamella/query.hpp"

namespace lamella {

/// A mesh that a Detector keeps; valid until removed, never reused.
struct MeshId {
  std::uint64_t number = 0;
  friend constexpr bool operator==(const MeshId&, const MeshId&) = default;
};

/// The queries of query.hpp for every frame of a simulation: keeps engine and memory between calls; on the
/// CPU it allocates nothing once warm. Results stay valid until the next call of the same query. Use one from one
/// thread at a time.
class LAMELLA_API Detector {
 public:
  explicit Detector(Options options = {});
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  const Overlap& intersect(MeshView a, MeshView b);
  const SelfOverlap& self_intersect(MeshView mesh);
  const Containment& contains(MeshView mesh, std::span<const Vec3> points);

  /// Meshes kept between frames, for engines on a GPU: triangles are checked and uploaded once, and a frame uploads
  /// no more than the positions that moved. Arrays are read during the call alone. CPU engines keep a copy, so that a
  /// view is the cheaper way there. An id that is not of this detector is an Error.
  [[nodiscard]] MeshId add(MeshView mesh);
  /// As many positions as before; a different number is an Error.
  void update_vertices(MeshId mesh, std::span<const Vec3> positions);
  void remove(MeshId mesh);

  const Overlap& intersect(MeshId a, MeshId b);
  const SelfOverlap& self_intersect(MeshId mesh);
  const Containment& contains(MeshId mesh, std::span<const Vec3> points);

  [[nodiscard]] const Options& options() const;

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
