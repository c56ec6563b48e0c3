// The exact numbers of the OpenGL engines' answers: spans, health, what was read back. Boxes at whole coordinates, all
// different on an axis, seen by 16 x 16 rays: no ray passes an edge, and every engine must find the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "lamella/query.hpp"
#include "support/health.hpp"
#include "support/on_grid.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::fields;
using test::Random;

constexpr std::uint32_t kResolution = 16;
constexpr std::uint64_t kColumns = kResolution * kResolution;

/// Boxes whose corners have the coordinates 0, 1, 2 … of every axis, each once.
std::vector<Mesh> distinct_boxes(Random& random, std::size_t count) {
  std::vector<Vec3> low(count), high(count);
  for (int k = 0; k < 3; ++k) {
    std::vector<std::uint32_t> ends(2 * count);
    for (std::uint32_t i = 0; i < ends.size(); ++i) ends[i] = i;
    for (std::size_t i = ends.size(); i > 1; --i)
      std::swap(ends[i - 1], ends[random.below(static_cast<std::uint32_t>(i))]);
    for (std::size_t i = 0; i < count; ++i) {
      low[i][k] = static_cast<float>(std::min(ends[2 * i], ends[2 * i + 1]));
      high[i][k] = static_cast<float>(std::max(ends[2 * i], ends[2 * i + 1]));
    }
  }
  std::vector<Mesh> boxes;
  for (std::size_t i = 0; i < count; ++i) boxes.push_back(box_mesh(low[i], high[i]));
  return boxes;
}

/// The layers of an LDI: the most entries and the most exits of a column.
std::array<std::uint64_t, 2> layers_of(const Ldi& ldi) {
  std::array<std::uint64_t, 2> most{};
  for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) {
    std::array<std::uint64_t, 2> here{};
    for (const Crossing c : ldi.column(i)) ++here[c.entry() ? 0 : 1];
    for (int k = 0; k < 2; ++k) most[k] = std::max(most[k], here[k]);
  }
  return most;
}

class OpenGlReports : public test::OpenGlTest {
 protected:
  /// What an engine that has seen no mesh yet reads back for an LDI.
  [[nodiscard]] std::uint64_t bytes_of(const Ldi& ldi) const {
    const auto [entries, exits] = layers_of(ldi);
    if (lists()) return 104 + 4 * kColumns + 8 * ldi.crossings.size();
    if (GetParam() == "gl-unordered")
      return (std::max<std::uint64_t>(entries, 1) + std::max<std::uint64_t>(exits, 1)) * kColumns * 4 +
             (entries > 1 || exits > 1 ? 16 : 8);
    return (entries + exits) * kColumns * 4;
  }
  static void expect_spans(const std::vector<Span>& spans, const std::vector<Span>& expected) {
    ASSERT_EQ(spans.size(), expected.size());
    for (std::size_t i = 0; i < spans.size(); ++i) {
      ASSERT_EQ(spans[i].column, expected[i].column);
      ASSERT_NEAR(spans[i].begin, expected[i].begin, 1e-5);
      ASSERT_NEAR(spans[i].end, expected[i].end, 1e-5);
    }
  }
  static void expect_sums(const Overlap& out, const Overlap& expected) {
    expect_spans(out.spans, expected.spans);
    EXPECT_EQ(out.grid, expected.grid);
    EXPECT_NEAR(out.volume, expected.volume, 1e-4);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(out.centroid[k], expected.centroid[k], 1e-4);
    for (int k = 0; k < 3 && !expected.bounds.empty(); ++k) {
      EXPECT_NEAR(out.bounds.min[k], expected.bounds.min[k], 1e-4);
      EXPECT_NEAR(out.bounds.max[k], expected.bounds.max[k], 1e-4);
    }
    EXPECT_EQ(out.bounds.empty(), expected.bounds.empty());
    EXPECT_FALSE(out.alternating);
  }
  static void expect_times(const Timings& ms) {
    EXPECT_GT(ms.voi, 0);
    EXPECT_GT(ms.ldi + ms.query, 0);
    EXPECT_GE(ms.gpu, 0);
  }
  /// Two boxes of one mesh: they overlap, or one is inside out, or one lacks an end.
  static Mesh any_solid(Random& random, Mesh mesh, Mesh other, bool may_be_open) {
    const std::uint32_t kind = random.below(may_be_open ? 4 : 3);
    if (kind == 1) other = test::inside_out(other);
    if (kind == 3) {
      const auto first = other.triangles.begin() + 4 * random.below(3);
      other.triangles.erase(first, first + 2);
    }
    test::append(mesh, other);
    return mesh;
  }
};

