#include "bench/peers/deep_pairs.hpp"

#include <algorithm>
#include <numbers>

#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/query.hpp"
#include "lamella/repair.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"

namespace lamella::bench::peers {
namespace {

constexpr std::size_t kMostFaces = 120'000;
constexpr std::size_t kModelFaces = 20'000;
constexpr double kDeep = 0.05;  ///< of the smaller mesh's volume that a deep pair shares

}  // namespace

void scale_to_one(Mesh& mesh) {
  const Aabb box = bounds(mesh);
  const float scale = 1 / length(extent(box));
  for (Vec3& p : mesh.positions) p = (p - center(box)) * scale;
}

std::vector<Mesh> load_closed(const std::filesystem::path& folder) {
  std::vector<Mesh> meshes;
  if (folder.empty()) {
    for (const char* name : {"torus_knot", "serpent", "hand", "phone", "blob", "torus", "hat", "rabbit"})
      meshes.push_back(scenes::make_model(name, kModelFaces));
  } else {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".ply") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files)
      if (Mesh mesh = in_world(read_mesh(file)); mesh.triangles.size() <= kMostFaces && inspect(mesh).closed)
        meshes.push_back(std::move(mesh));
  }
  if (meshes.empty()) throw Error("--meshes: no mesh there is closed and has at most 120,000 faces");
  for (Mesh& mesh : meshes) scale_to_one(mesh);
  return meshes;
}

DeepPair make_deep_pair(const std::vector<Mesh>& meshes, std::uint32_t seed) {
  scenes::Random random(seed + 1);
  const auto any = [&]() -> const Mesh& { return meshes[random.next() % meshes.size()]; };
  const auto turn = [&] { return rotation_about(random.direction(), random.uniform(0, 2 * std::numbers::pi)); };
  for (;;) {
    Mesh small = any();
    const double size = random.uniform(0.3, 1);
    for (Vec3& p : small.positions) p = to_float(to_double(p) * size);
    DeepPair pair{transformed(any(), {{}, turn()}), {}, 0};
    pair.b = transformed(small, {random.direction() * random.uniform(0, 0.3), turn()});
    pair.shared = intersect(pair.a, pair.b, {.engine = "software", .resolution = 128, .keep_spans = false}).volume;
    if (pair.shared > kDeep * std::min(signed_volume(pair.a), signed_volume(pair.b))) return pair;
  }
}

}  // namespace lamella::bench::peers
