#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/input_file.hpp"

namespace lamella::io {

[[nodiscard]] inline bool is_data_uri(std::string_view uri) { return uri.starts_with("data:"); }

/// The bytes of "data:application/octet-stream;base64,..." or of one of the other types that exporters use for buffers.
/// Nothing for any other type, or for text that is not base64.
[[nodiscard]] std::optional<FileBytes> decode_data_uri(std::string_view uri, MemoryLimit& memory);

/// "%20" becomes a space, and so on; a percent sign without two digits behind it stays.
[[nodiscard]] std::string decode_percent(std::string_view uri);

/// Whether it starts with a scheme, as in "file:///a" or "C:/a".
[[nodiscard]] bool has_scheme(std::string_view uri);

}  // namespace lamella::io
