#include "cli/repair_input.hpp"

#include <fmt/core.h>

#include "cli/common.hpp"

namespace lamella::cli {
namespace {

/// One for the program, as --max-memory: meshes are read in many places.
bool g_repair = false;

}  // namespace

void add_repair_option(const Command& command) {
  command.add_flag("--repair", g_repair, "repair meshes first, as `lamella repair` does; stderr says what was done");
}

bool repair_wanted() { return g_repair; }

void repair_input(Mesh& mesh, std::string_view name) {
  RepairResult result = repair(mesh);
  for (const std::string& line : describe_repairs(result.report)) complain(fmt::format("{}: {}", name, line));
  for (const std::string& line : describe_remains(result.report)) complain(fmt::format("{}: still {}", name, line));
  mesh = std::move(result.mesh);
}

std::vector<std::string> describe_repairs(const RepairReport& report) {
  std::vector<std::string> lines;
  const auto add = [&](std::uint64_t n, std::string_view noun, std::string_view what) {
    if (n != 0) lines.push_back(fmt::format("{} {}", counted(n, noun), what));
  };
  add(report.unusable_faces, "triangle", "removed: a vertex is not finite, or too large to compute with");
  add(report.welded_vertices, "vertex", "welded to others at the same place");
  add(report.degenerate_faces, "triangle", "removed: a vertex twice");
  add(report.doubled_faces, "triangle", "removed: the same three vertices as others");
  add(report.unused_vertices, "vertex", "removed: unused");
  add(report.turned_faces, "triangle", "turned to look the same way as the neighbours");
  add(report.turned_shells, "part", "turned: inside out");
  if (report.closed_holes != 0)
    lines.push_back(fmt::format("{} of {} closed, with an area of {}", counted(report.closed_holes, "hole"),
                                counted(report.closed_edges, "edge"), to_text(report.fan_area)));
  return lines;
}

std::vector<std::string> describe_remains(const RepairReport& report) {
  std::vector<std::string> lines;
  const auto add = [&](std::uint64_t n, std::string_view noun, std::string_view what) {
    if (n != 0) lines.push_back(fmt::format("{}: {}", counted(n, noun), what));
  };
  add(report.open_edges, "open edge", "holes, which were not to be closed");
  add(report.one_sided_patches, "one-sided part", "its triangles cannot all look the same way");
  add(report.unjudged_shells, "small part", "whether it is a cavity was not found out; it looks outwards now");
  return lines;
}

}  // namespace lamella::cli
