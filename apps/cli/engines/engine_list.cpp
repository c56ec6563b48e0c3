#include "cli/engines/engine_list.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lamella::cli {
namespace {

/// What "automatic" takes for large meshes that a Detector keeps, the first of these that is there; nullptr: nothing.
const EngineInfo* large_mesh_engine(const std::vector<EngineInfo>& known) {
  for (const char* name : {"cuda", "gl-lists"}) {
    for (const EngineInfo& engine : known)
      if (engine.name == name && engine.available && engine.hardware) return &engine;
  }
  return nullptr;
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
    if (std::find(group.engines.begin(), group.engines.end(), engine.name) == group.engines.end())
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
  const EngineInfo* gpu = large_mesh_engine(known);
  return fmt::format("automatic picks {}{}\n", usual->name,
                     gpu != nullptr ? fmt::format(", and {} for large meshes kept by a Detector", gpu->name) : "");
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
