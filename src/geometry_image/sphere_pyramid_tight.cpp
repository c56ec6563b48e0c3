#include <algorithm>
#include <cmath>

#include "geometry_image/sphere_pyramid_kernels.hpp"

// Nearly the smallest enclosing spheres, starting from those of the fast fit: the center moves towards the point
// furthest from it, by less each time, and the best position seen is kept. Badoiu, Clarkson ("Smaller core-sets for
// balls", 2003) prove that steps of 1 / i of the way converge; with as few steps as here, steps that shrink
// geometrically get closer.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry_image/sphere_pyramid_tight.cpp"
#include "hwy/foreach_target.h"
// After foreach_target, as Highway asks.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::pyramid::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kSteps = 16;
constexpr float kFirstStep = 0.2f, kShrink = 0.8f;
constexpr std::size_t kMostPoints = 33 * 33;

/// Vertices or spheres to enclose. Padded with copies of the first to a multiple of 16.
struct Cloud {
  HWY_ALIGN float x[kMostPoints + 16], y[kMostPoints + 16], z[kMostPoints + 16], radius[kMostPoints + 16];
  HWY_ALIGN float reach[kMostPoints + 16];
  std::size_t size = 0, padded = 0;

  HWY_INLINE void Add(const Sphere& s) {
    x[size] = s.x;
    y[size] = s.y;
    z[size] = s.z;
    radius[size++] = s.radius;
  }
  HWY_INLINE void Close() {
    padded = (size + 15) / 16 * 16;
    for (std::size_t i = size; i < padded; ++i) {
      x[i] = x[0];
      y[i] = y[0];
      z[i] = z[0];
      radius[i] = radius[0];
    }
  }
};

/// How far a sphere around (x, y, z) must reach, and in `furthest` the first point at that distance.
HWY_INLINE float ReachFrom(Cloud& cloud, float x, float y, float z, std::size_t& furthest) {
  const hn::CappedTag<float, 16> d;
  const auto cx = hn::Set(d, x), cy = hn::Set(d, y), cz = hn::Set(d, z), enlarge = hn::Set(d, kEnlarge);
  auto most = hn::Zero(d);
  for (std::size_t i = 0; i < cloud.padded; i += hn::Lanes(d)) {
    const auto dx = hn::Sub(hn::Load(d, cloud.x + i), cx), dy = hn::Sub(hn::Load(d, cloud.y + i), cy);
    const auto dz = hn::Sub(hn::Load(d, cloud.z + i), cz);
    const auto square = hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
    const auto reach = hn::Add(hn::Mul(hn::Sqrt(square), enlarge), hn::Load(d, cloud.radius + i));
    hn::Store(reach, d, cloud.reach + i);
    most = hn::Max(most, reach);
  }
  most = hn::MaxOfLanes(d, most);
  for (std::size_t i = 0; i < cloud.padded; i += hn::Lanes(d)) {
    const std::intptr_t lane = hn::FindFirstTrue(d, hn::Eq(hn::Load(d, cloud.reach + i), most));
    if (lane < 0) continue;
    furthest = i + static_cast<std::size_t>(lane);
    break;
  }
  return hn::GetLane(most);
}

/// Replaces `sphere` where a smaller one is found.
HWY_INLINE void Shrink(Cloud& cloud, Sphere& sphere) {
  float x = sphere.x, y = sphere.y, z = sphere.z, step = kFirstStep;
  for (int i = 0; i <= kSteps; ++i, step *= kShrink) {
    std::size_t furthest = 0;
    const float reach = ReachFrom(cloud, x, y, z, furthest), radius = reach * kEnlargeSum + kLeast;
    if (radius < sphere.radius) sphere = {x, y, z, radius};
    x += (cloud.x[furthest] - x) * step;
    y += (cloud.y[furthest] - y) * step;
    z += (cloud.z[furthest] - z) * step;
  }
}

/// Sets the radius to what (2^k + 1)^2 vertices from `first` on need; k > 4.
HWY_INLINE void ReachVertices(const Vec3* first, std::size_t side, int k, Sphere& sphere) {
  using D = hn::CappedTag<float, 16>;
  const D d;
  const auto square_of = [&](auto dx, auto dy, auto dz) {
    return hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
  };
  const auto cx = hn::Set(d, sphere.x), cy = hn::Set(d, sphere.y), cz = hn::Set(d, sphere.z);
  const std::size_t step = std::size_t{1} << k;
  auto most = hn::Zero(d);
  for (std::size_t v = 0; v <= step; ++v) {
    const Vec3* const row = first + v * side;
    for (std::size_t u = 0; u < step; u += hn::Lanes(d)) {
      hn::Vec<D> x, y, z;
      hn::LoadInterleaved3(d, &row[u].x, x, y, z);
      most = hn::Max(most, square_of(hn::Sub(x, cx), hn::Sub(y, cy), hn::Sub(z, cz)));
    }
    const Vec3 last = row[step];
    most = hn::Max(most, square_of(hn::Sub(hn::Set(d, last.x), cx), hn::Sub(hn::Set(d, last.y), cy),
                                   hn::Sub(hn::Set(d, last.z), cz)));
  }
  const float radius = std::sqrt(hn::GetLane(hn::MaxOfLanes(d, most))) * kEnlarge + kLeast;
  sphere.radius = std::min(sphere.radius, radius);
}

