// Rules files and earlier reports.

#include "cli/clash_program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ClashRules : public ClashProgram {
 protected:
  [[nodiscard]] std::string rules(const std::string& text) const { return save_text("rules.json", text); }
  [[nodiscard]] Outcome with_rules(const std::string& list, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {a_, b_, "--rules", rules(R"({"rules": [)" + list + "]}")});
    return json_of(more);
  }
  [[nodiscard]] std::string complaint(const std::string& text) const {
    return refusal({a_, b_, "--rules", rules(text)});
  }
  /// A report of this run.
  [[nodiscard]] std::string report(const std::string& name, const std::vector<std::string>& arguments) const {
    return save_text(name, json_of(arguments).out);
  }
};

TEST_F(ClashRules, IgnoredPairsAreNotTested) {
  const Outcome outcome = with_rules(R"({"a": "a*", "b": "b.ply", "ignore": true})");
  EXPECT_EQ(outcome.status, 0);
  const Json json = outcome.json();
  EXPECT_EQ(json["pairs"].size(), 0u);
  EXPECT_EQ(json["ignored"], 1);
  EXPECT_EQ(json["candidates"], 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(clash({a_, b_, "--ignore", "group:b,*"}).status, 0);
  EXPECT_EQ(clash({a_, b_, "--ignore", "b*,b*"}).status, 1);
  EXPECT_THAT(refusal({a_, b_, "--ignore", "a"}), HasSubstr("A,B"));
}

TEST_F(ClashRules, APressFitIsAllowedUpToItsDepthOrVolume) {
  const auto result = [&](const std::string& rule) {
    const Outcome outcome = with_rules(rule);
    const Json json = outcome.json();
    EXPECT_EQ(json["pairs"].size(), 1u);
    EXPECT_EQ(json["counts"]["allowed"], outcome.status == 0 ? 1 : 0);
    return json["pairs"][0]["result"].get<std::string>() + " " + json["pairs"][0]["rule"].get<std::string>();
  };
  EXPECT_EQ(result(R"({"name": "fit", "a": "a*", "b": "b*", "allowed_volume": 0.19})"), "allowed fit");
  EXPECT_EQ(result(R"({"name": "fit", "a": "a*", "b": "b*", "allowed_volume": 0.18})"), "fails fit");
  EXPECT_EQ(result(R"({"a": "a*", "b": "b*", "allowed_depth": 2})"), "allowed rule 1");
  EXPECT_EQ(result(R"({"a": "a*", "b": "b*", "allowed_depth": 0.01})"), "fails rule 1");
  EXPECT_EQ(result(R"({"a": "group:b", "allow_contact": true})"), "allowed rule 1");
  // The first that matches decides.
  EXPECT_EQ(result(R"({"a": "a*"}, {"a": "*", "allow_contact": true})"), "fails rule 1");
}

TEST_F(ClashRules, ContactIsAllowedToo) {
  const std::string seat = rules(R"({"touch": 0.25, "rules": [{"a": "a*", "allow_contact": true}]})");
  for (const float gap : {0.f, 0.125f}) {
    const std::string beside = save("beside.ply", make_box({1 + gap, 0, 0}, {2, 1, 1}));
    EXPECT_EQ(clash({a_, beside, "--touch", "0.25", "--fail-on", "touching"}).status, 1);
    const Outcome outcome = json_of({a_, beside, "--rules", seat, "--fail-on", "touching"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.json()["pairs"][0]["allowed"], true);
  }
}

TEST_F(ClashRules, ARuleHasItsOwnClearanceEvenNone) {
  const std::string beside = save("beside.ply", make_box({1.125f, 0, 0}, {2, 1, 1}));
  const auto status = [&](const std::string& text) { return clash({a_, beside, "--rules", rules(text)}).status; };
  EXPECT_EQ(status(R"({"clearance": 0.25, "rules": []})"), 1);
  EXPECT_EQ(status(R"({"clearance": 0.25, "rules": [{"a": "a*", "clearance": 0}]})"), 0);
  EXPECT_EQ(status(R"({"rules": [{"a": "a*", "clearance": 0.2}]})"), 1);
  EXPECT_EQ(status(R"({"clearance": 0.25, "touch": 0.2, "rules": []})"), 0);
  EXPECT_EQ(clash({a_, beside, "--rules", rules(R"({"clearance": 0.25, "rules": []})"), "--clearance", "0"}).status, 0);
}

TEST_F(ClashRules, ARuleWithoutPartsIsReported) {
  const Outcome outcome = with_rules(R"({"name": "fit", "a": "a.plz", "b": "b*", "allow_contact": true})");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("fit has no effect"), HasSubstr("did you mean \"a.ply\"?")));
  ASSERT_EQ(outcome.json()["warnings"].size(), 1u);
  EXPECT_THAT(with_rules(R"({"a": "layer:cables", "ignore": true})").err, HasSubstr("no part is in \"layer:cables\""));
}

