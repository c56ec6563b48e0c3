#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "answer/distance.hpp"
#include "cli/common.hpp"
#include "cli/measure/options.hpp"
#include "cli/measure/pictures.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"
#include "lamella/distance.hpp"

namespace lamella::cli {
namespace {

constexpr std::array<std::string_view, 11> kColumns{
    "x", "y", "z", "distance", "nearest_x", "nearest_y", "nearest_z", "normal_x", "normal_y", "normal_z", "triangle"};

struct Args {
  std::string mesh, points, list;
  Placement placement;
  MeasureArgs measure;
};

/// .csv: commas and a header; else blanks, and the header as a comment, so that the file is one of points again.
void write_list(const std::string& path, const std::vector<Vec3d>& points, const ClosestPoints& answer) {
  const bool csv = has_extension(path, std::array<std::string_view, 1>{".csv"});
  const std::string_view between = csv ? "," : " ";
  std::string text = fmt::format("{}{}\n", csv ? "" : "# ", fmt::join(kColumns, between));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ClosestPoint& c = answer.points[i];
    const std::array<double, 7> places{points[i].x,  points[i].y,  points[i].z, c.distance,
                                       c.position.x, c.position.y, c.position.z};
    const std::array<float, 3> normal{c.normal.x, c.normal.y, c.normal.z};
    text += fmt::format("{}{}{}{}{}\n", fmt::join(places, between), between, fmt::join(normal, between), between,
                        c.triangle == kNoTriangle ? "-1" : std::to_string(c.triangle));
  }
  write_file(path, text);
}

void print_text(const ClosestPoints& answer, const Args& args, double load_ms) {
  print_line("points", counted(answer.points.size(), "point"));
  if (const auto summary = answer::summary_of(answer)) {
    print_line("inside", fmt::format("{} ({})", grouped(summary->inside),
                                     percent(static_cast<double>(summary->inside) / answer.points.size())));
    print_line("distance", fmt::format("{} to {}, mean {}; below 0 inside", to_text(summary->min),
                                       to_text(summary->max), to_text(summary->mean)));
  }
  if (answer.health.untrusted_points != 0)
    print_line("unknown", fmt::format("the signs of {}: the mesh does not close or is inside out; `lamella repair {}` "
                                      "mends it",
                                      counted(answer.health.untrusted_points, "point"), args.mesh));
  print_line("time", fmt::format("{:.2f} ms (loading apart: {:.2f})", answer.ms.total(), load_ms));
}

picture::Image draw(const Args& args, const Mesh& mesh, const std::vector<Vec3d>& points, const ClosestPoints& answer) {
  std::vector<Vec3> at, nearest;
  std::vector<double> distances;
  for (std::size_t i = 0; i < points.size(); ++i) {
    at.push_back(to_float(points[i] - mesh.origin));
    nearest.push_back(to_float(answer.points[i].position - mesh.origin));
    distances.push_back(answer.points[i].distance);
  }
  const auto caption = fmt::format("{} around {}", counted(points.size(), "point"), file_name(args.mesh));
  return draw_closest(relative_to(mesh, mesh.origin), at, nearest, distances, args.measure.picture.blank({caption}),
                      args.measure.threads);
}

int run(const Args& args) {
  hint_at_up(args.measure.picture, std::array{args.mesh});
  const Stopwatch loading;
  const Mesh mesh = load_mesh(args.mesh, args.placement);
  const std::vector<Vec3d> points = load_wide_points(args.points);
  const double load_ms = loading.ms();
  const ClosestPoints answer = closest(mesh, points, args.measure.threads);
  if (!args.list.empty()) write_list(args.list, points, answer);
  if (args.measure.picture.wanted()) picture::write_png(args.measure.picture.file, draw(args, mesh, points, answer));
  if (args.measure.json) {
    print_json(answer::closest_json(answer, {.names = {args.mesh, args.points}, .volumes = {}, .load_ms = load_ms}));
  } else {
    print_text(answer, args, load_ms);
  }
  return answer.health.untrusted_points != 0 && !args.measure.exit_zero ? kUndecided : kAnswered;
}

}  // namespace

void add_closest(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("closest", "How far points are from a mesh, and its nearest points");
  add_mesh_argument(command, "MESH", args->mesh).required();
  command.add_option("POINTS", args->points, ".xyz; or any mesh or model:NAME, for its vertices")
      .required()
      .type_name("");
  add_placement_options(command, "", args->placement, "the mesh (not the points)");
  add_measure_options(command, args->measure, "draw the points, coloured by their distance");
  command.options_under("Answer");
  command
      .add_option("-o,--output", args->list,
                  "file to write, a line per point: the point, its distance, the nearest point, the normal there, the "
                  "triangle; .csv has commas, others blanks")
      .type_name("FILE");
  command.footer(
      fmt::format("{}\n\n"
                  "Distances are exact to rounding, and below 0 for points inside the mesh. The columns of FILE are\n"
                  "{}.\n"
                  "Normals point outwards; at edges and corners they are the mean by angle.\n\n"
                  "Examples:\n"
                  "  lamella closest model:hand model:phone -o distances.csv --picture closest.png\n"
                  "  lamella closest part.stl scan.xyz -o deviation.xyz",
                  kPoseForms, fmt::join(kColumns, ", ")));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
