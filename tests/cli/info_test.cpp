#include <gmock/gmock.h>

#include <sstream>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using Info = Program;

TEST_F(Info, GivesTheContractsKeys) {
  const Outcome outcome = run({"info", save("box.ply", make_box({0, 0, 0}, {1, 2, 3})), "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "triangles", "vertices", "closed", "boundary_edges", "nonmanifold_edges",
                     "inconsistent_edges", "degenerate_triangles", "components", "volume", "bounds"});
  EXPECT_EQ(json["query"], "info");
  EXPECT_EQ(json["triangles"], 12);
  EXPECT_EQ(json["vertices"], 8);
  EXPECT_EQ(json["closed"], true);
  EXPECT_EQ(json["boundary_edges"], 0);
  EXPECT_EQ(json["components"], 1);
  EXPECT_DOUBLE_EQ(json["volume"].get<double>(), 6);
  EXPECT_DOUBLE_EQ(json["area"].get<double>(), 22);
  expect_box(json["bounds"], {0, 0, 0}, {1, 2, 3}, 0);
}

TEST_F(Info, ShowsWhereAMeshIsNotClosed) {
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const auto json = run({"info", open, "--json"}).json();
  EXPECT_EQ(json["closed"], false);
  EXPECT_EQ(json["boundary_edges"], 4);
  EXPECT_EQ(json["defects"].size(), 4u);
  for (const auto& place : json["defects"]) EXPECT_EQ(place[0], 0.0);

  const Outcome words = run({"info", open});
  EXPECT_EQ(words.status, 0);
  EXPECT_THAT(words.out, HasSubstr("closed        no\n              4 boundary edges: "));
  EXPECT_THAT(words.out, HasSubstr("look near     0, "));
  EXPECT_THAT(words.out, HasSubstr("rough: the mesh is not closed"));
}

TEST_F(Info, SaysThatAMeshIsInsideOut) {
  const Outcome outcome = run({"info", save("inverted.ply", flipped(make_box({0, 0, 0}, {1, 1, 1})))});
  EXPECT_THAT(outcome.out, HasSubstr("volume        -1 (inside out"));
}

TEST_F(Info, PrintsAnObjectPerLineForSeveralMeshes) {
  const std::string a = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const std::string b = save("b.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  std::istringstream lines(run({"info", a, b, "--json"}).out);
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(objects.size(), 2u);
  for (const auto& object : objects) EXPECT_EQ(object["query"], "info");
  EXPECT_EQ(objects[0]["file"], a);
  EXPECT_EQ(objects[1]["file"], b);
  EXPECT_EQ(objects[1]["closed"], false);
}

TEST_F(Info, ReportsTheOthersWhenOneCannotBeRead) {
  const std::string a = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const std::string b = save("b.ply", make_box({0, 0, 0}, {2, 2, 2}));
  const Outcome outcome = run({"info", a, at("missing.ply"), b});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("missing.ply"));
  EXPECT_THAT(outcome.out, HasSubstr(a));
  EXPECT_THAT(outcome.out, HasSubstr(b));
  EXPECT_THAT(outcome.out, Not(HasSubstr("missing.ply")));
}

TEST_F(Info, PrintsFileNamesThatAreNotUtf8) {
  const Outcome outcome = run({"info", save("caf\xe9.ply", make_box({0, 0, 0}, {1, 1, 1})), "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.json()["triangles"], 12);
}

TEST_F(Info, FileNamesCannotSteerTheTerminal) {
  const Outcome outcome =
      run({"info", save("box\x1b[31m\n.ply", make_box({0, 0, 0}, {1, 1, 1})), at("no\x1b]0;x\a.ply")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr(R"(box\u001b[31m\n.ply)"));
  EXPECT_THAT(outcome.err, HasSubstr(R"(no\u001b]0;x\u0007.ply)"));
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace lamella::test
