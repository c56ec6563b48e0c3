#include "mpi/processes.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <exception>
#include <new>
#include <numeric>
#include <string>

#include "lamella/mpi.hpp"

namespace lamella::mpi {
namespace {

/// Most bytes of one message: counts of MPI are ints.
constexpr std::uint64_t kPiece = std::uint64_t{1} << 30;

void send_large(const Bytes& bytes, int to, int tag, MPI_Comm comm, std::vector<MPI_Request>& requests) {
  for (std::uint64_t at = 0; at < bytes.size(); at += kPiece) {
    const int count = static_cast<int>(std::min<std::uint64_t>(kPiece, bytes.size() - at));
    MPI_Isend(bytes.data() + at, count, MPI_BYTE, to, tag, comm, &requests.emplace_back());
  }
}

void receive_large(Bytes& bytes, int from, int tag, MPI_Comm comm, std::vector<MPI_Request>& requests) {
  for (std::uint64_t at = 0; at < bytes.size(); at += kPiece) {
    const int count = static_cast<int>(std::min<std::uint64_t>(kPiece, bytes.size() - at));
    MPI_Irecv(bytes.data() + at, count, MPI_BYTE, from, tag, comm, &requests.emplace_back());
  }
}

void wait_for(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

constexpr int kExchange = 1, kGather = 2;

/// Room for what comes. Where one process has none all throw, before any of them waits for a message.
void resize_together(const Processes& all, std::vector<Bytes>& received, std::span<const std::uint64_t> sizes) {
  bool fits = true;
  try {
    for (std::size_t i = 0; i < received.size(); ++i) received[i].resize(sizes[i]);
  } catch (const std::exception&) {
    fits = false;
  }
  if (all.all(fits)) return;
  throw FailedTogether("out of memory: " +
                       (fits ? std::string("another process has") : "process " + std::to_string(all.rank()) + " has") +
                       " no room for what the others send it; start more processes, on more machines");
}

}  // namespace

Processes::Processes(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
}

std::vector<Bytes> Processes::exchange(const std::vector<Bytes>& to_each) const {
  std::vector<std::uint64_t> mine(static_cast<std::size_t>(size_)), theirs(mine.size());
  std::transform(to_each.begin(), to_each.end(), mine.begin(), [](const Bytes& b) { return b.size(); });
  MPI_Alltoall(mine.data(), 1, MPI_UINT64_T, theirs.data(), 1, MPI_UINT64_T, comm_);
  std::vector<Bytes> received(mine.size());
  std::vector<MPI_Request> requests;
  resize_together(*this, received, theirs);
  for (std::size_t i = 0; i < received.size(); ++i)
    receive_large(received[i], static_cast<int>(i), kExchange, comm_, requests);
  for (std::size_t i = 0; i < to_each.size(); ++i)
    send_large(to_each[i], static_cast<int>(i), kExchange, comm_, requests);
  wait_for(requests);
  return received;
}

std::vector<Bytes> Processes::gather(const Bytes& mine) const {
  const std::uint64_t size = mine.size();
  std::vector<std::uint64_t> sizes(rank_ == 0 ? static_cast<std::size_t>(size_) : 0);
  MPI_Gather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, comm_);
  std::vector<Bytes> all(sizes.size());
  std::vector<MPI_Request> requests;
  resize_together(*this, all, sizes);
  for (std::size_t i = 0; i < all.size(); ++i) receive_large(all[i], static_cast<int>(i), kGather, comm_, requests);
  send_large(mine, 0, kGather, comm_, requests);
  wait_for(requests);
  return all;
}

Bytes Processes::broadcast(Bytes bytes) const {
  std::uint64_t size = bytes.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, comm_);
  std::vector<Bytes> room(1);
  if (rank_ == 0) room[0] = std::move(bytes);
  resize_together(*this, room, std::span(&size, 1));
  for (std::uint64_t at = 0; at < size; at += kPiece)
    MPI_Bcast(room[0].data() + at, static_cast<int>(std::min(kPiece, size - at)), MPI_BYTE, 0, comm_);
  return std::move(room[0]);
}

std::vector<std::uint64_t> Processes::all_of(std::span<const std::uint64_t> mine) const {
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(size_)), starts(counts.size());
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm_);
  if (std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) > INT_MAX)
    throw FailedTogether("MPI counts at most 2^31 - 1 values; split the assembly");
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] = starts[i - 1] + counts[i - 1];
  std::vector<std::uint64_t> all(static_cast<std::size_t>(starts.back() + counts.back()));
  MPI_Allgatherv(mine.data(), count, MPI_UINT64_T, all.data(), counts.data(), starts.data(), MPI_UINT64_T, comm_);
  return all;
}

std::vector<int> Processes::ranks_here(const Processes& others) const {
  std::vector<int> theirs(static_cast<std::size_t>(others.size())), here(theirs.size());
  std::iota(theirs.begin(), theirs.end(), 0);
  MPI_Group their_group = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  MPI_Comm_group(others.comm(), &their_group);
  MPI_Comm_group(comm_, &group);
  MPI_Group_translate_ranks(their_group, others.size(), theirs.data(), group, here.data());
  MPI_Group_free(&their_group);
  MPI_Group_free(&group);
  std::replace(here.begin(), here.end(), MPI_UNDEFINED, -1);
  return here;
}

void Processes::sum(std::span<std::uint64_t> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM, comm_);
}

void Processes::least(std::span<double> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MIN, comm_);
}

bool Processes::all(bool mine) const {
  int value = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, comm_);
  return value != 0;
}

Failure failure_caught() {
  try {
    throw;
  } catch (const Error& e) {
    return {e.what(), e.kind()};
  } catch (const std::bad_alloc&) {
    return {"out of memory; start more processes, on more machines"};
  } catch (const std::exception& e) {
    return {e.what()};
  } catch (...) {
    return {"an unknown failure"};
  }
}

void throw_first(const Processes& all, const std::optional<Failure>& failure) {
  if (all.all(!failure)) return;
  Bytes mine;
  if (failure) {
    put(mine, failure->kind);
    put(mine, std::string_view(failure->text));
  }
  for (const Bytes& bytes : all.exchange(std::vector<Bytes>(static_cast<std::size_t>(all.size()), mine))) {
    if (bytes.empty()) continue;
    Taker taker(bytes);
    const auto kind = taker.take<Error::Kind>();
    throw FailedTogether(taker.take_text(), kind);
  }
}

void end_job(std::string_view why) {
  const int rank = Processes(MPI_COMM_WORLD).rank();
  std::string text = "lamella: process " + std::to_string(rank) + " failed, and the job ends: ";
  text.append(why).append("\n");
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  Session::abort(2);
}

std::vector<std::vector<char>> exchange(const std::vector<std::vector<char>>& to_each) {
  const Job job;
  if (to_each.size() != static_cast<std::size_t>(job.processes().size()))
    throw Error("exchange: give one message for each process");
  return job.processes().exchange(to_each);
}

std::vector<char> broadcast(std::vector<char> of_rank_0) {
  const Job job;
  return job.processes().broadcast(std::move(of_rank_0));
}

Node::Node(const Processes& all, const NodeOf& node_of) {
  if (node_of)
    MPI_Comm_split(all.comm(), or_end_job([&] { return node_of(all.rank()); }), all.rank(), &comm_);
  else
    MPI_Comm_split_type(all.comm(), MPI_COMM_TYPE_SHARED, all.rank(), MPI_INFO_NULL, &comm_);
}

Node::~Node() { MPI_Comm_free(&comm_); }

}  // namespace lamella::mpi
