#include "scenes/crowd.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"

namespace lamella::scenes {
namespace {

constexpr std::array<std::string_view, 8> kModels{"torus", "sphere", "torus_knot", "box",
                                                  "blob",  "hand",   "phone",      "mouse"};

/// Where a point that went straight would be between two mirrors at 0 and `width`.
double fold(double x, double width) {
  if (!(width > 0)) return 0;
  const double there_and_back = x - 2 * width * std::floor(x / (2 * width));
  return std::clamp(there_and_back <= width ? there_and_back : 2 * width - there_and_back, 0.0, width);
}

}  // namespace

std::span<const std::string_view> crowd_models() { return kModels; }

Mesh crowd_body(std::string_view model, std::size_t faces, double radius) {
  Mesh mesh = make_model(model, faces);
  const Vec3d middle = to_double(center(box_of(mesh.positions)));
  double farthest = 0;
  for (const Vec3 p : mesh.positions) farthest = std::max(farthest, length(to_double(p) - middle));
  const double scale = radius / farthest;
  for (Vec3& p : mesh.positions) p = to_float((to_double(p) - middle) * scale);
  return mesh;
}

Crowd::Crowd(const CrowdOptions& options) : options_(options) {
  const double ball = 4.0 / 3 * kPi * options.radius * options.radius * options.radius;
  room_ = elementary::cbrt(options.objects * ball / options.density);
  for (const std::string_view model : kModels) meshes_.push_back(crowd_body(model, options.faces, options.radius));
  Random random(options.seed);
  for (std::uint32_t i = 0; i < options.objects; ++i) {
    Flight f;
    f.start.x = random.uniform(0, room_);
    f.start.y = random.uniform(0, room_);
    f.start.z = random.uniform(0, room_);
    f.velocity = random.direction() * random.uniform(0.25 * options.speed, options.speed);
    f.axis = random.direction();
    f.angle = random.uniform(0, 2 * kPi);
    f.spin = random.uniform(0.25 * options.spin, options.spin);
    flights_.push_back(f);
  }
}

std::size_t Crowd::face_count() const {
  std::size_t faces = 0;
  for (std::size_t i = 0; i < size(); ++i) faces += mesh(i).triangles.size();
  return faces;
}

Transform Crowd::pose(std::size_t body, double seconds) const {
  const Flight& f = flights_[body];
  const Vec3d straight = f.start + f.velocity * seconds;
  const double half = 0.5 * room_;
  return {{fold(straight.x, room_) - half, fold(straight.y, room_) - half, fold(straight.z, room_) - half},
          rotation_about(f.axis, f.angle + f.spin * seconds)};
}

}  // namespace lamella::scenes
