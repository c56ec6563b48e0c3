#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/options.hpp"
#include "cli/query/answer.hpp"
#include "cli/query/pictures.hpp"
#include "cli/repair_input.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::string mesh;
  Placement placement;
  QueryArgs query;
};

nlohmann::ordered_json self_json(const SelfOverlap& overlap, std::uint32_t asked, const Subjects& subjects) {
  nlohmann::ordered_json out = overlap_json("self", overlap, asked, subjects);
  out["inside_out"] = {{"volume", overlap.inside_out_volume}, {"spans", overlap.inside_out.size()}};
  return out;
}

void print_text(const SelfOverlap& overlap, const Subjects& subjects) {
  print_overlap(overlap, subjects);
  if (!overlap.inside_out.empty()) {
    const std::string_view hint = all_inside_out(overlap.health)
                                      ? "every face looks inwards: flip the faces"
                                      : "some faces look inwards there; not counted as overlap";
    print_line("inside out", fmt::format("volume {} in {}: {}", to_text(overlap.inside_out_volume),
                                         counted(overlap.inside_out.size(), "span"), hint));
  }
  print_circumstances(overlap.grid, overlap.origin, describe(overlap.health, subjects, doubt_of_volume(overlap.health)),
                      overlap.ms, overlap.engine, subjects);
}

int run(const Args& args) {
  const Stopwatch loading;
  const Mesh mesh = load_mesh(args.mesh, args.placement);
  Subjects subjects{.names = {args.mesh}, .volumes = {}, .load_ms = loading.ms()};

  Options options = args.query.options;
  subjects.tolerance = options.tolerance.has_value();
  subjects.certify = options.certify;
  options.keep_spans = !args.query.volume.empty() || args.query.picture.wanted();
  options.close_holes = !args.query.as_is;
  options.strict = false;  // its message could not name the file
  const SelfOverlap overlap = self_intersect(mesh, options);
  require_answer(overlap, args.query.options.strict, subjects);
  write_volume(args.query.volume, overlap);
  if (args.query.picture.wanted()) {
    const auto caption = fmt::format("self-overlap {}", volume_text(overlap.volume, overlap.volume_error));
    picture::write_png(
        args.query.picture.file,
        draw_self(mesh, overlap, args.query.picture.blank({file_name(args.mesh), caption}), options.threads));
  }

  if (args.query.json) {
    print_json(self_json(overlap, options.resolution, subjects));
  } else {
    subjects.volumes = {signed_volume(mesh)};
    print_text(overlap, subjects);
  }
  return status_of(overlap.verdict, args.query.exit_zero);
}

}  // namespace

void add_self(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("self", "Volume that a mesh covers more than once");
  add_mesh_argument(command, "MESH", args->mesh).required();
  add_placement_options(command, "", args->placement, "the mesh");
  add_query_options(command, args->query);
  add_accuracy_options(command, args->query.options.tolerance, args->query.options.certify);
  add_repair_option(command);
  add_volume_option(command, args->query);
  command.footer(
      fmt::format("{}\n\n"
                  "Examples:\n"
                  "  lamella self model:fist --picture fist.png\n"
                  "  lamella self hand.ply --resolution 256 --volume overlap.ply",
                  kPoseForms));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
