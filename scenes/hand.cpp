// A right hand: palm towards +z, fingers towards +y, thumb on the side of +x.
#include "scenes/hand.hpp"

#include <array>
#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/implicit.hpp"
#include "scenes/models.hpp"

namespace lamella::scenes {
namespace {

struct Joint {
  double at = 0;      ///< distance from the finger's root
  double radius = 0;  ///< of the finger there
  double bend = 0;    ///< radians in a fist
  double soft = 0;    ///< half of the length over which it bends
};

/// A straight finger from its root, and the way it curls.
struct Finger {
  Vec3d root, direction, curl;  ///< the last two are unit vectors at right angles
  std::array<Joint, 3> joints;
  double length = 0, tip_radius = 0;
  Vec3d carpal;  ///< the other end of the bone that carries the finger, inside the palm

  Vec3d at(double s) const { return root + direction * s; }
};

Finger make_finger(Vec3d root, double spread, double size, double girth, Vec3d carpal) {
  const Vec3d direction{elementary::sin(spread), elementary::cos(spread), 0};
  return {root,
          direction,
          {0, 0, 1},
          {{{0, 0.050 * girth, 1.75, 0.06},
            {0.45 * size, 0.043 * girth, 1.80, 0.045},
            {0.75 * size, 0.037 * girth, 0.90, 0.03}}},
          size,
          0.031 * girth,
          carpal};
}

Finger make_thumb() {
  const Vec3d direction = normalize({0.60, 0.76, 0.22});
  const Vec3d across{-0.75, 0.15, 0.75};
  const Vec3d curl = normalize(across - direction * dot(across, direction));
  const Vec3d root{0.085, -0.25, 0.03};
  return {root, direction, curl, {{{0.05, 0.080, 0.85, 0.05}, {0.21, 0.052, 0.80, 0.05}, {0.33, 0.045, 0.95, 0.04}}},
          0.43, 0.035,     root};
}

const std::array<Finger, 5>& fingers() {
  static const std::array<Finger, 5> kFingers = {
      make_thumb(),
      make_finger({0.140, 0.050, 0.000}, 0.17, 0.365, 1.00, {0.055, -0.27, 0}),
      make_finger({0.048, 0.075, -0.004}, 0.04, 0.405, 1.04, {0.020, -0.28, 0}),
      make_finger({-0.044, 0.055, -0.002}, -0.09, 0.375, 0.98, {-0.015, -0.28, 0}),
      make_finger({-0.128, 0.005, 0.004}, -0.25, 0.295, 0.86, {-0.050, -0.27, 0}),
  };
  return kFingers;
}

void add_finger(const Finger& finger, bool thumb, std::vector<Part>& parts) {
  const auto& [knuckle, middle, last] = finger.joints;
  const double seam = 0.006;  // pieces of one finger already meet; melting them widely would swell the joint
  if (!thumb) {
    parts.push_back({finger.carpal, finger.root, 0.056, knuckle.radius, 0.05});
    parts.push_back({finger.root, finger.at(middle.at), knuckle.radius * 0.93, middle.radius * 0.95, 0.035});
  } else {
    parts.push_back({finger.root, finger.at(middle.at), knuckle.radius, middle.radius * 0.96, 0.06});
  }
  parts.push_back({finger.at(middle.at), finger.at(last.at), middle.radius, last.radius * 0.97, seam});
  parts.push_back(
      {finger.at(last.at), finger.at(finger.length - finger.tip_radius), last.radius, finger.tip_radius, seam});
}

Shape hand_shape() {
  Shape shape{{}, 0.0085, 0.020};
  std::vector<Part>& parts = shape.parts;
  parts.push_back({{0, -0.49, -0.005}, {0, -0.30, 0}, 0.074, 0.080, 0.05, {1.25, 1, 0.8}});
  for (std::size_t i = 1; i < fingers().size(); ++i) add_finger(fingers()[i], false, parts);
  // The heel of the hand, opposite the thumb's ball.
  parts.push_back({{-0.066, -0.23, 0.018}, {-0.095, -0.08, 0.012}, 0.050, 0.045, 0.05});
  add_finger(fingers()[0], true, parts);
  // The hollow of the palm.
  parts.push_back({{-0.005, -0.16, 0.165}, {0.01, -0.06, 0.165}, 0.115, 0.115, 0.05, {1, 1, 1}, true});
  return shape;
}

double distance_to_segment(Vec3d p, Vec3d a, Vec3d b) {
  const Vec3d axis = b - a;
  const double square = dot(axis, axis);
  const double t = square > 0 ? std::clamp(dot(p - a, axis) / square, 0.0, 1.0) : 0.0;
  return length(p - a - axis * t);
}

double distance_to_finger(Vec3d p, const Finger& finger) {
  return std::min(distance_to_segment(p, finger.carpal, finger.root),
                  distance_to_segment(p, finger.root, finger.at(finger.length)));
}

/// How much a point follows each finger: wholly the nearest, but for a soft seam between two.
std::array<double, 5> follow(Vec3d p) {
  constexpr double kSeam = 0.025;
  std::array<double, 5> near{}, weight{};
  for (std::size_t i = 0; i < 5; ++i) near[i] = distance_to_finger(p, fingers()[i]);
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    weight[i] = 1;
    for (std::size_t j = 0; j < 5; ++j) {
      if (j != i) weight[i] *= smoothstep(-kSeam, kSeam, near[j] - near[i]);
    }
    sum += weight[i];
  }
  for (double& w : weight) w /= sum;
  return weight;
}

/// Where a finger's axis is, `s` from the root, in the plane of direction (x) and curl (y): straight pieces and, at the
/// joints, arcs.
struct Bent {
  double x = 0, y = 0, angle = 0;