TEST_P(OpenGlReports, AMeshOfTwoBoxesHasTheSoftwareEnginesAnswers) {
  const auto software = make_engine({.engine = "software", .threads = 1});
  std::size_t spans = 0, inside_out = 0, open = 0;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto boxes = distinct_boxes(random, 2);
    Mesh mesh = any_solid(random, boxes[0], boxes[1], true);
    if (seed % 4 == 3) {
      mesh.positions.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 0});
      mesh.triangles.push_back({0, 1, 16});
    }
    const float thickness = seed % 3 == 0 ? 0.3f : 0x1p-20f;
    const QueryOptions options{.resolution = kResolution, .axis = test::kAxes[seed % 3], .min_thickness = thickness};
    SelfOverlap expected;
    software->self_intersect(mesh, options, expected);
    const auto fresh = make({});
    engine_ = make({});
    const SelfOverlap out = self_intersect(mesh, options);
    expect_sums(out, expected);
    expect_spans(out.inside_out, expected.inside_out);
    EXPECT_NEAR(out.inside_out_volume, expected.inside_out_volume, 1e-4);
    EXPECT_EQ(fields(out.health), fields(expected.health));
    expect_times(out.ms);
    Ldi ldi;
    fresh->build(mesh, out.grid, ldi);
    EXPECT_EQ(out.read_back_bytes, lists() ? 104 + 12 * (out.spans.size() + out.inside_out.size()) : bytes_of(ldi));
    EXPECT_EQ(ldi.skipped_triangles, seed % 4 == 3 ? 1u : 0u);
    spans += out.spans.size();
    inside_out += out.inside_out.size();
    open += out.health.open_columns;

    std::vector<Vec3> points(203);
    for (Vec3& p : points) p = random.in({{-0.5f, -0.5f, -0.5f}, {3.5f, 3.5f, 3.5f}});
    Containment expected_in;
    software->contains(mesh, points, options, expected_in);
    engine_ = make({});
    const Containment in = contains(mesh, points, options);
    EXPECT_EQ(in.inside, expected_in.inside);
    EXPECT_EQ(in.inside_count, expected_in.inside_count);
    EXPECT_EQ(fields(in.health), fields(expected_in.health));
    EXPECT_EQ(in.grid, expected_in.grid);
    EXPECT_EQ(in.read_back_bytes, lists() ? 104 + points.size() : bytes_of(ldi));
    expect_times(in.ms);
    if (HasFailure()) return;
  }
  EXPECT_GT(spans, 10u);
  EXPECT_GT(inside_out, 10u);
  EXPECT_GT(open, 10u);
}

TEST_P(OpenGlReports, PairsOfBoxesHaveTheSoftwareEnginesAnswers) {
  const auto software = make_engine({.engine = "software", .threads = 1});
  std::size_t spans = 0;
  for (std::uint32_t seed = 20; seed < 32; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto boxes = distinct_boxes(random, 4);
    // Where the box of a pair cuts a mesh, only gl-lists knows that it is open.
    const Mesh a = any_solid(random, boxes[0], boxes[1], lists()), b = any_solid(random, boxes[2], boxes[3], lists());
    const QueryOptions options{.resolution = kResolution, .axis = test::kAxes[seed % 3]};
    const auto voi = choose_pair_voi(bounds(a), bounds(b), options.axis);
    if (!voi) continue;
    const Grid cut = square_grid(voi->box, voi->axis, kResolution);
    Overlap expected;
    if (lists())
      software->intersect(a, b, options, expected);
    else
      expected = test::overlap_on(cut, a, b);
    engine_ = make({});
    const Overlap out = intersect(a, b, options);
    EXPECT_EQ(out.verdict, expected.verdict);
    expect_sums(out, expected);
    expect_times(out.ms);
    spans += out.spans.size();
    const auto fresh = make({});
    Ldi ldi_a, ldi_b;
    fresh->build_cut(a, cut, voi->outside_a, ldi_a);
    fresh->build_cut(b, cut, voi->outside_b, ldi_b);
    if (lists()) {
      EXPECT_EQ(fields(out.health), fields(expected.health));
      EXPECT_EQ(out.read_back_bytes, 104 + 12 * out.spans.size());
    } else {
      EXPECT_TRUE(test::all_close(out.health));
      EXPECT_EQ(out.read_back_bytes, bytes_of(ldi_a) + bytes_of(ldi_b));
    }
    // Vertices, of meshes that the engine keeps: it reads their positions back too.
    engine_ = make({});
    {
      const auto kept_a = engine_->keep(a), kept_b = engine_->keep(b);
      VerticesInside found, expected_found;
      engine_->vertices_inside(*kept_a, *kept_b, options, found);
      software->vertices_inside(a, b, options, expected_found);
      EXPECT_EQ(found.read_back_bytes,
                bytes_of(ldi_a) + bytes_of(ldi_b) + 12 * (a.positions.size() + b.positions.size()));
      EXPECT_EQ(found.a_in_b.looked_up, expected_found.a_in_b.looked_up);
      EXPECT_EQ(found.b_in_a.looked_up, expected_found.b_in_a.looked_up);
      EXPECT_EQ(found.a_in_b.inside.size(), expected_found.a_in_b.inside.size());
      EXPECT_EQ(found.b_in_a.inside.size(), expected_found.b_in_a.inside.size());
      EXPECT_EQ(kept_a->triangle_count(), a.triangles.size());
      EXPECT_TRUE(kept_a->view().positions.empty());
    }
    engine_.reset();
    if (HasFailure()) return;
  }
  EXPECT_GT(spans, 100u);
}

