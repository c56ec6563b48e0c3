#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace lamella::io {

// Every message about a file is one line: the file, the place, what was expected, what was found.

/// The path as messages show it: printable().
[[nodiscard]] std::string display(const std::filesystem::path& path);

/// Throws Error when the path holds a NUL: the system would read the name only up to it.
void check_path(const std::filesystem::path& path);

/// Up to 40 bytes of a file, in quotes, with everything but printable ASCII escaped.
[[nodiscard]] std::string excerpt(std::string_view text);

/// Any text from elsewhere on one line of at most `limit` bytes.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t limit);

/// Throw Error: "NAME: message", "NAME:LINE: message", "NAME: byte N: message".
[[noreturn]] void fail(std::string_view name, std::string_view message);
[[noreturn]] void fail_at_line(std::string_view name, std::size_t line, std::string_view message);
[[noreturn]] void fail_at_byte(std::string_view name, std::size_t byte, std::string_view message);

}  // namespace lamella::io
