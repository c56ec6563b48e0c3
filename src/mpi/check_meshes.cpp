#include "mpi/check_meshes.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "clash/part_check.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh.hpp"

namespace lamella::mpi {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// Empty: nothing is wrong.
std::string fault_of(MeshView mesh) {
  const auto is_wrong = [&](const Triangle& t) { return std::max({t.a, t.b, t.c}) >= mesh.vertex_count(); };
  if (std::none_of(mesh.triangles.begin(), mesh.triangles.end(), is_wrong)) return {};
  try {
    (void)inspect(mesh);
  } catch (const Error& e) {
    return e.what();
  }
  return "a triangle names a vertex that is not there";
}

}  // namespace

void check_meshes(const Processes& all, const MeshStore& meshes, std::span<const std::uint32_t> mine,
                  const std::function<std::string(std::uint32_t mesh)>& name_of) {
  double wrong = kNone;  // the number of a mesh
  std::string why;
  together(all, [&] {
    for (std::size_t i = 0; i < mine.size() && why.empty(); ++i) {
      why = fault_of(meshes.view(mine[i]));
      if (!why.empty()) wrong = mine[i];
    }
  });
  std::array<double, 1> first{wrong};
  all.least(first);
  if (first[0] == kNone) return;
  const auto number = static_cast<std::uint32_t>(first[0]);
  Bytes name;
  together(all, [&] {
    if (all.rank() == 0)
      put(name, std::string_view(clash::mesh_label(name_of ? name_of(number) : std::string(), number)));
  });
  name = all.broadcast(std::move(name));
  together(all, [&] {
    if (wrong == first[0]) throw Error(Taker(name).take_text() + ": " + why);
  });
}

}  // namespace lamella::mpi
