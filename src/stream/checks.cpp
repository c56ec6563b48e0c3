#include "stream/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/check_pose.hpp"
#include "core/parallel.hpp"
#include "engines/checks.hpp"
#include "lamella/error.hpp"

namespace lamella::stream {

void check_stream_options(const Options& options) {
  check_options(options.for_query());
  if (options.engine != "automatic" && options.engine != "software")
    throw Error(fmt::format("engine {} cannot read meshes in parts: leave the choice to automatic, or take software",
                            options.engine));
  const std::pair<bool, std::string_view> refused[] = {{options.tolerance.has_value(), "tolerance"},
                                                       {options.certify, "certify"},
                                                       {options.exact, "exact"},
                                                       {options.ends, "ends"},
                                                       {options.around_points, "around_points"}};
  for (const auto& [given, name] : refused)
    if (given)
      throw Error(
          fmt::format("the option {} needs the whole mesh in memory: leave it out, or the limit of memory", name));
}

void check_placement(const StreamedMesh& mesh) {
  check_pose(mesh.pose, kPoseTolerance);
  if (!(mesh.scale > 0) || !std::isfinite(mesh.scale))
    throw Error(fmt::format("a mesh cannot be scaled by {}: give a number above 0", mesh.scale));
}

Limits limits_of(std::span<const StreamedMesh* const> meshes, const StreamOptions& stream, Options& options) {
  std::uint64_t taken = 0;
  for (const StreamedMesh* mesh : meshes) taken += mesh->source.memory();
  const unsigned available = Workers(options.threads).count();
  if (options.threads == 0) options.threads = workers_for(stream.memory - std::min(taken, stream.memory), available);
  return limits_for(stream.memory, options.threads == 0 ? available : std::min(options.threads, available), taken);
}

}  // namespace lamella::stream
