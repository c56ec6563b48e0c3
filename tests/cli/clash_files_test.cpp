// What lamella clash reads, and what it writes.

#include <cmath>
#include <filesystem>
#include <fstream>

#include "cli/clash_program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ClashFiles : public ClashProgram {
 protected:
  /// Exit status of the validator; 77 where it has no module to work with.
  [[nodiscard]] int validate(const std::string& schema, const std::string& file) const {
    const Outcome outcome = run_program(
        "/usr/bin/python3", {LAMELLA_SOURCE "/tests/cli/validate_schema.py", LAMELLA_SOURCE "/docs/" + schema, file});
    EXPECT_EQ(outcome.out, "");
    return outcome.status;
  }
  [[nodiscard]] std::vector<std::string> csv(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--csv", at("out.csv")});
    (void)clash(arguments);
    std::vector<std::string> lines;
    std::ifstream file(at("out.csv"), std::ios::binary);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  /// OBJ text of a mesh behind `statement`, with positions moved by `shift` in doubles.
  static std::string obj(const std::string& statement, const Mesh& mesh, Vec3d shift = {}) {
    std::string text = statement + "\n";
    for (const Vec3& p : mesh.positions)
      text += fmt::format("v {} {} {}\n", double{p.x} + shift.x, double{p.y} + shift.y, double{p.z} + shift.z);
    const auto n = static_cast<int>(mesh.positions.size());
    for (const Triangle& t : mesh.triangles)
      text +=
          fmt::format("f {} {} {}\n", static_cast<int>(t.a) - n, static_cast<int>(t.b) - n, static_cast<int>(t.c) - n);
    return text;
  }
};

TEST_F(ClashFiles, FoldersAndFilesOfSeveralParts) {
  const std::filesystem::path folder = at("parts");
  std::filesystem::create_directory(folder);
  std::filesystem::copy(a_, folder / "a.ply");
  std::ofstream(folder / "two.obj") << obj("o left", make_box({0.5f, 0, 0}, {1.5f, 1, 1}))
                                    << obj("o right", make_box({3, 0, 0}, {4, 1, 1}));
  const Json json = json_of({folder.string()}).json();
  EXPECT_EQ(json["parts"], 3);
  ASSERT_EQ(json["pairs"].size(), 1u);
  EXPECT_EQ(json["pairs"][0]["a"], "a.ply");
  EXPECT_EQ(json["pairs"][0]["b"], "two.obj/left");
  EXPECT_EQ(json_of({folder.string(), "--ignore", "group:two,*"}).json()["pairs"].size(), 0u);
}

TEST_F(ClashFiles, FoldersBelowAreSearchedToo) {
  namespace fs = std::filesystem;
  fs::create_directories(at("parts/sub/deep"));
  fs::create_directories(at("parts/.hidden"));
  fs::copy(a_, at("parts/a.ply"));
  fs::copy(b_, at("parts/sub/deep/b.ply"));
  fs::copy(far_, at("parts/sub/a.ply"));
  fs::copy(a_, at("parts/.hidden/old.ply"));
  fs::create_directory_symlink("..", at("parts/sub/loop"));
  const Outcome outcome = json_of({at("parts")});
  EXPECT_EQ(outcome.status, 1);
  const Json json = outcome.json();
  EXPECT_EQ(json["parts"], 3);
  ASSERT_EQ(json["pairs"].size(), 1u);
  EXPECT_EQ(json["pairs"][0]["a"], "parts/a.ply");
  EXPECT_EQ(json["pairs"][0]["b"], "b.ply");
  EXPECT_EQ(json_of({at("parts"), "--ignore", "group:b,*"}).json()["pairs"].size(), 0u);
  ASSERT_EQ(json["warnings"].size(), 1u);
  EXPECT_THAT(json["warnings"][0].get<std::string>(), HasSubstr("1 link to other folders not followed"));
  fs::remove(at("parts/sub/loop"));
  EXPECT_EQ(json_of({at("parts")}).err, "");
  fs::create_directories(at("empty/below"));
  EXPECT_THAT(refusal({at("empty")}), HasSubstr("the folder and those below it have no mesh files (.ply "));
}

