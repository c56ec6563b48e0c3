#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "bench/lines.hpp"
#include "bench/paper/published.hpp"
#include "scenes/models.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

void expect_counts(const nlohmann::ordered_json& line, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) EXPECT_TRUE(line[key].is_number_unsigned()) << key << " in " << line;
}

void expect_positive(const nlohmann::ordered_json& value) {
  ASSERT_TRUE(value.is_number()) << value;
  EXPECT_GT(value.get<double>(), 0);
}

void expect_paper_line(const nlohmann::ordered_json& line) {
  std::vector<std::string> keys{"bench", "table"};
  if (line["table"] != "mesh") keys.push_back("paper");  // a user's mesh is of no paper
  for (const char* key : {"row", "faces", "points", "resolution", "engine", "threads", "ms", "paper_ms"})
    keys.push_back(key);
  expect_keys(line, keys);
  EXPECT_EQ(line["bench"], "paper");
  EXPECT_TRUE(line["table"].is_string() && line["row"].is_string() && line["engine"].is_string()) << line;
  EXPECT_NE(line["engine"], "automatic");
  expect_counts(line, {"faces", "points", "resolution", "threads", "actual_faces", "runs"});
  EXPECT_GE(line["threads"], 1);
  EXPECT_GE(line["runs"], 3);
  expect_keys(line["ms"], {"ldi", "query", "total"});
  for (const char* stage : {"query", "total"}) expect_positive(line["ms"][stage]);
  if (line.contains("once_ms")) {  // a rigid object: sampled before
    EXPECT_EQ(line["ms"]["ldi"], 0);
    expect_positive(line["once_ms"]);
  } else {
    expect_positive(line["ms"]["ldi"]);
  }
  EXPECT_GE(line["ms"]["total"], line["ms"]["ldi"]);
  EXPECT_GE(line["ms"]["total"], line["ms"]["query"]);
  EXPECT_LE(line["min_ms"], line["max_ms"]);
}

void expect_scaling_line(const nlohmann::ordered_json& line) {
  expect_keys(line, {"bench", "faces", "resolution", "threads", "engine", "ms", "stream_ms", "ratio"});
  EXPECT_EQ(line["bench"], "scaling");
  EXPECT_TRUE(line["engine"].is_string()) << line;
  expect_counts(line, {"faces", "resolution", "threads", "actual_faces", "crossings", "bytes"});
  expect_keys(line["ms"], {"ldi"});
  const double ldi = line["ms"]["ldi"], stream = line["stream_ms"], ratio = line["ratio"];
  expect_positive(line["ms"]["ldi"]);
  expect_positive(line["stream_ms"]);
  // Times are printed to a nanosecond, and the stream of a small mesh takes few.
  EXPECT_NEAR(ratio, ldi / stream, ratio * (0.001 + 1e-6 / stream));
  // Every crossing of a closed mesh has another where the ray leaves again.
  EXPECT_EQ(line["crossings"].get<std::uint64_t>() % 2, 0u) << line;
}

/// Lines that measure nothing.
std::vector<nlohmann::ordered_json> list_lines(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::vector<nlohmann::ordered_json> objects;
  std::istringstream stream(outcome.out);
  for (std::string line; std::getline(stream, line);) objects.push_back(parse_json(line));
  return objects;
}

using Bench = Program;

TEST_F(Bench, PaperPrintsALinePerRowAndThreadCount) {
  const Outcome outcome = run({"bench", "paper", "--table", "WSCG-3", "--threads", "1", "--json"});
  const auto rows = lines(outcome);
  ASSERT_EQ(rows.size(), 3u);
  const std::vector<std::pair<unsigned, double>> paper{{32, 2.1}, {64, 3.0}, {128, 5.9}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expect_paper_line(rows[i]);
    EXPECT_GE(rows[i]["runs"], 15);
    EXPECT_EQ(rows[i]["table"], "WSCG-3");
    EXPECT_EQ(rows[i]["faces"], 16500);
    EXPECT_EQ(rows[i]["points"], 0);
    EXPECT_EQ(rows[i]["resolution"], paper[i].first);
    EXPECT_EQ(rows[i]["threads"], 1);
    EXPECT_EQ(rows[i]["paper_ms"], paper[i].second);
    expect_positive(rows[i]["volume"]);
  }
}

