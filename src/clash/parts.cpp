#include "clash/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check_pose.hpp"
#include "core/mesh_check.hpp"
#include "core/placement.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"

namespace lamella::clash {
namespace {

std::string mesh_name(const Assembly& assembly, std::size_t mesh) {
  return mesh < assembly.mesh_names.size() && !assembly.mesh_names[mesh].empty()
             ? fmt::format("the mesh {}", printable(assembly.mesh_names[mesh]))
             : fmt::format("mesh {}", mesh);
}

std::string part_name(const AssemblyPart& part, std::size_t number) {
  return part.name.empty() ? fmt::format("part {}", number) : fmt::format("the part {}", printable(part.name));
}

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
          if (close) f.closed = close_holes(f.own);
          if (!close && !f.own.wide.empty() && !is_closed(f.own)) f.own = f.floats.emplace(rounded(f.own));
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
      throw Error(fmt::format("{}: {}", mesh_name(assembly, i), e.what()));
    }
  }
}

void check_parts(std::span<const MeshView> meshes, std::span<const AssemblyPart> parts) {
  for (const MeshView& mesh : meshes) check_indices(mesh);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const AssemblyPart& part = parts[i];
    if (part.mesh >= meshes.size())
      throw Error(fmt::format("{}: it has mesh {} of {}; name one that is there", part_name(part, i), part.mesh,
                              meshes.size()));
    try {
      check_pose(part.pose, kPoseTolerance);
    } catch (const Error& e) {
      throw Error(fmt::format("{}: {}", part_name(part, i), e.what()));
    }
  }
}

}  // namespace lamella::clash
