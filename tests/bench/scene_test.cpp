#include <gmock/gmock.h>

#include "bench/lines.hpp"
#include "scenes/models.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using Json = nlohmann::ordered_json;

void expect_scene_line(const Json& line, const std::string& table) {
  expect_keys(line, {"bench", "table", "objects", "faces", "motion", "views", "engine", "threads"});
  EXPECT_EQ(line["bench"], "scene");
  EXPECT_EQ(line["table"], table);
  EXPECT_EQ(line["engine"], "software");
  expect_keys(line["ms"], {"update", "broad", "place", "ldi", "pairs", "points", "contacts", "test", "total"});
  double stages = 0;
  for (const char* stage : {"update", "broad", "place", "ldi", "pairs", "points", "contacts"}) {
    ASSERT_TRUE(line["ms"][stage].is_number()) << stage;
    EXPECT_GE(line["ms"][stage], 0.0) << stage;
    stages += line["ms"][stage].get<double>();
  }
  EXPECT_GT(line["ms"]["total"], 0.0);
  EXPECT_GT(stages, 0.0);
  EXPECT_GE(line["worst_frame_ms"].get<double>(), line["ms"]["total"].get<double>() * 0.999);
  EXPECT_LE(line["pairs"], line["candidates"]);
  for (const char* key : {"gpu_ms", "rounds", "read_back_bytes"}) EXPECT_FALSE(line.contains(key)) << key;
}

