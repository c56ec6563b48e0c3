// --html: what a page gets is what the command line has, to the bit; and nothing in it can end an element.

#include <gmock/gmock.h>

#include <algorithm>

#include "cli/common.hpp"
#include "cli/html/report.hpp"
#include "cli/opened_report.hpp"
#include "cli/program.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"

namespace lamella::test {
namespace {

using cli::Report;
using session::Json;
using testing::HasSubstr;
using testing::Not;

std::string tiny_page() { return "<title>viewer</title><body>" + std::string(cli::kDataMarker) + "</body>"; }

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

void expect_same(const Mesh& a, MeshView b) {
  EXPECT_TRUE(std::equal(a.positions.begin(), a.positions.end(), b.positions.begin(), b.positions.end()));
  EXPECT_TRUE(std::equal(a.triangles.begin(), a.triangles.end(), b.triangles.begin(), b.triangles.end()));
  EXPECT_EQ(a.origin, b.origin);
}

TEST(Report, HasTheMeshesToTheBit) {
  Mesh ball = scenes::sphere(2000);
  ball.origin = {1e7, -3, 0.1};
  const Mesh box = make_box({0, 0, 0}, {1, 1e-20f, -0.0f});
  Report report{.kind = "intersect", .title = "t", .answer = {{"volume", 0.1}}, .text = "volume  0.1\n"};
  report.objects = {cli::report_object("a/ball.ply", ball), cli::report_object("model:hand:500", box)};
  report.options = {{"resolution", 64}};
  report.notes = {"One note."};
  OpenedReport opened(html_of(tiny_page(), std::move(report)));
  ASSERT_EQ(opened.objects().size(), 2u);
  EXPECT_EQ(opened.objects()[0]["name"], "ball.ply");
  EXPECT_EQ(opened.objects()[1]["source"], (Json{{"model", "hand"}, {"faces", 500}}));
  EXPECT_TRUE(opened.objects()[0]["simplified"].is_null());
  expect_same(opened.mesh(0), ball);
  expect_same(opened.mesh(1), box);
  EXPECT_EQ(opened.report()["kind"], "intersect");
  EXPECT_EQ(opened.report()["answer"], (Json{{"volume", 0.1}}));
  EXPECT_EQ(opened.report()["text"], "volume  0.1\n");
  EXPECT_EQ(opened.report()["options"], (Json{{"resolution", 64}}));
  EXPECT_EQ(opened.report()["notes"], Json::array({"One note."}));
  EXPECT_EQ(opened.report()["objects"], Json::array({opened.objects()[0]["id"], opened.objects()[1]["id"]}));
}

TEST(Report, SaysWhatWasSimplified) {
  const Mesh large = scenes::sphere(20'000), small = scenes::sphere(200);
  Report report{.kind = "scene", .title = "t"};
  report.objects = {cli::report_object("large.ply", large), cli::report_object("small.ply", small)};
  OpenedReport opened(html_of(tiny_page(), std::move(report), 4000));
  const Json& object = opened.objects()[0];
  EXPECT_EQ(object["simplified"]["faces"], large.triangles.size());
  EXPECT_EQ(object["simplified"]["volume"], signed_volume(large)) << "which people know it by";
  EXPECT_LE(object["faces"].get<std::size_t>() + opened.objects()[1]["faces"].get<std::size_t>(), 4000u);
  EXPECT_GT(object["faces"].get<std::size_t>(), 1000u);
  EXPECT_TRUE(object["closed"].get<bool>());
  EXPECT_NEAR(object["volume"].get<double>(), signed_volume(large), 0.03 * signed_volume(large));
  ASSERT_EQ(opened.report()["simplified"].size(), 1u) << "the other has few enough";
  EXPECT_EQ(opened.report()["simplified"][0],
            (Json{{"object", object["id"]}, {"faces", large.triangles.size()}, {"kept", object["faces"]}}));
  ASSERT_EQ(opened.report()["notes"].size(), 1u);
  EXPECT_THAT(opened.report()["notes"][0].get<std::string>(), HasSubstr("to about 4,000"));
}

TEST(Report, NamesAndTextAreNeverMarkup) {
  const Mesh box = make_box({0, 0, 0}, {1, 1, 1});
  const std::string evil = "</script><script>alert(1)</script><!--";
  Report report{.kind = "self", .title = evil, .answer = {{"files", {evil}}}, .text = evil};
  report.objects = {{.name = evil, .mesh = box, .pose = {}, .source = {{"file", evil}}}};
  report.notes = {evil};
  const std::string html = html_of(tiny_page(), std::move(report));
  EXPECT_EQ(count(html, "</script"), 1u) << "the element's own";
  EXPECT_EQ(count(html, "<script"), 1u);
  EXPECT_EQ(count(html, "<!--"), 0u);
  OpenedReport opened(html);
  EXPECT_EQ(opened.objects()[0]["name"], evil) << "as text";
  EXPECT_EQ(opened.report()["text"], evil);
}

TEST(Report, NamesThatAreNoTextAreMended) {
  const Mesh box = make_box({0, 0, 0}, {1, 1, 1});
  Report report{.kind = "self", .title = "\xff\xfe", .text = "\xff"};
  report.objects = {{.name = "\xff", .mesh = box, .pose = {}, .source = {{"file", "\xff"}}}};
  OpenedReport opened(html_of(tiny_page(), std::move(report)));
  EXPECT_EQ(opened.objects().size(), 1u);
}

/// The real program, where it has a page.
class Html : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (!cli::has_page()) GTEST_SKIP() << "this build has no page: ./run web";
    a_ = save("a.ply", make_box({0, 0, 0}, {2, 2, 2}));
    b_ = save("b.ply", make_box({1, 1, 1}, {3, 3, 3}));
  }
  /// The page that a command writes, beside an answer that is as without it.
  [[nodiscard]] OpenedReport opened(std::vector<std::string> command) {
    command.insert(command.end(), {"--html", at("out.html")});
    const Outcome outcome = run(command);
    EXPECT_TRUE(outcome.status < 2 || outcome.status == cli::kUndecided) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    out_ = outcome.out;
    return OpenedReport(content(at("out.html")));
  }
  /// JSON without what another run has otherwise.
  [[nodiscard]] static Json steady(Json json) {
    json.erase("ms");
    return json;
  }
  /// The page's answer is what --json prints, and its text what is printed without.
  void expect_answer(const OpenedReport& page, std::vector<std::string> command) {
    EXPECT_EQ(page.report()["text"], out_);
    command.push_back("--json");
    EXPECT_EQ(steady(page.report()["answer"]), steady(run(command).json()));
  }

