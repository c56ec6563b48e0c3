#include <gmock/gmock.h>

#include <map>

#include "bench/lines.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

using Json = nlohmann::ordered_json;

class BenchGi : public Program {
 protected:
  [[nodiscard]] Outcome bench(std::vector<std::string> more) const {
    std::vector<std::string> arguments{"bench", "gi", "--quick"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  /// A mesh whose image is made sooner than a rabbit's.
  [[nodiscard]] std::string brick() const { return save("brick.ply", make_box({0, 0, 0}, {1, 2, 3})); }

  /// The objects on stdout, by their table.
  [[nodiscard]] std::map<std::string, std::vector<Json>> tables(std::vector<std::string> more) const {
    more.emplace_back("--json");
    std::map<std::string, std::vector<Json>> rows;
    for (const Json& row : lines(bench(std::move(more)))) {
      expect_keys(row, {"bench", "table"});
      EXPECT_EQ(row["bench"], "gi");
      rows[row["table"]].push_back(row);
    }
    return rows;
  }
};

TEST_F(BenchGi, EveryMethodGivesTheSameVerdictsOnTheSamePairs) {
  auto found = tables({"--table", "bunnies", "--objects", "2,24", "--frames", "40"});
  ASSERT_EQ(found.size(), 1u);
  const std::vector<Json>& rows = found["bunnies"];
  ASSERT_EQ(rows.size(), 6u) << "images, the same by index and by pointer, for two numbers of objects";
  const Json& images = rows[3];
  EXPECT_EQ(images["method"], "images");
  EXPECT_EQ(images["objects"], 24);
  EXPECT_GT(images["collisions"], 0) << "24 rabbits in a cube";
  EXPECT_GT(images["pairs"], images["collisions"]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& row = rows[i];
    EXPECT_EQ(row["differ"], 0) << row;
    EXPECT_EQ(row["frames"], 40);
    EXPECT_EQ(row["every"], 1);
    if (row["objects"] != 24) continue;
    EXPECT_EQ(row["pairs"], images["pairs"]);
    EXPECT_EQ(row["collisions"], images["collisions"]);
    EXPECT_GT(row["ms"], 0.0);
    EXPECT_NEAR(row["ratio"].get<double>(), row["ms"].get<double>() / images["ms"].get<double>(), 1e-3);
  }
}

TEST_F(BenchGi, ThePointerTreeMakesTheVeryTestsThatTheIndexTreeMakes) {
  const std::vector<Json> rows = tables({"--table", "trees", "--frames", "60", "--mesh", brick()})["trees"];
  ASSERT_EQ(rows.size(), 6u) << "two sizes";
  for (std::size_t i = 0; i < rows.size(); i += 3) {
    EXPECT_EQ(rows[i]["method"], "images");
    EXPECT_EQ(rows[i + 1]["method"], "index tree");
    EXPECT_EQ(rows[i + 2]["method"], "pointer tree");
    EXPECT_EQ(rows[i + 2]["engine"], "pointer tree");
    EXPECT_GT(rows[i + 1]["sphere_tests"], 1000);
    EXPECT_EQ(rows[i + 2]["sphere_tests"], rows[i + 1]["sphere_tests"]);
    EXPECT_GT(rows[i + 2]["ratio_to_index"], 0.0);
    EXPECT_GT(rows[i + 2]["volume_bytes"], rows[i + 1]["volume_bytes"]) << "pointers take memory";
    for (std::size_t k = i; k < i + 3; ++k) EXPECT_EQ(rows[k]["differ"], 0) << rows[k];
  }
  EXPECT_LT(rows[0]["vertices"], rows[3]["vertices"]);
}

#ifdef LAMELLA_BENCH_FCL
TEST_F(BenchGi, FclGivesTheSameVerdicts) {
  const std::vector<Json> rows = lines(run_program(LAMELLA_BENCH_FCL, {"gi", "--table", "bunnies", "--objects", "24",
                                                                       "--frames", "20", "--mesh", brick(), "--json"}));
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[3]["method"], "FCL OBB");
  EXPECT_EQ(rows[4]["method"], "FCL OBBRSS");
  EXPECT_GT(rows[0]["collisions"], 0);
  for (const Json& row : rows) {
    EXPECT_EQ(row["differ"], 0) << row;
    EXPECT_EQ(row["collisions"], rows[0]["collisions"]) << row;
  }
}
#endif

TEST_F(BenchGi, SizesOfTerrainAndOfEqualObjectsHaveTestsAndTimes) {
  for (const char* name : {"terrain", "equal"}) {
    const std::vector<Json> rows = tables({"--table", name})[name];
    ASSERT_GE(rows.size(), 4u) << name;
    for (const Json& row : rows) {
      EXPECT_GT(row["poses"], 0) << row;
      EXPECT_GT(row["sphere_tests"]["mean"], 1.0) << row;
      EXPECT_GE(row["sphere_tests"]["worst"], row["sphere_tests"]["mean"]) << row;
      EXPECT_GE(row["ms"]["worst"], row["ms"]["median"]) << row;
      if (row.contains("placed")) {
        EXPECT_EQ(row["colliding"], row["placed"] == "touching" ? row["poses"].get<int>() : 0) << row;
      }
    }
  }
}

TEST_F(BenchGi, BudgetsGiveALevelAndADistanceWhereTheVerdictIsOpen) {
  const std::vector<Json> rows = tables({"--table", "budget"})["budget"];
  ASSERT_EQ(rows.size(), 9u) << "three sizes, three budgets";
  for (const Json& row : rows) {
    expect_keys(row, {"bench", "table", "size", "budget_ms", "runs", "interrupted", "verdict", "level", "within"});
    EXPECT_EQ(row["verdict"], "undecided") << "the search would take far longer: " << row;
    EXPECT_GE(row["level"], 0) << row;
    EXPECT_GT(row["within"], 0.0) << row;
  }
}

TEST_F(BenchGi, RefitAndMeshHaveTheirRows) {
  const std::vector<Json> refit = tables({"--table", "refit"})["refit"];
  ASSERT_GE(refit.size(), 1u);
  EXPECT_EQ(refit[0]["size"], 1025);
  EXPECT_EQ(refit[0]["threads"], 1);
  EXPECT_GT(refit[0]["ratio"], 0.0);
  EXPECT_GT(refit[0]["ms"]["refit"], 0.0);
  EXPECT_EQ(refit[0]["bytes"], 1025 * 1025 * 12 + (4 * 1024 * 1024 - 1) / 3 * 16) << "vertices in, spheres out";
  const std::vector<Json> mesh = tables({"--table", "mesh"})["mesh"];
  ASSERT_EQ(mesh.size(), 2u);
  EXPECT_NEAR(mesh[0]["faces"].get<double>(), 10'000, 500);
  EXPECT_GT(mesh[0]["colliding"], mesh[1]["colliding"]) << "touching, apart";
}

TEST_F(BenchGi, TablesForPeopleHaveThePapersFiguresBeside) {
  const Outcome text = bench({"--table", "bunnies", "--objects", "8", "--frames", "20", "--mesh", brick()});
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* words :
       {"65 x 65", "figures 8 to 11", "us/collision", "pointer tree", "FCL", "I-COLLIDE 9500 to 11500", "up to 1.19"}) {
    EXPECT_THAT(text.out, HasSubstr(words));
  }
}

TEST_F(BenchGi, TakesAnyClosedMeshInPlaceOfTheRabbit) {
  const auto rows = tables({"--table", "bunnies", "--objects", "8", "--frames", "20", "--mesh", brick()})["bunnies"];
  ASSERT_GE(rows.size(), 2u);
  for (const Json& row : rows) EXPECT_EQ(row["differ"], 0) << row;
}

TEST_F(BenchGi, RefusesTablesCountsAndMeshesThatAreNot) {
  const Outcome table = bench({"--table", "rabbits"});
  EXPECT_EQ(table.status, 2);
  EXPECT_THAT(table.err, HasSubstr("there is no table 'rabbits'; type one of: bunnies, trees, terrain"));
  for (const char* list : {"0", "2,,4", "2,x", ",", "1e9"}) {
    const Outcome counts = bench({"--objects", list});
    EXPECT_EQ(counts.status, 2) << list;
    EXPECT_THAT(counts.err, HasSubstr("--objects")) << list;
  }
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(bench({"--table", "bunnies", "--mesh", open}).status, 2);
  EXPECT_EQ(bench({"--table", "bunnies", "--mesh", at("none.ply")}).status, 2);
}

}  // namespace
}  // namespace lamella::test
