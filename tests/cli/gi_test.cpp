#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "cli/program.hpp"
#include "lamella/geometry_image_io.hpp"
#include "scenes/models.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kFaces = 1000;

class Gi : public Program {
 protected:
  /// Fails with status 2, a message with these words, and nothing else.
  void expect_refusal(const std::vector<std::string>& arguments, const std::string& words) const {
    const std::size_t files = file_count();
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(StartsWith("lamella: "), HasSubstr(words)));
    EXPECT_EQ(file_count(), files) << "something was left behind";
  }

  /// A file with an image of a sphere about the origin; its poles along z are vertices of it.
  [[nodiscard]] std::string save_sphere(const std::string& name, float radius = 1, int n = 4) const {
    write_images(at(name), {image_of_sphere(n, {}, radius)});
    return at(name);
  }
  /// A sphere pressed flat: a fifth as high as it is wide.
  [[nodiscard]] std::string save_disc(const std::string& name) const {
    GeometryImage disc = image_of_sphere(4);
    disc.normals.clear();
    for (Vec3& p : disc.positions) p.z *= 0.2f;
    write_images(at(name), {disc});
    return at(name);
  }
  /// The answer in JSON.
  [[nodiscard]] nlohmann::ordered_json collide(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{"gi", "collide", "--json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(all).json();
  }
};

std::pair<unsigned, unsigned> png_size(const std::string& path) {
  const std::string bytes = content(path);
  if (bytes.size() < 24 || !bytes.starts_with("\x89PNG\r\n")) return {};
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  return {number(16), number(20)};
}

using GiMake = Gi;

