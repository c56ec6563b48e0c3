#pragma once

#include <span>

#include "lamella/streamed.hpp"
#include "stream/limits.hpp"

namespace lamella::stream {

/// Throws Error for options out of range, and for those that need the whole mesh.
void check_stream_options(const Options& options);

/// Throws Error for a scale or a pose that is none.
void check_placement(const StreamedMesh& mesh);

/// The limits of a query: of its budget less what meshes in memory take. Where the caller leaves the number of threads
/// open, it becomes one that the budget suffices for.
[[nodiscard]] Limits limits_of(std::span<const StreamedMesh* const> meshes, const StreamOptions& stream,
                               Options& options);

}  // namespace lamella::stream
