#include "bench/paper/others.hpp"

#include <fmt/core.h>

#include <utility>

#include "bench/gi/tables.hpp"
#include "bench/scene/tables.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

constexpr std::uint32_t kQuickFrames = 10;

/// What tells a row from the others of its table, such as "100 objects, rigid, 1 view" in words of the JSON's keys.
std::string row_name(const Row& row) {
  std::string name;
  for (const char* key : {"models", "overlap", "objects", "motion", "views", "tested", "terrain", "helicopter", "size",
                          "other_size", "placed", "budget_ms", "method", "answer", "resolution"}) {
    const std::string text = row.has_number(key) ? fmt::format("{} {:g}", key, row.number(key)) : row.text(key);
    if (!text.empty()) name += (name.empty() ? "" : ", ") + text;
  }
  return name;
}

template <class Plan>
using MakeTable = Table (*)(const Plan&);

template <class Plan, std::size_t N>
Table make_table(const std::pair<const char*, MakeTable<Plan>> (&makers)[N], const PublishedTable& published,
                 const Plan& plan) {
  for (const auto& [id, make] : makers) {
    if (id != published.id) continue;
    Table table = make(plan);
    table.name = published.id;
    if (published.paper == "gi") table.title = fmt::format("{}.\n{}", published.title, table.title);
    for (Row& row : table.rows) {
      if (!row.has("row")) row.set({"row", row_name(row)});
    }
    return table;
  }
  throw Error(fmt::format("nothing measures the table {}", published.id));
}

constexpr std::pair<const char*, MakeTable<ScenePlan>> kJangTables[] = {{"JANG-table1", table1_table},
                                                                        {"JANG-fig13", fig13_table},
                                                                        {"JANG-fig14", fig14_table},
                                                                        {"JANG-fig16", fig16_table}};
constexpr std::pair<const char*, MakeTable<GiPlan>> kGiTables[] = {
    {"GI-fig8", fig8_table},   {"GI-fig9", fig9_table},   {"GI-fig10", fig10_table},
    {"GI-fig11", fig11_table}, {"GI-fig12", fig12_table}, {"GI-fig13", fig13_table}};

}  // namespace

Table jang_table(const PublishedTable& published, const PaperArgs& args, const std::vector<BenchEngine>& engines) {
  SceneArgs scene;
  scene.quick = args.quick;
  if (args.quick) scene.frames = kQuickFrames;
  const ScenePlan plan{scene, make_runners(engines, thread_counts(args.threads))};
  return make_table(kJangTables, published, plan);
}

Table gi_table(const PublishedTable& published, const PaperArgs& args) {
  GiArgs gi;
  gi.quick = args.quick;
  const std::vector<OtherMethod> none;
  Table table = make_table(kGiTables, published, GiPlan{gi, none});
  for (Row& row : table.rows) row.set({"engine", row.has("method") ? row.text("method") : "images"});
  return table;
}

}  // namespace lamella::bench
