#pragma once

#include <string>
#include <string_view>

namespace lamella::cli {

// The viewer's page: one HTML file with script, style and engine inside, made by `./run web` and built into the
// program.

/// Where a page takes a saved view, in base64.
inline constexpr std::string_view kDataMarker =
    R"(<script type="application/octet-stream" id="lamella-data"></script>)";
/// Where it takes what `lamella view` tells it, as JSON.
inline constexpr std::string_view kServerMarker = R"(<script type="application/json" id="lamella-server"></script>)";

/// As it is in the program: compressed by gzip; empty in a program that was built without it.
[[nodiscard]] std::string_view compressed_page();

[[nodiscard]] inline bool has_page() { return !compressed_page().empty(); }

/// The page. Throws Error that names `asker` ("--html") and says how to get one when the program has none.
[[nodiscard]] std::string require_page(std::string_view asker);

/// What gzip compressed. Throws Error when it is damaged.
[[nodiscard]] std::string gunzip(std::string_view bytes);

}  // namespace lamella::cli
