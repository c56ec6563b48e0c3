#include "measure/way_length.hpp"

#include <algorithm>
#include <cmath>

#include "core/origin.hpp"
#include "measure/side_by_side.hpp"
#include "registry/registry.hpp"

namespace lamella {
namespace {

constexpr int kMoves = 12;            ///< to reach a place that is clear, each further than the one before
constexpr int kTighter = 4;           ///< margins for rounding that are tried, each 16 times the one before
constexpr std::uint32_t kFine = 512;  ///< columns and rows of the grid that looks where to go on to

void set_way(Separation& out, Vec3d direction, double length, double margin, const proof::Proof& proof) {
  out.direction = direction;
  out.length = length;
  out.margin = margin;
  out.translation = direction * (length + margin);
  out.after = proof.verdict;
  out.certificate = proof.certificate;
}

}  // namespace

WayLength::Moved WayLength::moved_by(const PairToPart& pair, Vec3d translation) const {
  return {transformed(pair.a, {.translation = translation, .rotation = {}}), {}};
}

void WayLength::prove(const PairToPart& pair, Moved& moved, Workers& workers) {
  frame_.settle(moved.mesh, pair.b);
  moved.proof = proof::prove_pair(frame_.a(), frame_.b(), {}, workers, scratch_);
  if (moved.proof.certificate.witness)
    moved.proof.certificate.witness = *moved.proof.certificate.witness + frame_.origin();
}

/// `moved` is a after a shift of `total`, where it is clear: from which shift on it is so. Rays see an overlap just
/// below a shift of `least`: mostly a short sweep is enough.
std::optional<double> WayLength::touch_back(const PairToPart& pair, const Mesh& moved, Vec3d direction, double total,
                                            double least, Workers& workers) {
  const WideBox box = wide_box(moved);
  if (box.empty()) return std::nullopt;
  const Vec3d origin = (box.min + box.max) * 0.5;
  const FirstTouch::Known known{.solid_a = pair.solid_a, .solid_b = pair.solid_b};
  for (const double distance : {std::min(total, 2 * (total - least) + pair.rounding), total}) {
    const auto hit = touch_.find(moved, pair.b, {-direction, distance, origin}, known, workers);
    if (hit) return total - distance * hit->time;
    if (distance == total) break;
  }
  return std::nullopt;
}

/// From a place that is proved to be clear to just before they touch.
void WayLength::tighten(const PairToPart& pair, double total, double needed, Separation& out, Workers& workers) {
  const Vec3d direction = out.direction;
  out.length = needed;
  out.margin = total - needed;
  double margin = pair.rounding;
  for (int i = 0; i < kTighter && margin < out.margin; ++i, margin *= 16) {
    Moved closer = moved_by(pair, direction * (needed + margin));
    prove(pair, closer, workers);
    if (closer.proof.verdict != Verdict::clear) continue;
    set_way(out, direction, needed, margin, closer.proof);
    break;
  }
}

/// How much further the pair that was proved last must go, by fine rays.
double WayLength::free_beyond(Vec3d direction) {
  if (!finder_) finder_ = make_shift_finder("software", {.threads = 1});
  finder_->find(frame_.a(), frame_.b(), {&direction, 1}, kFine, shifts_);
  return shifts_[0].forward;
}

Separation WayLength::measure(const PairToPart& pair, const FoundWay& way, Workers& workers) {
  Separation out;
  double shift = way.length, step = std::max(way.cell, pair.rounding);
  for (int i = 0; i < kMoves; ++i) {
    const double room = std::min(step, 0.5 * way.room);
    const double total = shift + (i == 0 && room > pair.rounding ? room : step);
    Moved moved = moved_by(pair, way.direction * total);
    std::optional<double> needed;
    const auto look_back = [&] { needed = touch_back(pair, moved.mesh, way.direction, total, shift, workers); };
    if (workers.count() == 1) {
      prove(pair, moved, workers);
      if (moved.proof.verdict == Verdict::clear) look_back();
    } else {  // it is clear mostly: so it need not be waited for
      side_by_side(
          workers, [&] { prove(pair, moved, workers); }, look_back);
    }
    set_way(out, way.direction, way.length, total - way.length, moved.proof);
    if (moved.proof.verdict == Verdict::clear) {
      if (needed) tighten(pair, total, *needed, out, workers);
      break;
    }
    if (moved.proof.open[0] || moved.proof.open[1]) break;  // nothing can be proved
    if (i == 0 && way.length > 0) {  // something between rays, mostly: a little further is enough
      step *= 3;
      continue;
    }
    shift = total + free_beyond(way.direction);
    step *= 2;
  }
  return out;
}

}  // namespace lamella
