#pragma once

#include "lamella/clash.hpp"
#include "lamella/gradient.hpp"

namespace lamella::clash {

/// What decides the class of two parts that share a volume.
struct Shared {
  double volume = 0, error = 0;       ///< shared, and how far off it may be
  double volume_a = 0, volume_b = 0;  ///< of the parts; 0 for one that reaches out of the other's box
  InnerSurface inner_a, inner_b;      ///< of each, the surface inside the other
};

/// Whether the surfaces of both parts inside each other face both ways alike: the mean of their normals is short.
[[nodiscard]] bool faces_both_ways(const InnerSurface& inner_a, const InnerSurface& inner_b);

/// overlapping, piercing, contained or duplicate.
///
/// Duplicate and contained: the shared volume is all of both or of one, within three times the error bar and 0.01 %.
/// Piercing: the surfaces face both ways, as those of a pin and of the plate that it goes right through do, or of a pin
/// and the narrower hole that it was pressed into. Where a part only reaches into another, the surface of one of them
/// faces one way there.
[[nodiscard]] ClashClass class_of(const Shared& shared);

/// What may be shared beside a pair's volume and its error bar.
struct Unseen {
  bool unbounded = false;  ///< columns, triangles or crossings were left out
  double at_holes = 0;     ///< the most that other ways to close holes could add

  void add(const Health& health);
};

/// Whether the rule allows what the pair shares.
[[nodiscard]] bool is_allowed(const ClashPair& pair, const ClashRule& rule, const Unseen& unseen);

}  // namespace lamella::clash
