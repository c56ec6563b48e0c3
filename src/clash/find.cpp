// Candidates by boxes; blocks of them sampled by a Batch, on the CPU or a GPU; then the details of each pair, one pair
// a thread. What a pair's answer is depends on the pair alone, so that it does not matter who computes it, and when,
// nor whether all meshes are here or come with each block.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "clash/candidates.hpp"
#include "clash/find.hpp"
#include "clash/pair_tester.hpp"
#include "clash/parts.hpp"
#include "clash/reuse.hpp"
#include "core/parallel.hpp"
#include "core/stopwatch.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace clash {
namespace {

/// Pairs between two looks at progress and stop: as many as take about this long, for somebody waits. Answers do not
/// depend on it.
constexpr std::size_t kFewest = 2, kFirst = 8, kMost = 1024;
constexpr double kPatienceMs = 250;

std::size_t next_block(std::size_t block, double took_ms) {
  if (took_ms > kPatienceMs)
    return std::max(kFewest, static_cast<std::size_t>(static_cast<double>(block) * kPatienceMs / took_ms));
  return took_ms < kPatienceMs / 4 ? std::min(kMost, block * 2) : block;
}

void require(bool holds, const char* what) {
  if (!holds) throw Error(fmt::format("clash: {}", what));
}

std::string engine_of(const ClashOptions& options) {
  return options.engine == "automatic" ? "software" : options.engine;
}

}  // namespace

void check_options(const ClashOptions& options) {
  require(options.clearance >= 0 && std::isfinite(options.clearance), "the clearance must be 0 or more, and finite");
  require(options.touch >= 0 && std::isfinite(options.touch), "the touch distance must be 0 or more, and finite");
  for (const ClashRule& rule : options.rules) {
    const double clearance = rule.clearance.value_or(0);
    require(clearance >= 0 && std::isfinite(clearance), "a rule's clearance must be 0 or more, and finite");
    require(rule.allowed_depth >= 0 && rule.allowed_volume >= 0, "what a rule allows must be 0 or more");
  }
}

struct PairFinder::State {
  State(std::span<const MeshView> views, std::span<const AssemblyPart> all, const ClashOptions& o)
      : parts(all),
        options(o),
        workers(o.threads),
        meshes(facts_of(views, o.close_holes, workers)),
        batch({.engine = engine_of(o),
               .resolution = o.resolution,
               .threads = o.threads,
               .device = o.device,
               .keep_spans = false,
               .tolerance = o.tolerance,
               .certify = o.certify,
               .close_holes = o.close_holes}),
        testers(workers.count()) {}

  /// When the first block comes: there may be none.
  void fill_batch() {
    for (std::size_t i = batch.mesh_count(); i < meshes.size(); ++i) (void)batch.add(meshes[i].own);
  }

  std::span<const AssemblyPart> parts;
  const ClashOptions& options;
  Workers workers;
  std::vector<MeshFacts> meshes;
  Batch batch;
  std::vector<std::unique_ptr<PairTester>> testers;  ///< one for each worker, made when it is needed
  std::vector<BatchPair> sampled;
  std::vector<std::uint32_t> place;  ///< by candidate of a block: of its answer in the batch's
};

PairFinder::PairFinder(std::span<const MeshView> meshes, std::span<const AssemblyPart> parts,
                       const ClashOptions& options)
    : state_(std::make_unique<State>(meshes, parts, options)) {}
PairFinder::~PairFinder() = default;

std::vector<WideBox> PairFinder::boxes() { return boxes_of(state_->parts, state_->meshes, state_->workers); }

std::vector<bool> PairFinder::damaged() const {
  std::vector<bool> out;
  for (const AssemblyPart& part : state_->parts) out.push_back(state_->meshes[part.mesh].damaged);
  return out;
}

void PairFinder::test(std::span<const Candidate> block, std::vector<ClashPair>& out) {
  State& s = *state_;
  const std::span<const AssemblyPart> parts = s.parts;
  s.sampled.clear();
  s.place.assign(block.size(), ~0u);
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (!block[i].boxes_meet) continue;
    s.place[i] = static_cast<std::uint32_t>(s.sampled.size());
    const AssemblyPart &a = parts[block[i].a], &b = parts[block[i].b];
    s.sampled.push_back({{a.mesh}, {b.mesh}, a.pose, b.pose});
  }
  s.fill_batch();
  const std::span<const PairOverlap> answers = s.batch.intersect(s.sampled);
  const std::size_t first = out.size();
  out.resize(first + block.size());
  LowestFailure failure;
  s.workers.for_chunks(
      block.size(), 1,
      [&](std::size_t i, std::size_t, unsigned worker) {
        failure.run(i, [&] {
          std::unique_ptr<PairTester>& tester = s.testers[worker];
          if (!tester) tester = std::make_unique<PairTester>(s.parts, s.meshes, s.options);
          out[first + i] = s.place[i] == ~0u ? tester->test_gap(block[i]) : tester->test(block[i], answers[s.place[i]]);
        });
      },
      1);
  failure.rethrow();
}

