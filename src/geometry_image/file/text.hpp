#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lamella/geometry_image_io.hpp"

namespace lamella::io {

/// As many as TIFF's page numbers of 16 bits allow, at two pages each.
inline constexpr std::uint32_t kMaxImages = 32767;

/// Where in a file something is wrong.
struct PagePlace {
  std::string file;          ///< as messages show it
  std::uint32_t number = 1;  ///< as image tools count

  /// Throws Error: "FILE: page NUMBER: message".
  [[noreturn]] void fail(std::string_view message) const;
};

/// What a page's ImageDescription says.
struct PageText {
  unsigned version = kImageFileVersion;
  ImagePage::Kind kind = ImagePage::Kind::positions;
  std::uint32_t image = 0, images = 1;  ///< which of how many
  int n = 0;
  Aabb box;
};

/// "positions", "normals", "pyramid".
[[nodiscard]] std::string_view name_of(ImagePage::Kind kind);

/// Floats are written as the shortest decimals that give the same bits again.
[[nodiscard]] std::string write_page_text(const PageText& text);

/// Throws Error at `place` when the text is of another program or a later version, lacks a line, or has an invalid n,
/// image number or box.
[[nodiscard]] PageText read_page_text(std::string_view text, const PagePlace& place);

}  // namespace lamella::io
