#include "core/subsets.hpp"

#include <algorithm>

#include "core/lattice.hpp"
#include "core/origin.hpp"

namespace lamella {

std::vector<MeshSubset> subsets_of(std::span<const Triangle> triangles, std::size_t vertices,
                                   std::span<const std::uint32_t> part_of, std::size_t count) {
  std::vector<MeshSubset> subsets(count);
  std::vector<std::size_t> starts(count + 1);
  for (const std::uint32_t part : part_of) ++starts[part + std::size_t{1}];
  for (std::size_t part = 0; part < count; ++part) subsets[part].triangles.reserve(starts[part + 1]);
  for (std::size_t i = 0; i < triangles.size(); ++i) subsets[part_of[i]].triangles.push_back(triangles[i]);

  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> number(vertices), user(vertices, kNone);
  for (std::uint32_t part = 0; part < count; ++part) {
    MeshSubset& subset = subsets[part];
    const auto number_of = [&](std::uint32_t v) {
      if (user[v] != part) {
        user[v] = part;
        number[v] = static_cast<std::uint32_t>(subset.vertices.size());
        subset.vertices.push_back(v);
      }
      return number[v];
    };
    for (Triangle& t : subset.triangles) {
      t.a = number_of(t.a);
      t.b = number_of(t.b);
      t.c = number_of(t.c);
    }
  }
  return subsets;
}

namespace {

/// Or it is a position that cannot be used anyway.
bool floats_hold(const Vec3d& p) {
  const Vec3 nearest = narrow(p);
  return to_double(nearest) == p || !usable(nearest);
}

}  // namespace

Mesh rounded(std::span<const Vec3d> positions, std::vector<Triangle> triangles, const RoundingOptions& options) {
  const WideBox box = wide_box(MeshView{.positions = {}, .triangles = {}, .wide = positions});
  const bool exact = std::ranges::all_of(positions, floats_hold);
  Mesh mesh;
  mesh.triangles = std::move(triangles);
  const bool wants_origin = !exact || (options.keep && !options.floats);
  if (wants_origin && !(box.min == box.max)) mesh.origin = origin_for(box, kFarFromOrigin);
  mesh.positions.reserve(positions.size());
  for (const Vec3d& p : positions) mesh.positions.push_back(narrow(p - mesh.origin));
  if (!options.keep || std::ranges::all_of(positions, [&](const Vec3d& p) { return floats_hold(p - mesh.origin); }))
    return mesh;
  mesh.wide.reserve(positions.size());
  for (const Vec3d& p : positions) mesh.wide.push_back(p - mesh.origin);
  return mesh;
}

}  // namespace lamella
