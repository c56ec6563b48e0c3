#include "bench/detector.hpp"

#include "cli/common.hpp"

namespace lamella::cli {
namespace {

/// Adds what every answer tells beside itself.
template <class Answer>
void add(Sample& sample, const Answer& answer, double total) {
  sample.ldi += answer.ms.voi + answer.ms.ldi;
  sample.query += answer.ms.query;
  sample.gpu += answer.ms.gpu;
  sample.read_back += static_cast<double>(answer.read_back_bytes);
  sample.total += total;
}

}  // namespace

TimedDetector::Subject TimedDetector::ready(MeshView mesh, Sample& sample) {
  if (supply_ == Supply::view) return {mesh, {}};
  const auto known = kept_.find(mesh.triangles.data());
  if (known == kept_.end()) return {mesh, kept_[mesh.triangles.data()] = detector_.add(mesh)};
  if (supply_ == Supply::uploaded) {
    const Stopwatch watch;
    detector_.update_vertices(known->second, mesh.positions);
    const double ms = watch.ms();
    sample.upload += ms;
    sample.total += ms;
  }
  return {mesh, known->second};
}

void TimedDetector::intersect(const Subject& a, const Subject& b, Sample& sample) {
  const Stopwatch watch;
  const Overlap& overlap =
      supply_ == Supply::view ? detector_.intersect(a.view, b.view) : detector_.intersect(a.kept, b.kept);
  add(sample, overlap, watch.ms());
  sample.answer += overlap.volume;
}

void TimedDetector::self_intersect(const Subject& mesh, Sample& sample) {
  const Stopwatch watch;
  const SelfOverlap& overlap =
      supply_ == Supply::view ? detector_.self_intersect(mesh.view) : detector_.self_intersect(mesh.kept);
  add(sample, overlap, watch.ms());
  sample.answer += overlap.volume;
}

void TimedDetector::contains(const Subject& mesh, std::span<const Vec3> points, Sample& sample) {
  const Stopwatch watch;
  const Containment& containment =
      supply_ == Supply::view ? detector_.contains(mesh.view, points) : detector_.contains(mesh.kept, points);
  add(sample, containment, watch.ms());
  sample.answer += static_cast<double>(containment.count);
}

}  // namespace lamella::cli
