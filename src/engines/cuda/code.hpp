#pragma once

// Which code of the kernels a GPU runs. The library contains several images: machine code for some GPUs, and PTX, from
// which the driver makes machine code for others. The driver chooses, by the device and by its own settings
// (CUDA_FORCE_PTX_JIT), so it must be asked.

#include <string>

namespace lamella::cuda {

/// Compute capabilities, times ten.
struct KernelCode {
  int written_for = 0;   ///< __CUDA_ARCH__ / 10 when nvcc compiled it, which decides what is in the code
  int machine_code = 0;  ///< other than the above if the driver made it from PTX

  /// Whether the kernels wait for previous ones (see wait_for_previous() in platform.hpp), so that they may be started
  /// before those have ended. Code for older GPUs does not, even when it runs on newer ones.
  [[nodiscard]] constexpr bool can_overlap() const { return written_for >= 90; }
};

/// Of the current device. Makes a context, and may take seconds when the driver has to compile. Throws Error (device)
/// when the kernels cannot be loaded.
KernelCode load_code();

/// Of a device, by CUDA's number: loaded once per process.
KernelCode code_on(int device);
/// Of the device that is current in this thread.
KernelCode code_here();

/// For people: "code for 9.0, kernels overlap".
std::string code_text(const KernelCode& code);

}  // namespace lamella::cuda
