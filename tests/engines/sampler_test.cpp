// The sampler of the software engine: several meshes in their windows, with the faces of their crossings,
// against the reference engine triangle by triangle.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engines/software/sampler.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella::software {
namespace {

using test::box_mesh;
using test::Random;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class Element>
struct Sampled {
  std::vector<std::uint32_t> offsets;
  std::vector<Element> elements;

  [[nodiscard]] std::span<const Element> column(std::size_t i) const {
    return std::span(elements).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};
template <class Element>
Sampled<Element> sample(Sampler<Element>& sampler, std::span<const SampledMesh> meshes, const Grid& grid) {
  Sampled<Element> out;
  out.offsets = {5, 4, 3};  // whatever was there before
  out.elements.resize(7);
  sampler.sample(meshes, grid, {out.offsets, out.elements});
  return out;
}

Window any_window(Random& random, const Grid& grid) {
  if (random.below(3) == 0) return whole(grid);
  Window w{random.below(grid.columns), random.below(grid.rows), 0, 0};
  w.end_u = w.first_u + 1 + random.below(grid.columns - w.first_u);
  w.end_v = w.first_v + 1 + random.below(grid.rows - w.first_v);
  return w;
}

/// Faces and crossings of every column, from the reference engine.
std::vector<std::map<std::uint32_t, Crossing>> expected_columns(std::span<const SampledMesh> meshes, const Grid& grid) {
  const auto reference = make_engine({.engine = "reference"});
  std::vector<std::map<std::uint32_t, Crossing>> columns(grid.column_count());
  Ldi ldi;
  for (const SampledMesh& m : meshes)
    for (std::uint32_t t = 0; t < m.mesh.triangles.size(); ++t) {
      reference->build(MeshView{m.mesh.positions, m.mesh.triangles.subspan(t, 1)}, grid, ldi);
      for (std::uint32_t v = m.window.first_v; v < m.window.end_v; ++v)
        for (std::uint32_t u = m.window.first_u; u < m.window.end_u; ++u)
          for (const Crossing c : ldi.column(v * grid.columns + u))
            columns[v * grid.columns + u].emplace(m.first_face + t, c);
    }
  return columns;
}

float depth_tolerance(std::span<const SampledMesh> meshes, const Grid& grid) {
  float largest = grid.depth();
  for (const SampledMesh& m : meshes)
    for (const Vec3 p : m.mesh.positions)
      if (std::isfinite(p[grid.w()])) largest = std::max(largest, std::abs(p[grid.w()] - grid.box.min[grid.w()]));
  return largest * 8 * 0x1p-24f;
}

TEST(Sampler, SeveralMeshesInTheirWindowsHaveTheReferencesCrossingsAndFaces) {
  Sampler<FaceCrossing> with_faces(2, 1 << 20);
  Sampler<Crossing> without(1, 1 << 20);
  std::size_t compared = 0;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Grid grid = test::random_grid(random);
    grid.columns = std::min(grid.columns, 31u);
    grid.rows = std::min(grid.rows, 20u);
    std::vector<Mesh> meshes(1 + random.below(3));
    std::vector<SampledMesh> sampled;
    for (Mesh& m : meshes) {
      m = test::random_closed_mesh(random, grid);
      sampled.push_back({m, any_window(random, grid), random.below(1u << 30)});
    }
    const auto faces = sample(with_faces, sampled, grid);
    const auto crossings = sample(without, sampled, grid);
    const auto expected = expected_columns(sampled, grid);
    const float tolerance = depth_tolerance(sampled, grid);
    ASSERT_EQ(faces.offsets.size(), grid.column_count() + 1);
    ASSERT_EQ(faces.offsets.front(), 0u);
    ASSERT_EQ(faces.offsets.back(), faces.elements.size());
    ASSERT_EQ(crossings.offsets, faces.offsets);
    for (std::size_t i = 0; i < grid.column_count(); ++i) {
      const auto column = faces.column(i);
      ASSERT_TRUE(std::is_sorted(column.begin(), column.end()));
      ASSERT_EQ(column.size(), expected[i].size()) << "column " << i;
      for (std::size_t k = 0; k < column.size(); ++k) {
        const auto found = expected[i].find(column[k].face());
        ASSERT_NE(found, expected[i].end()) << "column " << i << ", face " << column[k].face();
        ASSERT_EQ(column[k].sign(), found->second.sign());
        ASSERT_NEAR(column[k].depth(), found->second.depth(), tolerance);
        ASSERT_EQ(crossings.column(i)[k], column[k].crossing());
        ++compared;
      }
    }
    for (std::size_t m = 0; m < sampled.size(); ++m) EXPECT_EQ(with_faces.skipped(m), 0u);
  }
  EXPECT_GT(compared, 15000u);
}

/// Tiny triangles by the hundred, so that batches fill up before a mesh ends.
TEST(Sampler, FineMeshesHaveTheReferencesCrossingsInAnyWindow) {
  const Mesh mesh = test::round_sphere(40, 60);
  const auto reference = make_engine({.engine = "reference"});
  Sampler<FaceCrossing> sampler(1, 1 << 20);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, axis, 90, 70};
    Ldi expected;
    reference->build(mesh, grid, expected);
    for (const Window& w : {Window{0, 0, 90, 70}, Window{11, 7, 64, 50}, Window{45, 35, 46, 36}}) {
      const SampledMesh sampled{mesh, w, 1000};
      const auto found = sample(sampler, {&sampled, 1}, grid);
      for (std::uint32_t v = 0; v < 70; ++v)
        for (std::uint32_t u = 0; u < 90; ++u) {
          const std::size_t i = v * 90 + u;
          const bool in_window = w.first_u <= u && u < w.end_u && w.first_v <= v && v < w.end_v;
          ASSERT_EQ(found.column(i).size(), in_window ? expected.column(i).size() : 0u) << u << ", " << v;
          for (std::size_t k = 0; k < found.column(i).size(); ++k)
            ASSERT_NEAR(found.column(i)[k].depth(), expected.column(i)[k].depth(), 8 * 0x1p-23f);
        }
    }
  }
}

