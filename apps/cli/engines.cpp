#include "lamella/engine.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "common.hpp"
#include "subcommands.hpp"

namespace lamella::cli {
namespace {

/// What "automatic" picks: the first that is available, or nothing.
const EngineInfo* automatic(const std::vector<EngineInfo>& known) {
  const auto found = std::find_if(known.begin(), known.end(), [](const EngineInfo& e) { return e.available; });
  return found == known.end() ? nullptr : &*found;
}

nlohmann::ordered_json engines_json(const std::vector<EngineInfo>& known) {
  nlohmann::ordered_json out{{"engines", nlohmann::ordered_json::array()}, {"automatic", nullptr}};
  for (const EngineInfo& engine : known) {
    out["engines"].push_back(
        {{"name", engine.name}, {"available", engine.available}, {"summary", engine.summary}, {"why", engine.why}});
  }
  if (const EngineInfo* chosen = automatic(known)) out["automatic"] = chosen->name;
  return out;
}

void print_text(const std::vector<EngineInfo>& known) {
  Table table{.columns = {{"engine"}, {"available"}, {"what it is, or why it is not available"}}, .rows = {}};
  for (const EngineInfo& engine : known) {
    table.rows.push_back(
        {engine.name, engine.available ? "yes" : "no", engine.available ? engine.summary : engine.why});
  }
  fmt::print("{}", to_text(table));
  if (const EngineInfo* chosen = automatic(known)) fmt::print("\nautomatic picks {}\n", chosen->name);
}

}  // namespace

void add_engines(CLI::App& app, int& status) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("engines", "What is available here, and why not");
  command->add_flag("--json", *json, "one JSON object on stdout");
  command->footer("Example:\n  lamella engines");
  command->callback([json, &status] {
    const std::vector<EngineInfo> known = engines();
    *json ? print_json(engines_json(known)) : print_text(known);
    status = kAnswered;
  });
}

}  // namespace lamella::cli