/// Also gl-tr395.
class OpenGlImages : public test::OpenGlTest {};

/// Where a layer has no crossing its depth is below 0; elsewhere it is the crossing's.
TEST_P(OpenGlImages, LayersHaveTheDepthsOfTheirCrossingsAndNoneElsewhere) {
  Mesh mesh = box_mesh({1, 1, 1}, {4, 3, 2});
  test::append(mesh, box_mesh({2, 2, 3}, {7, 7, 6}));
  const Grid grid{{{0, 0, 0}, {8, 8, 8}}, Axis::z, kResolution, kResolution};
  const auto layers = engine_->layers(mesh, grid);
  const bool mixed = GetParam() == "gl-tr395";
  ASSERT_EQ(layers.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(layers[i].mixed, mixed);
    EXPECT_EQ(layers[i].entry, mixed || i < 2) << "entries first";
    ASSERT_EQ(layers[i].depth.size(), kColumns);
  }
  for (std::uint32_t c = 0; c < kColumns; ++c) {
    const Vec3d at = sample_position(grid, c, 0);
    std::vector<float> expected, found;
    if (1 < at.x && at.x < 4 && 1 < at.y && at.y < 3) expected.insert(expected.end(), {1, 2});
    if (2 < at.x && at.x < 7 && 2 < at.y && at.y < 7) expected.insert(expected.end(), {3, 6});
    for (const DepthLayer& layer : layers) {
      if (layer.depth[c] >= 0)
        found.push_back(layer.depth[c]);
      else
        ASSERT_EQ(layer.depth[c], -1);
    }
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found.size(), expected.size()) << "column " << c;
    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], expected[k], 1e-5) << "column " << c;
  }
}

TEST_P(OpenGlImages, ABuildSetsEveryFieldOfAUsedImage) {
  const Grid grid{{{0, 0, 0}, {1, 1, 2}}, Axis::z, 3, 2};
  Ldi ldi;
  ldi.outside = End::high;
  ldi.offsets = {3, 2, 1};
  ldi.crossings.resize(9);
  ldi.skipped_triangles = 5;
  ldi.dropped_crossings = 9;
  ldi.alternating = true;
  engine_->build(box_mesh({0, 0, 0}, {1, 1, 2}), grid, ldi);
  EXPECT_EQ(ldi.grid, grid);
  EXPECT_EQ(ldi.outside, End::both);
  EXPECT_EQ(ldi.skipped_triangles, 0u);
  EXPECT_EQ(ldi.dropped_crossings, 0u);
  EXPECT_EQ(ldi.alternating, GetParam() == "gl-tr395");
  EXPECT_EQ(ldi.offsets, (std::vector<std::uint32_t>{0, 2, 4, 6, 8, 10, 12}));
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(ldi.column(i)[0], Crossing::make(0, true));
    EXPECT_EQ(ldi.column(i)[1], Crossing::make(2, false));
  }
}

TEST_P(OpenGlImages, AMeshIsCutOnlyWhereItLeavesTheBoxAlongTheRays) {
  const Grid grid{{{0, 0, 2}, {1, 1, 4}}, Axis::z, 2, 2};
  const auto outside = [&](float low, float high, End end) {
    Ldi ldi;
    engine_->build_cut(box_mesh({0, 0, low}, {1, 1, high}), grid, end, ldi);
    return ldi.outside;
  };
  for (const End end : {End::low, End::high}) {
    const End expected = lists() ? End::both : end;
    EXPECT_EQ(outside(2, 4, end), End::both);
    EXPECT_EQ(outside(2.5f, 3, end), End::both);
    EXPECT_EQ(outside(1, 3, end), expected);
    EXPECT_EQ(outside(3, 5, end), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlReports, test::kOpenGlEngines, test::test_name);
INSTANTIATE_TEST_SUITE_P(All, OpenGlImages, testing::Values("gl-ordered", "gl-unordered", "gl-lists", "gl-tr395"),
                         test::test_name);

}  // namespace
}  // namespace lamella
