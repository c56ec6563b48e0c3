#include "cli/query/answer.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace lamella::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

const Subjects kSubjects{.names = {"a.ply", "b.ply"}, .volumes = {1, 1}, .load_ms = 2};

TEST(Answer, OfDroppedCrossingsBlamesTheEngineAndNotTheMesh) {
  EXPECT_EQ(
      describe(Health{.occupied_columns = 9, .dropped_crossings = 1200}, kSubjects, ""),
      "1,200 crossings dropped by the engine's method (surfaces that face the same way at one depth, or passes that "
      "differ); use another engine");
  EXPECT_THAT(describe(Health{.dropped_crossings = 1}, kSubjects, ""), HasSubstr("1 crossing dropped"));
}

TEST(Answer, OfATroubledMeshSaysWhereToLook) {
  const Health open{.open_columns = 1, .occupied_columns = 4};
  EXPECT_EQ(describe(open, kSubjects, "doubt"),
            "1 of 4 columns do not close (25 %): left out; doubt; run `lamella info a.ply b.ply` to see where, "
            "`lamella repair` to mend it");
  const Health both{.skipped_triangles = 2, .dropped_crossings = 3};
  EXPECT_EQ(describe(both, kSubjects, ""),
            "2 triangles left out: not finite or too far away; run `lamella info a.ply b.ply` to see where, "
            "`lamella repair` to mend it; "
            "3 crossings dropped by the engine's method (surfaces that face the same way at one depth, or passes that "
            "differ); use another engine");
}

TEST(Answer, SaysWhatTheEngineTookForGranted) {
  Overlap overlap;
  EXPECT_FALSE(overlap_json("intersect", overlap, 64, kSubjects).contains("alternating"));
  overlap.alternating = true;
  EXPECT_EQ(overlap_json("intersect", overlap, 64, kSubjects)["alternating"], true);
}

TEST(Answer, HasWhatOnlyAGpuHasOnlyFromAGpu) {
  Overlap overlap;
  auto json = overlap_json("intersect", overlap, 64, kSubjects);
  EXPECT_FALSE(json["ms"].contains("gpu"));
  EXPECT_FALSE(json.contains("read_back_bytes"));
  EXPECT_EQ(json["health"]["dropped_crossings"], 0);
  overlap.ms.gpu = 0.5;
  overlap.read_back_bytes = 4096;
  json = overlap_json("intersect", overlap, 64, kSubjects);
  EXPECT_EQ(json["ms"]["gpu"], 0.5);
  EXPECT_EQ(json["read_back_bytes"], 4096);
}

TEST(Answer, InWordsTellsTheTimeOfAGpu) {
  const auto words = [](const Timings& ms) {
    testing::internal::CaptureStdout();
    print_circumstances(Grid{}, {}, "ok", ms, "gl-lists", kSubjects);
    std::fflush(stdout);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_THAT(words({.voi = 1, .ldi = 2, .query = 3, .gpu = 2.5}),
              HasSubstr("gl-lists, 6.00 ms (box 1.00, sampling 2.00, query 3.00, GPU 2.50; loading apart: 2.00)"));
  EXPECT_THAT(words({.voi = 1, .ldi = 2, .query = 3, .gpu = 0}), Not(HasSubstr("GPU")));
}

}  // namespace
}  // namespace lamella::cli
