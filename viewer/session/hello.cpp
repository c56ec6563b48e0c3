#include <algorithm>
#include <thread>

#include "lamella/engine.hpp"
#include "lamella/version.hpp"
#include "scenes/catalogue.hpp"
#include "session/workspace.hpp"

namespace lamella::session {
namespace {

Json engines_json() {
  Json out = Json::array();
  for (const EngineInfo& engine : engines())
    out.push_back(
        {{"name", engine.name}, {"available", engine.available}, {"why", engine.why}, {"summary", engine.summary}});
  return out;
}

Json models_json() {
  Json out = Json::array();
  for (const scenes::CatalogueModel& m : scenes::catalogue())
    out.push_back({{"name", m.name}, {"faces", m.faces}, {"summary", m.summary}});
  return out;
}

Json simulations_json() {
  Json out = Json::array();
  for (const std::string& name : simulate::simulation_names()) {
    if (simulate::is_built(name)) out.push_back({{"name", name}, {"summary", simulate::summary_of(name)}});
  }
  return out;
}

/// The report with its arrays in the reply.
Json report_json(const Report& report, const Json& part, PacketWriter& writer) {
  if (is_array(part)) {
    const Numbers& numbers = report.arrays[part["array"].get<std::size_t>()];
    return writer.add_bytes(numbers.bytes, numbers.type, nullptr);
  }
  if (!part.is_structured()) return part;
  Json out = part;
  for (auto it = out.begin(); it != out.end(); ++it) *it = report_json(report, *it, writer);
  return out;
}

}  // namespace

Json hello(Workspace& workspace, const Request&, PacketWriter&) {
  const unsigned threads = workspace.options.threads;
  return {{"version", kVersion},
          {"native", workspace.options.native},
          {"threads", threads != 0 ? threads : std::max(std::thread::hardware_concurrency(), 1u)},
          {"engines", engines_json()},
          {"models", models_json()},
          {"simulations", simulations_json()},
          {"formats", {"ply", "obj", "stl", "off", "gltf", "glb"}},
          {"most_bytes", workspace.options.most_bytes}};
}

Json state(Workspace& workspace, const Request&, PacketWriter& writer) {
  return {{"objects", objects_json(workspace.objects.all())},
          {"view", workspace.view},
          {"report", report_json(workspace.report, workspace.report.json, writer)}};
}

Json set_view(Workspace& workspace, const Request& request, PacketWriter&) {
  const Json* const view = request.find("view");
  workspace.view = view == nullptr ? Json() : *view;
  return Json::object();
}

}  // namespace lamella::session
