// A clash report as BCF 2.1: the archive is opened with libzip again, and its files keep the rules of the format.

#include <gmock/gmock.h>
#include <zip.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <set>

#include "cli/bcf_rules.hpp"
#include "cli/clash/bcf.hpp"
#include "cli/clash/bcf_guid.hpp"
#include "cli/clash/bcf_topic.hpp"
#include "cli/clash_support.hpp"
#include "lamella/error.hpp"

namespace lamella::test {
namespace {

using cli::ClashAnswer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using Files = std::map<std::string, std::string>;

Files unzipped(const std::string& path) {
  Files files;
  int failure = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &failure);
  EXPECT_NE(archive, nullptr) << failure;
  for (zip_int64_t i = 0; archive != nullptr && i < zip_get_num_entries(archive, 0); ++i) {
    zip_stat_t about;
    EXPECT_EQ(zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &about), 0);
    std::string bytes(about.size, '\0');
    zip_file_t* file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
    EXPECT_EQ(zip_fread(file, bytes.data(), about.size), static_cast<zip_int64_t>(about.size)) << about.name;
    zip_fclose(file);
    EXPECT_TRUE(files.emplace(about.name, bytes).second) << about.name << " is there twice";
  }
  if (archive != nullptr) zip_discard(archive);
  return files;
}

pugi::xml_document parsed(const std::string& text, const std::string& where) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size(), pugi::parse_full);
  EXPECT_TRUE(result) << where << ": " << result.description();
  return document;
}

/// A topic's folder, parsed and checked.
struct Topic {
  pugi::xml_document markup, view;

  Topic(const Files& files, const std::string& guid)
      : markup(parsed(files.at(guid + "/markup.bcf"), "markup")),
        view(parsed(files.at(guid + "/viewpoint.bcfv"), "viewpoint")) {
    expect_bcf(markup.child("Markup"), "Markup", guid + "/Markup");
    expect_bcf(view.child("VisualizationInfo"), "VisualizationInfo", guid + "/VisualizationInfo");
    EXPECT_EQ(topic().attribute("Guid").value(), guid) << "the folder's name";
    EXPECT_THAT(files.at(guid + "/snapshot.png"), StartsWith("\x89PNG\r\n\x1a\n"));
    const std::string viewpoint = markup.child("Markup").child("Viewpoints").attribute("Guid").value();
    EXPECT_EQ(view.child("VisualizationInfo").attribute("Guid").value(), viewpoint);
    EXPECT_EQ(markup.child("Markup").child("Comment").child("Viewpoint").attribute("Guid").value(), viewpoint);
  }
  [[nodiscard]] pugi::xml_node topic() const { return markup.child("Markup").child("Topic"); }
  [[nodiscard]] std::string text(const char* name) const { return topic().child(name).text().get(); }
  [[nodiscard]] std::vector<std::string> labels() const {
    std::vector<std::string> out;
    for (const pugi::xml_node label : topic().children("Labels")) out.emplace_back(label.text().get());
    return out;
  }
  [[nodiscard]] Vec3d vector(const char* name) const {
    const pugi::xml_node v = view.child("VisualizationInfo").child("PerspectiveCamera").child(name);
    return {v.child("X").text().as_double(), v.child("Y").text().as_double(), v.child("Z").text().as_double()};
  }
};

class ClashBcf : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
  }
  void TearDown() override {
    unsetenv("SOURCE_DATE_EPOCH");
    Program::TearDown();
  }
  Files written(const ClashAnswer& answer, const std::string& name = "out.bcf") {
    write_clash_bcf(at(name), answer, {.snapshot = {64, 48}});
    return unzipped(at(name));
  }
};

std::set<std::string> topics_of(const Files& files) {
  std::set<std::string> out;
  for (const auto& [name, bytes] : files) {
    if (const std::size_t slash = name.find('/'); slash != std::string::npos) out.insert(name.substr(0, slash));
  }
  return out;
}

