#include "engines/checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engines/pair_finder.hpp"

namespace lamella {

void check_resolution(std::uint32_t resolution, const char* name) {
  if (resolution < 1 || resolution > kMaxResolution)
    throw Error(fmt::format("{} {} is outside 1 to {}", name, resolution, kMaxResolution));
}

void check_min_thickness(float min_thickness) {
  if (!(min_thickness >= 0) || !std::isfinite(min_thickness))
    throw Error(
        fmt::format("min_thickness is {}: it is a fraction of the box's depth, finite and 0 or more", min_thickness));
}

void check_tolerance(const Tolerance& tolerance) {
  const double both = tolerance.relative + tolerance.absolute;
  if (tolerance.relative >= 0 && tolerance.absolute >= 0 && both > 0 && std::isfinite(both)) return;
  throw Error(
      fmt::format("the tolerance is {} of the volume and {}: give one above 0, the other 0 or above, both finite",
                  tolerance.relative, tolerance.absolute));
}

void check_options(const QueryOptions& options) {
  check_resolution(options.resolution);
  check_min_thickness(options.min_thickness);
  if (options.tolerance) check_tolerance(*options.tolerance);
  if (options.ends && !options.keep_spans)
    throw Error("the option ends needs keep_spans: the ends of spans come with the spans");
}

void refuse_ends(std::string_view engine) {
  throw Error(fmt::format("engine {} does not know which triangles end a span: use software or cuda, or leave out ends",
                          engine));
}

Error too_many_crossings(std::uint64_t limit, std::string_view what) {
  const bool can_rise = limit < 0xffffffffu;  // they have 32-bit numbers
  return Error(
      fmt::format("there are more than {} {}, the most allowed: sample more coarsely{}", limit, what,
                  can_rise ? ", or raise the limit (max_crossings, on the command line --max-crossings)" : ""));
}

void SpanBudget::refuse_above(std::uint64_t count) const {
  if (count <= most_) return;
  throw Error(fmt::format(
      "more than {} intervals of rays are inside two objects at once: too many objects overlap; sample more "
      "coarsely, leave some out, or raise the limit (max_spans, on the command line --max-spans)",
      most_));
}

void require_health(const Health& health, bool strict) {
  if (!strict || health.ok()) return;
  throw Error(
      fmt::format("strict: {} of {} columns do not close, {} are inside out, {} triangles were skipped, {} crossings "
                  "dropped and {} edges of holes closed; `lamella info` shows where, `lamella repair` mends it",
                  health.open_columns, health.occupied_columns, health.inside_out_columns, health.skipped_triangles,
                  health.dropped_crossings, health.closed_edges));
}

void require_answer(const Overlap& overlap, bool strict) {
  if (!strict) return;
  if (!overlap.tolerance_met)
    throw Error(
        fmt::format("strict: the volume {} is off by up to {} with {} x {} columns, the most that are tried; "
                    "allow a larger tolerance",
                    overlap.volume, overlap.volume_error, overlap.grid.columns, overlap.grid.rows));
  if (overlap.health.ok() && overlap.verdict != Verdict::undecided) return;
  std::string reasons;
  for (const Doubt& doubt : overlap.doubts) reasons += (reasons.empty() ? "" : "; ") + describe(doubt);
  throw Error("strict: " + reasons);
}

}  // namespace lamella
