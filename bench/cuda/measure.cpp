#include <fmt/core.h>

#include <algorithm>

#include "bench/cuda/work.hpp"
#include "bench/engines.hpp"
#include "bench/measure.hpp"

namespace lamella::bench {
namespace {

constexpr std::size_t kMinFrames = 20;
constexpr double kBudgetMs = 5'000;
/// Of other engines.
constexpr Repeat kOthers{.least = 1, .most = 5, .budget_ms = 1'500};

/// What `run(i)` takes in milliseconds, repeated: median and spread in microseconds for each of the work's units.
template <class Run>
void set_spread(Row& row, const std::string& key, const Repeat& how, std::uint32_t units, const Run& run) {
  std::vector<double> us;
  repeat(how, [&](std::size_t i) { us.push_back(run(i) * 1000 / units); });
  row.set({key + ".median_us", median(us)});
  row.set({key + ".p10_us", percentile(us, 0.1)});
  row.set({key + ".p90_us", percentile(us, 0.9)});
  row.set({key + ".frames", us.size()});
}

/// One frame by the device's clock.
double device_ms(CudaDevice& device, const CudaWork& work, bool held, std::size_t& late) {
  if (held) device.hold();
  device.start();
  work.launch();
  device.stop();
  if (held && !device.let_go()) ++late;
  work.wait();
  return device.milliseconds();
}

double latency_ms(CudaDevice& device, const CudaWork& work) {
  device.synchronize();
  const cli::Stopwatch watch;
  work.launch();
  work.wait();
  return watch.ms();
}

/// Adds to `differences` what the answer on this set is not as it should be.
void check(const CudaWork& work, std::size_t set, const char* when, std::string& differences) {
  work.place(set);
  work.launch();
  work.wait();
  const std::string found = work.difference(set);
  if (found.empty()) return;
  differences += fmt::format("{}vertices {}, {}: {}", differences.empty() ? "" : "; ", set, when, found);
}

void measure_device(CudaDevice& device, const CudaWork& work, const CudaCase& what, std::size_t frames, Row& row) {
  const std::size_t sets = work.sets;
  const auto place = [&](std::size_t frame) { work.place(frame % sets); };
  repeat({1, static_cast<std::size_t>(-1), kGpuWarmUpMs}, [&](std::size_t i) {
    place(i);
    work.launch();
    work.wait();
  });
  const Repeat how{std::min(kMinFrames, frames), frames, kBudgetMs};
  std::size_t late = 0, late_when_cold = 0;
  set_spread(row, "device", how, what.units, [&](std::size_t i) {
    place(i);
    return device_ms(device, work, what.held, late);
  });
  set_spread(row, "latency", how, what.units, [&](std::size_t i) {
    place(i);
    return latency_ms(device, work);
  });
  set_spread(row, "cold", {1, std::max<std::size_t>(frames / 4, 1), kBudgetMs}, what.units, [&](std::size_t i) {
    device.flush_caches();
    place(i);
    return device_ms(device, work, what.held, late_when_cold);
  });
  row.set({"late_frames", late});
}

void measure_others(const CudaWork& work, const CudaCase& what, Row& row) {
  const std::size_t sets = work.sets;
  for (const unsigned threads : {1u, 0u}) {
    (void)work.software_ms(threads, 0);
    set_spread(row, threads == 1 ? "software_1_thread" : "software_all_threads", kOthers, what.units,
               [&](std::size_t i) { return work.software_ms(threads, i % sets); });
  }
  if (work.opengl_engine.empty()) return;
  (void)work.opengl_ms(0);
  set_spread(row, work.opengl_engine, kOthers, what.units, [&](std::size_t i) { return work.opengl_ms(i % sets); });
}

}  // namespace

Row measure_cuda(const CudaCase& what, const CudaArgs& args, double bytes_per_second) {
  CudaDevice device(args.device);
  const CudaWork work = what.make(device);
  std::string differences;
  for (std::size_t set = 0; set < work.sets; ++set) check(work, set, "at first", differences);
  Row row{
      {"work", what.name},          {"description", work.description},
      {"engine", "cuda"},           {"units", what.units},
      {"bytes", work.bytes},        {"floor_us", static_cast<double>(work.bytes) / bytes_per_second * 1e6 / what.units},
      {"target_us", what.target_us}};
  measure_device(device, work, what, args.frames, row);
  check(work, 0, "after all frames", differences);
  row.set({"met", row.number("device.median_us") <= what.target_us});
  row.set({"over_floor", row.number("device.median_us") / row.number("floor_us")});
  if (!args.alone) measure_others(work, what, row);
  row.set({"threads", core_count()});
  row.set({"vertex_sets", work.sets});
  row.set({"answer", work.answer()});
  row.set({"agrees", differences.empty()});
  if (!differences.empty()) row.set({"differences", differences});
  return row;
}

}  // namespace lamella::bench