  /// What the page says when it asks the report's question again, and what the command said: of both these members.
  void expect_again(const std::vector<std::string>& command, const std::vector<const char*>& members) {
    OpenedReport page = opened(command);
    const Json told = page.report()["answer"], objects = page.report()["objects"];
    Json question{{"op", "query"}, {"kind", page.report()["kind"]}, {"options", page.report()["options"]}};
    if (objects.size() > 0) question["a"] = question["id"] = objects[0];
    if (objects.size() > 1) question["b"] = objects[1];
    session::PacketWriter packet;
    if (page.report().contains("points")) {
      const Json state = page.ask({{"op", "state"}});
      question["points"] = packet.add(page.array<Vec3>(state["report"]["points"]["positions"]));
    }
    const Json again = page.ask(question, packet)["answer"];
    for (const char* member : members)
      EXPECT_EQ(again.value(member, Json()), told.value(member, Json())) << member << " of " << command[0];
  }

  std::string a_, b_, out_;
};

TEST_F(Html, OfTwoMeshesAsksTheSameAgain) {
  const std::vector<std::string> command{"intersect", a_, b_, "--pose-b", "0.1,0.2,0.3@z:30", "--resolution", "96"};
  OpenedReport page = opened(command);
  expect_answer(page, command);
  EXPECT_EQ(page.report()["command"], "intersect");
  EXPECT_EQ(page.report()["arguments"][0], a_);
  const Json again = page.ask({{"op", "query"},
                               {"kind", page.report()["kind"]},
                               {"a", page.report()["objects"][0]},
                               {"b", page.report()["objects"][1]},
                               {"options", page.report()["options"]}});
  for (const char* member : {"volume", "volume_error", "spans", "centroid", "bounds", "verdict"})
    EXPECT_EQ(again["answer"][member], page.report()["answer"][member]) << member;
}

const std::vector<const char*> kOverlap{"verdict", "volume", "volume_error", "spans", "centroid", "axis", "health"};

TEST_F(Html, AsksAgainWithEveryOptionOfAQuery) {
  const std::string open = save("open.ply", make_open_box({1, 1, 1}, {3, 3, 3}));
  const std::string hand = "model:hand:3000", phone = "model:phone:2000";
  expect_again({"intersect", hand, phone, "--min-thickness", "0.3"}, kOverlap);
  expect_again({"intersect", hand, phone, "--min-thickness", "0"}, kOverlap);
  expect_again({"intersect", hand, phone, "--max-crossings", "3000000000"}, kOverlap);
  expect_again({"intersect", a_, open, "--as-is"}, kOverlap);
  expect_again({"intersect", a_, open}, kOverlap);
  expect_again({"intersect", a_, b_, "--tolerance", "0.5%", "--certify"}, kOverlap);
  expect_again({"self", open, "--as-is", "--axis", "x"}, kOverlap);
  expect_again({"depth", a_, b_, "--directions", "9"}, {"separation", "volume", "patches"});
  expect_again({"depth", a_, open, "--as-is"}, {"volume", "health"});
}

TEST_F(Html, AsksAgainWithEveryOptionOfPoints) {
  const std::string points = save_text("points.xyz", "0.1 0.1 0.1\n0.2 0.15 0.1\n0.25 -0.01 0.2\n1.9 1.9 1.9\n");
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {2, 2, 2}));
  const std::vector<const char*> members{"inside", "points", "unknown", "voi", "health"};
  const std::vector<std::vector<std::string>> given{
      {"--around-points"}, {"--exact"}, {"--box", "0,0,0,0.5,0.5,0.5"}, {"--resolution", "8"}};
  for (const std::vector<std::string>& options : given) {
    std::vector<std::string> command{"contain", a_, points};
    command.insert(command.end(), options.begin(), options.end());
    expect_again(command, members);
  }
  expect_again({"contain", open, points, "--as-is"}, members);
}

