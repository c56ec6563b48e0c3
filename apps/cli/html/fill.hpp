#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lamella::cli {

// What is put into a page. Nothing that comes from a file can end an element: titles are escaped, data is base64.

[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

/// Text as HTML shows it. Bytes that are no UTF-8, and control characters, are spelt as printable() does.
[[nodiscard]] std::string escape_html(std::string_view text);

/// The page with `title` in place of its own, and `content` in the empty script element `marker` (page.hpp). The
/// content must not have "</" in it. Throws Error when the page has no title or not exactly one such element: it is
/// none of this version.
[[nodiscard]] std::string fill_page(std::string_view page, std::string_view title, std::string_view marker,
                                    std::string_view content);

}  // namespace lamella::cli
