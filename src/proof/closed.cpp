// Each vertex has numbers x and y as good as random, and the edge from p to q counts x_p y_q - y_p x_q, which is the
// negative of what the edge from q to p counts. All is in integers modulo a power of two. If the edges do not cancel,
// the sum is a polynomial in the numbers that is not 0, and it is 0 only by chance. By index there are two sums modulo
// 2^32 (kernels.hpp); by coordinates, for meshes whose triangles share no vertices, one modulo 2^64.

#include "proof/closed.hpp"

#include <atomic>
#include <bit>
#include <cstdint>

#include "core/mesh_check.hpp"

namespace lamella::proof {
namespace {

constexpr std::size_t kChunk = 65536;

struct Number {
  std::uint64_t x, y;
};

constexpr std::uint64_t mixed(std::uint64_t v) {
  v *= 0x9e3779b97f4a7c15u;
  v ^= v >> 32;
  v *= 0xd6e8feb86659fd93u;
  return v ^ v >> 29;
}
constexpr Number number_of(std::uint64_t v) {
  const std::uint64_t x = mixed(v + 0x632be59bd9b4e019u);
  return {x, (x ^ v) * 0xff51afd7ed558ccdu ^ x >> 33};
}

Number number_of_place(Vec3 p) {
  const auto bits = [](float x) { return std::uint64_t{std::bit_cast<std::uint32_t>(x == 0 ? 0.0f : x)}; };
  return number_of(mixed(bits(p.x) | bits(p.y) << 32) + bits(p.z));
}

bool cancel_by_index(MeshView mesh, Workers& workers) {
  std::atomic<std::uint32_t> first{0}, second{0};
  workers.for_chunks(mesh.triangles.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    const EdgeSums sums = sum_edges(mesh.triangles.subspan(begin, end - begin));
    first += sums.first;
    second += sums.second;
  });
  return first == 0 && second == 0;
}

bool cancel_by_place(MeshView mesh, Workers& workers) {
  std::atomic<std::uint64_t> total{0};
  workers.for_chunks(mesh.triangles.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    std::uint64_t sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Triangle& t = mesh.triangles[i];
      const Number a = number_of_place(mesh.positions[t.a]), b = number_of_place(mesh.positions[t.b]),
                   c = number_of_place(mesh.positions[t.c]);
      sum += a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y);
    }
    total += sum;
  });
  return total == 0;
}

}  // namespace

bool is_closed(MeshView mesh, bool all_usable, Workers& workers, const std::optional<EdgeSums>& sums) {
  if (!all_usable)
    for (const Triangle& t : mesh.triangles)
      if (!usable(mesh, t)) return false;
  if (sums && sums->first == 0 && sums->second == 0) return true;
  return (!sums && cancel_by_index(mesh, workers)) || cancel_by_place(mesh, workers);
}

}  // namespace lamella::proof
