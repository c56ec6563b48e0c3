#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "lamella/mesh_io.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A is the unit cube; B shares the box from (0.5, 0.25, 0.5) to (1, 1, 1) with it: 0.5 * 0.75 * 0.5 = 0.1875.
const Mesh kA = make_box({0, 0, 0}, {1, 1, 1});
const Mesh kB = make_box({0.5f, 0.25f, 0.5f}, {1.5f, 1.25f, 2});
constexpr double kShared = 0.1875;

class Intersect : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    a_ = save("a.ply", kA);
    b_ = save("b.ply", kB);
  }
  std::string a_, b_;
};

TEST_F(Intersect, GivesTheContractsKeysInOrderWithTheirTypes) {
  const Outcome outcome = run({"intersect", a_, b_, "--json"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
  const auto json = outcome.json();
  expect_keys(json, {"query", "colliding", "verdict", "volume", "volume_error", "centroid", "bounds", "voi", "axis",
                     "resolution", "spans", "engine", "health", "ms"});
  EXPECT_EQ(json["query"], "intersect");
  EXPECT_EQ(json["colliding"], true);
  EXPECT_EQ(json["verdict"], "colliding");
  EXPECT_EQ(json["doubts"], nlohmann::ordered_json::array());
  EXPECT_TRUE(json["spans"].is_number_unsigned());
  EXPECT_THAT(json["axis"].get<std::string>(), testing::AnyOf("x", "y", "z"));
  EXPECT_EQ(json["resolution"], nlohmann::ordered_json({128, 128}));
  EXPECT_FALSE(json["engine"].get<std::string>().empty());
  EXPECT_NE(json["engine"], "automatic");
  expect_keys(json["health"], {"open_columns", "skipped_triangles", "ok"});
  EXPECT_EQ(json["health"]["open_columns"], 0);
  EXPECT_EQ(json["health"]["skipped_triangles"], 0);
  EXPECT_EQ(json["health"]["ok"], true);
  expect_keys(json["ms"], {"voi", "ldi", "query", "total"});
  for (const auto& [stage, ms] : json["ms"].items()) EXPECT_TRUE(ms.is_number()) << stage;
}

TEST_F(Intersect, IsExactForBoxesAlongTheAxes) {
  for (const std::string axis : {"auto", "x", "y", "z"}) {
    const auto json = run({"intersect", a_, b_, "--json", "--axis", axis}).json();
    SCOPED_TRACE(axis);
    EXPECT_TRUE(axis == "auto" || json["axis"] == axis) << json;
    EXPECT_NEAR(json["volume"].get<double>(), kShared, 1e-6);
    expect_vector(json["centroid"], {0.75, 0.625, 0.75}, 1e-6);
    expect_box(json["bounds"], {0.5, 0.25, 0.5}, {1, 1, 1}, 1e-6);
  }
}

TEST_F(Intersect, TakesResolutionEngineAndThreads) {
  const auto json =
      run({"intersect", a_, b_, "--json", "--resolution=16", "--engine", "reference", "--threads", "1"}).json();
  EXPECT_EQ(json["resolution"], nlohmann::ordered_json({16, 16}));
  EXPECT_EQ(json["engine"], "reference");
  EXPECT_EQ(json["spans"], 256);
  EXPECT_NEAR(json["volume"].get<double>(), kShared, 1e-6);
  const auto last = run({"intersect", a_, b_, "--json", "--resolution", "16", "--resolution", "8"}).json();
  EXPECT_EQ(last["resolution"], nlohmann::ordered_json({8, 8})) << "given twice, the last counts";
}

TEST_F(Intersect, SaysWhatItFoundInWords) {
  const Outcome outcome = run({"intersect", a_, b_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(
      outcome.out,
      StartsWith("colliding     yes\nvolume        0.1875000 ± 0.0000008 (95 %), 18.8 % of a.ply, 12.5 % of b.ply\n"));
  EXPECT_THAT(outcome.out, HasSubstr("16,384"));
  EXPECT_THAT(outcome.out, HasSubstr("ok: every column closes"));
}

TEST_F(Intersect, ToleranceTakesThePlaceOfResolution) {
  const auto asked = run({"intersect", "model:hand", "model:phone", "--tolerance", "0.05%", "--json"}).json();
  EXPECT_EQ(asked["tolerance_met"], true);
  EXPECT_LE(asked["volume_error"].get<double>(), 0.0005 * asked["volume"].get<double>());
  EXPECT_FALSE(run({"intersect", a_, b_, "--json"}).json().contains("tolerance_met"));
  const auto absolute = run({"intersect", "model:hand", "model:phone", "--tolerance", "1e-6", "--json"}).json();
  EXPECT_LE(absolute["volume_error"].get<double>(), 1e-6);

  const std::vector<std::string> hopeless{"intersect", "model:hand", "model:phone", "--tolerance", "1e-20"};
  const Outcome outcome = run(hopeless);
  EXPECT_EQ(outcome.status, 1) << "that they collide is certain all the same";
  EXPECT_THAT(outcome.out, HasSubstr("tolerance     not met with 4096 x 4096 columns"));
  auto strict = hopeless;
  strict.push_back("--strict");
  EXPECT_EQ(run(strict).status, 2);

  for (const std::string bad : {"0", "-1%", "much", "%", "nan%", "inf"}) {
    const Outcome refused = run({"intersect", a_, b_, "--tolerance", bad});
    EXPECT_EQ(refused.status, 2) << bad;
    EXPECT_THAT(refused.err, HasSubstr("--tolerance: '" + bad + "' is no tolerance")) << bad;
  }
  EXPECT_EQ(run({"intersect", a_, b_, "--tolerance", "1%", "--resolution", "64"}).status, 2);
}

TEST_F(Intersect, ProvesWhatItIsAskedTo) {
  const Outcome outcome = run({"intersect", a_, b_, "--certify", "--json"});
  EXPECT_EQ(outcome.status, 1);
  const auto certificate = outcome.json()["certificate"];
  EXPECT_EQ(certificate["certain"], true);
  ASSERT_TRUE(certificate["witness"].is_array());
  for (int k = 0; k < 3; ++k) {
    EXPECT_GT(certificate["witness"][k], k == 1 ? 0.25 : 0.5);
    EXPECT_LT(certificate["witness"][k], 1.0);
  }
  EXPECT_FALSE(run({"intersect", a_, b_, "--json"}).json().contains("certificate"));
  EXPECT_THAT(run({"intersect", a_, b_, "--certify"}).out, HasSubstr("is inside both\n"));

  const std::string touching = save("touching.ply", make_box({1, 0.25f, 0.25f}, {2, 0.5f, 0.5f}));
  const Outcome touch = run({"intersect", a_, touching, "--certify", "--json"});
  EXPECT_EQ(touch.status, 0);
  EXPECT_EQ(touch.json()["certificate"]["certain"], true);
  EXPECT_EQ(touch.json()["certificate"]["touching"], true);
  const Outcome apart = run({"intersect", a_, touching, "--pose-b", "1e-6,0,0", "--certify"});
  EXPECT_EQ(apart.status, 0);
  EXPECT_THAT(apart.out, HasSubstr("proved        yes: no two faces meet, and neither is inside the other"));
  // A film far thinner than a cell.
  EXPECT_EQ(run({"intersect", a_, touching, "--pose-b", "-1e-6,0,0", "--certify"}).status, 1);
}

TEST_F(Intersect, OfDisjointMeshesIsNoCollisionAndHasNoPlace) {
  const Outcome outcome = run({"intersect", a_, b_, "--pose-b", "10,0,0", "--json"});
  EXPECT_EQ(outcome.status, 0);
  const auto json = outcome.json();
  EXPECT_EQ(json["colliding"], false);
  EXPECT_EQ(json["volume"], 0.0);
  EXPECT_EQ(json["spans"], 0);
  for (const char* key : {"centroid", "bounds", "voi", "axis"}) EXPECT_TRUE(json.at(key).is_null()) << key;
  EXPECT_EQ(json["resolution"], nlohmann::ordered_json({128, 128}));

  const Outcome words = run({"intersect", a_, b_, "--pose-b", "10,0,0"});
  EXPECT_EQ(words.status, 0);
  EXPECT_THAT(words.out, StartsWith("colliding     no\n"));
  EXPECT_THAT(words.out, HasSubstr("share no volume"));
}

TEST_F(Intersect, TouchingIsNoCollisionAndContainmentIsOne) {
  const std::string touching = save("touching.ply", make_box({1, 0, 0}, {2, 1, 1}));
  EXPECT_EQ(run({"intersect", a_, touching}).status, 0);
  const std::string inner = save("inner.ply", make_box({0.25f, 0.25f, 0.25f}, {0.5f, 0.5f, 0.5f}));
  const Outcome outcome = run({"intersect", a_, inner, "--json"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NEAR(outcome.json()["volume"].get<double>(), 1.0 / 64, 1e-6);
}

TEST_F(Intersect, PosesRotateAndThenMove) {
  // A quarter turn about z takes the unit cube to x from -1 to 0; moving it by 1.5 leaves 0.5 to 1.5.
  const Outcome outcome =
      run({"intersect", a_, a_, "--pose-b", "1.5,0,0,0,0,0.7071068,0.7071068", "--json", "--axis", "z"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NEAR(outcome.json()["volume"].get<double>(), 0.5, 1e-5);
  expect_vector(outcome.json()["centroid"], {0.75, 0.5, 0.5}, 1e-5);
  // Negative numbers are values, not options; and A moves as B does.
  const auto moved = run({"intersect", a_, a_, "--pose-a", "-0.5,0,0", "--pose-b", "-.25,0,0", "--json"}).json();
  EXPECT_NEAR(moved["volume"].get<double>(), 0.75, 1e-6);
}

TEST_F(Intersect, RefusesPosesThatAreNone) {
  const auto message = [&](const std::string& pose) {
    const Outcome outcome = run({"intersect", a_, b_, "--pose-b", pose});
    EXPECT_EQ(outcome.status, 2) << pose;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(message("1,2"), HasSubstr("has 2 numbers"));
  EXPECT_THAT(message("1,2,x"), HasSubstr("--pose-b: 'x' in '1,2,x' is no number"));
  EXPECT_THAT(message("1,,3"), HasSubstr("is no number"));
  EXPECT_THAT(message("1,2,inf"), HasSubstr("is no number"));
  EXPECT_THAT(message("0,0,0,0,0,0,2"), HasSubstr("length 2"));
  EXPECT_THAT(message("0,0,0,0,0,0,0"), HasSubstr("length 0"));
}

TEST_F(Intersect, ExitZeroIsZeroForAnyAnswerButNotForAnError) {
  EXPECT_EQ(run({"intersect", a_, b_, "--exit-zero"}).status, 0);
  EXPECT_EQ(run({"intersect", a_, at("missing.ply"), "--exit-zero"}).status, 2);
}

TEST_F(Intersect, SaysWhichOptionRaisesTheLimitOnCrossings) {
  for (const char* command : {"intersect", "scene"}) {
    const Outcome outcome = run({command, a_, b_, "--max-crossings", "100"});
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr("more than 100 crossings")) << command;
    EXPECT_THAT(outcome.err, HasSubstr("--max-crossings")) << command;
    EXPECT_THAT(outcome.err, Not(HasSubstr("::"))) << command;
    EXPECT_EQ(run({command, a_, b_, "--max-crossings", "1000000"}).status, 1) << command;
  }
  EXPECT_EQ(run({"intersect", a_, b_, "--max-crossings", "0"}).status, 2);
}

TEST_F(Intersect, ShowsWhereAnOverlapFarFromTheOriginIs) {
  const Outcome words = run({"intersect", a_, b_, "--pose-a", "1e6,0,0", "--pose-b", "1e6,0,0"});
  EXPECT_THAT(words.out, HasSubstr("100000")) << words.out;
  EXPECT_THAT(words.out, Not(HasSubstr("e+06"))) << words.out;
}

TEST_F(Intersect, NamesAMissingFile) {
  const Outcome outcome = run({"intersect", a_, at("missing.ply"), "--json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("lamella: "));
  EXPECT_THAT(outcome.err, HasSubstr("missing.ply"));
}

TEST_F(Intersect, AnswersForTheColumnsOfAnOpenMeshThatCloseAndSaysSo) {
  // Rays along x pass through the hole of every column; rays along z pass it by.
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const auto sound = run({"intersect", open, b_, "--json", "--axis", "z", "--as-is"}).json();
  EXPECT_EQ(sound["health"]["ok"], true);
  EXPECT_NEAR(sound["volume"].get<double>(), kShared, 1e-6);
  const auto closed = run({"intersect", open, b_, "--json", "--axis", "x"}).json();
  EXPECT_EQ(closed["health"]["ok"], false) << "what info calls open is not ok";
  EXPECT_EQ(closed["health"]["closed_edges"], 4);
  EXPECT_NEAR(closed["volume"].get<double>(), kShared, 1e-6);

  const auto json = run({"intersect", open, b_, "--json", "--axis", "x", "--as-is"}).json();
  EXPECT_EQ(json["health"]["ok"], false);
  EXPECT_GT(json["health"]["open_columns"], 0);
  EXPECT_GT(json["health"]["untrusted_volume"], 0.0);
  const Outcome words = run({"intersect", open, b_, "--axis", "x", "--as-is"});
  EXPECT_THAT(words.out, HasSubstr("do not close (100 %): left out; the volume may be short by up to"));
  EXPECT_THAT(words.out, HasSubstr("run `lamella info " + open));
}

TEST_F(Intersect, StrictMakesAnOpenMeshAnError) {
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"intersect", open, b_, "--axis", "x", "--strict", "--json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("lamella: "));
  EXPECT_EQ(run({"intersect", a_, b_, "--strict"}).status, 1);
}

TEST_F(Intersect, PointsOutAMeshThatIsInsideOut) {
  const std::string inverted = save("inverted.ply", flipped(kB));
  const Outcome outcome = run({"intersect", a_, inverted});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.out, HasSubstr(inverted + ": faces look inwards"));
  EXPECT_EQ(run({"intersect", a_, inverted, "--exit-zero"}).status, 0);
  const auto json = run({"intersect", a_, inverted, "--json"}).json();
  EXPECT_EQ(json["verdict"], "undecided");
  EXPECT_EQ(json["colliding"], false);
  ASSERT_EQ(json["doubts"].size(), 1u);
  EXPECT_THAT(json["doubts"][0].get<std::string>(), StartsWith(inverted));
  const Outcome strict = run({"intersect", a_, inverted, "--strict"});
  EXPECT_EQ(strict.status, 2);
  EXPECT_THAT(strict.err, HasSubstr(inverted));
  EXPECT_EQ(run({"intersect", a_, inverted, "--repair"}).status, 1);
}

TEST_F(Intersect, PartsPosedFarAwayAnswerAsAtTheOrigin) {
  for (const std::string far : {"1e6,1e6,1e6", "1e7,-1e7,1e7", "12345678.9,1e7,-9876543.21"}) {
    const Outcome outcome = run({"intersect", a_, b_, "--pose-a", far, "--pose-b", far, "--json"});
    EXPECT_EQ(outcome.status, 1) << far;
    EXPECT_NEAR(outcome.json()["volume"].get<double>(), kShared, 1e-5) << far;
  }
}

TEST_F(Intersect, WritesTheOverlapAsAClosedMeshOfTheSameVolume) {
  for (const std::string name : {"overlap.ply", "overlap.obj", "overlap.stl"}) {
    const Outcome outcome = run({"intersect", a_, b_, "--resolution", "16", "--volume", at(name)});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "");
    const Mesh mesh = read_mesh(at(name));
    const MeshReport report = inspect(mesh);
    EXPECT_NEAR(report.volume, kShared, 1e-5) << name;
    EXPECT_EQ(report.boundary_edges, 0u) << name;
    // STL knows no shared vertices: neighbouring prisms grow together when they are welded.
    EXPECT_TRUE(report.closed || name.ends_with(".stl")) << name;
  }
}

TEST_F(Intersect, WritesTheOverlapAsOneSmoothSurface) {
  for (const std::string name : {"overlap.ply", "overlap.obj", "overlap.stl"}) {
    const Outcome outcome =
        run({"intersect", a_, b_, "--resolution", "16", "--volume", at(name), "--volume-form", "smooth"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "");
    const MeshReport report = inspect(read_mesh(at(name)));
    EXPECT_NEAR(report.volume, kShared, 1e-5) << name;
    EXPECT_TRUE(report.closed) << name;
    EXPECT_EQ(report.components, 1u) << name;
  }
}

TEST_F(Intersect, SaysWhatIsTooThinForASmoothSurface) {
  // Two plates of 0.01 with 0.5 between them: 8 cells along 0.52 see neither.
  Mesh plates = make_box({0, 0, 0}, {1, 1, 0.01f});
  append(plates, make_box({0, 0, 0.51f}, {1, 1, 0.52f}));
  const std::string thin = save("plates.ply", plates), all = save("all.ply", make_box({-1, -1, -1}, {2, 2, 2}));
  Outcome outcome =
      run({"intersect", thin, all, "--resolution", "8", "--volume", at("o.ply"), "--volume-form", "smooth"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("thinner than a cell"));
  EXPECT_THAT(outcome.err, HasSubstr("o.ply was not written"));
  EXPECT_FALSE(std::filesystem::exists(at("o.ply")));

  append(plates, make_box({0, 0, 0.15f}, {1, 1, 0.3f}));
  const std::string three = save("three.ply", plates);
  outcome = run({"intersect", three, all, "--resolution", "8", "--volume", at("o.ply"), "--volume-form", "smooth"});
  EXPECT_THAT(outcome.err, HasSubstr("o.ply may lack a volume of up to 0.0"));
  EXPECT_NEAR(inspect(read_mesh(at("o.ply"))).volume, 0.15, 1e-4);
}

TEST_F(Intersect, RefusesAnUnknownFormOfTheVolumeAndOneWithoutAFile) {
  EXPECT_THAT(run({"intersect", a_, b_, "--volume", at("o.ply"), "--volume-form", "round"}).err,
              HasSubstr("--volume-form: 'round' is none; type columns or smooth"));
  EXPECT_THAT(run({"intersect", a_, b_, "--volume-form", "smooth"}).err, HasSubstr("--volume"));
}

TEST_F(Intersect, WithoutOverlapWritesNoVolumeAndSaysSo) {
  const Outcome outcome = run({"intersect", a_, b_, "--pose-b", "9,9,9", "--json", "--volume", at("overlap.ply")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("overlap.ply was not written"));
  EXPECT_EQ(outcome.json()["colliding"], false);
  EXPECT_FALSE(std::filesystem::exists(at("overlap.ply")));
}

TEST_F(Intersect, DrawsAPicture) {
  const Outcome outcome = run({"intersect", a_, b_, "--resolution", "16", "--picture", at("scene.png")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(content(at("scene.png")), StartsWith("\x89PNG\r\n"));
  EXPECT_EQ(file_count(), 3u);
}

TEST_F(Intersect, RefusesFilesItCannotWrite) {
  EXPECT_THAT(run({"intersect", a_, b_, "--volume", at("overlap.xyz")}).err, HasSubstr(".ply .obj .stl"));
  EXPECT_THAT(run({"intersect", a_, b_, "--picture", at("scene.jpg")}).err, HasSubstr(".png"));
  const Outcome outcome = run({"intersect", a_, b_, "--volume", at("no/such/folder.ply")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("folder.ply"));
}

}  // namespace
}  // namespace lamella::test
