#include <fmt/core.h>

#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "answer/query.hpp"
#include "cli/common.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/parse.hpp"
#include "cli/repair_input.hpp"
#include "cli/subcommands.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::string in;
  std::filesystem::path out;
  RepairOptions options;
  bool no_weld = false, no_degenerate = false, no_doubled = false, no_orient = false, no_close = false;
  bool json = false;
};

float parse_distance(std::string_view text) {
  const auto value = number_in<float>(text);
  if (value && *value >= 0 && std::isfinite(*value)) return *value;
  throw Error(fmt::format("--weld: '{}' is no distance; type a number from 0 up, in the mesh's units", text));
}

nlohmann::ordered_json report_json(const RepairResult& result, double volume, const Args& args) {
  nlohmann::ordered_json out{{"query", "repair"}};
  out.update(answer::repair_json(result.report));
  out["triangles"] = result.mesh.triangles.size();
  out["vertices"] = result.mesh.positions.size();
  out["volume"] = volume;
  out["files"] = {args.in, args.out.string()};
  return out;
}

void print_list(std::string_view label, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    print_line(label, line);
    label = "";
  }
}

void print_text(const RepairResult& result, double volume, const Args& args) {
  const RepairReport& r = result.report;
  print_line("repaired", r.changed() ? file_name(args.in) : "nothing: the mesh is clean");
  print_list("done", describe_repairs(r));
  if (r.cavities != 0) print_line("kept", counted(r.cavities, "cavity"));
  print_list("still wrong", describe_remains(r));
  print_line("triangles", grouped(result.mesh.triangles.size()));
  print_line("vertices", grouped(result.mesh.positions.size()));
  print_line("volume", to_text(volume));
  print_line("written", args.out.string());
}

int run(const Args& args) {
  RepairOptions options = args.options;
  options.weld = !args.no_weld;
  options.drop_degenerate = !args.no_degenerate;
  options.drop_doubled = !args.no_doubled;
  options.orient = !args.no_orient;
  options.close = !args.no_close;
  const RepairResult result = repair(load_mesh(args.in), options);
  if (result.mesh.triangles.empty())
    throw Error(fmt::format("{}: nothing is left of the mesh, so no file was written: {}", args.in,
                            result.report.doubled_faces != 0 ? "every triangle has another that looks the opposite way"
                                                             : "no triangle can be used"));
  write_mesh(args.out, result.mesh);
  const double volume = signed_volume(result.mesh);
  args.json ? print_json(report_json(result, volume, args)) : print_text(result, volume, args);
  return kAnswered;
}

}  // namespace

void add_repair(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("repair", "Makes a mesh bound a solid: welds, turns, closes holes");
  add_mesh_argument(command, "MESH", args->in).required();
  command.options_under("Repairs");
  command
      .add_text(
          "--weld", "D", [args](const std::string& text) { args->options.weld_distance = parse_distance(text); },
          "join vertices up to D apart; 0: at exactly the same place")
      .default_str("0");
  command.add_flag("--no-weld", args->no_weld, "keep vertices apart that are at the same place");
  command.add_flag("--no-degenerate", args->no_degenerate, "keep triangles that name a vertex twice");
  command.add_flag("--no-doubled", args->no_doubled, "keep triangles that have the same three vertices");
  command.add_flag("--no-orient", args->no_orient, "turn no triangles");
  command.add_flag("--no-close", args->no_close, "leave holes open");
  command.option("--weld").excludes(command.option("--no-weld"));
  add_memory_option(command);
  command.options_under("Answer");
  command
      .add_text(
          "-o,--output", "OUT.ply",
          [args](const std::string& text) {
            args->out = check_extension("--output", text, std::array<std::string_view, 3>{".ply", ".obj", ".stl"});
          },
          "file to write (.ply .obj .stl): complete or not at all; may be MESH itself")
      .required();
  command.add_flag("--json", args->json, "one JSON object on stdout");
  command.footer(
      "Examples:\n"
      "  lamella repair scan.ply -o solid.ply\n"
      "  lamella repair parts.stl -o parts.ply --weld 0.001 --no-close\n"
      "docs/repair.md says what each step does.");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
