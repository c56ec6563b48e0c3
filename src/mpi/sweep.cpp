#include <algorithm>
#include <new>
#include <optional>
#include <string>

#include "lamella/mpi.hpp"
#include "mpi/node_reader.hpp"
#include "mpi/place.hpp"
#include "mpi/sweep_dealer.hpp"
#include "mpi/sweep_messages.hpp"
#include "sweep/sweep_run.hpp"

namespace lamella::mpi {

namespace {

using namespace sweep_parts;

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

BlockAnswers BlockAnswerer::answer(const JobBlock& block) {
  BlockAnswers out;
  out.first = block.first;
  const auto start = Clock::now();
  note_failure(out, [&] {
    sweep_.answer(block, out.answers);
    note_meshes(block, out);
  });
  if (!out.failure.empty()) out.answers.clear();
  out.seconds = seconds_since(start);
  return out;
}

void BlockAnswerer::note_meshes(const JobBlock& block, BlockAnswers& out) {
  for (const PairJob& job : block.jobs)
    for (const std::uint32_t mesh : {job.a, job.b}) {
      if (mesh >= told_.size()) told_.resize(std::max<std::size_t>(2 * told_.size(), mesh + std::size_t{1}));
      if (told_[mesh]) continue;
      told_[mesh] = true;
      out.read.push_back({sweep_.digest(mesh).value(), mesh});
    }
}

namespace {

/// The others' part: answers what rank 0 sends, until it says that it is over. A process that cannot, or was asked to
/// stop, says so instead of its answers, and stays: rank 0 and the processes of its node wait for it.
class Server {
 public:
  Server(const Processes& all, const SweepFileOptions& options) : all_(all), options_(options) {}

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
      sweep_.emplace(query, options_.load, options_.mesh_memory);
      answerer_.emplace(*sweep_);
    });
    if (!failed_.failure.empty()) failed_.failure = "process " + std::to_string(all_.rank()) + ": " + failed_.failure;
  }

  void add_meshes(Taker& taker) {
    std::vector<std::string> names(taker.take<std::uint64_t>());
    for (std::string& name : names) name = taker.take_text();
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
    return none.stopped || !answerer_ ? none : answerer_->answer(block);
  }

  const Processes& all_;
  const SweepFileOptions& options_;
  std::optional<Sweep> sweep_;
  std::optional<BlockAnswerer> answerer_;
  BlockAnswers failed_;  ///< why there is none
  bool stopped_ = false;
  Bytes bytes_;
};

/// Rank 0's part.
SweepReport deal_out(const Processes& all, const std::filesystem::path& jobs, const std::filesystem::path& answers,
                     const SweepFileOptions& options) {
  const auto start = Clock::now();
  std::optional<SweepFiles> files;
  try {
    files.emplace(jobs, answers, options);
  } catch (...) {
    for (int rank = 1; rank < all.size(); ++rank) send(all, rank, kEnd, {});
    throw;
  }
  return run_and_save(*files, start, [&] { SweepDealer(all, *files).run(options.stop); });
}

/// The options of a process of a node: its part of the cores, of the GPUs and of the memory for meshes, where the
/// caller leaves them open.
SweepFileOptions options_on(const Processes& node, const std::filesystem::path& jobs, SweepFileOptions options) {
  options.load = loader_of(jobs, options);
  Options place = options.query;
  place.engine = sweep_engine(place);
  take_place(node, place);
  options.query.threads = place.threads;
  options.query.device = place.device;
  if (options.mesh_memory == kSweepMeshMemory) options.mesh_memory /= static_cast<std::uint64_t>(node.size());
  return options;
}

}  // namespace

SweepReport sweep_file(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                       const SweepFileOptions& asked) {
  const Job job;
  const Processes all = job.processes();
  if (all.size() == 1) return lamella::sweep_file(jobs, answers, asked);
  const Node node(all);
  SweepFileOptions options = options_on(node.processes(), jobs, asked);
  NodeReader reader(node.processes(), options.load, options.mesh_memory);
  options.load = [&](const std::string& name) { return reader.read(name); };
  if (all.rank() == 0) return deal_out(all, jobs, answers, options);
  or_end_job([&] { Server(all, options).run(); });
  return {};
}

}  // namespace lamella::mpi
