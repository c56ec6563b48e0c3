#pragma once

#include "answer/stopwatch.hpp"

namespace lamella::cli {

using answer::Stopwatch;

}  // namespace lamella::cli
