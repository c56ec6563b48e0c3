#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lamella/mesh.hpp"

// Compiled once, in program.cpp: in every file that reads JSON they would take most of the time.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
extern template class nlohmann::detail::serializer<nlohmann::ordered_json>;

namespace lamella::test {

[[nodiscard]] nlohmann::ordered_json parse_json(const std::string& text);

/// What a run of the program left behind.
struct Outcome {
  int status = -1;  ///< exit status; -1 when a signal ended it
  std::string out, err;
  long peak_kib = 0;  ///< of run(): the most memory that was resident, or of the test itself, if that is more

  /// The one JSON object on stdout. A test that calls this fails when there is anything else.
  [[nodiscard]] nlohmann::ordered_json json() const { return parse_json(out); }
};

/// A folder of its own for each test, with some meshes in it to run the real program on.
class Program : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Runs `lamella` with the arguments. Neither stdout nor stderr is a terminal.
  [[nodiscard]] Outcome run(const std::vector<std::string>& arguments) const;
  /// The same with another program.
  [[nodiscard]] Outcome run_program(const std::string& program, const std::vector<std::string>& arguments) const;
  /// run() with stdout going to `file` instead.
  [[nodiscard]] Outcome run_into(const std::filesystem::path& file, const std::vector<std::string>& arguments) const;

  /// run(), and `number` sent to the program once there is a file in the test's folder whose name contains
  /// `sign`. When none appears within a minute the program is ended, and the status is -1.
  [[nodiscard]] Outcome run_and_signal(const std::vector<std::string>& arguments, int number,
                                       const std::string& sign) const;

  /// Starts `lamella` and returns at once; finish_program() waits for its end. One at a time, and no run() meanwhile.
  /// -1 when it could not be started.
  [[nodiscard]] int start_program(const std::vector<std::string>& arguments) const;
  [[nodiscard]] Outcome finish_program(int process) const;
  /// What it has written to stdout by now.
  [[nodiscard]] std::string printed_so_far() const;

  /// Path of a name in the test's folder.
  [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }
  /// Writes the mesh into the folder and returns its path.
  [[nodiscard]] std::string save(const std::string& name, MeshView mesh) const;
  [[nodiscard]] std::string save_text(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::size_t file_count() const;

 private:
  [[nodiscard]] Outcome run_into(const std::filesystem::path& file, const std::string& program,
                                 const std::vector<std::string>& arguments) const;

  std::filesystem::path folder_;
};

[[nodiscard]] std::string content(const std::filesystem::path& path);

/// A closed box of twelve triangles, faces outwards.
[[nodiscard]] Mesh make_box(Vec3 min, Vec3 max);
/// The same without the two triangles of its face at x = min.x.
[[nodiscard]] Mesh make_open_box(Vec3 min, Vec3 max);
/// Every triangle turned round.
[[nodiscard]] Mesh flipped(Mesh mesh);
/// Both in one mesh, not connected.
[[nodiscard]] Mesh joined(const Mesh& a, const Mesh& b);

/// Expects the keys of `expected` in this order at the start of `object`: more may follow.
void expect_keys(const nlohmann::ordered_json& object, const std::vector<std::string>& expected);
void expect_vector(const nlohmann::ordered_json& value, Vec3d expected, double tolerance);
/// Checks type and keys of a box; {"min":[x,y,z],"max":[x,y,z]}.
void expect_box(const nlohmann::ordered_json& value, Vec3d min, Vec3d max, double tolerance);

}  // namespace lamella::test