TEST_F(ClashFiles, FilesOfAFolderThatCannotBeReadAreNamed) {
  namespace fs = std::filesystem;
  fs::create_directories(at("parts/sub"));
  fs::copy(a_, at("parts/a.ply"));
  for (const char* name : {"parts/c.step", "parts/sub/d.step", "parts/e.xyz", "parts/f.mtl", "parts/notes.txt"})
    (void)save_text(name, "");
  const Outcome outcome = json_of({at("parts"), b_});
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("3 files left out"), HasSubstr("2 .step, 1 .xyz"), HasSubstr("convert")));
  ASSERT_EQ(outcome.json()["warnings"].size(), 1u);
  EXPECT_THAT(outcome.json()["warnings"][0].get<std::string>(), HasSubstr("3 files left out"));
}

TEST_F(ClashFiles, TheGearboxIsInMillimetres) {
  const std::vector<std::string> quick{"assembly:gearbox", "--no-way-out", "--resolution", "16"};
  EXPECT_EQ(json_of(quick).json()["unit"], "mm");
  std::vector<std::string> metres = quick;
  metres.insert(metres.end(), {"--units", "m"});
  EXPECT_THAT(refusal(metres), HasSubstr("assembly:gearbox is in mm"));
  EXPECT_EQ(json_of({"assembly:crowd:10"}).json()["unit"], nullptr);
}

TEST_F(ClashFiles, OnePartIsSaidToMeetNothing) {
  const std::string two = save("two.ply", joined(make_box({0, 0, 0}, {1, 1, 1}), make_box({0.5f, 0, 0}, {1.5f, 1, 1})));
  const Outcome outcome = json_of({two});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("one part, which meets nothing; --split components"));
  EXPECT_EQ(outcome.json()["warnings"].size(), 1u);
  EXPECT_EQ(clash({two, "--split", "components"}).status, 1);
}

TEST_F(ClashFiles, AFileGivenTwiceIsOneMesh) {
  const Json json = json_of({a_, a_}).json();
  EXPECT_EQ(json["meshes"], 1);
  EXPECT_EQ(json["parts"], 2);
  EXPECT_EQ(json["pairs"][0]["class"], "duplicate");
  EXPECT_EQ(json["pairs"][0]["b"], "a.ply#2");
}

