#include "io/parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/origin.hpp"
#include "core/subsets.hpp"
#include "lamella/file.hpp"

namespace lamella::io {
namespace {

/// Which part each triangle belongs to.
struct Plan {
  std::vector<std::uint32_t> part_of;
  std::vector<std::string> names;
};

/// Of a part beside its arrays: its name, and what the allocator adds to five blocks.
constexpr std::uint64_t kPartBytes = 512;

/// The text as it may be shown, cut so that it stays below 512 bytes with a number behind it.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 80;  // each byte may be spelt with six
  if (text.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
    text = text.substr(0, end);
  }
  return printable(text);
}

std::string name_of(const PartMark& mark, MeshFormat format, bool by_group) {
  const std::string_view group = by_group ? mark.group : std::string_view();
  if (!mark.name.empty() && !group.empty()) return shown(fmt::format("{}/{}", mark.name, group));
  if (!mark.name.empty() || !group.empty()) return shown(mark.name.empty() ? group : mark.name);
  if (format != MeshFormat::obj) return fmt::format("node {}", mark.object - 1);
  return mark.object == 0 ? "default" : fmt::format("object {}", mark.object);
}

/// Parts by objects, or by objects and the groups in them. Parts without triangles get no number.
Plan plan_of_marks(const FileMesh& mesh, MeshFormat format, bool by_group, MemoryLimit& memory) {
  Plan plan;
  memory.reserve(plan.part_of, mesh.triangles.size());
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> numbers;
  const auto add = [&](const PartMark& mark, std::size_t end) {
    if (end <= plan.part_of.size()) return;
    const auto key = std::pair(mark.object, by_group ? mark.group : std::string_view());
    const auto [known, is_new] = numbers.try_emplace(key, static_cast<std::uint32_t>(plan.names.size()));
    if (is_new) {
      memory.take(kPartBytes);
      plan.names.push_back(name_of(mark, format, by_group));
    }
    plan.part_of.resize(end, known->second);
  };
  PartMark current;
  for (const PartMark& mark : mesh.marks) {
    add(current, mark.triangle);
    current = mark;
  }
  add(current, mesh.triangles.size());
  return plan;
}

Plan whole(const FileMesh& mesh, MemoryLimit& memory) {
  Plan plan;
  memory.resize(plan.part_of, mesh.triangles.size());
  plan.names.emplace_back();
  return plan;
}

/// The finaliser of MurmurHash3 (Austin Appleby).
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

/// Equal for equal coordinates: -0 becomes 0.
template <class Point>
std::uint64_t hash_of(const Point& p) {
  std::uint64_t h = 0;
  for (int i = 0; i < 3; ++i) h = mix(h + std::bit_cast<std::uint64_t>(double{p[i]} + 0.0));
  return h;
}

/// By part: 0 if along every edge as many of its triangles run one way as the other. Vertices with equal coordinates
/// count as one. Every directed edge adds a number that the opposite edge subtracts.
template <class Point>
std::vector<std::uint64_t> edge_sums(std::span<const Point> positions, std::span<const Triangle> triangles,
                                     std::span<const std::uint32_t> part_of, std::size_t parts) {
  std::vector<std::uint64_t> sums(parts);
  for (std::size_t n = 0; n < triangles.size(); ++n) {
    const Triangle& t = triangles[n];
    const std::array<std::uint64_t, 3> ends{hash_of(positions[t.a]), hash_of(positions[t.b]), hash_of(positions[t.c])};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t from = ends[i], to = ends[(i + 1) % 3];
      sums[part_of[n]] += mix(from + 3 * to) - mix(to + 3 * from);
    }
  }
  return sums;
}

MeshView view_of(const FileMesh& mesh) {
  return {.positions = mesh.positions, .triangles = mesh.triangles, .origin = {}, .wide = mesh.wide};
}

/// Corners that were meant to be one may differ in the last digits of a file; as floats they are one.
std::vector<Vec3> in_floats(const FileMesh& mesh) {
  const MeshView view = view_of(mesh);
  return placed_positions(view, {}, origin_for(wide_box(view)));
}

/// Whether each part is closed: in the numbers of the file, or as floats.
bool all_closed(const FileMesh& mesh, const Plan& plan, MemoryLimit& memory) {
  const auto closed = [&]<class Point>(const std::vector<Point>& positions) {
    const std::vector<std::uint64_t> sums =
        edge_sums(std::span<const Point>(positions), mesh.triangles, plan.part_of, plan.names.size());
    return std::ranges::all_of(sums, [](std::uint64_t sum) { return sum == 0; });
  };
  if (mesh.wide.empty()) return closed(mesh.positions);
  const MemoryLoan scratch(memory, mesh.vertex_count(), sizeof(Vec3));
  return closed(mesh.wide) || closed(in_floats(mesh));
}

