#include "bench/measure.hpp"

#include <algorithm>
#include <cmath>

#include "cli/common.hpp"

namespace lamella::cli {
namespace {

constexpr std::size_t kWarmUps = 3;
constexpr std::size_t kMinRuns = 15;
constexpr std::size_t kMaxRuns = 500;
constexpr double kBudgetMs = 800;  ///< beyond which no more than kMinRuns are made

std::vector<double> pick(const std::vector<Sample>& samples, double Sample::*part) {
  std::vector<double> values;
  for (const Sample& s : samples) values.push_back(s.*part);
  return values;
}

/// Run i was of frame i % frames.
std::vector<double> frame_medians(const std::vector<Sample>& samples, std::size_t frames) {
  std::vector<double> medians;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    std::vector<double> totals;
    for (std::size_t i = frame; i < samples.size(); i += frames) totals.push_back(samples[i].total);
    medians.push_back(median(std::move(totals)));
  }
  return medians;
}

}  // namespace

Measured measure(const Workload& workload, TimedDetector& detector) {
  const double warm_up_ms = detector.on_gpu() ? kGpuWarmUpMs : 0;
  const Stopwatch warm_up;
  for (std::size_t i = 0; i < std::max(kWarmUps, workload.frames) || warm_up.ms() < warm_up_ms; ++i) {
    workload.run(detector, i % workload.frames);
  }
  std::vector<Sample> samples;
  const Stopwatch watch;
  while (samples.size() < kMinRuns || (watch.ms() < kBudgetMs && samples.size() < kMaxRuns)) {
    for (std::size_t frame = 0; frame < workload.frames; ++frame) samples.push_back(workload.run(detector, frame));
  }
  const std::vector<double> by_frame = frame_medians(samples, workload.frames);
  const std::vector<double> answers = pick(samples, &Sample::answer);
  const auto typical = [&](double Sample::*part) { return median(pick(samples, part)); };
  return {.ldi = typical(&Sample::ldi),
          .query = typical(&Sample::query),
          .upload = typical(&Sample::upload),
          .total = typical(&Sample::total),
          .gpu = typical(&Sample::gpu),
          .motion = typical(&Sample::motion),
          .read_back = static_cast<std::uint64_t>(typical(&Sample::read_back)),
          .min = *std::min_element(by_frame.begin(), by_frame.end()),
          .max = *std::max_element(by_frame.begin(), by_frame.end()),
          .answer = *std::max_element(answers.begin(), answers.end()),
          .runs = samples.size()};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

}  // namespace lamella::cli
