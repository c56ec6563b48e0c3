// Any bytes as a mesh file of one format: LAMELLA_FUZZ_FORMAT, a value of MeshFormat.

#include "lamella/mesh_io.hpp"

#include <set>
#include <string>

#include "reading.hpp"

namespace lamella::fuzz {
namespace {

constexpr MeshFormat kFormat = MeshFormat::LAMELLA_FUZZ_FORMAT;
constexpr bool kPointsOnly = kFormat == MeshFormat::xyz;
/// A sparse accessor may replace coordinates that are not finite, which the reader of points refuses all the same.
constexpr bool kReplaces = kFormat == MeshFormat::gltf || kFormat == MeshFormat::glb;
constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;

bool same_mesh(const Mesh& a, const Mesh& b) {
  return same_bits(a.positions, b.positions) && same_bits(a.triangles, b.triangles) && a.origin == b.origin;
}

void check_instances(const Outcome<MeshInstances>& all) {
  if (!all.result) return;
  require(!all.result->instances.empty() && all.result->mesh_names.size() == all.result->meshes.size(),
          "there are instances, and every mesh has an entry for its name");
  for (const Mesh& mesh : all.result->meshes) check_indices(mesh);
  for (const MeshInstance& instance : all.result->instances)
    require(instance.mesh < all.result->meshes.size(), "instances are of meshes");
}

/// The reader of points and that of meshes say the same of one file.
void compare(const Outcome<Mesh>& mesh, const Outcome<std::vector<Vec3>>& points) {
  if (points.result) {
    require(!points.result->empty() && is_finite(*points.result), "points are finite, and there are some");
    if (mesh.result && mesh.result->origin == Vec3d{})
      require(same_bits(mesh.result->positions, *points.result), "points are the mesh's vertices");
    if (!mesh.result && !kPointsOnly) {
      require(mesh.message.find("no faces") != std::string::npos, "a file of points alone is refused for that");
    }
  } else if (mesh.result && !kReplaces) {
    require(!is_finite(mesh.result->positions), "vertices that are finite can be read as points");
  }
}

/// The corners of triangles by value; STL keeps no more, and no sign of zero.
std::vector<Vec3> corners_of(const Mesh& mesh) {
  std::vector<Vec3> corners;
  for (const Triangle& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) corners.push_back(mesh.positions[t[i]] + Vec3{});
  }
  return corners;
}

/// Corners that are the same as far as doubles in the file can tell.
void require_near(const Mesh& a, const Mesh& b) {
  require(a.triangles.size() == b.triangles.size(), "all triangles come back");
  const Aabb box = bounds(a);
  const double size = std::max({extent(box).x, extent(box).y, extent(box).z});
  const double reach = std::max({std::abs(a.origin.x), std::abs(a.origin.y), std::abs(a.origin.z)});
  for (std::size_t i = 0; i < a.triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const Vec3d apart =
          to_double(a.positions[a.triangles[i][k]]) + a.origin - (to_double(b.positions[b.triangles[i][k]]) + b.origin);
      require(length(apart) <= 1e-6 * size + 1e-14 * reach, "vertices far away come back with their digits");
    }
  }
}

/// What was written comes back.
void write_and_read(const Mesh& mesh, std::uint64_t choice) {
  static const Folder folder;
  constexpr std::string_view kNames[] = {"a.ply", "a.obj", "a.stl"};
  const std::filesystem::path path = folder / kNames[choice];
  if (!is_finite(mesh.positions)) {
    const auto refused = outcome_of(path.string(), [&] { return write_mesh(path, mesh), true; });
    require(!refused.result, "vertices that are not finite are not written");
    return;
  }
  write_mesh(path, mesh);
  const Mesh again = read_mesh(path);
  if (!(mesh.origin == Vec3d{})) {
    require_near(mesh, again);
  } else if (choice == 2) {
    require(same_bits(corners_of(mesh), corners_of(again)), "STL gives the same triangles again");
  } else {
    require(same_mesh(mesh, again), "PLY and OBJ give the same mesh again");
  }
}

/// The parts of a file are its triangles, under names of their own.
void check_parts(const Outcome<std::vector<MeshPart>>& parts, const Outcome<Mesh>& mesh) {
  if (!parts.result) {
    require(parts.message == mesh.message || parts.message.find("more memory than the limit") != std::string::npos,
            "parts are refused for the reason that the mesh is");
    return;
  }
  require(!parts.result->empty(), "there is a part");
  std::set<std::string> names;
  std::size_t triangles = 0;
  for (const MeshPart& part : *parts.result) {
    require(!part.mesh.triangles.empty(), "parts have faces");
    require(names.insert(part.name).second, "names differ");
    require(part.name.size() <= 512 && printable(part.name) == part.name, "names are short and printable");
    check_indices(part.mesh);
    triangles += part.mesh.triangles.size();
  }
  if (mesh.result) require(triangles == mesh.result->triangles.size(), "parts are all of the mesh");
}

void run(std::span<const std::byte> bytes) {
  const std::uint64_t hash = hash_of(bytes);
  // Sometimes the name is hostile, too.
  const std::string name(reinterpret_cast<const char*>(bytes.data()),
                         hash % 8 == 0 ? std::min<std::size_t>(bytes.size(), 24) : 0);
  const std::string shown = printable(name);

  const auto read = [&](std::uint64_t limit) {
    return outcome_within(limit, bytes.size(), shown,
                          [&] { return read_mesh(bytes, kFormat, name, {.max_memory = limit}); });
  };
  const Outcome<Mesh> mesh = read(kLimit);
  if (mesh.result) {
    require(!mesh.result->triangles.empty(), "a mesh has faces");
    check_indices(*mesh.result);
  }
  compare(mesh, outcome_within(kLimit, bytes.size(), shown,
                               [&] { return read_points(bytes, kFormat, name, {.max_memory = kLimit}); }));

  constexpr Split kSplits[] = {Split::automatic, Split::groups, Split::nodes, Split::components};
  const Split split = kSplits[(hash >> 44) % 4];
  check_parts(outcome_within(kLimit, bytes.size(), shown,
                             [&] { return read_parts(bytes, kFormat, split, name, {.max_memory = kLimit}); }),
              mesh);
  check_instances(outcome_within(kLimit, bytes.size(), shown,
                                 [&] { return read_instances(bytes, kFormat, split, name, {.max_memory = kLimit}); }));

  // Once more, half of the time with less memory, which gives the same or an Error that says so.
  const std::uint64_t less = (hash >> 8) % 2 == 0 ? (hash >> 16) % (64 << 10) : kLimit;
  const Outcome<Mesh> again = read(less);
  if (again.message.find("more memory than the limit") == std::string::npos) {
    require(again.message == mesh.message && again.result.has_value() == mesh.result.has_value(),
            "reading again gives the same outcome");
    if (mesh.result) require(same_mesh(*mesh.result, *again.result), "reading again gives the same mesh");
  }
  if (mesh.result && (hash >> 40) % 4 < 3) write_and_read(*mesh.result, (hash >> 40) % 4);
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lamella::fuzz::run(lamella::fuzz::bytes_of(data, size));
  return 0;
}
