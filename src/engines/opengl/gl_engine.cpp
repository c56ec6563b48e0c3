#include "engines/opengl/gl_engine.hpp"

#include "core/mesh_check.hpp"
#include "engines/opengl/shaders.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {

/// Triangles are kept in main memory too: they are needed again when a vertex becomes broken or usable again, or when
/// the device is lost.
class GlEngine::Kept final : public KeptMesh {
 public:
  Kept(GlEngine& owner, MeshView mesh)
      : KeptMesh(owner),
        owner_(owner),
        triangles_(mesh.triangles.begin(), mesh.triangles.end()),
        vertices_(mesh.positions.size()) {
    upload(mesh.positions);
    owner_.kept_.push_back(this);
  }

  ~Kept() override {
    std::erase(owner_.kept_, this);
    if (!mesh_) return;
    try {
      const Current scope(owner_.context());
      mesh_.reset();
    } catch (const std::exception&) {
      owner_.context().abandon();
      mesh_.reset();
    }
  }

  void deform(std::span<const Vec3> positions) override {
    check_vertex_count(vertices_, positions.size());
    upload(positions);
  }

  [[nodiscard]] std::size_t triangle_count() const override { return triangles_.size(); }
  [[nodiscard]] std::size_t broken_triangles() const override { return mesh_ ? mesh_->broken_triangles() : 0; }
  [[nodiscard]] MeshView view() const override { return {}; }
  [[nodiscard]] std::span<const Triangle> triangles() const override { return triangles_; }
  void read_positions(std::vector<Vec3>& out) override {
    owner_.on_device([&](Session&) {
      out.resize(vertices_);
      on_gpu().read_positions(out);
      owner_.gpu_cost_.read_back_bytes += vertices_ * sizeof(Vec3);
    });
  }

  [[nodiscard]] GpuMesh& on_gpu() {
    if (!mesh_)
      throw owner_.device_error(
          "the mesh is not on the graphics device, which was reset or had no room for it: call deform() for it");
    return *mesh_;
  }
  void drop() { mesh_.reset(); }

 private:
  void upload(std::span<const Vec3> positions) {
    owner_.on_device([&](Session& session) {
      // After a failure midway, the half-uploaded mesh must not be used.
      std::unique_ptr<GpuMesh> mesh = std::move(mesh_);
      if (mesh) {
        mesh->assign_positions({positions, triangles_});
      } else {
        mesh = std::make_unique<GpuMesh>(session);
        mesh->assign({positions, triangles_});
      }
      mesh_ = std::move(mesh);
    });
  }

  GlEngine& owner_;
  std::vector<Triangle> triangles_;
  std::size_t vertices_;
  std::unique_ptr<GpuMesh> mesh_;  ///< none after a loss
};

GlEngine::GlEngine(std::string name, const EngineOptions& options)
    : Engine(options.threads),
      GlDevice(name, options.device, options.threads),
      name_(std::move(name)),
      max_crossings_(options.max_crossings) {}

GlEngine::~GlEngine() = default;

void GlEngine::begin(Session& session) {
  for (auto& view : views_) view = std::make_unique<GpuMesh>(session);
  cull_.emplace(session.context.gl(), "cull",
                std::initializer_list<Stage>{
                    {GL_COMPUTE_SHADER, {shaders::sampling_glsl, shaders::mesh_glsl, shaders::cull_comp}}});
  make_objects(session);
}

void GlEngine::end() {
  drop_objects();
  cull_.reset();
  for (Kept* kept : kept_) kept->drop();
  for (auto& view : views_) view.reset();
}

std::unique_ptr<KeptMesh> GlEngine::keep(MeshView mesh) { return std::make_unique<Kept>(*this, mesh); }

GpuMesh& GlEngine::on_gpu(MeshRef mesh, int slot) {
  if (mesh.kept != nullptr) {
    check_owner(mesh);
    return static_cast<Kept&>(*mesh.kept).on_gpu();
  }
  views_[slot]->assign(mesh.view);
  return *views_[slot];
}

Aabb GlEngine::bounds(MeshRef mesh) {
  if (mesh.kept != nullptr) return on_device([&](Session&) { return on_gpu(mesh, 0).box(); });
  return on_device([&](Session& session) { return inspect_positions(mesh.view.positions, session.workers).box; });
}

}  // namespace lamella::opengl
