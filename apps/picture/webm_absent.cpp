// Stands in for webm.cpp where the program is built without libvpx.

#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "picture/film.hpp"

namespace lamella::picture {

std::unique_ptr<Film> make_webm(const std::filesystem::path& path, FilmOptions) {
  throw Error(
      "cannot write film '" + printable(path.string()) +
      "': this program was built without WebM: LAMELLA_WEBM was off, or libvpx (Debian: libvpx-dev) was missing; "
      "name it .png for an animated PNG, or build with libvpx");
}

}  // namespace lamella::picture
