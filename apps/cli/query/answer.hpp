#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "lamella/solid.hpp"

namespace lamella::cli {

/// The meshes of a query, to speak of them in its answer. Names and volumes are parallel.
struct Subjects {
  std::vector<std::string> names;  ///< as given on the command line
  std::vector<double> volumes;     ///< signed
  double load_ms = 0;
  bool boxed = false;                       ///< sampling was limited to a box
  bool tolerance = false, certify = false;  ///< were asked for
};

// Parts of an answer as the JSON of the contract, appended to `out` in its order.

[[nodiscard]] nlohmann::ordered_json health_json(const Health& health);
/// volume of interest, axis and resolution. Without a grid (nothing was sampled) the first two are null and the third
/// is `asked`.
void add_grid(nlohmann::ordered_json& out, const Grid& grid, Vec3d origin, std::uint32_t asked);
/// What only a GPU has (its own time, bytes read back) is left out when it is 0.
void add_engine_health_ms(nlohmann::ordered_json& out, const std::string& engine, const Health& health,
                          const Timings& ms, std::uint64_t read_back_bytes, double load_ms);
/// The whole answer of intersect and self.
[[nodiscard]] nlohmann::ordered_json overlap_json(std::string_view query, const Overlap& overlap, std::uint32_t asked,
                                                  const Subjects& subjects);
[[nodiscard]] nlohmann::ordered_json certificate_json(const Certificate& certificate);
/// A vector without negative zeros.
[[nodiscard]] nlohmann::ordered_json plain_json(Vec3d v);
/// Without ContactPatch::separation, which is measured only where it is asked for.
[[nodiscard]] nlohmann::ordered_json patch_json(const ContactPatch& patch);

// The same for people, as lines on stdout.

void print_overlap(const Overlap& overlap, const Subjects& subjects);
/// Grid, health in words, engine and times: the end of every answer.
void print_circumstances(const Grid& grid, Vec3d origin, const std::string& health, const Timings& ms,
                         const std::string& engine, const Subjects& subjects);

/// A line about what the engine took for granted and could not check (Overlap::alternating); nothing otherwise.
void print_assumption(bool alternating, const std::string& engine);

/// The health in words, with what to do about it. `doubt` says what leaving columns out means for the answer.
[[nodiscard]] std::string describe(const Health& health, const Subjects& subjects, const std::string& doubt);
/// `doubt` of a volume.
[[nodiscard]] std::string doubt_of_volume(const Health& health);

/// Whether all that was sampled is inside out.
[[nodiscard]] bool all_inside_out(const Health& health);
/// For --strict: throws an Error that names the files, unless the answer is decided and the health ok.
void require_answer(const Overlap& overlap, bool strict, const Subjects& subjects);

/// Writes the overlap as a mesh, for --volume; does nothing when no file was asked for. Without overlap no file is
/// written, and a line on stderr says so. `solid` makes the smooth form, which the options say how to sample.
void write_volume(const QueryArgs& args, const Overlap& overlap,
                  const std::function<OverlapSolid(const SolidOptions&)>& solid);

}  // namespace lamella::cli
