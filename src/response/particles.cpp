// Particles against a deforming body: points in a volume (Heidelberger, Teschner, Gross, TR 395, section 2.3) and the
// way out of it. The report leaves the response open. Here a particle is set onto the nearest point of the surface, or
// onto the nearest of those it can have come through, and its velocity relative to the surface is changed by the
// impulse of a collision with Coulomb friction, as Guendelman, Bridson and Fedkiw (2003) do for bodies.

#include "lamella/particles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/mesh_check.hpp"
#include "core/parallel.hpp"
#include "core/positions.hpp"
#include "core/stopwatch.hpp"
#include "engines/checks.hpp"
#include "lamella/error.hpp"
#include "lamella/voi.hpp"
#include "response/algebra.hpp"
#include "response/particles_surface.hpp"

namespace lamella {
namespace {

using response::ParticleSurface;
using response::PointPlace;
using response::SurfaceHit;

constexpr std::size_t kParticleChunk = 1024;

/// Sums over one chunk of particles.
struct ChunkSums {
  std::uint32_t push_count = 0, turned_back_count = 0, untrusted_count = 0;
  float deepest = 0;
};

void check(const PushOutOptions& options) {
  check_resolution(options.resolution);
  if (!(options.restitution >= 0 && options.restitution <= 1))
    throw Error(fmt::format("restitution {} is outside 0 to 1", options.restitution));
  if (!(options.friction >= 0) || !std::isfinite(options.friction))
    throw Error(fmt::format("friction is {}: it must be finite and 0 or more", options.friction));
  if (!(options.clearance >= 0 && options.clearance <= kMaxCoordinate))
    throw Error(fmt::format("clearance is {}: it must be a length, finite and 0 or more", options.clearance));
}

std::span<const Triangle> checked(std::span<const Triangle> triangles, std::size_t vertices) {
  check_triangle_count({{}, triangles});
  if (!triangles.empty() && max_index(triangles) >= vertices)
    throw Error(
        fmt::format("a triangle names vertex {}, but the body has only {} vertices", max_index(triangles), vertices));
  return triangles;
}

constexpr auto kAny = [](const SurfaceHit&) { return true; };

/// One particle, in double.
struct Particle {
  Vec3d position, before, velocity;
};

/// Result of a collision with the surface.
struct Impact {
  Vec3d velocity;  ///< of the particle, after it
  Vec3d held;      ///< change of its tangential part by friction
};

Impact collide(Vec3d velocity, Vec3d surface_velocity, Vec3d normal, const PushOutOptions& options) {
  const Vec3d relative = velocity - surface_velocity;
  const double approach = -dot(relative, normal);
  if (!(approach > 0)) return {velocity, {}};
  const double pressed = (1 + static_cast<double>(options.restitution)) * approach;
  const Vec3d tangential = relative + normal * approach;
  const double speed = length(tangential), most = static_cast<double>(options.friction) * pressed;
  const Vec3d held = tangential * (speed > most ? -most / speed : -1.0);
  return {velocity + normal * pressed + held, held};
}

}  // namespace

struct ParticlePushOut::State {
  PushOutOptions options;
  software::Sampler<FaceCrossing> sampler;
  ParticleSurface surface;
  std::vector<ParticlePush> found;  ///< of chunk i from particle i * kParticleChunk on
  std::vector<ChunkSums> sums;
  PushOutReport report;

  State(std::span<const Triangle> triangles, std::size_t vertices, const PushOutOptions& o)
      : options(o), sampler(o.threads, o.max_crossings), surface(checked(triangles, vertices), vertices) {}

