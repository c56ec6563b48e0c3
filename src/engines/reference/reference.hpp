#pragma once

#include <memory>

#include "lamella/engine.hpp"

namespace lamella {

/// Tests every triangle against every sample of its box, in 128-bit integers; the tests compare the other engines with
/// it.
[[nodiscard]] std::unique_ptr<Engine> make_reference_engine(const EngineOptions& options);

}  // namespace lamella
