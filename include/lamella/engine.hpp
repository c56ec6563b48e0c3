#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/gradient.hpp"
#include "lamella/ldi.hpp"
#include "lamella/mesh.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"
#include "lamella/rigid.hpp"

namespace lamella {

class Engine;

/// A mesh that an engine keeps ready between calls: on its device, or as a copy. Made by Engine::keep. Use it only with
/// that engine, and destroy it before the engine.
class LAMELLA_API KeptMesh {
 public:
  explicit KeptMesh(const Engine& owner) : owner_(owner) {}
  virtual ~KeptMesh();

  [[nodiscard]] bool belongs_to(const Engine& engine) const { return &owner_ == &engine; }

  /// New positions for the same triangles; as many as before. They are read only during the call.
  virtual void deform(std::span<const Vec3> positions) = 0;

  [[nodiscard]] virtual std::size_t triangle_count() const = 0;
  /// Triangles with a vertex that is NaN, infinite or too large to compute with.
  [[nodiscard]] virtual std::size_t broken_triangles() const = 0;

  /// The copy in main memory; empty when the engine keeps none there.
  [[nodiscard]] virtual MeshView view() const = 0;
  /// The triangles, which are in main memory in any case.
  [[nodiscard]] virtual std::span<const Triangle> triangles() const { return view().triangles; }
  /// What the positions are relative to; see MeshView::origin. Queries on two meshes with different origins place
  /// copies of both in main memory.
  [[nodiscard]] Vec3d origin() const { return origin_; }
  void set_origin(Vec3d origin) { origin_ = origin; }
  /// Copies the positions into `out`, from the device if they are only there.
  virtual void read_positions(std::vector<Vec3>& out);

 private:
  const Engine& owner_;
  Vec3d origin_{};
};

/// A mesh as an argument of an engine: the caller's arrays, or a mesh that the engine keeps.
struct MeshRef {
  MeshView view;
  KeptMesh* kept = nullptr;

  MeshRef() = default;
  MeshRef(MeshView mesh) : view(mesh) {}                      // NOLINT: usable wherever a mesh is expected
  MeshRef(const Mesh& mesh) : view(mesh) {}                   // NOLINT
  MeshRef(KeptMesh& mesh) : view(mesh.view()), kept(&mesh) {  // NOLINT
    view.origin = mesh.origin();
  }
};

/// Turns meshes into LDIs, and answers whole queries. Keeps its scratch memory between calls; use an engine from one
/// thread at a time. To give a Detector your own engine, derive from this class: `name`, `bounds` and `build` suffice.
class LAMELLA_API Engine {
 public:
  /// `threads`: for the default queries; 0: all cores this process may use.
  explicit Engine(unsigned threads = 0);
  virtual ~Engine();

  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Prepares the mesh for repeated use. Its arrays are read only during the call.
  [[nodiscard]] virtual std::unique_ptr<KeptMesh> keep(MeshView mesh);

  /// Box of the finite vertices.
  [[nodiscard]] virtual Aabb bounds(MeshRef mesh) = 0;

  /// Samples `mesh` on `grid` into `out`, whose memory is reused. The grid's box must enclose a volume.
  /// Throws Error for an index out of range or more crossings than Options::max_crossings.
  virtual void build(MeshRef mesh, const Grid& grid, Ldi& out) = 0;

  /// The same, for a mesh that is known not to be at the end `outside` of the box. An engine may then leave out what
  /// lies beyond the box, and records that in Ldi::outside. The default samples whole columns.
  virtual void build_cut(MeshRef mesh, const Grid& grid, End outside, Ldi& out);

  /// The layers as the engine's method makes them, for study. The default sorts each column's crossings into layers by
  /// depth, as peeling does; gl-unordered and gl-tr395 return them in the order in which the device drew them.
  [[nodiscard]] virtual std::vector<DepthLayer> layers(MeshRef mesh, const Grid& grid);

