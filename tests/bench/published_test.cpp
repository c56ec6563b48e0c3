#include "bench/paper/published.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bench/layers.hpp"
#include "bench/paper/cases.hpp"
#include "bench/paper/form.hpp"
#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "scenes/stand_ins.hpp"

namespace lamella::bench {
namespace {

TEST(Published, HasTablesOfAllFourPapersUnderNamesOfTheirOwn) {
  std::set<std::string_view> ids, papers;
  for (const PublishedTable& table : published_tables()) {
    EXPECT_TRUE(ids.insert(table.id).second) << table.id;
    papers.insert(table.paper);
    EXPECT_FALSE(table.title.empty());
    std::set<std::string_view> rows;
    for (const PublishedRow& row : table.rows) {
      EXPECT_TRUE(rows.insert(row.name).second) << table.id << ' ' << row.name;
      EXPECT_FALSE(row.figures.fields().empty()) << table.id << ' ' << row.name;
      for (const Field& field : row.figures.fields()) EXPECT_EQ(field.key.substr(0, 6), "paper_") << field.key;
    }
  }
  EXPECT_EQ(papers, (std::set<std::string_view>{"wscg", "tr395", "jang", "gi"}));
  for (const char* id : {"WSCG-1", "WSCG-2", "WSCG-3", "TR-1", "TR-2", "TR-fig10", "TR-fig12"})
    EXPECT_EQ(ids.count(id), 1u);
  EXPECT_THROW((void)published_table("WSCG-9"), Error);
}

TEST(Published, EveryRowOfTheTwoPapersOnQueriesIsReproduced) {
  for (const PublishedTable& table : published_tables()) {
    if (table.paper != "wscg" && table.paper != "tr395") continue;
    std::set<std::string> rows;
    for (const PaperCase& c : paper_cases(table.id)) rows.insert(c.row);
    for (const PublishedRow& row : table.rows) {
      const bool loop = row.figures.has("paper_loop_fps");  // measured as a whole, not as a query
      EXPECT_EQ(rows.count(std::string(row.name)), loop ? 0u : 1u) << table.id << ' ' << row.name;
    }
  }
}

TEST(Published, NoBareQueryHasTheFigureOfAWholeLoop) {
  for (const PaperCase& c : paper_cases("TR-fig12")) EXPECT_TRUE(c.paper.fields().empty()) << c.row;
}

TEST(Published, FormHasALineForEachMethodAndTheRangeOfTheAnimation) {
  const Row ours{{"row", "collision"}, {"engine", "software"}, {"threads", 1}, {"min_ms", 0.25}, {"max_ms", 0.5}};
  const std::string text = paper_form(published_table("WSCG-1"), {ours});
  EXPECT_NE(text.find("Ordered, published"), std::string::npos) << text;
  EXPECT_NE(text.find("28.6 / 37.3"), std::string::npos) << text;
  EXPECT_NE(text.find("7.7 / 11.2"), std::string::npos) << text;
  EXPECT_NE(text.find("0.250 / 0.500"), std::string::npos) << text;
}

// Depth complexity.

TEST(Layers, OfABallAreTwoAndOfHalfABallOne) {
  const Mesh ball = scenes::sphere(2000);
  const Aabb box = bounds(ball);
  const Layers whole = count_layers(ball, square_grid(box, Axis::z, 32));
  EXPECT_EQ(whole.most, 2u);
  EXPECT_EQ(whole.mean, 2.0);
  const Layers half = count_layers(ball, square_grid({box.min, {box.max.x, box.max.y, 0.01f}}, Axis::z, 32));
  EXPECT_EQ(half.most, 1u);
  EXPECT_EQ(half.mean, 1.0);
  EXPECT_NEAR(half.columns, whole.columns, 0.02 * whole.columns);
}

TEST(Layers, OfBoxesThatDoNotMeetAreNone) {
  const Mesh ball = scenes::sphere(200);
  Mesh other = ball;
  for (Vec3& p : other.positions) p.x += 5;
  EXPECT_EQ(pair_layers(ball, other, 16).number("layers_a"), 0);
}

TEST(StandIns, ReachThePublishedDepthComplexity) {
  for (const scenes::StandIn& model : scenes::stand_ins()) {
    const Row paper = published_figures("TR-2", model.paper);
    const Mesh mesh = scenes::make_stand_in(model);
    EXPECT_NEAR(static_cast<double>(mesh.triangles.size()), static_cast<double>(model.faces), 0.001 * model.faces);
    EXPECT_EQ(object_layers(mesh, 128).number("layers_a"), paper.number("paper_layers_a")) << model.paper;
  }
}

TEST(StandIns, PairsReachThePublishedDepthComplexitiesInTheirVolumeOfInterest) {
  for (const scenes::StandInPair& pair : scenes::stand_in_pairs()) {
    const Row paper = published_figures(pair.name == "knot/dragon" ? "TR-fig10" : "TR-1", pair.name);
    ASSERT_TRUE(paper.has("paper_layers_a")) << pair.name;
    const scenes::Pair meshes = scenes::make_stand_in_pair(pair);
    const Row layers = pair_layers(meshes.a, meshes.b, 128);
    EXPECT_EQ(layers.number("layers_a"), paper.number("paper_layers_a")) << pair.name;
    EXPECT_EQ(layers.number("layers_b"), paper.number("paper_layers_b")) << pair.name;
  }
}

TEST(StandIns, RefuseAnUnknownName) {
  EXPECT_THROW((void)scenes::stand_in("teapot"), Error);
  EXPECT_THROW((void)scenes::stand_in_pair("teapot/knot"), Error);
}

}  // namespace
}  // namespace lamella::bench
