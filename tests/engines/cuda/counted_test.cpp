// Counted columns: places by a scan, and sorting of columns of any length.

#include <numeric>

#include "columns_on_device.hpp"

namespace lamella::cuda {
namespace {

using test::OnDevice;
using test::QueryFrame;
using test::Random;

class CudaCounted : public test::CudaTest {};

/// An Ldi of columns of these lengths, with random keys that pair up to closed columns.
Ldi ldi_of(const std::vector<std::uint32_t>& lengths, std::uint32_t seed) {
  Random random(seed);
  Ldi ldi;
  ldi.grid = {{{0, 0, 0}, {1, 1, 1}}, Axis::z, static_cast<std::uint32_t>(lengths.size()), 1};
  ldi.offsets.push_back(0);
  for (const std::uint32_t length : lengths) {
    for (std::uint32_t i = 0; i < length; ++i)
      ldi.crossings.push_back(Crossing::make(random.uniform(0, 1), i % 2 == 0));
    std::sort(ldi.crossings.end() - length, ldi.crossings.end());
    ldi.offsets.push_back(static_cast<std::uint32_t>(ldi.crossings.size()));
  }
  return ldi;
}

void expect_filed(const QueryFrame& query, std::size_t mesh, const Ldi& want) {
  EXPECT_EQ(query.store(mesh).counts(), want.offsets);
  std::vector<std::uint32_t> keys = query.store(mesh).keys(), expected;
  keys.resize(want.crossings.size());
  for (const Crossing c : want.crossings) expected.push_back(c.key);
  EXPECT_TRUE(keys == expected);
}

TEST_F(CudaCounted, ColumnsOfEveryLengthComeOutInOrder) {
  std::vector<std::uint32_t> lengths(90);
  std::iota(lengths.begin(), lengths.end(), 0u);
  lengths.insert(lengths.end(), {127, 128, 129, 0, 255, 257, 1000});
  const Ldi a = ldi_of(lengths, 1);
  std::reverse(lengths.begin(), lengths.end());
  const Ldi b = ldi_of(lengths, 2);
  QueryFrame query(Kind::intersect, {&a, &b}, 0, 0);
  EXPECT_EQ(query.run().deepest, 1000u);
  expect_filed(query, 0, a);
  expect_filed(query, 1, b);
}

TEST_F(CudaCounted, TheFullestColumnOfAllMeshesIsReported) {
  const Ldi none = ldi_of({0, 0, 0}, 1), one = ldi_of({0, 1, 0}, 2), some = ldi_of({2, 0, 7}, 3);
  const auto deepest = [](const Ldi& a, const Ldi& b) {
    return QueryFrame(Kind::intersect, {&a, &b}, 0, 0).run().deepest;
  };
  EXPECT_EQ(deepest(none, none), 0u);
  EXPECT_EQ(deepest(none, one), 1u);
  EXPECT_EQ(deepest(one, none), 1u);
  EXPECT_EQ(deepest(some, one), 7u);
  EXPECT_EQ(deepest(one, some), 7u);
}

// A list for warps from the front, one for blocks from the back: here each column has one, and there is one block.
TEST_F(CudaCounted, AFewLongColumnsAreSortedByAsFewBlocks) {
  for (const std::vector<std::uint32_t>& lengths :
       {std::vector<std::uint32_t>{33}, {40, 0}, {3, 64}, {1025}, {1024, 1025}, {33, 1100, 34, 1030}}) {
    const Ldi ldi = ldi_of(lengths, 8);
    QueryFrame query(Kind::self_intersect, {&ldi}, 0, 0);
    EXPECT_EQ(query.run().answer.status, kComplete);
    expect_filed(query, 0, ldi);
  }
}

TEST_F(CudaCounted, AColumnOfThousandsComesOutInOrder) {
  // In shared memory, just about, and beyond it.
  const Ldi ldi = ldi_of({3, 5000, 0, 8192, 8193, 2}, 3);
  QueryFrame query(Kind::self_intersect, {&ldi}, 0, 0);
  query.run();
  expect_filed(query, 0, ldi);
}

TEST_F(CudaCounted, PlacesGoOnFromTileToTile) {
  Random random(5);
  std::vector<std::uint32_t> lengths;
  for (int i = 0; i < 13'000; ++i) lengths.push_back(random.below(5));
  const Ldi ldi = ldi_of(lengths, 4);
  QueryFrame query(Kind::self_intersect, {&ldi}, 0, 0);
  query.run();
  expect_filed(query, 0, ldi);
}

TEST_F(CudaCounted, MoreCrossingsThanThereIsRoomForAreCountedAndLeftOut) {
  const Ldi ldi = ldi_of({4, 40, 2, 50}, 6);
  QueryFrame query(Kind::self_intersect, {&ldi}, 0, 0);
  query.frame.columns[0].capacity = 45;
  const FrameReport& report = query.run();
  EXPECT_EQ(report.answer.status, kNeedsMemory);
  EXPECT_EQ(report.crossings[0], 96u);
  EXPECT_EQ(query.store(0).counts(), (std::vector<std::uint32_t>{0, 4, 44, 45, 45}));
  EXPECT_TRUE(query.state_is_zero());
}

TEST_F(CudaCounted, EachMeshHasRoomOrAsksForIt) {
  const Ldi a = ldi_of({4, 40, 2, 50}, 6), b = ldi_of({0, 34, 3, 1}, 7);
  for (const std::uint32_t short_a : {0u, 1u})
    for (const std::uint32_t short_b : {0u, 1u}) {
      SCOPED_TRACE(testing::Message() << short_a << " and " << short_b << " too few");
      QueryFrame query(Kind::intersect, {&a, &b}, 0, 0);
      query.frame.columns[0].capacity = 96 - short_a;
      query.frame.columns[1].capacity = 38 - short_b;
      const FrameReport& report = query.run();
      EXPECT_EQ(report.answer.status, short_a + short_b == 0 ? kComplete : kNeedsMemory);
      EXPECT_EQ(report.crossings[0], 96u);
      EXPECT_EQ(report.crossings[1], 38u);
      EXPECT_EQ(report.deepest, 50u);
      if (short_a == 0) expect_filed(query, 0, a);
      if (short_b == 0) expect_filed(query, 1, b);
    }
}

TEST_F(CudaCounted, SumsBeyond32BitsAreNoticed) {
  const Ldi ldi = ldi_of({2, 2, 2, 2}, 7);
  QueryFrame query(Kind::self_intersect, {&ldi}, 0, 0);
  const std::vector<std::uint32_t> counts(4, 0x80000000u);
  ASSERT_EQ(cudaMemcpy(query.frame.columns[0].counts, counts.data(), 16, cudaMemcpyHostToDevice), cudaSuccess);
  const FrameReport& report = query.run();
  EXPECT_EQ(report.answer.status, kNeedsMemory);
  EXPECT_EQ(report.crossings[0], std::uint64_t{1} << 33);
  EXPECT_EQ(query.store(0).counts(), (std::vector<std::uint32_t>{0, 8, 8, 8, 8}));
}

}  // namespace
}  // namespace lamella::cuda
