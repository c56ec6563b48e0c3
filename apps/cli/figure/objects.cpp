#include "cli/figure/objects.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/common.hpp"
#include "cli/figure/panels.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {
namespace {

constexpr std::array kColors{picture::kBlueGrey, picture::kSand, picture::kSage, picture::kMauve, picture::kDotGrey};

std::string spaced(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

}  // namespace

Mesh StandIn::make(const FigureTask& task) const { return scenes::make_model(model, task.faces(faces)); }

std::string StandIn::title() const {
  if (std::string_view(model).find(name) != std::string_view::npos) return name;
  return fmt::format("{} ({})", name, spaced(model));
}

void draw_objects(const FigureTask& task, std::span<const StandIn> objects) {
  Panels panels(task, static_cast<unsigned>(objects.size()));
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Mesh mesh = objects[i].make(task);
    picture::Picture scene = panels.blank(kUpY, {objects[i].title(), counted(mesh.triangles.size(), "face")});
    scene.layers = {{mesh, kColors[i % kColors.size()], 1}};
    panels.add(picture::render(scene, task.options.threads));
  }
  task.add(panels.image());
}

}  // namespace lamella::cli
