#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/geometry_image.hpp"
#include "lamella/sphere_pyramid.hpp"

namespace lamella {

/// What collides: one or more geometry images that move as one, each with its pyramid.
struct ImageBody {
  std::vector<GeometryImage> images;
  std::vector<SpherePyramid> pyramids;  ///< of each image; after positions changed, call refit()
};

/// Builds the pyramids. Throws Error when an image is not sound, as check() does.
[[nodiscard]] LAMELLA_API ImageBody make_body(std::vector<GeometryImage> images, SphereFit fit = SphereFit::tight);
/// Brings the pyramids up to date with the positions, by spheres that are fast to fit.
LAMELLA_API void refit(ImageBody& body, unsigned threads = 1);

/// Two triangles that share a point: image and triangle in it, numbered as in GeometryImage. Against a plain mesh
/// image_b is 0 and triangle_b the mesh's.
struct TrianglePair {
  std::uint32_t image_a = 0, triangle_a = 0, image_b = 0, triangle_b = 0;
  friend constexpr auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

struct ImageCollideOptions {
  bool all = false;  ///< all pairs of triangles; otherwise the search ends with the first
  /// Spheres of this level are the bottom: two that overlap there collide, and no triangle is looked at. Against an
  /// image with fewer levels its own bottom counts. Negative: down to the triangles.
  int max_level = -1;
  /// The answer is given within this time, as good as it then is; 0: however long it takes.
  std::chrono::nanoseconds budget{0};
  /// The same by work: the search ends after so many tests of spheres and triangles. Unlike time it gives the same
  /// answer on every machine. 0: no limit.
  std::uint64_t max_tests = 0;
};

enum class Verdict : std::uint8_t {
  separate,   ///< no two triangles share a point (or, with max_level, no two spheres)
  colliding,  ///< two do
  undecided,  ///< time or tests were up before either was known: look at `level`, `place` and `within`
};

/// Every search goes through the same sequence of tests and stops where it must. More time or tests go further along
/// it, so the answer can only get better: a deeper level, a smaller `within`, a verdict, more pairs. A body of several
/// images has one sequence for all of them.
struct ImageCollision {
  Verdict verdict = Verdict::separate;
  bool complete = true;             ///< nothing was cut short: `pairs` are all there are where all were asked for
  std::vector<TrianglePair> pairs;  ///< in the order found; one unless `all`; none with max_level
  std::uint64_t sphere_pairs = 0;   ///< with max_level and `all`: how many pairs of spheres overlap at the bottom
  /// Deepest level at which two spheres that overlap were looked into, of the less deep of the two; -1: none were.
  int level = -1;
  /// In the world: where the first triangles meet, or the smallest spheres overlap that were looked into.
  Vec3d place;
  /// The surfaces come at least this close to each other near `place`: 0 when triangles meet, twice the radii of the
  /// smallest spheres that overlap when undecided or with max_level, infinite when separate.
  double within = 0;
  std::uint64_t sphere_tests = 0, triangle_tests = 0;

  [[nodiscard]] bool colliding() const { return verdict == Verdict::colliding; }
};

/// Where `placed` is as seen from `frame`.
[[nodiscard]] LAMELLA_API Transform relative_pose(const Transform& frame, const Transform& placed);

/// GI-COLLIDE: walks both pyramids down at once, one sphere of the one against four of the other, then the other way
/// round; spheres are placed only when they are looked at. At the bottom triangles are tested exactly: b's vertices
/// are brought into a's frame as transformed(b, relative_pose(pose_a, pose_b)) does, and for those float coordinates
/// the answer is that of exact arithmetic, for coplanar, touching and degenerate triangles too. Surfaces that touch
/// collide; a body wholly inside another does not: surfaces are tested, not volumes.
///
/// The object keeps its memory between calls; once warm, a search for the first pair of two images allocates nothing.
class LAMELLA_API ImageCollider {
 public:
  ImageCollider();
  ~ImageCollider();
  ImageCollider(ImageCollider&&) noexcept;
  ImageCollider& operator=(ImageCollider&&) noexcept;

  /// The result is valid until the next call. Poses place a and b in the world. Error when one is not finite or its
  /// quaternion not of length 1, and when a body's spheres are not those of its images.
  const ImageCollision& collide(const ImageBody& a, const Transform& pose_a, const ImageBody& b,
                                const Transform& pose_b, const ImageCollideOptions& options = {});
  /// Against the triangles of a mesh, which need no preparation: each is looked up in a's pyramids. Triangles with a
  /// vertex that is not finite, or beyond 1e18, are passed over. Throws Error when an index is out of range.
  const ImageCollision& collide(const ImageBody& a, const Transform& pose_a, MeshView b, const Transform& pose_b,
                                const ImageCollideOptions& options = {});

  /// The last result, for keeps.
  [[nodiscard]] ImageCollision take();

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

/// For a single question.
[[nodiscard]] LAMELLA_API ImageCollision collide(const ImageBody& a, const Transform& pose_a, const ImageBody& b,
                                                 const Transform& pose_b, const ImageCollideOptions& options = {});
[[nodiscard]] LAMELLA_API ImageCollision collide(const ImageBody& a, const Transform& pose_a, MeshView b,
                                                 const Transform& pose_b, const ImageCollideOptions& options = {});

/// Whether two triangles share a point, touching and degenerate ones too; exact for all finite coordinates.
[[nodiscard]] LAMELLA_API bool triangles_meet(const Vec3 a[3], const Vec3 b[3]);

}  // namespace lamella