TEST_F(ClashFiles, AMeshThatManyGltfNodesPlaceIsKeptOnce) {
  // A tetrahedron with corners at 0 and 1; nodes that move, turn, scale, mirror and stretch it.
  const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::uint16_t corners[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  std::string bytes(reinterpret_cast<const char*>(positions), sizeof positions);
  bytes.append(reinterpret_cast<const char*>(corners), sizeof corners);
  std::ofstream(at("t.bin"), std::ios::binary) << bytes;
  const double half = std::sqrt(0.5);
  const std::string file = save_text("t.gltf", fmt::format(R"({{"asset": {{"version": "2.0"}}, "scene": 0,
    "scenes": [{{"nodes": [0, 1, 2, 3, 4, 5]}}], "nodes": [
      {{"mesh": 0, "name": "first"}},
      {{"mesh": 0, "name": "moved", "translation": [0.1, 0, 0]}},
      {{"mesh": 0, "name": "turned", "translation": [10, 0, 0], "rotation": [0, 0, {}, {}]}},
      {{"mesh": 0, "name": "large", "translation": [20, 0, 0], "scale": [2, 2, 2]}},
      {{"mesh": 0, "name": "mirrored", "translation": [20, 0, 0], "scale": [-1, 1, 1]}},
      {{"mesh": 0, "name": "stretched", "translation": [9, 0, 0], "scale": [1, 2, 1]}}],
    "meshes": [{{"name": "tetrahedron", "primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
    "buffers": [{{"byteLength": 72, "uri": "t.bin"}}],
    "bufferViews": [{{"buffer": 0, "byteLength": 48}}, {{"buffer": 0, "byteOffset": 48, "byteLength": 24}}],
    "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}},
                  {{"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}}]}})",
                                                           half, half));
  const Json json = json_of({file, "--keep-clear"}).json();
  EXPECT_EQ(json["parts"], 6);
  EXPECT_EQ(json["meshes"], 4) << "as it is, twice as large, mirrored, stretched";
  ASSERT_GE(json["pairs"].size(), 1u);
  EXPECT_EQ(json["pairs"][0]["a"], "first");
  EXPECT_EQ(json["pairs"][0]["b"], "moved");
  EXPECT_NEAR(json["pairs"][0]["volume"].get<double>(), std::pow(0.9, 3) / 6, 0.002);
  // Turned by 90 degrees it lies at x from 9 to 10, where the stretched one is.
  bool found = false;
  for (const Json& pair : json["pairs"]) {
    if (pair["a"] != "turned" || pair["b"] != "stretched") continue;
    found = true;
    EXPECT_EQ(pair["verdict"], "colliding");
  }
  EXPECT_TRUE(found);
}

TEST_F(ClashFiles, PartsOfWhichSomethingWasLeftOutAreSaidInStatusTableAndJson) {
  std::string text = obj("o box", make_box({5, 0, 0}, {6, 1, 1}));
  text += "v nan 0 0\nv 0 0 1\nv 0 1 0\nf -3 -2 -1\n";
  const std::string torn = save_text("torn.obj", text);
  const Outcome outcome = json_of({a_, far_, torn, "--split", "none"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.json()["damaged_parts"], Json::parse(R"(["torn.obj"])"));
  EXPECT_EQ(outcome.json()["unusable_parts"].size(), 0u);
  EXPECT_EQ(outcome.json()["status"], 4);
  EXPECT_THAT(outcome.json()["warnings"].dump(), HasSubstr("torn.obj: not all of it is tested"));
  EXPECT_THAT(clash({a_, far_, torn, "--split", "none"}).out, HasSubstr("1 part with triangles that were left out"));
}

TEST_F(ClashFiles, ASceneFileSaysHowFinelyToSample) {
  const auto scene = [&](const std::string& settings) {
    return save_text(
        "scene.json",
        R"({"meshes": {"a": "a.ply", "b": "b.ply"}, "objects": [{"mesh": "a"}, {"mesh": "b"}])" + settings + "}");
  };
  const auto resolution = [&](const std::string& settings, std::vector<std::string> more = {}) {
    more.insert(more.begin(), scene(settings));
    return json_of(more).json()["options"]["resolution"].get<int>();
  };
  EXPECT_EQ(resolution(""), 128);
  EXPECT_EQ(resolution(R"(, "resolution": 32)"), 32);
  EXPECT_EQ(resolution(R"(, "resolution": 32)", {"--resolution", "64"}), 64);
  EXPECT_EQ(json_of({scene(R"(, "resolution": 32)")}).json()["warnings"].size(), 0u);
  const Json warnings = json_of({scene(R"(, "cell": 0.1, "frames": 3)")}).json()["warnings"];
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0].get<std::string>(), HasSubstr("scene.json: \"cell\" is left out"));
  EXPECT_THAT(warnings[1].get<std::string>(), HasSubstr("\"frames\" is left out"));
}

TEST_F(ClashFiles, OverlapsInAFolderAreNoParts) {
  const std::filesystem::path folder = at("parts");
  std::filesystem::create_directory(folder);
  std::filesystem::copy(a_, folder / "a.ply");
  std::filesystem::copy(b_, folder / "b.ply");
  const std::string overlaps = (folder / "overlaps.glb").string();
  EXPECT_EQ(clash({folder.string(), "--glb", overlaps}).status, 1);
  const Outcome again = json_of({folder.string()});
  EXPECT_EQ(again.json()["parts"], 2);
  EXPECT_THAT(again.err, HasSubstr("parts: 1 file left out that --glb wrote"));
  EXPECT_EQ(json_of({a_, overlaps}).json()["parts"], 2) << "by its name it is a part";
}

TEST_F(ClashFiles, NamesThatDifferInBytesThatAreNoTextStayDifferent) {
  const std::string one = at("pipe\xe9.ply"), two = at("pipe\xe8.ply");
  std::filesystem::copy(a_, one);
  std::filesystem::copy(b_, two);
  const Outcome outcome = json_of({one, two});
  const Json pair = outcome.json()["pairs"][0];
  EXPECT_EQ(pair["a"], "pipe\\xe9.ply");
  EXPECT_EQ(pair["b"], "pipe\\xe8.ply");
  const Outcome again = json_of({one, two, "--baseline", save_text("old.json", outcome.out), "--fail-on", "new"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json()["pairs"][0]["change"], "same");
}

TEST_F(ClashFiles, MetresBesideOtherUnitsAreSaid) {
  const std::string glb = at("overlaps.glb");
  EXPECT_EQ(clash({a_, b_, "--glb", glb}).status, 1);
  EXPECT_THAT(json_of({a_, glb}).err, HasSubstr("glTF files are in metres"));
  EXPECT_EQ(json_of({a_, b_}).err, "");
  const std::string scaled = save_text("scene.json", R"({"meshes": {"a": "a.ply", "g": "overlaps.glb"},
    "objects": [{"mesh": "a"}, {"mesh": "g", "scale": 1000}]})");
  EXPECT_EQ(json_of({scaled}).err, "");
}

TEST_F(ClashFiles, AKilometreAwayTenMicrometresAreRight) {
  // Boxes of 10 mm and of 1 m that share a film of 0.01 mm, a kilometre from the origin, in millimetres.
  for (const double side : {10.0, 1000.0}) {
    SCOPED_TRACE(side);
    const auto edge = static_cast<float>(side);
    const Mesh box = make_box({0, 0, 0}, {edge, edge, edge});
    const double shared = 0.01 * side * side, second = 1e6 + side - 0.01;
    const auto check = [&](const std::vector<std::string>& files) {
      std::vector<std::string> arguments = files;
      arguments.insert(arguments.end(), {"--units", "mm", "--shortest"});
      const Json json = json_of(arguments).json();
      ASSERT_EQ(json["pairs"].size(), 1u);
      const Json& pair = json["pairs"][0];
      EXPECT_EQ(json["unit"], "mm");
      EXPECT_NEAR(pair["volume"].get<double>(), shared, 1e-3 * shared);
      EXPECT_NEAR(pair["depth"].get<double>(), 0.01, 1e-3 * 0.01);
      EXPECT_NEAR(pair["centroid"][0].get<double>(), 1e6 + side - 0.005, 1e-4);
      EXPECT_NEAR(pair["bounds"]["max"][0].get<double>() - pair["bounds"]["min"][0].get<double>(), 0.01, 1e-4);
    };
    (void)save("box.ply", box);
    check({save_text("scene.json", R"({"meshes": {"box": "box.ply"}, "objects": [
    {"mesh": "box", "pose": {"translation": [1000000, 1000000, 1000000]}},
    {"mesh": "box", "pose": {"translation": [)" +
                                       fmt::format("{}", second) + R"(, 1000000, 1000000]}}]})")});
    check({save_text("far.obj", obj("o first", box, {1e6, 1e6, 1e6}) + obj("o second", box, {second, 1e6, 1e6}))});
  }
}

TEST_F(ClashFiles, WholeMillimetresAKilometreAwayAreAsExactAsNearTheOrigin) {
  const Mesh box = make_box({0, 0, 0}, {100, 100, 100});
  const auto pair_at = [&](double x, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(),
                     save_text("boxes.obj", obj("o first", box, {x, -x, x}) + obj("o second", box, {x + 95, -x, x})));
    return json_of(arguments).json()["pairs"][0];
  };
  constexpr double kSlab = 5 * 100 * 100;
  const std::string rule = save_text("rules.json", R"({"rules": [{"a": "*", "allowed_volume": 50500}]})");
  const Json near = pair_at(0), far = pair_at(1e6);
  const auto error = [](const Json& pair) { return pair["volume_error"].get<double>(); };
  EXPECT_NEAR(far["volume"].get<double>(), kSlab, error(far));
  EXPECT_LT(error(far), 1.01 * error(near));
  EXPECT_NEAR(far["depth"].get<double>(), near["depth"].get<double>(), 1e-5);
  EXPECT_EQ(far["class"], near["class"]);
  EXPECT_EQ(pair_at(0, {"--rules", rule})["allowed"], true);
  EXPECT_EQ(pair_at(1e6, {"--rules", rule})["allowed"], true);
  EXPECT_EQ(pair_at(1e6, {"--tolerance", "0.1%"})["tolerance_met"], true);
}

/// ASCII STL of a mesh whose faces were computed one by one, each with a rounding of its own.
std::string stl_with_noise(const Mesh& mesh) {
  std::string text = "solid noise\n";
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const double noise = 1e-13 * (static_cast<double>(i) - 5);
    text += "facet normal 0 0 0\nouter loop\n";
    for (int corner = 0; corner < 3; ++corner) {
      const Vec3d p = to_double(mesh.positions[mesh.triangles[i][corner]]) + Vec3d{noise, noise, noise};
      text += fmt::format("vertex {:.17g} {:.17g} {:.17g}\n", p.x, p.y, p.z);
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid noise\n";
}

TEST_F(ClashFiles, CornersThatDifferInTheLastDigitsAloneAreOne) {
  const std::string a = save_text("a.stl", stl_with_noise(make_box({0.1f, 0.1f, 0.1f}, {1.1f, 1.1f, 1.1f})));
  const std::string b = save_text("b.stl", stl_with_noise(make_box({0.6f, 0.4f, 0.3f}, {1.6f, 1.4f, 1.3f})));
  const double shared = 0.5 * 0.7 * 0.8;
  for (const char* option : {"--all", "--as-is", "--split=components"}) {
    SCOPED_TRACE(option);
    const Json json = json_of({a, b, option}).json();
    EXPECT_EQ(json["parts"], 2);
    ASSERT_EQ(json["pairs"].size(), 1u);
    EXPECT_EQ(json["pairs"][0]["verdict"], "colliding");
    EXPECT_NEAR(json["pairs"][0]["volume"].get<double>(), shared, 0.005);
    EXPECT_TRUE(json["pairs"][0].value("doubts", Json::array()).empty());
  }
}

TEST_F(ClashFiles, IgnoresWhatTheSceneFileSays) {
  const std::string text = R"({"meshes": {"a": "a.ply", "b": "b.ply"}, "objects": [{"mesh": "a"}, {"mesh": "b"}])";
  EXPECT_EQ(clash({save_text("scene.json", text + "}")}).status, 1);
  const Outcome outcome = json_of({save_text("scene.json", text + R"(, "ignore": [[1, 0]]})")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.json()["ignored"], 1);
  EXPECT_THAT(refusal({at("scene.json"), a_}), HasSubstr("stands alone"));
  EXPECT_THAT(refusal({at("scene.json"), "--scale", "2"}), HasSubstr("--scale"));
}

TEST_F(ClashFiles, ScalesOfASceneFileAreKeptApart) {
  const std::string scene = save_text("scene.json", R"({"meshes": {"a": "a.ply"}, "objects": [
    {"mesh": "a"}, {"mesh": "a", "scale": 0.5}, {"mesh": "a", "scale": 0.5, "pose": {"translation": [9, 0, 0]}}]})");
  const Json json = json_of({scene}).json();
  EXPECT_EQ(json["meshes"], 2);
  EXPECT_EQ(json["pairs"][0]["class"], "contained");
  EXPECT_NEAR(json["pairs"][0]["volume"].get<double>(), 0.125, 0.001);
}

TEST_F(ClashFiles, TheCsvHasALineForEachPair) {
  const std::vector<std::string> lines = csv({a_, b_, far_, "--units", "cm"});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], StartsWith("a,b,group_a,group_b,"));
  EXPECT_THAT(lines[0], testing::EndsWith(",unit,tolerance_met,doubts\r"));
  EXPECT_THAT(lines[1], StartsWith("a.ply,b.ply,a,b,,,overlapping,fails,colliding,"));
  EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), ','), std::count(lines[1].begin(), lines[1].end(), ','));
}

TEST_F(ClashFiles, NamesAreNoFormulasAndSteerNoTerminal) {
  const std::string scene = save_text("scene.json", R"x({"meshes": {"a": "a.ply", "b": "b.ply"}, "objects": [
    {"mesh": "a", "name": "=HYPERLINK(\"http://x\",\"y\")"}, {"mesh": "b", "name": "-\u001b[31mred\nline"}]})x");
  const std::vector<std::string> lines = csv({scene});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[1], StartsWith(R"x("'=HYPERLINK(""http://x"",""y"")",'-\u001b[31mred\nline,)x"));
  EXPECT_THAT(clash({scene}).out, AllOf(Not(HasSubstr("\x1b")), HasSubstr(R"x(\u001b[31mred\nline)x")));
  EXPECT_EQ(json_of({scene}).json()["pairs"][0]["b"], "-\x1b[31mred\nline");
}

