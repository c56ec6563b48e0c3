#include "scenes/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "scenes/check.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {
namespace {

class EveryCatalogueModel : public testing::TestWithParam<CatalogueModel> {};

TEST_P(EveryCatalogueModel, IsWhatItsEntrySays) {
  const Mesh mesh = GetParam().make(GetParam().faces);
  EXPECT_EQ(defect(mesh), "");
  EXPECT_EQ(components(mesh), 1u);
  EXPECT_NEAR(double(mesh.triangles.size()), double(GetParam().faces), 0.01 * double(GetParam().faces));
  const Vec3 size = extent(box_of(mesh.positions));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(size[i], GetParam().extent[i], 0.05f * GetParam().extent[i]) << "xyz"[i];
}

TEST_P(EveryCatalogueModel, HasAboutTheFacesAskedFor) {
  for (const std::size_t faces : {4, 500, 2000}) {
    const Mesh mesh = GetParam().make(faces);
    EXPECT_EQ(defect(mesh), "") << faces;
    if (faces > 1000) {
      EXPECT_NEAR(double(mesh.triangles.size()), double(faces), 0.02 * double(faces));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryCatalogueModel, testing::ValuesIn(catalogue().begin(), catalogue().end()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Catalogue, HasEveryNameOnceAndFindsIt) {
  std::set<std::string_view> names;
  for (const CatalogueModel& model : catalogue()) {
    EXPECT_TRUE(names.insert(model.name).second) << model.name;
    EXPECT_EQ(find_model(model.name), &model);
    EXPECT_FALSE(model.summary.empty()) << model.name;
  }
  EXPECT_EQ(find_model("teapot"), nullptr);
  EXPECT_EQ(find_model(""), nullptr);
}

/// Volume that two simple solids share, of both in one mesh.
double shared(const char* a, const char* b) {
  return sample(joined(find_model(a)->make(3000), find_model(b)->make(3000)), 320).twice;
}

TEST(Catalogue, WhatBelongsTogetherOverlapsALittleAsItStands) {
  for (const auto& [a, b] : {std::pair{"hand", "phone"}, {"mouse", "hat"}, {"helicopter", "terrain"}}) {
    const double smaller = std::min(volume(find_model(a)->make(3000)), volume(find_model(b)->make(3000)));
    EXPECT_GT(shared(a, b), 0.005 * smaller) << a;
    EXPECT_LT(shared(a, b), 0.2 * smaller) << a;
  }
  EXPECT_GT(shared("knot", "serpent"), 0.1 * volume(find_model("serpent")->make(3000)));
}

TEST(Catalogue, OnlyTheFistOverlapsItself) {
  EXPECT_GT(sample(find_model("fist")->make(5000)).twice, 1e-4);
  for (const char* name : {"hand", "phone", "knot", "serpent", "hat", "terrain"}) {
    EXPECT_LT(sample(find_model(name)->make(5000)).twice, 1e-6) << name;
  }
}

}  // namespace
}  // namespace lamella::scenes
