#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "answer/json.hpp"
#include "lamella/query.hpp"
#include "lamella/repair.hpp"
#include "lamella/scene.hpp"

namespace lamella::answer {

/// The meshes of a query, to speak of them in its answer. Names and volumes are parallel.
struct Subjects {
  std::vector<std::string> names;  ///< as given on the command line
  std::vector<double> volumes;     ///< signed
  double load_ms = 0;
  bool boxed = false;                       ///< sampling was limited to a box
  bool tolerance = false, certify = false;  ///< were asked for
};

// Parts of an answer as the JSON of the contract, appended to `out` in its order.

[[nodiscard]] Json health_json(const Health& health);
/// volume of interest, axis and resolution. Without a grid (nothing was sampled) the first two are null and the third
/// is `asked`.
void add_grid(Json& out, const Grid& grid, Vec3d origin, std::uint32_t asked);
/// What only a GPU has (its own time, bytes read back) is left out when it is 0.
void add_engine_health_ms(Json& out, const std::string& engine, const Health& health, const Timings& ms,
                          std::uint64_t read_back_bytes, double load_ms);
[[nodiscard]] Json certificate_json(const Certificate& certificate);
/// Without ContactPatch::separation, which is measured only where it is asked for.
[[nodiscard]] Json patch_json(const ContactPatch& patch);
/// Rigid motions, moments and inner surfaces; "b" only of pairs.
[[nodiscard]] Json gradient_json(const GradientSums& sums, Vec3d centroid, bool pair);

// Whole answers.

/// What intersect and self have in common.
[[nodiscard]] Json overlap_json(std::string_view query, const Overlap& overlap, std::uint32_t asked,
                                const Subjects& subjects);
[[nodiscard]] Json self_json(const SelfOverlap& overlap, std::uint32_t asked, const Subjects& subjects);
/// `subjects` names the mesh and the points. `exact`: as Options::exact.
[[nodiscard]] Json contain_json(const Containment& answer, std::uint32_t asked, bool exact, const Subjects& subjects);
/// What was done and what remains.
[[nodiscard]] Json repair_json(const RepairReport& report);

}  // namespace lamella::answer