ClashAnswer two_boxes(const std::string& a, const std::string& b) {
  ClashAnswer answer;
  answer.assembly.meshes = {make_box({0, 0, 0}, {2, 2, 2})};
  answer.assembly.parts = {{.name = a, .mesh = 0}, {.name = b, .mesh = 0, .pose = at_place(1, 1, 1)}};
  answer.report = find_clashes(answer.assembly, answer.options);
  return answer;
}

TEST(BcfGuid, IsVersion5OfTheRfc) {
  // RFC 9562, A.4: www.example.com in the name space of DNS.
  const std::string dns("\x6b\xa7\xb8\x10\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8", 16);
  EXPECT_EQ(cli::guid_of("www.example.com", dns), "2ed6657d-e927-568b-95e1-2665a8aea6a2");
}

TEST(BcfGuid, LongNamesDifferInTheirLastLetter) {
  std::set<std::string> guids;
  for (std::size_t length = 0; length < 200; ++length) {
    guids.insert(cli::guid_of(std::string(length, 'x')));
    guids.insert(cli::guid_of(std::string(length, 'x') + "y"));
  }
  EXPECT_EQ(guids.size(), 400u);
}

TEST(BcfGuid, KnowsNamesThatIfcGives) {
  EXPECT_TRUE(cli::is_ifc_guid("2O2Fr$t4X7Zf8NOew3FNr2"));
  EXPECT_FALSE(cli::is_ifc_guid("2O2Fr$t4X7Zf8NOew3FNr"));
  EXPECT_FALSE(cli::is_ifc_guid("4O2Fr$t4X7Zf8NOew3FNr2")) << "the first has two bits";
  EXPECT_FALSE(cli::is_ifc_guid("2O2Fr-t4X7Zf8NOew3FNr2"));
}

TEST_F(ClashBcf, KeepsTheRulesOfTheFormat) {
  const ClashAnswer answer = SampleAssembly().answer();
  const Files files = written(answer);
  expect_bcf(parsed(files.at("bcf.version"), "version").child("Version"), "Version", "Version");
  expect_bcf(parsed(files.at("project.bcfp"), "project").child("ProjectExtension"), "ProjectExtension", "Project");
  EXPECT_THAT(files.at("bcf.version"), HasSubstr("VersionId=\"2.1\""));
  const std::set<std::string> topics = topics_of(files);
  EXPECT_EQ(topics.size(), answer.report.findings.size());
  EXPECT_EQ(files.size(), 2 + 3 * topics.size());
  std::set<int> indices;
  for (const std::string& guid : topics) indices.insert(std::stoi(Topic(files, guid).text("Index")));
  EXPECT_EQ(indices.size(), topics.size());
  EXPECT_EQ(*indices.begin(), 1);
}

TEST_F(ClashBcf, ATopicSaysWhatWasFound) {
  const Files files = written(SampleAssembly().answer());
  bool seen = false;
  for (const std::string& guid : topics_of(files)) {
    const Topic topic(files, guid);
    EXPECT_STREQ(topic.topic().attribute("TopicType").value(), "Clash");
    EXPECT_STREQ(topic.topic().attribute("TopicStatus").value(), "Open");
    EXPECT_EQ(topic.text("CreationDate"), "2023-11-14T22:13:20Z");
    EXPECT_EQ(topic.text("CreationAuthor"), "lamella");
    if (topic.labels() != std::vector<std::string>{"piercing"}) continue;
    seen = true;
    EXPECT_EQ(topic.text("Title"), "plate × bolt: piercing in 3 places");
    EXPECT_EQ(topic.text("Priority"), "High");
    EXPECT_THAT(topic.text("Description"), HasSubstr("640"));
    EXPECT_THAT(topic.text("Description"), HasSubstr("mm³"));
    EXPECT_THAT(topic.text("Description"), HasSubstr("plate × bolt 2"));
  }
  EXPECT_TRUE(seen);
}

