#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/formats.hpp"
#include "io/gltf_accessor.hpp"
#include "io/gltf_document.hpp"
#include "io/gltf_placement.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

Vec3d column(std::span<const double> numbers) { return {numbers[0], numbers[1], numbers[2]}; }

/// The numbers of `range` when there are N; `otherwise` when there are none; else Error. JSON has finite ones alone.
template <std::size_t N>
std::array<double, N> numbers_or(const GltfContext& context, GltfRange range, const char* what,
                                 std::array<double, N> otherwise) {
  if (range.count == 0) return otherwise;
  if (range.count != N) {
    fail(context.name, fmt::format("expected a node's {} of {} finite numbers, found {}", what, N, range.count));
  }
  std::array<double, N> out;
  std::ranges::copy_n(context.model.numbers.begin() + range.begin, N, out.begin());
  return out;
}

Placement placement_of(const GltfContext& context, const GltfNode& node) {
  if (node.matrix.count != 0) {
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
void for_each_triangle(GltfMode mode, const std::vector<std::uint32_t>& v, Emit emit) {
  if (mode == GltfMode::triangles) {
    for (std::size_t i = 0; i + 2 < v.size(); i += 3) emit(v[i], v[i + 1], v[i + 2]);
  } else if (mode == GltfMode::fan) {
    for (std::size_t i = 1; i + 1 < v.size(); ++i) emit(v[i], v[i + 1], v[0]);
  } else {
    for (std::size_t i = 0; i + 2 < v.size(); ++i) {
      const std::uint32_t a = v[i], b = v[i + 1 + i % 2], c = v[i + 2 - i % 2];
      // A repeated corner only moves the strip elsewhere: it is no face of the mesh.
      if (a != b && b != c && c != a) emit(a, b, c);
    }
  }
}

/// Adds the vertices of an accessor, placed, as doubles.
void append_wide(GltfContext& context, std::int64_t accessor, const Placement& placement, std::vector<Vec3d>& out) {
  std::vector<Vec3> stored;
  append_positions(context, accessor, stored);
  for (const Vec3& p : stored) {
    const Vec3d placed = turn(placement, to_double(p)) + placement.origin;
    if (context.finite && !is_finite({narrow(placed.x), narrow(placed.y), narrow(placed.z)})) {
      fail(context.name, "a node's transform moves vertices beyond the range of a 32-bit float");
    }
    context.memory.append(out, placed);
  }
  context.memory.give_back(stored.capacity() * sizeof(Vec3));
}

/// Adds the vertices of an accessor, placed; returns the index of the first.
std::size_t append_vertices(GltfContext& context, std::int64_t accessor, const Placement& placement, FileMesh& mesh) {
  const std::size_t base = mesh.vertex_count();
  if (context.wide) {
    append_wide(context, accessor, placement, mesh.wide);
  } else {
    append_positions(context, accessor, mesh.positions);
  }
  if (mesh.vertex_count() > kMaxVertices) fail(context.name, "more vertices than 32-bit indices can name; split it");
  if (context.wide) return base;
  for (Vec3& p : std::span(mesh.positions).subspan(base)) {
    const Vec3d placed = turn(placement, to_double(p)) + placement.origin;
    p = {narrow(placed.x), narrow(placed.y), narrow(placed.z)};
    if (context.finite && !is_finite(p)) {
      fail(context.name, "a node's transform moves vertices beyond the range of a 32-bit float");
    }
  }
  return base;
}

std::vector<std::uint32_t> corners_of(const GltfContext& context, const GltfPrimitive& primitive,
                                      std::size_t vertices) {
  if (primitive.indices != kNoIndex) return read_indices(context, primitive.indices, vertices);
  const MemoryLoan room(context.memory, vertices, sizeof(std::uint32_t));  // the file may store none of them
  std::vector<std::uint32_t> corners(vertices);
  std::iota(corners.begin(), corners.end(), 0u);
  return corners;
}

/// Whether there is something to draw.
bool has_triangles(const GltfContext& context, const GltfPrimitive& primitive) {
  if (primitive.compressed) {
    fail(context.name,
         "a primitive is compressed by KHR_draco_mesh_compression, which is not supported; "
         "export without compression");
  }
  if (primitive.mode < 0 || primitive.mode > static_cast<std::int64_t>(GltfMode::fan)) {
    fail(context.name, fmt::format("expected a primitive mode from 0 to 6, found {}", primitive.mode));
  }
  // Points and lines enclose nothing; without positions there is nothing to draw, says the specification.
  return static_cast<GltfMode>(primitive.mode) >= GltfMode::triangles && primitive.position != kNoIndex;
}

void append_primitive(GltfContext& context, const GltfPrimitive& primitive, const Placement& placement,
                      std::map<std::int64_t, std::size_t>& bases, FileMesh& mesh) {
  spend(context, 1);
  if (!has_triangles(context, primitive)) return;

  // Primitives of one mesh may share their vertices, which keeps a body that is split by material in one piece.
  auto [shared, added] = bases.try_emplace(primitive.position, 0);
  if (added) shared->second = append_vertices(context, primitive.position, placement, mesh);
  const auto count =
      static_cast<std::size_t>(context.model.accessors[static_cast<std::size_t>(primitive.position)].count);
  const auto base = static_cast<std::uint32_t>(shared->second);

  const std::vector<std::uint32_t> corners = corners_of(context, primitive, count);
  const MemoryLoan loan(context.memory, corners.size(), sizeof(std::uint32_t));
  spend(context, corners.size());
  const bool flip = mirrors(placement);
  for_each_triangle(static_cast<GltfMode>(primitive.mode), corners,
                    [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                      if (flip) std::swap(b, c);
                      context.memory.append(mesh.triangles, {base + a, base + b, base + c});
                    });
}

void check_node(const GltfContext& context, const GltfNode& node) {
  if (!node.instanced) return;
  fail(context.name, "a node uses EXT_mesh_gpu_instancing, which is not supported; export instances as nodes");
}

void append_node(GltfContext& context, const GltfNode& node, const Placement& placement, FileMesh& mesh) {
  check_node(context, node);
  if (node.mesh == kNoIndex) return;
  const GltfRange primitives = at(context, context.model.meshes, node.mesh, "mesh");
  std::map<std::int64_t, std::size_t> bases;
  for (const GltfPrimitive& primitive :
       std::span(context.model.primitives).subspan(primitives.begin, primitives.count)) {
    append_primitive(context, primitive, placement, bases, mesh);
  }
}

std::string_view text_in(const GltfModel& model, GltfRange range) {
  return {model.texts.data() + range.begin, range.count};
}

/// A part of its own, with the node's name, or its mesh's.
void mark_node(const GltfContext& context, std::int64_t number, FileMesh& mesh) {
  const GltfModel& model = context.model;
  const GltfNode& node = model.nodes[static_cast<std::size_t>(number)];
  const bool named = node.name.count != 0 || static_cast<std::size_t>(node.mesh) >= model.mesh_names.size();
  const GltfRange name = named ? node.name : model.mesh_names[static_cast<std::size_t>(node.mesh)];
  context.memory.append(mesh.marks, {.triangle = mesh.triangles.size(),
                                     .object = static_cast<std::uint32_t>(number + 1),
                                     .name = text_in(model, name),
                                     .group = {}});
}

/// The nodes that a scene or a node names.
std::span<const std::int64_t> links_of(const GltfModel& model, GltfRange range) {
  return std::span(model.links).subspan(range.begin, range.count);
}

/// Roots of the default scene; without one, of all scenes; without scenes, the nodes that are nobody's children.
std::vector<std::int64_t> root_nodes(const GltfContext& context) {
  const GltfModel& model = context.model;
  std::vector<std::int64_t> roots;
  if (model.scene != kNoIndex) {
    const auto links = links_of(model, at(context, model.scenes, model.scene, "scene"));
    return {links.begin(), links.end()};
  }
  for (const GltfRange& scene : model.scenes) {
    const auto links = links_of(model, scene);
    roots.insert(roots.end(), links.begin(), links.end());
  }
  if (!model.scenes.empty()) {
    std::ranges::sort(roots);
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    return roots;
  }
  std::vector<bool> is_child(model.nodes.size());
  for (const GltfNode& node : model.nodes) {
    for (const std::int64_t child : links_of(model, node.children)) {
      (void)at(context, model.nodes, child, "node");
      is_child[static_cast<std::size_t>(child)] = true;
    }
  }
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    if (!is_child[i]) roots.push_back(static_cast<std::int64_t>(i));
  }
  return roots;
}

/// What may be visited: some instancing is honest, so small files may grow; large ones by a bounded factor.
std::uint64_t work_for(const Source& source, const GltfModel& model) {
  constexpr std::uint64_t kFactor = 16, kAllowance = std::uint64_t{16} << 20;
  std::uint64_t bytes = source.bytes.size();
  for (const GltfBuffer& buffer : model.buffers) bytes += buffer.own.bytes().size();
  return kAllowance + kFactor * bytes;
}

/// Calls use(number, node, placement) for every node of the trees, in their order. Walks with a stack of its own: a
/// file cannot exhaust ours, and a cycle shows as a second visit.
template <class Use>
void walk(const Source& source, GltfContext& context, const Use& use) {
  const GltfModel& model = context.model;
  struct Visit {
    std::int64_t node;
    Placement parent;
  };
  std::vector<Visit> pending;
  std::vector<bool> visited(model.nodes.size());
  std::uint64_t done = 0;
  for (const std::int64_t root : root_nodes(context)) source.memory.append(pending, {root, {}});
  std::ranges::reverse(pending);
  while (!pending.empty()) {
    const Visit visit = pending.back();
    pending.pop_back();
    const GltfNode& node = at(context, model.nodes, visit.node, "node");
    if (visited[static_cast<std::size_t>(visit.node)]) {
      fail(source.name, fmt::format("expected every node to have one parent, found node {} twice", visit.node));
    }
    visited[static_cast<std::size_t>(visit.node)] = true;
    const Placement placement = compose(visit.parent, placement_of(context, node));
    use(visit.node, node, placement);
    const auto children = links_of(model, node.children);
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      source.memory.append(pending, {*child, placement});
    }
    source.progress.at(++done * source.bytes.size() / visited.size());
  }
}

