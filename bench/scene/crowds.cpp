// The tables of `lamella bench scene` that are about crowds: bodies as in table 1 of Jang, Jeong, Han, "GPU-based
// Image-space Approach to Collision Detection among Closed Objects", the same crowd growing, and the same crowd from
// afar. Their bodies push one another apart (simulations.cpp); these fly through one another, so that every engine sees
// the same frames.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "bench/boxes.hpp"
#include "bench/measure.hpp"
#include "bench/scene/tables.hpp"
#include "cli/progress.hpp"
#include "scenes/crowd.hpp"
#include "scenes/motions.hpp"

namespace lamella::bench {
namespace {

constexpr double kStep = 1.0 / 60;
constexpr std::size_t kWobblePhases = 32;
constexpr double kCellsAcross = 32;     ///< of a body's ball
constexpr double kBusy = 0.3;           ///< density of 100 bodies where most touch another: about 40 pairs
constexpr double kSparse = 0.07;        ///< density where a body has a fifth of a candidate pair
constexpr double kThirdTouches = 0.13;  ///< density where a third of the bodies touch another
constexpr std::size_t kFaces = 3000;    ///< of a body
const std::vector<std::size_t> kRigidFaces{kFaces, 12000, 50000};
constexpr std::pair<std::uint32_t, double> kPaper[] = {{50, 9}, {100, 20}};
const std::vector<std::uint32_t> kGrowing{10, 30, 100, 300, 1000};
constexpr double kDistances[] = {1, 2, 4, 8, 16};
/// A screen of 1,000 pixels that takes 60 degrees.
const double kPixelAngle = 2 * std::tan(std::numbers::pi / 6) / 1000;

using CrowdPtr = std::shared_ptr<const scenes::Crowd>;

CrowdPtr make_crowd(std::uint32_t objects, double density, std::size_t faces = kFaces) {
  return std::make_shared<const scenes::Crowd>(
      scenes::CrowdOptions{.objects = objects, .faces = faces, .density = density});
}

double cell_of(const scenes::Crowd& crowd) { return 2 * crowd.radius() / kCellsAcross; }

// Motions: frames of a sixtieth of a second. Rigid bodies move; where they deform, every vertex of every one is given
// anew too.

struct Frames {
  CrowdPtr crowd;
  std::vector<std::vector<Transform>> poses;           ///< by frame and body
  std::vector<std::vector<std::vector<Vec3>>> shapes;  ///< by kind and phase; none where bodies are rigid
};

std::vector<std::vector<std::vector<Vec3>>> wobbling_shapes(const scenes::Crowd& crowd) {
  std::vector<std::vector<std::vector<Vec3>>> shapes;
  for (const Mesh& mesh : crowd.meshes()) {
    auto& phases = shapes.emplace_back();
    for (std::size_t i = 0; i < kWobblePhases; ++i) {
      const float t = static_cast<float>(i) / kWobblePhases;
      scenes::wobble(mesh.positions, t, 1, phases.emplace_back(mesh.positions.size()));
    }
  }
  return shapes;
}

SceneMotion crowd_motion(CrowdPtr crowd, std::size_t frames, bool deforming) {
  const auto all = std::make_shared<Frames>();
  all->crowd = std::move(crowd);
  for (std::size_t f = 0; f < frames; ++f) {
    auto& poses = all->poses.emplace_back();
    for (std::size_t i = 0; i < all->crowd->size(); ++i) {
      poses.push_back(all->crowd->pose(i, static_cast<double>(f) * kStep));
    }
  }
  if (deforming) all->shapes = wobbling_shapes(*all->crowd);
  const auto add = [all](Scene& scene) {
    for (std::size_t i = 0; i < all->crowd->size(); ++i) scene.add(all->crowd->mesh(i), all->poses[0][i]);
  };
  // Objects of a new scene are numbered from 0.
  const auto move = [all](Scene& scene, std::size_t frame) {
    for (std::uint32_t i = 0; i < all->crowd->size(); ++i) {
      if (!all->shapes.empty()) scene.deform({i}, all->shapes[all->crowd->kind(i)][(frame + i) % kWobblePhases]);
      scene.move({i}, all->poses[frame][i]);
    }
  };
  return {frames, add, move};
}

/// Milliseconds to compare the box of every body's ball with every other: the median over the frames.
double all_pairs_ms(const scenes::Crowd& crowd, std::size_t frames) {
  std::vector<double> all_ms;
  std::vector<Aabb> boxes(crowd.size());
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const double r = crowd.radius();
  for (std::size_t f = 1; f <= frames; ++f) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Vec3d at = crowd.pose(i, static_cast<double>(f) * kStep).translation;
      boxes[i] = {to_float(at - Vec3d{r, r, r}), to_float(at + Vec3d{r, r, r})};
    }
    found.clear();
    const cli::Stopwatch watch;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t j = i + 1; j < boxes.size(); ++j) {
        if (boxes_meet(boxes[i], boxes[j])) found.emplace_back(i, j);
      }
    }
    all_ms.push_back(watch.ms());
  }
  return median(std::move(all_ms));
}

