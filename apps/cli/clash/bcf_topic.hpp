#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/clash/answer.hpp"
#include "cli/clash/snapshot.hpp"

namespace lamella::cli {

// The XML files of a BCF 2.1 archive: https://github.com/buildingSMART/BCF-XML (release 2.1). Elements are in the order
// of its schemas.

/// A finding as a topic.
struct BcfTopic {
  const ClashFinding* finding = nullptr;
  std::string guid{};       ///< bcf_guids()
  std::uint32_t index = 0;  ///< in the list of topics
};

inline constexpr std::string_view kBcfViewpointFile = "viewpoint.bcfv", kBcfSnapshotFile = "snapshot.png";

/// What the GUIDs of an answer begin with: its project, or its title.
[[nodiscard]] std::string bcf_project_of(const ClashAnswer& answer);

/// A GUID for each finding, all different. It follows from the project, the names of the two meshes, the class, the
/// rule and whether it is undecided, so that it does not depend on what else is found; where several meshes have one
/// name, also from the names of the parts. So a later report of the same project has the same GUIDs, and updates topics
/// instead of doubling them. What is allowed has the GUID of what is not, unless both are there.
[[nodiscard]] std::vector<std::string> bcf_guids(const ClashAnswer& answer);

[[nodiscard]] std::string bcf_version();
[[nodiscard]] std::string bcf_project(const std::string& name, const std::string& id);
/// `date`: bcf_date().
[[nodiscard]] std::string bcf_markup(const ClashAnswer& answer, const BcfTopic& topic, const std::string& date);
/// `view` is in the report's unit; BCF is in metres.
[[nodiscard]] std::string bcf_viewpoint(const ClashAnswer& answer, const BcfTopic& topic, const ClashView& view);

/// "2026-11-18T03:00:00Z", from seconds since 1970.
[[nodiscard]] std::string bcf_date(std::int64_t seconds);

}  // namespace lamella::cli
