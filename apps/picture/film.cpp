#include "picture/film.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "picture/animation.hpp"

namespace lamella::picture {

std::span<const std::string_view> film_extensions() {
  static constexpr std::array<std::string_view, 3> kAll{".png", ".gif", ".webm"};
  return kAll;
}

std::unique_ptr<Film> make_film(const std::filesystem::path& path, FilmOptions options) {
  std::string end = path.extension().string();
  std::transform(end.begin(), end.end(), end.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (end == ".png") return std::make_unique<Animation>(path, options);
  if (end == ".gif") return make_gif(path, options);
  if (end == ".webm") return make_webm(path, options);
  throw Error("cannot write film '" + printable(path.string()) + "': name it .png, .gif or .webm");
}

}  // namespace lamella::picture
