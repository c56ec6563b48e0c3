#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lamella/clash.hpp"

namespace lamella::cli {

/// What the numbers of files are in: a name for texts, and how many metres one unit is, for formats that are in metres
/// (BCF, glTF).
struct LengthUnit {
  std::string name{};  ///< "mm"; empty: not known, and texts name none
  double metres = 1;
};

/// What an earlier report had of a finding's pair.
enum class ClashChange : std::uint8_t {
  unknown,  ///< there is no earlier report
  added,
  changed,
  same,
};

/// A pair that an earlier report has and this one has not.
struct GoneClash {
  std::string a, b;  ///< names of the parts
  ClashClass kind = ClashClass::clear;
  double volume = 0;
};

/// Everything that an output needs. Outputs change nothing.
struct ClashAnswer {
  std::string title;                          ///< of the report: what was tested
  std::string project{};                      ///< that BCF topics are of; empty: the title
  Assembly assembly;                          ///< made by several processes: of the report's pairs alone
  std::vector<std::uint32_t> part_numbers{};  ///< of its parts among all; empty: as they are
  ClashOptions options;
  ClashReport report;
  LengthUnit unit;
  std::vector<ClashChange> changes{};  ///< one for each pair of the report; empty without an earlier report
  std::vector<GoneClash> gone{};
};

// Outputs, one file each, named after what they write. Each appears complete or not at all. They throw Error.

/// The solids that pairs share, as one binary glTF: a node for each region's pair, named after its parts, in metres.
void write_clash_glb(const std::filesystem::path& path, const ClashAnswer& answer);
/// Whether a file begins as those that write_clash_glb() writes.
[[nodiscard]] bool is_clash_glb(const std::filesystem::path& path);
/// A BCF 2.1 archive: a topic with a viewpoint and a snapshot for each finding.
void write_clash_bcf(const std::filesystem::path& path, const ClashAnswer& answer);
/// Before the work: throws Error where this program was built without BCF.
void require_bcf(const std::filesystem::path& path);
/// The interactive page: findings, pictures, and the overlaps to turn around.
void write_clash_html(const std::filesystem::path& path, const ClashAnswer& answer);

}  // namespace lamella::cli