TEST_F(ClashRules, OfManyRulesWithoutPartsTheFirstAreNamed) {
  std::string list;
  for (int i = 0; i < 40; ++i) list += fmt::format(R"({}{{"a": "*x{}", "ignore": true}})", i == 0 ? "" : ",", i);
  const Json warnings = with_rules(list).json()["warnings"];
  ASSERT_EQ(warnings.size(), 17u);
  EXPECT_THAT(warnings[15].get<std::string>(), HasSubstr("rule 16 has no effect: no part is in \"*x15\""));
  EXPECT_EQ(warnings[16], "likewise 24 more rules have no effect");
}

TEST_F(ClashRules, MistakesAreShownWithTheirPlace) {
  EXPECT_THAT(complaint("{\"rules\": [\n  {\"a\": \"x\", \"clearence\": 1}]}"),
              AllOf(HasSubstr("rules.json:2:14: "), HasSubstr("did you mean \"clearance\"?")));
  EXPECT_THAT(complaint("{\"rules\": [{\"b\": \"x\"}]}"), AllOf(HasSubstr(":1:12: "), HasSubstr("has no \"a\"")));
  EXPECT_THAT(complaint("{\"rules\": [{\"a\": \"x\", \"clearance\": -1}]}"), HasSubstr(":1:36: "));
  EXPECT_THAT(complaint("{\"rules\": [{\"a\": \"x\", \"ignore\": \"yes\"}]}"),
              AllOf(HasSubstr(":1:33: "), HasSubstr("must be true or false, not a text")));
  EXPECT_THAT(complaint("{\"rules\": [{\"a\": \"\"}]}"), HasSubstr("\"a\" of rule 1 is empty"));
  EXPECT_THAT(complaint("{\"rules\": [{\"a\": \"x\", \"ignore\": true, \"clearance\": 1}]}"),
              HasSubstr("keep one of them"));
  EXPECT_THAT(complaint("{\"rules\": [}"), AllOf(HasSubstr(":1:12: "), HasSubstr("is no JSON")));
  EXPECT_THAT(complaint("[]"), HasSubstr("a rules file must be an object, not a list"));
  EXPECT_THAT(complaint("{}"), HasSubstr("has no \"rules\""));
  EXPECT_THAT(refusal({a_, b_, "--rules", at("none.json")}), HasSubstr("there is no such file"));
  EXPECT_EQ(with_rules(R"({"comment": "c", "a": "x*"})").status, 1);
  EXPECT_EQ(clash({a_, b_, "--rules", rules(R"({"$schema": "clash-rules.schema.json", "rules": []})")}).status, 1);
}

TEST_F(ClashRules, TheDocumentationShowsAMistakeAsItIsReported) {
  const std::string error = complaint(
      "{\n  \"rules\": [\n    {\"a\": \"bolt*\", \"b\": \"nut*\", \"ignore\": true},\n"
      "    {\"a\": \"pipe*\", \"b\": \"layer:cables\", \"clearence\": 25}]}\n");
  const std::string page = content(LAMELLA_SOURCE "/docs/clash.md");
  EXPECT_NE(page.find("\n" + error.substr(error.find("rules.json:"))), std::string::npos) << error;
}

