#include "bench/gi/clock.hpp"

#include <sys/resource.h>

#include <ctime>

namespace lamella::cli {
namespace {

double thread_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace

CpuStopwatch::CpuStopwatch() : start_ms_(thread_ms()) {}
double CpuStopwatch::ms() const { return thread_ms() - start_ms_; }

std::uint64_t interruptions() {
#ifdef RUSAGE_THREAD
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) == 0) return static_cast<std::uint64_t>(usage.ru_nivcsw);
#endif
  return 0;
}

}  // namespace lamella::cli
