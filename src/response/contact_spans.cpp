// Spans of an overlap with the triangles that bound them, from layered depth images along the three axes (Faure,
// Barbier, Allard, Falipou, "Image-based Collision Detection and Response between Arbitrary Volumetric Objects", 2008).
// They rasterise on a GPU, and take the volume's gradient from each view for its own axis; so do we. Our columns close
// exactly, and know whole windings: meshes may overlap themselves.
//
// How deep an overlap is at a place is the shortest of the three ways along the axes, each taken along the normal. One
// view alone would take a thin slab of overlap for a deep one where it looks along it, and push the slab's rims apart.

#include "response/contact_spans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "core/positions.hpp"
#include "core/window.hpp"
#include "query/column_walk.hpp"

namespace lamella::response {
namespace {

/// As Options::min_thickness: of the box's depth.
constexpr double kThinnest = 0x1p-20;

/// How much less a view may face surfaces and still see them as well.
constexpr double kAsWell = 0.9;

/// Most cells along a side, however small they are to be.
constexpr double kMostCells = 4096;

Grid grid_along(const Aabb& box, int axis, double cell) {
  const auto cells = [&](int side) {
    return static_cast<std::uint32_t>(
        std::clamp(std::ceil(static_cast<double>(extent(box)[side]) / cell), 1.0, double{kMaxResolution}));
  };
  return {box, static_cast<Axis>(axis), cells((axis + 1) % 3), cells((axis + 2) % 3)};
}

Aabb shared(const Aabb& a, const Aabb& b) {
  Aabb s;
  for (int i = 0; i < 3; ++i) {
    s.min[i] = std::max(a.min[i], b.min[i]);
    s.max[i] = std::min(a.max[i], b.max[i]);
  }
  return s;
}

/// Whether something can be sampled in it: sides above 0, and no overflow.
bool has_volume(const Aabb& box) {
  const Vec3 size = extent(box);
  return size.x > 0 && size.y > 0 && size.z > 0 && std::isfinite(size.x) && std::isfinite(size.y) &&
         std::isfinite(size.z);
}

/// A little larger. A crossing beyond the box counts as one on its face; a surface that lies on the face itself, as the
/// smaller mesh's does, must come before or after it.
Aabb padded(const Aabb& box) {
  const Vec3 size = extent(box);
  const float pad = std::max({size.x, size.y, size.z}) * 0x1p-8f;
  return {box.min - Vec3{pad, pad, pad}, box.max + Vec3{pad, pad, pad}};
}

/// One column's state: windings, and the span that is being made.
struct Walk {
  bool pair = false;
  int winding[2] = {0, 0};
  bool below_zero = false;

