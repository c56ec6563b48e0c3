#pragma once

#include <optional>

#include "engines/opengl/gl_engine.hpp"
#include "engines/opengl/layers.hpp"
#include "engines/opengl/sampling.hpp"

namespace lamella::opengl {

/// What the three published methods share: a mesh is drawn several times, each time for one more layer of depths; the
/// layers are read back, and the queries run on the CPU.
class LayerEngine : public GlEngine {
 public:
  using GlEngine::GlEngine;

  void build(MeshRef mesh, const Grid& grid, Ldi& out) override;
  void build_cut(MeshRef mesh, const Grid& grid, End outside, Ldi& out) override;

 protected:
  [[nodiscard]] bool samples_whole_columns() const override { return false; }
  void find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) override;
  void find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) override;
  void find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out) override;

  struct Job {
    Session& session;
    GpuMesh& mesh;
    const Grid& grid;
    DepthCode code;
    std::optional<End> outside;  ///< end of the box to look from, where crossings beyond the box are to be left out
  };
  /// Fills the columns of `out` and its dropped crossings; the sampling block is bound. Adds to read_back_ and sets the
  /// timer's mark 1 at the end of the GPU's work.
  virtual void make_layers(const Job& job, Ldi& out) = 0;
  void make_objects(Session& session) override;
  void drop_objects() override;

  std::uint64_t read_back_ = 0;
  std::optional<GpuTimer> timer_;

 private:
  void build_on_device(MeshRef mesh, const Grid& grid, std::optional<End> outside, Ldi& out);
  void begin_query();
  template <class Result>
  void end_query(Result& out) const;

  std::optional<SamplingBlock> block_;
  double gpu_ms_ = 0;
};

}  // namespace lamella::opengl
