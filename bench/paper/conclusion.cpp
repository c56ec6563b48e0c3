#include "bench/paper/conclusion.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "cli/common.hpp"

namespace lamella::bench {
namespace {

constexpr const char* kOpening =
    "The conclusion of WSCG 2004 (software is faster on small scenes, the GPU on large ones)";

/// The rows that one side wins, and the least and most faces among them.
struct Wins {
  std::vector<std::string> rows;
  std::size_t least = std::numeric_limits<std::size_t>::max(), most = 0;

  void add(const Duel& duel) {
    rows.push_back(duel.row);
    least = std::min(least, duel.faces);
    most = std::max(most, duel.faces);
  }
};

std::string gpu_name(const std::vector<Duel>& duels) {
  const std::string& first = duels.front().gpu_engine;
  const bool same = std::all_of(duels.begin(), duels.end(), [&](const Duel& d) { return d.gpu_engine == first; });
  return same ? first : "the fastest GPU engine";
}

std::string thread_text(const std::vector<unsigned>& threads) {
  const bool one = threads == std::vector<unsigned>{1};
  return fmt::format("software ({} {})", fmt::join(threads, " or "), one ? "thread" : "threads");
}

/// Verdict and reason; `software` is what to call it. Equal times go to software, which needs no GPU.
std::string finding(const std::vector<Duel>& duels, const std::string& software) {
  Wins cpu, gpu;
  for (const Duel& d : duels) (d.gpu_ms < d.software_ms ? gpu : cpu).add(d);
  const std::string name = gpu_name(duels);
  if (gpu.rows.empty()) return fmt::format("does not hold here: {} is faster than {} on every row", software, name);
  if (cpu.rows.empty()) return fmt::format("does not hold here: {} is faster than {} on every row", name, software);
  if (cpu.most < gpu.least) {
    return fmt::format("holds: {} is faster up to {} faces, {} from {} on", software, cli::grouped(cpu.most), name,
                       cli::grouped(gpu.least));
  }
  if (gpu.most < cpu.least) {
    return fmt::format("is reversed here: {} is faster up to {} faces, {} from {} on", name, cli::grouped(gpu.most),
                       software, cli::grouped(cpu.least));
  }
  // Faces alone do not tell who wins; name the fewer rows.
  const bool cpu_fewer = cpu.rows.size() <= gpu.rows.size();
  const Wins& fewer = cpu_fewer ? cpu : gpu;
  return fmt::format("is mixed here: {} is faster on {} of {} rows ({}), {} on the others", cpu_fewer ? software : name,
                     fewer.rows.size(), duels.size(), fmt::join(fewer.rows, ", "), cpu_fewer ? name : software);
}

}  // namespace

std::string conclusion(const std::vector<Contest>& contests) {
  struct Outcome {
    const Contest* contest;
    std::vector<unsigned> threads;  ///< for which it is the same
  };
  std::vector<Outcome> outcomes;
  for (const Contest& contest : contests) {
    const auto same = std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
      return finding(o.contest->duels, "") == finding(contest.duels, "");
    });
    (same == outcomes.end() ? outcomes.emplace_back(Outcome{&contest, {}}) : *same).threads.push_back(contest.threads);
  }
  std::vector<std::string> texts;
  for (const Outcome& o : outcomes) texts.push_back(finding(o.contest->duels, thread_text(o.threads)));
  return fmt::format("{} {}.", kOpening, fmt::join(texts, "; it "));
}

std::string conclusion_untold(const std::string& why) {
  return fmt::format("{} cannot be told here: {}.", kOpening, why);
}

}  // namespace lamella::bench
