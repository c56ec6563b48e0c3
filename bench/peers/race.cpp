#include "bench/peers/race.hpp"

#include <ctime>
#include <utility>

#include "cli/stopwatch.hpp"

namespace lamella::bench::peers {
namespace {

/// Milliseconds for which this process ran, on all its threads. What other programs take does not count, and a library
/// that secretly uses two threads pays for both.
double process_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Returns what it took with the run before it.
double run_once(Finished& entry, std::size_t pose) {
  const cli::Stopwatch both;
  entry.method.run((pose + 1) % kPoses);
  const cli::Stopwatch wall;
  const double start = process_ms();
  entry.method.run(pose);
  entry.ms.push_back(process_ms() - start);
  entry.wall.push_back(wall.ms());
  return both.ms();
}

}  // namespace

std::vector<Finished> race(Methods methods, const RaceOptions& options) {
  std::vector<Finished> entries;
  for (Method& method : methods) entries.push_back({std::move(method), {}, {}, {}, {}});
  std::vector<double> spent(entries.size(), 0);
  for (std::size_t round = 0; round < options.rounds; ++round) {
    const std::size_t pose = round % kPoses;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0 && round >= options.least && spent[i] > options.budget_ms) continue;
      Finished& entry = entries[i];
      spent[i] += run_once(entry, pose);
      entry.ratio.push_back(entry.ms.back() / entries[0].ms.back());
      if (round < kPoses) entry.answers[pose] = entry.method.answer();
    }
    options.progress(round + 1);
  }
  return entries;
}

}  // namespace lamella::bench::peers