/// The same for spheres of few vertices, (2^k + 1)^2, with one sphere per lane.
template <int k>
HWY_INLINE void ShrinkRowByLanes(const Vec3* positions, const Places& places, std::size_t y) {
  using D = hn::CappedTag<float, 16>;
  using V = hn::Vec<D>;
  const D d;
  const hn::RebindToSigned<D> di;
  constexpr std::size_t kStep = std::size_t{1} << k, kPoints = (kStep + 1) * (kStep + 1);
  const std::size_t side = places.side(0) + 1;
  const auto index = hn::Mul(hn::Iota(di, 0), hn::Set(di, 3 << k));
  for (std::size_t i = 0; i < places.side(k); i += hn::Lanes(d)) {
    V px[kPoints], py[kPoints], pz[kPoints];
    for (std::size_t j = 0; j < kPoints; ++j) {
      const Vec3* const first = positions + (y * kStep + j / (kStep + 1)) * side + i * kStep + j % (kStep + 1);
      px[j] = hn::GatherIndex(d, &first->x, index);
      py[j] = hn::GatherIndex(d, &first->y, index);
      pz[j] = hn::GatherIndex(d, &first->z, index);
    }
    float* const spheres = &places.row(k, y)[i].x;
    V best_x, best_y, best_z, best_radius;
    hn::LoadInterleaved4(d, spheres, best_x, best_y, best_z, best_radius);
    V cx = best_x, cy = best_y, cz = best_z;
    float step = kFirstStep;
    for (int round = 0; round <= kSteps; ++round, step *= kShrink) {
      V most = hn::Set(d, -1.0f), far_x = cx, far_y = cy, far_z = cz;
      for (std::size_t j = 0; j < kPoints; ++j) {
        const auto dx = hn::Sub(px[j], cx), dy = hn::Sub(py[j], cy), dz = hn::Sub(pz[j], cz);
        const auto square = hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
        const auto further = hn::Gt(square, most);
        most = hn::Max(square, most);
        far_x = hn::IfThenElse(further, dx, far_x);
        far_y = hn::IfThenElse(further, dy, far_y);
        far_z = hn::IfThenElse(further, dz, far_z);
      }
      const auto radius = hn::Add(hn::Mul(hn::Sqrt(most), hn::Set(d, kEnlarge)), hn::Set(d, kLeast));
      const auto better = hn::Lt(radius, best_radius);
      best_x = hn::IfThenElse(better, cx, best_x);
      best_y = hn::IfThenElse(better, cy, best_y);
      best_z = hn::IfThenElse(better, cz, best_z);
      best_radius = hn::Min(radius, best_radius);
      cx = hn::Add(cx, hn::Mul(far_x, hn::Set(d, step)));
      cy = hn::Add(cy, hn::Mul(far_y, hn::Set(d, step)));
      cz = hn::Add(cz, hn::Mul(far_z, hn::Set(d, step)));
    }
    hn::StoreInterleaved4(best_x, best_y, best_z, best_radius, d, spheres);
  }
}

void ShrinkRows(const Vec3* positions, const Places& places, int k, std::size_t begin, std::size_t end) {
  if (k <= 1 && places.side(k) >= 16) {
    for (std::size_t y = begin; y < end; ++y)
      if (k == 0)
        ShrinkRowByLanes<0>(positions, places, y);
      else
        ShrinkRowByLanes<1>(positions, places, y);
    return;
  }
  Cloud cloud;
  const std::size_t side = places.side(0) + 1;
  for (std::size_t y = begin; y < end; ++y)
    for (std::size_t x = 0; x < places.side(k); ++x) {
      cloud.size = 0;
      if (k <= kShrinkDepth) {
        const std::size_t step = std::size_t{1} << k;
        for (std::size_t v = y * step; v <= (y + 1) * step; ++v)
          for (std::size_t u = x * step; u <= (x + 1) * step; ++u) {
            const Vec3 p = positions[v * side + u];
            cloud.Add({p.x, p.y, p.z, 0});
          }
      } else {
        const std::size_t step = std::size_t{1} << kShrinkDepth;
        for (std::size_t v = y * step; v < (y + 1) * step; ++v)
          for (std::size_t u = x * step; u < (x + 1) * step; ++u) cloud.Add(places.row(k - kShrinkDepth, v)[u]);
      }
      cloud.Close();
      Sphere& sphere = places.row(k, y)[x];
      Shrink(cloud, sphere);
      if (k > kShrinkDepth) ReachVertices(positions + (y * side + x) * (std::size_t{1} << k), side, k, sphere);
    }
}

}  // namespace lamella::pyramid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::pyramid {

HWY_EXPORT(ShrinkRows);

void shrink_rows(const Vec3* positions, const Places& places, int k, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(ShrinkRows)(positions, places, k, begin, end);
}

}  // namespace lamella::pyramid
#endif  // HWY_ONCE
