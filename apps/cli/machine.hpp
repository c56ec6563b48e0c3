#pragma once

#include <string>

namespace lamella::cli {

/// Cores that this process may use.
[[nodiscard]] unsigned core_count();
/// As its maker calls it.
[[nodiscard]] std::string cpu_model();
/// "cpu, 2 cores; lamella 1.0".
[[nodiscard]] std::string machine_text();

}  // namespace lamella::cli
