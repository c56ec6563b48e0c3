// The first touch of a mesh that moves along a line: both meshes are turned into a view along the motion, boxes of
// triangles that may touch are searched in the order in which they could (sweep_cells.hpp), and pairs are tested in
// doubles, from the positions as they are given (triangle_sweep.hpp).
//
// A solid is first touched where its front, the triangles that look along the motion, meets triangles of the other that
// look against it. Only those are kept of meshes that close and look outwards: so solids that touch at the start can
// part, or slide. Of others both sides are tested.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "core/parallel.hpp"
#include "engines/shift_finder.hpp"
#include "lamella/error.hpp"
#include "lamella/separation.hpp"
#include "measure/frame.hpp"
#include "measure/sweep_cells.hpp"
#include "measure/triangle_sweep.hpp"
#include "proof/closed.hpp"
#include "proof/prove.hpp"

namespace lamella {
namespace {

/// How far floats of the view may be off, with room, as a part of the coordinate.
constexpr float kSlack = 0x1p-22f;

float wider(float x, float reach, int sign) { return x + static_cast<float>(sign) * kSlack * reach; }

/// A mesh in the view.
class SweptMesh {
 public:
  /// `facing`: 1 where triangles that look along the motion can touch, -1 where those against it.
  void turn(MeshView mesh, const ViewRotation& view, Vec3d origin, double facing, Workers& workers) {
    mesh_ = mesh;
    view_ = view;
    offset_ = mesh.origin - origin;
    turned_.resize(mesh.vertex_count());
    const Placement placement{{view.u, view.v, view.w},
                              {dot(view.u, offset_), dot(view.v, offset_), dot(view.w, offset_)}};
    if (mesh.wide.empty()) {
      facts_ = place_positions(mesh.positions, placement, turned_.data());
    } else {
      for (std::size_t i = 0; i < turned_.size(); ++i) turned_[i] = narrow(vertex(static_cast<std::uint32_t>(i)));
      facts_ = inspect_positions(turned_);
    }
    const MeshView in_view{.positions = turned_, .triangles = mesh.triangles};
    facing_ = proof::is_closed(in_view, facts_.usable, workers) && signed_volume(in_view) > 0 ? facing : 0;
  }

  /// A box of the mesh that holds all of it.
  [[nodiscard]] Aabb box() const {
    if (facts_.box.empty()) return {};
    return widened(facts_.box.min, facts_.box.max);
  }

  /// Finds the boxes of the triangles that can touch and that meet `window`, in order.
  void collect(const Aabb& window, Workers& workers) {
    constexpr std::size_t kChunk = 8192;
    const std::size_t count = mesh_.triangles.size();
    parts_.resize(std::max(parts_.size(), (count + kChunk - 1) / kChunk));
    for (auto& part : parts_) part.clear();
    workers.for_chunks(count, kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) add_box(static_cast<std::uint32_t>(i), window, parts_[begin / kChunk]);
    });
    boxes_.clear();
    for (const auto& part : parts_) boxes_.insert(boxes_.end(), part.begin(), part.end());
  }
  [[nodiscard]] std::span<const SweptBox> boxes() const { return boxes_; }

  [[nodiscard]] ViewTriangle triangle(std::uint32_t i) const {
    const Triangle t = mesh_.triangles[i];
    return {{vertex(t.a), vertex(t.b), vertex(t.c)}};
  }
  /// Exactly, where the boxes' test was not sure.
  [[nodiscard]] bool can_touch(const ViewTriangle& t) const { return facing_ == 0 || facing_ * t.area() > 0; }

 private:
  void add_box(std::uint32_t i, const Aabb& window, std::vector<SweptBox>& out) const {
    const Triangle t = mesh_.triangles[i];
    const Vec3 a = turned_[t.a], b = turned_[t.b], c = turned_[t.c];
    if (!facts_.usable && !(usable(a) && usable(b) && usable(c))) return;
    const Vec3 low{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})};
    const Vec3 high{std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})};
    const Aabb box = widened(low, high);
    if (box.min.x > window.max.x || box.max.x < window.min.x || box.min.y > window.max.y || box.max.y < window.min.y ||
        box.min.z > window.max.z || box.max.z < window.min.z)
      return;
    if (facing_ == 0 || !looks_away(a, b, c, box)) out.push_back({box.min, box.max, i});
  }
  [[nodiscard]] Vec3d vertex(std::uint32_t i) const {
    const Vec3d p = (mesh_.wide.empty() ? to_double(mesh_.positions[i]) : mesh_.wide[i]) + offset_;
    return {dot(view_.u, p), dot(view_.v, p), dot(view_.w, p)};
  }
  static Aabb widened(Vec3 low, Vec3 high) {
    const float across = std::max({std::abs(low.x), std::abs(high.x), std::abs(low.y), std::abs(high.y)});
    const float along = std::max(std::abs(low.z), std::abs(high.z));
    return {{wider(low.x, across, -1), wider(low.y, across, -1), wider(low.z, along, -1)},
            {wider(high.x, across, 1), wider(high.y, across, 1), wider(high.z, along, 1)}};
  }
  /// Whether it certainly looks the other way: the area is compared with what rounding of the corners can do to it.
  [[nodiscard]] bool looks_away(Vec3 a, Vec3 b, Vec3 c, const Aabb& box) const {
    const double ux = double{b.x} - a.x, uy = double{b.y} - a.y, vx = double{c.x} - a.x, vy = double{c.y} - a.y;
    const double size = std::max(double{box.max.x} - box.min.x, double{box.max.y} - box.min.y);
    const double reach = std::max({std::abs(box.min.x), std::abs(box.max.x), std::abs(box.min.y), std::abs(box.max.y)});
    return facing_ * (ux * vy - uy * vx) < -8 * double{kSlack} * reach * size;
  }

  MeshView mesh_;
  ViewRotation view_;
  Vec3d offset_;
  double facing_ = 0;
  std::vector<Vec3> turned_;
  PositionFacts facts_;
  std::vector<std::vector<SweptBox>> parts_;  ///< boxes of consecutive triangles
  std::vector<SweptBox> boxes_;
};