class BenchScene : public Program {
 protected:
  /// With few frames, one pass and one thread.
  [[nodiscard]] Outcome bench(std::vector<std::string> more, const std::string& frames = "3") const {
    std::vector<std::string> arguments{"bench", "scene", "--quick", "--frames", frames, "--threads", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(BenchScene, ACrowdHasEveryMotionAndNumberOfViewsBesideThePapersFigure) {
  const auto rows = lines(bench({"--table", "crowd", "--objects", "50", "--json"}));
  ASSERT_EQ(rows.size(), 4u);
  for (const Json& row : rows) {
    expect_scene_line(row, "crowd");
    EXPECT_EQ(row["objects"], 50);
    EXPECT_NEAR(row["faces"].get<double>(), 150'000, 7'500);
    EXPECT_EQ(row["paper_ms"], 9.0);
    EXPECT_NEAR(row["speedup"].get<double>(), 9 / row["ms"]["test"].get<double>(), 0.01);
    EXPECT_GT(row["pairs"], 5.0) << "a busy scene";
    EXPECT_GT(row["points"], 0.0);
    EXPECT_GT(row["contacts"], 0.0);
    // A body's ball of 0.7 m is 32 cells across.
    EXPECT_NEAR(row["cell"].get<double>() * 32, 0.7, 1e-4);
    EXPECT_NEAR(row["max_cell"].get<double>(), row["cell"].get<double>(), 1e-4);
  }
  const std::vector<std::pair<std::string, int>> expected{
      {"rigid", 1}, {"rigid", 3}, {"deforming", 1}, {"deforming", 3}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["motion"], expected[i].first);
    EXPECT_EQ(rows[i]["views"], expected[i].second);
  }
  EXPECT_GT(rows[1]["groups"], rows[0]["groups"]) << "three views are more groups";
}

TEST_F(BenchScene, RunsEveryFrameSeveralTimesUnlessQuick) {
  const std::vector<std::string> arguments{"bench",     "scene", "--table",  "scaling", "--objects", "600",
                                           "--threads", "1",     "--frames", "2",       "--json"};
  const auto usual = lines(run(arguments));
  ASSERT_EQ(usual.size(), 1u);
  EXPECT_GE(usual[0]["runs"], 15);
  const auto quick = lines(bench({"--table", "scaling", "--objects", "600", "--json"}, "2"));
  ASSERT_EQ(quick.size(), 1u);
  EXPECT_EQ(quick[0]["runs"], 2);
}

TEST_F(BenchScene, OtherNumbersOfObjectsHaveNoFigureOfThePaper) {
  const auto rows = lines(bench({"--table", "crowd", "--objects", "7", "--json"}));
  ASSERT_EQ(rows.size(), 4u);
  for (const Json& row : rows) {
    EXPECT_TRUE(row["paper_ms"].is_null()) << row;
    EXPECT_FALSE(row.contains("speedup")) << row;
  }
}

TEST_F(BenchScene, PairsOfFilesIntersectLightlyAndHeavily) {
  const std::string a = save("ball.ply", scenes::sphere(500)), b = save("knot.ply", scenes::torus_knot(800));
  const auto rows = lines(bench({"--mesh", a, "--mesh", b, "--resolution", "32", "--json"}));
  ASSERT_EQ(rows.size(), 3u) << "figure 13, light and heavy; figure 14, heavy";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& row = rows[i];
    expect_scene_line(row, i < 2 ? "JANG-fig13" : "JANG-fig14");
    EXPECT_EQ(row["paper"], "JANG");
    EXPECT_EQ(row["models"], "ball.ply + knot.ply");
    EXPECT_EQ(row["overlap"], i == 0 ? "light" : "heavy");
    EXPECT_EQ(row["method"], "complete");
    EXPECT_EQ(row["answer"], "points");
    EXPECT_EQ(row["resolution"], 32);
    EXPECT_EQ(row["columns"], 32 * 32);
    EXPECT_EQ(row["pairs"], 1.0) << "both ways to place them, they intersect";
    EXPECT_EQ(row["contacts"], 0.0) << "as in the paper, the test alone";
    EXPECT_GT(row["points"], 0.0);
    EXPECT_GT(row["stream_ms"], 0.0);
  }
  EXPECT_GT(rows[1]["max_cell"], rows[0]["max_cell"]) << "the shared box is smaller where they overlap lightly";
}

TEST_F(BenchScene, PairsForPeopleSayHowTheTimeGrowsWithTheResolution) {
  const std::string a = save("a.ply", make_box({0, 0, 0}, {1, 1, 1})),
                    b = save("b.ply", make_box({0, 0, 0}, {1, 2, 1}));
  const Outcome text = bench({"--mesh", a, "--mesh", b});
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* words : {"figure 13", "figure 14", "256 x 256", "512 x 512", "growth", "stream",
                            "16 times the columns, 1024 x 1024 beside 256 x 256", ": resolution matters"}) {
    EXPECT_THAT(text.out, HasSubstr(words));
  }
  EXPECT_THAT(text.out, Not(HasSubstr("times the triangles"))) << "there is one pair to compare";
}

TEST_F(BenchScene, OnGlPairsAPairIsMeasuredWithContactsWithoutThemAndAsPublished) {
  const std::string a = save("ball.ply", scenes::sphere(500)), b = save("knot.ply", scenes::torus_knot(800));
  const Outcome outcome = bench({"--mesh", a, "--mesh", b, "--resolution", "48", "--engine", "gl-pairs", "--json"});
  if (outcome.status == 3) GTEST_SKIP() << outcome.err;
  const auto rows = lines(outcome);
  ASSERT_EQ(rows.size(), 9u);
  for (std::size_t i = 0; i < rows.size(); i += 3) {
    const Json &contacts = rows[i], &points = rows[i + 1], &jang = rows[i + 2];
    EXPECT_EQ(contacts["answer"], "contacts");
    EXPECT_GT(contacts["contacts"], 0.0);
    EXPECT_EQ(points["answer"], "points");
    EXPECT_EQ(points["points"], contacts["points"]);
    EXPECT_EQ(jang["method"], "jang");
    EXPECT_LE(jang["points"], points["points"]);
    EXPECT_LT(points["read_back_bytes"], contacts["read_back_bytes"]);
    EXPECT_LE(points["read_back_bytes"].get<double>(), 24 * points["points"].get<double>() + 500);
  }
}

