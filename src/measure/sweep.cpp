// sweep(): whether the meshes overlap at the start is proved, then the first touch is found (first_touch.hpp).

#include <cmath>

#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "core/parallel.hpp"
#include "lamella/error.hpp"
#include "lamella/separation.hpp"
#include "measure/first_touch.hpp"
#include "measure/frame.hpp"
#include "proof/prove.hpp"

namespace lamella {
namespace {

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
    FirstTouch::Known known{.apart = known_clear};
    if (!known_clear && !shared_box(box_a, box_b).empty()) {
      frame.settle(a, b);
      const proof::Proof proof = proof::prove_pair(frame.a(), frame.b(), {}, workers, scratch);
      if (proof.verdict == Verdict::colliding) return overlap(proof);
      known.apart = proof.verdict == Verdict::clear;
      // Where they may overlap at the start, triangles that look away from the motion may be what crosses there.
      known.may_overlap = !known.apart;
    }
    const double distance = length(motion);
    if (distance == 0) return std::nullopt;
    return touch.find(a, b, {motion * (1 / distance), distance, (box_a.min + box_a.max) * 0.5}, known, workers);
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

  Workers workers;
  PairFrame frame;
  proof::ProofScratch scratch;
  FirstTouch touch;
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
