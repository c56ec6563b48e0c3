#include "io/memory_limit.hpp"

#include <fmt/format.h>

#include "io/messages.hpp"

namespace lamella::io {
namespace {

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kMega = std::uint64_t{1} << 20;
  if (bytes < kMega) return fmt::format("{} bytes", bytes);
  if (bytes < 10240 * kMega) return fmt::format("{} MiB", bytes / kMega);
  return fmt::format("{} GiB", bytes / (1024 * kMega));
}

}  // namespace

void MemoryLimit::refuse() const {
  fail(name_, fmt::format("reading it takes more memory than the limit of {}; if you trust the file, raise the limit "
                          "(max_memory, on the command line --max-memory)",
                          size_text(limit_)));
}

}  // namespace lamella::io
