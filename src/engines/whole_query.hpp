#pragma once

#include <fmt/format.h>

#include "core/mesh_check.hpp"
#include "core/stopwatch.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"

// What every whole query begins and ends with, whether an engine builds LDIs or answers on its own device.

namespace lamella {

inline void check_options(const Options& options) {
  if (options.resolution < 1 || options.resolution > kMaxResolution)
    throw Error(fmt::format("resolution {} is outside 1 to {}", options.resolution, kMaxResolution));
  if (!(options.min_thickness >= 0))
    throw Error(fmt::format("min_thickness {} is not 0 or more: a part of the box's depth", options.min_thickness));
}

/// Where nothing is sampled: triangles that no box could tell of, since they cannot be placed.
inline std::uint32_t skipped_unsampled(MeshRef mesh) {
  return static_cast<std::uint32_t>(mesh.kept != nullptr ? mesh.kept->broken_triangles() : count_broken(mesh.view));
}

/// What an engine on the CPU samples. A mesh that another engine keeps elsewhere is an Error, not an empty mesh.
inline MeshView view_of(MeshRef mesh) {
  if (mesh.kept != nullptr && mesh.view.triangles.size() != mesh.kept->triangle_count())
    throw Error("a kept mesh is for the engine that made it, and no other");
  return mesh.view;
}

inline void require_health(const Health& health, bool strict) {
  if (!strict || health.ok()) return;
  throw Error(
      fmt::format("strict: {} of {} columns do not close, {} triangles were skipped and {} crossings dropped; `lamella "
                  "info` shows where the mesh is open",
                  health.open_columns, health.occupied_columns, health.skipped_triangles, health.dropped_crossings));
}

inline Grid make_grid(const Aabb& box, Axis axis, std::uint32_t resolution) {
  return {box, axis, resolution, resolution};
}

inline void check_vertex_count(std::size_t before, std::size_t now) {
  if (before == now) return;
  throw Error(fmt::format("{} positions for a mesh of {} vertices: add it anew when its vertices change in number", now,
                          before));
}

inline void clear(Overlap& out) {
  out.grid = {};
  out.spans.clear();
  out.volume = 0;
  out.centroid = {};
  out.bounds = {};
  out.health = {};
  out.ms = {};
  out.read_back_bytes = 0;
}

inline void clear(SelfOverlap& out) {
  clear(static_cast<Overlap&>(out));
  out.inside_out.clear();
  out.inside_out_volume = 0;
}

inline void clear(Containment& out, std::size_t points) {
  out.grid = {};
  out.inside.assign(points, 0);
  out.count = 0;
  out.health = {};
  out.ms = {};
  out.read_back_bytes = 0;
}

}  // namespace lamella
