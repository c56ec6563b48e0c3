#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/formats.hpp"
#include "io/gltf_accessor.hpp"
#include "io/gltf_document.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

/// The three columns of a linear map and a translation: the part of a glTF matrix that places points.
struct Placement {
  Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin;
};

Vec3d turn(const Placement& m, Vec3d v) { return m.x * v.x + m.y * v.y + m.z * v.z; }

Placement compose(const Placement& outer, const Placement& inner) {
  return {turn(outer, inner.x), turn(outer, inner.y), turn(outer, inner.z), turn(outer, inner.origin) + outer.origin};
}

bool mirrors(const Placement& m) { return dot(m.x, cross(m.y, m.z)) < 0; }

Vec3d column(std::span<const double> numbers) { return {numbers[0], numbers[1], numbers[2]}; }

/// `numbers` when it has `size` finite elements; `otherwise` when it is empty; else Error.
template <std::size_t N>
std::array<double, N> numbers_or(const GltfContext& context, const std::vector<double>& numbers, const char* what,
                                 std::array<double, N> otherwise) {
  if (numbers.empty()) return otherwise;
  const bool finite = std::ranges::all_of(numbers, [](double v) { return std::isfinite(v); });
  if (numbers.size() != N || !finite) {
    fail(context.name, fmt::format("expected a node's {} of {} finite numbers, found {}", what, N, numbers.size()));
  }
  std::array<double, N> out;
  std::ranges::copy(numbers, out.begin());
  return out;
}

Placement placement_of(const GltfContext& context, const tinygltf::Node& node) {
  if (!node.matrix.empty()) {
    const auto m = numbers_or<16>(context, node.matrix, "matrix", {});
    const std::span<const double> all(m);
    return {column(all.subspan(0)), column(all.subspan(4)), column(all.subspan(8)), column(all.subspan(12))};
  }
  const auto t = numbers_or<3>(context, node.translation, "translation", {0, 0, 0});
  const auto r = numbers_or<4>(context, node.rotation, "rotation", {0, 0, 0, 1});
  const auto s = numbers_or<3>(context, node.scale, "scale", {1, 1, 1});
  const Transform rotation{{}, {r[0], r[1], r[2], r[3]}};
  return {apply(rotation, {1, 0, 0}) * s[0],
          apply(rotation, {0, 1, 0}) * s[1],
          apply(rotation, {0, 0, 1}) * s[2],
          {t[0], t[1], t[2]}};
}

/// Calls `emit(a, b, c)` for every triangle of a primitive; strips and fans in the order the specification gives.
template <class Emit>
void for_each_triangle(int mode, const std::vector<std::uint32_t>& v, Emit emit) {
  if (mode == TINYGLTF_MODE_TRIANGLES) {
    for (std::size_t i = 0; i + 2 < v.size(); i += 3) emit(v[i], v[i + 1], v[i + 2]);
  } else if (mode == TINYGLTF_MODE_TRIANGLE_FAN) {
    for (std::size_t i = 1; i + 1 < v.size(); ++i) emit(v[i], v[i + 1], v[0]);
  } else {
    for (std::size_t i = 0; i + 2 < v.size(); ++i) {
      const std::uint32_t a = v[i], b = v[i + 1 + i % 2], c = v[i + 2 - i % 2];
      // A repeated corner only moves the strip elsewhere: it is no face of the mesh.
      if (a != b && b != c && c != a) emit(a, b, c);
    }
  }
}

/// Adds the vertices of an accessor, placed; returns the index of the first.
std::size_t append_positions(GltfContext& context, int accessor, const Placement& placement, Mesh& mesh) {
  const std::size_t base = mesh.positions.size();
  for (const Vec3 p : read_positions(context, accessor)) {
    const Vec3d placed = turn(placement, to_double(p)) + placement.origin;
    const auto x = finite_float(placed.x), y = finite_float(placed.y), z = finite_float(placed.z);
    if (!x || !y || !z) fail(context.name, "a node's transform moves vertices beyond the range of a 32-bit float");
    mesh.positions.push_back({*x, *y, *z});
  }
  if (mesh.positions.size() > kMaxVertices) fail(context.name, "more vertices than 32-bit indices can name; split it");
  return base;
}

std::vector<std::uint32_t> corners_of(GltfContext& context, const tinygltf::Primitive& primitive,
                                      std::size_t vertices) {
  if (primitive.indices >= 0) return read_indices(context, primitive.indices, vertices);
  claim(context, vertices, sizeof(std::uint32_t));
  std::vector<std::uint32_t> corners(vertices);
  std::iota(corners.begin(), corners.end(), 0u);
  return corners;
}

