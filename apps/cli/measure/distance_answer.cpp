#include "cli/measure/distance_answer.hpp"

#include <fmt/core.h>

#include <cmath>

#include "cli/common.hpp"

namespace lamella::cli {
namespace {

std::string point_text(Vec3d point, std::uint32_t triangle) {
  return triangle == kNoTriangle ? to_text(point) : fmt::format("{}, in triangle {}", to_text(point), triangle);
}

std::string reason(const MeshDistance& answer) {
  if (answer.skipped_triangles != 0)
    return fmt::format("{} left out: not finite or too far away", counted(answer.skipped_triangles, "triangle"));
  return "a mesh does not close or looks inwards, and the other may be inside it; `lamella repair` mends it";
}

}  // namespace

void print_distance(const MeshDistance& answer) {
  if (!std::isfinite(answer.distance)) {
    print_line("distance", "none: a mesh has no triangle that can be used");
    return;
  }
  if (answer.verdict == Verdict::colliding) {
    print_line("distance", "0: they overlap; `lamella depth` says how deep, and which way leads out");
    return;
  }
  print_line("distance", answer.distance == 0 ? "0: they touch" : to_text(answer.distance));
  if (answer.verdict == Verdict::undecided) print_line("undecided", reason(answer));
  print_line("on A", point_text(answer.on_a, answer.triangle_a));
  print_line("on B", point_text(answer.on_b, answer.triangle_b));
}

}  // namespace lamella::cli