TEST_F(Bench, PaperFindsPointsInside) {
  const auto rows = lines(run({"bench", "paper", "--table", "WSCG-2", "--threads", "0", "--quick", "--json"}));
  ASSERT_EQ(rows.size(), 3u);
  for (const auto& row : rows) {
    expect_paper_line(row);
    EXPECT_GT(row["inside"], 0);
    EXPECT_LT(row["inside"], row["points"]);
  }
  EXPECT_EQ(rows[0]["row"], "high");
  EXPECT_EQ(rows[0]["faces"], 520000);
  EXPECT_EQ(rows[0]["points"], 100000);
  EXPECT_EQ(rows[0]["paper_ms"], 398.7);
}

TEST_F(Bench, PaperKeepsTheStagesOfTheTechnicalReportApart) {
  const auto rows =
      lines(run({"bench", "paper", "--table", "TR-1", "--engine", "software", "--threads", "1", "--quick", "--json"}));
  ASSERT_EQ(rows.size(), 12u) << "six pairs, each also as rigid objects";
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    const auto &row = rows[i], &rigid = rows[i + 1];
    expect_paper_line(row);
    expect_paper_line(rigid);
    EXPECT_EQ(row["paper"], "tr395");
    EXPECT_EQ(row["paper_ms"].get<double>(),
              row["paper_stage12_ms"].get<double>() + row["paper_stage3_ms"].get<double>());
    for (const char* object : {"a", "b"}) {
      const std::string layers = std::string("layers_") + object;
      EXPECT_EQ(row[layers], row["paper_" + layers]) << row;
      EXPECT_GE(row["mean_" + layers], 1.0) << row;
      EXPECT_LE(row["mean_" + layers], row[layers]) << row;
    }
    expect_positive(row["volume"]);
    EXPECT_EQ(rigid["row"], row["row"].get<std::string>() + ", rigid");
    EXPECT_TRUE(rigid["paper_ms"].is_null()) << "the paper has no such time";
    expect_counts(rigid, {"vertices_inside"});
  }
  // The three pairs overlap less in figure 8 than in figure 9.
  for (std::size_t i = 0; i < rows.size(); i += 4) EXPECT_LT(rows[i]["volume"], rows[i + 2]["volume"]);
}

TEST_F(Bench, PaperLooksPointsUpInRigidObjectsWithoutSamplingThem) {
  const auto rows =
      lines(run({"bench", "paper", "--table", "TR-2", "--engine", "software", "--threads", "1", "--quick", "--json"}));
  ASSERT_EQ(rows.size(), 10u);
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    const auto &row = rows[i], &rigid = rows[i + 1];
    EXPECT_EQ(row["layers_a"], row["paper_layers_a"]);
    EXPECT_EQ(rigid["row"], row["row"].get<std::string>() + ", rigid");
    EXPECT_EQ(rigid["paper_ms"], row["paper_stage3_ms"]) << "stages 1 and 2 are done in advance";
    EXPECT_EQ(rigid["ms"]["ldi"], 0);
    expect_positive(rigid["once_ms"]);
    expect_positive(rigid["inside"]);
  }
}

TEST_F(Bench, PaperComparesTheWholeLoopAndNoBareQueryWithThePapersFrames) {
  const auto rows = lines(
      run({"bench", "paper", "--table", "TR-fig12", "--engine", "software", "--threads", "1", "--quick", "--json"}));
  ASSERT_EQ(rows.size(), 2u);
  const auto &loop = rows[0], &query = rows[1];
  EXPECT_EQ(loop["row"], "whole loop");
  EXPECT_EQ(loop["paper_loop_fps"], 29);
  EXPECT_NEAR(loop["loop_fps"].get<double>(), 1000 / loop["ms"]["total"].get<double>(),
              1e-3 * loop["loop_fps"].get<double>());
  for (const char* part : {"deform", "dynamics", "sampling", "response", "drawing"}) expect_positive(loop["ms"][part]);
  expect_positive(loop["pushed_out"]);
  EXPECT_EQ(query["row"], "query alone");
  EXPECT_TRUE(query["paper_ms"].is_null());
  EXPECT_FALSE(query.contains("paper_loop_fps"));
  EXPECT_FALSE(query.contains("speedup"));
}