TEST_F(BenchScene, TableOneHasTestResponseAndFramesPerSecondBesideThePapers) {
  const auto rows = lines(bench({"--table", "JANG-table1", "--objects", "50", "--json"}, "2"));
  ASSERT_EQ(rows.size(), 1u);
  const Json& row = rows[0];
  EXPECT_EQ(row["table"], "JANG-table1");
  EXPECT_EQ(row["paper"], "JANG");
  EXPECT_EQ(row["objects"], 50);
  EXPECT_EQ(row["method"], "complete");
  EXPECT_EQ(row["paper_test_ms"], 9.0);
  EXPECT_EQ(row["paper_response_ms"], 1.0);
  EXPECT_EQ(row["paper_fps"], 84.0);
  EXPECT_GT(row["ms"]["test"], 0.0);
  EXPECT_GT(row["ms"]["response"], 0.0);
  const double total = row["ms"]["total"];
  EXPECT_NEAR(row["ms"]["test"].get<double>() + row["ms"]["response"].get<double>(), total, 0.5 * total);
  EXPECT_NEAR(row["fps"].get<double>(), 1000 / total, 0.01 * row["fps"].get<double>());
  EXPECT_EQ(row["frames"], 2);
  const auto others = lines(bench({"--table", "JANG-table1", "--objects", "3", "--json"}, "1"));
  ASSERT_EQ(others.size(), 1u);
  EXPECT_FALSE(others[0].contains("paper_fps"));
}

TEST_F(BenchScene, TheRagdollStandsBesideThePapersTenAndTenMilliseconds) {
  const Outcome outcome = bench({"--table", "JANG-fig16", "--json"}, "1");
  if (outcome.status != 0) GTEST_SKIP() << outcome.err;
  const auto rows = lines(outcome);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["paper_test_ms"], 10.0);
  EXPECT_EQ(rows[0]["paper_physics_ms"], 10.0);
  EXPECT_GT(rows[0]["objects"], 30);
  EXPECT_GT(rows[0]["ms"]["response"], 0.0);
}

TEST_F(BenchScene, ScalingTimesTheBroadPhaseBesideAllPairs) {
  const auto rows = lines(bench({"--table", "scaling", "--objects", "30", "--json"}));
  ASSERT_EQ(rows.size(), 1u);
  expect_scene_line(rows[0], "scaling");
  EXPECT_EQ(rows[0]["objects"], 30);
  EXPECT_GT(rows[0]["ms"]["broad"], 0.0);
  EXPECT_GT(rows[0]["all_pairs_ms"], 0.0);
  EXPECT_LT(rows[0]["candidates"], 15.0) << "sparse";
}

TEST_F(BenchScene, RigidBodiesWithAndWithoutContactsByTheirTriangles) {
  const auto rows = lines(bench({"--table", "rigid", "--objects", "30", "--json"}, "1"));
  ASSERT_EQ(rows.size(), 6u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expect_scene_line(rows[i], "rigid");
    EXPECT_EQ(rows[i]["motion"], "rigid");
    EXPECT_EQ(rows[i]["answer"], i % 2 == 0 ? "points" : "contacts");
    EXPECT_GT(rows[i]["pairs"], 0.0);
    if (i % 2 == 0) {
      EXPECT_EQ(rows[i]["contacts"], 0.0);
    } else {
      EXPECT_GT(rows[i]["contacts"], 0.0);
      EXPECT_EQ(rows[i]["pairs"], rows[i - 1]["pairs"]);
    }
    if (i >= 2) {
      EXPECT_GT(rows[i]["faces"], rows[i - 2]["faces"]);
    }
  }
}

