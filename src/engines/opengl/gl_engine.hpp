#pragma once

#include <memory>
#include <string>

#include "engines/opengl/gl_device.hpp"
#include "engines/opengl/gpu_mesh.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {

/// What the three engines share besides the device: meshes on it, and the cull before every drawing.
class GlEngine : public Engine, public GlDevice {
 public:
  GlEngine(std::string name, const EngineOptions& options);
  ~GlEngine() override;

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::unique_ptr<KeptMesh> keep(MeshView mesh) override;
  [[nodiscard]] Aabb bounds(MeshRef mesh) override;

 protected:
  /// The mesh on the device: a kept mesh as it is; a view is uploaded now into slot 0 or 1. Call it within on_device().
  [[nodiscard]] GpuMesh& on_gpu(MeshRef mesh, int slot);

  /// For GpuMesh::cull.
  [[nodiscard]] const Program& cull_program() const { return *cull_; }

  /// Make and drop the engine's own objects on the device. Called with the context current.
  virtual void make_objects(Session& session) = 0;
  virtual void drop_objects() = 0;

  [[nodiscard]] std::uint64_t max_crossings() const { return max_crossings_; }

 private:
  class Kept;
  void begin(Session& session) final;
  void end() final;
  [[nodiscard]] std::string after_loss() const final { return "; update the vertices of kept meshes before it"; }

  std::string name_;
  std::uint64_t max_crossings_;
  std::optional<Program> cull_;
  std::unique_ptr<GpuMesh> views_[2];
  std::vector<Kept*> kept_;
};

}  // namespace lamella::opengl
