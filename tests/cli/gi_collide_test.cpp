#include "cli/gi_support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

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
    EXPECT_EQ(json["verdict"], "clear");
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
  EXPECT_EQ(collide({ball, ball, "--pose-b", "0,0,2.0001"})["verdict"], "clear");
  EXPECT_EQ(collide({ball, small})["verdict"], "clear");
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

TEST_F(GiCollide, WithoutEnoughTestsIsUndecided) {
  const std::string ball = save_sphere("ball.tiff");
  const Outcome outcome = run({"gi", "collide", ball, ball, "--pose-b", "1,0.1,0.2", "--max-tests", "50", "--json"});
  EXPECT_EQ(outcome.status, 4);
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

TEST_F(GiPicture, HasTheSizeAskedFor) {
  const std::string ball = save_sphere("ball.tiff");
  EXPECT_EQ(run({"gi", "picture", ball, "-o", at("sheet.png"), "--size", "1000x1000"}).status, 0);
  EXPECT_EQ(png_size(at("sheet.png")), std::pair(1000u, 1000u));
  expect_refusal({"gi", "picture", ball, "-o", at("small.png"), "--size", "200x1000"},
                 "the sheet does not fit into 200x1000 pixels; ask for 800x");
  const Outcome both = run({"gi", "collide", ball, "model:box", "--scale-b", "0.9", "--picture", at("both.png"),
                            "--size", "90x300", "--up", "-y"});
  EXPECT_EQ(both.status, 1) << both.err;
  EXPECT_EQ(png_size(at("both.png")), std::pair(90u, 300u));
}

TEST_F(GiCollide, ScalesImagesAndMeshes) {
  const std::string ball = save_sphere("ball.tiff");
  EXPECT_EQ(run({"gi", "collide", ball, ball, "--pose-b", "0,0,2.5"}).status, 0);
  EXPECT_EQ(run({"gi", "collide", ball, ball, "--scale-b", "1.6", "--pose-b", "0,0,2.5"}).status, 1);
  EXPECT_EQ(run({"gi", "collide", "model:box", ball, "--scale-a", "0.4"}).status, 0) << "inside it";
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

TEST_F(GiCollide, WalksAndSpheresAsPublishedGiveTheSamePairs) {
  const std::string ball = save_sphere("ball.tiff");
  const auto ours = collide({ball, ball, "--pose-b", "1,0.1,0.2", "--all"});
  EXPECT_EQ(ours["spheres"], "tight");
  EXPECT_EQ(ours["walk"], "guided");
  const auto published =
      collide({ball, ball, "--pose-b", "1,0.1,0.2", "--all", "--spheres", "published-enclosing", "--walk", "zigzag"});
  EXPECT_EQ(published["spheres"], "published-enclosing");
  EXPECT_EQ(published["walk"], "zigzag");
  EXPECT_EQ(published["enclosing"], true);
  EXPECT_EQ(published["pairs"].size(), ours["pairs"].size());
  EXPECT_GT(published["tests"]["spheres"], ours["tests"]["spheres"]) << "they are larger";
}

TEST_F(GiCollide, PublishedSpheresThatFoundNothingAreNotSure) {
  const std::string ball = save_sphere("ball.tiff");
  const Outcome apart = run({"gi", "collide", ball, ball, "--pose-b", "9,0,0", "--spheres", "published", "--json"});
  EXPECT_EQ(apart.status, 4) << "0 would mean that there is no collision";
  EXPECT_EQ(apart.json()["verdict"], "undecided");
  EXPECT_TRUE(apart.json()["colliding"].is_null());
  EXPECT_EQ(apart.json()["complete"], true);
  EXPECT_EQ(apart.json()["enclosing"], false);
  const Outcome words = run({"gi", "collide", ball, ball, "--pose-b", "9,0,0", "--spheres", "published"});
  EXPECT_THAT(words.out, HasSubstr("undecided: none was found, but published spheres leave out a part"));
  EXPECT_EQ(run({"gi", "collide", ball, ball, "--pose-b", "9,0,0", "--spheres", "published-enclosing"}).status, 0);
}

TEST_F(GiCollide, CompactBodiesTakeHalfTheMemoryAndFindTheSame) {
  const std::string ball = save_sphere("ball.tiff");
  const auto floats = collide({ball, ball, "--pose-b", "1,0.1,0.2", "--all"});
  const auto codes = collide({ball, ball, "--pose-b", "1,0.1,0.2", "--all", "--compact"});
  EXPECT_EQ(codes["body_bytes"].get<int>() * 2, floats["body_bytes"].get<int>());
  const auto sorted = [](const auto& json) {
    std::vector<std::vector<int>> pairs = json["pairs"];
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  };
  EXPECT_EQ(sorted(codes), sorted(floats));
  const auto larger = collide({ball, ball, "--pose-b", "2.5,0,0", "--compact", "--scale-b", "2"});
  EXPECT_EQ(larger["verdict"], "colliding");
  EXPECT_EQ(collide({ball, ball, "--pose-b", "2.5,0,0", "--compact"})["verdict"], "clear");
  EXPECT_EQ(run({"gi", "collide", ball, ball, "--compact", "--picture", at("codes.png")}).status, 1);
  EXPECT_FALSE(content(at("codes.png")).empty());
}

TEST_F(GiCollide, RefusesVariantsThatAreNot) {
  const std::string ball = save_sphere("ball.tiff");
  const Outcome spheres = run({"gi", "collide", ball, ball, "--spheres", "loose"});
  EXPECT_EQ(spheres.status, 2);
  EXPECT_THAT(spheres.err, HasSubstr("--spheres: there is no 'loose'; type one of: tight, fast, published"));
  const Outcome walk = run({"gi", "collide", ball, "model:box", "--walk", "zigzag"});
  EXPECT_EQ(walk.status, 2);
  EXPECT_THAT(walk.err, HasSubstr("--walk zigzag: model:box is a mesh"));
}

}  // namespace
}  // namespace lamella::test
