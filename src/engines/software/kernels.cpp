#include "engines/software/kernels.hpp"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/software/kernels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target, as Highway asks.
#include "engines/software/kernels-inl.hpp"
#include "hwy/highway.h"

#if HWY_ONCE
namespace lamella::software {

HWY_EXPORT(Bounds);
HWY_EXPORT(MaxIndex);
HWY_EXPORT(Snap);
HWY_EXPORT(Cull);
HWY_EXPORT(Rasterize);
HWY_EXPORT(FillRow);
HWY_EXPORT(InstructionSet);

HWY_NOINLINE void collect_differences(std::span<const Triangle> triangles, const Snapped* snapped, std::uint32_t* first,
                         std::uint32_t* second) {
  const auto at = [snapped](std::uint32_t i) { return std::bit_cast<std::uint64_t>(snapped[i]); };
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Triangle t = triangles[i];
    const std::uint64_t a = at(t.a);
    const std::uint64_t differ = (a ^ at(t.b)) | (a ^ at(t.c));
    first[i] = static_cast<std::uint32_t>(differ);
    second[i] = static_cast<std::uint32_t>(differ >> 32);
  }
}

Aabb bounds(std::span<const Vec3> positions) { return HWY_DYNAMIC_DISPATCH(Bounds)(positions); }

std::uint32_t max_index(std::span<const Triangle> triangles) { return HWY_DYNAMIC_DISPATCH(MaxIndex)(triangles); }

std::size_t snap(std::span<const Vec3> positions, const RasterTarget& target, Snapped* out) {
  return HWY_DYNAMIC_DISPATCH(Snap)(positions, target, out);
}

std::size_t cull(std::span<const Triangle> triangles, const Snapped* snapped, std::uint32_t first, std::uint32_t* ids) {
  return HWY_DYNAMIC_DISPATCH(Cull)(triangles, snapped, first, ids);
}

void rasterize(const Batch& batch, std::int32_t limit, const RasterTarget& target, FragmentBuffer& out, LeftOver& left) {
  HWY_DYNAMIC_DISPATCH(Rasterize)(batch, limit, target, out, left);
}

void fill_row(const RowSpan& span, const TriangleDepth& depth, float box_depth, FragmentBuffer& out) {
  HWY_DYNAMIC_DISPATCH(FillRow)(span, depth, box_depth, out);
}

const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(InstructionSet)(); }

}  // namespace lamella::software
#endif  // HWY_ONCE
