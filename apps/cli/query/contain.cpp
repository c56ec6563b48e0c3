#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common.hpp"
#include "cli/html/report.hpp"
#include "cli/model_input.hpp"
#include "cli/options.hpp"
#include "cli/query/answer.hpp"
#include "cli/query/pictures.hpp"
#include "cli/query/streamed.hpp"
#include "cli/repair_input.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::string mesh, points, flags;
  std::optional<Aabb> box;
  Placement placement;
  QueryArgs query;
};

bool in_box(const Aabb& box, Vec3d p) {
  for (int i = 0; i < 3; ++i) {
    if (!(box.min[i] <= p[i] && p[i] <= box.max[i])) return false;
  }
  return true;
}

std::vector<Vec3> relative_to(const std::vector<Vec3d>& points, Vec3d origin) {
  std::vector<Vec3> out;
  for (const Vec3d& p : points) out.push_back(to_float(p - origin));
  return out;
}

/// A line for each; a dash for a point that was not looked at.
std::string flag_lines(std::span<const std::uint8_t> flags, const std::optional<Aabb>& box,
                       std::span<const Vec3d> points) {
  std::string text;
  text.reserve(points.size() * 2);
  for (std::size_t i = 0; i < points.size(); ++i)
    text += flags[i] == kPointInside          ? "1\n"
            : flags[i] == kPointUnknown       ? "2\n"
            : box && !in_box(*box, points[i]) ? "-\n"
                                              : "0\n";
  return text;
}

void print_text(const Containment& answer, std::uint64_t asked, const Subjects& subjects) {
  const std::uint64_t points = asked - answer.not_looked_at;
  print_line("inside",
             fmt::format("{} of {}{}", grouped(answer.inside_count), counted(points, "point"),
                         points == 0 ? "" : fmt::format(" ({})", percent(answer.inside_count / double(points)))));
  if (answer.not_looked_at != 0)
    print_line("outside box", fmt::format("{}: not looked at", counted(answer.not_looked_at, "point")));
  if (answer.health.untrusted_points != 0)
    print_line("unknown",
               fmt::format("{}: where the mesh does not close or is inside out; `lamella repair {}` mends it",
                           counted(answer.health.untrusted_points, "point"), subjects.names[0]));
  const auto doubt = "points in them are unknown";
  print_assumption(answer.alternating, answer.engine);
  print_circumstances(answer.grid, answer.origin, describe(answer.health, subjects, doubt), answer.ms, answer.engine,
                      subjects);
}

/// Points and their flags, as the page shows them: about evenly picked where there are many.
void add_points(Report& report, const Containment& answer, const std::vector<Vec3d>& points, Vec3d origin) {
  constexpr std::size_t kMost = 200'000;
  constexpr std::uint8_t kNotLookedAt = 3;
  const std::size_t part = (points.size() + kMost - 1) / kMost;
  std::vector<Vec3> positions;
  std::vector<std::uint8_t> flags;
  for (std::size_t i = 0; i < points.size(); i += part) {
    positions.push_back(to_float(points[i] - origin));
    flags.push_back(answer.box && !in_box(*answer.box, points[i]) ? kNotLookedAt : answer.inside[i]);
  }
  if (part > 1)
    report.notes.push_back(fmt::format("Of the {} 1 in {} is drawn.", counted(points.size(), "point"), grouped(part)));
  report.more["points"] = {{"positions", report.packet.add(std::move(positions))},
                           {"origin", to_json(origin)},
                           {"flags", report.packet.add(std::move(flags))},
                           {"of", points.size()}};
}

/// Points for --memory: in parts, or those of other files and of models whole.
StreamedPoints streamed_points(const std::string& path, std::uint64_t memory, std::vector<Vec3d>& whole) {
  if (!is_model(path) && are_streamable_points(path)) return open_streamed_points(path);
  whole = whole_points(path, {memory / 4, "a quarter"});
  return {.read = [&whole, at = std::size_t{0}](std::span<Vec3d> out) mutable {
    const std::size_t count = std::min(out.size(), whole.size() - at);
    std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(at), count, out.begin());
    at += count;
    return count;
  }};
}

