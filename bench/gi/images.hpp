#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/commands.hpp"
#include "lamella/image_collide.hpp"

namespace lamella::bench {

/// The rabbit, or the mesh that was asked for instead, in a ball of `radius` about the origin.
[[nodiscard]] std::shared_ptr<const ImageBody> bench_body(const GiArgs& args, int n, double radius);

/// The same surface with (2^n + 1)^2 vertices: fewer by leaving out, more by halving every edge, which moves nothing.
[[nodiscard]] ImageBody resized(const ImageBody& body, int n);

/// Of an image's positions and spheres; normals, which no search looks at, are left out.
[[nodiscard]] std::uint64_t body_bytes(int n);
/// Whether so much can be had without swapping.
[[nodiscard]] bool memory_allows(std::uint64_t bytes);

/// A body beside itself, seen from any side: `touching` shares a little, `apart` just does not.
struct Closeness {
  Transform a, touching, apart;
};
/// As many as asked for, the same for every call with the same body. Surfaces overlap by a hundredth of the body's
/// radius, or miss each other by `gap` of it.
[[nodiscard]] std::vector<Closeness> close_placements(const ImageBody& body, std::size_t count, double gap);

}  // namespace lamella::bench