  void advance(double distance, double turn) {
    // A chord of the arc; well behaved for no turn at all.
    const double half = turn / 2;
    const double chord = std::abs(half) < 1e-6 ? distance : distance * elementary::sin(half) / half;
    x += chord * elementary::cos(angle + half);
    y += chord * elementary::sin(angle + half);
    angle += turn;
  }
};

Bent bend_axis(const Finger& finger, double s, double close) {
  double from = finger.joints[0].at - finger.joints[0].soft;
  Bent bent{std::min(s, from), 0, 0};
  for (const Joint& joint : finger.joints) {
    const double start = joint.at - joint.soft, end = joint.at + joint.soft;
    if (s <= from) break;
    bent.advance(std::min(s, start) - from, 0);
    const double part = std::clamp(s - start, 0.0, 2 * joint.soft);
    bent.advance(part, close * joint.bend * part / (2 * joint.soft));
    from = std::min(s, end);
  }
  if (s > from) bent.advance(s - from, 0);
  return bent;
}

Vec3d bend_with(const Finger& finger, Vec3d p, double close) {
  const Vec3d q = p - finger.root;
  const double s = dot(q, finger.direction), height = dot(q, finger.curl);
  const Bent bent = bend_axis(finger, s, close);
  const double x = bent.x - height * elementary::sin(bent.angle), y = bent.y + height * elementary::cos(bent.angle);
  return p + finger.direction * (x - s) + finger.curl * (y - height);
}

}  // namespace

void bend_hand(std::span<const Vec3> rest, float close, std::span<Vec3> out) {
  if (!(close > 0)) {
    if (out.data() != rest.data()) std::copy(rest.begin(), rest.end(), out.begin());
    return;
  }
  const double amount = std::min(close, 1.0f);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Vec3d p = to_double(rest[i]);
    const std::array<double, 5> weight = follow(p);
    Vec3d sum;
    for (std::size_t f = 0; f < 5; ++f) {
      if (weight[f] > 0) sum = sum + bend_with(fingers()[f], p, amount) * weight[f];
    }
    out[i] = to_float(sum);
  }
}

Mesh hand(std::size_t faces, float close) {
  Mesh mesh = mesh_of(hand_shape(), faces);
  bend_hand(mesh.positions, close, mesh.positions);
  return mesh;
}

}  // namespace lamella::scenes
