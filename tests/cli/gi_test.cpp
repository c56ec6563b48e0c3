#include "cli/gi_support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

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
  const Outcome outcome = run({"gi", "make", "model:sphere:500", "-n", "3", "-o", at("s.tif"), "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["file"], "model:sphere:500");
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
    const Outcome outcome =
        run_and_signal({"gi", "make", "model:sphere:200", "-n", "11", "-o", at("ball.tiff")}, number, ".part");
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
  expect_refusal({"gi", "make", "-o", out}, "MESH is required");
  expect_refusal({"gi", "make", box}, "-o FILE.tiff");
  expect_refusal({"gi", "make", at("none.ply"), "-o", out}, "none.ply");
  expect_refusal({"gi", "make", image, "-o", out}, "is a geometry image already");
  expect_refusal({"gi", "make", "model:teapot", "-o", out}, "'teapot'");
  expect_refusal({"gi", "make", box, "-o", out, "-n", "1"}, "-n: '1' is not a whole number from 2 to 13");
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
  ASSERT_EQ(image["pages"].size(), 2u);
  EXPECT_EQ(image["pages"][0]["kind"], "positions");
  EXPECT_EQ(image["pages"][1]["kind"], "normals");
  EXPECT_EQ(image["pages"][1]["width"], 17);
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

TEST_F(Gi, ExplainsItself) {
  for (const std::string name : {"make", "info", "collide", "picture"}) {
    const Outcome outcome = run({"gi", name, "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("\n  lamella gi " + name));
  }
  EXPECT_THAT(run({"gi", "collide", "--help"}).out, AllOf(HasSubstr("Exit status 0"), HasSubstr("undecided")));
  EXPECT_THAT(run({"--help"}).out, AllOf(HasSubstr("Geometry images"), HasSubstr("gi collide")));
  expect_refusal({"gi"}, "subcommand is required");
  expect_refusal({"gi", "colide", "a", "b"}, "did you mean collide?");
  expect_refusal({"gi", "make", "--max-cut", "3"}, "did you mean --max-cuts?");
}

}  // namespace
}  // namespace lamella::test
