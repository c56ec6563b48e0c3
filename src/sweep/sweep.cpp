#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <future>
#include <mutex>
#include <utility>

#include "core/mesh_digest.hpp"
#include "core/parallel.hpp"
#include "lamella/error.hpp"
#include "lamella/job_sweep.hpp"
#include "registry/registry.hpp"
#include "sweep/block_size.hpp"

namespace lamella {
namespace {

using namespace sweep_parts;

/// Batches that are kept at a time, one for each resolution: each has copies of the meshes.
constexpr std::size_t kMaxBatches = 4;
constexpr std::uint32_t kNotAdded = ~std::uint32_t{0};

/// Most jobs of a block.
constexpr std::size_t kMost = 32'768;
/// On a GPU, whose batches are planned for their largest pair: always the same jobs together.
constexpr std::size_t kGpuUnit = 8192;

struct KeptName {
  std::string name;
  std::optional<Mesh> mesh;             ///< while it is kept
  std::optional<std::uint64_t> digest;  ///< of the mesh, once it was read
};

std::uint64_t bytes_of(const Mesh& mesh) {
  return mesh.positions.size() * sizeof(Vec3) + mesh.triangles.size() * sizeof(Triangle);
}

/// The batch for one resolution, with those meshes that its jobs use.
struct Sampler {
  std::uint32_t resolution;
  Batch batch;
  std::vector<std::uint32_t> ids;  ///< in the batch, by the sweep's numbers
  std::uint64_t used = 0;          ///< when, counted in calls
  std::uint64_t bytes = 0;         ///< of its copies of meshes

  Sampler(std::uint32_t at, const Options& options) : resolution(at), batch(options) {}
};

/// A message of a batch without its prefix: the caller knows a better one.
std::string_view without_pair(std::string_view message) {
  constexpr std::string_view kPrefix = "pair 0 of the batch: ";
  return message.starts_with(kPrefix) ? message.substr(kPrefix.size()) : message;
}

}  // namespace

struct Sweep::State {
  Options options;
  MeshLoader load;
  std::uint64_t mesh_memory = 0;  ///< above this, meshes are forgotten
  std::uint64_t mesh_bytes = 0;   ///< of the meshes, and of their copies in batches
  std::deque<KeptName> meshes;
  mutable std::mutex mutex;  ///< of `meshes`: the sink of run() reads names and digests
  std::vector<std::unique_ptr<Sampler>> samplers;
  std::uint64_t calls = 0;
  // Of one call of answer().
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  ///< resolution and index of the jobs
  std::vector<BatchPair> pairs;

