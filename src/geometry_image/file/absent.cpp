// Stands in for all of this folder where the library is built without libtiff.

#include "io/messages.hpp"
#include "lamella/geometry_image_io.hpp"

namespace lamella {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
  io::fail(io::display(path),
           "this library was built without files of geometry images: LAMELLA_TIFF was off, or libtiff 4.5 or newer "
           "(Debian: libtiff-dev) was missing; build it with libtiff");
}

}  // namespace

void write_images(const std::filesystem::path& path, const std::vector<GeometryImage>&, const ImageFileOptions&) {
  refuse(path);
}
std::vector<GeometryImage> read_images(const std::filesystem::path& path, const ImageFileOptions&) { refuse(path); }
std::vector<ImagePage> image_pages(const std::filesystem::path& path) { refuse(path); }

}  // namespace lamella
