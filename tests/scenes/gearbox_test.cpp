#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>

#include "lamella/clash.hpp"
#include "scenes/check.hpp"
#include "scenes/sample_assembly.hpp"

namespace lamella::scenes {
namespace {

const SampleAssembly& sample() {
  static const SampleAssembly made = gearbox();
  return made;
}

using Names = std::pair<std::string, std::string>;
Names names(std::string a, std::string b) { return a < b ? Names{a, b} : Names{b, a}; }

TEST(Gearbox, HasClosedOutwardMeshesThatAreShared) {
  const Assembly& assembly = sample().assembly;
  ASSERT_EQ(assembly.meshes.size(), assembly.mesh_names.size());
  std::size_t triangles = 0;
  for (std::size_t i = 0; i < assembly.meshes.size(); ++i) {
    EXPECT_EQ(defect(assembly.meshes[i]), "") << assembly.mesh_names[i];
    const MeshReport report = inspect(assembly.meshes[i]);
    EXPECT_TRUE(report.closed) << assembly.mesh_names[i];
    EXPECT_EQ(report.degenerate_triangles, 0u) << assembly.mesh_names[i];
    EXPECT_EQ(report.components, 1u) << assembly.mesh_names[i];
    EXPECT_GT(report.volume, 0) << assembly.mesh_names[i];
    triangles += report.triangles;
  }
  EXPECT_GE(assembly.parts.size(), 200u);
  EXPECT_LE(assembly.meshes.size(), 70u);
  EXPECT_GT(triangles, 20'000u);
  EXPECT_EQ(std::set<std::string>(assembly.mesh_names.begin(), assembly.mesh_names.end()).size(),
            assembly.mesh_names.size());
}

TEST(Gearbox, NamesEveryPartOnceAndOnlyPartsInItsTruth) {
  std::set<std::string> parts;
  for (const AssemblyPart& part : sample().assembly.parts) {
    EXPECT_TRUE(parts.insert(part.name).second) << part.name;
    EXPECT_LT(part.mesh, sample().assembly.meshes.size());
    EXPECT_FALSE(part.group.empty() || part.layer.empty()) << part.name;
  }
  std::set<Names> planted;
  for (const PlantedClash& clash : sample().truth) {
    EXPECT_TRUE(parts.contains(clash.a)) << clash.a;
    EXPECT_TRUE(parts.contains(clash.b)) << clash.b;
    EXPECT_TRUE(planted.insert(names(clash.a, clash.b)).second) << clash.a << ", " << clash.b;
    EXPECT_FALSE(clash.why.empty());
  }
}

// FNV-1a over the bits of all vertices, triangles and poses: reports can be compared between machines.
TEST(Gearbox, HasTheSameBitsEverywhere) {
  std::uint64_t hash = 0xCBF29CE484222325ull;
  const auto add = [&](const auto& value) {
    for (const std::byte b : std::as_bytes(std::span(&value, 1)))
      hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001B3ull;
  };
  for (const Mesh& mesh : sample().assembly.meshes) {
    for (const Vec3& p : mesh.positions) add(p);
    for (const Triangle& t : mesh.triangles) add(t);
  }
  for (const AssemblyPart& part : sample().assembly.parts) {
    add(part.mesh);
    add(part.pose);
  }
  EXPECT_EQ(hash, 0xF9C2C0E2DDC514B8ull) << std::hex << hash;
}

TEST(Gearbox, HasAClashOfEveryClass) {
  std::set<ClashClass> kinds;
  for (const PlantedClash& clash : sample().truth)
    if (!clash.allowed) kinds.insert(clash.kind);
  EXPECT_EQ(kinds.size(), kClashClasses - 1);  // all but clear
}

std::string text(const Names& pair) { return fmt::format("'{}', '{}'", pair.first, pair.second); }

void expect_numbers(const PlantedClash& planted, const ClashPair& found, double touch) {
  if (planted.volume) {
    EXPECT_NEAR(found.volume, *planted.volume, 2 * found.volume_error + 1e-4 * *planted.volume)
        << "error bar " << found.volume_error;
  }
  if (planted.distance) {
    EXPECT_NEAR(found.distance, *planted.distance, 2e-5);
  }
  if (planted.kind == ClashClass::touching) {
    EXPECT_LE(found.distance, touch);
  }
}

bool holds(double volume, const ClashPair& found) {
  return std::abs(found.volume - volume) <= found.volume_error + 1e-4 * volume;
}

TEST(Gearbox, ReportsWhatWasPlantedAndNothingElse) {
  const ClashReport report = find_clashes(sample().assembly, clash_options(sample()));
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.undecided_count(), 0u);
  std::map<Names, const ClashPair*> found;
  for (const ClashPair& pair : report.pairs)
    found[names(sample().assembly.parts[pair.a].name, sample().assembly.parts[pair.b].name)] = &pair;
  std::size_t volumes = 0, within = 0;
  for (const PlantedClash& planted : sample().truth) {
    const Names pair = names(planted.a, planted.b);
    SCOPED_TRACE(text(pair) + ": " + planted.why);
    const auto entry = found.find(pair);
    if (entry == found.end()) {
      ADD_FAILURE() << "is not reported";
      continue;
    }
    EXPECT_EQ(to_string(entry->second->kind), to_string(planted.kind));
    EXPECT_EQ(entry->second->allowed, planted.allowed);
    expect_numbers(planted, *entry->second, sample().touch);
    if (planted.volume) {
      EXPECT_EQ(entry->second->region_count, planted.regions);
      ++volumes;
      within += holds(*planted.volume, *entry->second) ? 1 : 0;
    }
    found.erase(entry);
  }
  EXPECT_GE(within + 1, volumes) << "error bars are of 95 %";
  for (const auto& [pair, other] : found)
    ADD_FAILURE() << text(pair) << " was not planted: " << to_string(other->kind) << ", volume " << other->volume
                  << " +- " << other->volume_error << ", distance " << other->distance << ", depth " << other->depth;
}

TEST(Gearbox, IsContainedInItsEnvelopeWithEveryPart) {
  ClashOptions options;
  options.way_out = WayOut::none;
  options.rules = {{.name = "only the envelope", .a = "layer:reference"}, {.name = "all others", .ignore = true}};
  const ClashReport report = find_clashes(sample().assembly, options);
  EXPECT_EQ(report.pairs.size(), sample().assembly.parts.size() - 1);
  for (const ClashPair& pair : report.pairs) {
    EXPECT_EQ(to_string(pair.kind), to_string(ClashClass::contained))
        << sample().assembly.parts[pair.a].name << ", volume " << pair.volume << " +- " << pair.volume_error
        << ", all of it " << signed_volume(sample().assembly.meshes[sample().assembly.parts[pair.a].mesh]);
  }
}

}  // namespace
}  // namespace lamella::scenes
