// Rigid bodies and particles with every option varied: states stay finite, collisions keep momentum and add no energy,
// particles are set onto the surface, and what is not pushed is not changed.

#include "lamella/response.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/lattice.hpp"
#include "lamella/error.hpp"
#include "lamella/particles.hpp"
#include "meshes.hpp"
#include "rules.hpp"

namespace lamella::fuzz {
namespace {

Vec3d take_vector(Input& input, double scale) {
  const auto x = input.take<std::int8_t>(), y = input.take<std::int8_t>(), z = input.take<std::int8_t>();
  return Vec3d{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)} * (scale / 16);
}

// ---- rigid bodies

struct Bodies {
  std::vector<ObjectId> ids;
  bool fixed = false;         ///< some are
  bool fixed_moving = false;  ///< of these, some move

  /// Sums that rounding is measured by: of momenta, and of momenta times arms.
  [[nodiscard]] std::pair<double, double> sizes(const RigidWorld& world) const {
    double momentum = 0, angular = 0;
    for (const ObjectId id : ids) {
      const RigidBody& b = world.body(id);
      if (b.inverse_mass == 0) continue;
      const double arm = length(apply(b.pose, b.center)) + b.reach;
      const double p = (length(b.velocity) + length(b.angular_velocity) * b.reach) / b.inverse_mass;
      momentum += p;
      angular += p * arm;
    }
    return {momentum, angular};
  }
};

void take_body(Input& input, const Places& places, RigidWorld& world, Bodies& bodies) {
  const MadeMesh made = take_mesh(input, places);
  const Transform pose = take_pose(input, places, true);
  BodyOptions o;
  constexpr double kDensities[] = {1, 1, 1000, 1e-3};
  o.density = kDensities[input.below(4)];
  constexpr double kRestitutions[] = {0.3, 0, 1, 0.5};
  o.restitution = kRestitutions[input.below(4)];
  constexpr double kFrictions[] = {0.5, 0, 1, 1e6};
  o.friction = kFrictions[input.below(4)];
  o.fixed = input.below(4) == 0;
  bool good = made.indices_exist && is_pose(pose);
  const std::size_t wrong = input.below(64);
  if (wrong == 0) o.density = input.take<double>();
  if (wrong == 1) o.restitution = input.take<double>();
  if (wrong == 2) o.friction = input.take<double>();
  good = good && o.restitution >= 0 && o.restitution <= 1 && o.friction >= 0 && std::isfinite(o.friction);
  ObjectId id;
  try {
    id = world.add(made.mesh, pose, o);
  } catch (const Error&) {
    // Whether a mesh has a mass is left to mass_properties().
    bool has_mass = true;
    if (!o.fixed) try {
        (void)mass_properties(made.mesh, o.density);
      } catch (const Error&) {
        has_mass = false;
      }
    return require(!good || !has_mass, "a good body is accepted");
  }
  require(good, "a wrong body is refused");
  bodies.ids.push_back(id);
  RigidBody& b = world.body(id);
  require((b.inverse_mass == 0) == o.fixed && b.reach >= 0 && b.thickness >= 0, "a fixed body has no inverse mass");
  const double scale = static_cast<double>(places.scale);
  if (input.flag()) b.velocity = take_vector(input, scale * 16);
  if (input.flag()) b.angular_velocity = take_vector(input, 4);
  bodies.fixed = bodies.fixed || o.fixed;
  bodies.fixed_moving = bodies.fixed_moving || (o.fixed && !(b.velocity == Vec3d{} && b.angular_velocity == Vec3d{}));
}

void check_world(const RigidWorld& world, const Bodies& bodies) {
  for (const ObjectId id : bodies.ids) {
    const RigidBody& b = world.body(id);
    require(is_finite(b.pose.translation) && is_finite(b.velocity) && is_finite(b.angular_velocity),
            "the state of a body is finite");
    const auto [x, y, z, w] = b.pose.rotation;
    require(std::abs(x * x + y * y + z * z + w * w - 1) < 0.002, "a rotation keeps length 1");
  }
  require(std::isfinite(world.kinetic_energy()) && world.kinetic_energy() >= 0, "energies are finite");
  const StepReport& report = world.report();
  require(report.substep_count >= 1 && report.substep_count <= world.options().max_substeps, "substeps are limited");
}

void rigid_bodies(Input& input) {
  const Places places(input);
  SceneOptions scene;
  scene.engine = "software";
  scene.threads = static_cast<unsigned>(1 + input.below(2));
  scene.resolution = static_cast<std::uint32_t>(2 + input.below(10));
  scene.views = input.flag() ? 3 : 1;
  scene.max_contacts = static_cast<std::uint32_t>(input.below(kMaxContacts + 1));
  scene.normals = input.flag() ? Normals::faces : Normals::neighbours;
  const double scale = static_cast<double>(places.scale);
  RigidWorldOptions options;
  const bool weightless = input.flag();
  options.gravity = weightless ? Vec3d{} : take_vector(input, scale * 10);
  options.collision_iterations = static_cast<unsigned>(input.below(6));
  options.contact_iterations = static_cast<unsigned>(input.below(12));
  options.shock_propagation = input.flag();
  options.max_substeps = static_cast<unsigned>(input.below(6));
  std::optional<RigidWorld> made;
  try {
    made.emplace(scene, options);
  } catch (const Error&) {
    return require(scene.max_contacts == 0 || options.max_substeps == 0, "good options are accepted");
  }
  require(scene.max_contacts != 0 && options.max_substeps != 0, "wrong options are refused");
  RigidWorld& world = *made;
  Bodies bodies;
  for (std::size_t count = 1 + input.below(4); count > 0; --count) take_body(input, places, world, bodies);
  for (int step = 0; step < 3; ++step) {
    constexpr double kSeconds[] = {0.01, 0.1, 1e-4, 1};
    double seconds = kSeconds[input.below(4)];
    const std::size_t wrong = input.below(64);
    if (wrong == 0) seconds = input.take<double>();
    if (wrong == 1 && !bodies.ids.empty()) world.body(bodies.ids[0]).velocity.x = input.take<double>();
    if (wrong == 2 && !bodies.ids.empty()) {
      world.remove(bodies.ids.back());
      bodies.ids.pop_back();
    }
    const double energy = world.kinetic_energy();
    const Vec3d momentum = world.momentum(), angular = world.angular_momentum();
    const auto [size, angular_size] = bodies.sizes(world);
    try {
      world.step(seconds);
    } catch (const Error&) {
      // Only what the input made wrong on purpose, or a body that flew out of the range of numbers.
      return require(wrong <= 1 || step > 0, "a good step is made");
    }
    if (wrong == 1 || (wrong == 0 && seconds > 10)) return;
    check_world(world, bodies);
    if (!weightless) continue;
    if (!bodies.fixed_moving)
      require(world.kinetic_energy() <= energy * (1 + 1e-9) + 1e-300, "collisions add no energy");
    if (bodies.fixed) continue;
    require(length(world.momentum() - momentum) <= 1e-9 * size, "collisions keep momentum");
    // Bodies that are moved apart keep their velocities, so their angular momentum changes. Not with a body at 1e300.
    if (world.report().pushed_count == 0 && world.report().way_count == 0 && std::isfinite(angular_size))
      require(length(world.angular_momentum() - angular) <= 1e-6 * angular_size, "collisions keep angular momentum");
  }
}

// ---- particles

struct Particles {
  std::vector<Vec3> positions, velocities;
};

bool same_bits(std::span<const Vec3> a, std::span<const Vec3> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

Vec3d on_triangle(const ParticlePush& p, const Mesh& mesh) {
  const Triangle t = mesh.triangles[p.triangle];
  return to_double(mesh.positions[t.a]) * static_cast<double>(p.weights.x) +
         to_double(mesh.positions[t.b]) * static_cast<double>(p.weights.y) +
         to_double(mesh.positions[t.c]) * static_cast<double>(p.weights.z);
}

void check_push(const ParticlePush& p, const Mesh& mesh, const Particles& before, const Particles& after,
                const PushOutOptions& options, const BodyMotion& body) {
  require(p.triangle < mesh.triangles.size() && p.depth >= 0 && std::isfinite(p.depth), "a push is onto a triangle");
  const double sum =
      static_cast<double>(p.weights.x) + static_cast<double>(p.weights.y) + static_cast<double>(p.weights.z);
  require(std::abs(sum - 1) < 1e-4 && std::min({p.weights.x, p.weights.y, p.weights.z}) >= -1e-4f,
          "weights are those of a point of the triangle");
  require(std::abs(length(to_double(p.normal)) - 1) < 1e-4, "normals have length 1");
  const Vec3d surface = on_triangle(p, mesh), from = to_double(before.positions[p.particle]);
  double size = static_cast<double>(options.clearance);
  for (int k = 0; k < 3; ++k) size = std::max({size, std::abs(surface[k]), std::abs(from[k])});
  const Triangle t = mesh.triangles[p.triangle];
  double corner = 0;  // weights are floats: of a large triangle they place a point no better than its corners allow
  for (const std::uint32_t v : {t.a, t.b, t.c})
    for (int k = 0; k < 3; ++k) corner = std::max(corner, static_cast<double>(std::abs(mesh.positions[v][k])));
  const double rounding = 1e-4 * size + 1e-6 * corner;
  require(std::abs(length(from - surface) - static_cast<double>(p.depth)) <= rounding, "the depth is the distance");
  const Vec3d now = to_double(after.positions[p.particle]);
  if (!(body.seconds > 0) || (before.velocities.empty() && body.before.empty()))
    require(length(now - surface - to_double(p.normal) * static_cast<double>(options.clearance)) <= rounding,
            "a particle is set onto the surface");
  if (before.velocities.empty()) return;
  const Vec3d v = to_double(before.velocities[p.particle]), w = to_double(after.velocities[p.particle]);
  const double speed = length(v);
  if (body.before.empty()) {
    require(length(w) <= speed * (1 + 1e-5), "a surface at rest adds no energy");
    require(dot(w, to_double(p.normal)) >= -1e-4 * speed, "a particle does not approach the surface any more");
  }
}

/// The guarantees of ParticlePushOut, for a body that is one box: how deep a particle is needs no search there.
void check_box(const Mesh& mesh, const Particles& before, const PushOutReport& report) {
  const Aabb box = bounds(mesh);
  const double cell = static_cast<double>(report.cell);
  const Vec3 e = extent(box);
  if (!(static_cast<double>(std::min({e.x, e.y, e.z})) > cell)) return;
  double rounding = 0;
  for (int k = 0; k < 3; ++k)
    rounding = std::max(rounding, 1e-5 * static_cast<double>(std::max(std::abs(box.min[k]), std::abs(box.max[k]))));
  auto next = report.pushes.begin();
  for (std::size_t i = 0; i < before.positions.size(); ++i) {
    const ParticlePush* push = next != report.pushes.end() && next->particle == i ? &*next++ : nullptr;
    if (!usable(before.positions[i]) || (!before.velocities.empty() && !usable(before.velocities[i]))) continue;
    double depth = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k)
      depth = std::min({depth, static_cast<double>(before.positions[i][k]) - static_cast<double>(box.min[k]),
                        static_cast<double>(box.max[k]) - static_cast<double>(before.positions[i][k])});
    if (depth > 0.71 * cell + rounding) require(push != nullptr, "a particle deeper than 0.71 cells is found");
    if (push == nullptr) continue;
    require(depth >= -rounding, "a particle outside a box is not pushed");
    require(static_cast<double>(push->depth) <= depth + 1.25 * cell + rounding,
            "the way out is hardly longer than needed");
  }
}

void particles(Input& input) {
  const Places places(input);
  MadeMesh made = take_mesh(input, places);
  const bool one_box = input.below(4) == 0;
  if (one_box) {
    Mesh box;
    const Vec3 p = places.take(input), q = places.take(input);
    add_box(box, p, q);
    made = describe(std::move(box), true);
  }
  PushOutOptions o;
  o.resolution = static_cast<std::uint32_t>(1 + input.below(12));
  o.threads = 1;
  constexpr float kRestitutions[] = {0, 0.5f, 1, 0};
  o.restitution = kRestitutions[input.below(4)];
  constexpr float kFrictions[] = {0.5f, 0, 2, 1e6f};
  o.friction = kFrictions[input.below(4)];
  o.clearance = input.below(4) == 0 ? places.scale * 0.25f : 0;
  bool good = made.indices_exist;
  switch (input.below(64)) {
    case 0:
      o.restitution = input.take<float>();
      break;
    case 1:
      o.friction = input.take<float>();
      break;
    case 2:
      o.clearance = input.take<float>();
      break;
    case 3:
      o.strict = true;
      break;
    case 4:
      o.max_crossings = input.below(64);
      break;
    case 5:
      o.resolution = 0, good = false;
      break;
    default:
      break;
  }
  good = good && o.restitution >= 0 && o.restitution <= 1 && o.friction >= 0 && std::isfinite(o.friction) &&
         o.clearance >= 0 && o.clearance <= 0x1p100f;
  const bool may_throw = o.strict || o.max_crossings < 64;
  std::optional<ParticlePushOut> one, other;
  try {
    one.emplace(made.mesh.triangles, made.mesh.positions.size(), o);
    PushOutOptions more = o;
    more.threads = 3;
    other.emplace(made.mesh.triangles, made.mesh.positions.size(), more);
  } catch (const Error&) {
    return require(!good, "good options are accepted");
  }
  require(good, "wrong options are refused");

  Particles now;
  now.positions = take_points(input, places);
  if (input.flag())
    for (std::size_t i = 0; i < now.positions.size(); ++i)
      now.velocities.push_back(to_float(take_vector(input, static_cast<double>(places.scale) * 8)));
  if (!now.velocities.empty() && input.below(16) == 0) now.velocities[0].x = input.take<float>();
  std::vector<Vec3> positions = made.mesh.positions, last = positions;
  for (int step = 0; step < 3; ++step) {
    BodyMotion body{positions, {}, 0};
    if (input.flag()) body.before = last;
    constexpr float kSeconds[] = {0, 0.01f, 1, 0.1f};
    body.seconds = kSeconds[input.below(4)];
    if (input.below(64) == 0) body.seconds = input.take<float>();
    const Particles before = now;
    Particles twin = now;
    try {
      const PushOutReport& report = one->push_out(body, now.positions, now.velocities);
      require(body.seconds >= 0 && std::isfinite(body.seconds), "a time below 0 is refused");
      require(report.turned_back_count <= report.pushes.size(), "only pushed particles turn back");
      const std::size_t triangles = made.mesh.triangles.size();
      require(report.health.skipped_triangles <= 3 * triangles, "only triangles that exist are skipped");
      require(report.health.open_columns <= report.health.occupied_columns, "open columns are occupied");
      require(report.health.untrusted_points + report.pushes.size() <= now.positions.size(),
              "a particle in an open column is not pushed");
      if (made.closed && report.health.skipped_triangles == 0)
        require(report.health.open_columns == 0, "columns of a closed mesh close");
      float deepest = 0;
      auto push = report.pushes.begin();
      const Mesh at_present{positions, made.mesh.triangles};
      for (std::size_t i = 0; i < now.positions.size(); ++i) {
        if (push != report.pushes.end() && push->particle == i) {
          check_push(*push, at_present, before, now, o, body);
          deepest = std::max(deepest, push->depth);
          ++push;
          continue;
        }
        require(std::memcmp(&now.positions[i], &before.positions[i], sizeof(Vec3)) == 0,
                "a particle that is not pushed stays where it is");
        if (!now.velocities.empty())
          require(std::memcmp(&now.velocities[i], &before.velocities[i], sizeof(Vec3)) == 0,
                  "a particle that is not pushed keeps its velocity");
      }
      require(push == report.pushes.end(), "pushes ascend by particle");
      require(report.deepest == deepest, "the deepest push is reported");
      if (one_box && body.seconds == 0) check_box(at_present, before, report);
      (void)other->push_out(body, twin.positions, twin.velocities);
      require(same_bits(now.positions, twin.positions) && same_bits(now.velocities, twin.velocities),
              "the number of threads does not matter");
    } catch (const Error&) {
      return require(may_throw || !(body.seconds >= 0) || !std::isfinite(body.seconds), "good arguments are accepted");
    }
    if (input.empty()) return;
    last = positions;
    const Vec3 by = places.take(input) - Vec3{places.at(3), places.at(3), places.at(3)};
    if (input.flag())
      for (Vec3& p : positions) p = p + by * 0.25f;
    else if (!positions.empty() && !one_box)
      positions[input.below(positions.size())] = places.take(input);
  }
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lamella::fuzz;
  Input input(data, size);
  if (input.flag())
    rigid_bodies(input);
  else
    particles(input);
  return 0;
}
