#pragma once

// The three queries on LDIs, from any engine. Each fills the result's grid, spans or flags, sums and health, reuses its
// memory, and does not change engine name and times. `min_thickness` is Options::min_thickness.
// Columns are independent; the results are the same bits for any number of threads.

#include <span>

#include "lamella/export.hpp"
#include "lamella/ldi.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// `a` and `b` must have the same grid.
LAMELLA_API void intersect(const Ldi& a, const Ldi& b, float min_thickness, Overlap& out);

/// Throws Error for an image whose entries and exits were assumed to alternate (Ldi::alternating).
LAMELLA_API void self_intersect(const Ldi& ldi, float min_thickness, SelfOverlap& out);

LAMELLA_API void contains(const Ldi& ldi, std::span<const Vec3> points, Containment& out);

}  // namespace lamella