TEST_F(BenchScene, CellsGrowWithTheDistanceOfTheEye) {
  const auto rows = lines(bench({"--table", "screen", "--objects", "20", "--json"}));
  ASSERT_EQ(rows.size(), 5u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expect_scene_line(rows[i], "screen");
    if (i == 0) continue;
    EXPECT_GT(rows[i]["distance"], rows[i - 1]["distance"]);
    EXPECT_GT(rows[i]["min_cell"], rows[i - 1]["max_cell"]);
    EXPECT_LT(rows[i]["columns"], rows[i - 1]["columns"]);
  }
}

TEST_F(BenchScene, TablesForPeopleSayWhatIsInThemAndWhereTheTimeGoes) {
  const Outcome crowd = bench({"--table", "crowd", "--objects", "50"}, "1");
  EXPECT_EQ(crowd.status, 0) << crowd.err;
  for (const char* words : {"Pentium 4", "m for 50", "32 across", "deforming", "LDI ms", "speed-up", "broad phase",
                            "as long as new poses"}) {
    EXPECT_THAT(crowd.out, HasSubstr(words));
  }
  for (const char* words : {"GPU ms", "rounds", "read KB"}) EXPECT_THAT(crowd.out, Not(HasSubstr(words)));
  const Outcome scaling = bench({"--table", "scaling", "--objects", "20"}, "1");
  for (const char* words : {"broad share", "us/object", "all/broad", "% of the frame at 20 objects"}) {
    EXPECT_THAT(scaling.out, HasSubstr(words));
  }
  EXPECT_THAT(bench({"--table", "screen", "--objects", "10"}, "1").out, HasSubstr("eye from middle"));
}

TEST_F(BenchScene, EnginesOnAGpuShowWhatTheyReadBackOrSayWhyTheyAreNotThere) {
  for (const std::string name : {"cuda", "gl-pairs"}) {
    const Outcome outcome = bench({"--table", "scaling", "--objects", "30", "--engine", name, "--json"});
    if (outcome.status != 0) {
      EXPECT_EQ(outcome.status, 3) << "a device that fails";
      EXPECT_THAT(outcome.err, HasSubstr(name));
      EXPECT_EQ(outcome.out, "");
      continue;
    }
    const Json row = outcome.json();
    EXPECT_EQ(row["engine"], name);
    for (const char* key : {"gpu_ms", "rounds", "read_back_bytes"}) EXPECT_TRUE(row[key].is_number()) << key;
  }
}

TEST_F(BenchScene, AllEnginesAreThoseThatAreThere) {
  const auto rows = lines(bench({"--table", "scaling", "--objects", "30", "--engine", "all", "--json"}));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0]["engine"], "software");
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_TRUE(rows[i]["gpu_ms"].is_number());
}

TEST_F(BenchScene, RefusesEnginesTablesAndPairsThatAreNot) {
  const Outcome engine = run({"bench", "scene", "--engine", "gl-lists"});
  EXPECT_EQ(engine.status, 2);
  EXPECT_THAT(engine.err, HasSubstr("no engine for scenes has the name 'gl-lists'; type one of: automatic, software"));
  const Outcome table = run({"bench", "scene", "--table", "JANG-9"});
  EXPECT_EQ(table.status, 2);
  EXPECT_THAT(table.err, HasSubstr("there is no table 'JANG-9'; type one of: JANG-table1"));
  const std::string ball = save("ball.ply", scenes::sphere(100));
  const Outcome single = run({"bench", "scene", "--mesh", ball});
  EXPECT_EQ(single.status, 2);
  EXPECT_THAT(single.err, HasSubstr("--mesh A --mesh B"));
  EXPECT_EQ(run({"bench", "scene", "--mesh", ball, "--mesh", ball, "--table", "crowd"}).status, 2);
  EXPECT_EQ(run({"bench", "scene", "--mesh", ball, "--mesh", at("none.ply")}).status, 2);
  EXPECT_EQ(run({"bench", "scene", "--objects", "0"}).status, 2);
}

}  // namespace
}  // namespace lamella::test
