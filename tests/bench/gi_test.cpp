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
  auto found = tables({"--table", "GI-fig11", "--objects", "2,24", "--frames", "40"});
  ASSERT_EQ(found.size(), 1u);
  const std::vector<Json>& rows = found["GI-fig11"];
  ASSERT_EQ(rows.size(), 12u) << "images, published, published enclosing: all pairs and active ones, of two crowds";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json &row = rows[i], &images = rows[i / 3 * 3];
    EXPECT_EQ(images["method"], "images");
    EXPECT_EQ(row["paper"], "gi");
    EXPECT_EQ(row["tested"], i / 3 % 2 == 0 ? "all pairs" : "active pairs");
    EXPECT_EQ(row["frames"], 40);
    EXPECT_EQ(row["every"], 1);
    EXPECT_EQ(row["pairs"], images["pairs"]);
    EXPECT_GT(row["ms"], 0.0);
    EXPECT_GT(row["build_ms"], 0.0);
    EXPECT_NEAR(row["ratio"].get<double>(), row["ms"].get<double>() / images["ms"].get<double>(), 1e-3);
    if (row["method"] == "published") {
      EXPECT_LE(row["collisions"], images["collisions"]) << "spheres as written may miss one, and invent none";
    } else {
      EXPECT_EQ(row["differ"], 0) << row;
      EXPECT_EQ(row["collisions"], images["collisions"]);
    }
  }
  EXPECT_EQ(rows[6]["objects"], 24);
  EXPECT_EQ(rows[6]["pairs"], 40 * 24 * 23 / 2) << "every one against every other";
  EXPECT_GT(rows[9]["pairs"], rows[9]["collisions"]);
  EXPECT_LT(rows[9]["pairs"], rows[6]["pairs"]);
  EXPECT_GT(rows[9]["collisions"], 0) << "24 rabbits in a cube";
  EXPECT_EQ(rows[9]["collisions"], rows[6]["collisions"]) << "sweep and prune loses none";
}

TEST_F(BenchGi, FiguresEightAndNineHaveThePapersTimesBeside) {
  for (const char* name : {"GI-fig8", "GI-fig9"}) {
    const auto rows = tables({"--table", name, "--objects", "8", "--frames", "20", "--mesh", brick()})[name];
    ASSERT_EQ(rows.size(), 3u) << name;
    for (const Json& row : rows) {
      EXPECT_EQ(row["paper"], "gi");
      EXPECT_EQ(row["paper_least_ms"], 0.29);
      EXPECT_EQ(row["paper_most_ms"], 0.94);
    }
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

TEST_F(BenchGi, FigureTenTestsEveryPairByIndexAndByPointer) {
  const auto rows = tables({"--table", "GI-fig10", "--objects", "6", "--frames", "30", "--mesh", brick()})["GI-fig10"];
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0]["pairs"], 30 * 15);
  EXPECT_EQ(rows[2]["method"], "pointer tree");
  EXPECT_EQ(rows[2]["paper_ratio"], 1.19);
  EXPECT_EQ(rows[2]["sphere_tests"], rows[1]["sphere_tests"]);
  EXPECT_EQ(rows[3]["tested"], "active pairs");
  for (const Json& row : rows) EXPECT_EQ(row["differ"], 0) << row;
}

#ifdef LAMELLA_BENCH_FCL
TEST_F(BenchGi, FclGivesTheSameVerdicts) {
  const std::vector<Json> rows = lines(run_program(LAMELLA_BENCH_FCL, {"gi", "--table", "GI-fig11", "--objects", "24",
                                                                       "--frames", "20", "--mesh", brick(), "--json"}));
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows[8]["method"], "FCL OBB");
  EXPECT_EQ(rows[9]["method"], "FCL OBBRSS");
  EXPECT_GT(rows[5]["collisions"], 0);
  for (const Json& row : rows) {
    if (row["method"] == "published") continue;
    EXPECT_EQ(row["differ"], 0) << row;
    EXPECT_EQ(row["collisions"], rows[0]["collisions"]) << row;
    EXPECT_GT(row["build_ms"], 0.0) << row;
  }
}