TEST_F(ClashBcf, TheCameraLooksAtTheClashInMetres) {
  const ClashAnswer answer = SampleAssembly().answer();
  const std::vector<std::string> guids = cli::bcf_guids(answer);
  const Files files = written(answer);
  for (std::size_t i = 0; i < guids.size(); ++i) {
    const Topic topic(files, guids[i]);
    const ClashPair& worst = answer.report.pairs[answer.report.findings[i].pairs.front()];
    const Vec3d eye = topic.vector("CameraViewPoint"), ahead = topic.vector("CameraDirection");
    EXPECT_NEAR(length(ahead), 1, 1e-9);
    EXPECT_NEAR(dot(ahead, topic.vector("CameraUpVector")), 0, 1e-9);
    const Vec3d target = (worst.min + worst.max) * (0.5 * 0.001);
    EXPECT_NEAR(length(cross(target - eye, ahead)), 0, 1e-7) << "straight ahead";
    const double away = dot(target - eye, ahead), size = length(worst.max - worst.min) * 0.001;
    EXPECT_GT(away, 0);
    EXPECT_LT(size, 2 * away * std::tan(22.5 * std::numbers::pi / 180)) << "in view";
    EXPECT_LT(away, 0.2);
  }
}

TEST_F(ClashBcf, ASecondReportUpdatesTheSameTopics) {
  const SampleAssembly sample;
  const std::set<std::string> before = topics_of(written(sample.answer()));
  // The worst place of the bolts is another one now, and parts are listed in another order.
  SampleAssembly moved;
  moved.assembly.parts[1].pose.translation = {20, 20, -20};
  std::reverse(moved.assembly.parts.begin(), moved.assembly.parts.end());
  const std::set<std::string> after = topics_of(written(moved.answer(), "second.bcf"));
  std::vector<std::string> gone;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(gone));
  EXPECT_THAT(gone, ElementsAre());
}

TEST_F(ClashBcf, FindingsOfTheSameNamesHaveDifferentTopics) {
  ClashAnswer answer;
  const Mesh box = make_box({0, 0, 0}, {2, 2, 2});
  answer.assembly.meshes = {box, box, box, box};
  answer.assembly.mesh_names = {"m", "m", "m", "m"};
  for (std::uint32_t i = 0; i < 4; ++i)
    answer.assembly.parts.push_back({.name = "p", .mesh = i, .pose = at_place(i / 2 * 10 + i % 2, i % 2, i % 2)});
  answer.report = find_clashes(answer.assembly, answer.options);
  ASSERT_EQ(answer.report.findings.size(), 2u);
  EXPECT_EQ(topics_of(written(answer)).size(), 2u);
}

TEST_F(ClashBcf, ATopicKeepsItsGuidWhenAnotherOfTheSameMeshesAppears) {
  ClashAnswer answer;
  answer.assembly.meshes = {make_box({0, 0, 0}, {2, 2, 2})};
  answer.assembly.mesh_names = {"box"};
  const auto add = [&](const std::string& name, double x) {
    answer.assembly.parts.push_back({.name = name, .mesh = 0, .pose = at_place(x, x, x)});
  };
  answer.options.rules = {{.name = "fit", .a = "a*", .b = "a*", .allowed_volume = 1.5}, {.a = "c*", .b = "c*"}};
  const auto guids = [&] {
    answer.report = find_clashes(answer.assembly, answer.options);
    const std::vector<std::string> all = cli::bcf_guids(answer);
    return std::set<std::string>(all.begin(), all.end());
  };
  add("b1", 10), add("b2", 11);
  const std::set<std::string> one = guids();
  ASSERT_EQ(one.size(), 1u);
  // Pairs of the same meshes and class that other rules decide, one of them without a name; with a lower name and a
  // larger volume, and with a smaller one.
  add("a1", 0), add("a2", 1.01), add("c1", 20), add("c2", 20.5);
  const std::set<std::string> three = guids();
  ASSERT_EQ(three.size(), 3u);
  EXPECT_TRUE(three.contains(*one.begin()));
  // A rule in front changes the numbers of rules, not the topics.
  answer.options.rules.insert(answer.options.rules.begin(), {.a = "none", .b = "none"});
  EXPECT_EQ(guids(), three);
  // A place that the rule does not allow any more is open again; what is still allowed is a topic beside it.
  add("a3", -0.1);
  const std::set<std::string> more = guids();
  for (const std::string& guid : three) EXPECT_TRUE(more.contains(guid)) << guid;
}

