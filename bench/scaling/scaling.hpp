#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lamella::cli {

struct ScalingArgs {
  std::string engine = "automatic";  ///< or "all"
  std::optional<unsigned> device;    ///< of the engines on a GPU
  std::string model = "blob";
  std::filesystem::path mesh;               ///< in place of the model, when not empty
  std::string sweep;                        ///< faces, resolution or threads; all three when empty
  std::optional<std::uint32_t> faces;       ///< only this row
  std::optional<std::uint32_t> resolution;  ///< only this row
  unsigned threads = 1;                     ///< of the face and resolution sweeps; 0: all cores
  bool json = false;
};

/// Times building an LDI of a whole mesh beside streaming the mesh's arrays once: by faces, resolution and threads.
void bench_scaling(const ScalingArgs& args);

}  // namespace lamella::cli
