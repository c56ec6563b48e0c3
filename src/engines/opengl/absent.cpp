// Replaces all of this folder when the library is built without OpenGL's headers.

#include "engines/opengl/engines.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {

std::string unavailable() {
  return "this library was built without OpenGL: LAMELLA_OPENGL was off, or the headers EGL/egl.h and GL/glcorearb.h "
         "(Debian: libegl-dev) were missing";
}
std::vector<std::string> device_lines() { return {}; }
bool is_hardware(std::optional<unsigned>) { return false; }
void require_device(unsigned) { throw Error(unavailable(), Error::Kind::device); }

std::unique_ptr<Engine> make_ordered_engine(const EngineOptions&) { throw Error(unavailable(), Error::Kind::device); }
std::unique_ptr<Engine> make_coarse_ordered_engine(const EngineOptions&) {
  throw Error(unavailable(), Error::Kind::device);
}
std::unique_ptr<Engine> make_unordered_engine(const EngineOptions&) { throw Error(unavailable(), Error::Kind::device); }
std::unique_ptr<Engine> make_tr395_engine(const EngineOptions&) { throw Error(unavailable(), Error::Kind::device); }
std::unique_ptr<Engine> make_lists_engine(const EngineOptions&) { throw Error(unavailable(), Error::Kind::device); }
std::unique_ptr<PairFinder> make_pair_finder(const EngineOptions&) { throw Error(unavailable(), Error::Kind::device); }

}  // namespace lamella::opengl
