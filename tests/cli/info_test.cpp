#include <gmock/gmock.h>

#include <sstream>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
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

TEST_F(Info, ShowsTheExtentOfABoxFarFromTheOrigin) {
  const std::string far = save("far.ply", make_open_box({1e6f, -1e6f, 0.1f}, {1e6f + 1, -1e6f + 1, 0.3f}));
  const Outcome words = run({"info", far});
  EXPECT_THAT(words.out, HasSubstr("1000000, -1000000, 0.1 to 1000001, -999999, 0.3\n"));
  EXPECT_THAT(words.out, HasSubstr(" 1000000, -1000000, 0.2\n"));
}

TEST_F(Info, SaysThatAMeshIsInsideOut) {
  const Outcome outcome = run({"info", save("inverted.ply", flipped(make_box({0, 0, 0}, {1, 1, 1})))});
  EXPECT_THAT(outcome.out, HasSubstr("volume        -1 (inside out"));
}

TEST_F(Info, PrintsAnObjectPerLineForSeveralMeshes) {
  const std::string a = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const std::string b = save("b.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  std::istringstream lines(run({"info", a, b, "--json"}).out);
  std::vector<nlohmann::ordered_json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(parse_json(line));
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

/// The unit box as OBJ text, with `corner` in place of its last vertex, which six triangles use.
std::string box_with(const std::string& corner) {
  const Mesh box = make_box({0, 0, 0}, {1, 1, 1});
  std::ostringstream text;
  for (std::size_t i = 0; i + 1 < box.positions.size(); ++i) {
    text << "v " << box.positions[i].x << ' ' << box.positions[i].y << ' ' << box.positions[i].z << '\n';
  }
  text << "v " << corner << '\n';
  for (const Triangle& t : box.triangles) text << "f " << t.a + 1 << ' ' << t.b + 1 << ' ' << t.c + 1 << '\n';
  return text.str();
}

TEST_F(Info, CountsVerticesThatAreNotFiniteAndStaysUsable) {
  for (const char* corner : {"nan 1 1", "1 inf 1", "1 1 -1e39"}) {
    SCOPED_TRACE(corner);
    const std::string file = save_text("bad.obj", box_with(corner));
    const Outcome outcome = run({"info", file, "--json"});
    EXPECT_EQ(outcome.status, 0);
    const auto json = outcome.json();
    EXPECT_EQ(json["nonfinite_vertices"], 1);
    EXPECT_EQ(json["vertices"], 8);
    EXPECT_TRUE(json["volume"].is_number());
    expect_box(json["bounds"], {0, 0, 0}, {1, 1, 1}, 0);
    EXPECT_THAT(run({"info", file}).out,
                AllOf(HasSubstr("1 unusable vertex: not finite"), HasSubstr("(without the triangles of unusable"),
                      HasSubstr("bounds        0, 0, 0 to 1, 1, 1")));
  }
}

TEST_F(Info, QueriesSkipTrianglesThatAreNotFiniteAndStrictRefusesThem) {
  const std::string box = save("box.ply", make_box({0.25f, 0.25f, 0.25f}, {2, 2, 2}));
  const std::string bad = save_text("bad.obj", box_with("nan 1 1"));
  const Outcome outcome = run({"intersect", box, bad, "--json", "--exit-zero"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_GT(outcome.json()["health"]["skipped_triangles"], 0);
  EXPECT_EQ(outcome.json()["health"]["ok"], false);
  const Outcome strict = run({"intersect", box, bad, "--strict"});
  EXPECT_EQ(strict.status, 2);
  EXPECT_THAT(strict.err, HasSubstr("bad.obj: 6 triangles left out"));
}

TEST_F(Info, SaysWhatIsNoFile) {
  const auto error = [&](const std::string& file) {
    const Outcome outcome = run({"info", file});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(error(at("")), HasSubstr("expected a file, found a folder; name a file in it"));
  EXPECT_THAT(error(at("missing")), HasSubstr("No such file"));
  EXPECT_THAT(error("/dev/null"), HasSubstr("found a pipe or a device"));
  EXPECT_THAT(error(save_text("empty", "")), HasSubstr("the file is empty"));
}

TEST_F(Info, MaxMemoryIsALimitThatCanBeRaised) {
  const std::string file = save_text("box.obj", box_with("1 1 1") + std::string(10'000, '\n'));
  const Outcome refused = run({"info", file, "--max-memory", "4K"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("more memory than the limit of 4096 bytes"), HasSubstr("--max-memory")));
  for (const char* enough : {"1M", "1g", "50000"}) {
    EXPECT_EQ(run({"info", file, "--max-memory", enough}).status, 0) << enough;
  }
  EXPECT_EQ(run({"self", file, "--max-memory", "4K"}).status, 2);
  EXPECT_EQ(run({"contain", file, file, "--max-memory", "4K"}).status, 2);
  EXPECT_EQ(run({"scene", file, "--max-memory", "4K"}).status, 2);
  EXPECT_EQ(run({"layers", file, "--max-memory", "4K"}).status, 2);
  for (const char* wrong : {"", "8T", "-1", "0", "G", "1.5G", "99999999999G"}) {
    const Outcome outcome = run({"info", file, std::string("--max-memory=") + wrong});
    EXPECT_EQ(outcome.status, 2) << wrong;
    EXPECT_THAT(outcome.err, HasSubstr("--max-memory")) << wrong;
  }
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
