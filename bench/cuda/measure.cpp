#include "bench/cuda/measure.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "bench/measure.hpp"
#include "cli/common.hpp"

namespace lamella::cli {
namespace {

constexpr std::size_t kMinFrames = 20;
constexpr double kPatienceMs = 5'000;  ///< beyond which a series has no more than kMinFrames
constexpr std::size_t kOtherFrames = 5;
constexpr double kOtherPatienceMs = 1'500;  ///< beyond which another engine has no more frames, down to one
constexpr double kMicro = 1000;             ///< microseconds of a millisecond

/// Calls frame(i), which gives milliseconds, so many times; fewer where that takes long.
template <class Frame>
Spread series(std::size_t frames, std::size_t at_least, double patience_ms, std::uint32_t units, const Frame& frame) {
  std::vector<double> us;
  const Stopwatch watch;
  while (us.size() < frames && (us.size() < at_least || watch.ms() < patience_ms)) {
    us.push_back(frame(us.size()) * kMicro / units);
  }
  std::sort(us.begin(), us.end());
  const auto at = [&](double part) { return us[static_cast<std::size_t>(part * static_cast<double>(us.size() - 1))]; };
  return {median(us), at(0.1), at(0.9), us.size()};
}

/// One frame by the device's clock.
double device_ms(cuda::BenchDevice& device, CudaWork& work, bool held, std::size_t& late) {
  if (held) device.hold();
  device.start();
  work.launch();
  device.stop();
  if (held && !device.let_go()) ++late;
  work.wait();
  return device.milliseconds();
}

double latency_ms(cuda::BenchDevice& device, CudaWork& work) {
  device.synchronize();
  const Stopwatch watch;
  work.launch();
  work.wait();
  return watch.ms();
}

/// Adds to `differences` what the answer on this set is not as it should be.
void check(CudaWork& work, std::size_t set, const char* when, std::string& differences) {
  work.place(set);
  work.launch();
  work.wait();
  const std::string found = work.difference(set);
  if (found.empty()) return;
  differences += fmt::format("{}vertices {}, {}: {}", differences.empty() ? "" : "; ", set, when, found);
}

void measure_device(cuda::BenchDevice& device, CudaWork& work, const CudaCase& what, std::size_t frames,
                    CudaFigures& out) {
  const auto place = [&](std::size_t frame) { work.place(frame % out.sets); };
  const Stopwatch warm_up;
  for (std::size_t i = 0; warm_up.ms() < kGpuWarmUpMs; ++i) {
    place(i);
    work.launch();
    work.wait();
  }
  out.device = series(frames, kMinFrames, kPatienceMs, what.units, [&](std::size_t i) {
    place(i);
    return device_ms(device, work, what.held, out.late);
  });
  out.latency = series(frames, kMinFrames, kPatienceMs, what.units, [&](std::size_t i) {
    place(i);
    return latency_ms(device, work);
  });
  std::size_t late_when_cold = 0;
  out.cold = series(std::max<std::size_t>(frames / 4, 1), 1, kPatienceMs, what.units, [&](std::size_t i) {
    device.flush_caches();
    place(i);
    return device_ms(device, work, what.held, late_when_cold);
  });
}

void measure_others(CudaWork& work, const CudaCase& what, CudaFigures& out) {
  const auto software = [&](unsigned threads) {
    (void)work.software_ms(threads, 0);
    return series(kOtherFrames, 1, kOtherPatienceMs, what.units,
                  [&](std::size_t i) { return work.software_ms(threads, i % out.sets); });
  };
  out.software_1 = software(1);
  out.software = software(0);
  const auto opengl = work.opengl_ms(0);
  if (!opengl) return;
  out.opengl_engine = opengl->engine;
  out.opengl = series(kOtherFrames, 1, kOtherPatienceMs, what.units,
                      [&](std::size_t i) { return work.opengl_ms(i % out.sets)->ms; });
}

}  // namespace

CudaFigures measure_cuda(const CudaCase& what, const CudaBenchArgs& args, double bytes_per_second) {
  cuda::BenchDevice device(args.device);
  const std::unique_ptr<CudaWork> work = what.make(device);
  CudaFigures out;
  out.name = what.name;
  out.description = work->description();
  out.target = what.target_us;
  out.units = what.units;
  out.bytes = work->bytes();
  out.floor = static_cast<double>(out.bytes) / bytes_per_second * 1e6 / what.units;
  out.sets = work->sets();
  for (std::size_t set = 0; set < out.sets; ++set) check(*work, set, "at first", out.differences);
  measure_device(device, *work, what, args.frames, out);
  check(*work, 0, "after all frames", out.differences);
  out.answer = work->answer();
  if (!args.alone) measure_others(*work, what, out);
  return out;
}

}  // namespace lamella::cli
