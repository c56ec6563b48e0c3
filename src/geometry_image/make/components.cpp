#include "geometry_image/make/components.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "geometry_image/make/paths.hpp"
#include "lamella/error.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella::gi {
namespace {

std::string place(Vec3 p) { return fmt::format("({:g}, {:g}, {:g})", p.x, p.y, p.z); }

bool in_range(Vec3 p) {
  return std::abs(p.x) <= kMaxImageCoordinate && std::abs(p.y) <= kMaxImageCoordinate &&
         std::abs(p.z) <= kMaxImageCoordinate;
}

std::string edge_place(MeshView mesh, std::uint64_t ends) {
  const auto a = static_cast<std::uint32_t>(ends >> 32), b = static_cast<std::uint32_t>(ends);
  return fmt::format("between vertices {} at {} and {} at {}", a, place(mesh.positions[a]), b,
                     place(mesh.positions[b]));
}

void check_triangles(MeshView mesh) {
  if (mesh.triangles.empty()) throw Error("the mesh has no triangles: there is nothing to make a geometry image of");
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle t = mesh.triangles[i];
    for (int k = 0; k < 3; ++k) {
      if (t[k] >= mesh.positions.size())
        throw Error(fmt::format("triangle {} names vertex {}, but the mesh has only {} vertices", i, t[k],
                                mesh.positions.size()));
      if (!in_range(mesh.positions[t[k]]))
        throw Error(
            fmt::format("vertex {} of triangle {} is at {}, which is not finite or too far away: repair the mesh "
                        "before making a geometry image",
                        t[k], i, place(mesh.positions[t[k]])));
    }
    if (t.a == t.b || t.b == t.c || t.c == t.a)
      throw Error(
          fmt::format("triangle {} names a vertex twice ({}, {}, {}; near {}): remove such triangles before "
                      "making a geometry image",
                      i, t.a, t.b, t.c, place(mesh.positions[t.a])));
  }
}

struct HalfEdge {
  std::uint64_t ends;    ///< smaller vertex, larger vertex
  std::uint32_t number;  ///< 3 * triangle + corner
  bool forward;          ///< from the smaller to the larger
};

/// Both uses of every edge, one after the other. Throws Error where there are not two in opposite directions.
std::vector<HalfEdge> paired_edges(MeshView mesh) {
  std::vector<HalfEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t a = mesh.triangles[i][k], b = mesh.triangles[i][(k + 1) % 3];
      edges.push_back({std::min(a, b) << 32 | std::max(a, b), static_cast<std::uint32_t>(3 * i) + k, a < b});
    }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& x, const HalfEdge& y) {
    return x.ends != y.ends ? x.ends < y.ends : x.number < y.number;
  });
  for (std::size_t begin = 0, end; begin < edges.size(); begin = end) {
    for (end = begin + 1; end < edges.size() && edges[end].ends == edges[begin].ends;) ++end;
    if (end - begin == 1)
      throw Error(
          fmt::format("the mesh is open: the edge {} has one triangle. A geometry image needs a closed surface; "
                      "fill the holes first, or weld vertices that coincide",
                      edge_place(mesh, edges[begin].ends)));
    if (end - begin > 2)
      throw Error(
          fmt::format("the mesh is not manifold: the edge {} has {} triangles. Separate the sheets that meet "
                      "there, each with vertices of its own",
                      edge_place(mesh, edges[begin].ends), end - begin));
    if (edges[begin].forward == edges[begin + 1].forward)
      throw Error(
          fmt::format("the mesh is wound inconsistently: both triangles at the edge {} run along it in the same "
                      "direction. Turn the triangles so that all face outwards",
                      edge_place(mesh, edges[begin].ends)));
  }
  return edges;
}

/// For each triangle the smallest number of a triangle that it is connected to through edges.
std::vector<std::uint32_t> label_triangles(MeshView mesh, const std::vector<HalfEdge>& edges) {
  std::vector<std::uint32_t> parent(mesh.triangles.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
  };
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    const std::uint32_t a = root(edges[i].number / 3), b = root(edges[i + 1].number / 3);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint32_t t = 0; t < parent.size(); ++t) parent[t] = root(t);
  return parent;
}

/// Throws Error where the triangles around a vertex form more than one fan.
void check_fans(MeshView mesh, const std::vector<HalfEdge>& edges) {
  std::vector<std::uint32_t> twins(edges.size()), uses(mesh.positions.size(), 0), leaving(mesh.positions.size(), kNone);
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    twins[edges[i].number] = edges[i + 1].number;
    twins[edges[i + 1].number] = edges[i].number;
  }
  for (std::uint32_t h = 0; h < twins.size(); ++h) {
    const std::uint32_t v = mesh.triangles[h / 3][static_cast<int>(h % 3)];
    ++uses[v];
    leaving[v] = h;
  }
  for (std::uint32_t v = 0; v < uses.size(); ++v) {
    if (uses[v] == 0) continue;
    std::uint32_t fan = 0, h = leaving[v];
    do {
      ++fan;
      h = twins[Surface::previous(h)];
    } while (h != leaving[v]);
    if (fan != uses[v])
      throw Error(
          fmt::format("the mesh is not manifold: at vertex {} at {} parts meet that share nothing but this point. "
                      "Give each part a vertex of its own there",
                      v, place(mesh.positions[v])));
  }
}

}  // namespace

std::vector<Surface> split_components(MeshView mesh) {
  check_triangles(mesh);
  std::vector<std::uint32_t> labels;
  {
    const std::vector<HalfEdge> edges = paired_edges(mesh);
    check_fans(mesh, edges);
    labels = label_triangles(mesh, edges);
  }
  // A vertex belongs to one component, because its triangles are one fan.
  std::vector<std::uint32_t> number(mesh.positions.size(), kNone), component(labels.size());
  std::vector<std::vector<Triangle>> triangles;
  std::vector<std::vector<Vec3d>> positions;
  for (std::uint32_t t = 0; t < labels.size(); ++t) {
    if (labels[t] == t) {
      component[t] = static_cast<std::uint32_t>(triangles.size());
      triangles.emplace_back();
      positions.emplace_back();
    }
    const std::uint32_t c = component[t] = component[labels[t]];
    const auto local = [&](std::uint32_t v) {
      if (number[v] == kNone) {
        number[v] = static_cast<std::uint32_t>(positions[c].size());
        positions[c].push_back(to_double(mesh.positions[v]));
      }
      return number[v];
    };
    const Triangle& corners = mesh.triangles[t];
    const std::uint32_t a = local(corners.a), b = local(corners.b);
    triangles[c].push_back({a, b, local(corners.c)});
  }
  std::vector<Surface> surfaces;
  for (std::size_t c = 0; c < triangles.size(); ++c)
    surfaces.push_back(make_surface(std::move(positions[c]), triangles[c]));
  std::vector<double> areas;
  for (const Surface& s : surfaces) areas.push_back(area_of(s));
  std::vector<std::size_t> order(surfaces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return areas[x] > areas[y]; });
  std::vector<Surface> sorted;
  for (const std::size_t c : order) sorted.push_back(std::move(surfaces[c]));
  return sorted;
}

}  // namespace lamella::gi
