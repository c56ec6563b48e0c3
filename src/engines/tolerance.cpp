// From a tolerance to a ray axis and a resolution. A coarse grid is tried along all three axes, the one with the
// smallest error is kept, and its resolution is raised until the error is small enough.
//
// Columns are not refined one by one where they disagree with their neighbours (Wang, Faure, Pai: "Adaptive image-based
// intersection volume", 2012): see docs/error-bars.md for what that would gain.

#include "engines/tolerance.hpp"

#include <algorithm>
#include <cmath>

#include "lamella/elementary.hpp"

namespace lamella {
namespace {

constexpr std::uint32_t kCoarse = 64;
/// Where nothing was found on the coarse grids: what is sampled when nothing is asked for.
constexpr std::uint32_t kNothingFound = QueryOptions{}.resolution;

/// The resolution that should suffice. The error falls with about the square of the resolution, more slowly where faces
/// are parallel to the rays; what is a little too fine costs less than a grid in vain.
std::uint32_t next_resolution(std::uint32_t now, double error, double allowed) {
  constexpr double kRate = 1.7, kMargin = 1.15, kLeast = 1.5, kMost = 8;
  constexpr std::uint32_t kMultiple = 32;
  const double factor = allowed > 0 ? elementary::pow(error / allowed, 1 / kRate) * kMargin : kMost;
  const double wanted = now * std::clamp(factor, kLeast, kMost);
  const auto rounded = (static_cast<std::uint32_t>(wanted) + kMultiple - 1) / kMultiple * kMultiple;
  return std::min(rounded, kMostForTolerance);
}

/// One search.
struct Search {
  const Tolerance& tolerance;
  const std::function<void(const QueryOptions&)>& ask;
  Overlap& out;
  Timings ms{};
  std::uint64_t read_back_bytes = 0;
  // What is known of the axis that is followed.
  std::optional<Axis> axis{};
  double volume = 0, error = 0;

  /// A volume of 0 is enough only where nothing overlaps for certain, as far as sampling knows.
  [[nodiscard]] bool met() const { return volume > 0 ? error <= tolerance.of(volume) : !out.colliding(); }

  [[nodiscard]] bool is_proved_clear() const { return out.certificate.certain && !out.colliding(); }

  void sample(const QueryOptions& options) {
    ask(options);
    ms += out.ms;
    read_back_bytes += out.read_back_bytes;
  }
  void follow() {
    if (out.grid.column_count() != 0) axis = out.grid.axis;
    volume = out.volume;
    error = out.volume_error;
  }

  /// Samples along the other two axes, and follows the best of three. Ends at once where one suffices.
  void compare_axes(QueryOptions options) {
    const int first = out.grid.w();
    for (const int other : {(first + 1) % 3, (first + 2) % 3}) {
      if (volume > 0 && met()) return;
      options.axis = static_cast<Axis>(other);
      sample(options);
      const bool better = volume > 0 ? out.volume_error * volume < error * out.volume : out.volume > 0;
      if (better) follow();
    }
  }

  void run(QueryOptions options) {
    options.resolution = kCoarse;
    sample(options);
    follow();
    if (!axis || is_proved_clear()) return;  // nothing to sample, or nothing to find
    if (!options.axis) compare_axes(options);
    if (volume > 0) {
      options.axis = axis;
    } else {
      options.resolution = kNothingFound;
      sample(options);
      follow();
    }
    while (!met() && options.resolution < kMostForTolerance) {
      options.resolution = next_resolution(options.resolution, error, tolerance.of(volume));
      sample(options);
      follow();
    }
  }
};

}  // namespace

void sample_to_tolerance(const QueryOptions& options, const std::function<void(const QueryOptions&)>& ask,
                         Overlap& out) {
  Search search{*options.tolerance, ask, out};
  search.run(options);
  out.ms = search.ms;
  out.read_back_bytes = search.read_back_bytes;
  out.tolerance_met = search.met();
}

}  // namespace lamella