void append_primitive(GltfContext& context, const tinygltf::Primitive& primitive, const Placement& placement,
                      std::map<int, std::size_t>& bases, Mesh& mesh) {
  if (primitive.extensions.contains("KHR_draco_mesh_compression")) {
    fail(context.name,
         "a primitive is compressed by KHR_draco_mesh_compression, which is not supported; "
         "export without compression");
  }
  if (primitive.mode < TINYGLTF_MODE_TRIANGLES) return;  // points and lines enclose nothing
  if (primitive.mode > TINYGLTF_MODE_TRIANGLE_FAN) {
    fail(context.name, fmt::format("expected a primitive mode from 0 to 6, found {}", primitive.mode));
  }
  const auto attribute = primitive.attributes.find("POSITION");
  if (attribute == primitive.attributes.end()) return;  // nothing to draw, says the specification

  // Primitives of one mesh may share their vertices, which keeps a body that is split by material in one piece.
  auto [shared, added] = bases.try_emplace(attribute->second, 0);
  if (added) shared->second = append_positions(context, attribute->second, placement, mesh);
  const std::size_t count = context.model.accessors[static_cast<std::size_t>(attribute->second)].count;
  const auto base = static_cast<std::uint32_t>(shared->second);

  const std::vector<std::uint32_t> corners = corners_of(context, primitive, count);
  claim(context, corners.size(), sizeof(Triangle));
  const bool flip = mirrors(placement);
  for_each_triangle(primitive.mode, corners, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (flip) std::swap(b, c);
    mesh.triangles.push_back({base + a, base + b, base + c});
  });
}

void append_node(GltfContext& context, const tinygltf::Node& node, const Placement& placement, Mesh& mesh) {
  if (node.extensions.contains("EXT_mesh_gpu_instancing")) {
    fail(context.name, "a node uses EXT_mesh_gpu_instancing, which is not supported; export instances as nodes");
  }
  if (node.mesh < 0) return;
  std::map<int, std::size_t> bases;
  for (const auto& primitive : at(context, context.model.meshes, node.mesh, "mesh").primitives) {
    append_primitive(context, primitive, placement, bases, mesh);
  }
}

/// Roots of the default scene; without one, of all scenes; without scenes, the nodes that are nobody's children.
std::vector<int> root_nodes(const GltfContext& context) {
  const tinygltf::Model& model = context.model;
  if (model.defaultScene >= 0) return at(context, model.scenes, model.defaultScene, "scene").nodes;
  std::vector<int> roots;
  for (const tinygltf::Scene& scene : model.scenes) roots.insert(roots.end(), scene.nodes.begin(), scene.nodes.end());
  if (!model.scenes.empty()) {
    std::ranges::sort(roots);
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    return roots;
  }
  std::vector<bool> is_child(model.nodes.size());
  for (const tinygltf::Node& node : model.nodes) {
    for (const int child : node.children) {
      (void)at(context, model.nodes, child, "node");
      is_child[static_cast<std::size_t>(child)] = true;
    }
  }
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    if (!is_child[i]) roots.push_back(static_cast<int>(i));
  }
  return roots;
}

/// Walks the node trees with a stack of its own: a file cannot exhaust ours, and a cycle shows as a second visit.
Mesh flatten(const Source& source, const GltfDocument& document) {
  // Some instancing is honest, so small files may grow; large ones by a bounded factor.
  constexpr std::uint64_t kGrowth = 64;
  constexpr std::uint64_t kAllowance = std::uint64_t{64} << 20;
  GltfContext context{document.model, source.name, kAllowance + kGrowth * document.bytes};

  struct Visit {
    int node;
    Placement parent;
  };
  Mesh mesh;
  std::vector<Visit> pending;
  std::vector<bool> visited(document.model.nodes.size());
  std::uint64_t done = 0;
  for (const int root : root_nodes(context)) pending.push_back({root, {}});
  std::ranges::reverse(pending);
  while (!pending.empty()) {
    const Visit visit = pending.back();
    pending.pop_back();
    const tinygltf::Node& node = at(context, document.model.nodes, visit.node, "node");
    if (visited[static_cast<std::size_t>(visit.node)]) {
      fail(source.name, fmt::format("expected every node to have one parent, found node {} twice", visit.node));
    }
    visited[static_cast<std::size_t>(visit.node)] = true;
    const Placement placement = compose(visit.parent, placement_of(context, node));
    append_node(context, node, placement, mesh);
    for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
      pending.push_back({*child, placement});
    }
    source.progress.at(++done * source.bytes.size() / visited.size());
  }
  return mesh;
}

}  // namespace

Mesh read_gltf(const Source& source) { return flatten(source, load_gltf(source)); }
Mesh read_glb(const Source& source) { return flatten(source, load_glb(source)); }

}  // namespace lamella::io
