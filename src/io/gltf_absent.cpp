// Stands in for the other gltf files where the library is built without TinyGLTF.

#include "io/formats.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

[[noreturn]] void refuse(const Source& source) {
  fail(source.name,
       "this library was built without glTF: LAMELLA_GLTF was off, or TinyGLTF (Debian: libtinygltf-dev) was missing; "
       "build it with TinyGLTF, or convert the file to .ply");
}

}  // namespace

Mesh read_gltf(const Source& source) { refuse(source); }
Mesh read_glb(const Source& source) { refuse(source); }

}  // namespace lamella::io
