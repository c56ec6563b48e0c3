#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/options.hpp"
#include "cli/subcommands.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::vector<std::string> meshes;
  Placement placement;
  bool json = false;
};

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
                             {"defects", nlohmann::ordered_json::array()}};
  for (const Vec3 place : report.defects) out["defects"].push_back(to_json(place));
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
  std::string_view label = "look near";
  for (const Vec3 place : report.defects) {
    print_line(label, to_text(to_double(place)));
    label = "";
  }
}

std::string describe_volume(const MeshReport& report) {
  const std::string volume = to_text(report.volume);
  if (!report.closed) return volume + " (rough: the mesh is not closed)";
  if (report.nonfinite_vertices != 0) return volume + " (without the triangles of unusable vertices)";
  if (report.volume < 0) return volume + " (inside out: the faces look inwards; flip them)";
  return volume;
}

void print_text(const MeshReport& report, const std::string& file) {
  fmt::print("{}\n", printable(file));
  print_line("triangles", grouped(report.triangles));
  print_line("vertices", grouped(report.vertices));
  print_line("components", grouped(report.components));
  print_line("closed", report.closed ? "yes" : "no");
  print_defects(report);
  print_line("volume", describe_volume(report));
  print_line("area", to_text(report.area));
  print_line("bounds", to_text(report.bounds));
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
  add_memory_option(command);
  command.add_flag("--json", args->json, "one JSON object per mesh, each on its line");
  command.footer("Examples:\n  lamella info model:rabbit\n  lamella info scan.ply part.stl --json");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
