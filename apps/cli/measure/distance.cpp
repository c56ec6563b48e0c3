#include "lamella/distance.hpp"

#include <fmt/core.h>

#include <array>
#include <memory>

#include "answer/distance.hpp"
#include "cli/common.hpp"
#include "cli/measure/distance_answer.hpp"
#include "cli/measure/options.hpp"
#include "cli/measure/pictures.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::string a, b;
  Placement place_a, place_b;
  MeasureArgs measure;
};

void print_text(const MeshDistance& answer, double load_ms) {
  print_distance(answer);
  print_line("time", fmt::format("{:.2f} ms (loading apart: {:.2f})", answer.ms.total(), load_ms));
}

picture::Image draw(const Args& args, const Mesh& a, const Mesh& b, const MeshDistance& answer) {
  const std::array<std::string, 2> names{file_name(args.a), file_name(args.b)};
  const auto caption = answer.verdict == Verdict::clear ? fmt::format("distance {}", to_text(answer.distance))
                                                        : fmt::format("distance 0: {}", to_string(answer.verdict));
  const Vec3d origin = a.origin;
  return draw_distance(relative_to(a, origin), relative_to(b, origin), nearest_points(answer, origin), names,
                       args.measure.picture.blank({caption}), args.measure.threads);
}

int run(const Args& args) {
  hint_at_up(args.measure.picture, std::array{args.a, args.b});
  const Stopwatch loading;
  const Mesh a = load_mesh(args.a, args.place_a), b = load_mesh(args.b, args.place_b);
  const double load_ms = loading.ms();
  const MeshDistance answer = distance(a, b, args.measure.threads);
  if (args.measure.picture.wanted()) picture::write_png(args.measure.picture.file, draw(args, a, b, answer));
  if (args.measure.json) {
    print_json(answer::whole_distance_json(answer, {.names = {args.a, args.b}, .volumes = {}, .load_ms = load_ms}));
  } else {
    print_text(answer, load_ms);
  }
  return answer.verdict == Verdict::undecided && !args.measure.exit_zero ? kUndecided : kAnswered;
}

}  // namespace

void add_distance(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("distance", "Smallest distance of two meshes, and where it is");
  add_mesh_argument(command, "A", args->a, "first mesh").required();
  add_mesh_argument(command, "B", args->b, "second mesh").required();
  add_placement_options(command, "-a", args->place_a, "A");
  add_placement_options(command, "-b", args->place_b, "B");
  add_measure_options(command, args->measure, "draw the meshes and a line between their nearest points");
  command.footer(
      fmt::format("{}\n\n"
                  "The distance is exact to rounding. Of meshes that overlap it is 0, and `lamella depth` says how\n"
                  "deep they do.\n\n"
                  "Examples:\n"
                  "  lamella distance model:knot model:serpent --pose-b 3,0,0 --picture distance.png\n"
                  "  lamella distance part.stl case.stl --json",
                  kPoseForms));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
