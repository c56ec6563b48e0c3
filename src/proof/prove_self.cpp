#include <algorithm>
#include <limits>
#include <utility>

#include "core/mesh_check.hpp"
#include "core/positions.hpp"
#include "proof/closed.hpp"
#include "proof/islands.hpp"
#include "proof/meet_elsewhere.hpp"
#include "proof/prove.hpp"
#include "proof/prover.hpp"

namespace lamella::proof {
namespace {

constexpr std::size_t kTriesPerIsland = 16;

class SelfProver {
 public:
  SelfProver(MeshView mesh, Workers& workers, ProofScratch& scratch) : mesh_(mesh), workers_(workers), s_(scratch) {}

  Proof prove(const ProofHint& hint) {
    const bool usable = inspect_positions(mesh_.positions).usable;
    proof_.open[0] = !is_closed(mesh_, usable, workers_);
    if (!proof_.open[0] && found_in_spans(hint)) return proof_;
    if (found_triangles(usable) || proof_.open[0] || given_up_) return proof_;
    look_for_parts_inside();
    return proof_;
  }

 private:
  void collide() {
    proof_.verdict = Verdict::colliding;
    proof_.certificate.certain = true;
  }

  bool one_is_witness(int axis) {
    s_.windings_a.resize(s_.points.size());
    find_windings(mesh_, s_.points, axis, workers_, s_.winding, s_.windings_a);
    for (std::size_t i = 0; i < s_.points.size(); ++i) {
      if (s_.windings_a[i] < 2) continue;
      collide();
      proof_.certificate.witness = s_.points[i].at;
      return true;
    }
    return false;
  }

  bool found_in_spans(const ProofHint& hint) {
    if (hint.spans.empty()) return false;
    points_of_spans(hint, 64, s_.points);
    return one_is_witness(hint.grid.w());
  }

  bool found_triangles(bool all_usable) {
    s_.boxes_a.clear();
    for (std::uint32_t i = 0; i < mesh_.triangles.size(); ++i)
      if (all_usable || usable(mesh_, mesh_.triangles[i])) s_.boxes_a.push_back(box_of(mesh_, i));
    const Search search = visit_box_pairs(s_.boxes_a, [this](std::uint32_t i, std::uint32_t k) {
      const Corners p = corners_of(mesh_, i), q = corners_of(mesh_, k);
      if (!meet_elsewhere(p.at, q.at)) return true;
      proof_.certificate.triangles = {std::min(i, k), std::max(i, k)};
      return false;
    });
    given_up_ = search == Search::given_up;
    if (search == Search::ended) collide();
    return search == Search::ended;
  }

  /// No two triangles meet: each part of the surface has one winding number on its inner side.
  void look_for_parts_inside() {
    const float inf = std::numeric_limits<float>::infinity();
    std::vector<Island> islands =
        find_islands(mesh_, {}, {}, {{-inf, -inf, -inf}, {inf, inf, inf}}, kTriesPerIsland, true);
    for (std::size_t attempt = 0; attempt < kTriesPerIsland && !islands.empty(); ++attempt) {
      std::vector<std::uint32_t> triangles;
      for (const Island& island : islands) triangles.push_back(island.triangles[attempt]);
      const auto windings = windings_under(mesh_, triangles, workers_, s_);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < islands.size(); ++i) {
        if (windings[i].value_or(0) >= 2) return covered_twice(triangles[i]);
        if (windings[i]) continue;
        if (attempt + 1 == islands[i].triangles.size()) return;  // not known
        std::swap(islands[kept++], islands[i]);
      }
      islands.resize(kept);
    }
    if (!islands.empty()) return;
    proof_.verdict = Verdict::clear;
    proof_.certificate.certain = true;
  }

  void covered_twice(std::uint32_t triangle) {
    collide();
    s_.points.clear();
    points_under(mesh_, triangle, s_.points);
    one_is_witness(2);
  }

  MeshView mesh_;
  Workers& workers_;
  ProofScratch& s_;
  Proof proof_;
  bool given_up_ = false;
};

}  // namespace

Proof prove_self(MeshView mesh, const ProofHint& hint, Workers& workers, ProofScratch& scratch) {
  return SelfProver(mesh, workers, scratch).prove(hint);
}

}  // namespace lamella::proof
