#pragma once

#include <memory>

#include "lamella/engine.hpp"

namespace lamella {

/// Every triangle against every sample of its box, in 128-bit integers; the oracle of the other engines.
[[nodiscard]] std::unique_ptr<Engine> make_reference_engine(const EngineOptions& options);

}  // namespace lamella