/// What is known of parts before they are tested.
struct KnownParts {
  std::vector<WideBox> boxes;
  std::vector<bool> damaged;

  void list(ClashReport& report) const {
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
      if (boxes[i].empty())
        report.unusable_parts.push_back(i);
      else if (damaged[i])
        report.damaged_parts.push_back(i);
    }
  }
};

namespace {

/// Whether a report lists the pair.
bool is_kept(const ClashPair& pair, const ClashOptions& options) {
  return options.keep_clear || pair.kind != ClashClass::clear || pair.verdict == Verdict::undecided;
}

/// Block by block, until there are no more or the caller says stop. `reuse`: may be null.
void test_all(const TestBlock& test, Reuse* reuse, std::span<const Candidate> all, const ClashOptions& options,
              ClashReport& report) {
  std::vector<ClashPair> block;
  std::size_t size = kFirst;
  Stopwatch watch;
  for (std::size_t begin = 0; begin < all.size(); begin += block.size()) {
    if (options.stop && options.stop()) {
      report.complete = false;
      return;
    }
    if (options.progress) options.progress(begin, all.size());
    block.clear();
    std::size_t tested = std::min(size, all.size() - begin);
    if (reuse != nullptr)
      tested = reuse->answer(all.subspan(begin), size, test, block);
    else
      test(all.subspan(begin, tested), block);
    double took_ms = 0;
    watch.lap(took_ms);
    if (tested == size || took_ms > kPatienceMs) size = next_block(std::max(tested, kFewest), took_ms);
    report.tested_count += block.size();
    report.reused_count += block.size() - tested;
    for (ClashPair& pair : block)
      if (is_kept(pair, options)) report.pairs.push_back(std::move(pair));
  }
  if (options.progress) options.progress(all.size(), all.size());
}

/// The report of parts, but for the numbers of meshes and triangles. `watch` runs since the start.
ClashReport report_of(std::span<const AssemblyPart> parts, const KnownParts& known, const ClashOptions& options,
                      const Owns& owns, const TestBlock& test, const MeshesByNumber& load, Stopwatch& watch) {
  ClashReport report;
  report.part_count = parts.size();
  known.list(report);
  report.engine = engine_of(options);
  const RuleTable rules(options.rules, parts, {.threads = options.threads, .stop = options.stop});
  if (rules.stopped()) {
    report.complete = false;
    watch.lap(report.broad_ms);
    report.total_ms = report.broad_ms;
    return report;
  }
  const Candidates candidates = find_candidates(known.boxes, rules, options, owns);
  report.candidate_count = candidates.pairs.size();
  report.ignored_count = candidates.ignored;
  watch.lap(report.broad_ms);
  std::optional<Reuse> reuse;
  if (options.cache) reuse.emplace(*options.cache, parts, options, engine_of(options), load);
  test_all(test, reuse ? &*reuse : nullptr, candidates.pairs, options, report);
  if (reuse) reuse->finish();
  watch.lap(report.pairs_ms);
  report.findings = group_clashes(parts, report.pairs);
  report.total_ms = report.broad_ms + report.pairs_ms;
  return report;
}

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

std::uint32_t place_in(std::span<const std::uint32_t> ascending, std::uint32_t number) {
  return static_cast<std::uint32_t>(std::lower_bound(ascending.begin(), ascending.end(), number) - ascending.begin());
}

/// Answers a block with the meshes that it needs, which are loaded for it.
void test_loaded(std::span<const AssemblyPart> all, const MeshesByNumber& load, const ClashOptions& options,
                 std::span<const Candidate> block, std::vector<ClashPair>& out) {
  std::vector<std::uint32_t> named, numbers;
  for (const Candidate& c : block) named.insert(named.end(), {c.a, c.b});
  sort_unique(named);
  for (const std::uint32_t part : named) numbers.push_back(all[part].mesh);
  sort_unique(numbers);
  const HeldMeshes meshes = load(numbers);
  const std::span<const MeshView> views = meshes.views;
  std::vector<AssemblyPart> parts;
  for (const std::uint32_t part : named) {
    parts.push_back(all[part]);
    parts.back().mesh = place_in(numbers, parts.back().mesh);
  }
  check_parts(views, parts);
  std::vector<Candidate> here(block.begin(), block.end());
  for (Candidate& c : here) c.a = place_in(named, c.a), c.b = place_in(named, c.b);
  const std::size_t first = out.size();
  PairFinder(views, parts, options).test(here, out);
  for (ClashPair& pair : std::span(out).subspan(first)) pair.a = named[pair.a], pair.b = named[pair.b];
}

}  // namespace
}  // namespace clash

