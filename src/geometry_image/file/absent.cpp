// Stands in for all of this folder where the library is built without libtiff.

#include "io/messages.hpp"
#include "lamella/geometry_image_io.hpp"

namespace lamella {
namespace {

[[noreturn]] void refuse(std::string_view name) {
  io::fail(name,
           "this library was built without files of geometry images: LAMELLA_TIFF was off, or libtiff 4.5 or newer "
           "(Debian: libtiff-dev) was missing; build it with libtiff");
}

}  // namespace

void write_images(const std::filesystem::path& path, const std::vector<GeometryImage>&, const ImageFileOptions&) {
  refuse(io::display(path));
}
std::vector<GeometryImage> read_images(const std::filesystem::path& path, const ImageFileOptions&) {
  refuse(io::display(path));
}
std::vector<GeometryImage> read_images(std::span<const std::byte>, std::string_view name, const ImageFileOptions&) {
  refuse(name);
}
std::vector<CompactImage> read_compact_images(const std::filesystem::path& path, const ImageFileOptions&) {
  refuse(io::display(path));
}
std::vector<CompactImage> read_compact_images(std::span<const std::byte>, std::string_view name,
                                              const ImageFileOptions&) {
  refuse(name);
}
std::vector<ImagePage> image_pages(const std::filesystem::path& path, const ImageFileOptions&) {
  refuse(io::display(path));
}
std::vector<ImagePage> image_pages(std::span<const std::byte>, std::string_view name, const ImageFileOptions&) {
  refuse(name);
}

}  // namespace lamella
