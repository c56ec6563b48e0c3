// For lamella-engine, in place of the library's own, which the linker then leaves out: contains() with the option
// `exact`, refused.

#include "lamella/error.hpp"
#include "proof/points.hpp"

namespace lamella::proof {

void ExactPoints::correct(const ExactQuery&, Containment&) {
  throw Error("exact: not in the smaller module: load all of the library with load({ parts: 'all' })");
}

}  // namespace lamella::proof
