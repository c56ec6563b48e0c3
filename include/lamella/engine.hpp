#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/ldi.hpp"
#include "lamella/mesh.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

class Engine;

/// A mesh that an engine keeps ready between calls: on its device, or as a copy. Made by Engine::keep, for use with
/// that engine alone, and destroyed before it.
class LAMELLA_API KeptMesh {
 public:
  explicit KeptMesh(const Engine& owner) : owner_(owner) {}
  virtual ~KeptMesh();

  [[nodiscard]] bool belongs_to(const Engine& engine) const { return &owner_ == &engine; }

  /// New positions for the same triangles; as many as before, read during the call alone.
  virtual void deform(std::span<const Vec3> positions) = 0;

  [[nodiscard]] virtual std::size_t triangle_count() const = 0;
  /// Those with a vertex that is NaN, infinite or too large to compute with.
  [[nodiscard]] virtual std::size_t broken_triangles() const = 0;

  /// The copy in main memory; empty where there is none.
  [[nodiscard]] virtual MeshView view() const = 0;

 private:
  const Engine& owner_;
};

/// A mesh as an engine takes it: the caller's arrays, or one that the engine keeps.
struct MeshRef {
  MeshView view;
  KeptMesh* kept = nullptr;

  MeshRef() = default;
  MeshRef(MeshView mesh) : view(mesh) {}                       // NOLINT: usable wherever a mesh is asked for
  MeshRef(const Mesh& mesh) : view(mesh) {}                    // NOLINT
  MeshRef(KeptMesh& mesh) : view(mesh.view()), kept(&mesh) {}  // NOLINT
};

/// Turns meshes into LDIs, and answers whole queries. Keeps its scratch memory between calls; use one from one thread
/// at a time. Derive from it to give a Detector an engine of your own: `name`, `bounds` and `build` are enough.
class LAMELLA_API Engine {
 public:
  /// `threads`: of the default queries; 0: all cores this process may use.
  explicit Engine(unsigned threads = 0);
  virtual ~Engine();

  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Takes the mesh in for repeated use; its arrays are read during the call alone.
  [[nodiscard]] virtual std::unique_ptr<KeptMesh> keep(MeshView mesh);

  /// Box of the finite vertices.
  [[nodiscard]] virtual Aabb bounds(MeshRef mesh) = 0;

  /// Samples `mesh` on `grid` into `out`, whose memory is reused. The grid's box must enclose a volume.
  /// Throws Error for an index out of range or more crossings than Options::max_crossings.
  virtual void build(MeshRef mesh, const Grid& grid, Ldi& out) = 0;

  /// The same where the mesh is known not to be at the end `outside` of the box: an engine may then leave out what
  /// lies beyond the box, and says so in Ldi::outside. The default samples whole columns.
  virtual void build_cut(MeshRef mesh, const Grid& grid, End outside, Ldi& out);

  /// The layers as the engine's method makes them, for study. The default deals the built columns out in order of
  /// depth, which is what peeling gives; gl-unordered's are as the device drew them.
  [[nodiscard]] virtual std::vector<DepthLayer> layers(MeshRef mesh, const Grid& grid);

  // Whole queries; the result's memory is reused. They throw Error for options out of range, for a mesh that another
  // engine keeps, and under `strict` for a result whose health is not ok.
  void intersect(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out);
  void self_intersect(MeshRef mesh, const QueryOptions& options, SelfOverlap& out);
  void contains(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out);

 protected:
  // What the whole queries do between their checks; `out` is empty and names this engine. The defaults build and then
  // ask the LDIs (ldi_query.hpp); an engine that can answer on its own device overrides them, so that nothing but the
  // answer is read back.
  virtual void find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out);
  virtual void find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out);
  virtual void find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out);

  /// Throws Error for a mesh that another engine keeps.
  void check_owner(MeshRef mesh) const;

 private:
  struct LAMELLA_LOCAL Scratch;  // of the default queries, made on first use
  Scratch& scratch();
  unsigned threads_;
  std::unique_ptr<Scratch> scratch_;
};

struct EngineInfo {
  std::string name;
  std::string summary;  ///< what it is, and what it runs on here (instruction set, threads, device)
  bool available = false;
  std::string why;        ///< when not available
  bool gpu = false;       ///< works on a GPU: a mesh given as a view is uploaded at every call, a kept one is not
  bool hardware = false;  ///< the first of `devices` is a GPU, not a CPU that draws
  /// What it can run on, one line each (name, version, limits); the position is the number for Options::device. CUDA
  /// and OpenGL number the same GPUs each in its own way.
  std::vector<std::string> devices;
};

/// Every engine this library knows. The first call tries the graphics devices, which takes a while.
[[nodiscard]] LAMELLA_API std::vector<EngineInfo> engines();

/// Those that a Scene can use.
[[nodiscard]] LAMELLA_API std::vector<EngineInfo> scene_engines();

/// Names of engines() alone; tries nothing.
[[nodiscard]] LAMELLA_API std::vector<std::string> engine_names();

/// The named engine; "automatic": the fastest for each query (see README). `options.threads`, `options.device` and
/// `options.max_crossings` are used.
/// Throws Error when there is no such engine (input) or it is not available here (device); never falls back to another.
[[nodiscard]] LAMELLA_API std::unique_ptr<Engine> make_engine(const Options& options = {});

}  // namespace lamella