TEST(Sampler, SkippedTrianglesAreCountedForTheirMesh) {
  Sampler<FaceCrossing> sampler(1, 1 << 20);
  const Mesh whole_box = box_mesh({0, 0, 0}, {1, 1, 1});
  Mesh broken = whole_box, beyond = whole_box;
  broken.positions[0].z = kNan;
  for (const float far : {2e19f, -2e19f}) {  // usable, but the lattice ends before it
    beyond.positions[7].x = far;
    const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4};
    const std::vector<SampledMesh> meshes{{whole_box, whole(grid)}, {broken, whole(grid)}, {beyond, whole(grid)}};
    const auto out = sample(sampler, meshes, grid);
    EXPECT_EQ(sampler.skipped(0), 0u);
    EXPECT_EQ(sampler.skipped(1), 3u) << "the triangles at corner 0";
    Ldi ldi;
    make_engine({.engine = "reference"})->build(beyond, grid, ldi);
    EXPECT_EQ(ldi.skipped_triangles, 3u);
    EXPECT_GE(sampler.skipped(2), 1u);
    EXPECT_LE(sampler.skipped(2), 3u) << "those that cover nothing may have been left out before";
    sample(sampler, std::span(meshes).first(1), grid);
    EXPECT_EQ(sampler.skipped(0), 0u);
  }
}

TEST(Sampler, TheLastCrossingAllowedIsAllowed) {
  // More than one tile holds.
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 300, 200};
  const SampledMesh mesh{box, whole(grid)};
  const std::uint64_t all = 2u * 300 * 200;
  for (const unsigned threads : {1u, 2u}) {
    Sampler<Crossing> enough(threads, all), one_less(threads, all - 1), few(threads, 10);
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(sample(enough, {&mesh, 1}, grid).elements.size(), all);
      const Error error = test::error_of([&] { sample(one_less, {&mesh, 1}, grid); });
      EXPECT_EQ(std::string(error.what()).find("there are more than 119999 crossings, the most allowed"), 0u)
          << error.what();
      EXPECT_THROW(sample(few, {&mesh, 1}, grid), Error);
    }
    const Grid small{grid.box, Axis::z, 5, 1};
    const SampledMesh in_small{box, whole(small)};
    EXPECT_EQ(sample(few, {&in_small, 1}, small).elements.size(), 10u);
  }
}

TEST(Sampler, AnIndexOutOfRangeInAnyMeshIsAnErrorAndTheNextCallWorks) {
  const Mesh good = box_mesh({0, 0, 0}, {1, 1, 1});
  Mesh bad = good;
  bad.triangles[5].c = 8;
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4};
  Sampler<Crossing> sampler(1, 1000);
  for (const bool last : {false, true}) {
    const std::vector<SampledMesh> meshes{{last ? good : bad, whole(grid)}, {last ? bad : good, whole(grid)}};
    const Error error = test::error_of([&] { sample(sampler, meshes, grid); });
    EXPECT_NE(std::string(error.what()).find("triangle 5"), std::string::npos) << error.what();
    EXPECT_EQ(sample(sampler, std::span(meshes).subspan(last ? 0 : 1, 1), grid).elements.size(), 32u);
  }
}

}  // namespace
}  // namespace lamella::software