// Tables.

/// Measures a row of a crowd with cells of the usual size.
Row crowd_row(const ScenePlan& plan, const Runner& runner, const scenes::Crowd& crowd, const SceneMotion& motion,
              const char* moving, unsigned views, const SceneVariant* variant = nullptr) {
  Row row = scene_row(runner, crowd.size(), crowd.face_count(), moving, views);
  row.set({"side", crowd.side()});
  row.set({"cell", cell_of(crowd)});
  SceneOptions options = scene_options(runner, views);
  options.cell = static_cast<float>(cell_of(crowd));
  if (variant != nullptr) {
    variant->set(options);
    variant->set(row);
  }
  row.set(measure_scene(motion, options, runner.engine->gpu, plan.args.quick));
  return row;
}

/// A small crowd has few pairs, and they vary more: it is watched for longer.
std::size_t frames_of(const SceneArgs& args, std::uint32_t objects) {
  constexpr std::uint32_t kMany = 500;
  return args.quick ? args.frames : std::size_t{args.frames} * std::max(kMany / objects, 1u);
}

/// Each size of crowd once: "Cubes: 4.0 m for 50, 4.9 m for 100".
std::string cubes_text(const std::vector<Row>& rows) {
  std::string text;
  double last = 0;
  for (const Row& row : rows) {
    if (row.number("objects") == last) continue;
    last = row.number("objects");
    text += fmt::format("{}{:.1f} m for {}", text.empty() ? "Cubes: " : ", ", row.number("side"), whole(last));
  }
  return text;
}

/// How many others a body touches.
double touched(const Row& row) { return 2 * row.number("pairs") / row.number("objects"); }

/// Parts of a frame, largest first.
std::string shares_text(const Row& row) {
  std::vector<std::pair<double, const char*>> parts;
  for (const auto& [key, name] :
       std::initializer_list<std::pair<const char*, const char*>>{{"ms.update", "move"},
                                                                  {"ms.broad", "broad phase"},
                                                                  {"ms.place", "place"},
                                                                  {"ms.ldi", "LDI"},
                                                                  {"ms.pairs", "pairs"},
                                                                  {"ms.points", "points"},
                                                                  {"ms.contacts", "contacts"}}) {
    parts.emplace_back(row.number(key), name);
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [part, name] : parts) {
    text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ", name, 100 * part / row.number("ms.total"));
  }
  return text;
}

/// Of the largest crowd seen along one axis.
std::string crowd_findings(const std::vector<Row>& rows) {
  std::string text;
  for (const std::vector<Row>& part : by_runner(rows)) {
    const auto last = [&](const char* motion) {
      return *std::find_if(part.rbegin(), part.rend(),
                           [&](const Row& row) { return row.text("motion") == motion && row.number("views") == 1; });
    };
    const Row rigid = last("rigid"), deforming = last("deforming");
    text += fmt::format("{}, {} bodies, 1 view: {}.\n", runner_text(rigid), whole(rigid.number("objects")),
                        shares_text(rigid));
    text += fmt::format("  New vertices for all of them take {} times as long as new poses.\n",
                        decimal(deforming.number("ms.total") / rigid.number("ms.total")));
  }
  return text;
}

