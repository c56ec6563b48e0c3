#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "lamella/mesh_io.hpp"
#include "lamella/mpi.hpp"
#include "mpi/mesh_bytes.hpp"
#include "mpi/place.hpp"
#include "mpi/sweep_dealer.hpp"
#include "mpi/sweep_messages.hpp"

namespace lamella::mpi {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Makes a call; what it throws goes into `out`.
template <class Call>
void note_failure(BlockAnswers& out, const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    out.failure = e.what();
    out.kind = e.kind();
  } catch (const std::bad_alloc&) {
    out.failure = "out of memory";
  } catch (const std::exception& e) {
    out.failure = e.what();
  } catch (...) {
    out.failure = "an unknown failure";
  }
}

}  // namespace

BlockAnswers answer(Sweep& sweep, const JobBlock& block) {
  BlockAnswers out;
  out.first = block.first;
  const auto start = Clock::now();
  note_failure(out, [&] { sweep.answer(block, out.answers); });
  if (!out.failure.empty()) out.answers.clear();
  out.seconds = seconds_since(start);
  return out;
}

void SweepMeshes::add(const std::vector<std::string>& names) {
  or_end_job([&] { add_to_node(names); });
}

void SweepMeshes::add_to_node(const std::vector<std::string>& names) {
  const auto first = static_cast<std::uint32_t>(names_.size());
  names_.insert(names_.end(), names.begin(), names.end());
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = first; i < names_.size(); ++i) numbers.push_back(i);
  // A mesh that cannot be read fails where a job needs it, with the job's place.
  const auto load = [&](std::uint32_t number) {
    try {
      return load_(names_[number]);
    } catch (...) {
      return Mesh{};
    }
  };
  kept_.emplace_back();  // first: if it failed when the meshes are made, they would be freed, which is collective
  kept_.back() = std::make_unique<NodeMeshes>(node_, numbers, load);
  for (const std::uint32_t i : numbers)
    if (const MeshView view = kept_.back()->view(i); !view.triangles.empty()) views_[names_[i]] = view;
}

Mesh SweepMeshes::mesh(const std::string& name) const {
  const auto found = views_.find(name);
  if (found == views_.end()) return load_(name);
  return copy_of(found->second);
}

namespace {

/// Something failed, and that is what the caller is told; the last checkpoint stays valid in any case.
void save_what_is_there(SweepFiles& files) {
  try {
    files.save();
  } catch (const Error&) {  // a disk that is full or broken: the last checkpoint stays
  }
}

/// The others' part: answers what rank 0 sends, until it says that it is over. A process that cannot, or was asked to
/// stop, says so instead of its answers, and stays: rank 0 and the processes of its node wait for it.
class Server {
 public:
  Server(const Processes& all, SweepMeshes& meshes, const SweepFileOptions& options)
      : all_(all), meshes_(meshes), options_(options) {}

  void run() {
    if (receive(all_, 0, bytes_) != kHello) return;
    begin(Taker(bytes_).take_text());
    for (int tag = receive(all_, 0, bytes_); tag != kEnd; tag = receive(all_, 0, bytes_)) {
      Taker taker(bytes_);
      tag == kMeshes ? add_meshes(taker) : reply(taker);
    }
    send(all_, 0, kBye, {});
  }

 private:
  void begin(const std::string& engine) {
    Options query = options_.query;
    query.engine = engine;
    note_failure(failed_, [&] {
      sweep_.emplace(
          query, [this](const std::string& name) { return meshes_.mesh(name); }, options_.mesh_memory);
    });
    if (!failed_.failure.empty()) failed_.failure = "process " + std::to_string(all_.rank()) + ": " + failed_.failure;
  }

  void add_meshes(Taker& taker) {
    std::vector<std::string> names(taker.take<std::uint64_t>());
    for (std::string& name : names) name = taker.take_text();
    meshes_.add(names);
    if (sweep_) sweep_->add_meshes(names);
  }

  void reply(Taker& taker) {
    JobBlock block;
    take(taker, block);
    Bytes reply;
    put(reply, answers_of(block));
    send(all_, 0, kAnswers, reply);
  }

  BlockAnswers answers_of(const JobBlock& block) {
    stopped_ = stopped_ || (options_.stop && options_.stop());
    BlockAnswers none = failed_;
    none.first = block.first;
    none.stopped = stopped_ || has_message(all_, 0, kEnd);  // at its end nobody wants these answers
    return none.stopped || !sweep_ ? none : answer(*sweep_, block);
  }

  const Processes& all_;
  SweepMeshes& meshes_;
  const SweepFileOptions& options_;
  std::optional<Sweep> sweep_;
  BlockAnswers failed_;  ///< why there is no sweep_
  bool stopped_ = false;
  Bytes bytes_;
};

/// Rank 0's part.
SweepReport deal_out(const Processes& all, SweepMeshes& meshes, const std::filesystem::path& jobs,
                     const std::filesystem::path& answers, const SweepFileOptions& options) {
  const auto start = Clock::now();
  std::optional<SweepFiles> files;
  try {
    files.emplace(jobs, answers, options);
  } catch (...) {
    for (int rank = 1; rank < all.size(); ++rank) send(all, rank, kEnd, {});
    throw;
  }
  try {
    SweepDealer(all, meshes, *files).run(options.stop);
  } catch (...) {
    save_what_is_there(*files);
    throw;
  }
  files->save();
  SweepReport report = files->report();
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace

SweepReport sweep_file(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                       const SweepFileOptions& asked) {
  const Job job;
  const Processes all = job.processes();
  if (all.size() == 1) return lamella::sweep_file(jobs, answers, asked);
  const Node node(all);
  SweepFileOptions options = asked;
  if (!options.load)
    options.load = [&](const std::string& name) { return read_mesh(job_mesh_path(jobs, name, asked.files)); };
  SweepMeshes meshes(node, options.load);
  Options place = options.query;
  place.engine = sweep_engine(place);
  take_place(node.processes(), place);
  options.query.threads = place.threads;
  options.query.device = place.device;
  if (all.rank() != 0) {
    or_end_job([&] { Server(all, meshes, options).run(); });
    return {};
  }
  options.load = [&](const std::string& name) { return meshes.mesh(name); };
  return deal_out(all, meshes, jobs, answers, options);
}

}  // namespace lamella::mpi
