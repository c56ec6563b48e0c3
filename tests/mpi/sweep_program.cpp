// Run by mpirun with a folder: sweeps of which one process fails, stops or is slow. Rank 0 is told, the file has all
// that was answered before, and no process waits for another one that went away: the next sweep begins at once.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "lamella/error.hpp"
#include "lamella/mpi.hpp"
#include "scenes/models.hpp"

namespace {

using namespace lamella;

int failures = 0, rank = 0, size = 1;
std::filesystem::path folder;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "process %d: failed: %s\n", rank, what.c_str());
  ++failures;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t answers_in(const std::filesystem::path& path) {
  const std::string text = content(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
}

/// `broken`: a line of this number, from 0, that is no job.
std::filesystem::path write_jobs(const std::string& name, int count, int broken = -1) {
  if (rank == 0) {
    std::ofstream out(folder / name);
    out << "mesh_a,mesh_b,bx,by,bz\n";
    for (int i = 0; i < count; ++i)
      out << (i == broken ? std::string("nonsense") : "one,two,0." + std::to_string(100 + i) + ",0,0") << '\n';
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return folder / name;
}

SweepFileOptions options() {
  SweepFileOptions o{.query = {.engine = "software", .resolution = 16, .threads = 1}, .restart = true};
  o.load = [](const std::string& name) { return scenes::blob(300, name == "one" ? 1 : 2); };
  return o;
}

/// The message on rank 0 of a sweep that fails there, and "" where it does not. Others must not throw.
std::string message_of(const std::filesystem::path& jobs, const SweepFileOptions& asked) {
  std::string message;
  try {
    (void)mpi::sweep_file(jobs, folder / "out.csv", asked);
  } catch (const Error& e) {
    message = e.what();
    expect(rank == 0, "only rank 0 throws");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return message;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// With memory for no mesh none is shared: every process reads.
SweepFileOptions unshared() {
  SweepFileOptions o = options();
  o.mesh_memory = 1;
  return o;
}

/// A loader that throws on all processes but rank 0.
template <class Thrown>
void throws_elsewhere(const std::string& expected, const Thrown& thrown) {
  SweepFileOptions asked = unshared();
  asked.load = [&, usual = asked.load](const std::string& name) -> Mesh {
    if (rank != 0) throw thrown;
    return usual(name);
  };
  const std::string message = message_of(write_jobs("jobs.csv", 40), asked);
  if (rank == 0) expect(has(message, expected), "what another process throws is told: " + message);
}

void cannot_begin_elsewhere() {
  SweepFileOptions asked = options();
  if (rank == size - 1) asked.query.resolution = 0;
  const std::string message = message_of(write_jobs("jobs.csv", 40), asked);
  if (rank == 0)
    expect(has(message, "process " + std::to_string(size - 1) + ": "),
           "a process that cannot begin is named: " + message);
}

void stopped_elsewhere() {
  const auto jobs = write_jobs("jobs.csv", 60);
  SweepFileOptions asked = options();
  if (rank == 0) (void)lamella::sweep_file(jobs, folder / "whole.csv", asked);
  asked.stop = [] { return rank == size - 1; };
  const SweepReport part = mpi::sweep_file(jobs, folder / "out.csv", asked);
  asked.stop = {};
  asked.restart = false;
  if (rank == 0) expect(!part.complete, "a sweep that another process stopped is not complete");
  const SweepReport rest = mpi::sweep_file(jobs, folder / "out.csv", asked);
  if (rank != 0) return;
  expect(rest.complete && rest.resumed == part.counts.answers(), "it is continued");
  expect(content(folder / "out.csv") == content(folder / "whole.csv"), "to the byte");
}

void all_before_a_bad_line() {
  const std::string message = message_of(write_jobs("bad.csv", 60, 40), options());
  if (rank != 0) return;
  expect(has(message, "bad.csv:42"), "a bad line is told: " + message);
  expect(answers_in(folder / "out.csv") == 40, "all jobs before a bad line are answered");
}

std::filesystem::path sign_of(int mesh) { return folder / ("read-" + std::to_string(mesh)); }

/// Every job has a mesh of its own. Process 1 does not answer its first job, the second of all, until somebody has read
/// a mesh of a later one.
void new_meshes_wait_for_nobody() {
  constexpr int kJobs = 40;
  if (rank == 0) {
    std::ofstream out(folder / "new.csv");
    out << "mesh_a,mesh_b\n";
    for (int i = 0; i < kJobs; ++i) out << i << ",two\n";
    for (int i = 0; i < kJobs; ++i) std::filesystem::remove(sign_of(i));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  SweepFileOptions asked = options();
  asked.load = [usual = asked.load](const std::string& name) {
    if (name != "two") std::ofstream(sign_of(std::stoi(name))) << "read";
    return usual(name);
  };
  asked.stop = [waited = rank != 1]() mutable {
    const auto later = [] {
      for (int i = 2; i < kJobs; ++i)
        if (std::filesystem::exists(sign_of(i))) return true;
      return false;
    };
    for (int tries = 0; !waited && !later() && tries < 1000; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    expect(waited || later(), "a new mesh is read while another process is at an earlier job");
    waited = true;
    return false;
  };
  const SweepReport report = mpi::sweep_file(folder / "new.csv", folder / "out.csv", asked);
  if (rank == 0) expect(report.complete && report.counts.answers() == kJobs, "all are answered");
}

void another_mesh_elsewhere() {
  SweepFileOptions asked = unshared();
  asked.load = [usual = asked.load](const std::string& name) {
    return name == "two" && rank == size - 1 ? scenes::blob(300, 9) : usual(name);
  };
  const std::string message = message_of(write_jobs("jobs.csv", 40), asked);
  const std::string last = std::to_string(size - 1);
  if (rank == 0)
    expect(message.starts_with("two: process " + last + " reads another mesh than process 0; "),
           "a process that reads another mesh is named: " + message);
}

/// All processes of this program are on one machine.
void a_machine_reads_a_mesh_once() {
  SweepFileOptions asked = options();
  unsigned long reads = 0;
  asked.load = [&, usual = asked.load](const std::string& name) {
    ++reads;
    return usual(name);
  };
  const auto jobs = write_jobs("jobs.csv", 40);
  (void)mpi::sweep_file(jobs, folder / "out.csv", asked);
  unsigned long all = 0;
  MPI_Allreduce(&reads, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
  expect(all == 2, "two meshes are read " + std::to_string(all) + " times");
  const SweepReport report = mpi::sweep_file(jobs, folder / "small.csv", unshared());
  if (rank != 0) return;
  expect(report.complete, "memory for no mesh is no error");
  expect(content(folder / "small.csv") == content(folder / "out.csv"), "and gives the same bytes");
}

/// The header of binary jobs names all meshes.
void meshes_of_no_job_do_not_matter() {
  const auto jobs = folder / "three.jobs";
  if (rank == 0) {
    JobWriter writer(jobs, {"one", "unused", "two"});
    for (int i = 0; i < 60; ++i)
      writer.add({.a = 0, .b = 2, .resolution = 0, .pose_a = {}, .pose_b = {{0.01 * i, 0, 0}, {}}});
    writer.commit();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  SweepFileOptions asked = options();
  asked.load = [usual = asked.load](const std::string& name) {
    expect(name != "unused", "a mesh that no job uses is not read");
    return usual(name);
  };
  asked.stop = [blocks = 0]() mutable { return ++blocks > 3; };
  (void)mpi::sweep_file(jobs, folder / "out.csv", asked);
  asked.stop = {};
  asked.restart = false;
  asked.load = [usual = asked.load](const std::string& name) {
    if (name == "unused") throw Error("is gone");
    return usual(name);
  };
  const SweepReport rest = mpi::sweep_file(jobs, folder / "out.csv", asked);
  if (rank == 0) expect(rest.complete, "and may be gone when the sweep continues");
}

void few_jobs_are_spread() {
  SweepFileOptions asked = options();
  unsigned long blocks = 0;
  asked.stop = [&] {
    ++blocks;
    return false;
  };
  (void)mpi::sweep_file(write_jobs("few.csv", 4 * size), folder / "out.csv", asked);
  expect(rank == 0 || blocks >= 1, "few jobs are spread over all processes");
}

}  // namespace

int main(int argc, char** argv) {
  mpi::Session session(argc, argv);
  rank = session.rank();
  size = session.size();
  folder = argv[1];
  if (rank == 0) std::filesystem::create_directories(folder);
  throws_elsewhere("not an Error", std::runtime_error("not an Error"));
  throws_elsewhere("out of memory", std::bad_alloc());
  throws_elsewhere("an unknown failure", 7);
  cannot_begin_elsewhere();
  stopped_elsewhere();
  all_before_a_bad_line();
  new_meshes_wait_for_nobody();
  another_mesh_elsewhere();
  a_machine_reads_a_mesh_once();
  meshes_of_no_job_do_not_matter();
  few_jobs_are_spread();
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && failures == 0) std::puts("passed");
  return failures == 0 ? 0 : 1;
}
