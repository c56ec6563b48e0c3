#pragma once

#include <string>

#include "lamella/engine.hpp"
#include "lamella/ldi_query.hpp"

namespace lamella::test {

/// What an engine that sees whole columns finds on a grid that is given: for engines that choose a box of their own.
inline Overlap overlap_on(const Grid& grid, MeshView a, MeshView b, const std::string& engine = "software",
                          float min_thickness = QueryOptions{}.min_thickness) {
  const auto builder = make_engine({.engine = engine, .threads = 1});
  Ldi ldi_a, ldi_b;
  builder->build(a, grid, ldi_a);
  builder->build(b, grid, ldi_b);
  Overlap out;
  lamella::intersect(ldi_a, ldi_b, min_thickness, out);
  out.engine = engine;
  return out;
}

}  // namespace lamella::test
