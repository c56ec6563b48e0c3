// The step of Guendelman, Bridson and Fedkiw, "Nonconvex Rigid Bodies with Stacking", 2003, section 4: predict where
// bodies will be, detect there; resolve collisions with the velocities from before gravity, so that resting bodies do
// not bounce; then gravity, contacts, shock propagation, positions. The paper detects again before the contacts; here
// one detection serves both (see solver.cpp). Positions move by the new velocity, rotations as in spin.cpp.

#include "lamella/response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/check_pose.hpp"
#include "core/world_only.hpp"
#include "lamella/error.hpp"
#include "response/algebra.hpp"
#include "response/flight.hpp"
#include "response/levels.hpp"
#include "response/mass.hpp"
#include "response/slots.hpp"
#include "response/solver.hpp"
#include "response/spin.hpp"
#include "response/ways_out.hpp"

namespace lamella {

using namespace response;

namespace {

using Clock = std::chrono::steady_clock;

/// As a part of what gravity adds to a velocity in a substep: a slower approach is rest, left to the contact phase.
constexpr double kResting = 1e-3;

bool finite(Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

void check_material(double restitution, double friction) {
  if (!(restitution >= 0 && restitution <= 1))
    throw Error(fmt::format("a body's restitution is {}: it must be from 0 to 1", restitution));
  if (!(friction >= 0) || !std::isfinite(friction))
    throw Error(fmt::format("a body's friction is {}: it must be finite and 0 or more", friction));
}

/// What the caller may have changed since the last step.
void check_state(const RigidBody& b) {
  check_pose(b.pose, kPoseTolerance);
  if (!finite(b.velocity) || !finite(b.angular_velocity)) throw Error("its velocity is not finite");
  const Matrix3& m = b.inverse_inertia;
  if (!(b.inverse_mass >= 0) || !std::isfinite(b.inverse_mass) || !finite(m[0]) || !finite(m[1]) || !finite(m[2]) ||
      !finite(b.center))
    throw Error("its mass, inertia or center of mass is not finite");
  if (!(b.thickness >= 0 && b.reach >= 0) || !std::isfinite(b.thickness) || !std::isfinite(b.reach))
    throw Error("its thickness or reach is not finite, or below 0");
  check_material(b.restitution, b.friction);
}

bool same(const Transform& a, const Transform& b) {
  return a.translation == b.translation && a.rotation.x == b.rotation.x && a.rotation.y == b.rotation.y &&
         a.rotation.z == b.rotation.z && a.rotation.w == b.rotation.w;
}

Vec3d center_of(const RigidBody& b) { return apply(b.pose, b.center); }

/// The pose with the centre of mass at `center`.
Transform pose_at(Vec3d center, const Quaternion& rotation, Vec3d local_center) {
  return {center - rotate(rotation, local_center), rotation};
}

Spin turned_on(const RigidBody& b, Vec3d angular_velocity, double seconds) {
  const Spin spin{b.pose.rotation, angular_velocity};
  return b.inverse_mass == 0 ? advance(spin, seconds) : advance(spin, inverse(b.inverse_inertia), seconds);
}

/// In the world's axes.
Vec3d spin_momentum(const RigidBody& b) {
  const Quaternion& q = b.pose.rotation;
  return rotate(q, inverse(b.inverse_inertia) * rotate(conjugate(q), b.angular_velocity));
}

}  // namespace

struct RigidWorld::State {
  State(SceneOptions scene_options, RigidWorldOptions world_options)
      : scene(std::move(scene_options)), options(world_options) {}

  Scene scene;
  RigidWorldOptions options;
  StepReport report;
  const SceneResult* found = nullptr;
  BodySlots slots;
  // By slot; in a free slot: fixed and at rest.
  std::vector<RigidBody> bodies;
  std::vector<Aabb> boxes;  ///< of the meshes, in their own frames
  std::vector<SolverBody> solver_bodies;
  ContactSet contacts;
  ContactGraph graph;
  WaysOut ways;
  Flight flight;

  std::uint32_t slot_of(ObjectId id) const {
    const auto slot = slots.find(id);
    if (!slot) throw Error(fmt::format("this world has no body {}: it was removed, or added to another", id.number));
    return *slot;
  }

  void check_bodies() const;
  double safe_substep(double seconds, bool spin_only) const;
  double next_substep(double left, unsigned substeps_left);
  template <class Velocity>
  double limit_flight(double h, double least, const Velocity& velocity);
  double contact_limit(double h, double least) const;
  double flight_after_solving(double h, double least);
  void place_in_scene();
  void predict(double h);
  void solve(double h);
  void move(double h);
  double substep(double h, double least);

