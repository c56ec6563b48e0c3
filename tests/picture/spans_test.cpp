#include "picture/spans.hpp"

#include <gmock/gmock.h>

namespace lamella::picture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Grid kGrid{{{0, 0, 0}, {2, 1, 10}}, Axis::z, 2, 1};

TEST(InsideSpans, AreBetweenEntriesAndExits) {
  // The first column has two intervals; the second none.
  const std::vector<DepthLayer> layers{{true, {1, -1}}, {true, {6, -1}}, {false, {3, -1}}, {false, {8, -1}}};
  EXPECT_THAT(inside_spans(kGrid, layers), ElementsAre(Span{0, 1, 3}, Span{0, 6, 8}));
}

TEST(InsideSpans, DoNotDependOnTheOrderOfLayers) {
  const std::vector<DepthLayer> layers{{false, {8, 4}}, {true, {6, 2}}, {false, {3, -1}}, {true, {1, -1}}};
  EXPECT_THAT(inside_spans(kGrid, layers), ElementsAre(Span{0, 1, 3}, Span{0, 6, 8}, Span{1, 2, 4}));
}

TEST(InsideSpans, AreOneWhereAMeshOverlapsItself) {
  const std::vector<DepthLayer> layers{{true, {1, -1}}, {true, {2, -1}}, {false, {3, -1}}, {false, {5, -1}}};
  EXPECT_THAT(inside_spans(kGrid, layers), ElementsAre(Span{0, 1, 5}));
}

TEST(InsideSpans, LeaveOutColumnsThatDoNotClose) {
  const std::vector<DepthLayer> layers{{true, {1, 2}}, {false, {-1, 4}}};
  EXPECT_THAT(inside_spans(kGrid, layers), ElementsAre(Span{1, 2, 4}));
}

TEST(ByLayer, TakesTheFirstOfEachColumnThenTheSecond) {
  EXPECT_THAT(by_layer({}), IsEmpty());
  const std::vector<Span> spans{{0, 1, 2}, {0, 3, 4}, {1, 1, 2}, {5, 1, 2}, {5, 3, 4}, {5, 6, 7}};
  EXPECT_THAT(by_layer(spans), ElementsAre(ElementsAre(spans[0], spans[2], spans[3]), ElementsAre(spans[1], spans[4]),
                                           ElementsAre(spans[5])));
}

TEST(Sticks, AreClosedBarsInTheMiddleOfTheirCells) {
  const std::vector<Span> spans{{1, 2, 5}};
  const Mesh mesh = sticks(kGrid, spans, 0.5);
  const Aabb box = bounds(mesh);
  EXPECT_EQ(box, (Aabb{{1.25f, 0.25f, 2}, {1.75f, 0.75f, 5}}));
  EXPECT_NEAR(signed_volume(mesh), 0.5 * 0.5 * 3, 1e-6) << "faces outwards";
  EXPECT_EQ(bounds(sticks(kGrid, spans, 0.5, -0.25)), (Aabb{{1, 0.25f, 2}, {1.5f, 0.75f, 5}}));
}

}  // namespace
}  // namespace lamella::picture
