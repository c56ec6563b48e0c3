#include "simulate/ragdoll_figure.hpp"

#include <cmath>

#include "lamella/response.hpp"
#include "scenes/models.hpp"
#include "scenes/vec.hpp"

namespace lamella::simulate {
namespace {

// Of limbs that come in pairs the left one; the right one is the next.
enum Limb { kPelvis, kChest, kHead, kUpperArm, kForearm = 5, kThigh = 7, kShin = 9, kFoot = 11 };

/// Two round ends and what is between them, in metres; limbs that come in pairs are the left ones.
struct LimbForm {
  Vec3d from, to;
  double from_radius, to_radius;
  Vec3d stretch{1, 1, 1};
};

constexpr Vec3d kShoulder{0, 0.22, 0.46}, kElbow{0, 0.36, 0.22}, kHand{0.04, 0.49, 0.0};
constexpr Vec3d kHip{0, 0.10, -0.06}, kKnee{0.01, 0.115, -0.47}, kAnkle{0, 0.125, -0.86};
constexpr Vec3d kHeel{-0.03, 0.125, -0.90}, kToe{0.15, 0.14, -0.91};

constexpr LimbForm kForms[] = {
    {{0, -0.07, 0}, {0, 0.07, 0}, 0.115, 0.115, {0.9, 1, 1}},     // pelvis
    {{0, 0, 0.21}, {0, 0, 0.41}, 0.125, 0.145, {0.85, 1.15, 1}},  // chest
    {{0, 0, 0.60}, {0.015, 0, 0.74}, 0.06, 0.105},                // head
    {kShoulder, kElbow, 0.06, 0.048},
    {kElbow, kHand, 0.047, 0.043},  // upper arm, forearm
    {kHip, kKnee, 0.085, 0.06},
    {kKnee, kAnkle, 0.058, 0.043},            // thigh, shin
    {kHeel, kToe, 0.045, 0.04, {1, 1.1, 1}},  // foot
};

Vec3d mirrored(Vec3d p) { return {p.x, -p.y, p.z}; }

/// A ball drawn out along the line from one end to the other.
Mesh limb_mesh(LimbForm form, bool right) {
  if (right) form.from = mirrored(form.from), form.to = mirrored(form.to);
  const Vec3d along = scenes::normalize(form.to - form.from);
  Mesh mesh = scenes::sphere(380);
  for (Vec3& p : mesh.positions) {
    const Vec3d d = to_double(p);
    const double t = 0.5 + 0.5 * std::clamp(dot(d, along) * 3, -1.0, 1.0);
    const double radius = form.from_radius + (form.to_radius - form.from_radius) * t;
    const Vec3d out = d * radius;
    const Vec3d axis = scenes::mix(form.from, form.to, t);
    p = to_float(axis + Vec3d{out.x * form.stretch.x, out.y * form.stretch.y, out.z * form.stretch.z});
  }
  return mesh;
}

btVector3 to_bullet(Vec3d p) { return {btScalar(p.x), btScalar(p.y), btScalar(p.z)}; }

/// At `origin`, with one axis (0: x, 2: z) along `direction`.
btTransform frame_at(Vec3d origin, Vec3d direction, int axis) {
  const Vec3d main = scenes::normalize(direction);
  const Vec3d helper = std::abs(main.z) < 0.8 ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
  const Vec3d second = scenes::normalize(cross(helper, main)), third = cross(main, second);
  std::array<Vec3d, 3> columns;
  columns[axis] = main;
  columns[(axis + 1) % 3] = second;
  columns[(axis + 2) % 3] = third;
  btMatrix3x3 basis;
  for (int row = 0; row < 3; ++row) basis[row] = to_bullet(Vec3d{columns[0][row], columns[1][row], columns[2][row]});
  return btTransform(basis, to_bullet(origin));
}

/// What a joint holds against being turned, an impulse for a step; without it limbs swing for long and feet tremble.
constexpr btScalar kFriction = btScalar(0.02);

/// Joints between two bodies that stand at `pose`, given in the figure's frame.
class Joiner {
 public:
  Joiner(RagdollFigure& figure, const btTransform& pose) : figure_(figure), pose_(pose) {}