TEST_F(Html, AsksAgainWithEveryOptionOfAScene) {
  const std::string open = save("open.ply", make_open_box({1, 1, 1}, {3, 3, 3}));
  const std::string twice = save("twice.ply", joined(make_box({0, 0, 0}, {2, 2, 2}), make_box({1, 0, 0}, {3, 2, 2})));
  const std::vector<const char*> members{"pairs",         "volumes", "contacts", "patches",
                                         "self_overlaps", "defects", "verdict"};
  const std::vector<std::vector<std::string>> given{
      {"--cell", "0.11"},
      {"--screen", "0,0,9,40,800"},
      {"--resolution", "40"},
      {"--max-contacts", "2"},
      {"--as-is"},
      {"--self"},
      {"--axis", "x"},
      {"--views", "1"},
      {"--threshold", "9"},
      {"--normals", "neighbours"},
      {"--certify"},
      {"--tolerance", "0.5%"},
  };
  for (const std::vector<std::string>& options : given) {
    std::vector<std::string> command{"scene", a_, open, twice, "--split", "none", "--no-points"};
    command.insert(command.end(), options.begin(), options.end());
    SCOPED_TRACE(options[0]);
    expect_again(command, members);
  }
}

TEST_F(Html, OfOneMesh) {
  const std::string twice = save("twice.ply", joined(make_box({0, 0, 0}, {2, 2, 2}), make_box({1, 0, 0}, {3, 2, 2})));
  OpenedReport page = opened({"self", twice});
  expect_answer(page, {"self", twice});
  expect_same(page.mesh(0), read_mesh(twice));
}

TEST_F(Html, OfPointsHasThemWithTheirFlags) {
  const std::string points = save_text("points.xyz", "1 1 1\n5 5 5\n0.5 0.5 1.5\n");
  OpenedReport page = opened({"contain", a_, points});
  expect_answer(page, {"contain", a_, points});
  const Json state = page.ask({{"op", "state"}});
  const Json& shown = state["report"]["points"];
  EXPECT_THAT(page.array<std::uint8_t>(shown["flags"]), testing::ElementsAre(1, 0, 1));
  EXPECT_EQ(page.array<Vec3>(shown["positions"])[2], (Vec3{0.5f, 0.5f, 1.5f}));
}

TEST_F(Html, OfDepth) {
  OpenedReport page = opened({"depth", a_, b_});
  EXPECT_EQ(page.report()["text"], out_);
  EXPECT_NEAR(page.report()["answer"]["volume"].get<double>(), 1, 1e-3);
  EXPECT_EQ(page.objects().size(), 2u);
}

TEST_F(Html, OfAScene) {
  const std::string far = save("far.ply", make_box({9, 9, 9}, {10, 10, 10}));
  OpenedReport page = opened({"scene", a_, b_, far});
  expect_answer(page, {"scene", a_, b_, far});
  ASSERT_EQ(page.objects().size(), 3u);
  EXPECT_EQ(page.objects()[2]["name"], "far.ply");
  expect_same(page.mesh(2), read_mesh(far));
}

TEST_F(Html, OfAMovingSceneShowsOneFrame) {
  const std::string file = save_text("scene.json", R"({"frames": 3,
    "meshes": {"a": {"file": "a.ply"}, "b": {"file": "b.ply"}},
    "objects": [{"mesh": "a"}, {"mesh": "b", "pose": {"translation": [0.5, 0, 0]}, "motion": {"velocity": [1, 0, 0]}}]
  })");
  OpenedReport first = opened({"scene", file});
  ASSERT_EQ(first.report()["notes"].size(), 1u);
  EXPECT_THAT(first.report()["notes"][0].get<std::string>(), HasSubstr("first of 3 frames"));
  EXPECT_EQ(first.objects()[1]["pose"][0], 0.5);
  OpenedReport second = opened({"scene", file, "--frame", "1"});
  EXPECT_EQ(second.objects()[1]["pose"][0], 1.5);
  EXPECT_TRUE(second.report()["notes"].empty());
}