  [[nodiscard]] bool covered() const {
    return pair ? is_inside(winding[0]) && is_inside(winding[1]) : is_covered_twice(winding[0]);
  }
  void pass(FaceCrossing c, bool second) {
    int& w = winding[second ? 1 : 0];
    w += c.sign();
    below_zero = below_zero || w < 0;
  }
  [[nodiscard]] bool closed() const { return winding[0] == 0 && winding[1] == 0; }
};

Vec3d slope_of(Vec3d normal, int axis, double facing) {
  const double most = std::max(facing, 0x1p-20);
  return normal * (normal[axis] < 0 ? -1 / most : 1 / most);
}

}  // namespace

void ContactSampler::settle(MeshView a, const MeshView* b) {
  const bool wide = !a.wide.empty() || (b != nullptr && !b->wide.empty());
  const bool apart = b != nullptr && !(b->origin == a.origin);
  sides_[0].mesh = a;
  sides_[1].mesh = b != nullptr ? *b : MeshView{};
  if (!wide && !apart) return;
  const WideBox box = b == nullptr ? wide_box(a) : shared_box(wide_box(a), wide_box(*b));
  const Vec3d origin = origin_for(box);
  for (Side& side : sides_) {
    side.positions.resize(side.mesh.vertex_count());
    (void)place_mesh(side.mesh, {}, origin, side.positions.data());
    side.mesh = {.positions = side.positions, .triangles = side.mesh.triangles, .origin = origin};
  }
}

void ContactSampler::sample(MeshView a, const MeshView* b, CellSize cells) {
  spans_.clear();
  health_ = {};
  cell_ = volume_ = seen_ = 0;
  check_indices(a);
  if (b != nullptr) check_indices(*b);
  settle(a, b);
  Aabb box = inspect_positions(sides_[0].mesh.positions).box;
  if (b != nullptr) box = shared(box, inspect_positions(sides_[1].mesh.positions).box);
  if (!has_volume(box)) {
    for (const Side& side : sides_) health_.skipped_triangles += static_cast<std::uint32_t>(count_broken(side.mesh));
    return;
  }
  box = padded(box);
  const Vec3 size = extent(box);
  const double longest = std::max({size.x, size.y, size.z});
  cell_ = cells.edge > 0 ? std::max(cells.edge, longest / kMostCells) : longest / cells.resolution;
  for (int axis = 0; axis < 3; ++axis) {
    views_[axis].grid = grid_along(box, axis, cell_);
    sample_view(views_[axis], b != nullptr);
  }
  for (ContactSpan& span : spans_) limit_to_other_views(span);
}

void ContactSampler::sample_view(View& view, bool pair) {
  const Grid& grid = view.grid;
  const std::array<software::SampledMesh, 2> meshes{
      {{sides_[0].mesh, whole(grid)},
       {sides_[1].mesh, whole(grid), static_cast<std::uint32_t>(sides_[0].mesh.triangles.size())}}};
  const std::size_t count = pair ? 2 : 1;
  sampler_.sample(std::span(meshes).first(count), grid, {offsets_, crossings_});
  std::uint32_t skipped = 0;
  for (std::size_t i = 0; i < count; ++i) skipped += sampler_.skipped(i);
  health_.skipped_triangles = std::max(health_.skipped_triangles, skipped);
  walk_view(view, pair);
}

void ContactSampler::walk_view(View& view, bool pair) {
  const std::size_t first_span = spans_.size();
  view.first.clear();
  for (std::size_t column = 0; column < view.grid.column_count(); ++column) {
    view.first.push_back(static_cast<std::uint32_t>(spans_.size()));
    walk_column(view.grid, column, pair);
  }
  view.first.push_back(static_cast<std::uint32_t>(spans_.size()));
  double lengths = 0;
  for (std::size_t i = first_span; i < spans_.size(); ++i) lengths += spans_[i].length;
  const double area = view.grid.cell_area(), seen = static_cast<double>(spans_.size() - first_span) * area;
  if (seen <= seen_) return;
  seen_ = seen;
  volume_ = lengths * area;
}

void ContactSampler::walk_column(const Grid& grid, std::size_t column, bool pair) {
  const auto crossings = std::span(crossings_).subspan(offsets_[column], offsets_[column + 1] - offsets_[column]);
  if (crossings.empty()) return;
  const std::size_t first_b = sides_[0].mesh.triangles.size(), before = spans_.size();
  const double thinnest = kThinnest * static_cast<double>(grid.depth());
  Walk walk{.pair = pair};
  FaceCrossing begin, end;
  bool open = false;  // a span that may go on: it ends where another begins
  const auto close = [&] {
    if (open && static_cast<double>(end.depth()) - static_cast<double>(begin.depth()) > thinnest)
      spans_.push_back(make_span(grid, column, begin, end));
    open = false;
  };
  for (const FaceCrossing c : crossings) {
    const bool was = walk.covered();
    walk.pass(c, c.face() >= first_b);
    const bool is = walk.covered();
    if (is && !was && !(open && end.depth() == c.depth())) {
      close();
      begin = c;
      open = true;
    }
    if (was && !is) end = c;
  }
  ++health_.occupied_columns;
  if (walk.closed()) {
    close();
    if (walk.below_zero) ++health_.inside_out_columns;
    return;
  }
  ++health_.open_columns;
  health_.untrusted_volume += grid.cell_area() * static_cast<double>(grid.depth());
  spans_.resize(before);
}

/// The depth that a view sees at a point of the overlap, if surfaces face its rays at least so much; else infinite.
double ContactSampler::depth_at(const View& view, Vec3d point, double facing) const {
  const Grid& grid = view.grid;
  const Vec3d low = to_double(grid.box.min);
  const auto cell = [](double at, std::uint32_t count) {
    return at > 0 ? static_cast<std::size_t>(std::min(at, count - 1.0)) : 0;
  };
  const std::size_t column = cell((point[grid.v()] - low[grid.v()]) / grid.cell_v(), grid.rows) * grid.columns +
                             cell((point[grid.u()] - low[grid.u()]) / grid.cell_u(), grid.columns);
  const double at = point[grid.w()] - low[grid.w()];
  for (std::uint32_t i = view.first[column]; i < view.first[column + 1]; ++i) {
    const ContactSpan& s = spans_[i];
    if (at >= s.from && at <= s.from + s.length && s.facing >= facing) return s.length * s.facing;
  }
  return std::numeric_limits<double>::infinity();
}

/// Just inside its ends, where a cell of another view lies within the overlap. Views that see the surfaces less well
/// know nothing better: along a bump's side, just below its top, the way through is short.
void ContactSampler::limit_to_other_views(ContactSpan& span) const {
  const Grid& grid = views_[span.axis].grid;
  const double inset = std::min(cell_ / 2, span.length / 2);
  double depth = span.length * span.facing;
  for (const double at : {span.from + inset, span.from + span.length - inset}) {
    const Vec3d point = sample_position(grid, span.column, at);
    for (int step = 1; step < 3; ++step)
      depth = std::min(depth, depth_at(views_[(span.axis + step) % 3], point, kAsWell * span.facing));
  }
  span.excess = span.facing > 0 ? depth / span.facing : 0.0;
}

ContactSpan ContactSampler::make_span(const Grid& grid, std::size_t column, FaceCrossing begin,
                                      FaceCrossing end) const {
  ContactSpan span;
  span.axis = grid.w();
  span.column = static_cast<std::uint32_t>(column);
  span.from = begin.depth();
  span.length = static_cast<double>(end.depth()) - static_cast<double>(begin.depth());
  const Vec3d at = sample_position(grid, column, 0);
  const Vec3d n = locate(grid, at, begin.face(), span.begin), m = locate(grid, at, end.face(), span.end);
  span.facing = std::max(std::abs(n[span.axis]), std::abs(m[span.axis]));
  span.weight = grid.cell_area() * span.facing;
  const Vec3d mean = m - n;
  const double size = length(mean);
  if (size > 0) span.normal = mean * (1 / size);
  span.begin.slope = slope_of(n, span.axis, span.facing);
  span.end.slope = slope_of(m, span.axis, span.facing);
  return span;
}

/// Where the ray through `at` meets a face.
Vec3d ContactSampler::locate(const Grid& grid, Vec3d at, std::uint32_t face, SurfacePlace& place) const {
  const auto first_b = static_cast<std::uint32_t>(sides_[0].mesh.triangles.size());
  const bool second = face >= first_b;
  const MeshView& mesh = sides_[second ? 1 : 0].mesh;
  const Triangle t = mesh.triangles[second ? face - first_b : face];
  const auto shift = second ? static_cast<std::uint32_t>(sides_[0].mesh.positions.size()) : 0u;
  place.vertices = {t.a + shift, t.b + shift, t.c + shift};
  const Vec3d a = to_double(mesh.positions[t.a]);
  const Vec3d ab = to_double(mesh.positions[t.b]) - a, ac = to_double(mesh.positions[t.c]) - a, ap = at - a;
  const int u = grid.u(), v = grid.v(), w = grid.w();
  const Vec3d normal = cross(ab, ac);
  // The lattice moves vertices a little, so the ray may pass the face by: the nearest weights then.
  double b = 0, c = 0;
  if (normal[w] != 0) {
    b = std::clamp((ap[u] * ac[v] - ap[v] * ac[u]) / normal[w], 0.0, 1.0);
    c = std::clamp((ab[u] * ap[v] - ab[v] * ap[u]) / normal[w], 0.0, 1.0 - b);
  } else {
    b = c = 1.0 / 3;
  }
  place.weights = {1 - b - c, b, c};
  const double size = length(normal);
  return size > 0 && std::isfinite(size) ? normal * (1 / size) : Vec3d{};
}

}  // namespace lamella::response