std::string scaling_findings(const std::vector<Row>& rows) {
  std::string text;
  for (const std::vector<Row>& part : by_runner(rows)) {
    const Row &few = part.front(), &many = part.back();
    const auto per_object = [](const Row& row, const char* key) { return row.number(key) / row.number("objects"); };
    text += fmt::format("{}: the broad phase is {:.1f} % of the frame at {} objects", runner_text(many),
                        100 * many.number("ms.broad") / many.number("ms.total"), whole(many.number("objects")));
    if (many.number("objects") > few.number("objects") && few.number("candidates") > 0) {
      text +=
          fmt::format("; an object costs {} times what it does at {}, with {} times the candidate pairs",
                      decimal(per_object(many, "ms.total") / per_object(few, "ms.total")), whole(few.number("objects")),
                      decimal(per_object(many, "candidates") / per_object(few, "candidates")));
    }
    text += ".\n";
  }
  return text;
}

}  // namespace

Table crowd_table(const ScenePlan& plan) {
  std::vector<std::pair<std::uint32_t, double>> sizes(std::begin(kPaper), std::end(kPaper));
  if (plan.args.objects) {
    std::erase_if(sizes, [&](const auto& size) { return size.first != *plan.args.objects; });
    if (sizes.empty()) sizes = {{*plan.args.objects, 0}};
  }
  Table table{
      .name = "crowd",
      .title = "A busy crowd of bodies of about 3,000 triangles, as in JANG-table1, but they fly through one another",
      .columns = columns(
          "objects|motion|views|engine|threads|candidates|pairs|points|contacts|move ms=ms.update|broad ms=ms.broad|"
          "place ms=ms.place|LDI ms=ms.ldi|pairs ms=ms.pairs|points ms=ms.points|test ms=ms.test|"
          "paper=paper_ms|speed-up=speedup|contacts ms=ms.contacts|total ms=ms.total")};
  append(table.columns, columns(kGpuColumns));
  cli::Progress progress(table.name);
  for (const auto& [objects, paper_ms] : sizes) {
    const CrowdPtr crowd = make_crowd(objects, kBusy * objects / 100);
    for (const bool deforming : {false, true}) {
      const SceneMotion motion = crowd_motion(crowd, plan.args.frames, deforming);
      for (const unsigned views : {1u, 3u}) {
        for (const Runner& runner : plan.runners) {
          progress.update(table.rows.size(), sizes.size() * 2 * 2 * plan.runners.size());
          Row row = crowd_row(plan, runner, *crowd, motion, deforming ? "deforming" : "rigid", views);
          row.set({"paper_ms", nullptr});
          if (paper_ms > 0) {
            row.set({"paper_ms", paper_ms});
            row.set({"speedup", paper_ms / row.number("ms.test")});
          }
          table.rows.push_back(std::move(row));
        }
      }
    }
  }
  table.reading = fmt::format(
      "{}; where there are most, a body touches {:.1f} others. Cells of {:.3g} m,\n"
      "32 across the ball that holds a body. Views 1: as published; 3: contacts are seen from all sides. Move: handing "
      "over\nnew poses or, where bodies deform, new vertices for all. Test: all but the contacts, whose normals the "
      "paper counts\nwith its response (1 and 2 ms).\n",
      cubes_text(table.rows), touched(table.rows.back()), table.rows.front().number("cell"));
  table.findings = crowd_findings(table.rows);
  return table;
}