TEST_F(GiMake, OfATorusReportsWhatItDid) {
  const std::string torus = save("torus.ply", scenes::torus(kFaces));
  const Outcome outcome = run({"gi", "make", torus, "-n", "5", "-o", at("torus.tiff"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "n", "images", "diagonal", "output", "bytes", "ms", "file"});
  EXPECT_EQ(json["query"], "gi make");
  EXPECT_EQ(json["bytes"], std::filesystem::file_size(at("torus.tiff")));
  expect_keys(json["ms"], {"read", "make", "write", "total"});
  ASSERT_EQ(json["images"].size(), 1u);
  const auto& image = json["images"][0];
  expect_keys(image, {"triangles", "genus", "cut", "flipped", "stretch", "volume", "image_volume", "volume_difference",
                      "distance", "relative_distance", "map_distance"});
  EXPECT_EQ(image["genus"], 1);
  EXPECT_EQ(image["flipped"], 0);
  EXPECT_GT(image["cut"]["edges"].get<int>(), 0);
  EXPECT_GT(image["cut"]["length"].get<double>(), 2) << "round the tube and round the hole";
  EXPECT_LT(std::abs(image["volume_difference"].get<double>()), 0.1);
  EXPECT_LT(image["relative_distance"].get<double>(), 0.1);

  const auto info = run({"gi", "info", at("torus.tiff"), "--json"}).json();
  EXPECT_EQ(info["images"][0]["closed"], true);
  EXPECT_EQ(info["images"][0]["side"], 33);
  EXPECT_NEAR(info["images"][0]["volume"].get<double>(), image["image_volume"].get<double>(), 1e-3);
}

TEST_F(GiMake, ForPeopleHasALineForEachFigure) {
  const std::string ball = save("ball.ply", scenes::sphere(kFaces));
  const Outcome outcome = run({"gi", "make", ball, "-n", "5", "-o", at("ball.tiff")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* text : {"genus         0\n", "cut  ", "0 triangles flipped", "volume        mesh ",
                           "of the diagonal", "1 image of 33 x 33 vertices", "time  "}) {
    EXPECT_THAT(outcome.out, HasSubstr(text));
  }
}

TEST_F(GiMake, GivesAnImageForEachComponent) {
  const Mesh far = transformed(scenes::sphere(kFaces, 0.5f), {{3, 0, 0}, {}});
  const std::string two = save("two.ply", joined(far, scenes::sphere(kFaces)));
  const auto json = run({"gi", "make", two, "-n", "4", "-o", at("two.tiff"), "--json"}).json();
  ASSERT_EQ(json["images"].size(), 2u);
  EXPECT_GT(json["images"][0]["volume"].get<double>(), json["images"][1]["volume"].get<double>()) << "largest first";
  EXPECT_EQ(run({"gi", "info", at("two.tiff"), "--json"}).json()["images"].size(), 2u);
}

TEST_F(GiMake, OfABuiltInModelNeedsNoFile) {
  const Outcome outcome =
      run({"gi", "make", "--model", "sphere", "--faces", "500", "-n", "3", "-o", at("s.tif"), "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["file"], "sphere");
}

TEST_F(GiMake, SaysThatAMeshIsInsideOut) {
  Mesh ball = scenes::sphere(kFaces);
  const Outcome outside = run({"gi", "make", save("ball.ply", ball), "-n", "4", "-o", at("ball.tiff")});
  EXPECT_THAT(outside.out, testing::Not(HasSubstr("inside out"))) << outside.err;
  for (Triangle& t : ball.triangles) std::swap(t.b, t.c);
  const Outcome inside = run({"gi", "make", save("turned.ply", ball), "-n", "4", "-o", at("turned.tiff")});
  EXPECT_THAT(inside.out, HasSubstr(" (inside out), image -")) << inside.err;
}

TEST_F(GiMake, WarnsOfMuchVolumeLost) {
  const std::string ball = save("ball.ply", scenes::sphere(kFaces));
  const std::string words = "differs by more than 5 %: use a larger -n";
  EXPECT_THAT(run({"gi", "make", ball, "-n", "2", "-o", at("ball.tiff")}).out, HasSubstr(words));
  EXPECT_THAT(run({"gi", "make", ball, "-n", "5", "-o", at("ball.tiff")}).out,
              AllOf(HasSubstr("volume  "), testing::Not(HasSubstr(words))));
}

TEST_F(GiMake, OfAPointHasNoPercentages) {
  Mesh point = make_box({1, 1, 1}, {1, 1, 1});
  const Outcome outcome = run({"gi", "make", save("point.ply", point), "-n", "3", "-o", at("point.tiff")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("distance      0"), testing::Not(HasSubstr("nan %"))));
}

TEST_F(GiMake, StoppedWhileWritingLeavesNoFile) {
  for (const auto& [number, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    const Outcome outcome = run_and_signal(
        {"gi", "make", "--model", "sphere", "--faces", "200", "-n", "11", "-o", at("ball.tiff")}, number, ".part");
    EXPECT_EQ(outcome.status, status);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(StartsWith("lamella: stopped by "), HasSubstr("ball.tiff is not written\n")));
    EXPECT_EQ(file_count(), 0u) << "something was left behind";
  }
}

TEST_F(GiMake, RefusesMeshesThatAreNotClosed) {
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  expect_refusal({"gi", "make", open, "-o", at("open.tiff")}, "open.ply: ");
}

TEST_F(GiMake, RefusesWhatCannotBeUsed) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1})), out = at("out.tiff");
  const std::string image = save_sphere("ball.tiff");
  expect_refusal({"gi", "make", "-o", out}, "a mesh file or --model NAME");
  expect_refusal({"gi", "make", box, "--model", "hand", "-o", out}, "one of the two");
  expect_refusal({"gi", "make", box}, "-o FILE.tiff");
  expect_refusal({"gi", "make", at("none.ply"), "-o", out}, "none.ply");
  expect_refusal({"gi", "make", image, "-o", out}, "is a geometry image already");
  expect_refusal({"gi", "make", "--model", "teapot", "-o", out}, "'teapot'");
  expect_refusal({"gi", "make", box, "-o", out, "-n", "1"}, "-n: '1' is not a whole number from 2 to 13");
  expect_refusal({"gi", "make", box, "-o", out, "--faces", "50"}, "--faces: is for built-in models");
  expect_refusal({"gi", "make", box, "-o", out, "-n", "14"}, "-n: '14'");
  expect_refusal({"gi", "make", box, "-o", out, "-n", "eight"}, "-n: 'eight'");
  expect_refusal({"gi", "make", box, "-o", out, "--max-cuts", "-1"}, "--max-cuts: '-1'");
  expect_refusal({"gi", "make", box, "-o", at("out.png")}, "must end in one of: .tiff .tif");
  expect_refusal({"gi", "make", box, "-o", at("none/out.tiff")}, "is its folder there and writable?");
}

