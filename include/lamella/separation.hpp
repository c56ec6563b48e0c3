#pragma once

// Which translations take one mesh out of another, and where a mesh that moves along a line first touches another.
//
// All answers are about positions, not about the way there: a link of a chain can be taken out of the next one by a
// translation that ends clear of it, although it cannot be moved there without passing through it. sweep() tells what
// lies on the way.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"
#include "lamella/verdict.hpp"

namespace lamella {

struct SeparationOptions {
  std::string engine = "automatic";  ///< of the search: "software" or "cuda"; "automatic" is software
  std::uint32_t resolution = 64;     ///< columns and rows of the search's grids; the answer is measured on finer ones
  std::uint32_t directions = 1000;   ///< about how many are looked along, each both ways
  unsigned threads = 0;              ///< as Options::threads
  std::optional<unsigned> device = std::nullopt;  ///< as Options::device
};

/// The shortest translation found that takes one mesh out of another.
struct Separation {
  Verdict before = Verdict::clear;  ///< of the pair as given: proved, unless undecided
  Vec3d translation{};              ///< of a: `direction` times (`length` + `margin`); 0 where nothing overlaps
  Vec3d direction{};                ///< unit; 0 where nothing overlaps
  /// How far a must go along `direction` until nothing overlaps. By exact tests of triangles where `certificate` is
  /// certain, else as far as the sampled rays need.
  double length = 0;
  /// Added so that rounding the moved positions to floats does not make them touch again; where the length is measured
  /// by rays, also for what lies between them.
  double margin = 0;
  /// Of `transformed(a, {translation})` and b. Undecided where a mesh does not close, unless their boxes are apart.
  Verdict after = Verdict::clear;
  Certificate certificate{};     ///< of `after`: certain where it is proved by exact arithmetic
  std::uint32_t directions = 0;  ///< looked along, counted once for each grid
  Timings ms{};                  ///< `ldi`: the verdict before, `query`: the search, `contacts`: proofs and sweeps
  std::string engine{};          ///< of the search
};

/// The shortest way to take `a` out of `b` by a translation. `separation(b, a)` gives the opposite translation, to
/// rounding. Throws Error for an index out of range or an unknown engine.
[[nodiscard]] LAMELLA_API Separation separation(MeshView a, MeshView b, const SeparationOptions& options = {});

/// The free shifts of a mesh along one direction, as columns of rays see them.
struct FreeInterval {
  bool overlapping = false;  ///< some ray sees an overlap of the meshes as they are
  /// Overlapping: how far a must go along the direction until no ray sees an overlap; else 0. `backward`: the same
  /// against the direction; not negative.
  double forward = 0, backward = 0;
  /// How far a may go on from there before a ray sees it touch b; infinite when none ever does. Where nothing overlaps:
  /// the clearance both ways.
  double room_forward = std::numeric_limits<double>::infinity();
  double room_backward = std::numeric_limits<double>::infinity();
  double cell = 0;    ///< the larger distance of neighbouring rays: what is smaller may be missed
  bool open = false;  ///< columns that do not close were left out
};

/// Along `direction`, of any length but 0, on `resolution` x `resolution` rays over the part of the image that both
/// meshes cover. Throws Error for a direction that is 0 or not finite, or a resolution out of range.
[[nodiscard]] LAMELLA_API FreeInterval free_shifts(MeshView a, MeshView b, Vec3d direction,
                                                   std::uint32_t resolution = 256);

/// separation() and free_shifts() for many pairs: keeps its memory. Use each from one thread at a time.
class LAMELLA_API Separator {
 public:
  explicit Separator(const SeparationOptions& options = {});
  ~Separator();
  Separator(Separator&&) noexcept;
  Separator& operator=(Separator&&) noexcept;

  [[nodiscard]] Separation separation(MeshView a, MeshView b);
  [[nodiscard]] FreeInterval free_shifts(MeshView a, MeshView b, Vec3d direction, std::uint32_t resolution = 256);

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

/// The first touch of a mesh that moves along a line.
struct SweepHit {
  double time = 0;  ///< the part of the motion before the touch, 0 to 1
  /// Where the surfaces touch then, in world coordinates. Overlapping at the start: a point inside both, if known.
  Vec3d position{};
  Vec3d normal{};  ///< unit, of b's surface there, towards a; 0 where they overlap at the start
  /// That touch. Overlapping at the start: two that meet, if known.
  std::uint32_t triangle_a = 0, triangle_b = 0;
  bool overlapping = false;  ///< they overlap at the start already; `time` is 0
};

/// Moves `a` by `motion` and tells where it first touches `b`; nothing where it does not. No feature is missed, however
/// thin and however fast: every two triangles that could touch earlier are tested. Surfaces that only slide along each
/// other do not touch, and neither do those that touch at the start and part. Of meshes that do not close, either side
/// of a triangle can be touched. Triangles with vertices that are not finite are left out. Throws Error for an index
/// out of range or a motion that is not finite.
///
/// Linear time in the vertices and triangles, about 3.5 ms for 100,000 triangles, and in the pairs that are close when
/// they touch. Where the boxes overlap at the start, a proof (Options::certify) decides whether the meshes overlap
/// there; if the proof fails, triangles that cross show that they do.
[[nodiscard]] LAMELLA_API std::optional<SweepHit> sweep(MeshView a, MeshView b, Vec3d motion, unsigned threads = 0);

/// sweep() for many pairs: keeps its memory. Use each from one thread at a time.
class LAMELLA_API Sweeper {
 public:
  explicit Sweeper(unsigned threads = 0);
  ~Sweeper();
  Sweeper(Sweeper&&) noexcept;
  Sweeper& operator=(Sweeper&&) noexcept;

  [[nodiscard]] std::optional<SweepHit> sweep(MeshView a, MeshView b, Vec3d motion);
  /// The same for a pair that is known not to overlap at the start: no proof is made.
  [[nodiscard]] std::optional<SweepHit> sweep_clear(MeshView a, MeshView b, Vec3d motion);

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