  template <class Visit>
  void for_each_moving(const Visit& visit) const {
    for (std::uint32_t i = 0; i < slots.size(); ++i)
      if (slots.object(i) && bodies[i].inverse_mass > 0) visit(bodies[i]);
  }
};

/// Throws an Error that names the body.
void RigidWorld::State::check_bodies() const {
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    const auto object = slots.object(i);
    if (!object) continue;
    try {
      check_state(bodies[i]);
    } catch (const Error& error) {
      throw Error(fmt::format("body {}: {}", object->number, error.what()));
    }
  }
}

/// The longest substep in which no body moves further than half its thickness; `spin_only`: by its spin alone.
double RigidWorld::State::safe_substep(double seconds, bool spin_only) const {
  const double fall = spin_only ? 0 : lamella::length(options.gravity) * seconds;
  double safe = seconds;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    const RigidBody& b = bodies[i];
    // A body without thickness shares no volume with any other, however fast.
    if (!slots.object(i) || b.thickness == 0) continue;
    const double speed = (spin_only ? 0 : lamella::length(b.velocity)) + lamella::length(b.angular_velocity) * b.reach +
                         (b.inverse_mass > 0 ? fall : 0);
    if (speed * safe * 2 > b.thickness) safe = b.thickness / (2 * speed);
  }
  return safe;
}

/// Short enough for all bodies, or, where so many substeps are not allowed, up to the first touch of those that are
/// faster.
double RigidWorld::State::next_substep(double left, unsigned substeps_left) {
  const auto parts = [&](bool spin_only) { return std::ceil(left / safe_substep(left, spin_only) * (1 - 1e-12)); };
  double wanted = parts(false);
  if (wanted > substeps_left) wanted = parts(true);
  return left / std::clamp(wanted, 1.0, double(substeps_left));
}

/// How long bodies may move with a velocity each; see Flight.
template <class Velocity>
double RigidWorld::State::limit_flight(double h, double least, const Velocity& velocity) {
  flight.bodies.resize(slots.size());
  double fastest = 0, thinnest = HUGE_VAL;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    const RigidBody& b = bodies[i];
    const auto object = slots.object(i);
    Flyer& f = flight.bodies[i];
    f = {};
    if (!object || b.thickness == 0) continue;
    f.object = *object;
    f.exists = true;
    f.movable = b.inverse_mass > 0;
    f.center = center_of(b);
    f.velocity = velocity(i);
    f.spin = lamella::length(b.angular_velocity) * b.reach;
    f.thickness = b.thickness;
    f.reach = b.reach;
    f.pose = b.pose;
    f.box = boxes[i];
    fastest = std::max({fastest, lamella::length(f.velocity), f.spin});
    thinnest = std::min(thinnest, b.thickness);
  }
  // As in most worlds: nothing to sweep.
  if (2 * fastest * h <= thinnest / 2) {
    flight.clear();
    return h;
  }
  place_in_scene();
  const double limit = flight.limit(scene, h, least, scene.options().cell, contacts);
  report.sweep_count += flight.sweep_count();
  report.over_limit |= flight.spins_too_fast();
  return limit;
}

/// Bodies that touch at the predicted poses must not have come far: their spins, which are not swept, may have met
/// something. Then the substep is made shorter.
double RigidWorld::State::contact_limit(double h, double least) const {
  double limit = h;
  for (const ScenePair& pair : found->pairs) {
    const auto a = slots.find(pair.a), b = slots.find(pair.b);
    if (!a || !b) continue;
    for (const std::uint32_t slot : {*a, *b}) {
      const RigidBody& body = bodies[slot];
      const double fall = body.inverse_mass > 0 ? lamella::length(options.gravity) * limit : 0;
      const double speed = lamella::length(body.velocity) + lamella::length(body.angular_velocity) * body.reach + fall;
      if (body.thickness > 0 && speed * limit * 2 > body.thickness) limit = body.thickness / (2 * speed);
    }
  }
  return std::min(h, std::max(limit, least));
}

/// Bodies that were hit may fly off faster than they came: then they move for a shorter time, and are not pulled down
/// for the rest of it.
double RigidWorld::State::flight_after_solving(double h, double least) {
  if (contacts.impulse_count == 0) return h;
  const double shorter = limit_flight(h, least, [&](std::uint32_t i) { return solver_bodies[i].velocity; });
  if (!(shorter < h)) return h;
  for (SolverBody& s : solver_bodies)
    if (s.inverse_mass > 0) s.touched = false;
  for (const SolverPair& pair : contacts.pairs) solver_bodies[pair.a].touched = solver_bodies[pair.b].touched = true;
  for (SolverBody& s : solver_bodies)
    if (s.inverse_mass > 0 && !s.touched) s.velocity -= options.gravity * (h - shorter);
  return shorter;
}