/// With --memory. Points are counted, and their flags written, part by part.
int run_streamed(const Args& args, StreamRun& run) {
  refuse_with_memory(args.query);
  const std::uint64_t memory = *args.query.memory;
  const Stopwatch loading;
  const StreamedInput mesh(args.mesh, args.placement, memory);
  std::vector<Vec3d> whole;
  const StreamedPoints given = streamed_points(args.points, memory, whole);
  const std::uint64_t taken = whole.capacity() * sizeof(Vec3d);
  Subjects subjects{.names = {args.mesh}, .volumes = {0}, .load_ms = loading.ms(), .boxed = args.box.has_value()};
  std::optional<NewFile> flags;
  if (!args.flags.empty()) flags.emplace(args.flags);
  std::span<const Vec3d> part;
  std::uint64_t points = 0;
  const StreamedPoints counted{.read =
                                   [&](std::span<Vec3d> out) {
                                     run.check();
                                     const std::size_t count = given.read(out);
                                     part = out.first(count);
                                     points += count;
                                     return count;
                                   },
                               .write =
                                   [&](std::span<const std::uint8_t> found) {
                                     if (flags) flags->write(flag_lines(found, args.box, part));
                                   }};
  StreamReport report;
  const Containment answer = contains(mesh.mesh(), counted, args.box, args.query.options, run.options(taken), &report);
  run.erase_bar();
  if (points == 0) throw Error(fmt::format("{}: expected points, found none in the file", args.points));
  report.memory = memory;
  report.used += taken;
  if (flags) flags->commit();
  if (args.query.json) {
    Subjects both = subjects;
    both.names.push_back(args.points);
    nlohmann::ordered_json out = contain_json(answer, args.query.options.resolution, false, both);
    out["points"] = points;
    out["stream"] = stream_json(report, 1);
    print_json(out);
  } else {
    print_text(answer, points, subjects);
    print_stream(report, subjects.names);
  }
  const bool doubtful = answer.health.untrusted_points != 0 || !report.closed[0];
  return doubtful && !args.query.exit_zero ? kUndecided : kAnswered;
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
  const std::vector<Vec3d> points = load_wide_points(args.points);
  Subjects subjects{.names = {args.mesh}, .volumes = {}, .load_ms = loading.ms(), .boxed = args.box.has_value()};

  Options options = args.query.options;
  options.close_holes = !args.query.as_is;
  if (args.box && options.around_points) throw Error("--box and --around-points exclude each other: give one of them");
  const Containment answer = args.box ? contains(mesh, points, *args.box, options) : contains(mesh, points, options);
  if (!args.flags.empty()) write_file(args.flags, flag_lines(answer.inside, answer.box, points));
  if (args.query.picture.wanted()) {
    const auto caption = fmt::format("{} of {} inside", grouped(answer.inside_count), counted(points.size(), "point"));
    picture::write_png(args.query.picture.file,
                       draw_contain(mesh, relative_to(points, mesh.origin), answer,
                                    args.query.picture.blank({file_name(args.mesh), caption}), options.threads));
  }

  const auto json = [&] {
    Subjects both = subjects;
    both.names.push_back(args.points);
    return contain_json(answer, options.resolution, options.exact, both);
  };
  const auto text = [&] {
    subjects.volumes = {signed_volume(mesh)};
    print_text(answer, answer.inside.size(), subjects);
  };
  if (html) {
    Report report{.kind = "contain",
                  .title = fmt::format("{} in {}", object_name(args.points), object_name(args.mesh)),
                  .answer = json(),
                  .text = printed(text),
                  .options = options_json(options, args.query.as_is),
                  .objects = {report_object(args.mesh, mesh)}};
    if (args.box) report.options["box"] = to_json(*args.box);
    add_points(report, answer, points, mesh.origin);
    html->write(std::move(report));
  }
  args.query.json ? print_json(json()) : text();
  return answer.health.untrusted_points != 0 && !args.query.exit_zero ? kUndecided : kAnswered;
}

}  // namespace

void add_contain(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("contain", "Which points lie inside a mesh");
  add_mesh_argument(command, "MESH", args->mesh).required();
  command.add_option("POINTS", args->points, ".xyz; or any mesh or model:NAME, for its vertices")
      .required()
      .type_name("");
  add_placement_options(command, "", args->placement, "the mesh (not the points)");
  add_query_options(command, args->query);
  add_streaming_option(command, args->query.memory);
  add_repair_option(command);
  command.options_under("Sampling");
  command.add_text(
      "--box", "X0,Y0,Z0,X1,Y1,Z1", [args](const std::string& text) { args->box = parse_box("--box", text); },
      "sample only in this box; points outside it are not looked at");
  command.add_flag("--around-points", args->query.options.around_points,
                   "sample only the part of the mesh around the points, not the whole mesh");
  command.add_flag("--exact", args->query.options.exact,
                   "every flag by exact arithmetic, however close to the surface its point is");
  command.options_under("Answer");
  command
      .add_option("-o,--output", args->flags,
                  "file to write: one line per point, in order: 1 inside, 0 outside, 2 unknown; with --box a - for one "
                  "outside it")
      .type_name("FLAGS");
  add_html_option(command, args->query.html);
  command.footer(
      fmt::format("{}\n\n"
                  "Examples:\n"
                  "  lamella contain model:knot model:serpent -o flags.txt\n"
                  "  lamella contain tank.ply particles.xyz -o flags.txt --picture inside.png\n"
                  "  lamella contain model:knot model:serpent --box 0,0,0,1,1,1 --resolution 256\n"
                  "  lamella contain gauge.stl probes.xyz --exact -o flags.txt\n"
                  "  lamella contain city.ply cloud.ply --memory 2G -o flags.txt",
                  kPoseForms));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