void check_motion(Vec3d motion) {
  if (!std::isfinite(motion.x) || !std::isfinite(motion.y) || !std::isfinite(motion.z) ||
      !std::isfinite(length(motion)))
    throw Error("the motion of a sweep is not finite: use finite numbers");
}

}  // namespace

struct Sweeper::State {
  explicit State(unsigned threads) : workers(threads) {}

  std::optional<SweepHit> sweep(MeshView a, MeshView b, Vec3d motion, bool known_clear) {
    check_motion(motion);
    check_indices(a);
    check_indices(b);
    const WideBox box_a = wide_box(a), box_b = wide_box(b);
    if (box_a.empty() || box_b.empty()) return std::nullopt;
    bool proved = known_clear;
    if (!known_clear && !shared_box(box_a, box_b).empty()) {
      frame.settle(a, b);
      const proof::Proof proof = proof::prove_pair(frame.a(), frame.b(), {}, workers, scratch);
      if (proof.verdict == Verdict::colliding) return overlap(proof);
      proved = proof.verdict == Verdict::clear;
    }
    const double distance = length(motion);
    if (distance == 0) return std::nullopt;
    return first_touch(a, b, motion * (1 / distance), distance, (box_a.min + box_a.max) * 0.5, proved);
  }

  [[nodiscard]] SweepHit overlap(const proof::Proof& proof) const {
    SweepHit hit{.overlapping = true};
    if (proof.certificate.witness) hit.position = *proof.certificate.witness + frame.origin();
    if (proof.certificate.triangles) {
      hit.triangle_a = (*proof.certificate.triangles)[0];
      hit.triangle_b = (*proof.certificate.triangles)[1];
    }
    return hit;
  }

  std::optional<SweepHit> first_touch(MeshView a, MeshView b, Vec3d direction, double distance, Vec3d origin,
                                      bool proved) {
    const ViewRotation view = rotation_to(direction);
    moving.turn(a, view, origin, 1, workers);
    fixed.turn(b, view, origin, -1, workers);
    const Aabb box_a = moving.box(), box_b = fixed.box();
    // Where either can be when they touch: the moving one where it is, the fixed one up to the motion's end.
    const double reach = std::min(distance * 1.000001, double{kMaxCoordinate});
    Aabb swept = box_a, ahead = box_b;
    swept.max.z = static_cast<float>(swept.max.z + reach);
    ahead.min.z = static_cast<float>(ahead.min.z - reach);
    moving.collect(ahead, workers);
    fixed.collect(swept, workers);

    TriangleTouch first;
    first.shift = distance;
    std::optional<SweepHit> hit;
    cells.search(moving.boxes(), fixed.boxes(), distance, [&](std::uint32_t i, std::uint32_t k) {
      const ViewTriangle p = moving.triangle(i), q = fixed.triangle(k);
      if (!moving.can_touch(p) || !fixed.can_touch(q)) return HUGE_VAL;
      const auto touch = sweep_triangle(p, q);
      if (!touch || touch->shift > first.shift || (hit && touch->shift == first.shift)) return HUGE_VAL;
      first = *touch;
      hit = SweepHit{.triangle_a = i, .triangle_b = k};
      return touch->shift;
    });
    if (!hit) return hit;
    const auto to_world = [&](Vec3d p) { return view.u * p.x + view.v * p.y + view.w * p.z; };
    hit->time = std::min(1.0, first.shift / distance);
    hit->position = to_world(first.position) + origin;
    hit->overlapping = first.crossing && !proved;
    if (!hit->overlapping) hit->normal = to_world(first.normal);
    return hit;
  }

  Workers workers;
  PairFrame frame;
  proof::ProofScratch scratch;
  SweptMesh moving, fixed;
  SweepCells cells;
};

Sweeper::Sweeper(unsigned threads) : state_(std::make_unique<State>(threads)) {}
Sweeper::~Sweeper() = default;
Sweeper::Sweeper(Sweeper&&) noexcept = default;
Sweeper& Sweeper::operator=(Sweeper&&) noexcept = default;

std::optional<SweepHit> Sweeper::sweep(MeshView a, MeshView b, Vec3d motion) {
  return state_->sweep(a, b, motion, false);
}
std::optional<SweepHit> Sweeper::sweep_clear(MeshView a, MeshView b, Vec3d motion) {
  return state_->sweep(a, b, motion, true);
}

std::optional<SweepHit> sweep(MeshView a, MeshView b, Vec3d motion, unsigned threads) {
  return Sweeper(threads).sweep(a, b, motion);
}

}  // namespace lamella