void RigidWorld::State::place_in_scene() {
  for (std::uint32_t i = 0; i < slots.size(); ++i)
    if (const auto object = slots.object(i); object && !same(scene.pose(*object), bodies[i].pose))
      scene.move(*object, bodies[i].pose);
}

void RigidWorld::State::predict(double h) {
  solver_bodies.resize(bodies.size());
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    const RigidBody& b = bodies[i];
    SolverBody& s = solver_bodies[i];
    s.center = center_of(b);
    s.velocity = b.velocity;
    s.angular_velocity = b.angular_velocity;
    s.inverse_mass = b.inverse_mass;
    s.inverse_inertia = b.inverse_mass > 0 ? turned(b.inverse_inertia, matrix_of(b.pose.rotation)) : Matrix3{};
    s.pose = s.predicted = b.pose;
    const auto object = slots.object(i);
    if (!object) continue;
    const Vec3d velocity = b.inverse_mass > 0 ? b.velocity + options.gravity * h : b.velocity;
    if (velocity == Vec3d{} && b.angular_velocity == Vec3d{}) {
      if (!same(scene.pose(*object), b.pose)) scene.move(*object, b.pose);
      continue;
    }
    s.predicted = pose_at(s.center + velocity * h, turned_on(b, b.angular_velocity, h).rotation, b.center);
    scene.move(*object, s.predicted);
  }
}

void RigidWorld::State::solve(double h) {
  const double weight = lamella::length(options.gravity);
  gather(found->pairs, found->contacts, slots, solver_bodies, bodies, contacts);
  add_touches(flight.touches(), h, solver_bodies, bodies, contacts);
  collision_phase(contacts, solver_bodies, options.collision_iterations, kResting * weight * h);
  for (SolverBody& s : solver_bodies) {
    if (s.inverse_mass > 0) s.velocity += options.gravity * h;
    s.shift = s.turn = {};
    s.level = s.inverse_mass > 0 ? kNoLevel : 0;
  }
  if (options.ways_out)
    report.way_count += ways.push(*found, scene, slots, bodies, solver_bodies, h, weight > 0, contacts);
  if (contacts.contacts.empty()) {
    contacts.remembered.clear();
    return;
  }
  contact_phase(contacts, solver_bodies, h, options.contact_iterations);
  if (options.shock_propagation && weight > 0) {
    graph.find_levels(contacts, solver_bodies, options.gravity * (-1 / weight));
    graph.shock_propagation(contacts, solver_bodies, h, options.contact_iterations);
  }
  report.impulse_count += contacts.impulse_count;
  report.pushed_count += push_out(contacts, solver_bodies, h, options.gravity);
}

void RigidWorld::State::move(double h) {
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    RigidBody& b = bodies[i];
    const SolverBody& s = solver_bodies[i];
    if (!slots.object(i) || (b.inverse_mass == 0 && b.velocity == Vec3d{} && b.angular_velocity == Vec3d{})) continue;
    b.velocity = s.velocity;
    const Spin spin = turned_on(b, s.angular_velocity, h);
    Quaternion rotation = spin.rotation;
    b.angular_velocity = spin.angular_velocity;
    if (dot(s.turn, s.turn) > 0) {
      // Turning the angular velocity along with the body keeps its energy.
      const Quaternion turn = cayley(s.turn);
      rotation = normalized(turn * rotation);
      b.angular_velocity = rotate(turn, b.angular_velocity);
    }
    b.pose = pose_at(s.center + b.velocity * h + s.shift, rotation, b.center);
  }
}

/// Returns how long it was: up to `h`.
double RigidWorld::State::substep(double h, double least) {
  constexpr int kTries = 4;
  const auto start = Clock::now();
  double detection = 0;
  h = limit_flight(h, least, [&](std::uint32_t i) {
    return bodies[i].inverse_mass > 0 ? bodies[i].velocity + options.gravity * h : bodies[i].velocity;
  });
  for (int i = 0; i < kTries; ++i) {
    predict(h);
    found = &scene.collide();
    report.ms += found->ms;
    detection += found->ms.total();
    const double shorter = i + 1 < kTries ? contact_limit(h, least) : h;
    if (!(shorter < h * (1 - 1e-9))) break;
    h = shorter;
  }
  solve(h);
  h = flight_after_solving(h, least);
  move(h);
  const double all = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  report.ms.solve += all - detection;
  return h;
}

