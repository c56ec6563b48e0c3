#pragma once

#include <span>
#include <string>

#include "cli/figure/figures.hpp"
#include "lamella/mesh.hpp"

namespace lamella::cli {

/// A test object of a paper, and the model that stands in for it.
struct StandIn {
  const char* name;  ///< in the paper
  const char* model;
  std::size_t faces;

  [[nodiscard]] Mesh make(const FigureTask& task) const;
  /// "dragon (serpent)", or "knot" alone where both names are the same thing.
  [[nodiscard]] std::string title() const;
};

inline constexpr StandIn kKnot{"knot", "torus_knot", 12'000};
inline constexpr StandIn kRabbit{"rabbit", "rabbit", 50'000};
inline constexpr StandIn kReptile{"reptile", "serpent", 110'000};
inline constexpr StandIn kSanta{"santa", "seated_figure", 150'000};
inline constexpr StandIn kDragon{"dragon", "serpent", 520'000};

/// Each shaded by itself in a panel, with its faces counted: the papers' test objects.
void draw_objects(const FigureTask& task, std::span<const StandIn> objects);

}  // namespace lamella::cli
