// Stands in for heights.cpp where the library is built without libtiff.

#include "io/messages.hpp"
#include "lamella/heights.hpp"

namespace lamella {

Heights read_tiff_heights(std::span<const std::byte>, std::string_view name) {
  io::fail(io::display(name),
           "this library was built without TIFF files: LAMELLA_TIFF was off, or libtiff 4.5 or newer (Debian: "
           "libtiff-dev) was missing; build it with libtiff, or use a PNG file");
}

}  // namespace lamella
