// OpenGL snaps vertices to a lattice of its own, with a fill rule of its own: the OpenGL engines' columns may differ
// from the software engine's, but only where the sample lies next to the projection of an edge.

#include "lamella/mesh_io.hpp"
#include "scenes/models.hpp"
#include "support/ldi_difference.hpp"
#include "support/opengl.hpp"
#include "support/shared_meshes.hpp"

namespace lamella {
namespace {

using test::kAxes;

// A vertex is moved by at most 1/256 cell along either axis where there are eight bits of sub-pixel (OpenGL demands
// four; hardware has eight), and by 1/2048 in the software engine. Measured on llvmpipe: 0.0021 cells at most.
constexpr double kFarthestFromEdge = 1.0 / 128;
// Measured: 0.05 % of columns with other counts, 0.43 % with a depth of the neighbouring triangle.
constexpr double kMostColumns = 0.005, kMostSwapped = 0.01;

class OpenGlCoverage : public test::OpenGlTest {
 protected:
  void expect_like_software(const std::string& name, MeshView mesh, const Grid& grid) {
    SCOPED_TRACE(testing::Message() << name << ", axis " << grid.w());
    const Ldi ldi = build(mesh, grid);
    const LdiReport report = validate(ldi);
    EXPECT_TRUE(report.well_formed) << report.problem;
    EXPECT_EQ(report.open_columns, 0u);
    Ldi expected;
    software_->build(mesh, grid, expected);
    // Both weigh the same corners by the same whole numbers, and differ in the last division; a depth buffer scales
    // there and back besides.
    const test::LdiDifference d = test::compare(ldi, expected, mesh, lists() ? 2 : 4);
    const auto columns = static_cast<double>(grid.column_count());
    EXPECT_LE(static_cast<double>(d.columns), 2 + kMostColumns * columns);
    EXPECT_LE(static_cast<double>(d.swapped), 2 + kMostSwapped * columns);
    EXPECT_LT(d.farthest, kFarthestFromEdge) << "cells between a sample that differs and the nearest edge";
    EXPECT_EQ(ldi.dropped_crossings, 0u);
  }

  std::unique_ptr<Engine> software_ = make_engine({.engine = "software", .threads = 2});
};

TEST_P(OpenGlCoverage, ASphereDiffersOnlyNextToEdgesAtEveryTriangleSize) {
  for (const int rings : {2, 5, 20, 60})
    for (const std::uint32_t n : {9u, 64u, 200u})
      expect_like_software("sphere", test::round_sphere(rings, 2 * rings),
                           {{{-1, -1.01f, -1}, {1.03f, 1, 1}}, Axis::z, n, n});
}

TEST_P(OpenGlCoverage, ModelsDifferOnlyNextToEdges) {
  const std::pair<const char*, std::size_t> models[] = {{"sphere", 5000}, {"hand", 4800}, {"torus_knot", 12000},
                                                        {"mouse", 15000}, {"phone", 900}, {"hat", 3000}};
  for (const auto& [name, faces] : models) {
    const Mesh mesh = scenes::make_model(name, faces);
    for (const Axis axis : kAxes) expect_like_software(name, mesh, {bounds(mesh), axis, 128, 128});
  }
}

TEST_P(OpenGlCoverage, FineModelsDifferOnlyNextToEdges) {
  for (const char* name : {"serpent", "blob"}) {
    const Mesh mesh = scenes::make_model(name, 50000);
    const Aabb box = bounds(mesh);
    expect_like_software(name, mesh, {box, *choose_axis(box), 128, 128});
  }
}

TEST_P(OpenGlCoverage, PartsOfModelsDifferOnlyNextToEdges) {
  // A box within the model's: triangles reach out of the image, crossings lie beyond its faces.
  const Mesh mesh = scenes::make_model("mouse", 6000);
  const Aabb box = bounds(mesh);
  const Vec3 margin = extent(box) * 0.3f;
  for (const Axis axis : kAxes)
    expect_like_software("mouse", mesh, {{box.min + margin, box.max - margin}, axis, 96, 80});
}

TEST_P(OpenGlCoverage, RealMeshesDifferOnlyNextToEdges) {
  LAMELLA_NEED_SHARED_MESHES();
  for (const char* name : {"knot_6k.ply", "turbine_18k.ply", "anatomy/liver_19k.ply"}) {
    const Mesh mesh = read_mesh(test::shared_meshes() / name);
    const Aabb box = bounds(mesh);
    expect_like_software(name, mesh, {box, *choose_axis(box), 128, 128});
  }
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlCoverage, test::kOpenGlEngines, test::test_name);

}  // namespace
}  // namespace lamella