  const Mesh& mesh(std::uint32_t number);
  void forget_meshes();
  Sampler& sampler(std::uint32_t resolution);
  ObjectId id(Sampler& sampler, std::uint32_t mesh);
  BatchPair pair(Sampler& sampler, const JobBlock& block, std::size_t job);
  void answer_group(const JobBlock& block, std::span<const std::pair<std::uint32_t, std::uint32_t>> group,
                    std::vector<PairOverlap>& answers);
  [[noreturn]] void name_failure(const JobBlock& block, Batch& batch,
                                 std::span<const std::pair<std::uint32_t, std::uint32_t>> group, const Error& e) const;
};

const Mesh& Sweep::State::mesh(std::uint32_t number) {
  if (number >= meshes.size())
    throw Error(fmt::format("there is no mesh {} among the {} that were named", number, meshes.size()));
  KeptName& kept = meshes[number];
  if (!kept.mesh) {
    Mesh read = load(kept.name);
    const std::uint64_t digest = digest_of(read);
    if (kept.digest && *kept.digest != digest)
      throw Error(fmt::format("{}: the mesh has changed since the sweep began", kept.name));
    mesh_bytes += bytes_of(read);
    const std::scoped_lock lock(mutex);
    kept.mesh = std::move(read);
    kept.digest = digest;
  }
  return *kept.mesh;
}

/// All of them, and the batches that have copies: jobs that follow read those that they need again.
void Sweep::State::forget_meshes() {
  samplers.clear();
  for (KeptName& kept : meshes) kept.mesh.reset();
  mesh_bytes = 0;
}

Sampler& Sweep::State::sampler(std::uint32_t resolution) {
  const auto found =
      std::find_if(samplers.begin(), samplers.end(), [&](const auto& s) { return s->resolution == resolution; });
  if (found != samplers.end()) {
    (*found)->used = ++calls;
    return **found;
  }
  if (samplers.size() == kMaxBatches) {
    const auto oldest = std::min_element(samplers.begin(), samplers.end(),
                                         [](const auto& x, const auto& y) { return x->used < y->used; });
    mesh_bytes -= (*oldest)->bytes;
    samplers.erase(oldest);
  }
  Options used = options;
  if (resolution != 0) used.resolution = resolution;
  samplers.push_back(std::make_unique<Sampler>(resolution, used));
  samplers.back()->used = ++calls;
  return *samplers.back();
}

ObjectId Sweep::State::id(Sampler& s, std::uint32_t number) {
  if (number >= s.ids.size()) s.ids.resize(std::max<std::size_t>(meshes.size(), number + 1), kNotAdded);
  if (s.ids[number] == kNotAdded) {
    const Mesh& added = mesh(number);
    s.ids[number] = s.batch.add(added).number;
    s.bytes += bytes_of(added);
    mesh_bytes += bytes_of(added);
  }
  return {s.ids[number]};
}

BatchPair Sweep::State::pair(Sampler& s, const JobBlock& block, std::size_t i) {
  const PairJob& job = block.jobs[i];
  try {
    if (job.resolution != 0 && options.tolerance)
      throw Error("has a resolution, which a tolerance replaces; leave out one of both");
    return {id(s, job.a), id(s, job.b), job.pose_a, job.pose_b};
  } catch (const Error& e) {
    throw Error(fmt::format("{}: {}", block.place(i), e.what()), e.kind());
  }
}

/// Finds the job that fails, for a message that names it: a Batch counts its own pairs.
void Sweep::State::name_failure(const JobBlock& block, Batch& batch,
                                std::span<const std::pair<std::uint32_t, std::uint32_t>> group, const Error& e) const {
  if (e.kind() == Error::Kind::device) throw e;
  for (std::size_t i = 0; i < group.size(); ++i) try {
      (void)batch.intersect(std::span(pairs).subspan(i, 1));
    } catch (const Error& own) {
      throw Error(fmt::format("{}: {}", block.place(group[i].second), without_pair(own.what())), own.kind());
    }
  throw e;
}

void Sweep::State::answer_group(const JobBlock& block, std::span<const std::pair<std::uint32_t, std::uint32_t>> group,
                                std::vector<PairOverlap>& answers) {
  const bool all_at_once = options.engine != "software";  // sums depend on what is asked together
  for (std::size_t begin = 0, end; begin < group.size(); begin = end) {
    if (mesh_bytes > mesh_memory) forget_meshes();
    Sampler& s = sampler(group.front().first);
    pairs.clear();
    for (end = begin; end < group.size() && (end == begin || all_at_once || mesh_bytes <= mesh_memory); ++end)
      pairs.push_back(pair(s, block, group[end].second));
    const auto asked = group.subspan(begin, end - begin);
    try {
      const auto found = s.batch.intersect(pairs);
      for (std::size_t i = 0; i < asked.size(); ++i) answers[asked[i].second] = found[i];
    } catch (const Error& e) {
      name_failure(block, s.batch, asked, e);
    }
  }
}

Sweep::Sweep(Options options, MeshLoader load, std::uint64_t mesh_memory) : state_(std::make_unique<State>()) {
  options.engine = sweep_engine(options);
  options.keep_spans = options.ends = false;  // answers have no spans
  state_->options = std::move(options);
  state_->load = std::move(load);
  state_->mesh_memory = mesh_memory;
  (void)state_->sampler(0);  // an engine that is missing is noticed here
}
Sweep::~Sweep() = default;
Sweep::Sweep(Sweep&&) noexcept = default;
Sweep& Sweep::operator=(Sweep&&) noexcept = default;

void Sweep::add_meshes(std::span<const std::string> names) {
  const std::scoped_lock lock(state_->mutex);
  for (const std::string& name : names) state_->meshes.push_back({name, std::nullopt, std::nullopt});
}

void Sweep::read_meshes(const JobBlock& block) {
  for (std::size_t i = 0; i < block.jobs.size(); ++i) try {
      for (const std::uint32_t mesh : {block.jobs[i].a, block.jobs[i].b}) {
        (void)state_->mesh(mesh);
        if (state_->mesh_bytes > state_->mesh_memory) state_->forget_meshes();
      }
    } catch (const Error& e) {
      throw Error(fmt::format("{}: {}", block.place(i), e.what()), e.kind());
    }
}

void Sweep::answer(const JobBlock& block, std::vector<PairOverlap>& answers) {
  State& s = *state_;
  answers.resize(block.jobs.size());
  s.order.clear();
  for (std::uint32_t i = 0; i < block.jobs.size(); ++i) {
    const std::uint32_t resolution = block.jobs[i].resolution;
    s.order.emplace_back(resolution == s.options.resolution ? 0 : resolution, i);
  }
  // Jobs of one resolution are answered together, in their order.
  const auto by_resolution = [](const auto& x, const auto& y) { return x.first < y.first; };
  if (!std::is_sorted(s.order.begin(), s.order.end(), by_resolution))
    std::stable_sort(s.order.begin(), s.order.end(), by_resolution);
  for (std::size_t begin = 0, end; begin < s.order.size(); begin = end) {
    for (end = begin; end < s.order.size() && s.order[end].first == s.order[begin].first;) ++end;
    s.answer_group(block, std::span(s.order).subspan(begin, end - begin), answers);
  }
}

std::size_t Sweep::block_unit() const { return state_->options.engine == "software" ? 1 : kGpuUnit; }

void Sweep::run(const Source& source, const Sink& sink, const std::function<bool()>& stop, std::uint64_t first) {
  using Clock = std::chrono::steady_clock;
  struct Stage {
    JobBlock block;
    std::vector<PairOverlap> answers;
  };
  Stage read, answered, written;
  const std::size_t unit = block_unit();
  const std::size_t threads = Workers(state_->options.threads).count();
  std::size_t wanted = threads;
  const auto most = [&](std::uint64_t from) { return unit == 1 ? wanted : unit - from % unit; };
  source(answered.block, most(first));
  std::future<void> reading, writing;  // wait when they are destroyed
  while (!answered.block.jobs.empty()) {
    first += answered.block.jobs.size();
    reading = std::async(std::launch::async, [&, n = most(first)] { source(read.block, n); });
    const auto start = Clock::now();
    add_meshes(answered.block.new_meshes);
    answer(answered.block, answered.answers);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (writing.valid()) writing.get();
    std::swap(answered, written);
    writing = std::async(std::launch::async, [&] { sink(written.block, written.answers); });
    reading.get();
    wanted = next_block(written.block.jobs.size(), seconds, threads, kMost);
    std::swap(answered, read);
    if (stop && stop()) break;
  }
  if (writing.valid()) writing.get();
}

const Options& Sweep::options() const { return state_->options; }

std::string Sweep::description() const {
  const Options& o = state_->options;
  const std::string tolerance =
      o.tolerance ? fmt::format("{}:{}", o.tolerance->relative, o.tolerance->absolute) : std::string("none");
  return fmt::format(
      "engine={} resolution={} axis={} min_thickness={} max_crossings={} tolerance={} certify={} close_holes={}",
      o.engine, o.tolerance ? 0 : o.resolution, o.axis ? std::string(1, "xyz"[static_cast<int>(*o.axis)]) : "auto",
      o.min_thickness, o.max_crossings, tolerance, o.certify, o.close_holes);
}

std::vector<SweepMesh> Sweep::meshes() const {
  const std::scoped_lock lock(state_->mutex);
  std::vector<SweepMesh> out;
  for (const KeptName& kept : state_->meshes) out.push_back({kept.name, kept.digest});
  return out;
}

void Sweep::require_meshes(std::span<const SweepMesh> meshes) {
  State& s = *state_;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (!meshes[i].digest) continue;
    {
      const std::scoped_lock lock(s.mutex);
      if (!s.meshes[i].digest) s.meshes[i].digest = meshes[i].digest;
    }
    (void)s.mesh(static_cast<std::uint32_t>(i));
    if (s.mesh_bytes > s.mesh_memory) s.forget_meshes();
  }
}

std::string sweep_engine(const Options& options) {
  if (options.engine != "automatic") return options.engine;
  return options.certify ? "software" : std::string(engine_for_large_batches());
}

}  // namespace lamella
