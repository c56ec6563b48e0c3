#include "assembly_input.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "lamella/file.hpp"

namespace lamella::python {
namespace {

std::string label_of(const GivenPart& part, std::size_t number) {
  return part.name.empty() ? fmt::format("part {}", number) : "the part " + printable(part.name);
}

/// Equal for the same object, for pairs of the same two arrays, and for equal paths.
py::object key_of(const py::object& mesh) {
  const auto identity = [](const py::object& object) { return reinterpret_cast<std::uintptr_t>(object.ptr()); };
  if (is_file_name(mesh)) return py::bytes(mesh.cast<std::filesystem::path>().string());
  const bool is_pair = py::isinstance<py::tuple>(mesh) || py::isinstance<py::list>(mesh);
  if (!is_pair || py::len(mesh) != 2) return py::int_(identity(mesh));
  const auto pair = py::reinterpret_borrow<py::sequence>(mesh);
  return py::make_tuple(identity(pair[0]), identity(pair[1]));
}

/// With the doubles of a view where floats do not hold them, as exact_view() wants them. Those beyond float's range
/// become as infinite as their roundings.
Mesh exact_copy(MeshView view) {
  constexpr double kMost = std::numeric_limits<float>::max();
  Mesh mesh = rounded(view);
  bool floats_hold = true;
  for (std::size_t i = 0; i < view.wide.size(); ++i) {
    Vec3d at = view.wide[i] + (view.origin - mesh.origin);
    for (int k = 0; k < 3; ++k) {
      float& rounding = mesh.positions[i][k];
      if (std::abs(at[k]) <= kMost) {
        rounding = static_cast<float>(at[k]);
        floats_hold = floats_hold && rounding == at[k];
      } else {
        at[k] = rounding;
      }
    }
    mesh.wide.push_back(at);
  }
  if (floats_hold) mesh.wide = std::vector<Vec3d>();  // gives its memory back
  return mesh;
}

Mesh copy_of(const GivenPart& part, std::size_t number) {
  const std::string label = label_of(part, number);
  const MeshInput input(part.mesh, label.c_str(), true);
  input.explain_indices();
  return released([&] { return exact_copy(input.view()); });
}

}  // namespace

Assembly assembly_of(std::span<const GivenPart> given) {
  Assembly assembly;
  py::dict numbers;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const GivenPart& part = given[i];
    const py::object key = key_of(part.mesh);
    if (!numbers.contains(key)) {
      numbers[key] = assembly.meshes.size();
      assembly.meshes.push_back(copy_of(part, i));
      assembly.mesh_names.push_back(part.name);
    }
    assembly.parts.push_back({part.name, numbers[key].cast<std::uint32_t>(), part.pose, part.group, part.layer});
  }
  return assembly;
}

}  // namespace lamella::python
