#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"

namespace lamella {

struct PushOutOptions {
  std::uint32_t resolution = 128;  ///< cells along the longest side of the body's box, 1 to kMaxResolution
  unsigned threads = 0;            ///< 0: all cores this process may use; no more than 1,024 are used
  float restitution = 0;           ///< 0 to 1: rebound speed divided by approach speed
  float friction = 0.5f;           ///< Coulomb's coefficient, finite and 0 or more
  float clearance = 0;  ///< how far above the surface a particle is set, in the scene's units; finite and 0 or more
  bool strict = false;  ///< a result whose health is not ok becomes an Error
  std::uint64_t max_crossings = std::uint64_t{1} << 28;  ///< of one view
};

/// Where the body's vertices are, and where they were when the particles' last step began.
struct BodyMotion {
  std::span<const Vec3> positions;
  std::span<const Vec3> before = {};  ///< empty: the body did not move
  /// Since `before`, finite and 0 or more. 0: neither the body's nor the particles' motion is known.
  float seconds = 0;
};

/// One particle that was inside. To let the body react, apply the opposite of the particle's change to the triangle.
struct ParticlePush {
  std::uint32_t particle = 0;
  std::uint32_t triangle = 0;  ///< of the body, where the particle was set
  Vec3 weights;                ///< barycentric, of the triangle's three corners
  Vec3 normal;                 ///< unit, outwards
  float depth = 0;             ///< distance from the particle's old position to that point
};

struct PushOutReport {
  std::vector<ParticlePush> pushes;     ///< ascending by particle
  std::uint32_t turned_back_count = 0;  ///< of these: set not onto the nearest surface but onto the one they crossed
  float deepest = 0;                    ///< of all pushes
  float motion = 0;                     ///< longest distance a vertex moved since `before`
  float cell = 0;                       ///< edge of the largest sample cell
  Health health;  ///< of all three views; untrusted_points: particles in open columns, which were not changed
  Timings ms;
};

/// Keeps particles out of a closed body that moves and deforms: finds those inside, sets them onto its surface and
/// changes their velocities. Samples the body along all three axes; a crossing knows its triangle.
///
/// Guarantees, with c = report().cell:
/// - A particle deeper than 0.71 c is found. So are shallower ones, except in tips and edges that fall between the
///   rays.
/// - It is set onto a triangle, exact but for rounding.
/// - That point is at most 1.25 c further away than the nearest one, where the body and the gaps in it are thicker than
///   c; the most that was measured is 0.3 c.
/// - It comes out on the side it came from, if in one step particle and surface move relative to each other by less
///   than the body's thickness there minus c. Take shorter steps for thinner or faster bodies.
///
/// Where the body overlaps itself a particle may take several steps to come out.
///
/// Allocates nothing once warm. Same bits for any number of threads. Use one from one thread at a time.
class LAMELLA_API ParticlePushOut {
 public:
  /// Copies the triangles. Throws Error when an index is not below `vertex_count`, or an option is out of range.
  ParticlePushOut(std::span<const Triangle> triangles, std::size_t vertex_count, PushOutOptions options = {});
  ~ParticlePushOut();
  ParticlePushOut(ParticlePushOut&&) noexcept;
  ParticlePushOut& operator=(ParticlePushOut&&) noexcept;

  /// Assumes that a particle came from `position - velocity * seconds`: call it after moving the particles by their
  /// velocities, before anything else changes these. `velocities` may be empty: then only positions change. Does not
  /// change particles in open columns, nor those whose position or velocity has a coordinate that is not finite or is
  /// beyond 2^100. The result stays valid until the next call. Throws Error when there are not vertex_count body
  /// positions, or not one velocity per particle, and for `seconds` out of range.
  const PushOutReport& push_out(const BodyMotion& body, std::span<Vec3> positions, std::span<Vec3> velocities);

  [[nodiscard]] const PushOutReport& report() const;
  [[nodiscard]] const PushOutOptions& options() const;

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