TEST_F(ClashBcf, TopicsOfDifferentProjectsAreDifferent) {
  cli::ClashAnswer answer = SampleAssembly().answer();
  const std::vector<std::string> usual = cli::bcf_guids(answer);
  answer.project = answer.title;
  EXPECT_EQ(cli::bcf_guids(answer), usual);
  answer.project = "another";
  const std::vector<std::string> others = cli::bcf_guids(answer);
  for (const std::string& guid : others) EXPECT_EQ(std::count(usual.begin(), usual.end(), guid), 0);
}

TEST_F(ClashBcf, ATopicOfMeshesOfTheSameNameKeepsItsGuid) {
  ClashAnswer answer;
  const Mesh box = make_box({0, 0, 0}, {2, 2, 2});
  const auto add = [&](const std::string& name, double x) {
    answer.assembly.meshes.push_back(box);
    answer.assembly.mesh_names.emplace_back("m");
    const auto mesh = static_cast<std::uint32_t>(answer.assembly.parts.size());
    answer.assembly.parts.push_back({.name = name, .mesh = mesh, .pose = at_place(x, x, x)});
  };
  const auto guids = [&] {
    answer.report = find_clashes(answer.assembly, answer.options);
    const std::vector<std::string> all = cli::bcf_guids(answer);
    return std::set<std::string>(all.begin(), all.end());
  };
  add("p", 0), add("q", 1);
  const std::set<std::string> one = guids();
  add("a", 10), add("b", 10.5);
  const std::set<std::string> two = guids();
  ASSERT_EQ(two.size(), 2u);
  EXPECT_TRUE(two.contains(*one.begin()));
}

TEST_F(ClashBcf, WhatSeemsClearAndIsUndecidedIsATopic) {
  const ClashAnswer answer = undecided_answer();
  ASSERT_EQ(answer.report.findings.size(), 1u);
  const Files files = written(answer);
  ASSERT_EQ(topics_of(files).size(), 1u);
  const Topic topic(files, *topics_of(files).begin());
  EXPECT_EQ(topic.text("Title"), "lower × upper: undecided");
  EXPECT_EQ(topic.text("Priority"), "Normal");
  EXPECT_THAT(topic.labels(), ElementsAre("undecided"));
  EXPECT_THAT(topic.text("Description"), HasSubstr("undecided, seems clear"));
  EXPECT_THAT(topic.text("Description"), HasSubstr("Smallest distance: 1.5 mm"));
  EXPECT_THAT(topic.text("Description"), HasSubstr("lower: 3 columns do not close"));
}

TEST_F(ClashBcf, TheFileMayBeABcfzip) {
  const std::string a = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const std::string b = save("b.ply", make_box({0.5f, 0.5f, 0.5f}, {2, 2, 2}));
  EXPECT_EQ(run({"clash", a, b, "--bcf", at("out.bcfzip")}).status, 1);
  EXPECT_EQ(topics_of(unzipped(at("out.bcfzip"))).size(), 1u);
  EXPECT_EQ(run({"clash", a, b, "--bcf", at("out.zip")}).status, 2);
}

TEST_F(ClashBcf, TheSameReportIsTheSameBytes) {
  const ClashAnswer answer = two_boxes("a", "b");
  write_clash_bcf(at("one.bcf"), answer);
  setenv("TZ", "Asia/Tokyo", 1);
  write_clash_bcf(at("two.bcf"), answer);
  unsetenv("TZ");
  EXPECT_EQ(content(at("one.bcf")), content(at("two.bcf")));
}