FileMesh flatten(const Source& source, GltfModel model) {
  GltfContext context{model, source.name, source.memory, source.finite, source.wide, work_for(source, model)};
  FileMesh mesh;
  mesh.floats = true;
  walk(source, context, [&](std::int64_t number, const GltfNode& node, const Placement& placement) {
    if (source.parts && node.mesh != kNoIndex) mark_node(context, number, mesh);
    append_node(context, node, placement, mesh);
  });
  mesh.texts = std::move(model.texts);  // the marks' names; the characters stay where they are
  return mesh;
}

/// The middle of the finite vertices.
Vec3d middle_of(std::span<const Vec3d> positions) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Vec3d low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
  for (const Vec3d& p : positions) {
    if (!is_finite({narrow(p.x), narrow(p.y), narrow(p.z)})) continue;
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], p[i]);
      high[i] = std::max(high[i], p[i]);
    }
  }
  return low.x <= high.x ? low * 0.5 + high * 0.5 : Vec3d{};
}

/// Each mesh once for each way in which nodes stretch it.
FileInstances keep_instances(const Source& source, GltfModel model) {
  GltfContext context{model, source.name, source.memory, source.finite, source.wide, work_for(source, model)};
  FileInstances out;
  struct Shape {
    std::uint32_t number = 0;
    Vec3d middle;
  };
  constexpr std::uint64_t kShapeBytes = 512;  // an entry of the map, its mesh and its name
  std::map<std::pair<std::int64_t, std::array<std::uint64_t, 9>>, Shape> shapes;
  walk(source, context, [&](std::int64_t number, const GltfNode& node, const Placement& placement) {
    check_node(context, node);
    if (node.mesh == kNoIndex) return;
    const Placed placed = taken_apart(placement);
    const auto [shape, is_new] = shapes.try_emplace({node.mesh, bits_of(placed.shape)});
    if (is_new) {
      source.memory.take(kShapeBytes);
      FileMesh mesh;
      mesh.floats = true;
      append_node(context, node, placed.shape, mesh);
      shape->second = {static_cast<std::uint32_t>(out.meshes.size()), middle_of(mesh.wide)};
      out.meshes.push_back(std::move(mesh));
      const bool has_name = static_cast<std::size_t>(node.mesh) < model.mesh_names.size();
      out.mesh_names.push_back(has_name ? text_in(model, model.mesh_names[static_cast<std::size_t>(node.mesh)])
                                        : std::string_view());
    }
    source.memory.append(out.instances, {.mesh = shape->second.number,
                                         .node = static_cast<std::uint32_t>(number),
                                         .name = text_in(model, node.name),
                                         .pose = pose_at(placement, placed, shape->second.middle)});
  });
  out.texts = std::move(model.texts);
  return out;
}

}  // namespace

FileMesh read_gltf(const Source& source) { return flatten(source, load_gltf(source)); }
FileMesh read_glb(const Source& source) { return flatten(source, load_glb(source)); }
FileInstances read_gltf_instances(const Source& source) { return keep_instances(source, load_gltf(source)); }
FileInstances read_glb_instances(const Source& source) { return keep_instances(source, load_glb(source)); }

}  // namespace lamella::io
