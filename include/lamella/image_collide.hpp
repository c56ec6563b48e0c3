#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "lamella/compact_image.hpp"
#include "lamella/export.hpp"
#include "lamella/geometry_image.hpp"
#include "lamella/sphere_pyramid.hpp"
#include "lamella/triangles_meet.hpp"
#include "lamella/verdict.hpp"

namespace lamella {

/// One or more geometry images that move as one body, each with its pyramid.
struct ImageBody {
  std::vector<GeometryImage> images;
  std::vector<SpherePyramid> pyramids;  ///< one per image; call refit() after changing positions
};

/// Builds the pyramids. Throws Error for an image that check() refuses.
[[nodiscard]] LAMELLA_API ImageBody make_body(std::vector<GeometryImage> images, SphereFit fit = SphereFit::tight);
/// Fits the pyramids to changed positions, with SphereFit::fast. `threads` as in SpherePyramid::build.
LAMELLA_API void refit(ImageBody& body, unsigned threads = 1);

/// The same in half the memory: 18 bytes a vertex instead of 36. Two bodies of 4097 x 4097 vertices take 0.6 GB. For
/// bodies that do not deform.
struct CompactBody {
  std::vector<CompactImage> images;
  std::vector<CompactPyramid> pyramids;  ///< one per image
};

/// Builds the pyramids. Throws Error for an image that check() refuses.
[[nodiscard]] LAMELLA_API CompactBody make_body(std::vector<CompactImage> images, SphereFit fit = SphereFit::tight,
                                                unsigned threads = 1);

/// A reference to a body of either kind, for the calls below; a body converts to it implicitly.
class BodyRef {
 public:
  BodyRef(const ImageBody& body) : floats_(&body) {}   // NOLINT: converts
  BodyRef(const CompactBody& body) : codes_(&body) {}  // NOLINT: converts

  [[nodiscard]] const ImageBody* floats() const { return floats_; }  ///< or null
  [[nodiscard]] const CompactBody* codes() const { return codes_; }  ///< or null

 private:
  const ImageBody* floats_ = nullptr;
  const CompactBody* codes_ = nullptr;
};

/// Two triangles that share a point: image and triangle in it, numbered as in GeometryImage. Against a plain mesh
/// image_b is 0 and triangle_b is the mesh's triangle.
struct TrianglePair {
  std::uint32_t image_a = 0, triangle_a = 0, image_b = 0, triangle_b = 0;
  friend constexpr auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// The order in which two pyramids are walked down. The verdict and the pairs are the same; the number of tests is not.
enum class ImageWalk : std::uint8_t {
  /// Opens the larger of two spheres, or both where they are alike, and goes on where spheres overlap most.
  guided,
  /// As GI-COLLIDE has it: one sphere of a against four of b and one of b against four of a, strictly in turn, and in
  /// the order of the image. Once one pyramid has ended only the other is walked on.
  zigzag,
};

/// A sphere of a body that a search visits: image, level and place in the pyramid, and the sphere in the world.
struct VisitedSphere {
  std::uint32_t image = 0;
  int level = 0;
  std::uint32_t x = 0, y = 0;
  Sphere sphere{};
};

struct ImageCollideOptions {
  bool all = false;  ///< find all pairs of triangles; otherwise the search ends with the first
  /// Go no deeper than this level: two spheres that overlap there collide, and no triangles are tested. An image with
  /// fewer levels is searched down to its own last level. Negative: down to the triangles.
  int max_level = -1;
  /// Time for one search, which then returns the best answer so far. 0: no limit; negative: it is spent already, so no
  /// test is made.
  std::chrono::nanoseconds budget{0};
  /// Tests of spheres and triangles for one search. Unlike time, this gives the same answer on every machine. 0: no
  /// limit.
  std::uint64_t max_tests = 0;
  ImageWalk walk = ImageWalk::guided;  ///< of two bodies; a plain mesh has no pyramid to walk down
  /// Called for every two overlapping spheres of two bodies that the search visits, in its order; for pictures of it.
  /// Not called against a plain mesh. Empty: costs nothing.
  std::function<void(const VisitedSphere& a, const VisitedSphere& b)> visited{};
};

/// A search always makes the same tests in the same order, and a limit only ends it earlier. So with more time or tests
/// the answer can only get better: a deeper level, a smaller `within`, a verdict, more pairs. A body of several images
/// has one order of tests for all of them.
struct ImageCollision {
  /// `clear`: no two triangles share a point (with max_level, no two spheres). `undecided`: time or tests ran out
  /// first: look at `level`, `position` and `within`. Or nothing was found, but a body's spheres do not enclose it, and
  /// a collision may have been missed: `enclosing` is false.
  Verdict verdict = Verdict::clear;
  bool complete = true;  ///< the search was not cut short: with `all`, `pairs` has every pair
  /// False: spheres of SphereFit::published leave out a part of a surface. What was found is there; a collision or a
  /// pair may have been missed, and `within` may be too small.
  bool enclosing = true;
  std::vector<TrianglePair> pairs;      ///< in the order found; one unless `all`; none with max_level
  std::uint64_t sphere_pair_count = 0;  ///< with max_level and `all`: pairs of spheres that overlap at that level
  /// Deepest level at which two overlapping spheres were visited, of the less deep of the two; -1: none were.
  int level = -1;
  /// In the world: where the first triangles meet, or where the smallest spheres visited overlap.
  Vec3d position;
  /// Upper bound of the distance between the surfaces near `position`: 0 when triangles meet; twice the radii of the
  /// smallest spheres visited when undecided or with max_level; infinite when clear.
  double within = 0;
  std::uint64_t sphere_test_count = 0, triangle_test_count = 0;

