#pragma once

#include <span>

#include "lamella/result.hpp"
#include "stream/stream_sampler.hpp"

namespace lamella::stream {

/// The verdict on an overlap, as Engine::judge() gives it, with `out` and `longest` as there. Takes a pass over the
/// meshes where the sums do not suffice, and may sample each mesh once more to find out which one a doubt is about.
/// `room`: bytes for triangles that rays meet; more are an Error.
void judge(StreamSampler& sampler, std::span<const PlacedSource* const> meshes, const QueryOptions& options,
           std::uint64_t room, std::span<const Span> longest, Overlap& out);

/// Notes meshes that are not closed. A pair that would be clear is then undecided.
void judge_closed(const StreamSampler& sampler, std::size_t meshes, Overlap& out);

}  // namespace lamella::stream