using GiInfo = Gi;

TEST_F(GiInfo, TellsSizesClosednessAndMemory) {
  const Outcome outcome = run({"gi", "info", save_sphere("ball.tiff", 2), "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "images", "bytes", "file"});
  EXPECT_EQ(json["bytes"], std::filesystem::file_size(at("ball.tiff")));
  const auto& image = json["images"][0];
  expect_keys(image, {"n", "side", "vertices", "triangles", "closed", "boundary_edges", "degenerate_triangles",
                      "volume", "area", "box", "step", "root", "pages", "stored_bytes", "memory"});
  EXPECT_EQ(image["n"], 4);
  EXPECT_EQ(image["vertices"], 17 * 17);
  EXPECT_EQ(image["triangles"], 512);
  EXPECT_EQ(image["closed"], true);
  EXPECT_NEAR(image["volume"].get<double>(), 33.5, 1.5);
  EXPECT_NEAR(image["root"]["radius"].get<double>(), 2, 0.1);
  EXPECT_NEAR(image["step"][2].get<double>(), 4.0 / 65535, 1e-7);
  ASSERT_EQ(image["pages"].size(), 3u);
  EXPECT_EQ(image["pages"][0]["kind"], "positions");
  EXPECT_EQ(image["pages"][2]["kind"], "pyramid");
  EXPECT_EQ(image["pages"][2]["width"], 24);
  EXPECT_EQ(image["memory"]["total"], 2 * 17 * 17 * 12 + 24 * 16 * 16);
  EXPECT_LT(image["memory"]["s"].get<double>(), 4) << "the paper's own count";
}

TEST_F(GiInfo, SaysThatAHeightFieldIsASheet) {
  const std::vector<float> flat(9 * 9, 0.0f);
  write_images(at("flat.tiff"), {image_from_heights(flat, {0, 0, 0}, {1, 1, 0})});
  const Outcome outcome = run({"gi", "info", at("flat.tiff")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("closed        no: 32 boundary edges, a sheet"), HasSubstr("9 x 9")));
}

TEST_F(GiInfo, ReportsTheOthersWhenOneCannotBeRead) {
  const Outcome outcome = run({"gi", "info", at("none.tiff"), save_sphere("ball.tiff")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("none.tiff"));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("ball.tiff"), HasSubstr("closed        yes")));
}

TEST_F(GiInfo, RefusesWhatIsNoGeometryImage) {
  const std::string whole = content(save_sphere("ball.tiff"));
  for (const std::size_t part : {std::size_t{0}, std::size_t{6}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(at("cut.tiff"), std::ios::binary) << whole.substr(0, part);
    expect_refusal({"gi", "info", at("cut.tiff")}, "cut.tiff");
  }
  expect_refusal({"gi", "info", save_text("words.tiff", "no image at all")}, "words.tiff");
  expect_refusal({"gi", "info", save("box.ply", make_box({0, 0, 0}, {1, 1, 1}))},
                 "is a mesh, not a geometry image; make one of it: lamella gi make " + at("box.ply") + " -o box.tiff");
}

using GiCollide = Gi;

TEST_F(GiCollide, TellsTheFirstPairOfTriangles) {
  const std::string ball = save_sphere("ball.tiff");
  const Outcome outcome = run({"gi", "collide", ball, ball, "--pose-b", "1,0.1,0.2", "--json"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "colliding", "verdict", "complete", "pairs", "level", "place", "within", "tests", "ms"});
  EXPECT_EQ(json["query"], "gi collide");
  EXPECT_EQ(json["colliding"], true);
  EXPECT_EQ(json["verdict"], "colliding");
  ASSERT_EQ(json["pairs"].size(), 1u);
  EXPECT_EQ(json["pairs"][0].size(), 4u);
  EXPECT_EQ(json["level"], 4);
  EXPECT_EQ(json["within"], 0.0);
  EXPECT_NEAR(json["place"][0].get<double>(), 0.5, 0.3);
  expect_keys(json["tests"], {"spheres", "triangles"});
  expect_keys(json["ms"], {"read", "pyramid", "collide", "total"});
  EXPECT_EQ(run({"gi", "collide", ball, ball, "--exit-zero"}).status, 0);
}

TEST_F(GiCollide, MissesWhatIsApartAndHasNoInfinityInJson) {
  const std::string disc = save_disc("disc.tiff");
  for (const std::string pose : {"0,0,5", "0,0,0.5"}) {
    const Outcome outcome = run({"gi", "collide", disc, disc, "--pose-b", pose, "--json"});
    EXPECT_EQ(outcome.status, 0) << pose;
    const auto json = outcome.json();
    EXPECT_EQ(json["colliding"], false);
    EXPECT_EQ(json["verdict"], "separate");
    EXPECT_EQ(json["complete"], true);
    EXPECT_TRUE(json["pairs"].empty());
    EXPECT_TRUE(json["within"].is_null());
    EXPECT_TRUE(json["place"].is_null());
    EXPECT_EQ(json["level"].get<int>() >= 0, pose == "0,0,0.5") << "there the outermost spheres overlap";
  }
}

TEST_F(GiCollide, SurfacesThatTouchCollideAndOneInsideAnotherDoesNot) {
  const std::string ball = save_sphere("ball.tiff"), small = save_sphere("small.tiff", 0.5f);
  EXPECT_EQ(collide({ball, ball, "--pose-b", "0,0,2"})["verdict"], "colliding");
  EXPECT_EQ(collide({ball, ball, "--pose-b", "0,0,2.0001"})["verdict"], "separate");
  EXPECT_EQ(collide({ball, small})["verdict"], "separate");
}

TEST_F(GiCollide, PlacesBoth) {
  const std::string ball = save_sphere("ball.tiff");
  EXPECT_EQ(collide({ball, ball, "--pose-a", "7,0,0", "--pose-b", "8,0,0"})["colliding"], true);
  EXPECT_EQ(collide({ball, ball, "--pose-a", "7,0,0"})["colliding"], false);
}

TEST_F(GiCollide, WithAllListsEveryPairAndWritesThem) {
  const std::string ball = save_sphere("ball.tiff");
  const auto json = collide({ball, ball, "--pose-b", "1,0.1,0.2", "--all", "--pairs", at("pairs.csv")});
  ASSERT_GT(json["pairs"].size(), 20u);
  const std::string csv = content(at("pairs.csv"));
  EXPECT_THAT(csv, StartsWith("image_a,triangle_a,image_b,triangle_b\n"));
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), json["pairs"].size() + 1);
  const auto& last = json["pairs"].back();
  EXPECT_THAT(
      csv, testing::EndsWith(std::to_string(last[1].get<int>()) + ",0," + std::to_string(last[3].get<int>()) + "\n"));
  const Outcome words = run({"gi", "collide", ball, ball, "--pose-b", "1,0.1,0.2", "--all"});
  EXPECT_THAT(words.out, HasSubstr("pairs         " + std::to_string(json["pairs"].size()) + " of triangles\n"));
}

