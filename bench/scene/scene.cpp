// What a Scene costs: see crowds.cpp, pairs.cpp and simulations.cpp.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "bench/report.hpp"
#include "bench/scene/tables.hpp"
#include "cli/common.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

using MakeTable = Table (*)(const ScenePlan&);
constexpr std::pair<const char*, MakeTable> kTables[] = {{"JANG-table1", table1_table}, {"JANG-fig13", fig13_table},
                                                         {"JANG-fig14", fig14_table},   {"JANG-fig16", fig16_table},
                                                         {"crowd", crowd_table},        {"scaling", scaling_table},
                                                         {"rigid", rigid_table},        {"screen", screen_table}};

std::vector<MakeTable> chosen_tables(const SceneArgs& args) {
  if (args.meshes.size() == 2) return {fig13_table, fig14_table};
  if (!args.meshes.empty()) throw Error("--mesh: a pair is two meshes; type --mesh A --mesh B");
  std::vector<MakeTable> chosen;
  std::vector<std::string> names;
  for (const auto& [name, make] : kTables) {
    const bool of_paper = std::string_view(name).starts_with(args.table + "-");
    if (args.table.empty() || args.table == name || of_paper) chosen.push_back(make);
    names.emplace_back(name);
  }
  if (!chosen.empty()) return chosen;
  throw Error(
      fmt::format("--table: there is no table '{}'; type one of: {}, JANG", args.table, fmt::join(names, ", ")));
}

bool same_runner(const Row& a, const Row& b) {
  const auto same = [&](const char* key) { return a.text(key) == b.text(key); };
  return same("engine") && same("method") && same("answer") && a.number("threads") == b.number("threads");
}

}  // namespace

void SceneVariant::set(SceneOptions& options) const {
  if (std::string_view(answer) == "points") options.max_contacts = 0;
  if (std::string_view(method) != "jang") return;
  const SceneOptions published = jang_options();
  options.method = published.method;
  options.views = published.views;
  options.normals = published.normals;
}

void SceneVariant::set(Row& row) const {
  row.set({"method", method});
  row.set({"answer", answer});
}

std::vector<SceneVariant> pair_variants(const Runner& runner) {
  if (runner.engine->name != "gl-pairs") return {{"complete", "points"}};
  return {{"complete", "contacts"}, {"complete", "points"}, {"jang", "points"}};
}

SceneOptions scene_options(const Runner& runner, unsigned views) {
  SceneOptions options;
  options.engine = runner.engine->name;
  options.device = runner.engine->device;
  options.threads = runner.threads;
  options.views = views;
  return options;
}

Row scene_row(const Runner& runner, std::size_t objects, std::size_t faces, const char* motion, unsigned views) {
  return {{"objects", objects},
          {"faces", faces},
          {"motion", motion},
          {"views", views},
          {"engine", runner.engine->name},
          {"threads", runner.threads}};
}

std::vector<std::vector<Row>> by_runner(const std::vector<Row>& rows) {
  std::vector<std::vector<Row>> parts;
  for (const Row& row : rows) {
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return same_runner(p[0], row); });
    (part == parts.end() ? parts.emplace_back() : *part).push_back(row);
  }
  return parts;
}

std::string runner_text(const Row& row) {
  std::string text = row.text("engine");
  if (!row.has("gpu_ms")) {
    text += fmt::format(", {}", cli::counted(static_cast<std::uint64_t>(row.number("threads")), "thread"));
  }
  if (row.has("method")) text += fmt::format(", {}, {}", row.text("method"), row.text("answer"));
  return text;
}

namespace {

const char* const kMachine = "The paper's machine: a Pentium 4 at 3.2 GHz with a GeForce 7800 GTX.\n";

void print_tables(const std::vector<MakeTable>& tables, const SceneArgs& args, const Report& report, bool describe) {
  const std::vector<BenchEngine> engines = bench_engines(Use::scenes, args.engine, args.device);
  const ScenePlan plan{args, make_runners(engines, thread_counts(args.threads))};
  if (describe) {
    report.say(
        fmt::format("{}\nMilliseconds a frame: the mean over the frames of each one's median over {}, after warm-up;\n"
                    "counts are means too. {}",
                    describe_machine(engines), args.quick ? "a single pass" : "at least three passes", kMachine));
  }
  for (const MakeTable make : tables) report.print(make(plan));
}

}  // namespace

void scene_tables(const SceneArgs& args, const Report& report) {
  std::vector<MakeTable> tables;
  for (const auto& [name, make] : kTables) {
    const bool of_paper = std::string_view(name).starts_with("JANG-");
    if (of_paper && (args.table.empty() || args.table == "JANG" || args.table == name)) tables.push_back(make);
  }
  print_tables(tables, args, report, false);
}

std::vector<std::string> scene_table_names() {
  std::vector<std::string> names;
  for (const auto& [name, make] : kTables)
    if (std::string_view(name).starts_with("JANG-")) names.emplace_back(name);
  return names;
}

void run_scene(const SceneArgs& args) { print_tables(chosen_tables(args), args, Report("scene", args.json), true); }

}  // namespace lamella::bench