  bool sample(const BodyMotion& body);
  void push_all(const BodyMotion& body, std::span<Vec3> positions, std::span<Vec3> velocities);
  void gather(std::size_t particles);
  bool find_exit(const BodyMotion& body, const Particle& particle, const PointPlace& place, SurfaceHit& hit,
                 ChunkSums& sum) const;
  bool came_through(const BodyMotion& body, const Particle& particle, const SurfaceHit& hit) const;
  Vec3d way_of(const BodyMotion& body, const SurfaceHit& hit) const;
  void leave(const BodyMotion& body, Particle& particle, const SurfaceHit& hit) const;
};

/// False when the body encloses no volume.
bool ParticlePushOut::State::sample(const BodyMotion& body) {
  Stopwatch watch;
  report.motion = 0;
  for (std::size_t i = 0; i < body.before.size(); ++i) {
    const Vec3 way = body.positions[i] - body.before[i];
    report.motion = std::max(report.motion, dot(way, way));
  }
  report.motion = std::sqrt(report.motion);
  const Aabb box = inspect_positions(body.positions).box;
  watch.lap(report.ms.voi);
  if (!choose_axis(box)) {
    report.health.skipped_triangles = static_cast<std::uint32_t>(count_broken({body.positions, surface.triangles()}));
    return false;
  }
  surface.sample(body.positions, box, options.resolution, sampler);
  report.health = surface.health();
  report.cell = static_cast<float>(surface.cell());
  watch.lap(report.ms.ldi);
  return true;
}

/// Whether the particle was outside the triangle when the step began, within half a cell.
bool ParticlePushOut::State::came_through(const BodyMotion& body, const Particle& particle,
                                          const SurfaceHit& hit) const {
  const std::span<const Vec3> before = body.before.empty() ? body.positions : body.before;
  const Vec3d place = surface.at(hit, before), normal = surface.normal(hit.face, before);
  return dot(particle.before - place, normal) >= -0.5 * surface.cell();
}

/// How far the surface moved there; 0 where that is unknown.
Vec3d ParticlePushOut::State::way_of(const BodyMotion& body, const SurfaceHit& hit) const {
  if (body.before.empty()) return {};
  const Vec3d way = hit.position - surface.at(hit, body.before);
  return std::isfinite(dot(way, way)) ? way : Vec3d{};
}

bool ParticlePushOut::State::find_exit(const BodyMotion& body, const Particle& particle, const PointPlace& place,
                                       SurfaceHit& hit, ChunkSums& sum) const {
  hit = surface.nearest_from(particle.position, place.face);
  if (place.inside) {
    const std::uint32_t first = hit.face;
    surface.find_nearest(particle.position, kAny, hit);
    if (hit.face != first) surface.settle(particle.position, hit);
  }
  if (dot(hit.position - particle.position, hit.normal) <= 0) return false;
  if (!(body.seconds > 0) || came_through(body, particle, hit)) return true;

  // What it came through is no further away than particle and surface moved.
  const double way = length(particle.position - particle.before - way_of(body, hit)) + 2 * surface.cell();
  SurfaceHit other;
  other.distance2 = way * way;
  const auto allowed = [&](const SurfaceHit& h) { return came_through(body, particle, h); };
  surface.find_nearest(particle.position, allowed, other);
  if (!other.found()) return true;
  hit = other;
  hit.normal = surface.normal(hit.face, body.positions);
  ++sum.turned_back_count;
  return true;
}

/// Sets the particle onto the surface. Undoes the motion of this step that friction would have prevented: otherwise
/// particles at rest would creep downhill, by the distance they fall in each step.
void ParticlePushOut::State::leave(const BodyMotion& body, Particle& particle, const SurfaceHit& hit) const {
  particle.position = hit.position + hit.normal * static_cast<double>(options.clearance);
  if (!(body.seconds > 0)) {
    particle.velocity = collide(particle.velocity, {}, hit.normal, options).velocity;
    return;
  }
  const double seconds = body.seconds;
  const Impact impact = collide(particle.velocity, way_of(body, hit) * (1 / seconds), hit.normal, options);
  particle.velocity = impact.velocity;
  if (dot(impact.held, impact.held) == 0) return;
  const Vec3d held = hit.position + impact.held * seconds;
  const SurfaceHit place = surface.nearest_from(held, hit.face);
  particle.position = place.position + place.normal * static_cast<double>(options.clearance);
}

void ParticlePushOut::State::push_all(const BodyMotion& body, std::span<Vec3> positions, std::span<Vec3> velocities) {
  found.resize(positions.size());
  sums.assign((positions.size() + kParticleChunk - 1) / kParticleChunk, {});
  sampler.workers().for_chunks(positions.size(), kParticleChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    ChunkSums& sum = sums[begin / kParticleChunk];
    for (std::size_t i = begin; i < end; ++i) {
      const PointPlace place = surface.locate(positions[i]);
      if (place.open) ++sum.untrusted_count;
      if (place.open || !(place.inside || place.near) || place.face == SurfaceHit::kNone) continue;
      Particle particle{to_double(positions[i]), to_double(positions[i]), {}};
      if (!velocities.empty() && !usable(velocities[i])) continue;
      if (!velocities.empty()) particle.velocity = to_double(velocities[i]);
      particle.before = particle.position - particle.velocity * static_cast<double>(body.seconds);
      SurfaceHit hit;
      if (!find_exit(body, particle, place, hit, sum)) continue;
      ParticlePush& push = found[begin + sum.push_count++];
      push = {static_cast<std::uint32_t>(i), hit.face, to_float({hit.weights[0], hit.weights[1], hit.weights[2]}),
              to_float(hit.normal), static_cast<float>(std::sqrt(hit.distance2))};
      sum.deepest = std::max(sum.deepest, push.depth);
      leave(body, particle, hit);
      positions[i] = to_float(particle.position);
      if (!velocities.empty()) velocities[i] = to_float(particle.velocity);
    }
  });
}

