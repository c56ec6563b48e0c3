#include "bench/detector.hpp"

#include <algorithm>

namespace lamella::bench {
namespace {

constexpr std::size_t kWarmUps = 3, kMinRuns = 15, kMaxRuns = 500, kQuickRuns = 3;
constexpr double kBudgetMs = 800, kQuickPatienceMs = 3000;

}  // namespace

template <class Answer>
void TimedDetector::add(Row& sample, const Answer& answer, double total) const {
  sample.add("ms.ldi", answer.ms.voi + answer.ms.ldi);
  sample.add("ms.query", answer.ms.query);
  sample.add("ms.total", total);
  if (!on_gpu()) return;
  sample.add("gpu_ms", answer.ms.gpu);
  sample.add("read_back_bytes", static_cast<double>(answer.read_back_bytes));
}

TimedDetector::Subject TimedDetector::ready(MeshView mesh, Row& sample) {
  if (supply_ == Supply::view) return {mesh, {}};
  const auto known = kept_.find(mesh.triangles.data());
  if (known == kept_.end()) return {mesh, kept_[mesh.triangles.data()] = detector_.add(mesh)};
  if (supply_ == Supply::uploaded) {
    const cli::Stopwatch watch;
    detector_.deform(known->second, mesh.positions);
    const double ms = watch.ms();
    sample.add("upload_ms", ms);
    sample.add("ms.total", ms);
  }
  return {mesh, known->second};
}

void TimedDetector::intersect(const Subject& a, const Subject& b, Row& sample) {
  const cli::Stopwatch watch;
  const Overlap& overlap = on_gpu() ? detector_.intersect(a.kept, b.kept) : detector_.intersect(a.view, b.view);
  add(sample, overlap, watch.ms());
  sample.add("answer", overlap.volume);
}

void TimedDetector::self_intersect(const Subject& mesh, Row& sample) {
  const cli::Stopwatch watch;
  const SelfOverlap& overlap = on_gpu() ? detector_.self_intersect(mesh.kept) : detector_.self_intersect(mesh.view);
  add(sample, overlap, watch.ms());
  sample.add("answer", overlap.volume);
}

void TimedDetector::contains(const Subject& mesh, std::span<const Vec3> points, Row& sample) {
  const cli::Stopwatch watch;
  const Containment& inside = on_gpu() ? detector_.contains(mesh.kept, points) : detector_.contains(mesh.view, points);
  add(sample, inside, watch.ms());
  sample.add("answer", static_cast<double>(inside.inside_count));
}

ObjectId TimedDetector::rigid(MeshView mesh, const Transform& pose, Row& sample) {
  const auto known = kept_.find(mesh.triangles.data());
  const ObjectId id =
      known != kept_.end() ? known->second : kept_[mesh.triangles.data()] = detector_.add_rigid(mesh, pose);
  detector_.move(id, pose);
  const Timings& ms = detector_.rigid(id).ms;
  sample.add("once_ms", ms.voi + ms.ldi);
  return id;
}

void TimedDetector::contains(ObjectId rigid, std::span<const Vec3> points, Row& sample) {
  const cli::Stopwatch watch;
  const Containment& inside = detector_.contains(rigid, points);
  add(sample, inside, watch.ms());
  sample.add("answer", static_cast<double>(inside.inside_count));
}

void TimedDetector::vertices_inside(ObjectId a, ObjectId b, Row& sample) {
  const cli::Stopwatch watch;
  const VerticesInside& inside = detector_.vertices_inside(a, b);
  add(sample, inside, watch.ms());
  sample.add("answer", static_cast<double>(inside.a_in_b.inside.size() + inside.b_in_a.inside.size()));
}

Samples measure(const Workload& workload, TimedDetector& detector, bool quick) {
  const std::size_t frames = workload.frames;
  constexpr std::size_t kNoEnd = std::numeric_limits<std::size_t>::max();
  const auto warm_up = [&](std::size_t i) { (void)workload.run(detector, i % frames); };
  Samples samples(frames);
  const auto sample = [&](std::size_t i) { samples.add(i % frames, workload.run(detector, i % frames)); };
  if (quick) {
    repeat({1, 1}, warm_up);
    const std::size_t runs = repeat({std::max(kQuickRuns, frames), kNoEnd, 0, kQuickPatienceMs}, sample);
    samples.cut(std::min(runs, frames));
    return samples;
  }
  repeat({std::max(kWarmUps, frames), kNoEnd, detector.on_gpu() ? kGpuWarmUpMs : 0}, warm_up);
  repeat({std::max(kMinRuns, frames), kMaxRuns, kBudgetMs}, sample);
  return samples;
}

}  // namespace lamella::bench
