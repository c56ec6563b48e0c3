#include "geometry_image/file/text.hpp"

#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "geometry_image/image_codes.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

constexpr std::string_view kTitle = "lamella geometry image";
constexpr const char* kRemake = "write the file again";

using Kind = ImagePage::Kind;
constexpr Kind kKinds[] = {Kind::positions, Kind::normals, Kind::pyramid};

/// Values by key, of lines "key: value".
using Fields = std::map<std::string_view, std::string_view>;

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Fields read_fields(std::string_view text, const PagePlace& place) {
  if (take_line(text) != kTitle) {
    place.fail(
        fmt::format("its ImageDescription does not begin with \"{}\": it is not a geometry image of this "
                    "library; make one with `lamella gi make`",
                    kTitle));
  }
  Fields fields;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t colon = line.find(": ");
    // Other lines are remarks.
    if (colon == std::string_view::npos) continue;
    if (!fields.emplace(line.substr(0, colon), line.substr(colon + 2)).second) {
      place.fail(fmt::format("its ImageDescription says {} twice; {}", excerpt(line.substr(0, colon)), kRemake));
    }
  }
  return fields;
}

class FieldReader {
 public:
  FieldReader(const Fields& fields, const PagePlace& place) : fields_(fields), place_(place) {}

  [[nodiscard]] std::string_view text(std::string_view key) const {
    const auto field = fields_.find(key);
    if (field == fields_.end()) place_.fail(fmt::format("its ImageDescription has no \"{}\"; {}", key, kRemake));
    return field->second;
  }

  template <class T>
  [[nodiscard]] std::optional<T> number(std::string_view value) const {
    T result{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc{} || end != value.data() + value.size()) return std::nullopt;
    return result;
  }

  [[nodiscard]] std::uint32_t integer(std::string_view key, std::uint32_t low, std::uint32_t high) const {
    const auto value = number<std::uint32_t>(text(key));
    if (!value || *value < low || *value > high) {
      place_.fail(fmt::format("\"{}\" in its ImageDescription is {}, expected a whole number from {} to {}; {}", key,
                              excerpt(text(key)), low, high, kRemake));
    }
    return *value;
  }

  [[nodiscard]] Vec3 corner(std::string_view key) const {
    std::string_view rest = text(key);
    Vec3 result;
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t space = axis < 2 ? rest.find(' ') : rest.size();
      const auto value = space == std::string_view::npos ? std::nullopt : number<float>(rest.substr(0, space));
      if (!value || !(std::abs(*value) <= kMaxCoordinate)) {
        place_.fail(fmt::format("\"{}\" in its ImageDescription is {}, expected three numbers from {:g} to {:g}; {}",
                                key, excerpt(text(key)), -kMaxCoordinate, kMaxCoordinate, kRemake));
      }
      result[axis] = *value;
      if (axis < 2) rest.remove_prefix(space + 1);
    }
    return result;
  }

 private:
  const Fields& fields_;
  const PagePlace& place_;
};

unsigned read_version(std::string_view value, const FieldReader& reader, const PagePlace& place) {
  const auto version = reader.number<unsigned>(value);
  if (!version || *version == 0) {
    place.fail(fmt::format("its version is {}, expected a number from 1; {}", excerpt(value), kRemake));
  }
  if (*version > kImageFileVersion) {
    place.fail(fmt::format("its version is {}, and this library reads up to {}; use a later version of it", *version,
                           kImageFileVersion));
  }
  return *version;
}

Kind read_kind(std::string_view value, const PagePlace& place) {
  for (const Kind kind : kKinds) {
    if (name_of(kind) == value) return kind;
  }
  place.fail(
      fmt::format("it holds {}, expected \"positions\", \"normals\" or \"pyramid\"; {}", excerpt(value), kRemake));
}

std::string write_corner(Vec3 p) { return fmt::format("{} {} {}", p.x, p.y, p.z); }

}  // namespace

void PagePlace::fail(std::string_view message) const { io::fail(file, fmt::format("page {}: {}", number, message)); }

std::string_view name_of(Kind kind) {
  return kind == Kind::positions ? "positions" : kind == Kind::normals ? "normals" : "pyramid";
}

std::string write_page_text(const PageText& text) {
  return fmt::format("{}\nversion: {}\npage: {}\nimage: {}\nimages: {}\nn: {}\nbox min: {}\nbox max: {}\n", kTitle,
                     text.version, name_of(text.kind), text.image, text.images, text.n, write_corner(text.box.min),
                     write_corner(text.box.max));
}

PageText read_page_text(std::string_view text, const PagePlace& place) {
  const Fields fields = read_fields(text, place);
  const FieldReader reader(fields, place);
  PageText result;
  result.version = read_version(reader.text("version"), reader, place);
  result.kind = read_kind(reader.text("page"), place);
  result.images = reader.integer("images", 1, kMaxImages);
  result.image = reader.integer("image", 0, result.images - 1);
  result.n = static_cast<int>(reader.integer("n", kMinImageLevels, kMaxImageLevels));
  result.box = {reader.corner("box min"), reader.corner("box max")};
  if (result.box.empty()) {
    place.fail(fmt::format("its box goes from {} to {}: the first must not be above the second on any axis; {}",
                           reader.text("box min"), reader.text("box max"), kRemake));
  }
  return result;
}

}  // namespace lamella::io
