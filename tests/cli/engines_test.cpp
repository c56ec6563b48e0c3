#include <gmock/gmock.h>

#include <cstdlib>
#include <optional>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

using Engines = Program;

bool draws(const nlohmann::ordered_json& engine) { return engine["name"].get<std::string>().starts_with("gl-"); }

TEST_F(Engines, AreListedWithWhatTheyAreOrWhyTheyAreMissing) {
  const Outcome outcome = run({"engines", "--json"});
  EXPECT_EQ(outcome.status, 0);
  const auto json = outcome.json();
  std::vector<std::string> names;
  for (const auto& engine : json["engines"]) {
    expect_keys(engine, {"name", "available", "summary", "why", "gpu", "devices"});
    EXPECT_TRUE(engine["gpu"].is_boolean() && engine["devices"].is_array()) << engine;
    names.push_back(engine["name"]);
    EXPECT_NE(engine["available"].get<bool>(), !engine["why"].get<std::string>().empty()) << engine;
    EXPECT_NE(engine["summary"], "") << engine;
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"software", "cuda", "reference"}));
  EXPECT_EQ(json["automatic"], "software");
}

TEST_F(Engines, AreATableForPeople) {
  const Outcome outcome = run({"engines"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("engine"));
  EXPECT_THAT(outcome.out, HasSubstr("software"));
  EXPECT_THAT(outcome.out, HasSubstr("automatic picks software"));
}

TEST_F(Engines, ThatDoNotExistAreWrongUsage) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"self", box, "--engine", "steam"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is no engine 'steam'; type one of: "));
  EXPECT_THAT(outcome.err, HasSubstr("software"));
}

/// An environment variable for the programs run meanwhile.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST_F(Engines, WithoutAGraphicsDriverAreADeviceFailureAndNoOtherStepsIn) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const Setting no_driver("__EGL_VENDOR_LIBRARY_FILENAMES", at("none.json"));
  const auto json = run({"engines", "--json"}).json();
  EXPECT_EQ(json["automatic"], "software");
  for (const auto& engine : json["engines"]) {
    if (!draws(engine)) continue;
    if (engine["available"]) GTEST_SKIP() << "this system finds its graphics driver in another way";
    EXPECT_THAT(engine["why"].get<std::string>(), testing::Not(testing::IsEmpty()));
    const Outcome outcome = run({"self", box, "--engine", engine["name"], "--json"});
    EXPECT_EQ(outcome.status, 3) << engine;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(engine["name"].get<std::string>()));
  }
}

TEST_F(Engines, WithoutEglTheProgramStillRuns) {
  (void)save_text("libEGL.so.1", "no library\n");
  const Setting broken("LD_LIBRARY_PATH", std::filesystem::path(at("libEGL.so.1")).parent_path().string());
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(run({"self", box}).status, 0);
  const auto json = run({"engines", "--json"}).json();
  for (const auto& engine : json["engines"]) {
    if (draws(engine)) {
      EXPECT_THAT(engine["why"].get<std::string>(), testing::AnyOf(HasSubstr("libEGL.so.1"), HasSubstr("EGL/egl.h")));
    }
  }
}

TEST_F(Engines, WithoutAGpuCudaIsADeviceFailureThatSaysWhyAndNoOtherStepsIn) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const Setting no_gpu("CUDA_VISIBLE_DEVICES", "");
  const auto json = run({"engines", "--json"}).json();
  std::vector<nlohmann::ordered_json> listed;
  for (const char* list : {"engines", "scene_engines"})
    for (const auto& engine : json[list])
      if (engine["name"] == "cuda") listed.push_back(engine);
  ASSERT_EQ(listed.size(), 2u) << "for meshes and for scenes";
  const std::string why = listed[0]["why"];
  for (const auto& engine : listed) {
    EXPECT_FALSE(engine["available"]) << engine;
    EXPECT_TRUE(engine["gpu"] && engine["devices"].empty()) << engine;
    EXPECT_EQ(engine["why"], why);
  }
  EXPECT_THAT(why, testing::AnyOf(HasSubstr("built without CUDA"), HasSubstr("no NVIDIA driver"),
                                  HasSubstr("no NVIDIA GPU that this process may use")));
  for (const char* command : {"self", "scene"}) {
    const Outcome outcome = run({command, box, "--engine", "cuda", "--json"});
    EXPECT_EQ(outcome.status, 3) << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_THAT(outcome.err, HasSubstr("engine cuda is not available here: " + why)) << command;
  }
}

TEST_F(Engines, OfCudaListTheCodeThatEveryGpuRuns) {
  const auto json = run({"engines", "--json"}).json();
  for (const auto& engine : json["engines"]) {
    if (engine["name"] != "cuda") continue;
    if (!engine["available"]) GTEST_SKIP() << "CUDA is not available here: " << engine["why"];
    for (const auto& line : engine["devices"])
      EXPECT_THAT(line.get<std::string>(),
                  testing::AllOf(HasSubstr("compute capability"),
                                 testing::AnyOf(HasSubstr("code for "), HasSubstr("compiled by the driver from")),
                                 testing::AnyOf(HasSubstr("kernels overlap"), HasSubstr("one after another"))));
  }
}

}  // namespace
}  // namespace lamella::test
