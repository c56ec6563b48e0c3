#include <gtest/gtest.h>

#include "lamella/answer_file.hpp"

namespace lamella {
namespace {

using Format = AnswerStyle::Format;

std::string text_of(const AnswerStyle& style, const PairOverlap& answer, std::uint64_t index = 0) {
  std::string text;
  append_answers(text, style, index, {&answer, 1});
  return text;
}

PairOverlap collision() {
  PairOverlap a;
  a.verdict = Verdict::colliding;
  a.volume = 0.1;
  a.volume_error = 1e-300;
  a.centroid = {1, -0.5, 1.0 / 3};
  a.span_count = 12;
  a.health.occupied_columns = 5;
  return a;
}

TEST(AnswerText, OfAClearPairHasNoCentroid) {
  EXPECT_EQ(text_of({}, {}, 41), "41,clear,false,0,0,,,,0,true,\n");
  EXPECT_EQ(text_of({.format = Format::json_lines}, {}, 41),
            R"({"index":41,"colliding":false,"verdict":"clear","volume":0,"volume_error":0,"centroid":null,)"
            R"("spans":0,"health":{"ok":true}})"
            "\n");
}

TEST(AnswerText, HasTheFewestDigitsThatGiveTheNumberAgain) {
  EXPECT_EQ(text_of({}, collision()), "0,colliding,true,0.1,1e-300,1,-0.5,0.3333333333333333,12,true,\n");
}

TEST(AnswerText, SaysWhyAnAnswerIsDoubtful) {
  PairOverlap a;
  a.verdict = Verdict::undecided;
  a.health.open_columns = 3;
  a.health.inside_out_columns = 4;
  a.health.skipped_triangles = 5;
  a.health.dropped_crossings = 6;
  a.health.uncertain_spans = 7;
  a.health.closed_edges = 8;
  EXPECT_EQ(text_of({}, a),
            "0,undecided,false,0,0,,,,0,false,open_columns=3 inside_out_columns=4 skipped_triangles=5 "
            "dropped_crossings=6 uncertain_spans=7 closed_edges=8\n");
  EXPECT_EQ(text_of({.format = Format::json_lines}, a),
            R"({"index":0,"colliding":false,"verdict":"undecided","volume":0,"volume_error":0,"centroid":null,)"
            R"("spans":0,"health":{"ok":false,"open_columns":3,"inside_out_columns":4,"skipped_triangles":5,)"
            R"("dropped_crossings":6,"uncertain_spans":7,"closed_edges":8}})"
            "\n");
}

TEST(AnswerText, HasColumnsForProofsAndTolerancesWhereTheyWereAskedFor) {
  PairOverlap a = collision();
  a.certificate.certain = true;
  a.tolerance_met = false;
  const AnswerStyle csv{Format::csv, true, true}, json{Format::json_lines, true, true};
  EXPECT_TRUE(text_of(csv, a).ends_with(",true,,true,false\n"));
  EXPECT_TRUE(text_of(json, a).ends_with(R"(},"certain":true,"tolerance_met":false})"
                                         "\n"));
  std::string header, none;
  append_header(header, csv);
  append_header(none, json);
  EXPECT_EQ(header,
            "index,verdict,colliding,volume,volume_error,centroid_x,centroid_y,centroid_z,spans,ok,why,certain,"
            "tolerance_met\n");
  EXPECT_EQ(none, "");
}

TEST(AnswerText, ALineDoesNotDependOnItsNeighbours) {
  const std::vector<PairOverlap> answers{collision(), {}, collision()};
  std::string whole, parts;
  append_answers(whole, {}, 7, answers);
  for (std::size_t i = 0; i < answers.size(); ++i) parts += text_of({}, answers[i], 7 + i);
  EXPECT_EQ(whole, parts);
}

TEST(AnswerText, FormatIsByTheExtension) {
  EXPECT_EQ(answer_format("a.CSV"), Format::csv);
  EXPECT_EQ(answer_format("a.jsonl"), Format::json_lines);
  EXPECT_EQ(answer_format("a.ndjson"), Format::json_lines);
  EXPECT_FALSE(answer_format("a.jobs"));
  EXPECT_FALSE(answer_format("csv"));
}

}  // namespace
}  // namespace lamella
