// What lamella clash finds, and what its exit status says.

#include <csignal>

#include "cli/clash_program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ClashCommand : public ClashProgram {
 protected:
  /// Class and exit status of two meshes.
  [[nodiscard]] std::pair<std::string, int> kind_of(const Mesh& a, const Mesh& b,
                                                    std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {save("first.ply", a), save("second.ply", b), "--keep-clear"});
    const Outcome outcome = json_of(more);
    const Json json = outcome.json();
    if (json["pairs"].empty()) return {"no candidate", outcome.status};
    EXPECT_EQ(json["pairs"].size(), 1u);
    return {json["pairs"][0]["class"].get<std::string>(), outcome.status};
  }
};

const Mesh kBox = make_box({0, 0, 0}, {1, 1, 1});

TEST_F(ClashCommand, TwoBoxesThatShareAVolume) {
  const Outcome outcome = json_of({a_, b_, far_});
  EXPECT_EQ(outcome.status, 1);
  const Json json = outcome.json();
  EXPECT_EQ(json["query"], "clash");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["parts"], 3);
  EXPECT_EQ(json["failing"], 1);
  EXPECT_EQ(json["status"], 1);
  ASSERT_EQ(json["pairs"].size(), 1u);
  const Json& pair = json["pairs"][0];
  EXPECT_EQ(pair["a"], "a.ply");
  EXPECT_EQ(pair["b"], "b.ply");
  EXPECT_EQ(pair["class"], "overlapping");
  EXPECT_EQ(pair["verdict"], "colliding");
  EXPECT_EQ(pair["result"], "fails");
  EXPECT_NEAR(pair["volume"].get<double>(), kShared, 0.002);
  expect_vector(pair["centroid"], {0.75, 0.625, 0.75}, 0.01);
  expect_box(pair["bounds"], {0.5, 0.25, 0.5}, {1, 1, 1}, 0.02);
  EXPECT_NEAR(pair["depth"].get<double>(), 0.5, 0.3);
  ASSERT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["pairs"], Json::parse("[0]"));
  EXPECT_EQ(clash({a_, b_, "--exit-zero"}).status, 0);
}

TEST_F(ClashCommand, KnowsEveryClass) {
  using Answer = std::pair<std::string, int>;
  const auto beside = [](float gap) { return make_box({1 + gap, 0, 0}, {2 + gap, 1, 1}); };
  EXPECT_EQ(kind_of(kBox, beside(0.5f)), Answer("no candidate", 0));
  EXPECT_EQ(kind_of(kBox, beside(0.5f), {"--clearance", "0.25"}), Answer("no candidate", 0));
  EXPECT_EQ(kind_of(kBox, beside(0.125f), {"--clearance", "0.25"}), Answer("near", 1));
  EXPECT_EQ(kind_of(kBox, beside(0)), Answer("touching", 0));
  EXPECT_EQ(kind_of(kBox, beside(0.125f), {"--touch", "0.25"}), Answer("touching", 0));
  EXPECT_EQ(kind_of(kBox, make_box({0.5f, 0.25f, 0.5f}, {1.5f, 1.25f, 2})), Answer("overlapping", 1));
  EXPECT_EQ(kind_of(make_box({-5, -5, 0}, {5, 5, 1}), make_box({-1, -1, -4}, {1, 1, 5})), Answer("piercing", 1));
  EXPECT_EQ(kind_of(kBox, make_box({0.25f, 0.25f, 0.25f}, {0.5f, 0.75f, 0.5f})), Answer("contained", 1));
  EXPECT_EQ(kind_of(kBox, kBox), Answer("duplicate", 1));
}

TEST_F(ClashCommand, FailsOnTheClassesThatItIsTold) {
  const std::string beside = save("beside.ply", make_box({1, 0, 0}, {2, 1, 1}));
  EXPECT_EQ(clash({a_, beside}).status, 0);
  EXPECT_EQ(clash({a_, beside, "--fail-on", "touching"}).status, 1);
  EXPECT_EQ(clash({a_, b_, "--fail-on", "piercing,contained"}).status, 0);
  EXPECT_EQ(clash({a_, b_, "--fail-on", "piercing,overlapping"}).status, 1);
  EXPECT_THAT(refusal({a_, b_, "--fail-on", "overlaping"}), HasSubstr("did you mean overlapping?"));
  EXPECT_THAT(refusal({a_, b_, "--fail-on", "new"}), HasSubstr("--baseline"));
}

