#include "proof/prove.hpp"

#include <algorithm>
#include <utility>

#include "core/positions.hpp"
#include "lamella/triangles_meet.hpp"
#include "proof/closed.hpp"
#include "proof/islands.hpp"
#include "proof/prover.hpp"

namespace lamella::proof {
namespace {

constexpr std::size_t kMostContacts = std::size_t{1} << 21;
constexpr std::size_t kTriesPerIsland = 16;
constexpr std::size_t kMostCovered = 64;  ///< parts on the other's surface that are looked at
constexpr std::size_t kMostInside = 16;   ///< parts inside the other mesh that are looked at

Aabb shared_by(const Aabb& a, const Aabb& b) {
  Aabb box;
  for (int k = 0; k < 3; ++k) box.min[k] = std::max(a.min[k], b.min[k]), box.max[k] = std::min(a.max[k], b.max[k]);
  return box;
}

class PairProver {
 public:
  PairProver(MeshView a, MeshView b, Workers& workers, ProofScratch& scratch)
      : a_(a), b_(b), workers_(workers), s_(scratch) {}

  Proof prove(const ProofHint& hint) {
    if (hint.all_usable && !hint.spans.empty()) {
      if (found_at_once(hint)) return proof_;
      if (proof_.open[0] || proof_.open[1]) return proof_;
    }
    const PositionFacts facts_a = inspect_positions(a_.positions), facts_b = inspect_positions(b_.positions);
    box_a_ = facts_a.box, box_b_ = facts_b.box;
    const Aabb shared = shared_by(box_a_, box_b_);
    if (shared.empty() && facts_a.usable && facts_b.usable) return clear();
    if (!closed_) {
      proof_.open[0] = !is_closed(a_, facts_a.usable, workers_);
      proof_.open[1] = !is_closed(b_, facts_b.usable, workers_);
    }
    if (proof_.open[0] || proof_.open[1]) return proof_;
    if (shared.empty()) return clear();
    if (found_in_spans(hint)) return proof_;
    const Search search = find_contacts(shared, hint.apart);
    proof_.certificate.touching = !s_.contacts.empty();
    if (!s_.contacts.empty()) proof_.certificate.triangles = {s_.contacts[0].a, s_.contacts[0].b};
    if (found_near_contacts()) return proof_;
    if (search != Search::finished) return proof_;
    if (!find_inside(a_, s_.near.inside_a, b_, box_a_, box_b_, covered_a_) ||
        !find_inside(b_, s_.near.inside_b, a_, box_b_, box_a_, covered_b_))
      return proof_;
    if (s_.contacts.empty() || only_touch()) return clear();
    return proof_;
  }

 private:
  Proof clear() {
    proof_.verdict = Verdict::clear;
    proof_.certificate.certain = true;
    return proof_;
  }
  void collide() {
    proof_.verdict = Verdict::colliding;
    proof_.certificate.certain = true;
    proof_.certificate.touching = false;
  }

  /// Whether one of the scratch's points is inside both; it is then the witness.
  bool one_is_witness(int axis) {
    const bool a_first = a_.triangles.size() <= b_.triangles.size();
    s_.windings_a.resize(s_.points.size());
    find_windings(a_first ? a_ : b_, s_.points, axis, workers_, s_.winding, s_.windings_a);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < s_.points.size(); ++i)
      if (s_.windings_a[i] >= 1) s_.points[kept++] = s_.points[i];
    s_.points.resize(kept);
    s_.windings_b.resize(kept);
    find_windings(a_first ? b_ : a_, s_.points, axis, workers_, s_.winding, s_.windings_b);
    for (std::size_t i = 0; i < kept; ++i) {
      if (s_.windings_b[i] < 1) continue;
      collide();
      proof_.certificate.witness = s_.points[i].at;
      return true;
    }
    return false;
  }

  /// The longest span is a witness almost always. The pass over the triangles that tells also says whether they are
  /// closed.
  bool found_at_once(const ProofHint& hint) {
    points_of_spans(hint, 1, s_.points);
    if (s_.points.empty()) return false;
    int windings[2] = {};
    for (const int i : {0, 1}) {
      const MeshView mesh = i == 0 ? a_ : b_;
      EdgeSums sums;
      find_windings(mesh, s_.points, hint.grid.w(), workers_, s_.winding, {&windings[i], 1}, &sums);
      proof_.open[i] = !is_closed(mesh, true, workers_, sums);
    }
    closed_ = !proof_.open[0] && !proof_.open[1];
    if (!closed_ || windings[0] < 1 || windings[1] < 1) return false;
    collide();
    proof_.certificate.witness = s_.points[0].at;
    return true;
  }

  bool found_in_spans(const ProofHint& hint) {
    if (hint.spans.empty()) return false;
    points_of_spans(hint, 64, s_.points);
    return one_is_witness(hint.grid.w());
  }

  /// Finds what else depends on where triangles are even if none meet.
  Search find_contacts(const Aabb& shared, bool none) {
    s_.contacts.clear();
    if (none) {
      proof::find_inside(a_, b_, shared, workers_, s_.near, s_.near_a, s_.near_b);
      return Search::finished;
    }
    find_near(a_, b_, shared, workers_, s_.near, s_.near_a, s_.near_b);
    const auto to_boxes = [](MeshView mesh, const std::vector<NearBox>& near, std::vector<TriangleBox>& boxes) {
      boxes.clear();
      for (const NearBox& c : near) boxes.push_back(box_of(mesh, c.triangle));
    };
    to_boxes(a_, s_.near_a, s_.boxes_a);
    to_boxes(b_, s_.near_b, s_.boxes_b);
    return visit_box_pairs(s_.boxes_a, s_.boxes_b, [this](std::uint32_t i, std::uint32_t k) {
      const Corners p = corners_of(a_, i), q = corners_of(b_, k);
      if (triangles_meet(p.at, q.at)) s_.contacts.push_back({i, k});
      return s_.contacts.size() < kMostContacts;
    });
  }

