#include <fmt/core.h>

#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common.hpp"
#include "cli/html/report.hpp"
#include "cli/measure/depth_answer.hpp"
#include "cli/measure/gradient_file.hpp"
#include "cli/measure/pictures.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/query/shared_surface.hpp"
#include "cli/repair_input.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostDirections = 1'000'000;

struct Args {
  std::string a, b;
  Placement place_a, place_b;
  Options options;
  std::uint32_t directions = SeparationOptions{}.directions;
  std::optional<Vec3d> direction;  ///< unit
  std::filesystem::path gradient, html;
  bool as_is = false, json = false, exit_zero = false;
  PictureArgs picture;
};

Vec3d parse_direction(const std::string& text) {
  const Vec3d v = parse_vector("--direction", text);
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest == 0)
    throw Error("--direction: 0,0,0 is no direction; type X,Y,Z with a number other than 0, such as 0,0,1");
  const Vec3d scaled{v.x / largest, v.y / largest, v.z / largest};  // squares of huge numbers would be infinite
  return scaled * (1 / length(scaled));
}

bool draws(const Args& args, Drawn drawn) { return args.picture.wanted() && args.picture.drawn == drawn; }

DepthAnswer measure(const Args& args, const Mesh& a, const Mesh& b) {
  Options options = args.options;
  options.close_holes = !args.as_is;
  options.keep_spans = args.picture.wanted();
  return answer::measure_depth(a, b,
                               {.query = options,
                                .directions = args.directions,
                                .direction = args.direction,
                                .vertices = !args.gradient.empty() || draws(args, Drawn::forces)});
}

picture::Image draw(const Args& args, const Mesh& a, const Mesh& b, const DepthAnswer& answer) {
  const Overlap& overlap = answer.overlap;
  const std::array<std::string, 2> names{file_name(args.a), file_name(args.b)};
  const Mesh ra = relative_to(a, overlap.origin), rb = relative_to(b, overlap.origin);
  const unsigned threads = args.options.threads;
  if (answer.apart) {
    const auto caption = fmt::format("apart: distance {}", to_text(answer.apart->distance));
    return draw_distance(ra, rb, nearest_points(*answer.apart, overlap.origin), names, args.picture.blank({caption}),
                         threads);
  }
  if (args.picture.drawn == Drawn::forces) {
    const std::array<VertexGradients, 2> meshes{{{ra, answer.overlap.vertices_a}, {rb, answer.overlap.vertices_b}}};
    return draw_forces(meshes, names, args.picture.blank({"forces against the shared volume"}), threads);
  }
  if (args.picture.drawn == Drawn::patches) {
    std::vector<ContactPatch> patches = answer.patches;
    for (ContactPatch& p : patches) p.center -= overlap.origin;
    const auto caption = fmt::format("{} of contact", counted(patches.size(), "place"));
    return draw_patches(ra, rb, patches, names, args.picture.blank({caption}), threads);
  }
  const auto caption =
      fmt::format("way out {}, {} after it", to_text(length(answer.way.translation)), to_string(answer.way.after));
  const WayOut way{to_float(overlap.centroid - overlap.origin), to_float(answer.way.translation)};
  const Mesh shared = shared_surface(ra, rb, overlap, threads, !args.as_is);
  return draw_way_out(ra, rb, shared, way, names, args.picture.blank({caption}), threads);
}

int run(const Args& args) {
  hint_at_up(args.picture, std::array{args.a, args.b});
  const std::unique_ptr<HtmlFile> html = html_file(args.html);
  const Stopwatch loading;
  const Mesh a = load_mesh(args.a, args.place_a), b = load_mesh(args.b, args.place_b);
  const Subjects subjects{.names = {args.a, args.b}, .volumes = {}, .load_ms = loading.ms()};
  const DepthAnswer answer = measure(args, a, b);
  if (!args.gradient.empty()) {
    const std::array<VertexGradients, 2> meshes{{{a, answer.overlap.vertices_a}, {b, answer.overlap.vertices_b}}};
    write_gradients(args.gradient, meshes);
  }
  if (args.picture.wanted()) picture::write_png(args.picture.file, draw(args, a, b, answer));
  if (html) {
    Report report{.kind = "depth",
                  .title = fmt::format("{} and {}", object_name(args.a), object_name(args.b)),
                  .answer = answer::depth_json(answer, subjects),
                  .text = printed([&] { print_depth(answer, subjects); }),
                  .options = options_json(args.options, args.as_is),
                  .objects = {report_object(args.a, a), report_object(args.b, b)}};
    report.options["directions"] = args.directions;
    html->write(std::move(report));
  }
  if (args.json) {
    print_json(answer::depth_json(answer, subjects));
  } else {
    print_depth(answer, subjects);
  }
  return status_of(answer.verdict(), args.exit_zero);
}

void add_options(const Command& command, Args& args) {
  add_placement_options(command, "-a", args.place_a, "A");
  add_placement_options(command, "-b", args.place_b, "B");
  command.options_under("Sampling");
  add_engine_option(command, args.options.engine);
  add_device_option(command, args.options.device);
  add_resolution_option(command, args.options.resolution);
  add_threads_option(command, args.options.threads);
  add_count(command, "--directions", 1, kMostDirections, args.directions,
            "about how many the way out is looked for along")
      .default_str(std::to_string(args.directions));
  command.add_text(
      "--direction", "X,Y,Z", [&](const std::string& text) { args.direction = parse_direction(text); },
      "also how far A must go along this direction, both ways; of meshes apart, where it first touches B");
  command.add_flag("--as-is", args.as_is, "do not close the holes of meshes before sampling");
  add_memory_option(command);
  add_repair_option(command);
  command.options_under("Answer");
  command.add_flag("--json", args.json, "one JSON object on stdout");
  command.add_flag("--exit-zero", args.exit_zero, "exit status 0 whenever there is an answer");
  add_gradient_option(command, args.gradient);
  add_html_option(command, args.html);
  add_picture_options(command, args.picture, "draw the meshes and the way out; of meshes apart, their distance");
  add_draw_option(
      command, args.picture.drawn, {Drawn::way, Drawn::patches, Drawn::forces},
      "the way out as an arrow; the places of contact with their normals; the forces as colours and arrows");
}

}  // namespace

void add_depth(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("depth", "How deep two meshes overlap, and the shortest way out");
  add_mesh_argument(command, "A", args->a, "first mesh").required();
  add_mesh_argument(command, "B", args->b, "second mesh").required();
  add_options(command, *args);
  command.footer(
      fmt::format("{}\n\n"
                  "The way out is the shortest translation of A found after which nothing overlaps. The gradient says\n"
                  "how the shared volume changes when a mesh moves; forces are against it. Of meshes apart the answer\n"
                  "is their distance.\n\n"
                  "Examples:\n"
                  "  lamella depth model:hat model:mouse --picture way.png\n"
                  "  lamella depth model:hand model:phone --picture forces.png --draw forces --gradient forces.ply\n"
                  "  lamella depth peg.stl hole.stl --direction 0,0,1 --json",
                  kPoseForms));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
