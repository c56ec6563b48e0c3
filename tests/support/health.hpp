#pragma once

#include <tuple>

#include "lamella/result.hpp"

namespace lamella::test {

/// All fields, to be compared at once.
inline auto fields(const Health& h) {
  return std::tuple(h.open_columns, h.occupied_columns, h.inside_out_columns, h.skipped_triangles, h.dropped_crossings,
                    h.untrusted_volume, h.untrusted_points);
}

/// Whether nothing was left out: all columns close, also those that are inside out.
inline bool all_close(const Health& h) {
  return h.open_columns == 0 && h.skipped_triangles == 0 && h.dropped_crossings == 0;
}

}  // namespace lamella::test
