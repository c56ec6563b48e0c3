#include "engines/software/kernels.hpp"

#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/software/kernels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target, as Highway asks.
#include "engines/software/kernels-inl.hpp"
#include "hwy/highway.h"

#if HWY_ONCE
namespace lamella::software {

HWY_EXPORT(Bounds);
HWY_EXPORT(Snap);
HWY_EXPORT(Cull);
HWY_EXPORT(Rasterize);
HWY_EXPORT(FillRow);
HWY_EXPORT(InstructionSet);

HWY_NOINLINE void collect_differences(std::span<const Triangle> triangles, const Snapped* snapped,
                                      std::uint64_t* differ) {
  const auto at = [snapped](std::uint64_t i) { return std::bit_cast<std::uint64_t>(snapped[i]); };
  const auto low = [](std::uint64_t pair) { return pair & 0xffffffffu; };
  const auto load_pair = [&](std::size_t triangle, std::size_t n) {
    std::uint64_t pair;
    std::memcpy(&pair, reinterpret_cast<const char*>(&triangles[triangle]) + n * sizeof pair, sizeof pair);
    return pair;
  };
  std::size_t i = 0;
  for (; i + 2 <= triangles.size(); i += 2) {  // six indices in three loads
    const std::uint64_t ab = load_pair(i, 0), cd = load_pair(i, 1), ef = load_pair(i, 2);
    const std::uint64_t a = at(low(ab)), d = at(cd >> 32);
    differ[i] = (a ^ at(ab >> 32)) | (a ^ at(low(cd)));
    differ[i + 1] = (d ^ at(low(ef))) | (d ^ at(ef >> 32));
  }
  for (; i < triangles.size(); ++i) {
    const std::uint64_t a = at(triangles[i].a);
    differ[i] = (a ^ at(triangles[i].b)) | (a ^ at(triangles[i].c));
  }
}

Aabb bounds(std::span<const Vec3> positions) { return HWY_DYNAMIC_DISPATCH(Bounds)(positions); }

std::size_t snap(std::span<const Vec3> positions, const RasterTarget& target, Snapped* out, float* w) {
  return HWY_DYNAMIC_DISPATCH(Snap)(positions, target, out, w);
}

std::size_t cull(std::span<const Triangle> triangles, std::span<const Snapped> vertices, std::uint32_t first,
                 std::uint32_t* ids) {
  return HWY_DYNAMIC_DISPATCH(Cull)(triangles, vertices, first, ids);
}

void rasterize(const Batch& batch, std::int32_t limit, const RasterTarget& target, FragmentBuffer& out,
               LeftOver& left) {
  HWY_DYNAMIC_DISPATCH(Rasterize)(batch, limit, target, out, left);
}

void fill_row(const RowSpan& span, const TriangleDepth& depth, float box_depth, FragmentBuffer& out) {
  HWY_DYNAMIC_DISPATCH(FillRow)(span, depth, box_depth, out);
}

const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(InstructionSet)(); }

}  // namespace lamella::software
#endif  // HWY_ONCE
