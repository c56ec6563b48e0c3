// Contact of deforming bodies from the volume that they share (Faure, Barbier, Allard, Falipou, "Image-based Collision
// Detection and Response between Arbitrary Volumetric Objects", 2008; Allard, Faure, Courtecuisse, Falipou, Duriez,
// Kry, "Volume Contact Constraints at Arbitrary Resolution", 2010).
//
// The volume's gradient along an axis is, at both ends of each span along it, the cell's area, spread over the
// triangle's corners by barycentric weights. In the first paper one pressure for a whole overlap multiplies it; the
// second divides the overlap into boxes, each with a pressure of its own, because one pressure pushes shallow places as
// hard as deep ones, and surfaces crease at the rim of a contact. Here the boxes are single spans: each has the
// pressure of its own depth. That is a layer of springs over the surface, stiffness / 2 * depth^2 per area, and its
// forces fall to 0 at the rim. A span's depth is its length times how much the surfaces face the ray; a face that is
// seen along several axes gets its share of each.
//
// project() finds the way along these forces on which the springs' energy ends: steepest descent with the exact step
// for the linear model, in which only spans that still overlap count, with masses as the metric. So nothing has to be
// tuned, and momentum is kept as by forces.

#include "lamella/soft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/mesh_check.hpp"
#include "core/stopwatch.hpp"
#include "engines/checks.hpp"
#include "lamella/error.hpp"
#include "query/verdict.hpp"
#include "response/contact_spans.hpp"

namespace lamella {
namespace {

using response::ContactSpan;
using response::SurfacePlace;

void check(const VolumeContactOptions& options) {
  check_resolution(options.resolution);
  if (!(options.cell >= 0) || !std::isfinite(options.cell))
    throw Error(fmt::format("cell is {}: it must be finite and 0 or more", options.cell));
  if (!(options.stiffness >= 0) || !std::isfinite(options.stiffness))
    throw Error(fmt::format("stiffness is {}: it must be finite and 0 or more", options.stiffness));
  if (!(options.damping >= 0) || !std::isfinite(options.damping))
    throw Error(fmt::format("damping is {}: it must be finite and 0 or more", options.damping));
  if (!(options.max_way > 0)) throw Error(fmt::format("max_way is {}: it must be above 0", options.max_way));
  if (!(options.friction >= 0) || !std::isfinite(options.friction))
    throw Error(fmt::format("friction is {}: it must be finite and 0 or more", options.friction));
  if (options.iterations == 0) throw Error("iterations is 0: project() needs 1 or more");
  if (options.passes == 0) throw Error("passes is 0: project() needs 1 or more");
  if (!(options.relaxation > 0 && options.relaxation <= 1))
    throw Error(fmt::format("relaxation is {}: it must be above 0 and at most 1", options.relaxation));
}

void check_count(const char* what, std::size_t given, std::size_t vertices, bool optional) {
  if (given == vertices || (optional && given == 0)) return;
  throw Error(
      fmt::format("{} {} for {} vertices: give one for each{}", given, what, vertices, optional ? ", or none" : ""));
}

void check_mesh(const SoftMesh& mesh) {
  check_count("inverse masses", mesh.inverse_masses.size(), mesh.positions.size(), true);
  check_count("positions before", mesh.before.size(), mesh.positions.size(), true);
  for (const double w : mesh.inverse_masses)
    if (!(w >= 0) || !std::isfinite(w))
      throw Error(fmt::format("an inverse mass is {}: it must be finite and 0 or more", w));
}

MeshView view_of(const SoftMesh& mesh) {
  return {.positions = {}, .triangles = mesh.triangles, .wide = mesh.positions};
}

/// A field at a place.
Vec3d value_at(const SurfacePlace& place, std::span<const Vec3d> field) {
  Vec3d sum;
  for (int i = 0; i < 3; ++i) sum += field[place.vertices[i]] * place.weights[i];
  return sum;
}

void spread(const SurfacePlace& place, double amount, std::span<Vec3d> field, int axis) {
  for (int i = 0; i < 3; ++i) field[place.vertices[i]][axis] += amount * place.weights[i];
}

/// Two equal and opposite pushes that make the span shorter.
void push_apart(const ContactSpan& span, double amount, std::span<Vec3d> field) {
  spread(span.begin, amount, field, span.axis);
  spread(span.end, -amount, field, span.axis);
}

/// How far the ends move relative to each other.
Vec3d relative_way(const ContactSpan& span, std::span<const Vec3d> field) {
  return value_at(span.begin, field) - value_at(span.end, field);
}

/// How fast the span gets shorter when points move as `field` says.
double shortening(const ContactSpan& span, std::span<const Vec3d> field) {
  return dot(value_at(span.begin, field), span.begin.slope) - dot(value_at(span.end, field), span.end.slope);
}

}  // namespace

struct VolumeContact::State {
  VolumeContactOptions options;
  response::ContactSampler sampler;
  // Of all vertices, those of the second mesh after those of the first.
  std::vector<Vec3d> pushes, ways, velocities;
  std::vector<double> ease;  ///< inverse masses
  // Of all spans.
  std::vector<double> lengths;  ///< what project() has left of it
  std::vector<double> shorter;  ///< by how much a way shortens it
  std::vector<double> pressed;  ///< how much project() pushed
  std::vector<Vec3d> slips;     ///< how far the surfaces slid over each other
  ContactReport report;

