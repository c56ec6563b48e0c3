#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "geometry_image/make_shapes.hpp"
#include "lamella/error.hpp"
#include "lamella/geometry_image.hpp"
#include "lamella/mesh_io.hpp"
#include "support/closed_meshes.hpp"
#include "support/shared_meshes.hpp"

namespace lamella {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const Mesh& mesh, const MakeImageOptions& options = {.n = 4}) {
  try {
    static_cast<void>(make_geometry_images(mesh, options));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    return error.what();
  }
  return "not refused";
}

TEST(MakeImageRefuses, AnEmptyMesh) { EXPECT_THAT(refusal({}), HasSubstr("no triangles")); }

TEST(MakeImageRefuses, AnIndexBeyondTheVertices) {
  Mesh mesh = test::octahedron();
  mesh.triangles[3].b = 6;
  EXPECT_THAT(refusal(mesh), AllOf(HasSubstr("triangle 3"), HasSubstr("vertex 6"), HasSubstr("only 6")));
}

TEST(MakeImageRefuses, AVertexThatIsNotFiniteButOnlyIfItIsUsed) {
  Mesh mesh = test::octahedron();
  mesh.positions.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 0});
  EXPECT_EQ(refusal(mesh), "not refused");
  mesh.positions[4].z = std::numeric_limits<float>::infinity();
  EXPECT_THAT(refusal(mesh), AllOf(HasSubstr("vertex 4"), HasSubstr("inf")));
}

TEST(MakeImageRefuses, ATriangleThatNamesAVertexTwice) {
  Mesh mesh = test::octahedron();
  mesh.triangles.push_back({1, 1, 2});
  EXPECT_THAT(refusal(mesh), AllOf(HasSubstr("triangle 8"), HasSubstr("twice")));
}

TEST(MakeImageRefuses, AHoleAndSaysWhere) {
  Mesh mesh = test::octahedron();
  mesh.triangles.erase(mesh.triangles.begin());  // 0, 2, 4
  EXPECT_THAT(refusal(mesh), AllOf(HasSubstr("open"), HasSubstr("vertices 0 at (1, 0, 0) and 2 at (0, 1, 0)"),
                                   HasSubstr("fill the holes")));
}

TEST(MakeImageRefuses, AnEdgeOfFourTriangles) {
  Mesh mesh = test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  mesh.positions.push_back({0, -1, 0});
  mesh.positions.push_back({0, 0, -1});
  for (const Triangle t : {Triangle{0, 4, 1}, Triangle{0, 1, 5}, Triangle{1, 4, 5}, Triangle{4, 0, 5}})
    mesh.triangles.push_back(t);
  EXPECT_THAT(refusal(mesh), AllOf(HasSubstr("not manifold"), HasSubstr("0 at (0, 0, 0) and 1 at (1, 0, 0)"),
                                   HasSubstr("4 triangles"), HasSubstr("Separate")));
}

TEST(MakeImageRefuses, TwoPartsThatShareOneVertex) {
  Mesh mesh = test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  const Mesh other = test::tetrahedron({0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1});
  for (int i = 1; i < 4; ++i) mesh.positions.push_back(other.positions[i]);
  for (const Triangle t : other.triangles) {
    const auto moved = [](std::uint32_t v) { return v == 0 ? 0 : v + 3; };
    mesh.triangles.push_back({moved(t.a), moved(t.b), moved(t.c)});
  }
  EXPECT_THAT(refusal(mesh),
              AllOf(HasSubstr("not manifold"), HasSubstr("vertex 0 at (0, 0, 0)"), HasSubstr("a vertex of its own")));
}

TEST(MakeImageRefuses, ATriangleThatIsTurnedOver) {
  Mesh mesh = test::octahedron();
  std::swap(mesh.triangles[0].a, mesh.triangles[0].b);
  EXPECT_THAT(refusal(mesh), AllOf(HasSubstr("inconsistently"), HasSubstr("edge between"), HasSubstr("Turn")));
}

