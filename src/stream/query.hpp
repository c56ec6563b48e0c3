#pragma once

#include "lamella/streamed.hpp"
#include "stream/limits.hpp"

namespace lamella::stream {

// The queries of lamella/streamed.hpp with limits of the caller's. `report` must not be null.

void intersect(const StreamedMesh& a, const StreamedMesh& b, const Options& options, const StreamOptions& stream,
               const Limits& limits, Overlap& out, StreamReport& report);
void self_intersect(const StreamedMesh& mesh, const Options& options, const StreamOptions& stream, const Limits& limits,
                    SelfOverlap& out, StreamReport& report);
void contains(const StreamedMesh& mesh, const StreamedPoints& points, const std::optional<Aabb>& box,
              const Options& options, const StreamOptions& stream, const Limits& limits, Containment& out,
              StreamReport& report);

}  // namespace lamella::stream
