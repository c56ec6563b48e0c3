#pragma once

#include "answer/depth.hpp"
#include "cli/query/answer.hpp"

namespace lamella::cli {

using answer::DepthAnswer;

/// For people, as lines on stdout.
void print_depth(const DepthAnswer& answer, const Subjects& subjects);

}  // namespace lamella::cli
