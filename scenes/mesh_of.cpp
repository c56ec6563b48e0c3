#include <algorithm>

#include "scenes/implicit.hpp"
#include "scenes/remesh.hpp"

namespace lamella::scenes {
namespace {

constexpr std::size_t kLargestBase = 16000;  // triangles that are remeshed; more come from cutting these up
constexpr std::size_t kLeast = 60;           // fewer could not hold a body with limbs

/// A cell that gives about three times `faces`, of which remeshing keeps the better third. One coarse pass measures.
double choose_cell(const Shape& shape, const Mesh& coarse, std::size_t faces) {
  const double ratio = double(coarse.triangles.size()) / (3.0 * double(faces));
  return std::clamp(shape.coarsest * std::sqrt(ratio), shape.finest, shape.coarsest);
}

Mesh base_mesh(const Shape& shape, std::size_t faces, const Projector& onto_surface) {
  Mesh first = polygonise(shape, shape.coarsest);
  const double cell = choose_cell(shape, first, faces);
  Remesh work(cell < shape.coarsest ? polygonise(shape, cell) : first);
  work.collapse(faces, onto_surface);
  for (int i = 0; i < 6; ++i) {
    work.flip();
    work.relax(onto_surface);
  }
  // What could not be merged before may be after turning edges.
  work.collapse(faces, onto_surface);
  return work.to_mesh();
}

Vec3d normal(const Mesh& mesh, const Triangle& t) {
  const Vec3d a = to_double(mesh.positions[t.a]);
  return cross(to_double(mesh.positions[t.b]) - a, to_double(mesh.positions[t.c]) - a);
}

/// In a sharp crease neighbours can end up on its two sides, past one another. Where a piece has turned away from the
/// triangle it was cut from, its corners go back towards `flat`, in which nothing is folded.
void unfold(const Mesh& base, const Mesh& flat, Mesh& mesh) {
  const std::size_t pieces = mesh.triangles.size() / base.triangles.size();
  constexpr int kRounds = 6;
  for (int round = 0; round < kRounds; ++round) {
    const double back = round + 1 < kRounds ? 0.5 : 1.0;
    std::vector<std::uint32_t> folded;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Triangle& piece = mesh.triangles[t];
      const Vec3d before = normal(base, base.triangles[t / pieces]), now = normal(mesh, piece);
      if (dot(before, now) < 0.25 * length(before) * length(now)) {
        folded.insert(folded.end(), {piece.a, piece.b, piece.c});
      }
    }
    std::sort(folded.begin(), folded.end());
    folded.erase(std::unique(folded.begin(), folded.end()), folded.end());
    for (const std::uint32_t v : folded) {
      mesh.positions[v] = to_float(mix(to_double(mesh.positions[v]), to_double(flat.positions[v]), back));
    }
    if (folded.empty()) return;
  }
}

}  // namespace

Mesh mesh_of(const Shape& shape, std::size_t faces) {
  faces = std::max(faces, kLeast);
  const auto cuts = static_cast<std::uint32_t>(std::ceil(std::sqrt(double(faces) / kLargestBase)));
  const auto wanted = static_cast<std::size_t>(std::llround(double(faces) / (2.0 * cuts * cuts))) * 2;
  const Projector onto_surface = [&](Vec3d p, double reach) { return project(shape, p, reach); };
  const Mesh base = base_mesh(shape, wanted, onto_surface);
  if (cuts == 1) return base;
  const Mesh flat = subdivide(base, cuts);
  Mesh mesh = flat;
  const double reach = 0.3 * shape.coarsest;
  for (std::size_t i = base.positions.size(); i < mesh.positions.size(); ++i) {
    mesh.positions[i] = to_float(onto_surface(to_double(mesh.positions[i]), reach));
  }
  unfold(base, flat, mesh);
  return mesh;
}

}  // namespace lamella::scenes
