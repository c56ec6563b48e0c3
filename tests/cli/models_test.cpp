#include <gmock/gmock.h>

#include <set>

#include "cli/program.hpp"
#include "lamella/mesh_io.hpp"
#include "scenes/catalogue.hpp"
#include "scenes/sample_assembly.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ModelInputs : public Program {
 protected:
  /// The answer of a command that must give one.
  [[nodiscard]] nlohmann::ordered_json answer(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const Outcome outcome = run(arguments);
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1) << outcome.err;
    return outcome.json();
  }
  void expect_refusal(const std::vector<std::string>& arguments, const std::string& text) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.err, HasSubstr(text));
  }
};

TEST_F(ModelInputs, AreListedForPeopleAndPrograms) {
  const Outcome outcome = run({"models"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = answer({"models"});
  EXPECT_EQ(json["query"], "models");
  ASSERT_EQ(json["models"].size(), scenes::catalogue().size());
  for (std::size_t i = 0; i < json["models"].size(); ++i) {
    const scenes::CatalogueModel& model = scenes::catalogue()[i];
    EXPECT_EQ(json["models"][i]["name"], model.name);
    EXPECT_EQ(json["models"][i]["faces"], model.faces);
    EXPECT_EQ(json["models"][i]["extent"].size(), 3u);
    EXPECT_EQ(json["models"][i]["summary"], model.summary);
    EXPECT_THAT(outcome.out, HasSubstr("model:" + std::string(model.name)));
    EXPECT_THAT(outcome.out, HasSubstr(std::string(model.summary)));
  }
  EXPECT_EQ(answer({"models", "knot:50000", "model:box"})["models"][0]["faces"], 50000);
}

TEST_F(ModelInputs, HaveAssembliesBesideThem) {
  const auto json = answer({"models"});
  ASSERT_EQ(json["assemblies"].size(), 2u);
  EXPECT_EQ(json["assemblies"][0]["name"], "gearbox");
  EXPECT_THAT(run({"models"}).out, AllOf(HasSubstr("assembly:gearbox"), HasSubstr("assembly:crowd")));
  expect_refusal({"models", "assembly:gearbax"}, "did you mean assembly:gearbox?");
  expect_refusal({"models", "gearbox:7"}, "only 'crowd' has a number of parts");
  expect_refusal({"models", "crowd:many"}, "the parts");
}

TEST_F(ModelInputs, WriteAssembliesAsScenesWithRulesAndTruth) {
  const auto json = answer({"models", "-o", at("out"), "gearbox", "assembly:crowd:30"});
  const scenes::SampleAssembly sample = scenes::gearbox();
  EXPECT_EQ(json["assemblies"][0]["file"], at("out/gearbox.json"));
  EXPECT_EQ(json["assemblies"][0]["parts"], sample.assembly.parts.size());
  const auto scene = nlohmann::json::parse(content(at("out/gearbox.json")));
  ASSERT_EQ(scene["objects"].size(), sample.assembly.parts.size());
  for (std::size_t i = 0; i < sample.assembly.parts.size(); ++i) {
    const AssemblyPart& part = sample.assembly.parts[i];
    EXPECT_EQ(scene["objects"][i]["name"], part.name);
    EXPECT_EQ(scene["objects"][i]["group"], part.group);
    EXPECT_EQ(scene["objects"][i]["layer"], part.layer);
    EXPECT_EQ(scene["objects"][i]["pose"]["rotation"][0], part.pose.rotation.x);
    EXPECT_EQ(scene["objects"][i]["pose"]["translation"][1], part.pose.translation.y);
    EXPECT_EQ(scene["objects"][i]["mesh"], sample.assembly.mesh_names[part.mesh]);
  }
  const std::string wheel = scene["meshes"]["gear/wheel 1"];
  const std::size_t mesh = static_cast<std::size_t>(
      std::find(sample.assembly.mesh_names.begin(), sample.assembly.mesh_names.end(), "gear/wheel 1") -
      sample.assembly.mesh_names.begin());
  EXPECT_EQ(read_mesh(at("out/" + wheel)).positions, sample.assembly.meshes[mesh].positions);
  const auto rules = nlohmann::json::parse(content(at("out/gearbox.rules.json")));
  EXPECT_EQ(rules["rules"].size(), sample.rules.size());
  EXPECT_EQ(rules["touch"], sample.touch);
  EXPECT_EQ(rules["rules"][0]["ignore"], true);
  const auto truth = nlohmann::json::parse(content(at("out/gearbox.truth.json")));
  EXPECT_EQ(truth["pairs"].size(), sample.truth.size());
  EXPECT_EQ(nlohmann::json::parse(content(at("out/crowd-30.json")))["objects"].size(), 30u);
  EXPECT_FALSE(std::filesystem::exists(at("out/crowd-30.truth.json")));
}

TEST_F(ModelInputs, AreWrittenAsFiles) {
  (void)save_text("box.ply", "an older file");
  const auto json = answer({"models", "-o", at("new/meshes"), "box", "sphere:300"});
  EXPECT_EQ(json["models"][1]["file"], at("new/meshes/sphere.ply"));
  const Mesh written = read_mesh(at("new/meshes/sphere.ply"));
  EXPECT_EQ(written.positions, scenes::find_model("sphere")->make(300).positions);
  EXPECT_EQ(json["models"][1]["faces"], written.triangles.size());
  // One that is there is replaced, as other outputs are.
  EXPECT_THAT(run({"models", "-o", at(""), "box"}).out, HasSubstr("box.ply"));
  EXPECT_EQ(read_mesh(at("box.ply")).triangles.size(), 12u);
}

TEST_F(ModelInputs, ThatCannotBeWrittenAreNamed) {
  const std::string file = save_text("file", "");
  expect_refusal({"models", "-o", file}, "no models can be written there");
  expect_refusal({"models", "-o", at("x"), "box", "box:300"}, "box is there twice");
  expect_refusal({"models", "-o", at("x"), "teapot"}, "there is no model 'teapot'");
}

TEST_F(ModelInputs, StandWhereverAMeshIsRead) {
  EXPECT_EQ(answer({"info", "model:box"})["triangles"], 12);
  EXPECT_EQ(answer({"info", "model:torus:800"})["components"], 1);
  EXPECT_NEAR(answer({"intersect", "model:box", "model:box", "--pose-b", "1,0,0"})["volume"].get<double>(), 4, 1e-5);
  EXPECT_EQ(answer({"self", "model:box"})["colliding"], false);
  const auto contain = answer({"contain", "model:box", "model:sphere:300", "--scale", "1.1"});
  EXPECT_EQ(contain["inside"], contain["points"]);
  EXPECT_EQ(answer({"scene", "model:box", "model:sphere:300"})["pairs"].size(), 1u);
  EXPECT_EQ(answer({"layers", "model:box", "--resolution", "4"})["crossings"], 32);
  const std::string scene = save_text("scene.json", R"({"meshes": {"a": "model:box", "b": {"file": "model:sphere:300"}},
      "objects": [{"mesh": "a"}, {"mesh": "b", "scale": 2}]})");
  EXPECT_EQ(answer({"scene", scene})["pairs"].size(), 1u);
}

TEST_F(ModelInputs, ThatBelongTogetherOverlapOnTheCommandLine) {
  const Outcome outcome = run({"intersect", "model:hat:800", "model:mouse:800", "--json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(outcome.json()["files"], (nlohmann::ordered_json{"model:hat:800", "model:mouse:800"}));
}

TEST_F(ModelInputs, ThatDoNotExistGetTheNearestAndTheList) {
  const Outcome outcome = run({"info", "model:serpnt"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("model:serpnt: there is no model 'serpnt'"),
                                 HasSubstr("did you mean model:serpent?"), HasSubstr("hand, phone, fist, knot")));
  expect_refusal({"info", "model:"}, "there is no model ''");
  for (const std::string faces : {"0", "3", "-5", "many", "", "99999999", "12:13"}) {
    expect_refusal({"info", "model:knot:" + faces}, "is not a whole number from 4 to 10000000");
  }
}

TEST_F(ModelInputs, LeaveFilesOfSuchANameReadable) {
  (void)save("model:box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(run({"info", at("model:box.ply")}).status, 0);
}

}  // namespace
}  // namespace lamella::test
