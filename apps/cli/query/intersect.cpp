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
  std::string a, b;
  Placement place_a, place_b;
  QueryArgs query;
  std::filesystem::path gradient;

  [[nodiscard]] bool draws_forces() const { return query.picture.wanted() && query.picture.drawn == Drawn::forces; }
};

void print_text(const Overlap& overlap, const std::optional<OverlapGradient>& gradient, const Subjects& subjects) {
  print_overlap(overlap, subjects);
  if (gradient) print_gradient(gradient->sums, subjects.names);
  print_assumption(overlap.alternating, overlap.engine);
  print_circumstances(overlap.grid, overlap.origin, describe(overlap.health, subjects, doubt_of_volume(overlap.health)),
                      overlap.ms, overlap.engine, subjects);
}

picture::Image draw(const Args& args, MeshView a, MeshView b, const Overlap& overlap,
                    const std::optional<OverlapGradient>& gradient) {
  const Options& options = args.query.options;
  const auto caption = fmt::format("shared volume {}", volume_text(overlap.volume, overlap.volume_error));
  const auto names = fmt::format("{} and {}", file_name(args.a), file_name(args.b));
  picture::Picture blank = args.query.picture.blank({names, caption});
  const std::array<MeshView, 2> meshes{a, b};
  const bool closed = !args.query.as_is;
  switch (args.query.picture.drawn) {
    case Drawn::boxes:
      return draw_boxes(a, b, overlap, {file_name(args.a), file_name(args.b)}, std::move(blank), options.threads,
                        closed);
    case Drawn::spans:
      return draw_spans(meshes, overlap.grid, overlap.spans, SpanColors::overlap, std::move(blank), options.threads);
    case Drawn::self: {
      const std::array<SelfOverlap, 2> own{self_intersect(a, options), self_intersect(b, options)};
      blank.captions.push_back(fmt::format("self-overlap {} and {}", to_text(own[0].volume), to_text(own[1].volume)));
      return draw_intersect_and_self(a, b, overlap, own, std::move(blank), options.threads, closed);
    }
    case Drawn::forces: {
      const std::array<VertexGradients, 2> forces{{{a, gradient->vertices_a}, {b, gradient->vertices_b}}};
      const std::array<std::string, 2> both{file_name(args.a), file_name(args.b)};
      return draw_forces(forces, both, std::move(blank), options.threads);
    }
    default:
      return draw_intersect(a, b, overlap, std::move(blank), options.threads, closed);
  }
}

/// With --memory.
int run_streamed(const Args& args, StreamRun& run) {
  refuse_with_memory({{!args.gradient.empty(), "--gradient"}});
  refuse_with_memory(args.query);
  const std::uint64_t memory = *args.query.memory;
  const Stopwatch loading;
  const StreamedInput a(args.a, args.place_a, memory), b(args.b, args.place_b, memory);
  Subjects subjects{.names = {args.a, args.b}, .volumes = {0, 0}, .load_ms = loading.ms()};
  Options options = args.query.options;
  options.keep_spans = options.strict = false;
  options.explain = true;
  StreamReport report;
  const Overlap overlap = intersect(a.mesh(), b.mesh(), options, run.options(), &report);
  run.erase_bar();
  require_closed(overlap, report, args.query.options.strict, subjects);
  if (args.query.json) {
    nlohmann::ordered_json out = overlap_json("intersect", overlap, options.resolution, subjects);
    out["stream"] = stream_json(report, 2);
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
  hint_at_up(args.query.picture, std::array{args.a, args.b});
  const std::unique_ptr<HtmlFile> html = html_file(args.query.html);
  const Stopwatch loading;
  const Mesh a = load_mesh(args.a, args.place_a);
  const Mesh b = load_mesh(args.b, args.place_b);
  Subjects subjects{.names = {args.a, args.b}, .volumes = {}, .load_ms = loading.ms()};

  Options options = args.query.options;
  subjects.tolerance = options.tolerance.has_value();
  subjects.certify = options.certify;
  options.keep_spans = !args.query.volume.empty() || args.query.picture.wanted();
  options.strict = false;  // its message could not name the files
  options.explain = true;
  options.close_holes = !args.query.as_is;
  const Overlap overlap = intersect(a, b, options);
  require_answer(overlap, args.query.options.strict, subjects);
  std::optional<OverlapGradient> gradient;
  if (!args.gradient.empty() || args.draws_forces()) gradient = volume_gradient(a, b, options);
  write_volume(args.query, overlap, [&](const SolidOptions& how) { return overlap_solid(a, b, how); });
  if (!args.gradient.empty()) {
    const std::array<VertexGradients, 2> meshes{{{a, gradient->vertices_a}, {b, gradient->vertices_b}}};
    write_gradients(args.gradient, meshes);
  }
  if (args.query.picture.wanted())
    picture::write_png(args.query.picture.file,
                       draw(args, relative_to(a, overlap.origin), relative_to(b, overlap.origin), overlap, gradient));

  const auto json = [&] {
    nlohmann::ordered_json out = overlap_json("intersect", overlap, options.resolution, subjects);
    if (gradient) out["gradient"] = gradient_json(gradient->sums, gradient->centroid, true);
    return out;
  };
  const auto text = [&] {
    subjects.volumes = {signed_volume(a), signed_volume(b)};
    print_text(overlap, gradient, subjects);
  };
  if (html)
    html->write({.kind = "intersect",
                 .title = fmt::format("{} and {}", object_name(args.a), object_name(args.b)),
                 .answer = json(),
                 .text = printed(text),
                 .options = options_json(options, args.query.as_is),
                 .objects = {report_object(args.a, a), report_object(args.b, b)}});
  args.query.json ? print_json(json()) : text();
  return status_of(overlap.verdict, args.query.exit_zero);
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
  add_streaming_option(command, args->query.memory);
  add_accuracy_options(command, args->query.options.tolerance, args->query.options.certify);
  add_repair_option(command);
  add_draw_option(
      command, args->query.picture.drawn, {Drawn::volume, Drawn::boxes, Drawn::spans, Drawn::self, Drawn::forces},
      "the shared volume; with the boxes, the volume of interest and its outside faces; as spans of columns; "
      "with what each mesh covers twice; or the forces against it");
  add_volume_option(command, args->query);
  add_html_option(command, args->query.html);
  add_gradient_option(command, args->gradient);
  command.footer(
      fmt::format("{}\n\n"
                  "Examples:\n"
                  "  lamella intersect model:hand model:phone --picture grip.png\n"
                  "  lamella intersect model:knot model:serpent --picture boxes.png --draw boxes\n"
                  "  lamella intersect part.ply case.stl --scale-b 0.001 --pose-b 0,0,12.5@z:90 --tolerance 0.1%\n"
                  "  lamella intersect plate.stl slot.stl --certify\n"
                  "  lamella intersect model:hand model:phone --gradient forces.ply\n"
                  "  lamella intersect model:hand model:phone --html grip.html\n"
                  "  lamella intersect city.ply tunnel.ply --memory 2G",
                  kPoseForms));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