  // Whole queries; the result's memory is reused. They throw Error for options out of range, for a mesh that another
  // engine keeps, and under `strict` for a result whose health is not ok.
  void intersect(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out);
  void self_intersect(MeshRef mesh, const QueryOptions& options, SelfOverlap& out);
  void contains(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out);
  /// Points far from the origin of the world, without loss. Points are always in world coordinates.
  void contains(MeshRef mesh, std::span<const Vec3d> points, const QueryOptions& options, Containment& out);

  void contains(MeshRef mesh, std::span<const Vec3> points, const Aabb& box, const QueryOptions& options,
                Containment& out);
  void contains(MeshRef mesh, std::span<const Vec3d> points, const Aabb& box, const QueryOptions& options,
                Containment& out);
  void vertices_inside(MeshRef a, MeshRef b, const QueryOptions& options, VerticesInside& out);

  /// Volumes and how they change when meshes move. By `software` and `cuda`; other engines throw Error.
  void volume_gradient(MeshRef a, MeshRef b, const QueryOptions& options, const GradientOptions& parts,
                       OverlapGradient& out);
  void self_gradient(MeshRef mesh, const QueryOptions& options, const GradientOptions& parts, SelfGradient& out);

  /// Samples a mesh that will never deform, in its own box and frame. `out` does not depend on this engine afterwards.
  void sample_rigid(MeshRef mesh, const QueryOptions& options, RigidMesh& out);

  // Queries of rigid meshes. They are not sampled again: their resolution and axis are those of sample_rigid, and times
  // `voi` and `ldi` stay 0 when both meshes are rigid. A pose rotates, then translates. A pose that is not finite
  // throws Error, and so does a quaternion whose squared length is not within 0.001 of 1.
  void contains(const RigidMesh& mesh, const Transform& pose, std::span<const Vec3> points, const QueryOptions& options,
                Containment& out);
  /// `a` is sampled where its box meets the placed box of `b`.
  void vertices_inside(MeshRef a, const RigidMesh& b, const Transform& pose_b, const QueryOptions& options,
                       VerticesInside& out);
  void vertices_inside(const RigidMesh& a, const Transform& pose_a, const RigidMesh& b, const Transform& pose_b,
                       const QueryOptions& options, VerticesInside& out);