RigidWorld::RigidWorld(SceneOptions scene, RigidWorldOptions options)
    : state_(std::make_unique<State>(std::move(scene), options)) {
  if (options.max_substeps == 0) throw Error("max_substeps is 0: it must be at least 1");
  if (state_->scene.options().max_contacts == 0)
    throw Error("max_contacts is 0, so that bodies would fall through each other: it must be at least 1");
  set_gravity(options.gravity);
}
RigidWorld::~RigidWorld() = default;
RigidWorld::RigidWorld(RigidWorld&&) noexcept = default;
RigidWorld& RigidWorld::operator=(RigidWorld&&) noexcept = default;

ObjectId RigidWorld::add(MeshView mesh, const Transform& pose, const BodyOptions& options) {
  check_world_only(mesh, "RigidWorld");
  check_material(options.restitution, options.friction);
  RigidBody b;
  b.pose = pose;
  if (options.fixed) {
    const Aabb box = bounds(mesh);
    if (!box.empty()) b.center = to_double(center(box));
  } else {
    const MassProperties mass = mass_properties(mesh, options.density);
    b.inverse_mass = 1 / mass.mass;
    b.center = mass.center;
    b.inverse_inertia = inverse(mass.inertia);
  }
  b.restitution = options.restitution;
  b.friction = options.friction;
  b.reach = reach_of(mesh, b.center);
  const ObjectId id = state_->scene.add(mesh, pose);
  b.thickness = thickness_of(mesh);  // after the scene has checked the indices
  if (options.fixed) state_->scene.fix(id);
  const std::uint32_t slot = state_->slots.add(id);
  if (slot == state_->bodies.size()) {
    state_->bodies.emplace_back();
    state_->boxes.emplace_back();
  }
  state_->bodies[slot] = b;
  state_->boxes[slot] = bounds(mesh);
  return id;
}

void RigidWorld::remove(ObjectId object) {
  const std::uint32_t slot = state_->slot_of(object);
  state_->scene.remove(object);
  state_->slots.remove(object);
  state_->bodies[slot] = {};
}

RigidBody& RigidWorld::body(ObjectId object) { return state_->bodies[state_->slot_of(object)]; }
const RigidBody& RigidWorld::body(ObjectId object) const { return state_->bodies[state_->slot_of(object)]; }
Scene& RigidWorld::scene() { return state_->scene; }
const RigidWorldOptions& RigidWorld::options() const { return state_->options; }

void RigidWorld::set_gravity(Vec3d gravity) {
  if (!finite(gravity)) throw Error("gravity must be finite");
  state_->options.gravity = gravity;
}

void RigidWorld::step(double seconds) {
  State& s = *state_;
  if (!(seconds > 0) || !std::isfinite(seconds)) throw Error("a step must be longer than 0 seconds, and finite");
  s.check_bodies();
  s.report = {};
  double left = seconds;
  for (unsigned substeps_left = s.options.max_substeps; substeps_left > 0; --substeps_left) {
    left -= s.substep(s.next_substep(left, substeps_left), left / substeps_left);
    ++s.report.substep_count;
    if (!(left > seconds * 1e-9)) break;
  }
  if (left > seconds * 1e-9) s.report.seconds_left = left;
  s.place_in_scene();
}

const SceneResult& RigidWorld::result() const {
  static const SceneResult nothing;
  return state_->found != nullptr ? *state_->found : nothing;
}
const StepReport& RigidWorld::report() const { return state_->report; }

double RigidWorld::kinetic_energy() const {
  double sum = 0;
  state_->for_each_moving([&](const RigidBody& b) {
    sum += dot(b.velocity, b.velocity) / b.inverse_mass + dot(b.angular_velocity, spin_momentum(b));
  });
  return sum / 2;
}

double RigidWorld::potential_energy() const {
  double sum = 0;
  state_->for_each_moving(
      [&](const RigidBody& b) { sum -= dot(center_of(b), state_->options.gravity) / b.inverse_mass; });
  return sum;
}

Vec3d RigidWorld::momentum() const {
  Vec3d sum;
  state_->for_each_moving([&](const RigidBody& b) { sum += b.velocity * (1 / b.inverse_mass); });
  return sum;
}

Vec3d RigidWorld::angular_momentum() const {
  Vec3d sum;
  state_->for_each_moving(
      [&](const RigidBody& b) { sum += cross(center_of(b), b.velocity * (1 / b.inverse_mass)) + spin_momentum(b); });
  return sum;
}

}  // namespace lamella
