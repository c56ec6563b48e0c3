#include <fmt/core.h>

#include <algorithm>

#include "bench/scene/text.hpp"

namespace lamella::cli {
namespace {

/// Each size of crowd once: "Cubes: 4.0 m for 50, 4.9 m for 100".
std::string cubes_text(const SceneRows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && rows[i].objects == rows[i - 1].objects) continue;
    text += fmt::format("{}{:.1f} m for {}", text.empty() ? "Cubes: " : ", ", rows[i].side, grouped(rows[i].objects));
  }
  return text;
}

/// How many others a body touches.
double touched(const SceneRow& row) { return 2 * row.ms().pair_count / static_cast<double>(row.objects); }

/// Parts of a frame, largest first.
std::string shares_text(const SceneSample& s) {
  std::vector<std::pair<double, const char*>> parts{
      {s.update, "move"}, {s.broad, "broad phase"}, {s.place, "place"},      {s.ldi, "LDI"},
      {s.pairs, "pairs"}, {s.points, "points"},     {s.contacts, "contacts"}};
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [ms, name] : parts) {
    text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ", name, 100 * ms / s.total);
  }
  return text;
}

/// Of the largest crowd seen along one axis.
std::string crowd_findings(const SceneRows& rows) {
  std::string text;
  for (const SceneRows& part : by_runner(rows)) {
    const auto last = [&](const char* motion) {
      const auto found = std::find_if(part.rbegin(), part.rend(),
                                      [&](const SceneRow& r) { return r.motion == motion && r.views == 1; });
      return *found;
    };
    const SceneRow rigid = last("rigid"), deforming = last("deforming");
    text += fmt::format("{}, {} bodies, 1 view: {}.\n", to_text(rigid.runner), rigid.objects, shares_text(rigid.ms()));
    text += fmt::format("  New vertices for all of them take {} times as long as new poses.\n",
                        scene_times(deforming.ms().total / rigid.ms().total));
  }
  return text;
}

std::string scaling_findings(const SceneRows& rows) {
  std::string text;
  for (const SceneRows& part : by_runner(rows)) {
    const SceneRow &few = part.front(), &many = part.back();
    const auto per_object = [](const SceneRow& r) { return r.ms().total / static_cast<double>(r.objects); };
    const auto candidates = [](const SceneRow& r) { return r.ms().candidates / static_cast<double>(r.objects); };
    text += fmt::format("{}: the broad phase is {:.1f} % of the frame at {} objects", to_text(many.runner),
                        100 * many.ms().broad / many.ms().total, grouped(many.objects));
    if (many.objects > few.objects && candidates(few) > 0) {
      text += fmt::format("; an object costs {} times what it does at {}, with {} times the candidate pairs",
                          scene_times(per_object(many) / per_object(few)), few.objects,
                          scene_times(candidates(many) / candidates(few)));
    }
    text += ".\n";
  }
  return text;
}

}  // namespace

std::string crowd_text(const SceneRows& rows) {
  Table table{.columns = {{"objects", true},
                          {"motion"},
                          {"views", true},
                          {"engine"},
                          {"threads", true},
                          {"candidates", true},
                          {"pairs", true},
                          {"points", true},
                          {"contacts", true}},
              .rows = {}};
  for (const char* stage : {"move", "broad", "place", "LDI", "pairs", "points", "test"}) {
    table.columns.push_back({fmt::format("{} ms", stage), true});
  }
  table.columns.insert(table.columns.end(), {{"paper", true}, {"speed-up", true}, {"contacts ms", true}});
  table.columns.push_back({"total ms", true});
  add_gpu_columns(table);
  for (const SceneRow& row : rows) {
    const SceneSample& s = row.ms();
    auto& cells = table.rows.emplace_back();
    cells = {std::to_string(row.objects),        row.motion,
             std::to_string(row.views),          row.runner.engine->name,
             std::to_string(row.runner.threads), scene_count(s.candidates),
             scene_count(s.pair_count),          scene_count(s.point_count),
             scene_count(s.contact_count)};
    for (const double ms : {s.update, s.broad, s.place, s.ldi, s.pairs, s.points, s.test()}) {
      cells.push_back(scene_ms(ms));
    }
    cells.push_back(given(row.paper_ms > 0, fmt::format("{:g}", row.paper_ms)));
    cells.push_back(given(row.paper_ms > 0, scene_times(row.paper_ms / s.test()) + " x"));
    cells.push_back(scene_ms(s.contacts));
    cells.push_back(scene_ms(s.total));
    add_gpu_cells(cells, row);
  }
  return fmt::format(
      "{}; where there are most, a body touches {:.1f} others. Cells of {:.3g} m,\n"
      "32 across the ball that holds a body. Views 1: as published; 3: contacts are seen from all sides. Move: handing "
      "over\n"
      "new poses or, where bodies deform, new vertices for all. Test: all but the contacts, whose normals the paper "
      "counts\n"
      "with its response (1 and 2 ms).\n{}{}",
      cubes_text(rows), touched(rows.back()), rows.front().cell, without_empty_columns(std::move(table)),
      crowd_findings(rows));
}

