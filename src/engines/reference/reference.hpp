#pragma once

#include <memory>

#include "lamella/engine.hpp"

namespace lamella {

/// Every triangle against every sample of its box, in 128-bit integers; the oracle of the other engines.
std::unique_ptr<Engine> make_reference_engine();

}  // namespace lamella