TEST(MakeImageRefuses, WithThePlaceOnTheMesh) {
  Mesh open = test::octahedron();
  open.triangles.erase(open.triangles.begin() + 6);  // 3, 1, 5
  EXPECT_EQ(refusal(open),
            "the mesh is open: the edge between vertices 1 at (-1, 0, 0) and 3 at (0, -1, 0) has one triangle. A "
            "geometry image needs a closed surface; fill the holes first, or weld vertices that coincide");
  Mesh crowded = test::octahedron();
  crowded.triangles.push_back({2, 5, 1});
  EXPECT_EQ(refusal(crowded),
            "the mesh is not manifold: the edge between vertices 1 at (-1, 0, 0) and 2 at (0, 1, 0) has 3 triangles. "
            "Separate the sheets that meet there, each with vertices of its own");
  Mesh turned = test::octahedron();
  std::swap(turned.triangles[6].b, turned.triangles[6].c);
  EXPECT_EQ(
      refusal(turned),
      "the mesh is wound inconsistently: both triangles at the edge between vertices 1 at (-1, 0, 0) and 3 at (0, "
      "-1, 0) run along it in the same direction. Turn the triangles so that all face outwards");
  Mesh doubled = test::octahedron();
  doubled.triangles.push_back({4, 5, 4});
  EXPECT_EQ(refusal(doubled),
            "triangle 8 names a vertex twice (4, 5, 4; near (0, 0, 1)): remove such triangles before making a geometry "
            "image");
  Mesh far = test::octahedron();
  far.positions[3].y = -3e18f;
  EXPECT_EQ(refusal(far),
            "vertex 3 of triangle 2 is at (0, -3e+18, 0), which is not finite or too far away: repair the mesh before "
            "making a geometry image");
}

TEST(MakeImageRefuses, ImagesOfMoreVerticesThanTheLimitInAll) {
  // 64 images of 2049 x 2049 vertices are more than 2^28, 63 are not; then no image is made, for the progress stops it.
  Mesh mesh;
  for (int i = 0; i < 63; ++i) {
    const float x = 2.0f * static_cast<float>(i);
    test::append(mesh, test::tetrahedron({x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x, 0, 1}));
  }
  MakeImageOptions options{.n = 11, .threads = 1};
  options.progress = [](std::uint64_t, std::uint64_t) { throw Error("work was begun"); };
  EXPECT_EQ(refusal(mesh, options), "work was begun");
  test::append(mesh, test::tetrahedron({0, 9, 0}, {1, 9, 0}, {0, 10, 0}, {0, 9, 1}));
  EXPECT_EQ(refusal(mesh, options),
            "64 components, each an image of 2049 x 2049 vertices, would be 268697664 vertices in all and take 6.4 GB; "
            "268435456 is the most. Use a smaller n (now 11) or a mesh of fewer parts");
}

TEST(MakeImageRefuses, OptionsOutOfRange) {
  EXPECT_THAT(refusal(test::octahedron(), {.n = 0}), HasSubstr("n is 0"));
  EXPECT_THAT(refusal(test::octahedron(), {.n = 14}), HasSubstr("from 1 to 13"));
  EXPECT_THAT(refusal(test::octahedron(), {.n = 4, .max_cuts = -1}), HasSubstr("max_cuts is -1"));
}

TEST(MakeImageRefuses, AnImageTooSmallToCloseOrToHoldTheCut) {
  EXPECT_THAT(refusal(test::octahedron(), {.n = 1}), HasSubstr("use a larger n"));
  EXPECT_THAT(refusal(test::plate_with_holes(9, 1), {.n = 2}),
              AllOf(HasSubstr("samples on the border"), HasSubstr("use a larger n")));
}

TEST(MakeImageRefuses, MoreImagesThanMemoryShouldHoldBeforeMakingAny) {
  Mesh mesh;
  for (int i = 0; i < 5000; ++i) {
    const float x = 2.0f * static_cast<float>(i);
    test::append(mesh, test::tetrahedron({x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x, 0, 1}));
  }
  MakeImageOptions options{.n = 8};
  options.progress = [](std::uint64_t, std::uint64_t) { FAIL() << "work was begun"; };
  EXPECT_THAT(refusal(mesh, options),
              AllOf(HasSubstr("5000 components"), HasSubstr("257 x 257"), HasSubstr("330245000 vertices"),
                    HasSubstr("7.9 GB"), HasSubstr("smaller n (now 8)"), HasSubstr("fewer parts")));
}

TEST(MakeImageRefuses, TrianglesThatShareNoVertices) {
  const Mesh shared = test::octahedron();
  Mesh soup;
  for (const Triangle t : shared.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (int k = 0; k < 3; ++k) soup.positions.push_back(shared.positions[t[k]]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_THAT(refusal(soup), AllOf(HasSubstr("open"), HasSubstr("weld vertices that coincide")));
}

TEST(MakeImageRefuses, RealMeshesThatAreNotClosed) {
  LAMELLA_NEED_SHARED_MESHES();
  const auto said = [](const char* name) { return refusal(read_mesh(test::shared_meshes() / "defects" / name)); };
  EXPECT_THAT(said("shark_holes.ply"), HasSubstr("open"));
  EXPECT_THAT(said("blobby_misoriented.ply"), HasSubstr("inconsistently"));
  EXPECT_THAT(said("dragon50k_nonmanifold.ply"), HasSubstr("not manifold"));
  EXPECT_THAT(said("chair_doublesided.ply"), HasSubstr("not manifold"));
}

}  // namespace
}  // namespace lamella