  [[nodiscard]] bool colliding() const { return verdict == Verdict::colliding; }
};

/// The pose of `placed` in the coordinates of `frame`.
[[nodiscard]] LAMELLA_API Transform relative_pose(const Transform& frame, const Transform& placed);

/// GI-COLLIDE: walks down both pyramids at once, one sphere of the one against four of the other, then the other way
/// round; a sphere is placed only when it is tested. At the last level triangles are tested exactly: b's vertices are
/// brought into a's frame as placed_positions(b, relative_pose(pose_a, pose_b)) does, and for those float coordinates
/// the answer is that of exact arithmetic, for coplanar, touching and degenerate triangles too. Surfaces that touch
/// collide; a body wholly inside another does not: surfaces are tested, not volumes.
///
/// Keeps its memory between calls; once warm, a search for the first pair of two images allocates nothing. Use one from
/// one thread at a time.
class LAMELLA_API ImageCollider {
 public:
  ImageCollider();
  ~ImageCollider();
  ImageCollider(ImageCollider&&) noexcept;
  ImageCollider& operator=(ImageCollider&&) noexcept;

  /// The result is valid until the next call. Poses place a and b in the world. Throws Error when a pose is not finite
  /// or the squared length of its quaternion is further than 1e-6 from 1, and when a body's pyramids are not of the
  /// size of its images.
  const ImageCollision& collide(BodyRef a, const Transform& pose_a, BodyRef b, const Transform& pose_b,
                                const ImageCollideOptions& options = {});
  /// Against the triangles of a mesh, which need no preparation: each is searched for in a's pyramids. Triangles with a
  /// vertex that is not finite, or beyond 1e18, are skipped. Throws Error when an index is out of range.
  const ImageCollision& collide(BodyRef a, const Transform& pose_a, MeshView b, const Transform& pose_b,
                                const ImageCollideOptions& options = {});

  /// Moves the last result out.
  [[nodiscard]] ImageCollision take();

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

/// One-off forms; for many calls keep an ImageCollider.
[[nodiscard]] LAMELLA_API ImageCollision collide(BodyRef a, const Transform& pose_a, BodyRef b, const Transform& pose_b,
                                                 const ImageCollideOptions& options = {});
[[nodiscard]] LAMELLA_API ImageCollision collide(BodyRef a, const Transform& pose_a, MeshView b,
                                                 const Transform& pose_b, const ImageCollideOptions& options = {});

}  // namespace lamella
