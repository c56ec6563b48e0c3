#pragma once

#include <memory>

#include "lamella/engine.hpp"

namespace lamella::wscg {

/// software-wscg: the software generator as published. One thread, whatever the options say.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const EngineOptions& options);

}  // namespace lamella::wscg
