#include "bench_measure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

#include "common.hpp"
#include "lamella/engine.hpp"

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

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

}  // namespace

Measured measure(const Workload& workload, Detector& detector) {
  for (std::size_t i = 0; i < std::max(kWarmUps, workload.frames); ++i) workload.run(detector, i % workload.frames);
  std::vector<Sample> samples;
  const Stopwatch watch;
  while (samples.size() < kMinRuns || (watch.ms() < kBudgetMs && samples.size() < kMaxRuns)) {
    for (std::size_t frame = 0; frame < workload.frames; ++frame) samples.push_back(workload.run(detector, frame));
  }
  const std::vector<double> by_frame = frame_medians(samples, workload.frames);
  const std::vector<double> answers = pick(samples, &Sample::answer);
  return {.ldi = median(pick(samples, &Sample::ldi)),
          .query = median(pick(samples, &Sample::query)),
          .total = median(pick(samples, &Sample::total)),
          .motion = median(pick(samples, &Sample::motion)),
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

std::vector<std::string> engine_names(const std::string& name) {
  if (name != "all") return {std::string(make_engine({.engine = name})->name())};
  std::vector<std::string> names;
  for (const EngineInfo& engine : engines()) {
    if (engine.available && engine.name != "reference") names.push_back(engine.name);
  }
  return names;
}

unsigned core_count() { return std::max(1u, std::thread::hardware_concurrency()); }

std::string describe_machine() {
  std::string text = fmt::format("{}, {}\n", cpu_model(), counted(core_count(), "core"));
  for (const EngineInfo& engine : engines()) {
    if (engine.available && engine.name != "reference") text += fmt::format("{}: {}\n", engine.name, engine.summary);
  }
  return text;
}

}  // namespace lamella::cli
