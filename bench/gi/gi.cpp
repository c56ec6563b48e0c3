// What geometry images cost: Benes, Gomez Villanueva, "GI-COLLIDE", section 5.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <utility>

#include "bench/engines.hpp"
#include "bench/gi/tables.hpp"
#include "bench/report.hpp"
#include "cli/common.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

using MakeTable = Table (*)(const GiPlan&);
constexpr std::pair<const char*, MakeTable> kTables[] = {
    {"GI-fig8", fig8_table},   {"GI-fig9", fig9_table},   {"GI-fig10", fig10_table}, {"GI-fig11", fig11_table},
    {"GI-fig12", fig12_table}, {"GI-fig13", fig13_table}, {"trees", tree_table},     {"equal", equal_table},
    {"refit", refit_table},    {"mesh", mesh_table}};

std::vector<MakeTable> chosen_tables(const std::string& asked) {
  std::vector<MakeTable> chosen;
  std::vector<std::string> names;
  for (const auto& [name, make] : kTables) {
    if (asked.empty() || asked == name) chosen.push_back(make);
    names.emplace_back(name);
  }
  if (!chosen.empty()) return chosen;
  throw Error(fmt::format("--table: there is no table '{}'; type one of: {}", asked, fmt::join(names, ", ")));
}

}  // namespace

std::string left_out_text(int n, std::uint64_t bytes) {
  return fmt::format("{} is left out: it needs {:.1f} GB of memory, more than is free.\n", image_size(n),
                     static_cast<double>(bytes) * 1e-9);
}

std::string model_text(const GiArgs& args) { return args.mesh.empty() ? "rabbit" : cli::file_name(args.mesh); }

void run_gi(const GiArgs& args, const std::vector<OtherMethod>& others) {
  const std::vector<MakeTable> tables = chosen_tables(args.table);
  const Report report("gi", args.json);
  report.say(
      fmt::format("{}The paper's figures are of 2005, from a machine that it does not name.\n", describe_machine({})));
  for (const MakeTable make : tables) {
    Table table = make({args, others});
    for (Row& row : table.rows) row.set({"engine", row.has("method") ? row.text("method") : "images"});
    report.print(table);
  }
}

}  // namespace lamella::bench
