#include <fmt/core.h>

#include <memory>

#include "cli/common.hpp"
#include "cli/options.hpp"
#include "cli/query/answer.hpp"
#include "cli/query/pictures.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::string a, b;
  Placement place_a, place_b;
  QueryArgs query;
};

void print_text(const Overlap& overlap, const Subjects& subjects) {
  print_overlap(overlap, subjects);
  print_inside_out_hint(overlap.health, subjects);
  print_assumption(overlap.alternating, overlap.engine);
  print_circumstances(overlap.grid, describe(overlap.health, subjects, doubt_of_volume(overlap.health)), overlap.ms,
                      overlap.engine, subjects);
}

int run(const Args& args) {
  const Stopwatch loading;
  const Mesh a = load_mesh(args.a, args.place_a);
  const Mesh b = load_mesh(args.b, args.place_b);
  Subjects subjects{.names = {args.a, args.b}, .volumes = {}, .load_ms = loading.ms()};

  const Options& options = args.query.options;
  const Overlap overlap = intersect(a, b, options);
  write_volume(args.query.volume, overlap);
  if (args.query.picture.wanted()) {
    const auto caption = fmt::format("shared volume {}", to_text(overlap.volume));
    const auto names = fmt::format("{} and {}", file_name(args.a), file_name(args.b));
    picture::write_png(args.query.picture.file,
                       draw_intersect(a, b, overlap, args.query.picture.blank({names, caption}), options.threads));
  }

  if (args.query.json) {
    print_overlap_json("intersect", overlap, options.resolution, subjects);
  } else {
    subjects.volumes = {signed_volume(a), signed_volume(b)};
    print_text(overlap, subjects);
  }
  return overlap.colliding() && !args.query.exit_zero ? kCollision : kAnswered;
}

}  // namespace

void add_intersect(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("intersect", "Shared volume of two meshes");
  add_mesh_argument(command, "A", args->a, "first mesh").required();
  add_mesh_argument(command, "B", args->b, "second mesh").required();
  add_placement_options(command, "-a", args->place_a, "A");
  add_placement_options(command, "-b", args->place_b, "B");
  add_query_options(command, args->query);
  add_volume_option(command, args->query);
  command.footer(
      fmt::format("{}\n\n"
                  "Examples:\n"
                  "  lamella intersect model:hand model:phone --picture grip.png\n"
                  "  lamella intersect part.ply case.stl --scale-b 0.001 --pose-b 0,0,12.5@z:90 --resolution 256",
                  kPoseForms));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
