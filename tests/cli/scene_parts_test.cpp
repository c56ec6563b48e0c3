// Which files become which objects of a scene.

#include <gmock/gmock.h>

#include <filesystem>

#include "cli/program.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Three boxes in a row: the first two share 0.5, the third is apart.
const Mesh kFirst = make_box({0, 0, 0}, {1, 1, 1});
const Mesh kSecond = make_box({0.5f, 0, 0}, {1.5f, 1, 1});
const Mesh kThird = make_box({5, 0, 0}, {6, 1, 1});

class SceneParts : public Program {
 protected:
  /// OBJ text of a mesh behind `statement`; indices count back from the last vertex.
  static std::string obj(const std::string& statement, const Mesh& mesh) {
    std::string text = statement + "\n";
    for (const Vec3& p : mesh.positions)
      text += "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
    const auto n = static_cast<int>(mesh.positions.size());
    for (const Triangle& t : mesh.triangles) {
      text += "f";
      for (int i = 0; i < 3; ++i) text += " " + std::to_string(static_cast<int>(t[i]) - n);
      text += "\n";
    }
    return text;
  }
  [[nodiscard]] std::string three(const std::string& word) const {
    return save_text("three.obj",
                     obj(word + " left", kFirst) + obj(word + " middle", kSecond) + obj(word + " right", kThird));
  }
};

TEST_F(SceneParts, ObjectsOfAnObjFileCollideUnderTheirNames) {
  const Outcome outcome = run({"scene", three("o"), "--json"});
  EXPECT_EQ(outcome.status, 1);
  const Json json = outcome.json();
  EXPECT_EQ(json["objects"], 3);
  EXPECT_EQ(json["pairs"], Json::parse("[[0, 1]]"));
  EXPECT_NEAR(json["volumes"][0].get<double>(), 0.5, 0.01);
  EXPECT_EQ(json["names"], Json({"left", "middle", "right"}));
  EXPECT_THAT(run({"scene", three("o")}).out,
              AllOf(HasSubstr("0 left"), HasSubstr("1 middle"), Not(HasSubstr("hint"))));
}

TEST_F(SceneParts, ClosedGroupsAreObjectsAndSheetsAreNot) {
  EXPECT_EQ(run({"scene", three("g"), "--json"}).json()["objects"], 3);
  Mesh bottom = kFirst, top = kFirst;
  bottom.triangles.resize(6);
  top.triangles.erase(top.triangles.begin(), top.triangles.begin() + 6);
  const std::string sheets = save_text("sheets.obj", obj("g bottom", bottom) + obj("g top", top));
  EXPECT_EQ(run({"scene", sheets, "--json"}).json()["objects"], 1);
  EXPECT_EQ(run({"scene", sheets, "--split", "groups", "--json"}).json()["names"], Json({"bottom", "top"}));
}

TEST_F(SceneParts, SplitSaysWhichPartsAreObjects) {
  const auto objects = [&](const std::string& file, const std::string& split) {
    return run({"scene", file, "--split", split, "--exit-zero", "--json"}).json()["objects"];
  };
  const std::string file = three("o");
  EXPECT_EQ(objects(file, "auto"), 3);
  EXPECT_EQ(objects(file, "none"), 1);
  EXPECT_EQ(objects(file, "nodes"), 1);
  EXPECT_EQ(objects(save("two.ply", joined(kFirst, kSecond)), "components"), 2);
  EXPECT_EQ(objects("model:hand", "components"), 1);
  const Outcome wrong = run({"scene", file, "--split", "everything"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("auto, groups, nodes, components, none"));
}

TEST_F(SceneParts, OneObjectIsAnsweredWithAHint) {
  const std::string two = save("two.ply", joined(kFirst, kSecond));
  const Outcome whole = run({"scene", two});
  EXPECT_EQ(whole.status, 0);
  EXPECT_THAT(whole.out, HasSubstr("--split components"));
  const Outcome split = run({"scene", two, "--split", "components"});
  EXPECT_EQ(split.status, 1);
  EXPECT_THAT(split.out, AllOf(HasSubstr("component 1"), Not(HasSubstr("hint"))));
}

TEST_F(SceneParts, SeveralFilesNameTheirPartsAfterThem) {
  const std::string file = three("o"), plain = save("plain.ply", kThird);
  const Json json = run({"scene", file, plain, "--json"}).json();
  EXPECT_EQ(json["names"], Json({file + "/left", file + "/middle", file + "/right", plain}));
  EXPECT_EQ(json["pairs"], Json::parse("[[0, 1], [2, 3]]"));
  EXPECT_THAT(run({"scene", file, plain}).out, HasSubstr("three.obj/left"));
  // The same file twice is twice its parts.
  EXPECT_EQ(run({"scene", file, file, "--json"}).json()["objects"], 6);
}

TEST_F(SceneParts, AFolderIsAllOfItsMeshFilesByName) {
  std::filesystem::create_directories(at("parts/below"));
  (void)save("parts/b.ply", kSecond);
  (void)save("parts/a.STL", kFirst);
  (void)save("parts/below/d.ply", kFirst);
  (void)save_text("parts/notes.txt", "no mesh");
  (void)save_text("parts/points.xyz", "1 2 3\n");
  const Json json = run({"scene", at("parts"), "--json"}).json();
  EXPECT_EQ(json["names"], Json({at("parts/a.STL"), at("parts/b.ply")}));
  EXPECT_EQ(json["pairs"], Json::parse("[[0, 1]]"));
  std::filesystem::create_directories(at("empty"));
  const Outcome none = run({"scene", at("empty")});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("no mesh files"), HasSubstr(".ply .obj .stl .off .gltf .glb")));
}

