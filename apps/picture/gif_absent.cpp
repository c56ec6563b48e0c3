// Stands in for gif.cpp where the program is built without giflib.

#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "picture/film.hpp"

namespace lamella::picture {

std::unique_ptr<Film> make_gif(const std::filesystem::path& path, FilmOptions) {
  throw Error("cannot write film '" + printable(path.string()) +
              "': this program was built without GIF: LAMELLA_GIF was off, or giflib (Debian: libgif-dev) was missing; "
              "name it .png for an animated PNG, or build with giflib");
}

}  // namespace lamella::picture