TEST_F(ClashRules, OfManyRulesTheFirstThatMatchesDecides) {
  const auto rule_of_pair = [&](int first, int second) {
    std::string list;
    for (int i = 0; i < 200; ++i) {
      const bool matches = i == first || i == second;
      list += fmt::format(R"({}{{"name": "r{}", "a": "{}", "b": "{}"}})", i == 0 ? "" : ",", i, matches ? "b*" : "a*",
                          matches ? "a*" : fmt::format("x{}", i));
    }
    return with_rules(list).json()["pairs"][0]["rule"].get<std::string>();
  };
  EXPECT_EQ(rule_of_pair(0, 199), "r0");
  EXPECT_EQ(rule_of_pair(63, 64), "r63");
  EXPECT_EQ(rule_of_pair(64, 127), "r64");
  EXPECT_EQ(rule_of_pair(199, 199), "r199");
}

TEST_F(ClashRules, GroupsAndLayersOfASceneFileAreSetsOfRules) {
  const std::string scene = save_text("scene.json", R"({"meshes": {"a": "a.ply", "b": "b.ply"}, "objects": [
    {"mesh": "a", "group": "frame", "layer": "steel"}, {"mesh": "b", "group": "pipes"}]})");
  EXPECT_EQ(clash({scene}).status, 1);
  EXPECT_EQ(clash({scene, "--ignore", "group:pipes,layer:steel"}).status, 0);
  EXPECT_EQ(clash({scene, "--ignore", "group:pipes,layer:wood"}).status, 1);
}

TEST_F(ClashRules, ComparesWithAnEarlierReport) {
  const std::string old = report("old.json", {a_, b_, far_});
  const Outcome same = json_of({a_, b_, far_, "--baseline", old});
  EXPECT_EQ(same.status, 1);
  EXPECT_EQ(same.json()["pairs"][0]["change"], "same");
  EXPECT_EQ(clash({a_, b_, far_, "--baseline", old, "--fail-on", "new"}).status, 0);

  // b moves away from a, and far comes to it.
  (void)save("b.ply", make_box({0.5f, 0.25f, 5}, {1.5f, 1.25f, 6}));
  (void)save("far.ply", make_box({-0.5f, 0, 0}, {0.5f, 1, 1}));
  const Outcome moved = json_of({a_, b_, far_, "--baseline", old, "--fail-on", "new"});
  EXPECT_EQ(moved.status, 1);
  const Json json = moved.json();
  EXPECT_EQ(json["baseline"]["new"], 1);
  EXPECT_EQ(json["pairs"][0]["change"], "new");
  ASSERT_EQ(json["baseline"]["gone"].size(), 1u);
  EXPECT_EQ(json["baseline"]["gone"][0]["a"], "a.ply");
  EXPECT_EQ(json["baseline"]["gone"][0]["b"], "b.ply");
  EXPECT_THAT(clash({a_, b_, far_, "--baseline", old}).out,
              AllOf(HasSubstr("with old.json: 1 new, 0 changed, 0 same, 1 gone"),
                    HasSubstr("gone          overlapping: a.ply and b.ply")));
}

TEST_F(ClashRules, OnlyWhatGotWorseFailsOnNew) {
  const std::string old = report("old.json", {a_, b_});
  const auto after = [&](float x) {
    (void)save("b.ply", make_box({x, 0.25f, 0.5f}, {x + 1, 1.25f, 2}));
    const Outcome outcome = json_of({a_, b_, "--baseline", old, "--fail-on", "new"});
    return outcome.json()["pairs"][0]["change"].get<std::string>() + " " + std::to_string(outcome.status);
  };
  EXPECT_EQ(after(0.5001f), "same 0");
  EXPECT_EQ(after(0.25f), "changed 1");
  EXPECT_EQ(after(0.75f), "changed 0");
}

