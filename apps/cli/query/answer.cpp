#include "cli/query/answer.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/common.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::cli {
namespace {

constexpr std::string_view axis_name(Axis axis) { return axis == Axis::x ? "x" : axis == Axis::y ? "y" : "z"; }

std::string describe_volume(const Overlap& overlap, const Subjects& subjects) {
  const std::string text = volume_text(overlap.volume, overlap.volume_error);
  if (!overlap.colliding() || !overlap.health.ok()) return text;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < subjects.names.size(); ++i) {
    if (!(subjects.volumes[i] > 0)) return text;
    parts.push_back(
        fmt::format("{} of {}", percent(overlap.volume / subjects.volumes[i]), file_name(subjects.names[i])));
  }
  return fmt::format("{}, {}", text, fmt::join(parts, ", "));
}

std::string describe_missed(const Overlap& overlap) {
  return fmt::format("not met with {} x {} columns, the most that are tried", overlap.grid.columns, overlap.grid.rows);
}

/// What the certificate proves.
std::string describe(const Overlap& overlap, bool alone) {
  const Certificate& c = overlap.certificate;
  if (!c.certain) return "no: exact arithmetic cannot decide it";
  if (c.witness) return fmt::format("yes: {} is {}", to_text(*c.witness), alone ? "covered twice" : "inside both");
  if (overlap.colliding() && c.triangles)
    return fmt::format("yes: faces {} and {} meet", (*c.triangles)[0], (*c.triangles)[1]);
  if (alone) return "yes: no two faces meet that are not neighbours";
  return c.touching ? "yes: they touch, and share no volume"
                    : "yes: no two faces meet, and neither is inside the other";
}

std::string describe(const Grid& grid, Vec3d origin, const Subjects& subjects) {
  if (grid.column_count() == 0) {
    return fmt::format("none: {} no volume, nothing was sampled",
                       subjects.names.size() > 1 || subjects.boxed ? "the boxes share" : "the mesh's box has");
  }
  return fmt::format("{} x {} columns along {}, box {}", grid.columns, grid.rows, axis_name(grid.axis),
                     to_text(grid.box, origin));
}

}  // namespace

void print_overlap(const Overlap& overlap, const Subjects& subjects) {
  print_line("colliding", overlap.verdict == Verdict::undecided ? "undecided" : overlap.colliding() ? "yes" : "no");
  for (const Doubt& doubt : overlap.doubts)
    print_line(overlap.verdict == Verdict::undecided ? "because" : "doubt", describe(doubt, subjects.names));
  if (subjects.certify) print_line("proved", describe(overlap, subjects.names.size() == 1));
  print_line("volume", describe_volume(overlap, subjects));
  if (!overlap.tolerance_met) print_line("tolerance", describe_missed(overlap));
  if (!overlap.colliding()) return;
  print_line("centroid", to_text(overlap.centroid));
  print_line("bounds", to_text(overlap.bounds, overlap.origin));
  print_line("spans", grouped(overlap.span_count));
}

void print_circumstances(const Grid& grid, Vec3d origin, const std::string& health, const Timings& ms,
                         const std::string& engine, const Subjects& subjects) {
  print_line("grid", describe(grid, origin, subjects));
  print_line("health", health);
  const std::string gpu = ms.gpu > 0 ? fmt::format(", GPU {:.2f}", ms.gpu) : "";
  print_line("engine", fmt::format("{}, {:.2f} ms (box {:.2f}, sampling {:.2f}, query {:.2f}{}; loading apart: {:.2f})",
                                   engine, ms.total(), ms.voi, ms.ldi, ms.query, gpu, subjects.load_ms));
}

void print_assumption(bool alternating, const std::string& engine) {
  if (!alternating) return;
  print_line("assumes", fmt::format("that no mesh overlaps itself: {} cannot see it, and would answer wrongly; "
                                    "`lamella self` with another engine tells",
                                    engine));
}

