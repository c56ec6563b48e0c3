// Stands in for bench_gi_fcl.cpp where FCL is not found.

#include "bench/gi/methods.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {

std::string fcl_unavailable() {
  return "this program was built without FCL: LAMELLA_FCL was off, or FCL (Debian: libfcl-dev) was missing";
}

std::unique_ptr<PairMethod> make_fcl_method(const std::string&, const ImageBody&) { throw Error(fcl_unavailable()); }

}  // namespace lamella::cli