TEST_F(SceneParts, AMeshOfASceneFileMayBeItsParts) {
  (void)three("o");
  const std::string scene = save_text("scene.json", R"({"meshes": {"row": {"file": "three.obj", "split": "auto"},
      "all": "three.obj"}, "objects": [{"mesh": "row", "name": "r"}, {"mesh": "row", "pose": {"translation": [0, 9, 0]}},
      {"mesh": "all", "pose": {"translation": [0, 18, 0]}}]})");
  const Json json = run({"scene", scene, "--json"}).json();
  EXPECT_EQ(json["names"], Json({"r/left", "r/middle", "r/right", "row/left", "row/middle", "row/right", "all"}));
  EXPECT_EQ(json["pairs"], Json::parse("[[0, 1], [3, 4]]"));
}

TEST_F(SceneParts, IgnoredObjectsStandForTheirParts) {
  (void)three("o");
  const auto pairs = [&](const std::string& ignored) {
    const std::string scene = save_text("scene.json", R"({"meshes": {"row": {"file": "three.obj", "split": "auto"}},
        "objects": [{"mesh": "row", "name": "r"}, {"mesh": "row", "name": "s", "pose": {"translation": [0, 0.5, 0]}}],
        "ignore": )" + ignored + "}");
    const Outcome outcome = run({"scene", scene, "--json"});
    return outcome.status == 2 ? Json(outcome.err) : outcome.json()["pairs"];
  };
  EXPECT_EQ(pairs("[]").size(), 7u);
  EXPECT_EQ(pairs(R"([["r", "s"]])"), Json::parse("[[0, 1], [3, 4]]"));
  EXPECT_EQ(pairs(R"([[0, 1], ["r", "r"]])"), Json::parse("[[3, 4]]"));
  EXPECT_EQ(pairs(R"([["r/left", "r/middle"], ["r", "s"]])"), Json::parse("[[3, 4]]"));
  EXPECT_THAT(pairs(R"([["r/left", "r/left"]])").get<std::string>(), HasSubstr("an object with itself"));
}

TEST_F(SceneParts, AWrongSplitOfASceneFileIsNamed) {
  (void)three("o");
  const auto complaint = [&](const std::string& mesh, const std::string& object) {
    return run({"scene", save_text("scene.json", R"({"frames": 2, "meshes": {"m": )" + mesh +
                                                     R"(}, "objects": [{"mesh": "m")" + object + "}]}")})
        .err;
  };
  EXPECT_THAT(complaint(R"({"file": "three.obj", "split": "all"})", ""), HasSubstr("write one of: auto, groups"));
  EXPECT_THAT(complaint(R"({"file": "three.obj", "split": "auto"})", R"(, "shapes": ["three.obj"])"),
              HasSubstr("several parts"));
  EXPECT_THAT(run({"scene", save_text("scene.json", "{}"), "--split", "none"}).err,
              HasSubstr("--split: is for meshes"));
}

}  // namespace
}  // namespace lamella::test