TEST_F(GiCollide, WithoutEnoughTestsIsUndecidedAndCountsAsACollision) {
  const std::string ball = save_sphere("ball.tiff");
  const Outcome outcome = run({"gi", "collide", ball, ball, "--pose-b", "1,0.1,0.2", "--max-tests", "50", "--json"});
  EXPECT_EQ(outcome.status, 1);
  const auto json = outcome.json();
  EXPECT_TRUE(json["colliding"].is_null());
  EXPECT_EQ(json["verdict"], "undecided");
  EXPECT_EQ(json["complete"], false);
  EXPECT_GT(json["within"].get<double>(), 0);
  const Outcome words = run({"gi", "collide", ball, ball, "--pose-b", "1,0.1,0.2", "--max-tests", "50"});
  EXPECT_THAT(words.out, HasSubstr("undecided: the tests ran out"));
}

TEST_F(GiCollide, KeepsBudgetsOfTime) {
  const std::string ball = save_sphere("ball.tiff");
  const auto without = collide({ball, ball, "--pose-b", "1,0.1,0.2", "--all"});
  for (const char* budget : {"10s", "10000ms", "10000000us", "1e1s"}) {
    EXPECT_EQ(collide({ball, ball, "--pose-b", "1,0.1,0.2", "--all", "--budget", budget})["pairs"], without["pairs"]);
  }
  const auto hasty = collide({ball, ball, "--pose-b", "1,0.1,0.2", "--all", "--budget", "1ns"});
  EXPECT_EQ(hasty["complete"], false);
  EXPECT_LT(hasty["pairs"].size(), without["pairs"].size());
}

