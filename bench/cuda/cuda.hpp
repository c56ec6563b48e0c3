#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lamella::cli {

/// Arguments of `lamella bench cuda`.
struct CudaBenchArgs {
  std::string work;  ///< empty: all
  std::uint32_t frames = 200;
  std::filesystem::path a, b;  ///< meshes for the work `scans`; empty: models in their place
  std::optional<unsigned> device;
  bool alone = false;  ///< not the times of other engines
  bool quick = false;
  bool json = false;
};

/// Prints to stdout. False when an answer of the GPU is not the CPU's, or a work could not be measured. Throws Error
/// (device) when there is no GPU to measure.
[[nodiscard]] bool bench_cuda(const CudaBenchArgs& args);

}  // namespace lamella::cli