  bool found_near_contacts() {
    if (s_.contacts.empty()) return false;
    constexpr std::size_t kRounds[][2] = {{0, 6}, {6, 30}};
    for (const auto& [skip, most] : kRounds) {
      points_near(a_, b_, s_.contacts, skip, most, s_.points);
      if (one_is_witness(2)) return true;
    }
    return false;
  }

  /// Looks for parts of one mesh that are inside the other. True when there are none: parts of which all triangles that
  /// were tried touch the other's surface are left in `covered`.
  bool find_inside(MeshView inner, std::span<const std::uint32_t> inside, MeshView outer, const Aabb& own,
                   const Aabb& box, std::vector<Island>& covered) {
    std::vector<Island> islands = find_islands(inner, inside, own, box, kTriesPerIsland, !s_.contacts.empty());
    std::size_t looked_at = 0;
    bool none = true;
    for (std::size_t attempt = 0; attempt < kTriesPerIsland && !islands.empty(); ++attempt) {
      std::vector<WindingPoint> points;
      for (const Island& island : islands) points.push_back({point_on(inner, island.triangles[attempt])});
      std::vector<int> windings(points.size());
      find_windings(outer, points, 2, workers_, s_.winding, windings);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < islands.size(); ++i) {
        if (windings[i] == kOnSurface && attempt + 1 < islands[i].triangles.size()) {
          std::swap(islands[kept++], islands[i]);
        } else if (windings[i] == kOnSurface) {
          covered.push_back(std::move(islands[i]));
        } else if (windings[i] >= 1) {
          none = false;
          if (looked_at++ < kMostInside && overlaps_under(inner, islands[i].triangles[attempt])) return false;
        }
      }
      islands.resize(kept);
    }
    return none;
  }

  /// Of a triangle inside the other mesh: whether its own mesh is solid below it.
  bool overlaps_under(MeshView mesh, std::uint32_t triangle) {
    s_.points.clear();
    points_under(mesh, triangle, s_.points);
    if (one_is_witness(2)) return true;
    if (windings_under(mesh, {&triangle, 1}, workers_, s_)[0].value_or(0) < 1) return false;
    collide();
    return true;
  }

  /// Whether an infinitely small motion takes the surfaces apart. An overlap would survive it.
  bool only_touch() { return can_part(a_, b_, false) || can_part(b_, a_, true); }

  bool can_part(MeshView fixed, MeshView moved, bool swapped) {
    std::vector<Contact> turned;
    if (swapped)
      for (const Contact& c : s_.contacts) turned.push_back({c.b, c.a});
    const std::span<const Contact> contacts = swapped ? turned : s_.contacts;
    motions_apart(fixed, moved, contacts, s_.motions);
    for (const Motion& motion : s_.motions) {
      if (swapped && motion.kind == Motion::Kind::shift) continue;
      const bool parted = std::none_of(contacts.begin(), contacts.end(), [&](const Contact& c) {
        return meet_after(motion, corners_of(fixed, c.a).at, corners_of(moved, c.b).at);
      });
      if (parted && stays_out(fixed, moved, motion, contacts, swapped)) return true;
    }
    return false;
  }

  /// Of parts that lie wholly on the other's surface: whether the motion takes them out of it.
  bool stays_out(MeshView fixed, MeshView moved, const Motion& motion, std::span<const Contact> contacts,
                 bool swapped) {
    if (covered_a_.size() + covered_b_.size() > kMostCovered) return false;
    const std::vector<Island>&of_fixed = swapped ? covered_b_ : covered_a_,
          &of_moved = swapped ? covered_a_ : covered_b_;
    const auto out = [&](const Island& island, MeshView own, MeshView other, bool own_moves) {
      return std::any_of(island.triangles.begin(), island.triangles.end(), [&](std::uint32_t t) {
        const Vec3d point = point_on(own, t);
        return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& c) {
          return (own_moves ? c.b : c.a) == t && is_taken_out(point, other, own_moves ? c.a : c.b, motion, own_moves);
        });
      });
    };
    return std::all_of(of_fixed.begin(), of_fixed.end(),
                       [&](const Island& i) { return out(i, fixed, moved, false); }) &&
           std::all_of(of_moved.begin(), of_moved.end(), [&](const Island& i) { return out(i, moved, fixed, true); });
  }

  /// Whether a point on this triangle alone comes to a side of it where the winding number is below 1.
  bool is_taken_out(Vec3d point, MeshView mesh, std::uint32_t triangle, const Motion& motion, bool point_moves) {
    const Corners c = corners_of(mesh, triangle);
    if (!lies_on(point, c.at)) return false;
    const int up = goes_up(motion, c.at) * (point_moves ? 1 : -1);
    if (up == 0) return false;
    const std::optional<int> under = winding_under(point, mesh, triangle, workers_, s_);
    return under && *under - (up > 0 ? 1 : 0) < 1;
  }

  MeshView a_, b_;
  Workers& workers_;
  ProofScratch& s_;
  Aabb box_a_, box_b_;
  std::vector<Island> covered_a_, covered_b_;  ///< parts that lie on the other's surface, as far as was tried
  bool closed_ = false;                        ///< both are known to be
  Proof proof_;
};

}  // namespace

Proof prove_pair(MeshView a, MeshView b, const ProofHint& hint, Workers& workers, ProofScratch& scratch) {
  return PairProver(a, b, workers, scratch).prove(hint);
}

}  // namespace lamella::proof