/// By component of the doubles: whether it is a closed surface. Fewer than four triangles are none, even where their
/// edges cancel out, as those of a triangle do that has one corner twice.
std::vector<bool> closed_components(const FileMesh& mesh, const Components& components) {
  const std::vector<std::uint64_t> sums =
      edge_sums(std::span(mesh.wide), mesh.triangles, components.of_triangle, components.count);
  std::vector<std::uint32_t> sizes(components.count);
  for (const std::uint32_t component : components.of_triangle) ++sizes[component];
  std::vector<bool> closed(components.count);
  for (std::size_t i = 0; i < closed.size(); ++i) closed[i] = sums[i] == 0 && sizes[i] >= 4;
  return closed;
}

Components components_of_floats(const FileMesh& mesh, std::span<const Triangle> triangles, MemoryLimit& memory) {
  const MemoryLoan scratch(memory, mesh.vertex_count(), sizeof(Vec3));
  const std::vector<Vec3> positions = in_floats(mesh);
  return components_of({.positions = positions, .triangles = triangles});
}

/// Replaces the components that are not closed by those of their triangles' floats. Numbers are by first triangle
/// again.
void join_open(const FileMesh& mesh, const std::vector<bool>& closed, Components& components, MemoryLimit& memory) {
  const auto is_open = [&](std::uint32_t component) { return !closed[component]; };
  const auto count =
      static_cast<std::size_t>(std::count_if(components.of_triangle.begin(), components.of_triangle.end(), is_open));
  const MemoryLoan scratch(memory, count, sizeof(Triangle) + sizeof(std::uint32_t));
  std::vector<Triangle> open;
  open.reserve(count);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (is_open(components.of_triangle[i])) open.push_back(mesh.triangles[i]);
  const Components joined = components_of_floats(mesh, open, memory);

  constexpr std::uint32_t kNone = 0xffffffffu;
  // New numbers: first of the components of doubles, then of those of floats.
  std::vector<std::uint32_t> numbers(components.count + joined.count, kNone);
  std::size_t next_open = 0;
  std::uint32_t next = 0;
  for (std::uint32_t& of_triangle : components.of_triangle) {
    const std::size_t before =
        is_open(of_triangle) ? components.count + joined.of_triangle[next_open++] : std::size_t{of_triangle};
    if (numbers[before] == kNone) numbers[before] = next++;
    of_triangle = numbers[before];
  }
  components.count = next;
}

/// Of doubles where these close: parts that are close to each other stay apart. Else of floats: corners that were meant
/// to be one may differ in their last digits, so that each face would be a component.
Components file_components(const FileMesh& mesh, MemoryLimit& memory) {
  const MemoryLoan for_vertices(memory, mesh.vertex_count(), 3 * sizeof(std::uint32_t));
  Components components = components_of(view_of(mesh));
  if (mesh.wide.empty() || components.count == 1) return components;
  const MemoryLoan for_components(memory, components.count, sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t));
  const std::vector<bool> closed = closed_components(mesh, components);
  if (std::find(closed.begin(), closed.end(), false) != closed.end()) join_open(mesh, closed, components, memory);
  return components;
}

Plan plan_of_components(const FileMesh& mesh, MemoryLimit& memory) {
  memory.take(mesh.triangles.size(), sizeof(std::uint32_t));
  Components components = file_components(mesh, memory);
  if (components.count == 1) return {std::move(components.of_triangle), {""}};
  memory.take(components.count, kPartBytes);
  Plan plan{std::move(components.of_triangle), {}};
  for (std::size_t i = 1; i <= components.count; ++i) plan.names.push_back(fmt::format("component {}", i));
  return plan;
}

Plan plan_of_obj(const FileMesh& mesh, MemoryLimit& memory) {
  Plan objects = plan_of_marks(mesh, MeshFormat::obj, false, memory);
  if (objects.names.size() > 1) return objects;
  Plan groups = plan_of_marks(mesh, MeshFormat::obj, true, memory);
  if (groups.names.size() > 1 && all_closed(mesh, groups, memory)) return groups;
  if (objects.names.front() == "default") objects.names.front().clear();
  return objects;
}

Plan plan_of(const FileMesh& mesh, MeshFormat format, Split split, MemoryLimit& memory) {
  const bool obj = format == MeshFormat::obj, gltf = format == MeshFormat::gltf || format == MeshFormat::glb;
  if (split == Split::components) return plan_of_components(mesh, memory);
  if (split == Split::automatic && obj) return plan_of_obj(mesh, memory);
  if ((split == Split::automatic || split == Split::nodes) && gltf) return plan_of_marks(mesh, format, false, memory);
  if (split == Split::groups && obj) return plan_of_marks(mesh, format, true, memory);
  return whole(mesh, memory);
}

