#include "lamella/engine.hpp"

#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/engines/engine_list.hpp"
#include "cli/subcommands.hpp"

namespace lamella::cli {
namespace {

nlohmann::ordered_json list_json(const std::vector<EngineInfo>& known) {
  auto list = nlohmann::ordered_json::array();
  for (const EngineInfo& engine : known) {
    list.push_back({{"name", engine.name},
                    {"available", engine.available},
                    {"summary", engine.summary},
                    {"why", engine.why},
                    {"gpu", engine.gpu},
                    {"devices", engine.devices}});
  }
  return list;
}

nlohmann::ordered_json engines_json(const std::vector<EngineInfo>& known) {
  nlohmann::ordered_json out{
      {"engines", list_json(known)}, {"scene_engines", list_json(scene_engines())}, {"automatic", nullptr}};
  if (const EngineInfo* chosen = automatic_engine(known)) out["automatic"] = chosen->name;
  return out;
}

std::string list_text(const char* heading, const std::vector<EngineInfo>& known) {
  Table table{.columns = {{heading}, {"available"}, {"what it is, or why it is not available"}}, .rows = {}};
  for (const EngineInfo& engine : known) {
    table.rows.push_back(
        {engine.name, engine.available ? "yes" : "no", engine.available ? engine.summary : engine.why});
  }
  return to_text(table);
}

void print_text(const std::vector<EngineInfo>& known) {
  fmt::print("{}\n{}", list_text("engine", known), list_text("for scenes", scene_engines()));
  std::vector<EngineInfo> all = known;
  for (const EngineInfo& engine : scene_engines())
    if (engine.gpu) all.push_back(engine);
  for (const std::string& text : {devices_text(all), automatic_text(known)}) {
    if (!text.empty()) fmt::print("\n{}", text);
  }
}

}  // namespace

void add_engines(const Command& app, int& status) {
  const auto json = std::make_shared<bool>(false);
  const Command command = app.add_subcommand("engines", "What is available here, and why not");
  command.add_flag("--json", *json, "one JSON object on stdout");
  command.footer("Example:\n  lamella engines");
  command.callback([json, &status] {
    const std::vector<EngineInfo> known = engines();
    *json ? print_json(engines_json(known)) : print_text(known);
    status = kAnswered;
  });
}

}  // namespace lamella::cli
