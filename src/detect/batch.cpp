#include "lamella/batch.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/mesh_check.hpp"
#include "detect/holes.hpp"
#include "engines/batch_engine.hpp"
#include "engines/checks.hpp"
#include "lamella/error.hpp"
#include "registry/registry.hpp"

namespace lamella {

struct Batch::State {
  Options options;
  std::unique_ptr<BatchEngine> engine;
  bool cpu_only = false;                           ///< the engine never uses a GPU
  std::vector<Mesh> meshes;                        ///< with their holes closed
  std::vector<Vec3d> given_origins;                ///< of the meshes as they came: doubles get origins of their own
  std::vector<std::unique_ptr<ClosedMesh>> holes;  ///< per mesh; null: none
  // A second look at pairs that an engine could not decide by sums alone, prove, or sample finely enough: the same
  // query on the CPU, which can.
  std::unique_ptr<BatchEngine> second;
  std::vector<std::uint32_t> known;  ///< per mesh: how often it deformed, when `second` got it; 0: it did not yet
  std::vector<std::uint32_t> deformed;
  std::vector<std::uint32_t> doubtful;
  std::vector<BatchPair> doubtful_pairs;
  std::vector<PairOverlap> answers;
  std::vector<PairGradient> gradients;

  [[nodiscard]] bool doubts(const PairOverlap& answer) const;
  template <class Answer, class Ask>
  std::span<const Answer> answer(std::span<const BatchPair> pairs, std::vector<Answer>& out, const Ask& ask);
  template <class Answer, class Ask>
  void look_again(std::span<const BatchPair> pairs, std::vector<Answer>& out, const Ask& ask);
  void judge_holes(const BatchPair& pair, PairOverlap& answer);
  void bring_meshes();
};

/// Gives the second engine the meshes as they are now.
void Batch::State::bring_meshes() {
  if (!second) {
    Options on_cpu = options;
    on_cpu.engine = "software";
    on_cpu.device.reset();
    second = make_batch_engine(on_cpu);
  }
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (i == known.size()) {
      second->add(exact_view(meshes[i]));
      known.push_back(deformed[i]);
    } else if (known[i] != deformed[i]) {
      second->deform(static_cast<std::uint32_t>(i), meshes[i].positions);
      known[i] = deformed[i];
    }
  }
}

/// As judge_holes() for a pair, without its doubts.
void Batch::State::judge_holes(const BatchPair& pair, PairOverlap& p) {
  const ClosedMesh *a = holes[pair.a.number].get(), *b = holes[pair.b.number].get();
  if (a == nullptr && b == nullptr) return;
  Overlap whole;
  whole.verdict = p.verdict;
  whole.health = p.health;
  whole.bounds = p.bounds;
  whole.origin = p.origin;
  Mesh placed;
  const auto side = [&](const ClosedMesh* closed, ObjectId mesh, const Transform& pose) -> HoledSide {
    return {closed, pose, [&, mesh] {
              placed = transformed(meshes[mesh.number], pose);
              return MeshView(placed);
            }};
  };
  lamella::judge_holes(side(a, pair.a, pair.pose_a), side(b, pair.b, pair.pose_b), whole);
  p.verdict = whole.verdict;
  p.health = whole.health;
}

/// Whether an answer needs a second look. Proofs and a tolerance are the CPU's: from a GPU, answers are without them.
bool Batch::State::doubts(const PairOverlap& answer) const {
  if (answer.verdict == Verdict::undecided && answer.span_count != 0) return true;
  if (cpu_only) return false;
  if (options.certify && !answer.certificate.certain) return true;
  return options.tolerance && answer.tolerance_met && answer.volume_error > options.tolerance->of(answer.volume);
}

template <class Answer, class Ask>
void Batch::State::look_again(std::span<const BatchPair> pairs, std::vector<Answer>& out, const Ask& ask) {
  doubtful.clear();
  doubtful_pairs.clear();
  for (std::uint32_t i = 0; i < out.size(); ++i)
    if (doubts(out[i])) {
      doubtful.push_back(i);
      doubtful_pairs.push_back(pairs[i]);
    }
  if (doubtful.empty()) return;
  bring_meshes();
  const auto decided = ask(*second, doubtful_pairs);
  for (std::size_t i = 0; i < doubtful.size(); ++i) out[doubtful[i]] = decided[i];
}

