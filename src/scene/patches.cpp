// Contact patches: one for each connected region that two objects share, from the spans of all three views.
//
// The volume of a region changes with a shift of b by the integral of b's outward normals over its surface inside a,
// and with a shift of a by the integral over a's surface inside b. A region is closed, so that these two cancel: the
// direction in which the volume falls fastest when a moves is that of their difference. Faure et al., "Image-based
// Collision Detection and Response between Arbitrary Volume Objects", 2008, sum the same pixels of three views to
// contact forces.
//
// A span's end on a face with normal n stands for a piece of surface of cell / |n_w|. Each of the three views sees
// every piece, so that weights n_w^2, which sum to 1, give each the area cell * |n_w|: views that see a piece from the
// side, with few rays, count little. That is less noisy than to take each component of the normal from its own view.

#include "scene/patches.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lamella {
namespace {

/// Least cosine between a ray and a normal where only one view was sampled.
constexpr double kLeastCosine = 0.1;

/// Below this, ContactPatch::one_sided is so low that noise turns the normal: the area seen along it would not
/// converge.
constexpr double kCertain = 0.3;

/// So many times the spans of the own view.
constexpr std::size_t kFarMore = 16;

Vec3d unit_normal(MeshView mesh, std::uint32_t triangle) {
  const Triangle t = mesh.triangles[triangle];
  const Vec3d a = to_double(mesh.positions[t.a]);
  const Vec3d n = cross(to_double(mesh.positions[t.b]) - a, to_double(mesh.positions[t.c]) - a);
  const double l = length(n);
  return l > 0 ? n * (1 / l) : Vec3d{};
}

/// The pair's own view, unless another has far more spans: that sees a film face on which the own one sees from the
/// side.
const PairView& view_to_sum(std::span<const PairView> views) {
  const PairView& most = *std::max_element(
      views.begin(), views.end(), [](const PairView& x, const PairView& y) { return x.spans.size() < y.spans.size(); });
  return most.spans.size() > kFarMore * views.front().spans.size() ? most : views.front();
}

/// Where the surfaces cancel to nothing: from b to a along the rays of a view, or just along them.
Vec3d any_normal(const PairView& own) {
  Vec3d w;
  const Grid& grid = own.group->grid;
  const auto& objects = own.group->objects;
  const auto middle = [&](std::uint32_t i) { return center(bounds(objects[i].mesh))[grid.w()]; };
  w[grid.w()] = middle(own.candidate.a) < middle(own.candidate.b) ? -1 : 1;
  return w;
}

}  // namespace

void PatchMaker::find_regions(std::span<const PairView> views, const PairView& own) {
  regions_.find(own);
  region_of_.resize(own.spans.size());
  std::iota(region_of_.begin(), region_of_.end(), 0u);
  for (const PairView& other : views)
    if (&other != &own) regions_.join(other, region_of_);
  sums_.assign(regions_.number(), {});
  for (std::uint32_t& place : region_of_)
    if (place != Regions::kNoSpan) place = regions_[place];
}

template <class Each>
void PatchMaker::for_views(std::span<const PairView> views, const PairView& own, const Each& each) const {
  std::span<const std::uint32_t> regions = region_of_;
  each(own, regions.first(own.spans.size()));
  regions = regions.subspan(own.spans.size());
  for (const PairView& other : views) {
    if (&other == &own) continue;
    each(other, regions.first(other.spans.size()));
    regions = regions.subspan(other.spans.size());
  }
}

void PatchMaker::sum_lengths(const PairView& own) {
  CellCursor cell(own.group->grid);
  for (std::size_t i = 0; i < own.spans.size(); ++i) {
    const PairSpan& s = own.spans[i];
    Sums& sum = sums_[region_of_[i]];
    const double l = s.length;
    cell.move_to(s.column);
    ++sum.spans;
    sum.length += l;
    sum.moment += Vec3d{(cell.u + 0.5) * l, (cell.v + 0.5) * l, 0.5 * l * (static_cast<double>(s.begin) + s.end)};
  }
}

void PatchMaker::add_end(const PairView& view, std::uint32_t face, std::uint32_t region, FaceNormal& known,
                         bool all_axes) {
  const Group& group = *view.group;
  const std::uint32_t object = group.object_of(face);
  if (known.face != face) {
    const GroupObject& o = group.objects[object];
    known = {face, unit_normal(o.mesh, face - o.first_face)};
  }
  const double cosine = std::abs(known.normal[group.grid.w()]);
  const double area = group.grid.cell_area() * (all_axes ? cosine : 1 / std::max(cosine, kLeastCosine));
  const Vec3d piece = known.normal * (object == view.candidate.b ? area : -area);
  Sums& sum = sums_[region];
  sum.normal += piece;
  sum.area += area;
  ends_.push_back({region, to_float(piece)});
}