TEST_F(ClashCommand, UndecidedIsSaidInStatusTableAndJson) {
  const std::string turned = save("turned.ply", flipped(make_box({0.5f, 0.25f, 0.5f}, {1.5f, 1.25f, 2})));
  const Outcome outcome = json_of({a_, turned});
  const Json json = outcome.json();
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(json["status"], 4);
  ASSERT_EQ(json["pairs"].size(), 1u);
  EXPECT_EQ(json["pairs"][0]["verdict"], "undecided");
  EXPECT_EQ(json["pairs"][0]["result"], "undecided");
  ASSERT_FALSE(json["pairs"][0]["doubts"].empty());
  EXPECT_EQ(json["pairs"][0]["doubts"][0]["cause"], "inside_out");
  EXPECT_EQ(json["pairs"][0]["doubts"][0]["part"], "turned.ply");
  EXPECT_EQ(json["counts"]["undecided"], 1);
  EXPECT_THAT(clash({a_, turned}).out, AllOf(HasSubstr("1 pair undecided"), HasSubstr("lamella repair")));
  EXPECT_EQ(clash({a_, turned, "--exit-zero"}).status, 0);
  // One that fails counts more.
  EXPECT_EQ(clash({a_, turned, b_}).status, 1);
}

TEST_F(ClashCommand, PartsThatCannotBeTestedAreSaidInStatusTableAndJson) {
  std::string text;
  for (int i = 0; i < 8; ++i) text += "v nan 0 " + std::to_string(i) + "\n";
  const std::string lost = save_text("lost.obj", text + "f 1 2 3\nf 4 5 6\n");
  const Outcome outcome = json_of({a_, far_, lost});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.json()["unusable_parts"], Json::parse(R"(["lost.obj"])"));
  EXPECT_EQ(outcome.json()["status"], 4);
  EXPECT_THAT(outcome.json()["warnings"].dump(), HasSubstr("lost.obj: not tested"));
  EXPECT_THAT(clash({a_, far_, lost}).out, HasSubstr("1 part without a usable triangle"));
  EXPECT_EQ(clash({a_, far_}).status, 0);
}

TEST_F(ClashCommand, TheTableNamesMeshesWhoseHolesWereClosed) {
  EXPECT_THAT(clash({a_, b_}).out, Not(HasSubstr("mesh faults")));
  const std::string open = save("open.ply", make_open_box({-1, 0, 0}, {0.5f, 1, 1}));
  const Outcome outcome = clash({a_, open});
  EXPECT_EQ(outcome.status, 1) << outcome.out;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("mesh faults   open.ply: its holes, of 4 edges, were closed (in 1 pair above)"),
                    HasSubstr("lamella info shows where")));
  // Six of them, beside one box that all overlap.
  std::vector<std::string> files{save("long.ply", make_box({0, 0, 0}, {30, 1, 1}))};
  for (int i = 0; i < 6; ++i) {
    const auto x = static_cast<float>(4 * i + 1);
    files.push_back(save(fmt::format("open{}.ply", i), make_open_box({x, -1, 0.25f}, {x + 1, 0.5f, 0.75f})));
  }
  EXPECT_THAT(clash(files).out, AllOf(HasSubstr("open3.ply: its holes"), Not(HasSubstr("open4.ply: its holes")),
                                      HasSubstr("and 2 parts more: --all lists all")));
  files.emplace_back("--all");
  EXPECT_THAT(clash(files).out, HasSubstr("open5.ply: its holes"));
}

TEST_F(ClashCommand, TheTableHasFindingsAndSaysHowManyMore) {
  const std::string text = clash({a_, b_, "--units", "mm"}).out;
  EXPECT_THAT(text, AllOf(HasSubstr("clashes       yes: 1 pair"), HasSubstr("overlapping"), HasSubstr("0.187"),
                          HasSubstr("fails"), HasSubstr("volumes in mm³")));
  EXPECT_THAT(text, Not(HasSubstr("more")));
  // 24 boxes of different meshes in a row, each of which overlaps the next.
  std::vector<std::string> files;
  for (int i = 0; i < 24; ++i) {
    const auto x = static_cast<float>(i);
    files.push_back(save(fmt::format("box{:02}.ply", i), make_box({x, 0, 0}, {x + 1.25f, 1, 1})));
  }
  EXPECT_THAT(clash(files).out, AllOf(HasSubstr("and 7 findings more"), HasSubstr("--all")));
  files.emplace_back("--all");
  EXPECT_THAT(clash(files).out, AllOf(Not(HasSubstr("more")), HasSubstr("Every place:"), HasSubstr("box23.ply")));
}

