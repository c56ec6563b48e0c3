// What geometry images cost: Benes, Gomez Villanueva, "GI-COLLIDE", section 5.

#include "bench/gi/gi.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "bench/engines.hpp"
#include "bench/gi/tables.hpp"
#include "cli/options.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostRabbits = 4096;

using MakeTable = GiTable (*)(const GiBenchArgs&);
constexpr std::pair<const char*, MakeTable> kTables[] = {
    {"bunnies", bench_gi_bunnies}, {"trees", bench_gi_trees}, {"terrain", bench_gi_terrain}, {"equal", bench_gi_equal},
    {"budget", bench_gi_budget},   {"refit", bench_gi_refit}, {"mesh", bench_gi_mesh}};

void print(const GiTable& table, bool json) {
  if (!json) {
    fmt::print("\n{} [{}]\n{}{}", table.title, table.name, to_text(table.text), table.findings);
  } else {
    for (const nlohmann::ordered_json& row : table.rows) {
      nlohmann::ordered_json line{{"bench", "gi"}, {"table", table.name}};
      line.update(row);
      print_json(line);
    }
  }
  std::fflush(stdout);
}

void check_table(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, make] : kTables) names.emplace_back(known);
  if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
  throw Error(fmt::format("--table: there is no table '{}'; type one of: {}", name, fmt::join(names, ", ")));
}

}  // namespace

std::vector<std::uint32_t> parse_object_counts(const std::string& text) {
  std::vector<std::uint32_t> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    counts.push_back(parse_count("--objects", std::string_view(text).substr(begin, end - begin), 1, kMostRabbits));
    begin = end + 1;
  }
  return counts;
}

std::string gi_size_text(int n) { return fmt::format("{0} x {0}", gi_side(n)); }

std::string gi_us_text(double ms) { return fmt::format("{:.{}f}", 1e3 * ms, ms < 0.01 ? 2 : ms < 0.1 ? 1 : 0); }

std::string gi_left_out_text(int n, std::uint64_t bytes) {
  return fmt::format("{} is left out: it needs {:.1f} GB of memory, more than is free.\n", gi_size_text(n),
                     static_cast<double>(bytes) * 1e-9);
}

std::string gi_model_text(const GiBenchArgs& args) { return args.mesh.empty() ? "rabbit" : file_name(args.mesh); }

void bench_gi(const GiBenchArgs& args) {
  check_table(args.table);
  if (!args.json) {
    fmt::print("{}The paper's figures are of 2005, from a machine that it does not name.\n", describe_machine({}));
  }
  for (const auto& [name, make] : kTables) {
    if (args.table.empty() || args.table == name) print(make(args), args.json);
  }
}

}  // namespace lamella::cli
