// A clash report as a page: what it gets is what the report has, within bounds that it states.

#include <gmock/gmock.h>

#include "cli/clash/html.hpp"
#include "cli/clash_support.hpp"
#include "cli/html/page.hpp"
#include "cli/opened_report.hpp"
#include "lamella/error.hpp"

namespace lamella::test {
namespace {

using cli::ClashAnswer;
using cli::ClashPageLimits;
using session::Json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string tiny_page() { return "<title>viewer</title><body>" + std::string(cli::kDataMarker) + "</body>"; }

std::string html_of(const ClashAnswer& answer, const ClashPageLimits& limits = {}) {
  std::vector<Mesh> meshes;
  return cli::html_of(tiny_page(), cli::clash_page(answer, meshes, limits));
}

std::vector<std::string> notes_of(const OpenedReport& opened) {
  return opened.report()["notes"].get<std::vector<std::string>>();
}

TEST(ClashHtml, HasEveryFindingWithItsPlacesAndFigures) {
  const ClashAnswer answer = SampleAssembly().answer();
  const OpenedReport opened(html_of(answer));
  EXPECT_EQ(opened.report()["kind"], "clash");
  EXPECT_THAT(notes_of(opened), testing::IsEmpty());
  const Json& clash = opened.report()["clash"];
  EXPECT_EQ(clash["unit"], "mm");
  ASSERT_EQ(clash["findings"].size(), answer.report.findings.size());
  ASSERT_EQ(clash["pairs"].size(), answer.report.pairs.size());
  for (std::size_t i = 0; i < answer.report.findings.size(); ++i) {
    const ClashFinding& finding = answer.report.findings[i];
    const Json& told = clash["findings"][i];
    EXPECT_EQ(told["class"], std::string(to_string(finding.kind)));
    EXPECT_EQ(told["volume"], finding.largest_volume);
    EXPECT_EQ(told["places"], finding.pairs.size());
    ASSERT_EQ(told["pairs"].size(), finding.pairs.size());
    for (std::size_t k = 0; k < finding.pairs.size(); ++k) {
      const ClashPair& pair = answer.report.pairs[finding.pairs[k]];
      const Json& place = clash["pairs"][told["pairs"][k].get<std::size_t>()];
      EXPECT_EQ(place["names"][0], answer.assembly.parts[pair.a].name);
      EXPECT_EQ(place["volume"], pair.volume);
      EXPECT_EQ(opened.objects()[place["b"].get<std::size_t>()]["name"], answer.assembly.parts[pair.b].name);
    }
  }
}

TEST(ClashHtml, APageMeasuresTheSameVolume) {
  const ClashAnswer answer = SampleAssembly().answer();
  OpenedReport opened(html_of(answer));
  const Json ids = opened.report()["objects"];
  for (const Json& pair : Json(opened.report()["clash"]["pairs"])) {
    if (!(pair["volume"].get<double>() > 0)) continue;
    const Json reply = opened.ask({{"op", "query"},
                                   {"kind", "intersect"},
                                   {"a", ids[pair["a"].get<std::size_t>()]},
                                   {"b", ids[pair["b"].get<std::size_t>()]}});
    const double volume = pair["volume"];
    EXPECT_NEAR(reply["answer"]["volume"].get<double>(), volume, 0.01 * volume) << pair;
  }
}

TEST(ClashHtml, WhatSeemsClearAndIsUndecidedIsListed) {
  const OpenedReport opened(html_of(undecided_answer(), {.picture = {40, 30}}));
  const Json& clash = opened.report()["clash"];
  ASSERT_EQ(clash["findings"].size(), 1u);
  EXPECT_EQ(clash["findings"][0]["title"], "lower × upper: undecided");
  EXPECT_EQ(clash["findings"][0]["class"], "clear");
  EXPECT_EQ(clash["findings"][0]["undecided"], true);
  EXPECT_EQ(clash["findings"][0]["lines"][0], "Class: undecided, seems clear");
  EXPECT_NEAR(clash["findings"][0]["distance"].get<double>(), 1.5, 1e-6);
  EXPECT_TRUE(clash["findings"][0].contains("png"));
  EXPECT_EQ(clash["pairs"].size(), 1u);
}

TEST(ClashHtml, FindingsHavePicturesUpToALimit) {
  const ClashAnswer answer = SampleAssembly().answer();
  const OpenedReport opened(html_of(answer, {.pictures = 2, .picture = {40, 30}}));
  const Json& findings = opened.report()["clash"]["findings"];
  EXPECT_TRUE(findings[0].contains("png"));
  EXPECT_TRUE(findings[1].contains("png"));
  EXPECT_FALSE(findings[2].contains("png"));
  EXPECT_THAT(notes_of(opened), Contains("The worst 2 findings have pictures."));
}

TEST(ClashHtml, TheWorstIsKeptAndWhatIsLeftOutIsSaid) {
  const ClashAnswer answer = SampleAssembly().answer();
  const OpenedReport opened(
      html_of(answer, {.findings = 3, .pairs = 4, .parts = 6, .all_parts = 0, .picture = {40, 30}}));
  const Json& clash = opened.report()["clash"];
  ASSERT_EQ(clash["findings"].size(), 3u);
  EXPECT_EQ(clash["findings"][0]["class"], "duplicate");
  EXPECT_EQ(clash["pairs"].size(), 4u);
  EXPECT_EQ(clash["findings"][2]["places"], 3) << "all of them, though two are listed";
  EXPECT_EQ(clash["findings"][2]["pairs"].size(), 2u);
  EXPECT_EQ(opened.objects().size(), 6u);
  EXPECT_TRUE(clash["pairs"][3]["b"].is_null()) << "a part that is not in the page";
  EXPECT_THAT(notes_of(opened), Contains(HasSubstr("worst 3 of 6 findings")));
  EXPECT_THAT(notes_of(opened), Contains(HasSubstr("Of 9 pairs, the worst 4")));
  EXPECT_THAT(notes_of(opened), Contains(HasSubstr("10 of 16 parts are not in this page")));
}

/// Ten parts in a row, of which every second is a sphere of many faces.
ClashAnswer row_of_spheres() {
  ClashAnswer answer;
  answer.assembly.meshes = {scenes::sphere(20'000, 1), make_box({0, 0, 0}, {1, 1, 1})};
  for (std::uint32_t i = 0; i < 10; ++i)
    answer.assembly.parts.push_back({.name = "p" + std::to_string(i), .mesh = i % 2, .pose = at_place(i * 0.9, 0, 0)});
  answer.report = find_clashes(answer.assembly, answer.options);
  return answer;
}

TEST(ClashHtml, ManyTrianglesBecomeFewerAndItIsSaid) {
  const OpenedReport opened(html_of(row_of_spheres(), {.faces = 6000, .picture = {40, 30}}));
  std::size_t faces = 0;
  for (const Json& object : opened.objects()) faces += object["faces"].get<std::size_t>();
  EXPECT_LE(faces, 6000u);
  EXPECT_GT(faces, 3000u);
  EXPECT_EQ(opened.objects()[1]["faces"], 12) << "small ones stay";
  EXPECT_EQ(opened.report()["clash"]["simplified"], true);
  EXPECT_THAT(notes_of(opened), Contains(HasSubstr("5 of the parts have fewer triangles")));
}

TEST(ClashHtml, WhatAFindingShowsFirstIsWhole) {
  const ClashAnswer answer = row_of_spheres();
  const std::size_t whole = answer.assembly.meshes[0].triangles.size();
  const OpenedReport opened(html_of(answer, {.faces = 60'000, .picture = {40, 30}}));
  const ClashPair& worst = answer.report.pairs[answer.report.findings[0].pairs[0]];
  const std::uint32_t sphere = answer.assembly.parts[worst.a].mesh == 0 ? worst.a : worst.b;
  EXPECT_EQ(opened.objects()[sphere]["faces"], whole);
  std::size_t faces = 0;
  for (const Json& object : opened.objects()) faces += object["faces"].get<std::size_t>();
  EXPECT_LE(faces, 60'000u);
  EXPECT_EQ(opened.report()["clash"]["simplified"], true) << "the others are not";
}

TEST(ClashHtml, NamesAreNeverMarkup) {
  ClashAnswer answer;
  const std::string evil = "</script><script>alert(1)</script><!--";
  answer.title = evil;
  answer.unit.name = evil;
  answer.assembly.meshes = {make_box({0, 0, 0}, {2, 2, 2})};
  answer.assembly.mesh_names = {evil};
  answer.assembly.parts = {{.name = evil, .mesh = 0}, {.name = "\xff\n", .mesh = 0, .pose = at_place(1, 1, 1)}};
  answer.report = find_clashes(answer.assembly, answer.options);
  answer.gone = {{evil, evil, ClashClass::near, 0}};
  const std::string html = html_of(answer, {.picture = {40, 30}});
  EXPECT_EQ(html.find("alert"), html.find("&lt;script&gt;alert") + 14) << "in the title alone, and escaped";
  const OpenedReport opened(html);
  EXPECT_EQ(opened.objects()[0]["name"], evil) << "as text";
  EXPECT_EQ(opened.objects()[1]["name"], R"(\xff\n)");
}

TEST(ClashHtml, TellsWhatChangedAndWhatIsGone) {
  ClashAnswer answer = SampleAssembly().answer();
  answer.changes.assign(answer.report.pairs.size(), cli::ClashChange::same);
  answer.changes[answer.report.findings[0].pairs[0]] = cli::ClashChange::added;
  answer.gone = {{"a", "b", ClashClass::piercing, 3}};
  const OpenedReport opened(html_of(answer, {.picture = {40, 30}}));
  const Json& clash = opened.report()["clash"];
  EXPECT_EQ(clash["findings"][0]["change"], "new");
  EXPECT_EQ(clash["findings"][1]["change"], "same");
  EXPECT_EQ(clash["gone"], (Json::array({{{"a", "a"}, {"b", "b"}, {"class", "piercing"}, {"volume", 3.0}}})));
}

TEST(ClashHtml, AReportThatWasStoppedSaysSo) {
  ClashAnswer answer = SampleAssembly().answer();
  answer.report.complete = false;
  EXPECT_THAT(notes_of(OpenedReport(html_of(answer, {.picture = {40, 30}}))), Contains(HasSubstr("stopped early")));
}

TEST(ClashHtml, NothingFoundIsAPageToo) {
  ClashAnswer answer;
  answer.assembly.meshes = {make_box({0, 0, 0}, {1, 1, 1})};
  answer.assembly.parts = {{.name = "only", .mesh = 0}};
  answer.report = find_clashes(answer.assembly, answer.options);
  const OpenedReport opened(html_of(answer));
  EXPECT_EQ(opened.objects().size(), 1u);
  EXPECT_EQ(opened.report()["clash"]["findings"].size(), 0u);
}

class ClashHtmlFile : public Program {};

TEST_F(ClashHtmlFile, IsWrittenWholeOrNotAtAll) {
  if (!cli::has_page()) {
    EXPECT_THROW(cli::write_clash_html(at("out.html"), {}), Error);
    EXPECT_FALSE(std::filesystem::exists(at("out.html")));
    return;
  }
  write_clash_html(at("out.html"), SampleAssembly().answer());
  EXPECT_EQ(OpenedReport(content(at("out.html"))).report()["kind"], "clash");
}

}  // namespace
}  // namespace lamella::test