void PatchMaker::sum_surfaces(const PairView& view, std::span<const std::uint32_t> regions, bool all_axes) {
  FaceNormal begin, end;
  for (std::size_t i = 0; i < view.spans.size(); ++i) {
    if (regions[i] == Regions::kNoSpan) continue;
    add_end(view, view.spans[i].begin_face, regions[i], begin, all_axes);
    add_end(view, view.spans[i].end_face, regions[i], end, all_axes);
  }
}

/// Regions that are close to one another count for one another.
void PatchMaker::link_regions(std::span<const PairView> views, const PairView& own, const Aabb& shared) {
  around_.assign(sums_.begin(), sums_.end());
  areas_.clear();
  for (const Sums& sum : sums_) areas_.push_back(sum.spans * own.group->grid.cell_area());
  links_.start(areas_, shared);
  if (sums_.size() > 1)
    for_views(views, own,
              [&](const PairView& view, std::span<const std::uint32_t> regions) { links_.add(view, regions); });
  links_.join();
  for (std::uint32_t i = 0; i < sums_.size(); ++i)
    for (const RegionLinks::Link& link : links_.of(i)) {
      const Sums& other = sums_[link.region];
      around_[i].length += link.weight * other.length;
      around_[i].normal += other.normal * link.weight;
      around_[i].area += link.weight * other.area;
    }
}

/// The normals of the regions, and how large their surfaces are, seen along these.
void PatchMaker::find_normals(const PairView& own) {
  for (Sums& sum : around_) {
    sum.net = length(sum.normal);
    sum.normal = sum.net > 0 ? sum.normal * (1 / sum.net) : any_normal(own);
  }
  for (const End& end : ends_) {
    const Vec3d piece = to_double(end.normal);
    const auto add = [&](std::uint32_t region, double weight) {
      around_[region].projected += weight * std::abs(dot(piece, around_[region].normal));
    };
    add(end.region, 1);
    for (const RegionLinks::Link& link : links_.of(end.region)) add(link.region, link.weight);
  }
}

/// Its place and volume are its own; normal and depth are those of what is around it.
ContactPatch PatchMaker::patch_of(std::uint32_t region, const Grid& grid) const {
  ContactPatch patch;
  const Sums &own = sums_[region], &sum = around_[region];
  const Vec3d middle = own.moment * (1 / own.length);
  patch.center[grid.u()] = grid.box.min[grid.u()] + middle.x * grid.cell_u();
  patch.center[grid.v()] = grid.box.min[grid.v()] + middle.y * grid.cell_v();
  patch.center[grid.w()] = grid.box.min[grid.w()] + middle.z;
  patch.normal = sum.normal;
  patch.volume = own.length * grid.cell_area();
  patch.one_sided = sum.projected > 0 ? std::min(1.0, sum.net / sum.projected) : 0;
  const double certain = std::min(1.0, patch.one_sided / kCertain);
  // Half of the area of a's and b's surfaces together; over all directions, a surface's mean is half of its area
  // (Cauchy).
  const double area = (certain * sum.projected + (1 - certain) * sum.area / 2) / 2;
  if (area > 0) {
    patch.depth = sum.length * grid.cell_area() / area;
    patch.area = area * (own.length / sum.length);
  }
  patch.span_count = own.spans;
  return patch;
}

void PatchMaker::make(std::span<const PairView> views, const Aabb& shared, bool all_axes,
                      std::vector<ContactPatch>& out) {
  const PairView& own = view_to_sum(views);
  find_regions(views, own);
  sum_lengths(own);
  ends_.clear();
  for_views(views, own, [&](const PairView& view, std::span<const std::uint32_t> regions) {
    sum_surfaces(view, regions, all_axes);
  });
  link_regions(views, own, shared);
  find_normals(own);
  order_.resize(sums_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t x, std::uint32_t y) {
    return sums_[x].length != sums_[y].length ? sums_[x].length > sums_[y].length : x < y;
  });
  for (const std::uint32_t i : order_) out.push_back(patch_of(i, own.group->grid));
}

}  // namespace lamella
