#pragma once

#include <memory>
#include <string>

#include "engines/opengl/gpu_mesh.hpp"
#include "engines/opengl/session.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {

/// What the three engines share: a context for as long as it lives, meshes on the device, recovery from its loss.
class GlEngine : public Engine {
 public:
  GlEngine(std::string name, const Options& options);
  ~GlEngine() override;

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::unique_ptr<KeptMesh> keep(MeshView mesh) override;
  [[nodiscard]] Aabb bounds(MeshRef mesh) override;

  /// For tests of what happens at a driver's limits and after its failure.
  [[nodiscard]] Context& context() { return session_->context; }

 protected:
  /// Runs `body(Session&)` with the context current. When the context is lost meanwhile, all that was on the device is
  /// forgotten, the caller gets an Error, and the next call starts afresh.
  template <class Body>
  auto on_device(const Body& body) {
    try {
      if (!session_) start();
      const Current scope(session_->context);
      clear_errors(session_->context.gl());  // of a call before, which has told of them
      return body(*session_);
    } catch (const ContextLost& loss) {
      recover(loss);
    }
  }

  /// The mesh on the device: a kept one as it is, a view uploaded now into slot 0 or 1. Within on_device().
  [[nodiscard]] GpuMesh& on_gpu(MeshRef mesh, int slot);

  /// For GpuMesh::cull.
  [[nodiscard]] const Program& cull_program() const { return *cull_; }

  /// Throws Error when the device's images are smaller than the grid.
  void check_grid(const Grid& grid);

  /// Makes and drops what the engine itself keeps on the device. Called with the context current.
  virtual void make_objects(Session& session) = 0;
  virtual void drop_objects() = 0;
  /// To be called by the destructor of the engine, while its own members still are there.
  void stop();

  [[nodiscard]] std::uint64_t max_crossings() const { return max_crossings_; }
  [[nodiscard]] Error device_error(const std::string& message) const;

 private:
  class Kept;
  void start();
  [[noreturn]] void recover(const ContextLost& loss);

  std::string name_;
  std::optional<unsigned> device_;
  unsigned threads_;
  std::uint64_t max_crossings_;
  std::unique_ptr<Session> session_;
  std::optional<Program> cull_;
  std::unique_ptr<GpuMesh> views_[2];
  std::vector<Kept*> kept_;
};

}  // namespace lamella::opengl
