#include "bench/paper/claims.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace lamella::bench {
namespace {

constexpr double kLeastAboutThree = 2, kMostAboutThree = 4;

/// How many times as long the first takes: over all rows, and at the ends.
struct Ratio {
  double mean = 0, least = 0, most = 0;
};

Ratio ratio_of(const std::vector<Match>& matches) {
  Ratio ratio;
  double logs = 0;
  for (const Match& m : matches) {
    const double r = m.first_ms / m.second_ms;
    logs += std::log(r);
    ratio.least = ratio.least == 0 ? r : std::min(ratio.least, r);
    ratio.most = std::max(ratio.most, r);
  }
  ratio.mean = std::exp(logs / static_cast<double>(matches.size()));
  return ratio;
}

std::string to_text(const Ratio& r) {
  return fmt::format("{:.2g} times, {:.2g} to {:.2g} by row", r.mean, r.least, r.most);
}

std::size_t wins_of_first(const std::vector<Match>& matches) {
  return static_cast<std::size_t>(
      std::count_if(matches.begin(), matches.end(), [](const Match& m) { return m.first_ms <= m.second_ms; }));
}

}  // namespace

Verdict cannot_be_judged(std::string_view why) {
  return {std::nullopt, fmt::format("cannot be told here: {}", why), {}};
}

Verdict judge_unordered(const std::vector<Match>& measured, const std::vector<Match>& published) {
  const Ratio paper = ratio_of(published);
  if (measured.empty()) {
    Verdict verdict = cannot_be_judged("gl-ordered and gl-unordered were not both measured");
    verdict.figures.set({"paper_ratio", paper.mean});
    return verdict;
  }
  const Ratio ours = ratio_of(measured);
  const bool holds = ours.mean >= kLeastAboutThree && ours.mean <= kMostAboutThree;
  return {holds,
          fmt::format("{}: {} (published: {})", holds ? "holds" : "does not hold here", to_text(ours), to_text(paper)),
          {{"ratio", ours.mean}, {"least_ratio", ours.least}, {"most_ratio", ours.most}, {"paper_ratio", paper.mean}}};
}

Verdict judge_software(const std::vector<Match>& measured, const std::vector<Match>& published,
                       std::string_view software, std::string_view gpu) {
  const bool paper_software = 2 * wins_of_first(published) > published.size();
  const std::size_t count = measured.size();
  const std::size_t wins = wins_of_first(measured), as_published = paper_software ? wins : count - wins;
  const std::string_view winner = paper_software ? software : gpu, other = paper_software ? gpu : software;
  const char* expected = paper_software ? "software" : "the GPU";
  Verdict verdict{as_published == count, "", {{"software_rows", wins}, {"gpu_rows", count - wins}}};
  if (as_published == count) {
    verdict.text =
        fmt::format("holds: {} wins as published; {} is faster than {} on every row", expected, winner, other);
  } else if (as_published == 0) {
    verdict.text = fmt::format("does not hold here: published, {} wins; {} is faster than {} on every row", expected,
                               other, winner);
  } else {
    verdict.text = fmt::format("is mixed here: published, {} wins; {} is faster than {} on {} of {} rows", expected,
                               winner, other, as_published, count);
  }
  return verdict;
}

}  // namespace lamella::bench
