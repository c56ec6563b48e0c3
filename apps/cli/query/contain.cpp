#include <fmt/core.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common.hpp"
#include "cli/html/report.hpp"
#include "cli/options.hpp"
#include "cli/query/answer.hpp"
#include "cli/query/pictures.hpp"
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

/// A dash for a point that was not looked at.
void write_flags(const std::string& path, const Containment& answer, const std::vector<Vec3d>& points) {
  std::string text;
  text.reserve(points.size() * 2);
  for (std::size_t i = 0; i < points.size(); ++i)
    text += answer.inside[i] == kPointInside                ? "1\n"
            : answer.inside[i] == kPointUnknown             ? "2\n"
            : answer.box && !in_box(*answer.box, points[i]) ? "-\n"
                                                            : "0\n";
  write_file(path, text);
}

void print_text(const Containment& answer, const Subjects& subjects) {
  const auto points = answer.inside.size() - answer.not_looked_at;
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

int run(const Args& args) {
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
  if (!args.flags.empty()) write_flags(args.flags, answer, points);
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
    print_text(answer, subjects);
  };
  if (html) {
    Report report{.kind = "contain",
                  .title = fmt::format("{} in {}", object_name(args.points), object_name(args.mesh)),
                  .answer = json(),
                  .text = printed(text),
                  .options = options_json(options, args.query.as_is),
                  .objects = {report_object(args.mesh, mesh)}};
    if (answer.box) report.options["box"] = to_json(*answer.box);
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
                  "  lamella contain gauge.stl probes.xyz --exact -o flags.txt",
                  kPoseForms));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
