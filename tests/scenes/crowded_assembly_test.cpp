#include "scenes/crowded_assembly.hpp"

#include <gtest/gtest.h>

#include <set>

#include "scenes/check.hpp"

namespace lamella::scenes {
namespace {

TEST(CrowdedAssembly, HasClosedMeshesThatAllDiffer) {
  const CrowdedOptions options{.parts = 100, .meshes = 40};
  std::set<double> volumes;
  for (std::uint32_t i = 0; i < options.meshes; ++i) {
    const Mesh mesh = crowded_mesh(options, i);
    EXPECT_EQ(defect(mesh), "") << i;
    EXPECT_NEAR(double(mesh.triangles.size()), 1000, 150) << i;
    volumes.insert(volume(mesh));
    for (const Vec3 p : mesh.positions) EXPECT_LE(length(p), 1.0001f) << i;
  }
  EXPECT_EQ(volumes.size(), options.meshes);
}

TEST(CrowdedAssembly, IsMadeOfPartsThatKnowOnlyTheirNumber) {
  const CrowdedOptions options{.parts = 1003, .meshes = 7, .faces = 60, .seed = 5};
  const Assembly assembly = crowded_assembly(options);
  ASSERT_EQ(assembly.parts.size(), options.parts);
  ASSERT_EQ(assembly.meshes.size(), options.meshes);
  for (const std::uint64_t i : {0u, 500u, 1002u}) {
    const AssemblyPart part = crowded_part(options, i);
    EXPECT_EQ(part.name, assembly.parts[i].name);
    EXPECT_EQ(part.mesh, assembly.parts[i].mesh);
    EXPECT_EQ(part.pose.translation, assembly.parts[i].pose.translation);
    EXPECT_EQ(part.pose.rotation.w, assembly.parts[i].pose.rotation.w);
  }
  EXPECT_EQ(crowded_mesh(options, 3).positions, assembly.meshes[3].positions);
  const CrowdedOptions other{.parts = 1003, .meshes = 7, .faces = 60, .seed = 6};
  EXPECT_NE(crowded_part(other, 500).pose.rotation.w, assembly.parts[500].pose.rotation.w);
}

TEST(CrowdedAssembly, PutsAThirdOfItsPartsCloseToAnotherAndAllOthersApart) {
  const CrowdedOptions options{.parts = 600, .meshes = 1, .faces = 60};
  std::vector<AssemblyPart> parts;
  for (std::uint64_t i = 0; i < options.parts; ++i) parts.push_back(crowded_part(options, i));
  std::size_t close = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double apart = length(parts[i].pose.translation - parts[j].pose.translation);
      if (apart < 2) {  // balls of radius 1 meet
        EXPECT_EQ(parts[i].layer, "pairs");
        EXPECT_EQ(parts[j].layer, "pairs");
        ++close;
      }
    }
  EXPECT_EQ(close, 100u);
}

// A third process would put a part elsewhere if a compiler rounded differently.
TEST(CrowdedAssembly, IsTheSameEverywhere) {
  const CrowdedOptions options{.parts = 1'000'000'000'000, .meshes = 1000};
  const AssemblyPart part = crowded_part(options, 876'543'210'987);
  EXPECT_EQ(part.mesh, 987u);
  EXPECT_EQ(part.pose.translation, (Vec3d{32656.309013677612, 16573.296944196256, 10974.951967617439}));
}

}  // namespace
}  // namespace lamella::scenes
