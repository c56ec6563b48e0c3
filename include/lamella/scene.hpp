#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/grid.hpp"
#include "lamella/mesh.hpp"
#include "lamella/object_id.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"
#include "lamella/separation.hpp"

namespace lamella {

/// A viewer of the scene: how large a pixel is at each place.
struct Screen {
  Vec3d eye;
  double pixel_angle = 0.001;  ///< radians a pixel covers, above 0: 2 tan(field of view / 2) / pixels across
};

/// Where a contact's normal comes from.
enum class Normals : std::uint8_t {
  faces,       ///< the two triangles hit
  neighbours,  ///< three neighbouring points of one object, as Jang, Jeong and Han publish
};

/// How gl-pairs decides which objects collide.
enum class PairMethod : std::uint8_t {
  complete,  ///< every pair that a ray is inside of
  /// As Jang, Jeong and Han publish: a back face is compared with the nearest front alone, and a column has room for
  /// one back behind a front and for one collision point in each round. Pairs that a third object follows on every ray
  /// are missed: SceneResult::passed_over says how much. Contacts are made from the collision points.
  jang,
};

/// The most contacts of a pair. Where two objects touch in more places, those that are reported cover all of these as
/// well as so few can, and ScenePair::more_contacts is true. Patches have no such limit: each region that two objects
/// share has one.
inline constexpr std::uint32_t kMaxContacts = 16;

/// Options of a Scene. Cell size: `cell` if given, else a pixel of `screen`, else what `resolution` gives.
struct SceneOptions {
  /// "software", "cuda" (the same answers from an NVIDIA GPU) or "gl-pairs" (pairs and points on a GPU as published, no
  /// volumes); "automatic" is software.
  std::string engine = "automatic";
  float cell = 0;                               ///< edge of a sample cell, in the scene's units; 0: not given
  std::optional<Screen> screen = std::nullopt;  ///< sample as finely as this viewer sees
  /// Columns and rows of each pair's grid, over the box that the two objects share, as in intersect(); 1 to
  /// kMaxResolution. With `cell` or `screen`, objects that can touch share a grid instead.
  std::uint32_t resolution = 128;
  /// Most columns or rows of a group's grid, however small the cell; 1 to kMaxResolution.
  std::uint32_t max_resolution = 2048;
  std::optional<Axis> axis = std::nullopt;  ///< of all rays; then there is one view
  /// 3: sample each pair along all three axes, so that contacts on any side are seen face on. 1: one view for a whole
  /// group, as published; a third of the work, but contacts are coarse where surfaces are nearly parallel to the rays.
  unsigned views = 3;
  unsigned threads = 0;                           ///< 0: all cores this process may use; no more than 1,024 are used
  std::optional<unsigned> device = std::nullopt;  ///< as Options::device
  /// Meshes with holes are closed by fans of triangles when they are added (lamella/repair.hpp). Triangles of results
  /// with numbers beyond the mesh's own belong to fans.
  bool close_holes = true;
  /// A result whose health is not ok, or with a pair that is undecided, becomes an Error; samples every object whole.
  bool strict = false;
  float min_thickness = 0x1p-20f;                        ///< as Options::min_thickness
  std::uint64_t max_crossings = std::uint64_t{1} << 28;  ///< of one group
  /// Pairs of objects whose boxes share a volume; each takes about 200 bytes, and 5 KB where it has grids of its own
  /// (`resolution`). More are an Error: n objects in one place are n²/2 pairs.
  std::uint64_t max_pairs = std::uint64_t{1} << 21;
  /// Intervals of rays inside two objects, over all pairs and views; each takes about 150 bytes with its collision
  /// points. More are an Error. With `resolution` a pair has up to 3 resolution² of them: 1,300 pairs at 128.
  std::uint64_t max_spans = std::uint64_t{1} << 26;
  bool self_overlap = false;  ///< also report objects that overlap themselves; samples every object whole; not gl-pairs
  bool points = true;         ///< report collision points
  /// Two surfaces give a collision point when they are at most this far apart along a ray; in cells.
  float threshold = 1;
  Normals normals = Normals::faces;
  std::uint32_t max_contacts = 8;  ///< of a pair, at most kMaxContacts; 0: make none, and gl-pairs reads less back
  /// Report a ContactPatch for each connected region that two objects share. Needs contacts (`max_contacts` above 0);
  /// gl-pairs makes none.
  bool patches = true;
  /// Also measure ContactPatch::separation: samples both objects once more for each patch.
  bool separations = false;
  PairMethod method = PairMethod::complete;  ///< jang: the engine must be gl-pairs
  /// How far off volumes may be. A pair whose ScenePair::volume_error is above it is asked again by intersect() on the
  /// CPU, which chooses axis and resolution for it; its volume, error and centroid are then those. Not gl-pairs.
  std::optional<Tolerance> tolerance = std::nullopt;
  /// Prove which candidates collide, as Options::certify, by intersect() on the CPU at `resolution`: pairs that are
  /// proved to be clear are not reported, and those that are proved to collide are, even if no ray met what they share.
  /// Candidates that seem to be clear but cannot be proved to be are undecided, and so are pairs that depend on how a
  /// hole was closed.
  bool certify = false;
};

/// Everything as Jang, Jeong and Han publish it: gl-pairs, their method, one view, normals from neighbouring points.
[[nodiscard]] LAMELLA_API SceneOptions jang_options();

/// Contact point, normal and depth of two objects: of two surfaces on one ray, so that it says where surfaces touch.
/// Where objects are deep inside each other, depths of rays depend on which rays there are: see ContactPatch.
struct Contact {
  Vec3d position;                                ///< halfway between the two surfaces, in world coordinates
  Vec3 normal;                                   ///< unit, from b to a: pushing a along it separates them
  float depth = 0;                               ///< penetration along the normal
  bool front_a = false, front_b = false;         ///< whether the ray enters the object there, or leaves it
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< of their meshes
  std::uint32_t id = 0;  ///< above 0; stays the same from frame to frame while the contact lasts
};

/// A connected region that two objects share, as a whole: sums over all of its rays, so that they converge as cells get
/// smaller. Regions less than two cells apart count as one. Exchanging the objects negates the normal and changes
/// nothing else; with SceneOptions::resolution, neither do other objects of the scene.
struct ContactPatch {
  Vec3d center;  ///< centroid of the region, in world coordinates
  /// Unit, from b to a: the shared volume falls fastest when a moves along it. It is the mean normal of the surfaces
  /// that bound the region. Regions that nearly touch count for one another in it, and in `depth` and `one_sided`, the
  /// more the closer they are: so nothing jumps where a region parts in two (docs/scenes.md).
  Vec3d normal;
  double volume = 0;  ///< of the region alone
  /// Of the region, seen along the normal; where `one_sided` is below 0.3, more and more the mean over all directions.
  double area = 0;
  double depth = 0;  ///< volume / area: the mean length of the region along the normal
  /// How much the surfaces of each object face the same way, 0 to 1. 1: a is on one side of b, and moving it along the
  /// normal by `depth` takes away all of the volume, to first order. 0: one passes right through the other, or is
  /// inside it; then the normal means little, and separation() tells the way out.
  double one_sided = 0;
  /// With SceneOptions::separations: how far all of a must move along the normal to leave b, as rays along the normal
  /// see it (free_shifts() at SceneOptions::resolution). separation() may find a shorter way in another direction.
  double separation = 0;
  std::uint32_t span_count = 0;  ///< intervals of rays in the region, along the pair's own axis
};

/// Two objects that share a volume for certain.
struct ScenePair {
  ObjectId a, b;                       ///< a < b
  std::optional<double> volume;        ///< shared; gl-pairs gives none
  std::optional<double> volume_error;  ///< of `volume`, as in Overlap
  bool tolerance_met = true;           ///< with SceneOptions::tolerance, as in Overlap
  Certificate certificate;             ///< with SceneOptions::certify
  Vec3d centroid;                      ///< of the shared volume, or of the part gl-pairs sampled
  std::uint32_t group = 0;             ///< index into SceneResult::groups
  std::uint32_t span_count = 0;        ///< intervals of rays inside both
  /// Of the deepest contact, before the number is reduced. One ray decides it, so that it does not converge where
  /// objects are deep inside each other: ContactPatch::depth does.
  float depth = 0;
  std::uint32_t first_point = 0, point_count = 0;      ///< in SceneResult::points
  std::uint32_t first_contact = 0, contact_count = 0;  ///< in SceneResult::contacts
  bool more_contacts = false;                          ///< they touch in more places than are reported
  std::uint32_t first_patch = 0, patch_count = 0;      ///< in SceneResult::patches, the largest volume first
};

/// Two objects of which it is not known whether they share a volume.
struct SceneDoubt {
  ObjectId a, b;  ///< a < b
  Doubt doubt;    ///< why; Doubt::mesh 0 is a, 1 is b
};

/// Objects that were sampled together.
struct SceneGroup {
  Grid grid;
  Vec3d origin{};  ///< what `grid` is relative to; not 0 for objects far from the origin of the world
  std::uint32_t object_count = 0;
  std::uint32_t candidate_count = 0;  ///< pairs whose boxes share a volume
};

/// An object that overlaps itself.
struct SceneSelfOverlap {
  ObjectId object;
  double volume = 0;
};

/// An object whose results cannot be fully trusted.
struct SceneDefect {
  ObjectId object;
  std::uint32_t open_columns = 0;        ///< columns where its winding does not return to 0; it is left out there
  std::uint32_t skipped_triangles = 0;   ///< NaN, infinite or too far away
  std::uint32_t inside_out_columns = 0;  ///< closed, with a winding below 0: faces look inwards
  std::uint64_t closed_edges = 0;        ///< of holes that were closed
};

/// All vectors keep their memory from call to call.
struct SceneResult {
  Verdict verdict = Verdict::clear;    ///< colliding: there is a pair; otherwise undecided where some pair is
  std::vector<ScenePair> pairs;        ///< ascending by (a, b)
  std::vector<SceneDoubt> undecided;   ///< likewise; none of them is in `pairs`
  std::vector<CollisionPoint> points;  ///< of pair 0, then of pair 1, ...
  std::vector<Contact> contacts;       ///< likewise; at most SceneOptions::max_contacts of a pair
  std::vector<ContactPatch> patches;   ///< likewise, with SceneOptions::patches
  std::vector<SceneGroup> groups;
  std::vector<SceneSelfOverlap> self_overlaps;  ///< ascending; with SceneOptions::self_overlap
  std::vector<SceneDefect> defects;             ///< ascending by object; empty when health is ok
  Health health;                                ///< of all groups together
  Timings ms;
  std::uint32_t object_count = 0;
  std::uint32_t candidate_count = 0;  ///< pairs whose boxes share a volume
  std::uint32_t refined_count = 0;    ///< pairs that were asked again for SceneOptions::tolerance
  std::uint32_t certified_count = 0;  ///< candidates that are proved to collide or to be clear (SceneOptions::certify)
  std::uint32_t round_count = 0;      ///< gl-pairs: rounds of peeling, over all groups
  std::uint64_t read_back_bytes = 0;  ///< fetched from a GPU for this answer
  /// PairMethod::jang: pairs of surfaces on rays that the complete method compares and this one did not. Above 0, pairs
  /// of objects may be missing; those that are reported do overlap.
  std::uint64_t passed_over = 0;
  std::string engine;  ///< that answered

