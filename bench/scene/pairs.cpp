// Figures 13 and 14 of Jang, Jeong, Han: pairs of large meshes that intersect a little or much, by resolution. Their
// models are a dragon (902k triangles), a Goldman (their caption says 512k, their sums 521k), a Buddha (106k) and a
// dinosaur (108k); procedural ones of the same sizes stand in for them. The figures are pictures and curves, whose
// numbers the text does not have. Their times are of collision points alone, without contacts: so are ours, and
// gl-pairs is also measured with contacts, for which it reads more back.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "bench/measure.hpp"
#include "bench/scaling/builds.hpp"
#include "bench/scene/tables.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "scenes/scenes.hpp"

namespace lamella::bench {
namespace {

struct Model {
  const char* name;
  std::size_t faces;
};
constexpr Model kDragon{"serpent", 902'000}, kGoldman{"torus_knot", 521'000}, kBuddha{"blob", 106'000},
    kDinosaur{"serpent", 108'000};
constexpr std::pair<Model, Model> kPairs[] = {
    {kDragon, kGoldman}, {kDragon, kDinosaur}, {kGoldman, kBuddha}, {kDinosaur, kBuddha}};
const std::vector<std::uint32_t> kResolutions{256, 512, 1024};
constexpr std::uint32_t kUsual = 512;
constexpr double kLittle = 1.5;  ///< times as long, at most, for 16 times the columns: "does not have a great impact"
constexpr std::size_t kFrames = 4;
constexpr double kHair = 1e-4;  ///< of the pair's size, that each mesh moves in a frame
constexpr std::size_t kStreams = 15;

/// A pair as a user or a paper names it, not placed yet.
struct NamedPair {
  std::string models;
  Mesh a, b;
};

std::size_t pair_count(const SceneArgs& args) { return args.meshes.empty() ? std::size(kPairs) : 1; }

NamedPair make_pair(const SceneArgs& args, std::size_t i) {
  if (!args.meshes.empty()) {
    return {fmt::format("{} + {}", cli::file_name(args.meshes[0]), cli::file_name(args.meshes[1])),
            cli::load_world_mesh(args.meshes[0]), cli::load_world_mesh(args.meshes[1])};
  }
  const auto& [a, b] = kPairs[i];
  return {fmt::format("{} + {}", a.name, b.name), scenes::make_model(a.name, a.faces),
          scenes::make_model(b.name, b.faces, 2)};
}

/// Both meshes move a little in every frame, towards one another and back: enough that nothing can be kept.
SceneMotion hair_motion(std::shared_ptr<const scenes::Pair> pair) {
  const Aabb box = unite(bounds(pair->a), bounds(pair->b));
  const double hair = kHair * static_cast<double>(length(extent(box)));
  const auto pose = [hair](double sign, std::size_t frame) {
    const double shift = sign * hair * static_cast<double>(frame + 1);
    return Transform{{shift, shift, shift}, {}};
  };
  const auto add = [pair, pose](Scene& scene) {
    scene.add(pair->a, pose(1, 0));
    scene.add(pair->b, pose(-1, 0));
  };
  const auto move = [pose](Scene& scene, std::size_t frame) {
    scene.move({0}, pose(1, frame));
    scene.move({1}, pose(-1, frame));
  };
  return {kFrames, add, move};
}

double stream_ms(const scenes::Pair& pair) {
  std::vector<double> all_ms;
  for (std::size_t i = 0; i < kStreams; ++i) all_ms.push_back(time_stream(pair.a) + time_stream(pair.b));
  return median(std::move(all_ms));
}

/// A pair's resolutions are consecutive rows, from the coarsest to the finest.
void add_rows(Table& table, const ScenePlan& plan, const std::string& models,
              const std::shared_ptr<const scenes::Pair>& pair, bool heavy,
              const std::vector<std::uint32_t>& resolutions) {
  const SceneMotion motion = hair_motion(pair);
  const double stream = stream_ms(*pair);
  const std::size_t faces = pair->a.triangles.size() + pair->b.triangles.size();
  for (const Runner& runner : plan.runners) {
    for (const SceneVariant& variant : pair_variants(runner)) {
      double coarsest_ms = 0;
      for (const std::uint32_t resolution : resolutions) {
        SceneOptions options = scene_options(runner, 1);
        options.resolution = resolution;
        variant.set(options);
        Row row = scene_row(runner, 2, faces, "rigid", 1);
        variant.set(row);
        row.set({"paper", "JANG"});
        row.set({"models", models});
        row.set({"overlap", heavy ? "heavy" : "light"});
        row.set({"resolution", resolution});
        row.set({"stream_ms", stream});
        row.set(measure_scene(motion, options, runner.engine->gpu, plan.args.quick));
        if (coarsest_ms == 0) coarsest_ms = row.number("ms.total");
        row.set({"growth", row.number("ms.total") / coarsest_ms});
        table.rows.push_back(std::move(row));
      }
    }
  }
}

void add_pairs(Table& table, const ScenePlan& plan, const std::vector<bool>& overlaps,
               const std::vector<std::uint32_t>& resolutions) {
  append(table.columns, columns(kGpuColumns));
  cli::Progress progress(table.name);
  const std::size_t count = pair_count(plan.args);
  std::size_t done = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const NamedPair named = make_pair(plan.args, i);
    for (const bool heavy : overlaps) {
      progress.update(done++, overlaps.size() * count);
      const auto pair = std::make_shared<const scenes::Pair>(scenes::overlapping(named.a, named.b, heavy));
      add_rows(table, plan, named.models, pair, heavy, resolutions);
    }
  }
}

/// How the largest pair compares with the smallest, at each overlap and resolution; empty where there is one pair.
std::string growth_by_faces(const std::vector<Row>& rows) {
  const auto fewer = [](const Row& a, const Row& b) { return a.number("faces") < b.number("faces"); };
  const double most = std::max_element(rows.begin(), rows.end(), fewer)->number("faces");
  const double least = std::min_element(rows.begin(), rows.end(), fewer)->number("faces");
  if (most == least) return "";
  std::vector<std::string> list;
  for (const Row& large : rows) {
    if (large.number("faces") != most) continue;
    for (const Row& small : rows) {
      if (small.number("faces") != least || small.text("overlap") != large.text("overlap") ||
          small.number("resolution") != large.number("resolution"))
        continue;
      list.push_back(fmt::format("{} ({}, {})", decimal(large.number("ms.total") / small.number("ms.total")),
                                 large.text("overlap"), square(large.number("resolution"))));
    }
  }
  return fmt::format("  {} times the triangles, {} beside {}, take so many times as long: {}.\n", decimal(most / least),
                     whole(most), whole(least), fmt::join(list, ", "));
}

/// How the finest resolution compares with the coarsest, over all pairs; empty where there is one resolution.
std::string growth_by_columns(const std::vector<Row>& rows) {
  const double coarse = rows.front().number("resolution"), fine = rows.back().number("resolution");
  if (coarse == fine) return "";
  std::vector<double> growths;
  for (const Row& row : rows) {
    if (row.number("resolution") == fine) growths.push_back(row.number("growth"));
  }
  const auto [least, most] = std::minmax_element(growths.begin(), growths.end());
  return fmt::format("  {:g} times the columns, {} beside {}, take {} to {} times as long: resolution {}.\n",
                     fine * fine / (coarse * coarse), square(fine), square(coarse), decimal(*least), decimal(*most),
                     *most <= kLittle ? "matters little, as published" : "matters; the paper found that it does not");
}

}  // namespace

Table fig13_table(const ScenePlan& plan) {
  Table table{
      .name = "JANG-fig13",
      .title = "Jang, Jeong, Han, figure 13: two large meshes that intersect lightly and heavily",
      .columns = columns("models|triangles=faces|overlap|engine|threads|method|answer|grid=resolution:square|"
                         "total ms=ms.total|place=ms.place|LDI=ms.ldi|pairs=ms.pairs|points=ms.points|"
                         "make contacts=ms.contacts|points|contacts"),
      .reading =
          "Milliseconds of a frame, 1 view; both meshes move a hair in each. The paper's numbers are in a picture.\n"};
  add_pairs(table, plan, {false, true}, {plan.args.resolution.value_or(kUsual)});
  return table;
}

Table fig14_table(const ScenePlan& plan) {
  Table table{
      .name = "JANG-fig14",
      .title = "Jang, Jeong, Han, figure 14: two large meshes that intersect heavily, by triangles and resolution",
      .columns = columns("models|triangles=faces|engine|threads|method|answer|stream=stream_ms|grid=resolution:square|"
                         "total ms=ms.total|growth|place=ms.place|LDI=ms.ldi|pairs=ms.pairs|points=ms.points|"
                         "make contacts=ms.contacts|columns|points|contacts"),
      .reading =
          "Milliseconds of a frame by resolution of the pair's grid, 1 view; both meshes move a hair in each. "
          "Stream: one\nthread reads all arrays once. Growth: over the coarsest grid.\n"};
  add_pairs(table, plan, {true}, plan.args.resolution ? std::vector{*plan.args.resolution} : kResolutions);
  for (const std::vector<Row>& part : by_runner(table.rows))
    table.findings += fmt::format("{}:\n{}{}", runner_text(part[0]), growth_by_faces(part), growth_by_columns(part));
  return table;
}

}  // namespace lamella::bench
