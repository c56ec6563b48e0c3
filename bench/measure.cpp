#include "bench/measure.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <numeric>

namespace lamella::bench {
namespace {

double thread_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double percentile(std::vector<double> values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void Samples::clear() {
  for (auto& samples : by_frame_) samples.clear();
}

std::size_t Samples::runs() const {
  std::size_t runs = 0;
  for (const auto& samples : by_frame_) runs += samples.size();
  return runs;
}

std::vector<double> Samples::frame_medians(const std::string& key) const {
  std::vector<double> medians;
  for (const auto& samples : by_frame_) {
    std::vector<double> values;
    for (const Row& sample : samples) values.push_back(sample.number(key));
    medians.push_back(median(std::move(values)));
  }
  return medians;
}

Row Samples::typical() const {
  Row out;
  for (const Field& field : by_frame_.front().front().fields()) {
    const std::vector<double> medians = frame_medians(field.key);
    const double sum = std::accumulate(medians.begin(), medians.end(), 0.0);
    out.set({field.key, sum / static_cast<double>(medians.size())});
  }
  return out;
}

double Samples::least(const std::string& key) const {
  const std::vector<double> medians = frame_medians(key);
  return *std::min_element(medians.begin(), medians.end());
}

double Samples::largest(const std::string& key) const {
  const std::vector<double> medians = frame_medians(key);
  return *std::max_element(medians.begin(), medians.end());
}

CpuStopwatch::CpuStopwatch() : start_ms_(thread_ms()) {}
double CpuStopwatch::ms() const { return thread_ms() - start_ms_; }

std::uint64_t interruptions() {
#ifdef RUSAGE_THREAD
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) == 0) return static_cast<std::uint64_t>(usage.ru_nivcsw);
#endif
  return 0;
}

}  // namespace lamella::bench