TEST_F(GiCollide, TellsWhichLimitEndedIt) {
  const std::string ball = save_sphere("ball.tiff");
  const std::string tests = run({"gi", "collide", ball, ball, "--max-tests", "5", "--budget", "10s"}).out;
  EXPECT_THAT(tests, HasSubstr("undecided: the tests ran out"));
  const std::string time = run({"gi", "collide", ball, ball, "--max-tests", "1000000", "--budget", "1ns"}).out;
  EXPECT_THAT(time, AllOf(HasSubstr("undecided: the time ran out"),
                          HasSubstr("level         none: the time ran out before any sphere was looked at")));
  const std::string apart = run({"gi", "collide", ball, ball, "--pose-b", "9,0,0"}).out;
  EXPECT_THAT(apart, HasSubstr("level         none: not even the outermost spheres overlap"));
}

TEST_F(GiCollide, CanEndAtALevelOfSpheres) {
  const std::string disc = save_disc("disc.tiff");
  const auto json = collide({disc, disc, "--pose-b", "0,0,0.5", "--max-level", "1", "--all"});
  EXPECT_EQ(json["verdict"], "colliding") << "the spheres do, the triangles do not";
  EXPECT_EQ(json["max_level"], 1);
  EXPECT_GT(json["sphere_pairs"].get<int>(), 0);
  EXPECT_GT(json["within"].get<double>(), 0);
  EXPECT_TRUE(json["pairs"].empty());
  EXPECT_EQ(json["tests"]["triangles"], 0);
}

TEST_F(GiCollide, TakesAMeshOnEitherSide) {
  const std::string ball = save_sphere("ball.tiff");
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const auto second = collide({ball, box, "--pose-b", "0.4,0.3,0.2", "--all"});
  EXPECT_EQ(second["colliding"], true);
  for (const auto& pair : second["pairs"]) EXPECT_LT(pair[3].get<int>(), 12);
  const auto first = collide({box, ball, "--pose-a", "0.4,0.3,0.2", "--all"});
  ASSERT_EQ(first["pairs"].size(), second["pairs"].size());
  for (std::size_t i = 0; i < first["pairs"].size(); ++i) {
    EXPECT_EQ(first["pairs"][i][1], second["pairs"][i][3]);
    EXPECT_EQ(first["pairs"][i][3], second["pairs"][i][1]);
  }
  EXPECT_EQ(run({"gi", "collide", ball, box, "--pose-b", "2,0,0"}).status, 0);
}