TEST_F(ClashFiles, TheCsvTellsWhatIsWrongWithMeshes) {
  const std::string open = save("open.ply", make_open_box({-1, 0, 0}, {0.5f, 1, 1}));
  EXPECT_THAT(csv({a_, b_})[1], testing::EndsWith(",\r")) << "closed boxes";
  const std::vector<std::string> lines = csv({a_, open});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[1], HasSubstr("open.ply: holes of 4 edges were closed by fans"));
}

TEST_F(ClashFiles, ASemicolonIsQuotedInTheCsv) {
  const std::string scene = save_text("scene.json", R"({"meshes": {"a": "a.ply", "b": "b.ply"}, "objects": [
    {"mesh": "a", "name": "M6;20"}, {"mesh": "b", "name": "plain"}]})");
  EXPECT_THAT(csv({scene}).at(1), StartsWith("\"M6;20\",plain,"));
}

TEST_F(ClashFiles, GoneAndNewPairsAreInTheCsv) {
  const std::string old = save_text("old.json", json_of({a_, b_}).out);
  (void)save("b.ply", make_box({5, 5, 5}, {6, 6, 6}));
  const std::vector<std::string> lines = csv({a_, b_, "--baseline", old});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[1], AllOf(StartsWith("a.ply,b.ply,"), HasSubstr(",gone,")));
}

