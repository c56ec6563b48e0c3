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

namespace lamella {

/// Someone who looks at the scene, as far as sizes matter.
struct Screen {
  Vec3d eye;
  double pixel_angle = 0.001;  ///< radians that one pixel takes: 2 tan(field of view / 2) / pixels across
};

/// Where a contact's normal comes from.
enum class Normals : std::uint8_t {
  faces,       ///< the two triangles hit
  neighbours,  ///< three neighbouring points of one object, as Jang, Jeong and Han publish
};

/// Options of a Scene. Cell size: `cell` if given, else a pixel of `screen`, else what `resolution` gives.
struct SceneOptions {
  /// "software", "cuda" (the same answers from an NVIDIA GPU) or "gl-pairs" (pairs and points on a GPU as published, no
  /// volumes); "automatic" is software.
  std::string engine = "automatic";
  float cell = 0;                               ///< edge of a sample cell, in the scene's units; 0: not given
  std::optional<Screen> screen = std::nullopt;  ///< sample as finely as this viewer sees
  std::uint32_t resolution = 128;               ///< columns and rows of each group's grid
  std::uint32_t max_resolution = 2048;          ///< of either side of a group's grid, however small the cell
  std::optional<Axis> axis = std::nullopt;      ///< of all rays; then there is one view
  /// 3: sample each pair along all three axes, so that contacts on any side are seen face on. 1: one view for a whole
  /// group, as published; a third of the work, but where objects touch sideways to the rays contacts are coarse.
  unsigned views = 3;
  unsigned threads = 0;                           ///< 0: all cores this process may use
  std::optional<unsigned> device = std::nullopt;  ///< as Options::device
  bool strict = false;             ///< a result whose health is not ok becomes an Error; samples every object whole
  float min_thickness = 0x1p-20f;  ///< as Options::min_thickness
  std::uint64_t max_crossings = std::uint64_t{1} << 28;  ///< of one group
  bool self_overlap = false;  ///< also tell where objects overlap themselves; samples every object whole
  bool points = true;         ///< make collision points
  /// Two surfaces give a collision point when no further apart than this, along a ray, in cells (gl-pairs' threshold).
  float threshold = 1;
  Normals normals = Normals::faces;
  std::uint32_t max_contacts = 8;  ///< of a pair; 0: make none
};

/// Where and how two objects are to be pushed apart.
struct Contact {
  Vec3 position;                          ///< halfway between the two surfaces
  Vec3 normal;                            ///< unit, from b to a: a leaves along it
  float depth = 0;                        ///< how far the surfaces are in one another along the normal
  bool front_a = false, front_b = false;  ///< whether the ray enters the objects there, or leaves
  std::uint32_t face_a = 0, face_b = 0;   ///< triangles of their meshes
  std::uint32_t id = 0;                   ///< above 0; the same while the contact lasts, from frame to frame
};

/// Two objects that share a volume.
struct ScenePair {
  ObjectId a, b;                                       ///< a < b
  std::optional<double> volume;                        ///< shared; not by gl-pairs
  Vec3d centroid;                                      ///< of the shared volume, or of what gl-pairs saw of it
  std::uint32_t group = 0;                             ///< index into SceneResult::groups
  std::uint32_t spans = 0;                             ///< stretches of rays inside both
  float depth = 0;                                     ///< of the deepest contact candidate, before the reduction
  std::uint32_t first_point = 0, point_count = 0;      ///< in SceneResult::points
  std::uint32_t first_contact = 0, contact_count = 0;  ///< in SceneResult::contacts
};

/// Objects that were sampled together.
struct SceneGroup {
  Grid grid;
  std::uint32_t objects = 0;
  std::uint32_t candidates = 0;  ///< pairs whose boxes share a volume
};

/// An object that overlaps itself.
struct SceneSelfOverlap {
  ObjectId object;
  double volume = 0;
};

/// An object whose part in the answer cannot be trusted fully.
struct SceneDefect {
  ObjectId object;
  std::uint32_t open_columns = 0;       ///< rays along which its winding does not return to 0; it was left out there
  std::uint32_t skipped_triangles = 0;  ///< NaN, infinite or too far away
};

/// Wall-clock milliseconds by stage.
struct SceneTimings {
  double broad = 0;     ///< boxes that moved, sweep and prune
  double place = 0;     ///< vertices of candidates brought to the world, groups and their grids
  double ldi = 0;       ///< sampling
  double pairs = 0;     ///< inconsistent pairs, volumes; gl-pairs: all rounds of drawing
  double points = 0;    ///< collision points
  double contacts = 0;  ///< normals, depths, manifolds
  double gpu = 0;       ///< of these, by the GPU's own timer
  [[nodiscard]] double total() const { return broad + place + ldi + pairs + points + contacts; }
};

/// All vectors keep their memory from call to call.
struct SceneResult {
  std::vector<ScenePair> pairs;        ///< ascending by (a, b)
  std::vector<CollisionPoint> points;  ///< of pair 0, then of pair 1, ...
  std::vector<Contact> contacts;       ///< likewise
  std::vector<SceneGroup> groups;
  std::vector<SceneSelfOverlap> self_overlaps;  ///< ascending; with SceneOptions::self_overlap
  std::vector<SceneDefect> defects;             ///< ascending by object; empty when health is ok
  Health health;                                ///< of all groups together
  SceneTimings ms;
  std::uint32_t objects = 0;
  std::uint32_t candidates = 0;       ///< pairs whose boxes share a volume
  std::uint32_t rounds = 0;           ///< gl-pairs: of peeling, over all groups
  std::uint64_t read_back_bytes = 0;  ///< fetched from a GPU for this answer
  std::string engine;                 ///< that answered

  [[nodiscard]] bool colliding() const { return !pairs.empty(); }
  [[nodiscard]] std::span<const CollisionPoint> points_of(const ScenePair& p) const {
    return std::span(points).subspan(p.first_point, p.point_count);
  }
  [[nodiscard]] std::span<const Contact> contacts_of(const ScenePair& p) const {
    return std::span(contacts).subspan(p.first_contact, p.contact_count);
  }
};

/// Many closed objects that move and deform, tested all at once. Keeps boxes sorted, memory and contacts from frame to
/// frame; on the CPU it allocates nothing once warm, as long as nothing is added. Use one from one thread at a time.
/// An id that is not of this scene, or was removed, is an Error.
class LAMELLA_API Scene {
 public:
  explicit Scene(SceneOptions options = {});
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  /// Copies the mesh. Throws Error when an index is out of range, here and below for a pose that is not finite.
  ObjectId add(MeshView mesh, const Transform& pose = {});
  void remove(ObjectId object);
  /// A rigid placement of the mesh as added or last deformed.
  void move(ObjectId object, const Transform& pose);
  /// New positions in the object's own frame, as many as before; copied.
  void deform(ObjectId object, std::span<const Vec3> positions);
  /// Two fixed objects are never tested against each other: walls, the parts of a set.
  void fix(ObjectId object, bool fixed = true);
  /// This pair is not tested, or tested again: parts that a joint holds together.
  void ignore(ObjectId a, ObjectId b, bool ignored = true);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const Transform& pose(ObjectId object) const;
  /// The mesh in its own frame, as it is kept.
  [[nodiscard]] MeshView mesh(ObjectId object) const;
  [[nodiscard]] const SceneOptions& options() const;
  /// For the groups of the next collide(): a viewer moves.
  void look_from(const Screen& screen);

  /// The answer stays valid until the next call.
  const SceneResult& collide();

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