Table scaling_table(const ScenePlan& plan) {
  const std::vector<std::uint32_t> sizes = plan.args.objects ? std::vector{*plan.args.objects} : kGrowing;
  Table table{
      .name = "scaling",
      .title = "A sparse crowd of bodies of about 3,000 triangles, by their number at one density",
      .columns = columns("objects|engine|threads|candidates|per object=candidates/objects|pairs|move ms=ms.update|"
                         "broad ms=ms.broad|total ms=ms.total|broad share=ms.broad/ms.total:percent|"
                         "us/object=ms.total/objects:micro|all pairs ms=all_pairs_ms|"
                         "all/broad=all_pairs_ms/ms.broad")};
  append(table.columns, columns(kGpuColumns));
  cli::Progress progress(table.name);
  for (const std::uint32_t objects : sizes) {
    const CrowdPtr crowd = make_crowd(objects, kSparse);
    const std::size_t frames = frames_of(plan.args, objects);
    const SceneMotion motion = crowd_motion(crowd, frames, false);
    const double all_ms = all_pairs_ms(*crowd, frames);
    for (const Runner& runner : plan.runners) {
      progress.update(table.rows.size(), sizes.size() * plan.runners.size());
      table.rows.push_back(crowd_row(plan, runner, *crowd, motion, "rigid", 1));
      table.rows.back().set({"all_pairs_ms", all_ms});
    }
  }
  table.reading = fmt::format(
      "{}; a body touches {:.2f} others on average.\n"
      "Cells of {:.3g} m, 1 view. Broad: the scene's sweep and prune from frame to frame, on boxes that it also "
      "computes.\nAll pairs: comparing the boxes of all bodies' balls each with each, one thread.\n",
      cubes_text(table.rows), touched(table.rows.back()), table.rows.front().number("cell"));
  table.findings = scaling_findings(table.rows);
  return table;
}

Table rigid_table(const ScenePlan& plan) {
  const std::uint32_t objects = plan.args.objects.value_or(100);
  Table table{
      .name = "rigid",
      .title = "Bodies that only move, a third of them touching another, by their number of triangles",
      .columns = columns("objects|faces|answer|engine|threads|candidates|pairs|points|contacts|move ms=ms.update|"
                         "broad ms=ms.broad|place ms=ms.place|LDI ms=ms.ldi|pairs ms=ms.pairs|"
                         "points ms=ms.points|contacts ms=ms.contacts|total ms=ms.total")};
  append(table.columns, columns(kGpuColumns));
  cli::Progress progress(table.name);
  for (const std::size_t faces : kRigidFaces) {
    const CrowdPtr crowd = make_crowd(objects, kThirdTouches, faces);
    const SceneMotion motion = crowd_motion(crowd, plan.args.frames, false);
    for (const char* answer : {"points", "contacts"}) {
      const SceneVariant variant{"complete", answer};
      for (const Runner& runner : plan.runners) {
        progress.update(table.rows.size(), kRigidFaces.size() * 2 * plan.runners.size());
        table.rows.push_back(crowd_row(plan, runner, *crowd, motion, "rigid", 1, &variant));
      }
    }
  }
  table.reading = fmt::format(
      "{}; a body touches {:.2f} others. Faces: of all bodies. Cells of {:.3g} m, 32 across\nthe ball that holds a "
      "body, "
      "1 view. Points: pairs, volumes and collision points; contacts: those too.\n",
      cubes_text(table.rows), touched(table.rows.front()), table.rows.front().number("cell"));
  return table;
}

Table screen_table(const ScenePlan& plan) {
  Table table{.name = "screen",
              .title = "Cells as small as a viewer's pixels: the same crowd from near and far",
              .columns = columns(
                  "eye from middle, m=distance|engine|threads|least cell, m=min_cell|largest=max_cell|groups|columns|"
                  "pairs|points|contacts|LDI ms=ms.ldi|total ms=ms.total")};
  append(table.columns, columns(kGpuColumns));
  const CrowdPtr crowd = make_crowd(plan.args.objects.value_or(100), kBusy);
  const SceneMotion motion = crowd_motion(crowd, plan.args.frames, false);
  cli::Progress progress(table.name);
  for (const double distance : kDistances) {
    for (const Runner& runner : plan.runners) {
      progress.update(table.rows.size(), std::size(kDistances) * plan.runners.size());
      Row row = scene_row(runner, crowd->size(), crowd->face_count(), "rigid", 1);
      row.set({"side", crowd->side()});
      row.set({"distance", distance * crowd->side()});
      SceneOptions options = scene_options(runner, 1);
      options.screen = Screen{{0, -distance * crowd->side(), 0}, kPixelAngle};
      row.set(measure_scene(motion, options, runner.engine->gpu, plan.args.quick));
      table.rows.push_back(std::move(row));
    }
  }
  table.reading =
      fmt::format("{}, rigid, 1 view; a screen of 1,000 pixels that takes 60 degrees. Columns: of all groups.\n",
                  cubes_text(table.rows));
  return table;
}

}  // namespace lamella::bench