TEST_F(Html, OfLayersHasTheColumns) {
  OpenedReport page = opened({"layers", a_, "--resolution", "4"});
  expect_answer(page, {"layers", a_, "--resolution", "4"});
  const Json state = page.ask({{"op", "state"}});
  const Json& columns = state["report"]["columns"];
  EXPECT_EQ(page.array<std::uint32_t>(columns["offsets"]).size(), 17u);
  const auto depths = page.array<float>(columns["depths"]);
  const auto entering = page.array<std::uint8_t>(columns["entering"]);
  ASSERT_EQ(depths.size(), 32u);
  for (std::size_t i = 0; i < depths.size(); ++i) {
    EXPECT_EQ(depths[i], i % 2 == 0 ? 0.0f : 2.0f);
    EXPECT_EQ(entering[i], i % 2 == 0 ? 1 : 0);
  }
  EXPECT_EQ(columns["grid"]["columns"], 4);
}

TEST_F(Html, OfASimulationHasItsFrames) {
  OpenedReport page = opened({"simulate", "cube", "--objects", "4", "--frames", "20", "--every", "5"});
  EXPECT_EQ(page.report()["text"], out_);
  const Json state = page.ask({{"op", "state"}});
  const Json& frames = state["report"]["frames"];
  ASSERT_EQ(frames["steps"].size(), 5u) << "0, 5, 10, 15, 20";
  EXPECT_EQ(frames["rate"], 12);
  EXPECT_EQ(frames["solids"].size(), 5u) << "bodies and the cube's edges";
  EXPECT_EQ(frames["steps"][4]["figures"]["frame"], 20);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_FALSE(frames["steps"][0]["positions"][k].is_null());
    EXPECT_TRUE(frames["steps"][4]["positions"][k].is_null()) << "rigid";
  }
  EXPECT_EQ(page.array<float>(frames["steps"][4]["poses"]).size(), 35u);
  EXPECT_NE(page.array<float>(frames["steps"][4]["poses"])[2], 0) << "it falls";
}

TEST_F(Html, HostileNamesInFilesAreText) {
  const std::string name = "<img src=x onerror=alert(1)>.obj";
  std::string text;
  for (const char* part : {"</script><script>alert(1)</script>", "&quot;'\"><svg/onload=alert(2)>"})
    text += "o " + std::string(part) + "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" +
            "f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n";
  const std::string file = save_text(name, text);
  OpenedReport page = opened({"scene", file});
  EXPECT_EQ(page.objects().size(), 2u);
  EXPECT_EQ(page.objects()[0]["name"], "</script><script>alert(1)</script>");
  const std::string html = content(at("out.html"));
  const std::string plain = cli::require_page("");
  EXPECT_EQ(count(html, "</script"), count(plain, "</script"));
  EXPECT_EQ(count(html, "alert("), count(plain, "alert(") + 1) << "in the title";
  EXPECT_THAT(html, HasSubstr("<title>&lt;img src=x onerror=alert(1)&gt;.obj"));
}

TEST_F(Html, AppearsWholeOrNotAtAll) {
  const std::size_t before = file_count();
  const Outcome nowhere = run({"intersect", a_, b_, "--html", at("nowhere/out.html")});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_EQ(nowhere.out, "");
  EXPECT_THAT(nowhere.err, HasSubstr("nowhere/out.html"));
  EXPECT_EQ(run({"intersect", a_, at("missing.ply"), "--html", at("out.html")}).status, 2);
  EXPECT_EQ(file_count(), before);
  (void)save_text("out.html", "as it was");
  EXPECT_EQ(run({"self", at("missing.ply"), "--html", at("out.html")}).status, 2);
  EXPECT_EQ(content(at("out.html")), "as it was");
}

/// With a page and without.
class HtmlOption : public Program {};

TEST_F(HtmlOption, MustNameAPage) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"self", box, "--html", at("out.png")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--html: '" + at("out.png") + "' must end in one of: .html .htm"));
}

TEST_F(HtmlOption, WithoutAPageSaysHowToGetIt) {
  if (cli::has_page()) GTEST_SKIP() << "this build has a page";
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  for (const std::vector<std::string>& command : {std::vector<std::string>{"self", box, "--html", at("out.html")},
                                                  {"intersect", box, box, "--html", at("out.html")},
                                                  {"scene", box, "--html", at("out.html")},
                                                  {"simulate", "cube", "--html", at("out.html")},
                                                  {"view", box}}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 2) << command[0];
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("was built without the viewer's page")) << command[0];
    EXPECT_THAT(outcome.err, HasSubstr("`./run web`")) << command[0];
  }
  EXPECT_EQ(file_count(), 1u);
}

}  // namespace
}  // namespace lamella::test
