#pragma once

#include <tuple>

#include "lamella/result.hpp"

namespace lamella::test {

/// All fields, to be compared at once.
inline auto fields(const Health& h) {
  return std::tuple(h.open_columns, h.occupied_columns, h.inside_out_columns, h.skipped_triangles, h.dropped_crossings,
                    h.untrusted_volume, h.untrusted_points);
}

}  // namespace lamella::test