 protected:
  // The work of the whole queries, between their checks; `out` is empty and names this engine. The defaults build LDIs
  // and then query them (ldi_query.hpp). An engine that can answer on its own device overrides them, so that only the
  // answer is read back.
  virtual void find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out);
  virtual void find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out);
  virtual void find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out);
  virtual void find_inside_box(MeshRef mesh, std::span<const Vec3> points, const Aabb& box, const QueryOptions& options,
                               Containment& out);
  virtual void find_vertices(MeshRef a, MeshRef b, const QueryOptions& options, VerticesInside& out);
  virtual void find_vertices(MeshRef a, const RigidMesh& b, const Transform& pose_b, const QueryOptions& options,
                             VerticesInside& out);
  virtual void find_rigid(MeshRef mesh, const QueryOptions& options, RigidMesh& out);

  // Gradients: the defaults throw Error. `out` is an overlap with nothing in it yet, as for find_overlap(); these fill
  // in the overlap along the axis that find_overlap() would choose, and the sums over all three.
  virtual void find_gradient(MeshRef a, MeshRef b, const QueryOptions& options, const GradientOptions& parts,
                             OverlapGradient& out);
  virtual void find_self_gradient(MeshRef mesh, const QueryOptions& options, const GradientOptions& parts,
                                  SelfGradient& out);

  /// True: the functions above ask whole queries of another engine, whose verdict and doubts they return.
  [[nodiscard]] virtual bool asks_another() const { return false; }

  /// False for a method that leaves out what lies beyond the box (build_cut()): the box of a pair then has an outside
  /// face for each object, and is deeper.
  [[nodiscard]] virtual bool samples_whole_columns() const { return true; }

  /// True for a method whose columns are those of ARCHITECTURE.md's lattice, for a mesh of any shape: flags of exact
  /// queries (Options::exact) then need rays only near the surface.
  [[nodiscard]] virtual bool samples_on_lattice() const { return false; }

  /// The longest span of each few rows (rows_of_chunk()) of the last find_overlap() or find_self_overlap(), where the
  /// engine leaves the spans out; empty: those of the answer are looked at.
  std::vector<Span> longest_spans_;

  /// True: find_overlap() and find_self_overlap() may find spans of an earlier result in `out`, and replace them. The
  /// vector is then not emptied and filled with zeros again in each call.
  [[nodiscard]] virtual bool replaces_spans() const { return false; }

  /// Throws Error for a mesh that another engine keeps.
  void check_owner(MeshRef mesh) const;

  /// What an engine read back from a GPU for LDIs and positions, and the GPU's own time for it. An engine on a GPU adds
  /// to it; the default queries of points report it.
  struct GpuCost {
    std::uint64_t read_back_bytes = 0;
    double ms = 0;
  };
  GpuCost gpu_cost_;

 private:
  struct LAMELLA_LOCAL Scratch;  // for the default queries, made on first use
  Scratch& scratch();
  // engines/settle.cpp, engines/judge.cpp, engines/certify.cpp
  LAMELLA_LOCAL Vec3d settle(MeshRef& mesh);
  LAMELLA_LOCAL Vec3d settle(MeshRef& a, MeshRef& b);
  LAMELLA_LOCAL void place_at(MeshRef& mesh, Vec3d origin, std::vector<Vec3>& positions);
  LAMELLA_LOCAL void flag_settled(MeshRef mesh, std::span<const Vec3> points, const Aabb* box,
                                  const QueryOptions& options, Containment& out);
  LAMELLA_LOCAL void flag_exactly(const RigidMesh& mesh, std::span<const Vec3> points, Containment& out);
  LAMELLA_LOCAL void correct_points(MeshRef mesh, std::span<const Vec3> points, const Aabb* box, Containment& out);
  template <class Point>
  LAMELLA_LOCAL void flag_points_of(MeshRef mesh, std::span<const Point> points, const Aabb* box,
                                    const QueryOptions& options, Containment& out);
  LAMELLA_LOCAL MeshView on_host(MeshRef mesh, std::vector<Vec3>& positions) const;
  template <class Result, class Find>
  LAMELLA_LOCAL void answer(std::span<const MeshRef> meshes, Vec3d origin, const QueryOptions& options, Result& out,
                            const Find& find);
  LAMELLA_LOCAL void judge(std::span<const MeshRef> meshes, const QueryOptions& options, Overlap& out);
  LAMELLA_LOCAL void certify(std::span<const MeshRef> meshes, const QueryOptions& options, Overlap& out);
  LAMELLA_LOCAL void find_doubts(std::span<const MeshRef> meshes, bool which, Overlap& out);
  unsigned threads_;
  std::unique_ptr<Scratch> scratch_;
};

struct EngineInfo {
  std::string name;
  std::string summary;  ///< what it is, and what it runs on here (instruction set, threads, device)
  bool available = false;
  std::string why;           ///< the reason when not available
  bool gpu = false;          ///< runs on a GPU: a mesh given as a view is uploaded at every call, a kept mesh is not
  bool self_overlap = true;  ///< answers self_intersect(); gl-tr395 does not
  bool hardware = false;     ///< the first of `devices` is a real GPU, not a software renderer on the CPU
  /// What it can run on, one line each (name, version, limits). The index is the number for Options::device. CUDA and
  /// OpenGL may number the same GPUs differently.
  std::vector<std::string> devices;
};

/// Every engine of this library, available or not. The first call tests the graphics devices, which takes a while.
[[nodiscard]] LAMELLA_API std::vector<EngineInfo> engines();

/// The engines that a Scene can use.
[[nodiscard]] LAMELLA_API std::vector<EngineInfo> scene_engines();

/// Only the names of engines(); tests no device.
[[nodiscard]] LAMELLA_API std::vector<std::string> engine_names();

/// Makes the engine that `options.engine` names; "automatic" uses the fastest for each query (see docs/README.md). Also
/// uses `options.threads`, `options.device` and `options.max_crossings`.
/// Throws Error when the name is unknown (input) or the engine is not available here (device). Never falls back to
/// another.
[[nodiscard]] LAMELLA_API std::unique_ptr<Engine> make_engine(const Options& options = {});

}  // namespace lamella