std::uint64_t ClashReport::count(ClashClass kind) const {
  return static_cast<std::uint64_t>(
      std::count_if(pairs.begin(), pairs.end(), [&](const ClashPair& p) { return p.kind == kind && !p.allowed; }));
}

std::uint64_t ClashReport::undecided_count() const {
  return static_cast<std::uint64_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const ClashPair& p) { return p.verdict == Verdict::undecided; }));
}

double clash_reach(const ClashOptions& options) { return clash::reach_of(options); }

std::vector<PartBox> part_boxes(std::span<const MeshView> meshes, std::span<const AssemblyPart> parts,
                                const ClashOptions& options) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  clash::check_parts(meshes, parts);
  Workers workers(options.threads);
  const std::vector<clash::MeshFacts> facts = clash::facts_of(meshes, options.close_holes, workers);
  std::vector<PartBox> out;
  out.reserve(parts.size());
  for (const WideBox& box : clash::boxes_of(parts, facts, workers)) {
    const bool damaged = facts[parts[out.size()].mesh].damaged;
    out.push_back(box.empty() ? PartBox{{kNone, kNone, kNone}, {kNone, kNone, kNone}}
                              : PartBox{box.min, box.max, damaged});
  }
  return out;
}

struct ClashShare::State {
  std::vector<AssemblyPart> parts;
  clash::KnownParts known;
  MeshesByNumber load;
  ClashOptions options;
};

ClashShare::ClashShare(std::vector<AssemblyPart> parts, std::vector<PartBox> boxes, MeshesByNumber load,
                       ClashOptions options) {
  clash::check_options(options);
  clash::require(boxes.size() == parts.size(), "a share needs one box for each part");
  clash::KnownParts known;
  known.boxes.reserve(boxes.size());
  for (const PartBox& box : boxes) {
    known.boxes.push_back(box.min.x <= box.max.x ? WideBox{box.min, box.max} : WideBox{});
    known.damaged.push_back(box.damaged);
  }
  state_ = std::make_unique<State>(State{std::move(parts), std::move(known), std::move(load), std::move(options)});
}
ClashShare::~ClashShare() = default;
ClashShare::ClashShare(ClashShare&&) noexcept = default;
ClashShare& ClashShare::operator=(ClashShare&&) noexcept = default;

ClashReport ClashShare::find(const std::function<bool(Vec3d)>& owns) {
  const State& s = *state_;
  Stopwatch watch;
  const MeshesByNumber load = [&](std::span<const std::uint32_t> numbers) {
    HeldMeshes meshes = s.load(numbers);
    clash::require(meshes.views.size() == numbers.size(), "a loader must give as many meshes as it is asked for");
    return meshes;
  };
  const auto test = [&](std::span<const clash::Candidate> block, std::vector<ClashPair>& out) {
    clash::test_loaded(s.parts, load, s.options, block, out);
  };
  return clash::report_of(s.parts, s.known, s.options, owns, test, load, watch);
}

ClashReport find_clashes(const Assembly& assembly, const ClashOptions& options) {
  Stopwatch watch;
  clash::check_options(options);
  clash::check_assembly(assembly);
  const std::vector<MeshView> meshes = clash::exact_views(assembly.meshes);
  clash::check_parts(meshes, assembly.parts);
  clash::PairFinder finder(meshes, assembly.parts, options);
  const auto test = [&](std::span<const clash::Candidate> block, std::vector<ClashPair>& out) {
    finder.test(block, out);
  };
  const auto load = [&](std::span<const std::uint32_t> numbers) {
    HeldMeshes some;
    for (const std::uint32_t number : numbers) some.views.push_back(meshes[number]);
    return some;
  };
  const clash::KnownParts known{finder.boxes(), finder.damaged()};
  ClashReport report = clash::report_of(assembly.parts, known, options, {}, test, load, watch);
  report.mesh_count = meshes.size();
  for (const AssemblyPart& part : assembly.parts) report.triangle_count += meshes[part.mesh].triangles.size();
  return report;
}

}  // namespace lamella
