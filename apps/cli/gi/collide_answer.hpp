#pragma once

#include <string>
#include <vector>

#include "lamella/image_collide.hpp"

namespace lamella::cli {

/// What `gi collide` found, and what it was asked.
struct ImageAnswer {
  ImageCollision found;
  ImageCollideOptions asked;
  std::string a, b;                            ///< files as given
  double read_ms = 0, pyramid_ms = 0, ms = 0;  ///< loading, spheres, the search itself
};

void print_answer_json(const ImageAnswer& answer);
void print_answer(const ImageAnswer& answer);

/// A heading and a line for each pair.
[[nodiscard]] std::string pairs_csv(const std::vector<TrianglePair>& pairs);

/// separate, colliding or undecided.
[[nodiscard]] std::string_view name_of(Verdict verdict);

}  // namespace lamella::cli