std::string describe(const Health& health, const Subjects& subjects, const std::string& doubt) {
  if (health.ok()) return health.occupied_columns == 0 ? "ok" : "ok: every column closes";
  std::vector<std::string> troubles;
  if (health.open_columns != 0) {
    const double part = health.open_columns / static_cast<double>(std::max(health.occupied_columns, 1u));
    troubles.push_back(fmt::format("{} of {} do not close ({}): left out; {}", grouped(health.open_columns),
                                   counted(health.occupied_columns, "column"), percent(part), doubt));
  }
  if (health.skipped_triangles != 0) {
    troubles.push_back(
        fmt::format("{} left out: not finite or too far away", counted(health.skipped_triangles, "triangle")));
  }
  if (health.inside_out_columns != 0) {
    troubles.push_back(
        fmt::format("{} inside out: faces look inwards there", counted(health.inside_out_columns, "column")));
  }
  if (health.closed_edges != 0) {
    troubles.push_back(
        fmt::format("holes of {} were closed by fans of area {}; other ways to close them could change up "
                    "to {} of volume",
                    counted(health.closed_edges, "edge"), to_text(health.fan_area), to_text(health.closing_volume)));
  }
  if (!troubles.empty()) {
    troubles.push_back(
        fmt::format("run `lamella info {}` to see where, `lamella repair` to mend it", fmt::join(subjects.names, " ")));
  }
  if (health.dropped_crossings != 0) {  // the engine's doing: the meshes have nothing to show for it
    troubles.push_back(
        fmt::format("{} dropped by the engine's method (surfaces that face the same way at one depth, or "
                    "passes that differ); use another engine",
                    counted(health.dropped_crossings, "crossing")));
  }
  return fmt::format("{}", fmt::join(troubles, "; "));
}

std::string doubt_of_volume(const Health& health) {
  return fmt::format("the volume may be short by up to {}", to_text(health.untrusted_volume));
}

bool all_inside_out(const Health& health) {
  return health.inside_out_columns != 0 && health.inside_out_columns + health.open_columns >= health.occupied_columns;
}

namespace {

/// What is thinner than a cell is worth a word from this part of the volume on.
constexpr double kMuch = 0.01;

SolidOptions solid_options(const QueryArgs& args) {
  return {.resolution = std::min(args.options.resolution, kMaxSolidResolution),
          .threads = args.options.threads,
          .max_crossings = args.options.max_crossings,
          .close_holes = !args.as_is};
}

void write_smooth(const std::filesystem::path& path, const OverlapSolid& solid) {
  constexpr std::string_view kHint = "raise --resolution, or leave out --volume-form smooth: columns show all";
  if (solid.empty())
    return complain(fmt::format("the overlap is thinner than a cell: {} was not written", path.string()), kHint);
  if (solid.missed_volume > kMuch * solid.volume)
    complain(fmt::format("{} may lack a volume of up to {}, which is thinner than a cell", path.string(),
                         to_text(solid.missed_volume)),
             kHint);
  write_mesh(path, solid.mesh);
}

}  // namespace

void require_answer(const Overlap& overlap, bool strict, const Subjects& subjects) {
  if (!strict) return;
  if (!overlap.tolerance_met) throw Error(fmt::format("strict: the tolerance is {}", describe_missed(overlap)));
  if (overlap.health.ok() && overlap.verdict != Verdict::undecided) return;
  std::vector<std::string> reasons;
  for (const Doubt& doubt : overlap.doubts) reasons.push_back(describe(doubt, subjects.names));
  throw Error(fmt::format("strict: {}", fmt::join(reasons, "; ")));
}

void write_volume(const QueryArgs& args, const Overlap& overlap,
                  const std::function<OverlapSolid(const SolidOptions&)>& solid) {
  const std::filesystem::path& path = args.volume;
  if (path.empty()) return;
  if (!overlap.colliding()) return complain(fmt::format("no overlap: {} was not written", path.string()));
  if (args.smooth_volume) return write_smooth(path, solid(solid_options(args)));
  Mesh volume = prisms(overlap.grid, overlap.spans);
  volume.origin = overlap.origin;
  write_mesh(path, volume);
}

}  // namespace lamella::cli
