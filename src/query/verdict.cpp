#include "query/verdict.hpp"

#include <fmt/format.h>

namespace lamella {
namespace {

std::string name_of(const Doubt& doubt, std::span<const std::string> names) {
  if (doubt.mesh < 0) return names.size() == 1 ? names[0] : "a mesh";
  if (static_cast<std::size_t>(doubt.mesh) < names.size()) return names[static_cast<std::size_t>(doubt.mesh)];
  return doubt.mesh == 0 ? "the first mesh" : "the second mesh";
}

std::string counted(std::uint64_t n, const char* noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

}  // namespace

std::string describe(const Doubt& doubt, std::span<const std::string> names) {
  const std::string name = name_of(doubt, names);
  switch (doubt.cause) {
    case Doubt::Cause::open_columns:
      if (doubt.count == 0)
        return fmt::format("{}: edges do not match, so that it is not closed: close it (lamella repair)", name);
      return fmt::format(
          "{}: {} {} not close, since the mesh has holes: close them (lamella repair, or the option close_holes)", name,
          counted(doubt.count, "column"), doubt.count == 1 ? "does" : "do");
    case Doubt::Cause::inside_out:
      return fmt::format("{}: faces look inwards in {}: turn them around (lamella repair, or the function repair)",
                         name, counted(doubt.count, "column"));
    case Doubt::Cause::skipped_triangles:
      return fmt::format("{}: {} left out, with vertices that are not finite or too far away: remove or mend them",
                         name, counted(doubt.count, "triangle"));
    case Doubt::Cause::dropped_crossings:
      return fmt::format("{} were lost by the engine's method: use another engine", counted(doubt.count, "crossing"));
    case Doubt::Cause::touching:
      return fmt::format("the surfaces touch within the error of sampling, along {}: sample more finely",
                         counted(doubt.count, "ray"));
    case Doubt::Cause::closed_holes:
      return fmt::format(
          "{}: holes of {} were closed by fans: where the answer depends on them, close them as they "
          "should be (lamella info shows where they are)",
          name, counted(doubt.count, "edge"));
  }
  return {};
}

}  // namespace lamella