std::string scaling_text(const SceneRows& rows) {
  Table table{.columns = {{"objects", true},
                          {"engine"},
                          {"threads", true},
                          {"candidates", true},
                          {"per object", true},
                          {"pairs", true},
                          {"move ms", true},
                          {"broad ms", true},
                          {"total ms", true},
                          {"broad share", true},
                          {"us/object", true},
                          {"sweep ms", true},
                          {"all pairs ms", true},
                          {"all/sweep", true}},
              .rows = {}};
  add_gpu_columns(table);
  for (const SceneRow& row : rows) {
    const SceneSample& s = row.ms();
    const auto objects = static_cast<double>(row.objects);
    auto& cells = table.rows.emplace_back();
    cells = {grouped(row.objects),
             row.runner.engine->name,
             std::to_string(row.runner.threads),
             scene_count(s.candidates),
             fmt::format("{:.2f}", s.candidates / objects),
             scene_count(s.pair_count),
             scene_ms(s.update),
             scene_ms(s.broad),
             scene_ms(s.total),
             fmt::format("{:.1f} %", 100 * s.broad / s.total),
             fmt::format("{:.1f}", 1000 * s.total / objects),
             fmt::format("{:.4f}", row.sweep_ms),
             fmt::format("{:.4f}", row.all_pairs_ms),
             scene_times(row.all_pairs_ms / row.sweep_ms)};
    add_gpu_cells(cells, row);
  }
  return fmt::format(
      "{}; a body touches {:.2f} others on average.\n"
      "Cells of {:.3g} m, 1 view. Sweep, all pairs: the boxes of all bodies' balls by sweep and prune, from frame to\n"
      "frame, and by comparing each with each; one thread.\n{}{}",
      cubes_text(rows), touched(rows.back()), rows.front().cell, without_empty_columns(std::move(table)),
      scaling_findings(rows));
}

std::string screen_text(const SceneRows& rows) {
  Table table{.columns = {{"eye from middle, m", true},
                          {"engine"},
                          {"threads", true},
                          {"cells, m", true},
                          {"groups", true},
                          {"columns", true},
                          {"pairs", true},
                          {"points", true},
                          {"contacts", true},
                          {"LDI ms", true},
                          {"total ms", true}},
              .rows = {}};
  add_gpu_columns(table);
  for (const SceneRow& row : rows) {
    const SceneSample& s = row.ms();
    auto& cells = table.rows.emplace_back();
    cells = {fmt::format("{:.1f}", row.distance * row.side),
             row.runner.engine->name,
             std::to_string(row.runner.threads),
             fmt::format("{:.4f} - {:.4f}", row.measured.min_cell, row.measured.max_cell),
             scene_count(s.groups),
             scene_count(s.columns),
             scene_count(s.pair_count),
             scene_count(s.point_count),
             scene_count(s.contact_count),
             scene_ms(s.ldi),
             scene_ms(s.total)};
    add_gpu_cells(cells, row);
  }
  return fmt::format("{}, rigid, 1 view; a screen of 1,000 pixels that takes 60 degrees. Columns: of all groups.\n{}",
                     cubes_text(rows), without_empty_columns(std::move(table)));
}

}  // namespace lamella::cli
