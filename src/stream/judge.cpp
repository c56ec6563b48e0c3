#include "stream/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "core/mesh_check.hpp"
#include "engines/query_parts.hpp"
#include "engines/software/tile_points.hpp"
#include "lamella/error.hpp"
#include "query/verdict.hpp"
#include "query/witness.hpp"

namespace lamella::stream {
namespace {

using Cause = Doubt::Cause;

/// A triangle that a ray may meet.
struct Met {
  std::uint64_t number = 0;  ///< in its mesh
  Vec3 corners[3];
};

/// Whether one of the places, which ascend along u, lies in the triangle's box; as query/witness.cpp looks.
bool has_place(const Vec3 (&p)[3], const Grid& grid, std::span<const RayPlace> places) {
  const auto u = std::minmax({p[0][grid.u()], p[1][grid.u()], p[2][grid.u()]});
  if (u.second < places.front().u || u.first > places.back().u) return false;
  const auto v = std::minmax({p[0][grid.v()], p[1][grid.v()], p[2][grid.v()]});
  auto place = std::lower_bound(places.begin(), places.end(), static_cast<double>(u.first),
                                [](const RayPlace& r, double at) { return r.u < at; });
  for (; place != places.end() && place->u <= u.second; ++place)
    if (v.first <= place->v && place->v <= v.second) return true;
  return false;
}

/// The triangles that the rays of check_spans() may meet, in the mesh's order.
Mesh met_by_rays(StreamSampler& sampler, const PlacedSource& mesh, const Grid& grid, std::span<const RayPlace> places,
                 std::uint64_t room) {
  std::mutex mutex;
  std::vector<Met> met;
  sampler.reader().for_each(mesh, nullptr, [&](const Chunk& chunk, unsigned) {
    for (std::size_t i = 0; i < chunk.mesh.triangles.size(); ++i) {
      const Triangle& t = chunk.mesh.triangles[i];
      const auto& p = chunk.mesh.positions;
      const Met found{chunk.first + i, {p[t.a], p[t.b], p[t.c]}};
      if (!has_place(found.corners, grid, places) || !usable(chunk.mesh, t)) continue;
      const std::scoped_lock lock(mutex);
      // Sorted and copied afterwards.
      if (met.size() * 4 * sizeof(Met) > room)
        throw Error(
            fmt::format("rays that look whether surfaces only touch meet more than {} triangles, for which {} "
                        "bytes are too little: allow more memory",
                        met.size(), room));
      met.push_back(found);
    }
  });
  std::sort(met.begin(), met.end(), [](const Met& x, const Met& y) { return x.number < y.number; });
  Mesh out;
  for (const Met& m : met) {
    const auto first = static_cast<std::uint32_t>(out.positions.size());
    out.positions.insert(out.positions.end(), std::begin(m.corners), std::end(m.corners));
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

/// Of one mesh by itself.
Health health_of(StreamSampler& sampler, unsigned side, const Grid& grid) {
  software::PointTiles columns(sampler.workers());
  Containment found;
  columns.ask(grid, {}, nullptr, found);
  sampler.run({&side, 1}, columns);
  columns.finish();
  return found.health;
}

/// Engine::find_doubts(); what an engine's method loses is not there: nothing is lost.
void find_doubts(StreamSampler& sampler, std::size_t meshes, bool which, Overlap& out) {
  const Health& h = out.health;
  const bool columns = h.open_columns != 0 || h.inside_out_columns != 0;
  if (meshes == 1 || !which) {
    const int mesh = meshes == 1 ? 0 : -1;
    if (h.open_columns != 0) out.doubts.push_back({Cause::open_columns, mesh, h.open_columns});
    if (h.inside_out_columns != 0) out.doubts.push_back({Cause::inside_out, mesh, h.inside_out_columns});
    if (h.skipped_triangles != 0) out.doubts.push_back({Cause::skipped_triangles, mesh, h.skipped_triangles});
  } else {
    for (unsigned side = 0; side < meshes; ++side) {
      const int mesh = static_cast<int>(side);
      if (columns && out.grid.column_count() != 0) {
        const Health own = health_of(sampler, side, out.grid);
        if (own.open_columns != 0) out.doubts.push_back({Cause::open_columns, mesh, own.open_columns});
        if (own.inside_out_columns != 0) out.doubts.push_back({Cause::inside_out, mesh, own.inside_out_columns});
      }
      const std::uint64_t broken = h.skipped_triangles != 0 ? sampler.facts(side).broken : 0;
      if (broken != 0) out.doubts.push_back({Cause::skipped_triangles, mesh, broken});
    }
  }
  if (h.uncertain_spans != 0) out.doubts.push_back({Cause::touching, -1, h.uncertain_spans});
}

}  // namespace

void judge(StreamSampler& sampler, std::span<const PlacedSource* const> meshes, const QueryOptions& options,
           std::uint64_t room, std::span<const Span> longest, Overlap& out) {
  if (out.span_count != 0 && !sums_suffice(out.grid, out.span_count, out.volume, out.bounds)) {
    const std::vector<RayPlace> places = witness_rays(out.grid, longest);
    Mesh met[2];
    for (std::size_t i = 0; i < meshes.size(); ++i)
      met[i] = met_by_rays(sampler, *meshes[i], out.grid, places, room / meshes.size());
    const SpanCheck check =
        meshes.size() == 1 ? check_spans(met[0], out.grid, longest) : check_spans(met[0], met[1], out.grid, longest);
    const bool all_refuted = check.uncertain == 0 && check.refuted == out.span_count;
    if (check.certain == 0) drop_spans(out, !all_refuted);
  }
  out.verdict = verdict_of(out.span_count, out.health);
  if (out.verdict == Verdict::undecided || !out.health.ok())
    find_doubts(sampler, meshes.size(), options.explain || options.strict || out.verdict == Verdict::undecided, out);
}

void judge_closed(const StreamSampler& sampler, std::size_t meshes, Overlap& out) {
  for (unsigned side = 0; side < meshes; ++side) {
    if (sampler.facts(side).closed) continue;
    const bool told = std::any_of(out.doubts.begin(), out.doubts.end(), [&](const Doubt& d) {
      return (d.mesh == static_cast<int>(side) || d.mesh < 0) &&
             (d.cause == Cause::open_columns || d.cause == Cause::skipped_triangles);
    });
    if (!told) out.doubts.push_back({Cause::open_columns, static_cast<int>(side), 0});
    if (meshes == 2 && out.verdict == Verdict::clear) out.verdict = Verdict::undecided;
  }
}

}  // namespace lamella::stream
