// What the OpenGL engines do without a device: layers to columns, the order of records, settings and messages.

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "engines/opengl/crossing_lists.hpp"
#include "engines/opengl/layers.hpp"
#include "engines/opengl/pairs_order.hpp"
#include "engines/opengl/stencil_count.hpp"
#include "engines/pair_finder.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella::opengl {
namespace {

using test::Random;

TEST(OpenGlHost, RecordsAreInTheOrderOfAPlainSortHoweverMany) {
  Random random(1);
  RecordOrder order;
  std::vector<PairSpan> spare;
  const auto less = [](const PairSpan& x, const PairSpan& y) {
    return std::tuple(x.begin, x.a.face) < std::tuple(y.begin, y.a.face);
  };
  const auto key = [](const PairSpan& s) { return std::tuple(s.candidate, s.column, s.begin, s.a.face); };
  for (const std::size_t count : {0u, 1u, 1023u, 1024u, 3000u, 5000u})
    for (const std::uint32_t columns : {7u, 900u, 30000u, 100000u}) {
      std::vector<PairSpan> records(count);
      for (PairSpan& s : records) {
        s.candidate = random.below(5);
        s.column = random.below(columns);
        s.begin = static_cast<float>(random.below(4));
        s.a.face = random.below(1000);
      }
      std::vector<PairSpan> expected = records;
      std::sort(expected.begin(), expected.end(),
                [&](const PairSpan& x, const PairSpan& y) { return key(x) < key(y); });
      order.sort(records, spare, 5, columns, less);
      ASSERT_EQ(records.size(), count);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(key(records[i]), key(expected[i])) << count << ", " << columns;
    }
}

TEST(OpenGlHost, FewAndManyAreSorted) {
  Random random(2);
  for (std::size_t count = 0; count < 60; ++count) {
    std::vector<std::uint32_t> numbers(count + 2, 7);
    for (std::size_t i = 0; i < count; ++i) numbers[i + 1] = random.below(30);
    std::vector<std::uint32_t> expected = numbers;
    std::sort(expected.begin() + 1, expected.end() - 1);
    sort_few(numbers.data() + 1, count);
    EXPECT_EQ(numbers, expected);
  }
}

TEST(OpenGlHost, CountsOfColumnsBecomeTheirPlacesUpToTheLastCrossingAllowed) {
  Ldi ldi;
  ldi.offsets = {0, 3, 0, 4};
  place_columns(7, ldi);
  EXPECT_EQ(ldi.offsets, (std::vector<std::uint32_t>{0, 3, 3, 7}));
  EXPECT_EQ(ldi.crossings.size(), 7u);
  ldi.offsets = {0, 3, 0, 4};
  const Error error = test::error_of([&] { place_columns(6, ldi); });
  EXPECT_EQ(std::string(error.what()).find("there are more than 6 crossings"), 0u) << error.what();
  ldi.offsets = {0, 0xffffffffu, 1};
  EXPECT_THROW(place_columns(~std::uint64_t{0}, ldi), Error) << "crossings have 32-bit numbers";
}

TEST(OpenGlHost, LayersBecomeSortedColumnsWithinTheBox) {
  const DepthCode code{-1, 8};
  EXPECT_EQ(code.scale(), 0.0625f);
  EXPECT_EQ(code.decode(0), -1);
  EXPECT_EQ(code.decode(0.5f), 7);
  const auto encoded = [&](float depth) { return (depth - code.low) * code.scale(); };
  for (const std::uint32_t columns : {3u, 3000u}) {
    Ldi ldi;
    ldi.grid = {{{0, 0, 0}, {1, 1, 4}}, Axis::z, columns, 1};
    std::vector<float> entries(columns, kNoDepth), later(entries), exits(entries);
    for (std::size_t i = 0; i < columns; ++i) {
      if (i % 3 == 0) continue;
      entries[i] = encoded(3);
      exits[i] = encoded(i % 3 == 1 ? 6 : 3.5f);
      if (i % 3 == 2) later[i] = encoded(-1);
    }
    const Layer layers[] = {{entries.data(), true, 0}, {later.data(), true, 1}, {exits.data(), false, 0}};
    Workers workers(2);
    assemble(layers, code, 1 << 20, workers, ldi);
    ASSERT_TRUE(validate(ldi).well_formed) << validate(ldi).problem;
    for (std::size_t i = 0; i < columns; ++i) {
      const std::vector<Crossing> found(ldi.column(i).begin(), ldi.column(i).end());
      std::vector<Crossing> expected;
      if (i % 3 == 1) expected = {Crossing::make(3, true), Crossing::make(4, false)};
      if (i % 3 == 2) expected = {Crossing::make(0, true), Crossing::make(3, true), Crossing::make(3.5f, false)};
      ASSERT_EQ(found, expected) << "column " << i;
    }
  }
}

TEST(OpenGlHost, SamplingDescribesTheGridInTheOrderOfItsAxes) {
  const Grid grid{{{1, 2, 3}, {5, 10, 19}}, Axis::y, 16, 8};  // u, v, w are z, x, y
  const Sampling s = make_sampling(grid);
  EXPECT_EQ(std::tuple(s.axes[0], s.axes[1], s.axes[2]), std::tuple(2, 0, 1));
  EXPECT_EQ(std::tuple(s.origin[0], s.origin[1], s.origin[2]), std::tuple(3.0f, 1.0f, 2.0f));
  EXPECT_EQ(s.box_depth, 8);
  EXPECT_EQ(std::tuple(s.columns, s.rows), std::tuple(16u, 8u));
  EXPECT_EQ(s.scale[0], 2 / 16.0f);
  EXPECT_EQ(s.scale[1], 2 / 4.0f);
  EXPECT_EQ(s.lattice_scale[0], 1024 / 1.0f);
  EXPECT_EQ(s.lattice_scale[1], 1024 / 0.5f);
  EXPECT_EQ(std::tuple(s.cut, s.low, s.z_scale, s.first_head, s.capacity), std::tuple(0u, 0.0f, 0.0f, 0u, 0u));
}

TEST(OpenGlHost, PointsAreDividedIntoWholeStepsThatFit) {
  EXPECT_EQ(points_at_once(0), 1024u);
  EXPECT_EQ(points_at_once(2 * 1024 * 12 - 1), 1024u);
  EXPECT_EQ(points_at_once(2 * 1024 * 12), 2048u);
  EXPECT_EQ(points_at_once(64 << 10), 5 * 1024u);
  EXPECT_EQ(points_at_once(std::size_t{1} << 30), (std::size_t{1} << 30) / 12 / 1024 * 1024);
  EXPECT_EQ(points_at_once(std::size_t{1} << 40), points_at_once(std::size_t{1} << 30));
}

TEST(OpenGlHost, MessagesNameTheLimitAndTheDevice) {
  DeviceFacts facts{.platform = "device", .renderer = "Some GPU", .version = "4.6"};
  facts.max_image = 16384;
  facts.max_layers = 2048;
  facts.max_storage_bytes = 128 << 20;
  facts.subpixel_bits = 8;
  EXPECT_EQ(describe(facts),
            "Some GPU; OpenGL 4.6; device platform; images to 16384 x 16384, 2048 layers; storage to 128 MiB; 8 "
            "sub-pixel bits");
  const Error error = storage_error(facts, "12 spans", 5 << 20);
  EXPECT_EQ(error.kind(), Error::Kind::device);
  EXPECT_EQ(std::string(error.what()),
            "12 spans need a buffer of 6 MiB, and Some GPU allows 128 MiB: lower the resolution, or use the engine "
            "\"software\"");
  EXPECT_EQ(beyond_count_message(" of one facing").find("a column has more than 255 crossings of one facing, "), 0u);
  EXPECT_EQ(too_many_layers_message(300, 20, 10).find("300 layers of 20 x 10 columns are too many"), 0u);
}

}  // namespace
}  // namespace lamella::opengl
