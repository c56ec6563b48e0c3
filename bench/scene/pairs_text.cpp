#include <fmt/core.h>

#include <algorithm>

#include "bench/scene/text.hpp"

// A pair's resolutions are consecutive rows, from the coarsest to the finest.

namespace lamella::cli {
namespace {

std::string grid_text(std::uint32_t resolution) { return fmt::format("{0} x {0}", resolution); }

bool same_pair(const SceneRow& a, const SceneRow& b) {
  return a.models == b.models && a.faces == b.faces && a.overlap == b.overlap && same_runner(a, b);
}

/// How many resolutions each pair has.
std::size_t resolutions_of(const SceneRows& rows) {
  const auto other = std::find_if(rows.begin(), rows.end(), [&](const SceneRow& r) { return !same_pair(r, rows[0]); });
  return static_cast<std::size_t>(other - rows.begin());
}

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

/// How the largest pair compares with the smallest, at each overlap and resolution; empty where there is one pair.
std::string growth_by_faces(const SceneRows& rows) {
  const auto fewer = [](const SceneRow& a, const SceneRow& b) { return a.faces < b.faces; };
  const std::size_t most = std::max_element(rows.begin(), rows.end(), fewer)->faces;
  const std::size_t least = std::min_element(rows.begin(), rows.end(), fewer)->faces;
  if (most == least) return "";
  std::string list;
  for (const SceneRow& large : rows) {
    if (large.faces != most) continue;
    for (const SceneRow& small : rows) {
      if (small.faces != least || small.overlap != large.overlap || small.resolution != large.resolution) continue;
      append(list, fmt::format("{} ({}, {})", scene_times(large.ms().total / small.ms().total), large.overlap,
                               grid_text(large.resolution)));
    }
  }
  return fmt::format("  {} times the triangles, {} beside {}, take so many times as long: {}.\n",
                     scene_times(static_cast<double>(most) / static_cast<double>(least)), grouped(most), grouped(least),
                     list);
}

/// How the finest resolution compares with the coarsest, over all pairs; empty where there is one resolution.
std::string growth_by_columns(const SceneRows& rows) {
  const std::size_t resolutions = resolutions_of(rows);
  if (resolutions == 1) return "";
  double least = 0, most = 0;
  for (std::size_t i = 0; i < rows.size(); i += resolutions) {
    const double growth = rows[i + resolutions - 1].ms().total / rows[i].ms().total;
    least = i == 0 ? growth : std::min(least, growth);
    most = std::max(most, growth);
  }
  const SceneRow &coarse = rows.front(), &fine = rows[resolutions - 1];
  const double linear = static_cast<double>(fine.resolution) / coarse.resolution;
  return fmt::format("  {:g} times the columns, {} beside {}, take {} to {} times as long.\n", linear * linear,
                     grid_text(fine.resolution), grid_text(coarse.resolution), scene_times(least), scene_times(most));
}

}  // namespace

std::string pair_text(const SceneRows& rows) {
  Table table{
      .columns = {{"models"}, {"triangles", true}, {"overlap"}, {"engine"}, {"threads", true}, {"stream", true}},
      .rows = {}};
  const std::size_t resolutions = resolutions_of(rows);
  for (std::size_t i = 0; i < resolutions; ++i) table.columns.push_back({grid_text(rows[i].resolution), true});
  for (const char* heading :
       {"growth", "place", "LDI", "find pairs", "make contacts", "columns", "points", "contacts"}) {
    table.columns.push_back({heading, true});
  }
  add_gpu_columns(table);
  for (std::size_t i = 0; i < rows.size(); i += resolutions) {
    const SceneRow &coarse = rows[i], &fine = rows[i + resolutions - 1];
    const SceneSample& s = fine.ms();
    auto& cells = table.rows.emplace_back();
    cells = {coarse.models,
             grouped(coarse.faces),
             coarse.overlap,
             coarse.runner.engine->name,
             std::to_string(coarse.runner.threads),
             scene_ms(coarse.stream_ms)};
    for (std::size_t k = i; k < i + resolutions; ++k) cells.push_back(scene_ms(rows[k].ms().total));
    cells.push_back(scene_times(s.total / coarse.ms().total));
    for (const double ms : {s.place, s.ldi, s.pairs + s.points, s.contacts}) cells.push_back(scene_ms(ms));
    for (const double n : {s.columns, s.point_count, s.contact_count}) cells.push_back(scene_count(n));
    add_gpu_cells(cells, fine);
  }
  std::string text =
      "Milliseconds of a frame by resolution of the pair's grid, 1 view; both meshes move a hair in each. Stream: one\n"
      "thread reads all arrays once. Growth: the finest over the coarsest. Right of it: of the finest.\n" +
      without_empty_columns(std::move(table));
  for (const SceneRows& part : by_runner(rows)) {
    text += fmt::format("{}:\n{}{}", to_text(part[0].runner), growth_by_faces(part), growth_by_columns(part));
  }
  return text;
}

}  // namespace lamella::cli
