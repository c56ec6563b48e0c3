#pragma once

#include <memory>

#include "lamella/engine.hpp"

namespace lamella::software {

std::unique_ptr<Engine> make_software_engine(unsigned threads, std::uint64_t max_crossings);

}  // namespace lamella::software
