#include "scene/second_look.hpp"

#include <fmt/format.h>

#include "core/grow.hpp"
#include "lamella/error.hpp"

namespace lamella {

void take_look(const PairLook& look, bool gives_volumes, ScenePair& pair) {
  pair.centroid = look.centroid;
  if (!gives_volumes) return;
  pair.volume = look.volume;
  pair.volume_error = look.volume_error;
  pair.tolerance_met = look.tolerance_met;
}

PairLook SecondLooks::look(const Questions& questions, std::size_t i, Worker& worker) {
  if (!worker.engine)
    worker.engine = make_engine({.engine = "software", .threads = 1, .max_crossings = questions.max_crossings});
  const ScenePairCandidate& c = questions.candidates[questions.which[i]];
  const auto view = [&](std::uint32_t place) {
    MeshView mesh = questions.placed[place].mesh;
    mesh.origin = questions.placed[place].origin;
    return mesh;
  };
  try {
    worker.engine->intersect(view(c.slot_a), view(c.slot_b), questions.options, worker.overlap);
  } catch (const Error& e) {
    throw Error(fmt::format("objects {} and {}: {}", c.key >> 32, c.key & 0xffffffffu, e.what()), e.kind());
  }
  const Overlap& o = worker.overlap;
  const Doubt doubt = o.doubts.empty() ? Doubt{Doubt::Cause::touching} : o.doubts.front();
  return {o.verdict, doubt, o.certificate, o.volume, o.volume_error, o.tolerance_met, o.centroid};
}

std::span<const PairLook> SecondLooks::make(const Questions& questions, Workers& workers) {
  resize_with_margin(looks_, questions.which.size());
  if (workers_.size() < workers.count()) workers_.resize(workers.count());
  LowestFailure failure;
  workers.for_chunks(
      looks_.size(), 1,
      [&](std::size_t i, std::size_t, unsigned worker) {
        failure.run(i, [&] { looks_[i] = look(questions, i, workers_[worker]); });
      },
      1);
  failure.rethrow();
  return looks_;
}

}  // namespace lamella
