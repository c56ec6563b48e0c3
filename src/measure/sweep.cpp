// sweep(): whether the meshes overlap at the start is looked at, then the first touch is found (first_touch.hpp).

#include <cmath>

#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "core/parallel.hpp"
#include "lamella/engine.hpp"
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
    const Vec3d origin = (box_a.min + box_a.max) * 0.5;
    if (!known_clear && !shared_box(box_a, box_b).empty())
      if (auto hit = overlap_at_start(a, b, origin)) return hit;
    const double distance = length(motion);
    if (distance == 0) return std::nullopt;
    return touch.find(a, b, {motion * (1 / distance), distance, origin}, {}, workers);
  }

  /// Proved, or where nothing is proved (meshes that are open, or touch in many places): triangles cross, or rays see
  /// where a proof succeeds.
  std::optional<SweepHit> overlap_at_start(MeshView a, MeshView b, Vec3d origin) {
    frame.settle(a, b);
    const proof::Proof proof = proof::prove_pair(frame.a(), frame.b(), {}, workers, scratch);
    if (proof.verdict == Verdict::colliding) return overlap(proof.certificate, frame.origin());
    if (proof.verdict == Verdict::clear) return std::nullopt;
    if (auto hit = touch.find_crossing(a, b, origin, workers)) return hit;
    if (proof.open[0] || proof.open[1]) return std::nullopt;
    if (!engine) engine = make_engine({.engine = "software", .threads = workers.count()});
    engine->intersect(frame.a(), frame.b(), {.resolution = 128, .keep_spans = false, .certify = true}, sampled);
    if (!sampled.certificate.certain || sampled.verdict != Verdict::colliding) return std::nullopt;
    return overlap(sampled.certificate, frame.origin());
  }

  [[nodiscard]] static SweepHit overlap(const Certificate& certificate, Vec3d origin) {
    SweepHit hit{.overlapping = true};
    if (certificate.witness) hit.position = *certificate.witness + origin;
    if (certificate.triangles) {
      hit.triangle_a = (*certificate.triangles)[0];
      hit.triangle_b = (*certificate.triangles)[1];
    }
    return hit;
  }

  Workers workers;
  PairFrame frame;
  proof::ProofScratch scratch;
  FirstTouch touch;
  std::unique_ptr<Engine> engine;  ///< made when it is needed
  Overlap sampled;
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