TEST_F(ClashFiles, ReportsAndRulesFitTheirSchemas) {
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const std::string old = save_text("old.json", json_of({a_, far_, open}).out);
  const std::string report =
      save_text("report.json",
                json_of({a_, b_, far_, open, "--as-is", "--keep-clear", "--units", "in", "--clearance", "20"}).out);
  if (validate("clash-report.schema.json", report) == 77) GTEST_SKIP() << "Python has no module jsonschema";
  EXPECT_EQ(validate("clash-report.schema.json", report), 0);
  const std::string compared = save_text("compared.json", json_of({a_, b_, "--baseline", old, "--certify"}).out);
  EXPECT_EQ(validate("clash-report.schema.json", compared), 0);
  // The one in the documentation.
  const std::string page = content(LAMELLA_SOURCE "/docs/clash.md");
  const std::size_t begin = page.find("```json\n{\n  \"$schema\"");
  ASSERT_NE(begin, std::string::npos);
  const std::string rules = save_text("rules.json", page.substr(begin + 8, page.find("```\n", begin + 8) - begin - 8));
  EXPECT_EQ(validate("clash-rules.schema.json", rules), 0);
  EXPECT_EQ(clash({a_, b_, "--rules", rules}).status, 1);
}

TEST_F(ClashFiles, TheSchemaRefusesWhatTheReaderRefuses) {
  for (const char* text : {R"({})", R"({"rules": [{}]})", R"({"rules": [{"a": "x", "clearance": -1}]})",
                           R"({"rules": [{"a": "x", "ignore": true, "clearance": 1}]})", R"({"rules": [{"a": ""}]})",
                           R"({"rules": [{"a": "x", "clearence": 1}]})", R"({"rules": {}, "more": 1})"}) {
    const std::string file = save_text("rules.json", text);
    const Outcome outcome = run_program("/usr/bin/python3", {LAMELLA_SOURCE "/tests/cli/validate_schema.py",
                                                             LAMELLA_SOURCE "/docs/clash-rules.schema.json", file});
    if (outcome.status == 77) GTEST_SKIP() << "Python has no module jsonschema";
    EXPECT_EQ(outcome.status, 1) << text;
    EXPECT_EQ(clash({a_, b_, "--rules", file}).status, 2) << text;
  }
}

}  // namespace
}  // namespace lamella::test
