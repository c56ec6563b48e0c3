#include "mpi/sweep_dealer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "sweep/block_size.hpp"

namespace lamella::mpi {
namespace {

/// Blocks that a process has at a time: one that it answers, and one that waits, so that it never does.
constexpr int kAtATime = 2;
/// Most jobs of a block; GPUs want more, and always the same ones together.
constexpr std::size_t kMostJobs = 2048, kUnits = 4;
constexpr std::chrono::microseconds kNap{200};

}  // namespace

OwnThread::OwnThread(Sweep& sweep) : thread_([this, &sweep] { work(sweep); }) {}

OwnThread::~OwnThread() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void OwnThread::give(JobBlock block) {
  {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(block));
  }
  changed_.notify_one();
}

bool OwnThread::take(BlockAnswers& out) {
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  if (ready_.empty()) return false;
  out = std::move(ready_.front());
  ready_.pop_front();
  return true;
}

void OwnThread::work(Sweep& sweep) {
  BlockAnswerer answerer(sweep);
  std::unique_lock lock(mutex_);
  try {
    for (;;) {
      changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
      if (ends_) return;
      const JobBlock block = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      BlockAnswers answers = answerer.answer(block);
      lock.lock();
      ready_.push_back(std::move(answers));
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    failure_ = std::current_exception();
  }
}

SweepDealer::SweepDealer(const Processes& all, SweepFiles& files)
    : all_(all),
      files_(files),
      own_(files.sweep()),
      busy_(static_cast<std::size_t>(all.size())),
      last_(busy_.size() - 1),
      threads_(std::max(1u, files.sweep().options().threads)),
      wanted_(threads_),
      next_(files.resumed()) {
  const auto hello = std::make_shared<Bytes>();
  put(*hello, std::string_view(files.sweep().options().engine));
  for (int rank = 1; rank < all_.size(); ++rank) post(rank, kHello, hello);
}

SweepDealer::~SweepDealer() {
  for (int rank = 1; rank < all_.size(); ++rank) post(rank, kEnd, std::make_shared<Bytes>());
  // Answers that were on their way are taken, and dropped.
  for (int left = all_.size() - 1; left > 0;) left -= receive(all_, MPI_ANY_SOURCE, bytes_) == kBye ? 1 : 0;
  for (Posted& p : posted_) MPI_Wait(&p.request, MPI_STATUS_IGNORE);
}

void SweepDealer::post(int rank, int tag, std::shared_ptr<const Bytes> bytes) {
  const int size = message_size(*bytes);
  Posted& p = posted_.emplace_back();
  p.bytes = std::move(bytes);
  MPI_Isend(p.bytes->data(), size, MPI_BYTE, rank, tag, all_.comm(), &p.request);
}

void SweepDealer::run(const std::function<bool()>& stop) {
  stop_ = stop;
  std::vector<std::string> known;
  for (const SweepMesh& mesh : files_.sweep().meshes()) {
    known.push_back(mesh.name);
    read_.push_back(mesh.digest ? std::optional(FirstRead{*mesh.digest, 0}) : std::nullopt);
  }
  announce(known);
  while ((more_ || !dealt_.empty()) && !stopped()) {
    if (more_ && free_process())
      deal_next();
    else
      wait();
    hand_on();
  }
  // A launcher that was told to end may leave a second, and other processes may be long at their blocks.
  if (stopped_)
    files_.save();
  else if (unread_)
    std::rethrow_exception(unread_);
}

bool SweepDealer::stopped() { return stopped_ = stopped_ || (stop_ && stop_()); }

void SweepDealer::deal_next() {
  const std::size_t unit = kUnits * files_.sweep().block_unit();
  JobBlock block;
  try {
    files_.read(block, files_.sweep().block_unit() > 1 ? unit - next_ % unit : wanted_);
  } catch (...) {  // told after the jobs before it
    unread_ = std::current_exception();
  }
  next_ += block.jobs.size();
  more_ = more_ && !unread_ && !block.jobs.empty();
  files_.sweep().add_meshes(block.new_meshes);
  announce(block.new_meshes);
  if (more_) deal(std::move(block));
}

/// The numbers of meshes are the same everywhere. Who needs a mesh reads it.
void SweepDealer::announce(const std::vector<std::string>& names) {
  if (names.empty()) return;
  const auto bytes = std::make_shared<Bytes>();
  put(*bytes, std::uint64_t{names.size()});
  for (const std::string& name : names) put(*bytes, std::string_view(name));
  (void)message_size(*bytes);  // before some get it and others do not
  for (int rank = 1; rank < all_.size(); ++rank) post(rank, kMeshes, bytes);
}

std::optional<int> SweepDealer::free_process() const {
  if (dealt_.size() > 4 * kAtATime * busy_.size()) return std::nullopt;
  // Of those that have as few, the one that waits longest: rank 0 is the quickest to be free.
  std::size_t found = last_;
  for (std::size_t i = 1; i < busy_.size(); ++i) {
    const std::size_t rank = (last_ + i) % busy_.size();
    if (found == last_ ? busy_[rank] <= busy_[found] : busy_[rank] < busy_[found]) found = rank;
  }
  if (busy_[found] >= kAtATime) return std::nullopt;
  return static_cast<int>(found);
}

void SweepDealer::deal(JobBlock block) {
  const int rank = *free_process();
  last_ = static_cast<std::size_t>(rank);
  ++busy_[last_];
  if (rank == 0) {
    own_.give(block);
  } else {
    const auto bytes = std::make_shared<Bytes>();
    put(*bytes, block);
    post(rank, kBlock, bytes);
  }
  const std::uint64_t first = block.first;
  dealt_[first] = {std::move(block), rank, std::nullopt};
}

/// A failure is kept with its block until the blocks before it are handed on: so it does not depend on who is quicker
/// which one is told, and no answer before it is lost.
void SweepDealer::accept(BlockAnswers answers) {
  Dealt& dealt = dealt_.at(answers.first);
  --busy_[static_cast<std::size_t>(dealt.rank)];
  stopped_ = stopped_ || answers.stopped;
  if (answers.stopped) return;
  if (!answers.failure.empty()) more_ = false;
  wanted_ = sweep_parts::next_block(dealt.block.jobs.size(), answers.seconds, threads_, kMostJobs);
  dealt.answers = std::move(answers);
}

/// Whether there was something.
bool SweepDealer::receive_some() {
  bool some = false;
  BlockAnswers answers;
  while (own_.take(answers)) {
    accept(std::move(answers));
    some = true;
  }
  for (int there = 1; there != 0;) {
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kAnswers, all_.comm(), &there, &status);
    if (there == 0) break;
    (void)receive(all_, status.MPI_SOURCE, bytes_);
    Taker taker(bytes_);
    take(taker, answers);
    accept(std::move(answers));
    some = true;
  }
  posted_.remove_if([](Posted& p) {
    int taken = 0;
    MPI_Test(&p.request, &taken, MPI_STATUS_IGNORE);
    return taken != 0;
  });
  return some;
}

