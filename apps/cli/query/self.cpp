#include <fmt/core.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common.hpp"
#include "cli/html/report.hpp"
#include "cli/measure/gradient_file.hpp"
#include "cli/measure/pictures.hpp"
#include "cli/options.hpp"
#include "cli/query/answer.hpp"
#include "cli/query/pictures.hpp"
#include "cli/query/streamed.hpp"
#include "cli/repair_input.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::string mesh;
  Placement placement;
  QueryArgs query;
  std::filesystem::path gradient;

  [[nodiscard]] bool draws_forces() const { return query.picture.wanted() && query.picture.drawn == Drawn::forces; }
};

void print_text(const SelfOverlap& overlap, const std::optional<SelfGradient>& gradient, const Subjects& subjects) {
  print_overlap(overlap, subjects);
  if (gradient) print_gradient(gradient->sums, subjects.names);
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

picture::Image draw(const Args& args, const Mesh& mesh, const SelfOverlap& overlap,
                    const std::optional<SelfGradient>& gradient) {
  const auto caption = fmt::format("self-overlap {}", volume_text(overlap.volume, overlap.volume_error));
  picture::Picture blank = args.query.picture.blank({file_name(args.mesh), caption});
  const unsigned threads = args.query.options.threads;
  if (!args.draws_forces()) return draw_self(mesh, overlap, std::move(blank), threads, !args.query.as_is);
  const VertexGradients forces{mesh, gradient->vertices};
  const std::string name = file_name(args.mesh);
  return draw_forces({&forces, 1}, {&name, 1}, std::move(blank), threads);
}

/// With --memory.
int run_streamed(const Args& args, StreamRun& run) {
  refuse_with_memory({{!args.gradient.empty(), "--gradient"}});
  refuse_with_memory(args.query);
  const std::uint64_t memory = *args.query.memory;
  const Stopwatch loading;
  const StreamedInput mesh(args.mesh, args.placement, memory);
  Subjects subjects{.names = {args.mesh}, .volumes = {0}, .load_ms = loading.ms()};
  Options options = args.query.options;
  options.keep_spans = options.strict = false;
  StreamReport report;
  const SelfOverlap overlap = self_intersect(mesh.mesh(), options, run.options(), &report);
  run.erase_bar();
  require_closed(overlap, report, args.query.options.strict, subjects);
  if (args.query.json) {
    nlohmann::ordered_json out = self_json(overlap, options.resolution, subjects);
    out["stream"] = stream_json(report, 1);
    print_json(out);
  } else {
    print_text(overlap, std::nullopt, subjects);
    print_stream(report, subjects.names);
  }
  return status_of(overlap.verdict, args.query.exit_zero);
}

int run(const Args& args) {
  if (args.query.memory) {
    StreamRun run(*args.query.memory);
    return run.run([&] { return run_streamed(args, run); });
  }
  hint_at_up(args.query.picture, std::array{args.mesh});
  const std::unique_ptr<HtmlFile> html = html_file(args.query.html);
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
  std::optional<SelfGradient> gradient;
  if (!args.gradient.empty() || args.draws_forces()) gradient = self_gradient(mesh, options);
  write_volume(args.query, overlap, [&](const SolidOptions& how) { return self_overlap_solid(mesh, how); });
  if (!args.gradient.empty()) {
    const VertexGradients vertices{mesh, gradient->vertices};
    write_gradients(args.gradient, {&vertices, 1});
  }
  if (args.query.picture.wanted()) picture::write_png(args.query.picture.file, draw(args, mesh, overlap, gradient));

  const auto json = [&] {
    nlohmann::ordered_json out = self_json(overlap, options.resolution, subjects);
    if (gradient) out["gradient"] = gradient_json(gradient->sums, gradient->centroid, false);
    return out;
  };
  const auto text = [&] {
    subjects.volumes = {signed_volume(mesh)};
    print_text(overlap, gradient, subjects);
  };
  if (html)
    html->write({.kind = "self",
                 .title = object_name(args.mesh),
                 .answer = json(),
                 .text = printed(text),
                 .options = options_json(options, args.query.as_is),
                 .objects = {report_object(args.mesh, mesh)}});
  args.query.json ? print_json(json()) : text();
  return status_of(overlap.verdict, args.query.exit_zero);
}

}  // namespace

void add_self(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("self", "Volume that a mesh covers more than once");
  add_mesh_argument(command, "MESH", args->mesh).required();
  add_placement_options(command, "", args->placement, "the mesh");
  add_query_options(command, args->query);
  add_streaming_option(command, args->query.memory);
  add_accuracy_options(command, args->query.options.tolerance, args->query.options.certify);
  add_repair_option(command);
  add_draw_option(command, args->query.picture.drawn, {Drawn::volume, Drawn::forces},
                  "what the mesh covers twice, or the forces against it");
  add_volume_option(command, args->query);
  add_html_option(command, args->query.html);
  add_gradient_option(command, args->gradient);
  command.footer(
      fmt::format("{}\n\n"
                  "Examples:\n"
                  "  lamella self model:fist --picture fist.png\n"
                  "  lamella self hand.ply --resolution 256 --volume overlap.ply\n"
                  "  lamella self model:fist --html fist.html\n"
                  "  lamella self scan.ply --memory 500M",
                  kPoseForms));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
