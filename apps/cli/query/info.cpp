#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/common.hpp"
#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/options.hpp"
#include "cli/repair_input.hpp"
#include "cli/subcommands.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::vector<std::string> meshes;
  Placement placement;
  bool json = false;
};

/// Whether queries answer for the mesh as it is, without a doubt.
bool is_solid(const MeshReport& report) {
  return report.triangles != 0 && report.open_edges == 0 && report.inside_out_components == 0 &&
         report.nonfinite_vertices == 0;
}

nlohmann::ordered_json report_json(const MeshReport& report, const std::string& file) {
  nlohmann::ordered_json out{{"query", "info"},
                             {"triangles", report.triangles},
                             {"vertices", report.vertices},
                             {"closed", report.closed},
                             {"boundary_edges", report.boundary_edges},
                             {"nonmanifold_edges", report.nonmanifold_edges},
                             {"inconsistent_edges", report.inconsistent_edges},
                             {"degenerate_triangles", report.degenerate_triangles},
                             {"components", report.components},
                             {"volume", report.volume},
                             {"bounds", to_json(report.bounds)},
                             {"file", file},
                             {"area", report.area},
                             {"nonfinite_vertices", report.nonfinite_vertices},
                             {"open_edges", report.open_edges},
                             {"holes", report.holes},
                             {"inside_out_components", report.inside_out_components},
                             {"cavities", report.cavities},
                             {"duplicate_faces", report.duplicate_faces},
                             {"solid", is_solid(report)},
                             {"defects", nlohmann::ordered_json::array()}};
  if (!(report.origin == Vec3d{})) {
    out["bounds"] = {{"min", to_json(to_double(report.bounds.min) + report.origin)},
                     {"max", to_json(to_double(report.bounds.max) + report.origin)}};
  }
  for (const Vec3 place : report.defects)
    out["defects"].push_back(report.origin == Vec3d{} ? to_json(place) : to_json(to_double(place) + report.origin));
  return out;
}

/// One line for each kind of defect that there is.
void print_defects(const MeshReport& report) {
  const auto print_count = [](std::size_t n, std::string_view noun, std::string_view meaning) {
    if (n != 0) print_line("", fmt::format("{}: {}", counted(n, noun), meaning));
  };
  print_count(report.boundary_edges, "boundary edge", "only one triangle, a hole");
  print_count(report.nonmanifold_edges, "non-manifold edge", "three triangles or more");
  print_count(report.inconsistent_edges, "inconsistent edge", "its two triangles face opposite ways");
  print_count(report.degenerate_triangles, "degenerate triangle", "no area, or a vertex twice");
  print_count(report.nonfinite_vertices, "unusable vertex", "not finite, or too large to compute with");
  print_count(report.duplicate_faces, "duplicate triangle", "the same three places as another");
  std::string_view label = "look near";
  for (const Vec3 place : report.defects) {
    print_line(label, to_text(to_double(place) + report.origin));
    label = "";
  }
}

/// Whether the mesh bounds a solid, and if not why and what to do.
void print_solid(const MeshReport& report, const std::string& file) {
  if (is_solid(report)) {
    print_line("solid", report.cavities == 0 ? "yes" : fmt::format("yes, with {}", counted(report.cavities, "cavity")));
    return;
  }
  std::string_view label = "solid";
  const auto print_reason = [&](bool holds, const std::string& text) {
    if (holds) print_line(std::exchange(label, ""), "no: " + text);
  };
  print_reason(report.triangles == 0, "there are no triangles");
  print_reason(report.open_edges != 0,
               fmt::format("open, {} at {}", counted(report.holes, "hole"), counted(report.open_edges, "edge")));
  print_reason(report.inside_out_components != 0,
               fmt::format("inside out, {}", report.closed && report.components == 1
                                                 ? "the faces look inwards"
                                                 : counted(report.inside_out_components, "part") + " of it"));
  print_reason(report.nonfinite_vertices != 0, "triangles of unusable vertices are skipped");
  if (report.triangles != 0) print_line("", fmt::format("`lamella repair {} -o OUT` mends it", file));
}

std::string describe_volume(const MeshReport& report) {
  const std::string volume = to_text(report.volume);
  if (!report.closed && report.open_edges != 0) return volume + " (rough: the mesh is not closed)";
  if (report.nonfinite_vertices != 0) return volume + " (without the triangles of unusable vertices)";
  if (report.volume < 0 && report.inside_out_components != 0)
    return volume + " (inside out: the faces look inwards; flip them)";
  return volume;
}

std::string describe_bounds(const MeshReport& report) {
  if (report.bounds.empty() || report.origin == Vec3d{}) return to_text(report.bounds);
  return fmt::format("{} to {}", to_text(to_double(report.bounds.min) + report.origin),
                     to_text(to_double(report.bounds.max) + report.origin));
}

void print_text(const MeshReport& report, const std::string& file) {
  fmt::print("{}\n", printable(file));
  print_line("triangles", grouped(report.triangles));
  print_line("vertices", grouped(report.vertices));
  print_line("components", grouped(report.components));
  print_line("closed", report.closed ? "yes" : "no");
  print_defects(report);
  print_solid(report, file);
  print_line("volume", describe_volume(report));
  print_line("area", to_text(report.area));
  print_line("bounds", describe_bounds(report));
}

int run(const Args& args) {
  int status = kAnswered;
  bool first = true;
  for (const std::string& file : args.meshes) {
    try {
      const MeshReport report = inspect(load_mesh(file, args.placement));
      if (!args.json && !first) fmt::print("\n");
      args.json ? print_json(report_json(report, file)) : print_text(report, file);
      first = false;
    } catch (const Error& error) {  // the other files still get their report
      complain(error.what());
      status = kBadInput;
    }
  }
  return status;
}

}  // namespace

void add_info(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("info", "Counts, closed or not and where not, volume, bounds");
  command.add_option("MESH", args->meshes, fmt::format("{}; several give one report each", kMeshInputs))
      .required()
      .type_name("");
  add_scale_option(command, "--scale", args->placement.scale, "the meshes");
  add_repair_option(command);
  add_memory_option(command);
  command.add_flag("--json", args->json, "one JSON object per mesh, each on its line");
  command.footer("Examples:\n  lamella info model:rabbit\n  lamella info scan.ply part.stl --json");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