TEST_F(BenchGi, HullsOfAConvexBodyGiveTheSurfacesVerdicts) {
  const std::vector<Json> rows = lines(run_program(LAMELLA_BENCH_FCL, {"gi", "--table", "GI-fig8", "--objects", "16",
                                                                       "--frames", "20", "--mesh", brick(), "--json"}));
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[3]["method"], "FCL closest points of hulls");
  EXPECT_EQ(rows[4]["method"], "FCL GJK of hulls");
  EXPECT_EQ(rows[4]["paper_most_ms"], 11.5);
  for (std::size_t i = 3; i < 5; ++i) EXPECT_EQ(rows[i]["pairs"], rows[0]["pairs"]);
  EXPECT_EQ(rows[3]["collisions"], rows[4]["collisions"]);
  EXPECT_GE(rows[4]["collisions"], rows[0]["collisions"]) << "a hull covers the surface";
}
#endif

TEST_F(BenchGi, EverySizeOfTheHelicopterMeetsEverySizeOfTheTerrain) {
  const std::vector<Json> rows = tables({"--table", "GI-fig12"})["GI-fig12"];
  ASSERT_EQ(rows.size(), 8u) << "two sizes of each; for equal ones as published and compact too";
  for (const Json& row : rows) {
    EXPECT_GT(row["poses"], 0) << row;
    EXPECT_GT(row["colliding"].get<int>(), row["poses"].get<int>() / 2) << "only poses in contact count";
    EXPECT_GE(row["ms"]["worst"], row["ms"]["mean"]) << row;
    EXPECT_GE(row["sphere_tests"]["worst"], row["sphere_tests"]["mean"]) << row;
    EXPECT_EQ(row.contains("paper_ms"), row["terrain"] == 1025 && row["helicopter"] == 1025) << row;
  }
  EXPECT_EQ(rows[0]["method"], "images");
  EXPECT_EQ(rows[1]["method"], "published, enclosing");
  EXPECT_EQ(rows[2]["method"], "compact");
  EXPECT_EQ(rows[1]["colliding"], rows[0]["colliding"]);
  EXPECT_EQ(rows[2]["body_bytes"].get<std::uint64_t>() * 2, rows[0]["body_bytes"].get<std::uint64_t>());
}

TEST_F(BenchGi, SizesOfEqualObjectsHaveTestsAndTimes) {
  for (const char* name : {"equal"}) {
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
  const std::vector<Json> rows = tables({"--table", "GI-fig13"})["GI-fig13"];
  ASSERT_EQ(rows.size(), 9u) << "three sizes, three budgets";
  for (const Json& row : rows) {
    expect_keys(row, {"bench", "table", "size", "mega_triangles", "paper", "budget_ms", "runs", "interrupted",
                      "verdict", "level", "within"});
    EXPECT_EQ(row.contains("paper_budget_ms"), row["size"] == 513 && row["budget_ms"] == 15.0) << row;
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
  const Outcome text = bench({"--table", "GI-fig9", "--objects", "8", "--frames", "20", "--mesh", brick()});
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* words : {"GI-fig9", "us/collision", "published", "FCL", "I-COLLIDE 9500 to 11500", "brick.ply"}) {
    EXPECT_THAT(text.out, HasSubstr(words));
  }
}

TEST_F(BenchGi, RefusesTablesCountsAndMeshesThatAreNot) {
  const Outcome table = bench({"--table", "rabbits"});
  EXPECT_EQ(table.status, 2);
  EXPECT_THAT(table.err, HasSubstr("there is no table 'rabbits'; type one of: GI-fig8, GI-fig9, GI-fig10"));
  for (const char* list : {"0", "2,,4", "2,x", ",", "1e9"}) {
    const Outcome counts = bench({"--objects", list});
    EXPECT_EQ(counts.status, 2) << list;
    EXPECT_THAT(counts.err, HasSubstr("--objects")) << list;
  }
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(bench({"--table", "GI-fig8", "--mesh", open}).status, 2);
  EXPECT_EQ(bench({"--table", "GI-fig8", "--mesh", at("none.ply")}).status, 2);
}

}  // namespace
}  // namespace lamella::test
