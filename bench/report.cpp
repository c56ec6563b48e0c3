#include "bench/report.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/machine.hpp"
#include "lamella/version.hpp"

namespace lamella::bench {
namespace {

using Json = nlohmann::ordered_json;

/// In nine digits: more than any clock can tell.
Json to_json(double value) { return std::stod(fmt::format("{:.9g}", value)); }
Json to_json(std::monostate) { return nullptr; }
template <class Other>
Json to_json(const Other& value) {
  return value;
}

void put(Json& out, const Field& field) {
  const std::size_t dot = field.key.find('.');
  Json& object = dot == std::string::npos ? out : out[field.key.substr(0, dot)];
  object[dot == std::string::npos ? field.key : field.key.substr(dot + 1)] =
      std::visit([](const auto& value) { return to_json(value); }, field.value);
}

}  // namespace

void Report::say(const std::string& text) const {
  if (json_) return;
  fmt::print("{}", text);
  std::fflush(stdout);
}

void Report::print(const Table& table) const {
  for (const Row& row : table.rows) print(row, table.name);
  const std::string name = table.name.empty() ? "" : fmt::format(" [{}]", table.name);
  say(fmt::format("\n{}{}\n{}{}{}", table.title, name, table.reading, to_text(table), table.findings));
}

void Report::print(const Row& row, const std::string& table) const {
  if (!json_) return;
  Json out{{"bench", bench_}};
  if (!table.empty()) out["table"] = table;
  for (const Field& field : row.fields()) put(out, field);
  out["cpu"] = cli::cpu_model();
  out["version"] = kVersion;
  cli::print_json(out);
  std::fflush(stdout);
}

}  // namespace lamella::bench
