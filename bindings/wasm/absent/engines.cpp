// In place of the library's own, for lamella-engine: the engines that others are compared with.

#include "engines/reference/reference.hpp"
#include "engines/wscg/wscg.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

[[noreturn]] void refuse(const char* name) {
  throw Error(std::string("engine ") + name +
              " is not in the smaller module: load all of the library with load({ parts: 'all' })");
}

}  // namespace

std::unique_ptr<Engine> make_reference_engine(const EngineOptions&) { refuse("reference"); }
namespace wscg {
std::unique_ptr<Engine> make_engine(const EngineOptions&) { refuse("software-wscg"); }
}  // namespace wscg

}  // namespace lamella