TEST_F(GiCollide, IsDrawnAsAPicture) {
  const std::string ball = save_sphere("ball.tiff");
  const Outcome outcome = run({"gi", "collide", ball, save("box.ply", make_box({0, 0, 0}, {1, 1, 1})), "--all",
                               "--picture", at("out.png"), "--exit-zero"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(png_size(at("out.png")), (std::pair{1280u, 960u}));
}

TEST_F(GiCollide, RefusesWhatCannotBeUsed) {
  const std::string ball = save_sphere("ball.tiff"), box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  expect_refusal({"gi", "collide", box, box},
                 "are both meshes, and one must be a geometry image; make one: lamella gi");
  expect_refusal({"gi", "collide", ball}, "B is required");
  expect_refusal({"gi", "collide", ball, at("none.tiff")}, "none.tiff");
  expect_refusal({"gi", "collide", ball, at("none.ply")}, "none.ply");
  expect_refusal({"gi", "collide", ball, save_text("what.xyz", "0 0 0\n")}, "what.xyz");
  for (const char* budget : {"", "15", "ms", "15 ms", "-1ms", "0s", "nans", "infs", "15min", "2h", "1e9s"}) {
    expect_refusal({"gi", "collide", ball, ball, "--budget", budget}, std::string("--budget: '") + budget + "'");
  }
  expect_refusal({"gi", "collide", ball, ball, "--max-level", "14"}, "--max-level: '14'");
  expect_refusal({"gi", "collide", ball, ball, "--max-tests", "0"}, "--max-tests: '0'");
  expect_refusal({"gi", "collide", ball, ball, "--pose-a", "1,2"}, "--pose-a: '1,2' has 2 numbers");
  expect_refusal({"gi", "collide", ball, ball, "--pairs", at("pairs.txt")}, "must end in one of: .csv");
  expect_refusal({"gi", "collide", ball, ball, "--pairs", at("none/pairs.csv")}, "none/pairs.csv");
}

using GiPicture = Gi;

TEST_F(GiPicture, IsOneSheetWithTheOriginalBesideIt) {
  write_images(at("two.tiff"), {image_of_sphere(4), image_of_sphere(2, {2, 0, 0}, 0.5f)});
  const std::string original = save("ball.ply", scenes::sphere(kFaces));
  const Outcome outcome =
      run({"gi", "picture", at("two.tiff"), "-o", at("sheet.png"), "--mesh", original, "--up", "z"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_EQ(png_size(at("sheet.png")).first, 1680u);
  EXPECT_GT(png_size(at("sheet.png")).second, 1200u);
}

TEST_F(GiPicture, OfTheSmallestImageHasTheLevelsThatThereAre) {
  const Outcome outcome = run({"gi", "picture", save_sphere("ball.tiff", 1, 1), "-o", at("sheet.png")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(png_size(at("sheet.png")).first, 1680u);
}

TEST_F(GiPicture, OfManyImagesHasSpheresOfOne) {
  std::vector<GeometryImage> many;
  for (int i = 0; i < 70; ++i) many.push_back(image_of_sphere(2, {3.0f * static_cast<float>(i), 0, 0}));
  write_images(at("many.tiff"), many);
  write_images(at("fewer.tiff"), {many.begin(), many.begin() + 30});
  for (const std::string name : {"many", "fewer"}) {
    const Outcome outcome = run({"gi", "picture", at(name + ".tiff"), "--image", "20", "-o", at(name + ".png")});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(png_size(at(name + ".png")).first, 1680u);
  }
}

TEST_F(GiPicture, RefusesWhatCannotBeUsed) {
  const std::string ball = save_sphere("ball.tiff"), out = at("out.png");
  expect_refusal({"gi", "picture", ball}, "-o OUT.png");
  expect_refusal({"gi", "picture", ball, "-o", at("out.jpg")}, "must end in one of: .png");
  expect_refusal({"gi", "picture", ball, "-o", at("none/out.png")}, "is its folder there and writable?");
  expect_refusal({"gi", "picture", ball, "-o", out, "--image", "1"}, "--image: 1 is beyond the last");
  expect_refusal({"gi", "picture", ball, "-o", out, "--up", "w"}, "--up: 'w' is no axis");
  expect_refusal({"gi", "picture", ball, "-o", out, "--mesh", at("none.ply")}, "none.ply");
  expect_refusal({"gi", "picture", save("box.ply", make_box({0, 0, 0}, {1, 1, 1})), "-o", out}, "is a mesh");
}

TEST_F(Gi, ExplainsItself) {
  for (const std::string name : {"make", "info", "collide", "picture"}) {
    const Outcome outcome = run({"gi", name, "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Example:\n  lamella gi " + name));
  }
  EXPECT_THAT(run({"gi", "collide", "--help"}).out, AllOf(HasSubstr("Exit status 0"), HasSubstr("undecided")));
  EXPECT_THAT(run({"--help"}).out, AllOf(HasSubstr("Geometry images"), HasSubstr("gi collide")));
  expect_refusal({"gi"}, "subcommand is required");
  expect_refusal({"gi", "colide", "a", "b"}, "did you mean collide?");
  expect_refusal({"gi", "make", "--max-cut", "3"}, "did you mean --max-cuts?");
}

}  // namespace
}  // namespace lamella::test