  [[nodiscard]] bool colliding() const { return !pairs.empty(); }
  [[nodiscard]] std::span<const CollisionPoint> points_of(const ScenePair& p) const {
    return std::span(points).subspan(p.first_point, p.point_count);
  }
  [[nodiscard]] std::span<const Contact> contacts_of(const ScenePair& p) const {
    return std::span(contacts).subspan(p.first_contact, p.contact_count);
  }
  [[nodiscard]] std::span<const ContactPatch> patches_of(const ScenePair& p) const {
    return std::span(patches).subspan(p.first_patch, p.patch_count);
  }
};

/// The first of all objects that a moving one touches.
struct SceneHit {
  ObjectId object;
  SweepHit hit;  ///< triangle_a: of the one that moves
};

/// How much a Scene should have room for; see Scene::reserve().
struct SceneSize {
  std::size_t objects = 0;
  std::size_t pairs = 0;          ///< whose boxes share a volume (SceneResult::candidate_count)
  std::size_t points = 0;         ///< collision points of all pairs
  std::size_t groups = 0;         ///< of all views (SceneResult::groups)
  std::size_t group_objects = 0;  ///< of one group (SceneGroup::object_count)
  std::size_t group_spans = 0;    ///< of all pairs of one group (ScenePair::span_count)
};

/// Many closed objects that move and deform, tested all at once. Keeps sorted boxes, memory and contacts from frame to
/// frame; on the CPU it allocates nothing once warm, as long as nothing is added and frames are not larger than before;
/// what grows takes memory with a margin, see reserve(). Use one from one thread at a time.
/// Throws Error for an id that is not in this scene or was removed, and for options that are out of range.
class LAMELLA_API Scene {
 public:
  explicit Scene(SceneOptions options = {});
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  /// Copies the mesh; one in doubles is kept in floats relative to an origin near it. Throws Error when an index is out
  /// of range. A pose must be finite, with a quaternion whose squared length is within 0.001 of 1; else Error, in
  /// move() too.
  ObjectId add(MeshView mesh, const Transform& pose = {});
  /// Another object with the mesh of `like` as it is now. The two share its memory until one of them is deformed.
  ObjectId add(ObjectId like, const Transform& pose = {});
  void remove(ObjectId object);
  /// A rigid placement of the mesh as added or last deformed.
  void move(ObjectId object, const Transform& pose);
  /// New positions in the object's own frame, relative to mesh(object).origin, as many as before; copied.
  void deform(ObjectId object, std::span<const Vec3> positions);
  /// Two fixed objects are never tested against each other: for walls and other scenery.
  void fix(ObjectId object, bool fixed = true);
  /// Leaves a pair out of the tests, or takes it back in: for parts connected by a joint.
  void ignore(ObjectId a, ObjectId b, bool ignored = true);

