#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/command.hpp"

namespace lamella::cli {

/// Adds --max-memory to a command that reads files.
void add_memory_option(const Command& command);

/// What --max-memory says, for the readers' options; without it nothing, and the library has limits of its own.
[[nodiscard]] std::optional<std::uint64_t> memory_limit();

/// "8G", "500M", "64K" in powers of 1024, or a number of bytes. Throws Error that names `option`.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view option, std::string_view text);

}  // namespace lamella::cli