  explicit State(const VolumeContactOptions& o) : options(o), sampler(o.threads, o.max_crossings) {}

  /// How much shorter a pass is to make a span.
  [[nodiscard]] double wanted(const ContactSpan& span) const {
    return std::min(span.excess * options.relaxation, options.max_way / std::max(span.facing, 0x1p-20));
  }
  void sample(MeshView a, const MeshView* b);
  void describe();
  void find_forces(std::size_t vertices);
  void find_ways();
  [[nodiscard]] double best_step() const;
  void press();
  void find_slips();
  void rub();
  void add(MeshView a, const MeshView* b, std::span<Vec3d> forces_a, std::span<Vec3d> forces_b,
           std::span<const Vec3d> velocities_a, std::span<const Vec3d> velocities_b);
  bool pass(const SoftMesh& a, const SoftMesh* b);
  void project(const SoftMesh& a, const SoftMesh* b);
  void start(const SoftMesh& a, const SoftMesh* b);
  void apply(const SoftMesh& a, const SoftMesh* b);
};

void VolumeContact::State::sample(MeshView a, const MeshView* b) {
  report = {};
  Stopwatch watch;
  sampler.sample(a, b, {options.resolution, options.cell});
  watch.lap(report.ms.ldi);
  describe();
  require_health(report.health, options.strict);
}

void VolumeContact::State::describe() {
  report.health = sampler.health();
  report.cell = sampler.cell();
  report.volume = report.left = sampler.volume();
  report.span_count = static_cast<std::uint32_t>(sampler.spans().size());
  report.verdict = verdict_of(report.span_count, report.health);
  double depth2 = 0;
  for (const ContactSpan& s : sampler.spans()) {
    const double depth = s.excess * s.facing;
    report.area += s.weight;  // a view's share of the surface's area
    report.deepest = std::max(report.deepest, depth);
    depth2 += s.weight * depth * depth;
  }
  report.energy = options.stiffness / 2 * depth2;
}

/// Springs and dampers of all spans, into `pushes`.
void VolumeContact::State::find_forces(std::size_t vertices) {
  pushes.assign(vertices, Vec3d{});
  const bool damped = options.damping > 0 && !velocities.empty();
  for (const ContactSpan& s : sampler.spans()) {
    double pressure = options.stiffness * s.excess;
    if (damped) pressure -= options.damping * shortening(s, velocities);
    if (pressure > 0) push_apart(s, pressure * s.weight, pushes);
  }
}

void VolumeContact::State::add(MeshView a, const MeshView* b, std::span<Vec3d> forces_a, std::span<Vec3d> forces_b,
                               std::span<const Vec3d> velocities_a, std::span<const Vec3d> velocities_b) {
  const std::size_t of_a = a.vertex_count(), of_b = b != nullptr ? b->vertex_count() : 0;
  check_count("forces", forces_a.size(), of_a, false);
  check_count("forces", forces_b.size(), of_b, false);
  check_count("velocities", velocities_a.size(), of_a, true);
  check_count("velocities", velocities_b.size(), of_b, true);
  sample(a, b);
  if (sampler.spans().empty()) return;
  Stopwatch watch;
  velocities.clear();
  if (!velocities_a.empty() || !velocities_b.empty()) {
    velocities.resize(of_a + of_b);
    std::copy(velocities_a.begin(), velocities_a.end(), velocities.begin());
    std::copy(velocities_b.begin(), velocities_b.end(), velocities.begin() + static_cast<std::ptrdiff_t>(of_a));
  }
  find_forces(of_a + of_b);
  for (std::size_t i = 0; i < of_a; ++i) {
    forces_a[i] += pushes[i];
    report.push += pushes[i];
  }
  for (std::size_t i = 0; i < of_b; ++i) forces_b[i] += pushes[of_a + i];
  watch.lap(report.ms.solve);
}

/// Along the springs' forces, by inverse masses; and how that shortens each span.
void VolumeContact::State::find_ways() {
  const std::span<const ContactSpan> spans = sampler.spans();
  std::fill(ways.begin(), ways.end(), Vec3d{});
  for (std::size_t i = 0; i < spans.size(); ++i)
    if (lengths[i] > 0) push_apart(spans[i], lengths[i] * spans[i].weight, ways);
  for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = ways[i] * ease[i];
  for (std::size_t i = 0; i < spans.size(); ++i) shorter[i] = shortening(spans[i], ways);
}

/// The step along `ways` that leaves least energy in the spans that overlap.
double VolumeContact::State::best_step() const {
  const std::span<const ContactSpan> spans = sampler.spans();
  double gain = 0, cost = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!(lengths[i] > 0)) continue;
    gain += spans[i].weight * lengths[i] * shorter[i];
    cost += spans[i].weight * shorter[i] * shorter[i];
  }
  const double step = gain / cost;
  return cost > 0 && std::isfinite(step) ? step : 0.0;
}

