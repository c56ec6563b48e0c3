#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer/json.hpp"
#include "lamella/file.hpp"
#include "lamella/mesh.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/verdict.hpp"

namespace lamella::cli {

/// Exit statuses of the program; the top-level help states them.
enum Status : int {
  kAnswered = 0,  ///< and, for a collision query, no collision
  kCollision = 1,
  kBadInput = 2,       ///< or wrong usage
  kDeviceFailure = 3,  ///< or an engine that is not available here
  kUndecided = 4,      ///< what was left out could change the answer
};

/// Of a collision query; `exit_zero`: 0 whenever there is an answer.
[[nodiscard]] constexpr Status status_of(Verdict verdict, bool exit_zero) {
  if (exit_zero || verdict == Verdict::clear) return kAnswered;
  return verdict == Verdict::colliding ? kCollision : kUndecided;
}

/// Where a mesh is put: scaled first, then rotated, then moved.
struct Placement {
  double scale = 1;
  Transform pose;
};

/// read_mesh and read_points with a progress bar on a terminal, within --max-memory; or a built-in model
/// (model_input.hpp), and its vertices. With --repair meshes are repaired (repair_input.hpp).
[[nodiscard]] Mesh load_mesh(const std::filesystem::path& path);
[[nodiscard]] Mesh load_mesh(const std::filesystem::path& path, const Placement& placement);
[[nodiscard]] std::vector<Vec3> load_points(const std::filesystem::path& path);
[[nodiscard]] std::vector<Vec3d> load_wide_points(const std::filesystem::path& path);
[[nodiscard]] std::vector<MeshPart> load_parts(const std::filesystem::path& path, Split split,
                                               bool keep_doubles = false);
/// An instance for each part.
[[nodiscard]] MeshInstances one_each(std::vector<MeshPart> parts);
[[nodiscard]] MeshInstances load_instances(const std::filesystem::path& path, Split split, bool keep_doubles = false);

/// load_mesh() for commands that know no origins: in_world(), with a word on stderr when that loses digits.
[[nodiscard]] Mesh load_world_mesh(const std::filesystem::path& path, double scale = 1);

/// A copy whose positions are relative to `origin`: what is drawn together needs one frame.
[[nodiscard]] Mesh relative_to(const Mesh& mesh, Vec3d origin);

/// Multiplies by `factor`; of a mesh, its origin as well.
void scale(std::span<Vec3> positions, double factor);
void scale(Mesh& mesh, double factor);

/// The last part of a path as people are shown it: printable().
[[nodiscard]] std::string file_name(const std::filesystem::path& path);

/// Whether the name ends in one of `extensions` (with their dots, in lower case), in any case.
[[nodiscard]] bool has_extension(const std::filesystem::path& path, std::span<const std::string_view> extensions);

// Numbers for people: digits in groups of three; six significant digits; a part of 1 as percent. A position has as many
// digits as its floats have, or its largest coordinate would have as a float: far from the origin six would not show
// where things are.
[[nodiscard]] std::string grouped(std::uint64_t n);
[[nodiscard]] std::string to_text(double value);
/// Whether a text says in how many cases an error holds.
enum class Bound : std::uint8_t { said, unsaid };
/// "0.017091 ± 0.000004 (95 %)": as many digits as the error leaves; without an error to_text().
[[nodiscard]] std::string volume_text(double volume, double error, Bound bound = Bound::said);
[[nodiscard]] std::string to_text(Vec3 p);
[[nodiscard]] std::string to_text(Vec3d p);
[[nodiscard]] std::string to_text(const Aabb& box, Vec3d origin = {});  ///< `origin`: what the box is relative to
[[nodiscard]] std::string percent(double part);
/// "1 edge", "2,000 edges".
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view noun);

/// On stdout, as it is. Answers that can also go into a report are printed by this.
void print(std::string_view text);
/// What `answer` prints, which then does not appear on stdout.
[[nodiscard]] std::string printed(const std::function<void()>& answer);

// What follows passes through printable(): names of files and of objects in them must not steer the terminal.

/// "label   text" on stdout, with the texts of consecutive lines below one another.
void print_line(std::string_view label, std::string_view text);
/// "lamella: text" on stderr, and `hint` on a line of its own when there is one.
void complain(std::string_view text, std::string_view hint = "");
/// What `call` complains about, which then does not appear on stderr.
[[nodiscard]] std::string complaints(const std::function<void()>& call);

/// Rows of text below their headings, each column as wide as its widest cell.
struct Table {
  struct Column {
    std::string heading;
    bool right = false;  ///< numbers align to the right
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  ///< as many cells each as there are columns
};
[[nodiscard]] std::string to_text(const Table& table);

// The JSON of the contract (apps/answer).
using answer::shortest;
using answer::to_json;
using answer::to_line;
/// On one line of stdout.
void print_json(const nlohmann::ordered_json& value);

}  // namespace lamella::cli