TEST_F(ClashRules, WhatIsWorseInOneRespectFailsOnNew) {
  const Json now = json_of({a_, b_}).json();
  const auto against = [&](const char* key, const Json& value, const char* and_key = nullptr,
                           const Json& and_value = {}) {
    Json before = now;
    before["pairs"][0][key] = value;
    if (and_key != nullptr) before["pairs"][0][and_key] = and_value;
    const Outcome outcome =
        json_of({a_, b_, "--baseline", save_text("before.json", before.dump()), "--fail-on", "new"});
    return outcome.json()["pairs"][0]["change"].get<std::string>() + " " + std::to_string(outcome.status);
  };
  EXPECT_EQ(against("volume", now["pairs"][0]["volume"]), "same 0");
  EXPECT_EQ(against("verdict", "undecided"), "changed 1") << "now it is sure";
  EXPECT_EQ(against("class", "piercing"), "changed 0") << "a milder class";
  EXPECT_EQ(against("class", "piercing", "volume", 0.1), "changed 1") << "a milder class, and a larger volume";
  EXPECT_EQ(against("class", "piercing", "depth", 0.1), "changed 1") << "a milder class, and deeper";
  EXPECT_EQ(against("class", "touching", "distance", 0.1), "changed 1");
  EXPECT_EQ(against("class", "piercing", "distance", 0.1), "changed 1") << "a milder class, and closer";
}

TEST_F(ClashRules, AnEarlierReportWithOtherOptionsIsSaid) {
  const std::string old = report("old.json", {a_, b_, "--clearance", "0.25", "--resolution", "64", "--touch", "0.001"});
  const Outcome outcome = json_of({a_, b_, "--baseline", old});
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("old.json: that run had other options"),
                    HasSubstr("clearance was 0.25 and is 0, touch was 0.001 and is 0, resolution was 64 and is "
                              "128")));
  EXPECT_EQ(outcome.json()["warnings"].size(), 1u);
  EXPECT_EQ(json_of({a_, b_, "--baseline", old, "--clearance", "0.25", "--resolution", "64", "--touch", "0.001"}).err,
            "");
  const std::string exact = report("exact.json", {a_, b_, "--tolerance", "1%", "--shortest"});
  EXPECT_THAT(json_of({a_, b_, "--baseline", exact}).err, AllOf(HasSubstr("way_out was shortest and is normal"),
                                                                HasSubstr("tolerance was 0.01 relative and is none")));
  EXPECT_EQ(json_of({a_, b_, "--baseline", exact, "--tolerance", "1%", "--shortest"}).err, "");
}

TEST_F(ClashRules, AnEarlierReportIsNotTrusted) {
  const auto complaint_about = [&](const std::string& text) {
    return refusal({a_, b_, "--baseline", save_text("old.json", text)});
  };
  EXPECT_THAT(complaint_about("{\"query\": \"scene\"}"), AllOf(HasSubstr("old.json:1:11: "), HasSubstr("no report")));
  EXPECT_THAT(complaint_about("{\"query\": \"clash\", \"format\": 1,\n\"complete\": 1}"), HasSubstr("old.json:2:13: "));
  EXPECT_THAT(complaint_about("{\"query\": \"clash\",\n\"format\": 99}"),
              AllOf(HasSubstr("old.json:2:11: "), HasSubstr("format 99, and this program reads format 1")));
  EXPECT_THAT(complaint_about("{\"query\": \"clash\"}"), HasSubstr("a report has no \"format\""));
  const std::string head = R"({"query": "clash", "format": 1, "complete": true, "unit": null, "pairs": [)";
  EXPECT_THAT(complaint_about(head + "{}]}"), HasSubstr("pair 0 has no \"class\""));
  EXPECT_THAT(complaint_about(head + R"({"class": "bad"}]})"), HasSubstr("\"bad\", which is none"));
  EXPECT_THAT(complaint_about(head + "5]}"), HasSubstr("must be an object"));
  const std::string old = report("old.json", {a_, b_, "--units", "mm"});
  EXPECT_THAT(refusal({a_, b_, "--baseline", old}), HasSubstr("old.json is in mm, and this run in no unit"));
  std::string stopped = json_of({a_, b_}).out;
  stopped.replace(stopped.find("\"complete\":true"), 15, "\"complete\":false");
  const Outcome outcome = json_of({a_, b_, "--baseline", save_text("stopped.json", stopped)});
  EXPECT_THAT(outcome.err, HasSubstr("stopped.json: that run was stopped early"));
  EXPECT_EQ(outcome.json()["warnings"].size(), 1u);
}

}  // namespace
}  // namespace lamella::test
