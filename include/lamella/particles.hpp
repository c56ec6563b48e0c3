#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/query.hpp"

namespace lamella {

struct PushOutOptions {
  std::uint32_t resolution = 128;  ///< cells along the longest side of the body's box
  unsigned threads = 0;            ///< 0: all cores this process may use
  float restitution = 0;           ///< 0 to 1: how much of the approach comes back
  float friction = 0.5f;           ///< Coulomb's coefficient
  float clearance = 0;             ///< how far above the surface a particle is set, in the scene's units
  bool strict = false;             ///< a result whose health is not ok becomes an Error
  std::uint64_t max_crossings = std::uint64_t{1} << 28;
};

/// Where the body's vertices are, and where they were when the particles' last step began.
struct BodyMotion {
  std::span<const Vec3> positions;
  std::span<const Vec3> before = {};  ///< empty: the body stands still
  float seconds = 0;                  ///< since `before`; 0: nothing is known of motion, neither body's nor particles'
};

/// One particle that was inside. For reactions on the body: its face takes what the particle is given.
struct ParticlePush {
  std::uint32_t particle = 0;
  std::uint32_t face = 0;
  Vec3 weights;     ///< of the face's three corners: where on it
  Vec3 normal;      ///< unit, outwards
  float depth = 0;  ///< from where the particle was to that place
};

struct PushOutReport {
  std::vector<ParticlePush> pushes;  ///< ascending by particle
  std::uint32_t turned_back = 0;     ///< of these, not to the nearest surface but to the one they came through
  float deepest = 0;                 ///< of all pushes
  float motion = 0;                  ///< longest way of a vertex since `before`
  float cell = 0;                    ///< edge of the largest sample cell
  Health health;                     ///< of all three views; untrusted_points: particles left alone, in open columns
  Timings ms;
};

/// Keeps particles out of a closed body that moves and deforms: finds those inside, sets them onto its surface and
/// changes their velocities. The body is sampled along all three axes into columns whose crossings know their face.
///
/// What is certain, with c = report().cell:
/// - A particle deeper than 0.71 c is found; shallower ones too but for tips and edges that fall between the rays.
/// - It is set onto a face, with an error of rounding alone.
/// - That place is at most 1.25 c further away than the nearest one, where the body and the gaps in it are thicker than
///   c; the most that was measured is 0.3 c.
/// - It comes out on the side it came from while the particle and the surface move, relative to one another, less in a
///   step than the body is thick there minus c: take shorter steps for thinner or faster bodies.
/// Where the body overlaps itself a particle may take several steps to come out.
///
/// Allocates nothing once warm. Same bits for any number of threads. Use one from one thread at a time.
class LAMELLA_API ParticlePushOut {
 public:
  /// Copies the triangles. Throws Error when an index is not below `vertices`, or an option is out of its range.
  ParticlePushOut(std::span<const Triangle> triangles, std::size_t vertices, PushOutOptions options = {});
  ~ParticlePushOut();
  ParticlePushOut(ParticlePushOut&&) noexcept;
  ParticlePushOut& operator=(ParticlePushOut&&) noexcept;

  /// Particles are taken to have come from `position - velocity * seconds`: call it after moving them by their
  /// velocities, before anything else changes these. `velocities` may be empty: then only positions change. A particle
  /// in an open column, or one that is not finite, is left alone. The answer stays valid until the next call.
  const PushOutReport& push_out(const BodyMotion& body, std::span<Vec3> positions, std::span<Vec3> velocities);

  [[nodiscard]] const PushOutReport& report() const;
  [[nodiscard]] const PushOutOptions& options() const;

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
