// Stands in for the other gltf files where the library is built without nlohmann-json.

#include "io/formats.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

[[noreturn]] void refuse(const Source& source) {
  fail(source.name,
       "this library was built without glTF: LAMELLA_GLTF was off, or nlohmann-json (Debian: nlohmann-json3-dev) was "
       "missing; build it with nlohmann-json, or convert the file to .ply");
}

}  // namespace

FileMesh read_gltf(const Source& source) { refuse(source); }
FileMesh read_glb(const Source& source) { refuse(source); }
FileInstances read_gltf_instances(const Source& source) { refuse(source); }
FileInstances read_glb_instances(const Source& source) { refuse(source); }

}  // namespace lamella::io
