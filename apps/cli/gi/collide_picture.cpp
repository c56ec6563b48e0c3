#include "cli/gi/collide_picture.hpp"

#include <array>
#include <cmath>

#include "cli/gi/common.hpp"

namespace lamella::cli {
namespace {

constexpr float kGlass = 0.35f;
constexpr float kBallPixels = 5, kPairPixels = 2;

Mesh drawn(const ImageSubject& subject) {
  if (subject.images.empty()) return in_world(transformed(subject.mesh, subject.pose));
  Mesh all;
  for (const GeometryImage& image : subject.images) append(all, coarse_mesh(image, kFinestDrawn));
  return in_world(transformed(all, subject.pose));
}

std::array<Vec3, 3> corners(const ImageSubject& subject, std::uint32_t image, std::uint32_t number) {
  const bool plain = subject.images.empty();
  const Triangle t = plain ? subject.mesh.triangles[number] : image_triangle(subject.images[image].n, number);
  const std::span<const Vec3> positions = plain ? subject.mesh.positions : subject.images[image].positions;
  std::array<Vec3, 3> out;
  for (int i = 0; i < 3; ++i) {
    out[static_cast<std::size_t>(i)] = to_float(apply(subject.pose, to_double(positions[t[i]])));
  }
  return out;
}

void add_triangle(Mesh& mesh, const std::array<Vec3, 3>& points) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), points.begin(), points.end());
  mesh.triangles.push_back({first, first + 1, first + 2});
}

}  // namespace

picture::Image draw_collision(const ImageSubject& a, const ImageSubject& b, const ImageCollision& found,
                              picture::Picture out) {
  const Mesh first = drawn(a), second = drawn(b);
  Mesh meeting;
  std::vector<Vec3> middles;  // triangles far smaller than a pixel still show
  for (const TrianglePair& pair : found.pairs) {
    const auto in_a = corners(a, pair.image_a, pair.triangle_a), in_b = corners(b, pair.image_b, pair.triangle_b);
    add_triangle(meeting, in_a);
    add_triangle(meeting, in_b);
    middles.push_back((in_a[0] + in_a[1] + in_a[2]) * (1.0f / 3));
  }
  const std::vector<Vec3> place{to_float(found.position)};
  out.layers = {
      {first, picture::kBlueGrey, kGlass}, {second, picture::kSand, kGlass}, {meeting, picture::kOverlapRed, 1}};
  out.dots = {{middles, picture::kOverlapRed, kPairPixels}};
  if (std::isfinite(found.within)) {
    out.dots.push_back({place, picture::kOverlapRed, kBallPixels, static_cast<float>(found.within / 2)});
  }
  return picture::render(out);
}

}  // namespace lamella::cli
