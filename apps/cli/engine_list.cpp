#include "engine_list.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lamella::cli {
namespace {

bool serves_large_meshes(const EngineInfo& engine) {
  return engine.available && engine.name == "gl-lists" && engine.hardware;
}

/// Engines that have the same devices.
struct Group {
  std::vector<std::string> engines, devices;
};

std::vector<Group> grouped_by_devices(const std::vector<EngineInfo>& known) {
  std::vector<Group> groups;
  for (const EngineInfo& engine : known) {
    if (engine.devices.empty()) continue;
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.devices == engine.devices; });
    Group& group = same == groups.end() ? groups.emplace_back(Group{{}, engine.devices}) : *same;
    group.engines.push_back(engine.name);
  }
  return groups;
}

}  // namespace

const EngineInfo* automatic_engine(const std::vector<EngineInfo>& known) {
  const auto found = std::find_if(known.begin(), known.end(), [](const EngineInfo& engine) {
    return engine.available && !engine.gpu && engine.name != "reference";
  });
  return found == known.end() ? nullptr : &*found;
}

std::string automatic_text(const std::vector<EngineInfo>& known) {
  const EngineInfo* usual = automatic_engine(known);
  if (usual == nullptr) return "";
  const bool gpu = std::any_of(known.begin(), known.end(), serves_large_meshes);
  return fmt::format("automatic picks {}{}\n", usual->name,
                     gpu ? ", and gl-lists for large meshes kept by a Detector" : "");
}

std::string devices_text(const std::vector<EngineInfo>& known) {
  std::string text;
  for (const Group& group : grouped_by_devices(known)) {
    text += fmt::format("{}GPUs for {} (--device N):\n", text.empty() ? "" : "\n", fmt::join(group.engines, ", "));
    for (std::size_t i = 0; i < group.devices.size(); ++i) text += fmt::format("{:>2}  {}\n", i, group.devices[i]);
  }
  return text;
}

}  // namespace lamella::cli
