// The verdict on an overlap, proved in place of judged.

#include <algorithm>

#include "engines/query_parts.hpp"
#include "query/verdict.hpp"

namespace lamella {
namespace {

using Cause = Doubt::Cause;

/// What makes a proof impossible is a doubt, also where sampling did not see it.
void note_why(const proof::Proof& found, std::size_t meshes, Overlap& out) {
  const auto has = [&out](Cause cause) {
    return std::any_of(out.doubts.begin(), out.doubts.end(), [cause](const Doubt& d) { return d.cause == cause; });
  };
  for (std::size_t i = 0; i < meshes; ++i)
    if (found.open[i] && !has(Cause::open_columns) && !has(Cause::skipped_triangles))
      out.doubts.push_back({Cause::open_columns, static_cast<int>(i), 0});
  if (out.doubts.empty()) out.doubts.push_back({Cause::touching, -1, out.health.uncertain_spans});
}

}  // namespace

/// `out` has its sums, health, and its spans or longest_spans_.
void Engine::certify(std::span<const MeshRef> meshes, const QueryOptions& options, Overlap& out) {
  Stopwatch watch;
  Scratch& s = scratch();
  if (longest_spans_.empty() && !out.spans.empty()) longest_of_chunks(out.grid, out.spans, longest_spans_);
  const bool sampled = out.grid.column_count() != 0;
  const proof::ProofHint hint{out.grid, longest_spans_, sampled && out.health.skipped_triangles == 0};
  const MeshView a = on_host(meshes[0], s.positions_a);
  const MeshView b = meshes.size() == 1 ? MeshView{} : on_host(meshes[1], s.positions_b);
  if (!sampled) {  // nothing was sampled, which would have checked them
    check_indices(a);
    check_indices(b);
  }
  const proof::Proof found = meshes.size() == 1 ? proof::prove_self(a, hint, s.workers, s.proving)
                                                : proof::prove_pair(a, b, hint, s.workers, s.proving);
  double proving = 0;
  watch.lap(proving);
  out.ms.query += proving;
  out.certificate = found.certificate;
  if (out.certificate.witness) out.certificate.witness = *out.certificate.witness + out.origin;
  const bool collides = found.verdict == Verdict::colliding;
  // A mesh that is inside out somewhere is hardly what was meant: that it is clear says little.
  if (!found.certificate.certain || (!collides && out.health.inside_out_columns != 0)) {
    out.certificate.certain = false;
    judge(meshes, options, out);
    out.doubts.clear();
    find_doubts(meshes, true, out);
    out.verdict = Verdict::undecided;
    note_why(found, meshes.size(), out);
    return;
  }
  if (!collides) drop_spans(out, false);
  out.verdict = found.verdict;
  if (!out.health.ok()) find_doubts(meshes, options.explain || options.strict, out);
}

}  // namespace lamella