void SweepDealer::wait() {
  if (!receive_some()) std::this_thread::sleep_for(kNap);
}

void SweepDealer::hand_on() {
  (void)receive_some();
  while (!dealt_.empty() && dealt_.begin()->second.answers) {
    const Dealt& next = dealt_.begin()->second;
    if (!next.answers->failure.empty()) throw Error(next.answers->failure, next.answers->kind);
    compare_meshes(next);
    files_.write(next.block, next.answers->answers);
    dealt_.erase(dealt_.begin());
  }
}

/// Processes of other machines may see other files under the same names. In the order of the jobs, so that all answers
/// before the first difference are kept.
void SweepDealer::compare_meshes(const Dealt& block) {
  for (const ReadMesh& found : block.answers->read) {
    if (found.mesh >= read_.size()) read_.resize(std::max<std::size_t>(2 * read_.size(), found.mesh + std::size_t{1}));
    std::optional<FirstRead>& first = read_[found.mesh];
    if (!first) first = FirstRead{found.digest, block.rank};
    if (first->digest != found.digest)
      throw Error(files_.sweep().meshes()[found.mesh].name + ": process " + std::to_string(block.rank) +
                  " reads another mesh than process " + std::to_string(first->rank) +
                  "; all processes must see the same files");
    files_.note_digest(found.mesh, found.digest);
  }
}

}  // namespace lamella::mpi