  /// Takes memory for frames of this size now, instead of when they come. Numbers that stay 0 are left as they are, and
  /// nothing is given back. Besides what the results take: about 500 bytes per object, 300 per pair, and for each group
  /// 2 KB per object and 100 bytes per span. Meshes, and what an engine needs to sample, are not included.
  void reserve(const SceneSize& size);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const Transform& pose(ObjectId object) const;
  /// The kept mesh, in its own frame; valid until the object is deformed or removed.
  [[nodiscard]] MeshView mesh(ObjectId object) const;
  [[nodiscard]] const SceneOptions& options() const;
  /// Moves the viewer: sets SceneOptions::screen for the next collide().
  void look_from(const Screen& screen);

  /// Finds all pairs that overlap, as the objects are now. The result stays valid until the next call.
  const SceneResult& collide();

  // Of objects as they are now; on the CPU with every engine. Fans that close holes are part of an object. They leave
  // the scene and its last result as they are.

  /// What `object` touches first when it moves by `motion` and all others stay; nothing where the way is free. However
  /// thin the others are and however long the motion is, none is missed. Pairs that collide() does not test are left
  /// out. Where several are touched at the same time, and where several overlap it at the start: the one added first.
  [[nodiscard]] std::optional<SceneHit> sweep(ObjectId object, Vec3d motion);
  /// The same against one other object alone.
  [[nodiscard]] std::optional<SweepHit> sweep(ObjectId a, ObjectId b, Vec3d motion);
  /// The shortest translation of a that takes it out of b. `directions`: as SeparationOptions::directions.
  [[nodiscard]] Separation separation(ObjectId a, ObjectId b, std::uint32_t directions = 1000);

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
