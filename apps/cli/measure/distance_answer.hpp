#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lamella/distance.hpp"

namespace lamella::cli {

/// Distance, points and triangles; null where there are none.
[[nodiscard]] nlohmann::ordered_json distance_json(const MeshDistance& answer);
/// The same for people, as lines on stdout.
void print_distance(const MeshDistance& answer);

}  // namespace lamella::cli
