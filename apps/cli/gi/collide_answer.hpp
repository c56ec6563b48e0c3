#pragma once

#include <string>
#include <vector>

#include "lamella/image_collide.hpp"

namespace lamella::cli {

/// What `gi collide` found, and what it was asked.
struct ImageAnswer {
  ImageCollision found;
  ImageCollideOptions asked;
  SphereFit spheres = SphereFit::tight;
  std::uint64_t body_bytes = 0;                ///< positions and spheres of the images
  std::string a, b;                            ///< files as given
  double read_ms = 0, pyramid_ms = 0, ms = 0;  ///< loading, spheres, the search itself
};

[[nodiscard]] std::uint64_t bytes_of(BodyRef body);

void print_answer_json(const ImageAnswer& answer);
void print_answer(const ImageAnswer& answer);

/// A heading and a line for each pair.
[[nodiscard]] std::string pairs_csv(const std::vector<TrianglePair>& pairs);

}  // namespace lamella::cli