TEST_F(Bench, PaperListsTheTablesOfAllFourPapers) {
  const auto rows = list_lines(run({"bench", "paper", "--list", "--json"}));
  std::map<std::string, int> tables;
  for (const auto& row : rows) {
    ++tables[row["paper"]];
    EXPECT_FALSE(row["table"].get<std::string>().empty());
    EXPECT_FALSE(row["title"].get<std::string>().empty());
  }
  EXPECT_EQ(tables["wscg"], 3);
  EXPECT_EQ(tables["tr395"], 4);
  EXPECT_EQ(tables["jang"], 4);
  EXPECT_EQ(tables["gi"], 6);
  const Outcome text = run({"bench", "paper", "--list"});
  EXPECT_EQ(text.status, 0);
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.out.begin(), text.out.end(), '\n')), rows.size());
  for (const auto& row : rows) EXPECT_THAT(text.out, HasSubstr(row["table"].get<std::string>() + " "));
  EXPECT_EQ(list_lines(run({"bench", "paper", "--list", "--paper", "wscg", "--json"})).size(), 3u);
}

/// Whether the list of published tables has this figure.
bool is_published(const bench::PublishedTable& table, const std::string& key, double value) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const bench::PublishedRow& row) {
    return row.figures.has(key) && row.figures.number(key) == value;
  });
}

TEST_F(Bench, PaperMeasuresTheTablesOfTheOtherBenchmarksWithTheListsFigures) {
  for (const auto& [paper, id, key] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"gi", "GI-fig13", "paper_budget_ms"}, {"jang", "JANG-table1", "paper_fps"}}) {
    const auto rows = lines(run({"bench", "paper", "--table", id, "--threads", "1", "--quick", "--json"}));
    ASSERT_FALSE(rows.empty());
    bool any = false;
    std::set<std::string> names;
    for (const auto& row : rows) {
      EXPECT_EQ(row["bench"], "paper");
      EXPECT_EQ(row["paper"], paper);
      EXPECT_EQ(row["table"], id);
      EXPECT_TRUE(names.insert(row["row"].get<std::string>()).second) << "two rows of one name: " << row;
      for (const auto& [name, value] : row.items()) {
        if (!name.starts_with("paper_") || !value.is_number()) continue;
        EXPECT_TRUE(is_published(bench::published_table(id), name, value.get<double>())) << name << " in " << row;
        any = any || name == key;
      }
    }
    EXPECT_TRUE(any) << key << " in " << id;
  }
}

TEST_F(Bench, PaperForPeopleHasThePapersColumnsAndTheStandIns) {
  const Outcome outcome = run({"bench", "paper", "--table", "WSCG-1", "--quick"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* text :
       {"Ordered, published", "Unordered, published", "2.8 / 4.1", "speed-up", "dragon -> serpent"}) {
    EXPECT_THAT(outcome.out, HasSubstr(text));
  }
}

TEST_F(Bench, PaperOfTheCpuAloneHasNothingOfAGpuAndNoConclusion) {
  const Outcome outcome =
      run({"bench", "paper", "--table", "WSCG", "--engine", "software", "--threads", "1", "--quick", "--json"});
  const auto rows = lines(outcome);
  ASSERT_EQ(rows.size(), 9u) << "a paper's name is all of its tables";
  for (const auto& row : rows) {
    expect_paper_line(row);
    for (const char* key : {"upload_ms", "gpu_ms", "read_back_bytes", "still_ms"})
      EXPECT_FALSE(row.contains(key)) << row;
  }
}

TEST_F(Bench, PaperTakesAMeshInstead) {
  const std::string mesh = save("ball.ply", scenes::sphere(2000));
  const auto rows = lines(run({"bench", "paper", "--mesh", mesh, "--threads", "1", "--quick", "--json"}));
  ASSERT_EQ(rows.size(), 4u);
  for (const auto& row : rows) {
    expect_paper_line(row);
    EXPECT_TRUE(row["paper_ms"].is_null()) << row;
    EXPECT_EQ(row["faces"], row["actual_faces"]);
  }
}

TEST_F(Bench, PaperRefusesATableOrEngineThatIsNot) {
  const Outcome table = run({"bench", "paper", "--table", "WSCG-9"});
  EXPECT_EQ(table.status, 2);
  EXPECT_THAT(table.err, HasSubstr("there is no table 'WSCG-9'; type one of: WSCG-1"));
  const Outcome engine = run({"bench", "paper", "--engine", "steam"});
  EXPECT_EQ(engine.status, 2);
  EXPECT_THAT(engine.err, HasSubstr("steam"));
  const Outcome paper = run({"bench", "paper", "--paper", "sigmod"});
  EXPECT_EQ(paper.status, 2);
  EXPECT_THAT(paper.err, HasSubstr("there is no paper 'sigmod'; type one of: wscg, tr395, jang, gi"));
  const Outcome both = run({"bench", "paper", "--paper", "gi", "--table", "WSCG-1"});
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("WSCG-1 is not of the paper gi"));
}

