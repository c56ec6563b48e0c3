// The list of GPUs, or a text why there are none, and the code that each runs. A context on a GPU is made only where
// that code is asked for: a program that only asks which GPUs there are pays only for loading the driver.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <mutex>

#include "engines/cuda/code.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/cuda/runtime.hpp"
#include "lamella/cuda.hpp"
#include "lamella/error.hpp"

// The lowest compute capability that kernels were compiled for, times ten; 0 when the build does not know.
#ifndef LAMELLA_CUDA_CAPABILITY
#define LAMELLA_CUDA_CAPABILITY 0
#endif

namespace lamella::cuda {
namespace {

std::string capability_text(int capability) { return fmt::format("{}.{}", capability / 10, capability % 10); }

/// CUDA's number for version 13.1 is 13010.
std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string why_none(cudaError_t error) {
  int driver = 0, runtime = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
  if (cudaRuntimeGetVersion(&runtime) != cudaSuccess) runtime = 0;
  (void)cudaGetLastError();
  return no_device_text(error, driver, runtime);
}

DeviceFacts facts_of(int number, const cudaDeviceProp& p) {
  return {number,
          p.name,
          p.major,
          p.minor,
          p.totalGlobalMem,
          p.multiProcessorCount,
          p.sharedMemPerBlockOptin,
          p.reservedSharedMemPerBlock};
}

}  // namespace

Devices find_devices() {
  Devices found;
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    found.why = why_none(error);
    return found;
  }
  std::vector<std::string> left_out;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (const cudaError_t broken = cudaGetDeviceProperties(&properties, i); broken != cudaSuccess) {
      (void)cudaGetLastError();
      left_out.push_back(fmt::format("GPU {} does not answer: {}", i, cudaGetErrorString(broken)));
      continue;
    }
    const DeviceFacts facts = facts_of(i, properties);
    const std::string too_old = too_old_text(facts, lowest_capability());
    if (too_old.empty())
      found.facts.push_back(facts);
    else
      left_out.push_back(too_old);
  }
  if (found.facts.empty()) found.why = fmt::format("{}", fmt::join(left_out, "; "));
  return found;
}

std::string no_device_text(cudaError_t error, int driver, int runtime) {
  if (driver == 0) return "there is no NVIDIA driver: its library libcuda.so.1 was not found";
  if (error == cudaErrorInsufficientDriver)
    return fmt::format("NVIDIA's driver is too old: it is for CUDA {}, this library was built with CUDA {}",
                       version_text(driver), version_text(runtime));
  if (error == cudaErrorNoDevice || error == cudaSuccess)
    return "there is no NVIDIA GPU that this process may use; if there should be, see CUDA_VISIBLE_DEVICES";
  return fmt::format("CUDA finds no GPU: {} ({})", cudaGetErrorString(error), cudaGetErrorName(error));
}

std::string too_old_text(const DeviceFacts& facts, int needed) {
  const int capability = 10 * facts.major + facts.minor;
  if (capability >= needed) return "";
  return fmt::format("{} has compute capability {}, this library's kernels are for {} and newer: {}", facts.name,
                     capability_text(capability), capability_text(needed),
                     capability < 80 ? std::string("8.0 is the least that they can be built for")
                                     : fmt::format("build it with CMAKE_CUDA_ARCHITECTURES={}", capability));
}

int lowest_capability() { return LAMELLA_CUDA_CAPABILITY; }

KernelCode code_on(int device) {
  static std::mutex mutex;
  static std::map<int, KernelCode> loaded;
  const std::scoped_lock lock(mutex);
  const auto found = loaded.find(device);
  if (found != loaded.end()) return found->second;
  const DeviceScope scope(device);
  return loaded[device] = load_code();
}

KernelCode code_here() {
  int device = 0;
  check(cudaGetDevice(&device), "find out which GPU is current");
  return code_on(device);
}

std::string code_text(const KernelCode& code) {
  return fmt::format("{} {}, kernels {}",
                     code.machine_code == code.written_for ? "code for" : "compiled by the driver from",
                     capability_text(code.written_for), code.can_overlap() ? "overlap" : "one after another");
}

const Devices& devices() {
  static const Devices found = find_devices();
  return found;
}

const DeviceFacts& choose_device(std::optional<unsigned> number) {
  const Devices& all = devices();
  if (all.facts.empty()) throw Error(all.why, Error::Kind::device);
  const unsigned chosen = number.value_or(0);
  if (chosen < all.facts.size()) {
    (void)code_on(all.facts[chosen].number);
    return all.facts[chosen];
  }
  throw Error(fmt::format("there is no CUDA device {}: `lamella engines` lists {}", chosen,
                          all.facts.size() == 1 ? "the only one, 0" : fmt::format("0 to {}", all.facts.size() - 1)),
              Error::Kind::device);
}

std::string unavailable() { return devices().facts.empty() ? devices().why : std::string(); }

namespace {

/// Or why it has none: the device is listed all the same.
std::string code_text_on(const DeviceFacts& device) {
  try {
    return code_text(code_on(device.number));
  } catch (const Error& e) {
    return e.what();
  }
}

}  // namespace

std::vector<std::string> device_lines() {
  std::vector<std::string> lines;
  for (const DeviceFacts& f : devices().facts)
    lines.push_back(fmt::format("{}, compute capability {}, {}, {} multiprocessors, {:.1f} GiB", f.name,
                                capability_text(10 * f.major + f.minor), code_text_on(f), f.multiprocessors,
                                static_cast<double>(f.memory) / (1 << 30)));
  return lines;
}

void require_device(unsigned number) { (void)choose_device(number); }

}  // namespace lamella::cuda
