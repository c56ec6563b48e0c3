#include "proof/outcodes.hpp"

#include <atomic>
#include <cmath>
#include <limits>

namespace lamella::proof {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float rounded_up(double x) {
  const auto f = static_cast<float>(x);
  return f < x ? std::nextafter(f, kInfinity) : f;
}
float rounded_down(double x) {
  const auto f = static_cast<float>(x);
  return f > x ? std::nextafter(f, -kInfinity) : f;
}

void collect(MeshView mesh, const std::uint8_t* codes, std::size_t begin, std::size_t end,
             std::vector<std::uint32_t>& out) {
  out.clear();
  for (std::size_t i = begin; i < end; ++i) {
    const Triangle& t = mesh.triangles[i];
    if ((codes[t.a] & codes[t.b] & codes[t.c]) == 0) out.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace

Outcodes outcodes_of(Vec3d low, Vec3d high) {
  return {{rounded_up(low.x), rounded_up(low.y), rounded_up(low.z)},
          {rounded_down(high.x), rounded_down(high.y), rounded_down(high.z)}};
}

void find_inside_candidates(MeshView mesh, const Outcodes& box, Workers& workers, std::vector<std::uint8_t>& codes,
                            std::vector<std::vector<std::uint32_t>>& chunks, EdgeSums* sums) {
  if (codes.size() < mesh.positions.size()) codes.resize(mesh.positions.size());
  const std::size_t count = (mesh.triangles.size() + kOutcodeChunk - 1) / kOutcodeChunk;
  if (chunks.size() < count) chunks.resize(count);
  workers.for_chunks(mesh.positions.size(), kOutcodeChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    write_outcodes(mesh.positions.subspan(begin, end - begin), box.low, box.high, codes.data() + begin);
  });
  std::atomic<std::uint32_t> first{0}, second{0};
  workers.for_chunks(mesh.triangles.size(), kOutcodeChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    std::vector<std::uint32_t>& found = chunks[begin / kOutcodeChunk];
    if (sums == nullptr) return collect(mesh, codes.data(), begin, end, found);
    found.clear();
    const EdgeSums own = collect_and_sum(mesh.triangles.subspan(begin, end - begin), static_cast<std::uint32_t>(begin),
                                         codes.data(), found);
    first += own.first;
    second += own.second;
  });
  if (sums != nullptr) *sums = {first, second};
}

}  // namespace lamella::proof
