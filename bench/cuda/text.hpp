#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/cuda/measure.hpp"

namespace lamella::cli {

/// One work in full, as lines.
[[nodiscard]] std::string to_text(const CudaFigures& figures);
/// All works in two tables: the device's own times, and other engines beside it.
[[nodiscard]] std::string to_text(const std::vector<CudaFigures>& all);
[[nodiscard]] nlohmann::ordered_json to_json(const CudaFigures& figures);

}  // namespace lamella::cli
