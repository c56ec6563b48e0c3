#include "picture/camera.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lamella::picture {
namespace {

constexpr double kMargin = 0.07;          // of the image's shorter side, kept free on each side
constexpr double kSmallestExtent = 1e-3;  // of the image plane: a single point is not blown up further
constexpr double kSide = -0.62, kAhead = 1, kDown = -0.55;  // of the usual view
constexpr double kAlongUp = 1e-6;                           // sine of an angle to the up axis that counts as none
constexpr double kSightRadii = 4;  // from the middle: nearer to the eye than to what it looks at
constexpr double kSightSamples = 1 << 20;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3d unit(Vec3d a) { return a * (1 / length(a)); }
bool usable(Vec3d a) { return std::isfinite(dot(a, a)) && dot(a, a) > 0; }

/// Only corners of drawn triangles count: a stray vertex must not shrink the picture.
template <class Visit>
void for_each_point(const Picture& picture, Visit visit) {
  if (picture.fit) {
    for (unsigned i = 0; i < 8 && !picture.fit->empty(); ++i) visit(to_double(corner(*picture.fit, i)));
    return;
  }
  for (const Layer& layer : picture.layers) {
    for (const Triangle t : layer.mesh.triangles) {
      if (!drawable(layer.mesh, t)) continue;
      for (int i = 0; i < 3; ++i) visit(to_double(layer.mesh.positions[t[i]]));
    }
  }
  for (const Dots& dots : picture.dots) {
    for (const Vec3 p : dots.points) {
      if (finite(p)) visit(to_double(p));
    }
  }
}

struct Range {
  double low = kInfinity, high = -kInfinity;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return !(low <= high); }
  [[nodiscard]] double extent() const { return high - low; }
  [[nodiscard]] double middle() const { return low + extent() / 2; }
};

void set_axes(Camera& camera, const Picture& picture) {
  constexpr Vec3d kUsual{kSide, kAhead, kDown};  // with z up
  const Vec3d wished = picture.view_direction.value_or(kUsual);
  camera.back = unit(usable(wished) ? wished : kUsual) * -1.0;
  Vec3d right = cross(picture.up, camera.back);
  // Looking along `up`: any other direction will do for the top of the picture.
  if (!usable(right) || length(right) < 1e-6 * length(picture.up)) {
    right = cross(std::abs(camera.back.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0}, camera.back);
  }
  camera.right = unit(right);
  camera.up = cross(camera.back, camera.right);
}

/// Axes of the scene, right-handed, as one sees them who stands upright in front of it.
struct Frame {
  Vec3d side, ahead, above;
};

Frame frame_of(Up up, bool behind) {
  Frame frame;
  switch (up.axis) {
    case Axis::x:
      frame = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
      break;
    case Axis::y:
      frame = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
      break;
    case Axis::z:
      frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      break;
  }
  if (up.downwards) frame.ahead = frame.ahead * -1.0, frame.above = frame.above * -1.0;
  if (behind) frame.side = frame.side * -1.0, frame.ahead = frame.ahead * -1.0;
  return frame;
}

Vec3d towards_scene(const Frame& frame, Side side) {
  switch (side) {
    case Side::front:
      return frame.ahead;
    case Side::back:
      return frame.ahead * -1.0;
    case Side::left:
      return frame.side;
    case Side::right:
      return frame.side * -1.0;
    case Side::top:
      return frame.above * -1.0;
    case Side::bottom:
      return frame.above;
    case Side::iso:
      break;
  }
  return frame.side * kSide + frame.ahead * kAhead + frame.above * kDown;
}

void set_scale(Camera& camera, const Picture& picture) {
  Range x, y, z;
  for_each_point(picture, [&](Vec3d p) { x.add(p.x), y.add(p.y), z.add(p.z); });
  if (x.empty()) return;
  camera.center = {x.middle(), y.middle(), z.middle()};
  const double radius = length(Vec3d{x.extent() / 2, y.extent() / 2, z.extent() / 2});
  camera.scale = radius > 0 ? 1 / radius : 1;
}

void set_zoom(Camera& camera, const Picture& picture, unsigned reserved) {
  camera.samples = std::clamp(picture.samples, 1, 3);
  Range x, y;
  for_each_point(picture, [&](Vec3d p) {
    const ScreenPoint s = project(camera, p);
    x.add(s.x), y.add(s.y);
  });
  if (x.empty()) x.add(0), y.add(0);
  const double width = static_cast<double>(picture.width) * camera.samples;
  const double top = static_cast<double>(std::min(reserved, picture.height / 2)) * camera.samples;
  const double height = static_cast<double>(picture.height) * camera.samples - top;
  const double margin = 2 * kMargin * std::min(width, height);
  camera.zoom = std::min((width - margin) / std::max(x.extent(), kSmallestExtent),
                         (height - margin) / std::max(y.extent(), kSmallestExtent));
  camera.shift_x = width / 2 - x.middle() * camera.zoom;
  camera.shift_y = top + height / 2 - y.middle() * camera.zoom;
}

}  // namespace

void look(Picture& picture, Up up, const View& view, bool behind) {
  const Frame frame = frame_of(up, behind);
  const Vec3d towards = view.direction ? *view.direction : towards_scene(frame, view.side);
  picture.view_direction = towards;
  const double across = length(cross(towards, frame.above));
  picture.up = across < kAlongUp * length(towards) ? frame.ahead : frame.above;
}

Camera fit_camera(const Picture& picture, unsigned reserved) {
  Camera camera;
  set_axes(camera, picture);
  set_scale(camera, picture);
  set_zoom(camera, picture, reserved);
  return camera;
}

Vec3d to_view(const Camera& camera, Vec3d direction) {
  return {dot(camera.right, direction), dot(camera.up, direction), dot(camera.back, direction)};
}

ScreenPoint project(const Camera& camera, Vec3d world) {
  const Vec3d p = to_view(camera, (world - camera.center) * camera.scale);
  const double inverse = 1 / (kEyeDistance - p.z);
  return {p.x * inverse * camera.zoom + camera.shift_x, -p.y * inverse * camera.zoom + camera.shift_y, -inverse};
}

bool in_sight(const Camera& camera, Vec3 world) {
  const Vec3d p = (to_double(world) - camera.center) * camera.scale;
  if (!(dot(p, p) < kSightRadii * kSightRadii)) return false;
  const ScreenPoint s = project(camera, to_double(world));
  return std::abs(s.x) < kSightSamples && std::abs(s.y) < kSightSamples;
}

double samples_per_unit(const Camera& camera) { return camera.scale / kEyeDistance * camera.zoom; }

Vec3 towards_eye(const Camera& camera, double x, double y) {
  return to_float(unit({-(x - camera.shift_x) / camera.zoom, (y - camera.shift_y) / camera.zoom, 1}));
}

}  // namespace lamella::picture