/// Appends ".2", ".3" … to names that are there already.
void make_unique(std::vector<std::string>& names) {
  std::set<std::string> taken(names.begin(), names.end()), used;
  std::map<std::string, std::size_t> last;
  for (std::string& name : names) {
    if (used.insert(name).second) continue;
    std::size_t& number = last.try_emplace(name, 1).first->second;
    std::string other;
    do {
      other = fmt::format("{}.{}", name, ++number);
    } while (taken.contains(other));
    taken.insert(other);
    used.insert(other);
    name = std::move(other);
  }
}

/// What a vertex of a mesh of doubles takes once it is rounded.
std::size_t rounded_bytes(bool keep_doubles) { return sizeof(Vec3) + (keep_doubles ? sizeof(Vec3d) : 0); }

}  // namespace

MeshInstances to_instances(FileInstances file, MemoryLimit& memory, bool keep_doubles) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  MeshInstances out;
  std::vector<std::uint32_t> numbers(file.meshes.size(), kNone);
  for (std::size_t i = 0; i < file.meshes.size(); ++i) {
    FileMesh& mesh = file.meshes[i];
    if (mesh.triangles.empty()) continue;
    memory.take(kPartBytes);
    memory.take(mesh.wide.size(), rounded_bytes(keep_doubles));
    numbers[i] = static_cast<std::uint32_t>(out.meshes.size());
    out.mesh_names.push_back(shown(file.mesh_names[i]));
    out.meshes.push_back(rounded(mesh.wide, std::move(mesh.triangles), {.keep = keep_doubles, .floats = mesh.floats}));
    mesh = {};
  }
  std::vector<std::string> names;
  for (const FileInstance& instance : file.instances) {
    const std::uint32_t mesh = numbers[instance.mesh];
    if (mesh == kNone) continue;
    memory.take(kPartBytes);
    const std::string_view name = instance.name.empty() ? file.mesh_names[instance.mesh] : instance.name;
    names.push_back(name.empty() ? fmt::format("node {}", instance.node) : shown(name));
    out.instances.push_back({"", mesh, instance.pose});
  }
  make_unique(names);
  for (std::size_t i = 0; i < names.size(); ++i) out.instances[i].name = std::move(names[i]);
  return out;
}

MeshInstances to_instances(std::vector<MeshPart> parts) {
  MeshInstances out;
  for (MeshPart& part : parts) {
    out.instances.push_back({part.name, static_cast<std::uint32_t>(out.meshes.size()), {}});
    out.mesh_names.push_back(std::move(part.name));
    out.meshes.push_back(std::move(part.mesh));
  }
  return out;
}

std::vector<MeshPart> split_parts(FileMesh mesh, MeshFormat format, Split split, MemoryLimit& memory,
                                  bool keep_doubles) {
  Plan plan = plan_of(mesh, format, split, memory);
  make_unique(plan.names);
  const RoundingOptions rounding{.keep = keep_doubles, .floats = mesh.floats};
  std::vector<MeshPart> parts;
  if (plan.names.size() == 1) {  // as it is, with the vertices that no face uses
    memory.take(mesh.wide.size(), rounded_bytes(keep_doubles));
    Mesh all = mesh.wide.empty() ? Mesh{std::move(mesh.positions), std::move(mesh.triangles)}
                                 : rounded(mesh.wide, std::move(mesh.triangles), rounding);
    parts.push_back({std::move(plan.names.front()), std::move(all)});
    return parts;
  }
  // Triangles once more, in the parts; numbers of vertices, which grow by doubling.
  memory.take(mesh.triangles.size(), sizeof(Triangle));
  const MemoryLoan scratch(memory, mesh.vertex_count(), 4 * sizeof(std::uint32_t));
  std::vector<MeshSubset> subsets = subsets_of(mesh.triangles, mesh.vertex_count(), plan.part_of, plan.names.size());
  for (std::size_t i = 0; i < subsets.size(); ++i) {
    MeshSubset& subset = subsets[i];
    memory.take(subset.vertices.size(), rounded_bytes(keep_doubles));
    Mesh part = mesh.wide.empty()
                    ? Mesh{gather(std::span<const Vec3>(mesh.positions), subset.vertices), std::move(subset.triangles)}
                    : rounded(gather(std::span<const Vec3d>(mesh.wide), subset.vertices), std::move(subset.triangles),
                              rounding);
    parts.push_back({std::move(plan.names[i]), std::move(part)});
    subset = {};
  }
  return parts;
}

}  // namespace lamella::io