/// Rounds of steepest descent, into `pushes`.
void VolumeContact::State::press() {
  const std::span<const ContactSpan> spans = sampler.spans();
  for (unsigned round = 0; round < options.iterations; ++round) {
    find_ways();
    const double step = best_step();
    if (step == 0) break;
    for (std::size_t i = 0; i < ways.size(); ++i) pushes[i] += ways[i] * step;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (lengths[i] > 0) pressed[i] += step * spans[i].weight * lengths[i];
      lengths[i] -= step * shorter[i];
    }
  }
}

/// What the surfaces slid in this step, and in press(); `slips` has their way before it.
void VolumeContact::State::find_slips() {
  const std::span<const ContactSpan> spans = sampler.spans();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    slips[i] += relative_way(spans[i], pushes);
    slips[i] -= spans[i].normal * dot(slips[i], spans[i].normal);
  }
}

/// Coulomb's friction: takes the slips back as far as the pressure of each span can hold. One step for all, of the
/// length that leaves least of them.
void VolumeContact::State::rub() {
  const std::span<const ContactSpan> spans = sampler.spans();
  const auto spread_all = [&](const auto& pull) {
    std::fill(ways.begin(), ways.end(), Vec3d{});
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const Vec3d p = pull(i);
      for (int axis = 0; axis < 3; ++axis) {
        spread(spans[i].begin, -p[axis], ways, axis);
        spread(spans[i].end, p[axis], ways, axis);
      }
    }
    for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = ways[i] * ease[i];
  };
  spread_all([&](std::size_t i) { return pressed[i] > 0 ? slips[i] * spans[i].weight : Vec3d{}; });
  double gain = 0, cost = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!(pressed[i] > 0)) continue;
    const Vec3d back = relative_way(spans[i], ways);
    gain -= spans[i].weight * dot(slips[i], back);
    cost += spans[i].weight * dot(back, back);
  }
  const double step = gain / cost;
  if (!(cost > 0) || !std::isfinite(step) || step <= 0) return;
  spread_all([&](std::size_t i) {
    const Vec3d pull = slips[i] * (spans[i].weight * step);
    const double size = length(pull), most = options.friction * pressed[i] * spans[i].facing;
    return size > most ? pull * (most / size) : pull;
  });
  for (std::size_t i = 0; i < ways.size(); ++i) pushes[i] += ways[i];
}

