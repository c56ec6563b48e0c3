#include "cli/machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "cli/common.hpp"
#include "lamella/version.hpp"

namespace lamella::cli {

unsigned core_count() { return std::max(1u, std::thread::hardware_concurrency()); }

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

std::string machine_text() {
  return fmt::format("{}, {}; lamella {}", cpu_model(), counted(core_count(), "core"), kVersion);
}

}  // namespace lamella::cli