void ParticlePushOut::State::gather(std::size_t particles) {
  report.pushes.clear();
  if (report.pushes.capacity() < particles) report.pushes.reserve(particles);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(i * kParticleChunk);
    report.pushes.insert(report.pushes.end(), begin, begin + sums[i].push_count);
    report.turned_back_count += sums[i].turned_back_count;
    report.health.untrusted_points += sums[i].untrusted_count;
    report.deepest = std::max(report.deepest, sums[i].deepest);
  }
}

ParticlePushOut::ParticlePushOut(std::span<const Triangle> triangles, std::size_t vertices, PushOutOptions options) {
  check(options);
  state_ = std::make_unique<State>(triangles, vertices, options);
}
ParticlePushOut::~ParticlePushOut() = default;
ParticlePushOut::ParticlePushOut(ParticlePushOut&&) noexcept = default;
ParticlePushOut& ParticlePushOut::operator=(ParticlePushOut&&) noexcept = default;

const PushOutReport& ParticlePushOut::push_out(const BodyMotion& body, std::span<Vec3> positions,
                                               std::span<Vec3> velocities) {
  State& s = *state_;
  check_vertex_count(s.surface.vertex_count(), body.positions.size());
  if (!body.before.empty()) check_vertex_count(s.surface.vertex_count(), body.before.size());
  if (!velocities.empty() && velocities.size() != positions.size())
    throw Error(
        fmt::format("{} velocities for {} particles: give one for each, or none", velocities.size(), positions.size()));
  if (!(body.seconds >= 0) || !std::isfinite(body.seconds))
    throw Error(
        fmt::format("the time since the last step is {} seconds: it must be finite and 0 or more", body.seconds));
  PushOutReport& r = s.report;
  r.pushes.clear();
  r.turned_back_count = 0;
  r.deepest = r.cell = 0;
  r.health = {};
  r.ms = {};
  const bool solid = s.sample(body);
  require_health(r.health, s.options.strict);
  if (solid) {
    Stopwatch watch;
    s.push_all(body, positions, velocities);
    s.gather(positions.size());
    watch.lap(r.ms.query);
  }
  return r;
}

const PushOutReport& ParticlePushOut::report() const { return state_->report; }
const PushOutOptions& ParticlePushOut::options() const { return state_->options; }

}  // namespace lamella
