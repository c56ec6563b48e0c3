#include <fmt/format.h>

#include <algorithm>
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
#include "sweep/sweep_run.hpp"

namespace lamella {

std::size_t sweep_parts::gpu_unit = 8192;

namespace {

using namespace sweep_parts;

/// Batches that are kept at a time, one for each resolution: each has copies of the meshes.
constexpr std::size_t kMaxBatches = 4;
constexpr std::uint32_t kNotAdded = ~std::uint32_t{0};

/// Most jobs of a block.
constexpr std::size_t kMost = 32'768;

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
  /// Of `meshes`: another thread may add names, and read names and digests.
  mutable std::mutex mutex;
  std::vector<std::unique_ptr<Sampler>> samplers;
  std::uint64_t calls = 0;
  // Of one call of answer().
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  ///< resolution and index of the jobs
  std::vector<BatchPair> pairs;

  KeptName& kept(std::uint32_t number);
  const Mesh& mesh(std::uint32_t number);
  void forget_meshes();
  Sampler& sampler(std::uint32_t resolution);
  ObjectId id(Sampler& sampler, std::uint32_t mesh);
  BatchPair pair(Sampler& sampler, const JobBlock& block, std::size_t job);
  void answer_unit(const JobBlock& block, std::size_t begin, std::size_t end, std::vector<PairOverlap>& answers);
  void answer_group(const JobBlock& block, std::span<const std::pair<std::uint32_t, std::uint32_t>> group,
                    std::vector<PairOverlap>& answers);
  [[noreturn]] void name_failure(const JobBlock& block, Batch& batch,
                                 std::span<const std::pair<std::uint32_t, std::uint32_t>> group, const Error& e) const;
};

KeptName& Sweep::State::kept(std::uint32_t number) {
  const std::scoped_lock lock(mutex);
  if (number >= meshes.size())
    throw Error(fmt::format("there is no mesh {} among the {} that were named", number, meshes.size()));
  return meshes[number];  // stays where it is when names are added
}

const Mesh& Sweep::State::mesh(std::uint32_t number) {
  KeptName& found = kept(number);
  if (!found.mesh) {
    Mesh read = load(found.name);
    const std::uint64_t digest = digest_of(read);
    if (found.digest && *found.digest != digest)
      throw Error(fmt::format("{}: the mesh has changed since the sweep began", found.name));
    mesh_bytes += bytes_of(read);
    const std::scoped_lock lock(mutex);
    found.mesh = std::move(read);
    found.digest = digest;
  }
  return *found.mesh;
}

/// All of them, and the batches that have copies: jobs that follow read those that they need again.
void Sweep::State::forget_meshes() {
  samplers.clear();
  mesh_bytes = 0;
  const std::scoped_lock lock(mutex);
  for (KeptName& name : meshes) name.mesh.reset();
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
  if (number >= s.ids.size()) s.ids.resize(std::max<std::size_t>(2 * s.ids.size(), number + 1), kNotAdded);
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

/// Jobs of one resolution are answered together, in their order.
void Sweep::State::answer_unit(const JobBlock& block, std::size_t from, std::size_t to,
                               std::vector<PairOverlap>& answers) {
  order.clear();
  for (std::size_t i = from; i < to; ++i) {
    const std::uint32_t resolution = block.jobs[i].resolution;
    order.emplace_back(resolution == options.resolution ? 0 : resolution, static_cast<std::uint32_t>(i));
  }
  const auto by_resolution = [](const auto& x, const auto& y) { return x.first < y.first; };
  if (!std::is_sorted(order.begin(), order.end(), by_resolution))
    std::stable_sort(order.begin(), order.end(), by_resolution);
  for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
    for (end = begin; end < order.size() && order[end].first == order[begin].first;) ++end;
    answer_group(block, std::span(order).subspan(begin, end - begin), answers);
  }
}

void Sweep::answer(const JobBlock& block, std::vector<PairOverlap>& answers) {
  answers.resize(block.jobs.size());
  for (std::size_t begin = 0, end; begin < block.jobs.size(); begin = end) {
    end = begin + up_to_unit(block.first + begin, block_unit(), block.jobs.size() - begin);
    state_->answer_unit(block, begin, end, answers);
  }
}

std::size_t Sweep::block_unit() const { return state_->options.engine == "software" ? 1 : gpu_unit; }

void Sweep::run(const Source& source, const Sink& sink, const std::function<bool()>& stop, std::uint64_t first) {
  struct Stage {
    JobBlock block;
    std::vector<PairOverlap> answers;
  };
  Stage read, answered, written;
  const std::size_t unit = block_unit();
  const std::size_t threads = Workers(state_->options.threads).count();
  std::size_t wanted = threads;
  const auto most = [&](std::uint64_t from) { return unit == 1 ? wanted : up_to_unit(from, unit, unit); };
  source(answered.block, most(first));
  std::future<void> reading, writing;  // wait when they are destroyed
  while (!answered.block.jobs.empty()) {
    first += answered.block.jobs.size();
    reading = std::async(std::launch::async, [&, n = most(first)] { source(read.block, n); });
    const auto start = Clock::now();
    add_meshes(answered.block.new_meshes);
    answer(answered.block, answered.answers);
    const double seconds = seconds_since(start);
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

std::optional<std::uint64_t> Sweep::digest(std::uint32_t mesh) const {
  const KeptName& found = state_->kept(mesh);
  const std::scoped_lock lock(state_->mutex);
  return found.digest;
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
