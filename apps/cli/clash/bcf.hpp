#pragma once

#include <cstddef>

#include "cli/clash/answer.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

struct BcfOptions {
  /// Of the worst findings. Nobody works through more, tools become slow, and each costs a picture.
  std::size_t most_topics = 500;
  picture::Size snapshot{640, 480};
};

/// write_clash_bcf() of answer.hpp with other limits. Where findings are left out, the project's name says so, and
/// stderr.
void write_clash_bcf(const std::filesystem::path& path, const ClashAnswer& answer, const BcfOptions& options);

}  // namespace lamella::cli
