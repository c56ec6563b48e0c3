#include <fmt/format.h>

#include <charconv>

#include "bind.hpp"
#include "inputs.hpp"
#include "lamella/error.hpp"
#include "models.hpp"
#include "scenes/catalogue.hpp"

namespace lamella::python {
namespace {

constexpr std::string_view kPrefix = "model:";
constexpr std::size_t kFewestFaces = 4, kMostFaces = 10'000'000;

Mesh make(std::string_view name, std::optional<std::size_t> faces) {
  const scenes::CatalogueModel* model = scenes::find_model(name);
  if (model == nullptr) {
    std::string names;
    for (const scenes::CatalogueModel& m : scenes::catalogue())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", m.name);
    throw Error(fmt::format("there is no model '{}'; there are: {}", name, names));
  }
  if (faces && (*faces < kFewestFaces || *faces > kMostFaces))
    throw Error(fmt::format("{}: the faces must be {} to {}", name, kFewestFaces, kMostFaces));
  return model->make(faces.value_or(model->faces));
}

}  // namespace

bool is_model(std::string_view path) { return path.starts_with(kPrefix); }

Mesh make_model(std::string_view path) {
  const std::string_view asked = path.substr(kPrefix.size());
  const std::size_t colon = asked.find(':');
  if (colon == std::string_view::npos) return make(asked, std::nullopt);
  const std::string_view digits = asked.substr(colon + 1);
  std::size_t faces = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), faces);
  if (error != std::errc{} || end != digits.data() + digits.size())
    throw Error(fmt::format("{}: '{}' is no number of faces", path, digits));
  return make(asked.substr(0, colon), faces);
}

void bind_models(py::module_& m) {
  m.def(
      "model",
      [](const std::string& name, std::optional<std::size_t> faces) {
        return released([&] { return make(name, faces); });
      },
      py::arg("name"), py::arg("faces") = py::none(),
      R"(A built-in model, to try things on. Wherever a mesh is asked for, "model:NAME" or "model:NAME:FACES" will do too.

>>> import lamella
>>> lamella.model("box")
<lamella.Mesh: 8 vertices, 12 faces>)");
  m.def(
      "model_names",
      [] {
        std::vector<std::string> names;
        for (const scenes::CatalogueModel& model : scenes::catalogue()) names.emplace_back(model.name);
        return names;
      },
      "Names of the built-in models.");
}

}  // namespace lamella::python