  void ball(int a, int b, Vec3d at, Vec3d along, double swing, double twist) {
    const btTransform frame = frame_at(at, along, 0);
    auto joint = std::make_unique<btConeTwistConstraint>(body(a), body(b), local(a, frame), local(b, frame));
    joint->setLimit(btScalar(swing), btScalar(swing), btScalar(twist));
    figure_.joints.push_back(std::move(joint));
  }
  /// Turning b about `axis` by a positive angle, up to `high`, bends it.
  void hinge(int a, int b, Vec3d at, Vec3d axis, double low, double high) {
    const btTransform frame = frame_at(at, axis, 2);
    auto joint = std::make_unique<btHingeConstraint>(body(a), body(b), local(a, frame), local(b, frame));
    joint->setLimit(btScalar(-high), btScalar(-low));  // Bullet counts the other way
    joint->enableAngularMotor(true, 0, kFriction);
    figure_.joints.push_back(std::move(joint));
  }

 private:
  btRigidBody& body(int limb) { return *figure_.limbs[limb].body; }
  btTransform local(int limb, const btTransform& frame) {
    return body(limb).getWorldTransform().inverse() * (pose_ * frame);
  }

  RagdollFigure& figure_;
  btTransform pose_;
};

void join_side(Joiner& join, bool right) {
  const auto side = [right](Vec3d p) { return right ? mirrored(p) : p; };
  const int r = right ? 1 : 0;
  const Vec3d forward{1, 0, 0}, left{0, 1, 0};
  const Vec3d upper = side(kElbow - kShoulder), thigh = side(kKnee - kHip);
  join.ball(kChest, kUpperArm + r, side(kShoulder), upper, 1.2, 0.7);
  join.hinge(kUpperArm + r, kForearm + r, side(kElbow), cross(upper, forward), 0, 2.2);
  join.ball(kPelvis, kThigh + r, side(kHip), thigh, 0.8, 0.3);
  join.hinge(kThigh + r, kShin + r, side(kKnee), left, 0, 2.2);
  join.hinge(kShin + r, kFoot + r, side(kAnkle), left, -0.4, 0.6);
}

}  // namespace

BulletBody make_body(MeshView mesh, const btTransform& pose, double density) {
  BulletBody made;
  const btTransform frame = bullet::principal_frame(mesh);
  made.shape = std::make_unique<bullet::MeshShape>(mesh, frame);
  const auto mass = btScalar(mass_properties(mesh, 1).mass * density);
  btVector3 inertia(0, 0, 0);
  if (mass > 0) made.shape->calculateLocalInertia(mass, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, made.shape.get(), inertia);
  info.m_startWorldTransform = pose * frame;
  info.m_friction = btScalar(0.7);
  info.m_restitution = btScalar(0.1);
  info.m_linearDamping = btScalar(0.05);
  info.m_angularDamping = btScalar(0.5);
  made.body = std::make_unique<btRigidBody>(info);
  return made;
}

RagdollFigure make_ragdoll_figure(const btTransform& pose) {
  constexpr double kDensity = 1000;
  RagdollFigure figure;
  const auto put = [&](int limb, int form, bool right) {
    figure.limbs[limb] = make_body(limb_mesh(kForms[form], right), pose, kDensity);
  };
  for (int limb = kPelvis; limb <= kHead; ++limb) put(limb, limb, false);
  for (const bool right : {false, true}) {
    const int r = right ? 1 : 0;
    put(kUpperArm + r, 3, right);
    put(kForearm + r, 4, right);
    put(kThigh + r, 5, right);
    put(kShin + r, 6, right);
    put(kFoot + r, 7, right);
  }
  Joiner join(figure, pose);
  join.ball(kPelvis, kChest, {0, 0, 0.12}, {0, 0, 1}, 0.45, 0.4);
  join.ball(kChest, kHead, {0, 0, 0.57}, {0, 0, 1}, 0.5, 0.6);
  join_side(join, false);
  join_side(join, true);
  return figure;
}

double joint_gap(const btTypedConstraint& joint) {
  btTransform a, b;
  if (const auto* ball = dynamic_cast<const btConeTwistConstraint*>(&joint)) {
    a = ball->getAFrame(), b = ball->getBFrame();
  } else {
    const auto& hinge = dynamic_cast<const btHingeConstraint&>(joint);
    a = hinge.getAFrame(), b = hinge.getBFrame();
  }
  const btVector3 one = joint.getRigidBodyA().getWorldTransform() * a.getOrigin();
  const btVector3 other = joint.getRigidBodyB().getWorldTransform() * b.getOrigin();
  return static_cast<double>(one.distance(other));
}

}  // namespace lamella::simulate