void VolumeContact::State::start(const SoftMesh& a, const SoftMesh* b) {
  const std::size_t of_a = a.positions.size(), of_b = b != nullptr ? b->positions.size() : 0;
  const std::span<const ContactSpan> spans = sampler.spans();
  ease.assign(of_a + of_b, 0.0);
  std::copy(a.inverse_masses.begin(), a.inverse_masses.end(), ease.begin());
  if (b != nullptr)
    std::copy(b->inverse_masses.begin(), b->inverse_masses.end(), ease.begin() + static_cast<std::ptrdiff_t>(of_a));
  pushes.assign(of_a + of_b, Vec3d{});
  ways.resize(of_a + of_b);
  shorter.resize(spans.size());
  lengths.resize(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) lengths[i] = wanted(spans[i]);
  pressed.assign(spans.size(), 0.0);
  const bool rubs = options.friction > 0 && !a.before.empty() && (b == nullptr || !b->before.empty());
  slips.clear();
  if (!rubs) return;
  for (std::size_t i = 0; i < of_a; ++i) ways[i] = a.positions[i] - a.before[i];
  for (std::size_t i = 0; i < of_b; ++i) ways[of_a + i] = b->positions[i] - b->before[i];
  for (const ContactSpan& s : spans) slips.push_back(relative_way(s, ways));
}

void VolumeContact::State::apply(const SoftMesh& a, const SoftMesh* b) {
  const std::size_t of_a = a.positions.size();
  for (std::size_t i = 0; i < of_a; ++i) {
    a.positions[i] += pushes[i];
    if (ease[i] > 0) report.push += pushes[i] * (1 / ease[i]);
  }
  if (b != nullptr)
    for (std::size_t i = 0; i < b->positions.size(); ++i) b->positions[i] += pushes[of_a + i];
}

/// One sampling, and what follows from it. False when nothing overlaps.
bool VolumeContact::State::pass(const SoftMesh& a, const SoftMesh* b) {
  const MeshView view_b = b != nullptr ? view_of(*b) : MeshView{};
  sample(view_of(a), b != nullptr ? &view_b : nullptr);
  const std::span<const ContactSpan> spans = sampler.spans();
  if (spans.empty()) return false;
  Stopwatch watch;
  start(a, b);
  press();
  double overlap = 0, left = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    overlap += spans[i].weight * spans[i].excess;
    left += spans[i].weight * std::max(0.0, lengths[i] + spans[i].excess - wanted(spans[i]));
  }
  report.left = overlap > 0 ? report.volume * left / overlap : report.volume;
  if (!slips.empty()) {
    find_slips();
    rub();
  }
  apply(a, b);
  watch.lap(report.ms.solve);
  return true;
}

/// The report is that of the first pass, with what all passes did.
void VolumeContact::State::project(const SoftMesh& a, const SoftMesh* b) {
  check_mesh(a);
  if (b != nullptr) check_mesh(*b);
  bool more = pass(a, b);
  ContactReport all = report;
  for (unsigned i = 1; i < options.passes && more; ++i) {
    more = pass(a, b);
    all.left = report.left;
    all.push += report.push;
    all.ms += report.ms;
  }
  report = all;
}

VolumeContact::VolumeContact(VolumeContactOptions options) {
  check(options);
  state_ = std::make_unique<State>(options);
}
VolumeContact::~VolumeContact() = default;
VolumeContact::VolumeContact(VolumeContact&&) noexcept = default;
VolumeContact& VolumeContact::operator=(VolumeContact&&) noexcept = default;

const ContactReport& VolumeContact::add_forces(MeshView a, MeshView b, std::span<Vec3d> forces_a,
                                               std::span<Vec3d> forces_b, std::span<const Vec3d> velocities_a,
                                               std::span<const Vec3d> velocities_b) {
  state_->add(a, &b, forces_a, forces_b, velocities_a, velocities_b);
  return state_->report;
}

const ContactReport& VolumeContact::add_self_forces(MeshView mesh, std::span<Vec3d> forces,
                                                    std::span<const Vec3d> velocities) {
  state_->add(mesh, nullptr, forces, {}, velocities, {});
  return state_->report;
}

const ContactReport& VolumeContact::project(const SoftMesh& a, const SoftMesh& b) {
  state_->project(a, &b);
  return state_->report;
}

const ContactReport& VolumeContact::project_self(const SoftMesh& mesh) {
  state_->project(mesh, nullptr);
  return state_->report;
}

const ContactReport& VolumeContact::report() const { return state_->report; }
const VolumeContactOptions& VolumeContact::options() const { return state_->options; }

}  // namespace lamella
