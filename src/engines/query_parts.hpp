#pragma once

// What the default queries of Engine share.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mesh_check.hpp"
#include "core/stopwatch.hpp"
#include "core/voi_choice.hpp"
#include "lamella/engine.hpp"
#include "proof/points.hpp"
#include "proof/prove.hpp"
#include "query/ldi_queries.hpp"
#include "query/point_lookup.hpp"

namespace lamella {

struct Engine::Scratch {
  explicit Scratch(unsigned threads) : workers(threads) {}
  Workers workers;
  QueryScratch query;
  LookupScratch lookup;
  proof::ProofScratch proving;
  Ldi a, b;
  std::vector<Vec3> positions_a, positions_b;  ///< of meshes that an engine keeps only on its device; placed ones
  std::vector<Vec3> points;                    ///< relative to a mesh's origin
  std::optional<proof::ExactPoints> exact;     ///< made when it is first asked for
  std::vector<Vec3> settled_a, settled_b;      ///< relative to the origin that two meshes share
};

/// Makes an empty result of the named engine, in the memory of an earlier result.
inline void restart(Containment& out, std::string_view engine, std::size_t points) {
  Containment fresh;
  fresh.inside = std::move(out.inside);
  fresh.inside.assign(points, 0);
  fresh.engine = engine;
  out = std::move(fresh);
}

/// For meshes that are not sampled: the triangles that sampling would have skipped because they cannot be placed.
inline std::uint32_t skipped_unsampled(MeshRef mesh) {
  return static_cast<std::uint32_t>(mesh.kept != nullptr ? mesh.kept->broken_triangles() : count_broken(mesh.view));
}

/// The longest span of each chunk of rows.
void longest_of_chunks(const Grid& grid, std::span<const Span> spans, std::vector<Span>& out);

/// Leaves out all spans. None of them is an overlap: for certain, or as far as can be told (`uncertain`).
void drop_spans(Overlap& out, bool uncertain);

/// Notes the box that a query was limited to, and how many points are outside it.
void note_box(std::span<const Vec3> points, const Aabb& box, Containment& out);

/// Samples one mesh in its own box. False when the box encloses no volume: there is nothing to query.
template <class Result>
bool build_in_own_box(Engine& engine, MeshRef mesh, const QueryOptions& options, Stopwatch& watch, Ldi& ldi,
                      Result& out) {
  const Aabb box = engine.bounds(mesh);
  const auto axis = choose_axis(box);
  watch.lap(out.ms.voi);
  if (!axis) {
    out.health.skipped_triangles = skipped_unsampled(mesh);
    return false;
  }
  engine.build(mesh, square_grid(box, options.axis.value_or(*axis), options.resolution), ldi);
  watch.lap(out.ms.ldi);
  return true;
}

}  // namespace lamella
