// Points in a mesh that is read in parts. Points come in parts too.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/voi_choice.hpp"
#include "engines/checks.hpp"
#include "engines/query_parts.hpp"
#include "engines/software/tile_points.hpp"
#include "lamella/error.hpp"
#include "stream/checks.hpp"
#include "stream/query.hpp"
#include "stream/session.hpp"

namespace lamella::stream {
namespace {

void check_box(const Aabb& box) {
  const Vec3 e = extent(box);
  if (!std::isfinite(e.x + e.y + e.z) || box.empty() || !encloses_volume(box))
    throw Error("the box of a query encloses no volume: give finite corners, the first below the second");
}

/// Points of one part, and what is found about them. A part that was full makes the next one twice as large: few
/// points take little of a large budget.
struct PointPart {
  std::vector<Vec3d> world;
  std::vector<Vec3> placed;  ///< relative to the mesh's origin
  Containment found;

  explicit PointPart(const Limits& limits)
      : most_(std::clamp<std::uint64_t>(limits.point_bytes / kPerPoint, 1, kMost)),
        world_size_(std::min(most_, kFirst)) {}

  /// False: there are no more.
  bool read(const StreamedPoints& points, Vec3d origin) {
    if (world.size() != world_size_) {
      world = {};  // so that the two are not there at a time
      world.resize(world_size_);
    }
    const std::size_t count = points.read(world);
    placed.resize(std::min(count, world.size()));
    for (std::size_t i = 0; i < placed.size(); ++i) placed[i] = to_float(world[i] - origin);
    restart(found, "software", placed.size());
    largest_ = std::max(largest_, placed.size());
    if (count >= world.size()) world_size_ = std::min(most_, 2 * world_size_);
    return !placed.empty();
  }

  /// Bytes, for the largest part so far.
  [[nodiscard]] std::uint64_t most_bytes() const {
    return world.size() * sizeof(Vec3d) + largest_ * (kPerPoint - sizeof(Vec3d));
  }

 private:
  static constexpr std::uint64_t kMost = 0xffffffffu;  ///< that tiles can number
  static constexpr std::uint64_t kFirst = 1 << 18;

  std::uint64_t most_, world_size_;
  std::size_t largest_ = 0;
};

/// Adds a part to the whole.
void add(PointPart& part, const StreamedPoints& points, Containment& out) {
  out.inside_count += part.found.inside_count;
  out.not_looked_at += part.found.not_looked_at;
  const std::uint64_t unknown = out.health.untrusted_points + part.found.health.untrusted_points;
  out.grid = part.found.grid;
  out.health = part.found.health;
  out.health.untrusted_points = unknown;
  if (points.write)
    points.write(part.found.inside);
  else
    out.inside.insert(out.inside.end(), part.found.inside.begin(), part.found.inside.end());
}

}  // namespace

void contains(const StreamedMesh& mesh, const StreamedPoints& points, const std::optional<Aabb>& box,
              const Options& options, const StreamOptions& stream, const Limits& limits, Containment& out,
              StreamReport& report) {
  check_stream_options(options);
  check_placement(mesh);
  if (box) check_box(*box);
  restart(out, "software", 0);
  Stopwatch watch;
  Session session({&mesh, 1}, options, stream, limits);
  const Vec3d origin = session.origin();
  const Aabb mesh_box = session.mesh(0).box();
  std::optional<Aabb> local;
  if (box) local = Aabb{to_float(to_double(box->min) - origin), to_float(to_double(box->max) - origin)};
  const Aabb sampled = local ? shared_box(mesh_box, *local) : mesh_box;
  const auto axis = choose_axis(sampled);
  watch.lap(out.ms.voi);
  StreamSampler& sampler = session.sampler();
  software::PointTiles tiles(sampler.workers());
  const std::uint32_t broken = axis ? 0 : session.broken();
  const Grid grid = axis ? square_grid(sampled, options.axis.value_or(*axis), options.resolution) : Grid{};
  if (axis) sampler.start(session.meshes(), grid, session.room(limits.point_bytes));

  PointPart part(limits);
  for (bool first = true; part.read(points, origin) || first; first = false) {
    if (axis) {
      constexpr unsigned kSide = 0;
      tiles.ask(grid, part.placed, local ? &mesh_box : nullptr, part.found);
      sampler.run({&kSide, 1}, tiles);
      tiles.finish();
      part.found.health.skipped_triangles = sampler.skipped(0);
      out.ms.query += sampler.consumer_ms();
    } else {
      part.found.health.skipped_triangles = broken;
    }
    if (local) note_box(part.placed, *local, part.found);
    add(part, points, out);
    if (part.placed.empty()) break;
  }
  out.origin = origin;
  out.box = box;
  watch.lap(out.ms.ldi);
  out.ms.query = std::min(out.ms.ldi, out.ms.query);
  out.ms.ldi -= out.ms.query;
  session.finish(stream, axis.has_value(), report);
  report.used += part.most_bytes();
  require_health(out.health, options.strict);
  if (options.strict && !report.closed[0])
    throw Error("strict: edges of the mesh do not match, so that it is not closed: close it (lamella repair)");
}

}  // namespace lamella::stream

namespace lamella {

Containment contains(const StreamedMesh& mesh, const StreamedPoints& points, const std::optional<Aabb>& box,
                     const Options& options, const StreamOptions& stream, StreamReport* report) {
  Containment out;
  StreamReport unused;
  const StreamedMesh* const meshes[] = {&mesh};
  Options fitted = options;
  const stream::Limits limits = stream::limits_of(meshes, stream, fitted);
  stream::contains(mesh, points, box, fitted, stream, limits, out, report != nullptr ? *report : unused);
  return out;
}

}  // namespace lamella
