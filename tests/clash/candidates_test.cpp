#include "clash/candidates.hpp"

#include <gtest/gtest.h>

#include <random>

#include "clash/parts.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

std::vector<WideBox> random_boxes(std::size_t count, double size, Vec3d origin) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(0, 10), extent(0.1 * size, size);
  std::vector<WideBox> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3d low = origin + Vec3d{place(random), place(random), place(random)};
    boxes.push_back({low, low + Vec3d{extent(random), extent(random), extent(random)}});
  }
  return boxes;
}

TEST(ClashCandidates, AreAllPairsWithinTheirClearanceAndNoOthers) {
  for (const Vec3d origin : {Vec3d{}, Vec3d{1e7, -1e7, 3}})
    for (const double clearance : {0.0, 0.7}) {
      const std::vector<WideBox> boxes = random_boxes(300, 1.5, origin);
      const ClashOptions options{.clearance = clearance};
      const clash::Candidates found = clash::find_candidates(boxes, clash::RuleTable({}, {}), options);
      std::size_t next = 0;
      for (std::uint32_t a = 0; a < boxes.size(); ++a)
        for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
          const double gap = clash::gap_of(boxes[a], boxes[b]);
          if (gap > clearance) continue;
          ASSERT_LT(next, found.pairs.size());
          EXPECT_EQ(found.pairs[next].a, a);
          EXPECT_EQ(found.pairs[next].b, b);
          EXPECT_EQ(found.pairs[next].boxes_meet, gap == 0);
          ++next;
        }
      EXPECT_EQ(next, found.pairs.size());
      EXPECT_GT(next, 50u);
    }
}

TEST(ClashCandidates, EmptyBoxesMeetNothing) {
  const std::vector<WideBox> boxes{{}, {{0, 0, 0}, {1, 1, 1}}, {}};
  EXPECT_TRUE(clash::find_candidates(boxes, clash::RuleTable({}, {}), {}).pairs.empty());
}

TEST(ClashCandidates, AnIgnoredPairMayNameEitherPartFirst) {
  const std::vector<WideBox> boxes(3, WideBox{{0, 0, 0}, {1, 1, 1}});
  const ClashOptions options{.ignored = {{1, 0}, {0, 2}}};
  const clash::Candidates found = clash::find_candidates(boxes, clash::RuleTable({}, {}), options);
  EXPECT_EQ(found.ignored, 2u);
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].a, 1u);
  EXPECT_EQ(found.pairs[0].b, 2u);
}

TEST(ClashCandidates, TooManyAreAnErrorThatSaysWhatToDo) {
  const std::vector<WideBox> boxes(100, WideBox{{0, 0, 0}, {1, 1, 1}});
  try {
    (void)clash::find_candidates(boxes, clash::RuleTable({}, {}), {.max_candidates = 1000});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("more than 1000 pairs"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace lamella
