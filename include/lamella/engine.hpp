#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/ldi.hpp"
#include "lamella/mesh.hpp"
#include "lamella/query.hpp"

namespace lamella {

/// What turns meshes into LDIs. Keeps its scratch memory between calls; use one from one thread at a time.
class Engine {
 public:
  Engine();
  virtual ~Engine();

  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Box of the finite vertices.
  [[nodiscard]] virtual Aabb bounds(MeshView mesh) = 0;

  /// Samples `mesh` on `grid` into `out`, whose memory is reused. The grid's box must enclose a volume.
  /// Throws Error for an index out of range or more crossings than Options::max_crossings.
  virtual void build(MeshView mesh, const Grid& grid, Ldi& out) = 0;

  /// Whole queries. The defaults build and then ask the LDIs (ldi_query.hpp); an engine that can answer on its own
  /// device overrides them, so that nothing but the answer is read back. The result's memory is reused.
  virtual void intersect(MeshView a, MeshView b, const Options& options, Overlap& out);
  virtual void self_intersect(MeshView mesh, const Options& options, SelfOverlap& out);
  virtual void contains(MeshView mesh, std::span<const Vec3> points, const Options& options, Containment& out);

 private:
  struct Scratch;  // of the default queries, made on first use
  std::unique_ptr<Scratch> scratch_;
};

struct EngineInfo {
  std::string name;
  std::string summary;  ///< what it is, and what it runs on here (instruction set, threads, device)
  bool available = false;
  std::string why;  ///< when not available
};

/// Every engine this library knows, the preferred first.
[[nodiscard]] std::vector<EngineInfo> engines();

/// The named engine, or for "automatic" the first available. `options.threads` and `options.max_crossings` are used.
/// Throws Error when there is no such engine (input) or it is not available here (device); never falls back to another.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const Options& options = {});

}  // namespace lamella