TEST_F(ClashCommand, OneScrewInFortyHolesIsOneFinding) {
  std::string objects = R"({"mesh": "plate", "name": "plate"})";
  for (int i = 0; i < 40; ++i)
    objects += fmt::format(R"(,{{"mesh": "screw", "pose": {{"translation": [{}, 0, 0]}}}})", 2 * i);
  (void)save("plate.ply", make_box({-1, -1, 0}, {80, 1, 1}));
  (void)save("screw.ply", make_box({-0.25f, -0.25f, -1}, {0.25f, 0.25f, 2}));
  const std::string scene = save_text(
      "scene.json", R"({"meshes": {"plate": "plate.ply", "screw": "screw.ply"}, "objects": [)" + objects + "]}");
  const Json json = json_of({scene}).json();
  EXPECT_EQ(json["parts"], 41);
  EXPECT_EQ(json["meshes"], 2);
  EXPECT_EQ(json["pairs"].size(), 40u);
  ASSERT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["places"], 40);
  EXPECT_EQ(json["findings"][0]["class"], "piercing");
  EXPECT_EQ(json["findings"][0]["meshes"], Json({"plate", "screw"}));
  EXPECT_NEAR(json["findings"][0]["total_volume"].get<double>(), 10, 0.1);
}

TEST_F(ClashCommand, StoppedHasTheFindingsSoFarMarkedIncomplete) {
  std::string objects;
  for (int i = 0; i < 90; ++i)
    objects +=
        fmt::format(R"({}{{"mesh": "knot", "pose": {{"translation": [{}, 0, 0]}}}})", i == 0 ? "" : ",", 0.01 * i);
  const std::string scene = save_text(
      "scene.json", R"({"meshes": {"knot": {"model": "torus_knot", "faces": 2000}}, "objects": [)" + objects + "]}");
  const Outcome outcome =
      run_and_signal({"clash", scene, "--shortest", "--json", "--csv", at("out.csv")}, SIGINT, ".part");
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.err, HasSubstr("lamella: stopped by Ctrl-C after "));
  const Json json = outcome.json();
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["candidates"], 90 * 89 / 2);
  EXPECT_LT(json["tested"].get<int>(), 90 * 89 / 2);
  EXPECT_LE(json["pairs"].size(), json["tested"].get<std::size_t>());
  EXPECT_THAT(content(at("out.csv")), HasSubstr("incomplete"));
}

TEST_F(ClashCommand, ReportsOfSeveralFilesAreCalledAfterTheirFolder) {
  const auto title = [&](const std::vector<std::string>& files) {
    return json_of(files).json()["title"].get<std::string>();
  };
  std::filesystem::create_directories(at("pump/left"));
  std::filesystem::create_directories(at("pump/right"));
  std::filesystem::copy(a_, at("pump/left/a.ply"));
  std::filesystem::copy(b_, at("pump/right/b.ply"));
  EXPECT_EQ(title({at("pump/left/a.ply"), at("pump/right/b.ply")}), "pump");
  EXPECT_EQ(title({at("pump/left/a.ply"), "model:torus"}), "left");
  EXPECT_EQ(title({"model:torus", "model:sphere"}), "2 files");
  EXPECT_EQ(title({at("pump")}), "pump");
}

TEST_F(ClashCommand, AFileIsNotWrittenTwiceNorWhereItIsRead) {
  EXPECT_THAT(refusal({a_, b_, "--csv", at("x.csv"), "--cache", at("./x.csv")}),
              HasSubstr("--csv: " + at("x.csv") + " is also the file of --cache"));
  const std::string rules = save_text("rules.json", R"({"rules": []})");
  EXPECT_THAT(refusal({a_, b_, "--rules", rules, "--cache", rules}), HasSubstr("--cache: "));
  EXPECT_THAT(refusal({a_, b_, "--cache", b_}), HasSubstr("is also the file of the input"));
  EXPECT_EQ(clash({a_, b_, "--csv", at("x.csv"), "--cache", at("x.cache")}).status, 1);
}

TEST_F(ClashCommand, AToleranceThatIsNotMetIsSaid) {
  const std::vector<std::string> arguments{a_, b_, "--tolerance", "1e-12", "--csv", at("out.csv")};
  EXPECT_THAT(clash(arguments).out, HasSubstr("tolerance     not met by 1 pair"));
  EXPECT_THAT(content(at("out.csv")), AllOf(HasSubstr(",tolerance_met,doubts"), HasSubstr(",false,")));
  EXPECT_THAT(clash({a_, b_, "--tolerance", "10%"}).out, Not(HasSubstr("tolerance ")));
}

TEST_F(ClashCommand, FilesThatCannotBeWrittenAreFoundBeforeTheWork) {
  EXPECT_THAT(refusal({a_, b_, "--csv", at("no/such/folder.csv")}), HasSubstr("folder.csv"));
  EXPECT_THAT(refusal({a_, b_, "--csv", at("out.txt")}), HasSubstr(".csv"));
  EXPECT_THAT(refusal({a_, b_, "--units", "inch"}), HasSubstr("um, mm, cm, m, in, ft"));
  EXPECT_THAT(refusal({a_, b_, "--clearance", "-1"}), HasSubstr("--clearance"));
  EXPECT_THAT(refusal({a_, b_, "--mesh-memory", "none"}), HasSubstr("--mesh-memory: 'none' is not a size"));
}

}  // namespace
}  // namespace lamella::test