TEST_F(ClashBcf, NamesAreTextWhateverIsInThem) {
  const std::string evil = "</Title><x>&]]>\x01\xff\"'", noncharacter = "a\xEF\xBF\xBF";
  const Files files = written(two_boxes(evil, noncharacter));
  ASSERT_EQ(topics_of(files).size(), 1u);
  const Topic topic(files, *topics_of(files).begin());
  EXPECT_EQ(topic.text("Title"), R"(</Title><x>&]]>\u0001\xff"' × a?: overlapping)");
}

TEST_F(ClashBcf, AnIfcGuidIsOneAndOtherNamesAreNot) {
  const std::string ifc = "2O2Fr$t4X7Zf8NOew3FNr2";
  const Files files = written(two_boxes(ifc, "bolt"));
  const Topic topic(files, *topics_of(files).begin());
  const pugi::xml_node selection = topic.view.child("VisualizationInfo").child("Components").child("Selection");
  EXPECT_EQ(selection.first_child().attribute("IfcGuid").value(), ifc);
  EXPECT_FALSE(selection.last_child().attribute("IfcGuid"));
  EXPECT_STREQ(selection.last_child().child("AuthoringToolId").text().get(), "bolt");
}

TEST_F(ClashBcf, WhatIsAllowedIsClosedAndLast) {
  ClashAnswer answer = SampleAssembly().answer();
  answer.report.findings.front().allowed = true;
  const std::string guid = cli::bcf_guids(answer).front();
  const Topic topic(written(answer), guid);
  EXPECT_STREQ(topic.topic().attribute("TopicStatus").value(), "Closed");
  EXPECT_EQ(topic.text("Index"), std::to_string(answer.report.findings.size()));
  EXPECT_EQ(topic.text("Priority"), "Low");
}

TEST_F(ClashBcf, NewAndChangedAreLabels) {
  ClashAnswer answer = two_boxes("a", "b");
  answer.changes = {cli::ClashChange::added};
  const Files files = written(answer);
  EXPECT_THAT(Topic(files, *topics_of(files).begin()).labels(), ElementsAre("overlapping", "new"));
}

TEST_F(ClashBcf, ManyFindingsAreCutAtTheWorstAndItIsSaid) {
  ClashAnswer answer = SampleAssembly().answer();
  answer.title = "many";
  ASSERT_EQ(answer.report.findings.size(), 6u);
  testing::internal::CaptureStderr();
  write_clash_bcf(at("out.bcf"), answer, {.most_topics = 2, .snapshot = {64, 48}});
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("the worst 2 of 6 findings"));
  const Files files = unzipped(at("out.bcf"));
  const std::vector<std::string> guids = cli::bcf_guids(answer);
  EXPECT_EQ(topics_of(files), (std::set<std::string>{guids[0], guids[1]}));
  EXPECT_THAT(files.at("project.bcfp"), HasSubstr("many (the worst 2 of 6 findings)"));
}

TEST_F(ClashBcf, AReportThatWasStoppedSaysSo) {
  ClashAnswer answer = two_boxes("a", "b");
  answer.report.complete = false;
  answer.report.tested_count = 1;
  answer.report.candidate_count = 7;
  EXPECT_THAT(written(answer).at("project.bcfp"), HasSubstr("stopped early: 1 of 7 candidates"));
}

TEST_F(ClashBcf, AWrongDateIsAnErrorAndLeavesNoFile) {
  setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
  EXPECT_THROW(write_clash_bcf(at("out.bcf"), two_boxes("a", "b")), Error);
  EXPECT_FALSE(std::filesystem::exists(at("out.bcf")));
}

TEST_F(ClashBcf, AReportWithoutFindingsIsAnArchiveWithoutTopics) {
  const Files files = written({});
  EXPECT_EQ(files.size(), 2u);
}

}  // namespace
}  // namespace lamella::test
