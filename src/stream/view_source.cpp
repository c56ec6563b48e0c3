#include <algorithm>

#include "core/mesh_check.hpp"
#include "lamella/error.hpp"
#include "lamella/streamed.hpp"

namespace lamella {

MeshSource::~MeshSource() = default;

namespace {

class ViewSource final : public MeshSource {
 public:
  explicit ViewSource(MeshView mesh) : mesh_(mesh) {
    if (!mesh.wide.empty()) throw Error("a view of doubles cannot be read in parts: round it first, by rounded()");
    check_triangle_count(mesh);
  }
  [[nodiscard]] std::uint64_t vertex_count() const override { return mesh_.positions.size(); }
  [[nodiscard]] std::uint64_t triangle_count() const override { return mesh_.triangles.size(); }
  [[nodiscard]] Vec3d origin() const override { return mesh_.origin; }
  [[nodiscard]] std::uint64_t memory() const override {
    return mesh_.positions.size_bytes() + mesh_.triangles.size_bytes();
  }
  void read_positions(std::uint64_t first, std::span<Vec3> out) const override {
    std::ranges::copy(mesh_.positions.subspan(first, out.size()), out.begin());
  }
  void read_triangles(std::uint64_t first, std::span<Triangle> out) const override {
    std::ranges::copy(mesh_.triangles.subspan(first, out.size()), out.begin());
  }

 private:
  MeshView mesh_;
};

}  // namespace

std::unique_ptr<MeshSource> stream_view(MeshView mesh) { return std::make_unique<ViewSource>(mesh); }

}  // namespace lamella