TEST_F(Bench, ScalingRestrictedToAFaceCountIsOneLine) {
  const Outcome outcome = run({"bench", "scaling", "--faces", "5000", "--json"});
  const auto rows = lines(outcome);
  ASSERT_EQ(rows.size(), 1u);
  expect_scaling_line(rows[0]);
  EXPECT_EQ(rows[0]["faces"], 5000);
  EXPECT_EQ(rows[0]["resolution"], 128);
  EXPECT_EQ(rows[0]["threads"], 1);
}

TEST_F(Bench, ScalingSweepsResolutionsAndThreads) {
  const auto grids = lines(run({"bench", "scaling", "--sweep", "resolution", "--faces", "5000", "--json"}));
  ASSERT_EQ(grids.size(), 6u);
  for (const auto& row : grids) expect_scaling_line(row);
  EXPECT_EQ(grids.front()["resolution"], 32);
  EXPECT_EQ(grids.back()["resolution"], 1024);

  const auto threads = lines(run({"bench", "scaling", "--sweep", "threads", "--faces", "5000", "--json"}));
  ASSERT_GE(threads.size(), 1u);
  for (const auto& row : threads) {
    expect_scaling_line(row);
    expect_positive(row["speedup"]);
    EXPECT_EQ(row["crossings"], threads[0]["crossings"]);
  }
  EXPECT_EQ(threads[0]["threads"], 1);
  EXPECT_EQ(threads[0]["speedup"], 1.0);
}

TEST_F(Bench, ClashHasALineForEachNumberOfParts) {
  const auto rows = lines(run({"bench", "clash", "--parts", "60,120", "--json"}));
  ASSERT_EQ(rows.size(), 2u);
  for (const auto& row : rows) {
    EXPECT_EQ(row["bench"], "clash");
    EXPECT_EQ(row["assembly"], "crowd");
    EXPECT_EQ(row["meshes"].get<int>() * 10, row["parts"].get<int>());
    EXPECT_GE(row["candidates"].get<int>(), row["pairs"].get<int>());
    expect_positive(row["pairs"]);
    expect_positive(row["ms"]["total"]);
    expect_positive(row["memory_mb"]);
  }
  EXPECT_EQ(rows[0]["parts"], 60);
  EXPECT_EQ(rows[1]["parts"], 120);
  EXPECT_EQ(run({"bench", "clash", "--parts", "10,none"}).status, 2);
}

TEST_F(Bench, ScalingTakesAMesh) {
  const std::string mesh = save("ball.ply", scenes::sphere(2000));
  const auto rows = lines(run({"bench", "scaling", "--mesh", mesh, "--resolution", "64", "--json"}));
  ASSERT_EQ(rows.size(), 1u);
  expect_scaling_line(rows[0]);
  EXPECT_EQ(rows[0]["faces"], rows[0]["actual_faces"]);
  EXPECT_EQ(rows[0]["resolution"], 64);
  EXPECT_EQ(rows[0]["model"], "ball.ply");
  EXPECT_EQ(run({"bench", "scaling", "--mesh", mesh, "--faces", "5000"}).status, 2);
}

TEST_F(Bench, ScalingForPeopleSaysWhatIsTimedAndWhereTheImageDominates) {
  const Outcome outcome = run({"bench", "scaling", "--sweep", "resolution", "--faces", "5000"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* text : {"core", "stream ms", "ratio", "ns/crossing", "dominates"}) {
    EXPECT_THAT(outcome.out, HasSubstr(text));
  }
}

TEST_F(Bench, RefusesAFlatMeshAndAWrongSweepOrModel) {
  const std::string flat = save("flat.ply", Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  EXPECT_EQ(run({"bench", "scaling", "--mesh", flat}).status, 2);
  EXPECT_EQ(run({"bench", "scaling", "--sweep", "colours"}).status, 2);
  EXPECT_EQ(run({"bench", "scaling", "--model", "teapot", "--faces", "100"}).status, 2);
  EXPECT_EQ(run({"bench"}).status, 2);
}

}  // namespace
}  // namespace lamella::test