namespace {

/// With `strict`: what engines do not know of, holes and verdicts.
void require_pair(const PairOverlap& answer, std::size_t number) {
  try {
    require_health(answer.health, true);
  } catch (const Error& e) {
    throw Error(fmt::format("pair {} of the batch: {}", number, e.what()), e.kind());
  }
  if (answer.verdict == Verdict::undecided)
    throw Error(
        fmt::format("pair {} of the batch: strict: the surfaces touch within the error of sampling: sample "
                    "more finely",
                    number));
}

}  // namespace

Batch::Batch(Options options) : state_(std::make_unique<State>()) {
  check_options(options.for_query());
  Options used = options;
  // A GPU would only find what the CPU looks at again.
  if (used.certify && used.engine == "automatic") used.engine = "software";
  state_->cpu_only = used.engine == "software";
  state_->engine = make_batch_engine(used);
  state_->options = std::move(options);
}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

namespace {

/// The positions of a view of doubles, relative to another origin, with their roundings, as exact_view() wants them.
void keep_doubles(MeshView mesh, Mesh& to) {
  to.wide.assign(mesh.wide.begin(), mesh.wide.end());
  for (Vec3d& p : to.wide) p += mesh.origin - to.origin;
  for (std::size_t i = 0; i < to.wide.size(); ++i) to.positions[i] = narrow(to.wide[i]);
}

}  // namespace

ObjectId Batch::add(MeshView mesh) {
  check_indices(mesh);
  State& s = *state_;
  auto holes = s.options.close_holes ? close_holes(mesh) : nullptr;
  Mesh kept = rounded(holes ? holes->view() : mesh);
  if (!holes && !mesh.wide.empty()) keep_doubles(mesh, kept);
  const std::size_t number = s.meshes.size();
  try {
    s.meshes.push_back(std::move(kept));
    s.given_origins.push_back(mesh.origin);
    s.holes.push_back(std::move(holes));
    s.deformed.push_back(0);
    s.engine->add(exact_view(s.meshes.back()));
  } catch (...) {
    s.meshes.resize(number);
    s.given_origins.resize(number);
    s.holes.resize(number);
    s.deformed.resize(number);
    throw;
  }
  return {static_cast<std::uint32_t>(number)};
}

void Batch::deform(ObjectId mesh, std::span<const Vec3> positions) {
  check_mesh(mesh, mesh_count());
  State& s = *state_;
  std::vector<Vec3> moved;
  const Vec3d shift = s.given_origins[mesh.number] - s.meshes[mesh.number].origin;
  if (shift != Vec3d{}) {
    for (const Vec3& p : positions) moved.push_back(narrow(to_double(p) + shift));
    positions = moved;
  }
  if (s.holes[mesh.number]) positions = s.holes[mesh.number]->deform(positions);
  check_vertex_count(s.meshes[mesh.number].positions.size(), positions.size());
  s.meshes[mesh.number].positions.assign(positions.begin(), positions.end());
  s.meshes[mesh.number].wide = std::vector<Vec3d>();
  s.engine->deform(mesh.number, positions);
  ++s.deformed[mesh.number];
}

std::size_t Batch::mesh_count() const { return state_->meshes.size(); }

/// ask(engine, pairs) is the query.
template <class Answer, class Ask>
std::span<const Answer> Batch::State::answer(std::span<const BatchPair> pairs, std::vector<Answer>& out,
                                             const Ask& ask) {
  check_pairs(pairs, meshes.size());
  const auto found = ask(*engine, pairs);
  out.assign(found.begin(), found.end());
  look_again(pairs, out, ask);
  for (std::size_t i = 0; i < pairs.size(); ++i) judge_holes(pairs[i], out[i]);
  if (options.strict)
    for (std::size_t i = 0; i < pairs.size(); ++i) require_pair(out[i], i);
  return out;
}

std::span<const PairOverlap> Batch::intersect(std::span<const BatchPair> pairs) {
  const auto ask = [](BatchEngine& engine, std::span<const BatchPair> some) { return engine.intersect(some); };
  return state_->answer(pairs, state_->answers, ask);
}

std::span<const PairGradient> Batch::volume_gradients(std::span<const BatchPair> pairs) {
  const auto ask = [](BatchEngine& engine, std::span<const BatchPair> some) { return engine.volume_gradients(some); };
  return state_->answer(pairs, state_->gradients, ask);
}

const Options& Batch::options() const { return state_->options; }

}  // namespace lamella
