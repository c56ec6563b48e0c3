#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lamella::cli {

// Names that come with a scene: how people are shown them, and which of them may be files.

/// In quotes, and cut to a length that fits into a message.
[[nodiscard]] std::string in_quotes(std::string_view name);

/// A path as one word for each file: the same for two names of one file.
[[nodiscard]] std::string identity_of(const std::filesystem::path& path);

/// What tells files apart in a table: the last part of each path, with as many folders in front of it as it takes. A
/// file that is there again gets its number: "part.ply", "part.ply#2".
[[nodiscard]] std::vector<std::string> labels_of(const std::vector<std::string>& paths);

}  // namespace lamella::cli
