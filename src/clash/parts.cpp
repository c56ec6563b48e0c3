#include "clash/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "clash/part_check.hpp"
#include "core/mesh_check.hpp"
#include "core/placement.hpp"
#include "lamella/error.hpp"

namespace lamella::clash {
namespace {

/// Wider by what rounding to floats relative to an origin moves vertices.
WideBox widened(const Aabb& box, Vec3d origin) {
  if (box.empty() || box.min == box.max) return {};
  WideBox wide = wide_box(box, origin);
  for (int i = 0; i < 3; ++i) {
    const double most = std::max(std::abs(double{box.min[i]}), std::abs(double{box.max[i]}));
    const double rounding = most * 0x1p-23 + std::abs(origin[i]) * 0x1p-50 + 0x1p-140;
    wide.min[i] -= rounding;
    wide.max[i] += rounding;
  }
  return wide;
}

bool has_broken(MeshView mesh) {
  if (mesh.wide.empty()) return count_broken(mesh) != 0;
  const auto can_use = [&](std::uint32_t v) { return usable(narrow(mesh.wide[v])); };
  return !std::all_of(mesh.triangles.begin(), mesh.triangles.end(),
                      [&](const Triangle& t) { return can_use(t.a) && can_use(t.b) && can_use(t.c); });
}

}  // namespace

std::vector<MeshView> exact_views(std::span<const Mesh> meshes) {
  std::vector<MeshView> views;
  views.reserve(meshes.size());
  for (const Mesh& mesh : meshes) views.push_back(exact_view(mesh));
  return views;
}

std::vector<MeshFacts> facts_of(std::span<const MeshView> meshes, bool close, Workers& workers) {
  std::vector<MeshFacts> facts(meshes.size());
  LowestFailure failure;
  workers.for_chunks(
      meshes.size(), 1,
      [&](std::size_t i, std::size_t, unsigned) {
        failure.run(i, [&] {
          MeshFacts& f = facts[i];
          f.own = meshes[i];
          f.damaged = has_broken(f.own);
          if (close) f.closed = close_holes(f.own);
          if (!close && !f.own.wide.empty() && !is_closed(f.own)) f.own = f.floats.emplace(rounded(f.own));
          f.whole = close && !f.closed && !f.damaged;
          f.view = f.closed ? f.closed->view() : f.own;
          f.volume = signed_volume(f.view);
          f.box = wide_box(f.view);
        });
      },
      1);
  failure.rethrow();
  return facts;
}

std::vector<WideBox> boxes_of(std::span<const AssemblyPart> parts, std::span<const MeshFacts> meshes,
                              Workers& workers) {
  std::vector<WideBox> boxes(parts.size());
  std::vector<std::vector<Vec3>> rooms(workers.count());
  workers.for_chunks(parts.size(), 16, [&](std::size_t begin, std::size_t end, unsigned worker) {
    std::vector<Vec3>& room = rooms[worker];
    for (std::size_t i = begin; i < end; ++i) {
      const MeshFacts& facts = meshes[parts[i].mesh];
      const MeshView mesh = facts.view;
      const Vec3d origin = origin_for(wide_box(facts.box, parts[i].pose));
      if (room.size() < mesh.vertex_count()) room.resize(mesh.vertex_count());
      boxes[i] = widened(place_mesh(mesh, parts[i].pose, origin, room.data()).box, origin);
    }
  });
  return boxes;
}

void check_assembly(const Assembly& assembly) {
  for (std::size_t i = 0; i < assembly.meshes.size(); ++i) {
    try {
      check_indices(assembly.meshes[i]);
    } catch (const Error& e) {
      const std::string_view name = i < assembly.mesh_names.size() ? assembly.mesh_names[i] : std::string_view();
      throw Error(fmt::format("{}: {}", mesh_label(name, i), e.what()));
    }
  }
}

void check_parts(std::span<const MeshView> meshes, std::span<const AssemblyPart> parts) {
  for (const MeshView& mesh : meshes) check_indices(mesh);
  for (std::size_t i = 0; i < parts.size(); ++i) check_part(parts[i], i, meshes.size());
}

}  // namespace lamella::clash
