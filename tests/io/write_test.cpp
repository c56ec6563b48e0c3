#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "io/support.hpp"

#include <rapidcheck/gtest.h>  // after GoogleTest, which it does not include itself

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Write : public FileTest {
 protected:
  static std::string write_error(const std::filesystem::path& file, const Mesh& mesh) {
    return error_of([&] { write_mesh(file, mesh); });
  }
  std::size_t files_in_folder() const {
    const auto folder = path("x").parent_path();
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }
};

TEST_F(Write, ATetrahedronComesBackFromPlyAndObj) {
  for (const char* name : {"a.ply", "a.obj", "A.PLY"}) {
    write_mesh(path(name), tetrahedron());
    expect_equal(read_mesh(path(name)), tetrahedron());
  }
}

TEST_F(Write, ATetrahedronComesBackFromStlInOrderOfFirstUse) {
  write_mesh(path("a.stl"), tetrahedron());
  expect_equal(read_mesh(path("a.stl")),
               {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 3}, {2, 1, 3}, {1, 0, 3}}});
  EXPECT_EQ(std::filesystem::file_size(path("a.stl")), 84u + 4 * 50);
}

TEST_F(Write, PlyStartsWithTheHeaderEveryProgramReads) {
  write_mesh(path("a.ply"), tetrahedron());
  std::ifstream file(path("a.ply"), std::ios::binary);
  const std::string contents((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(
      contents.starts_with("ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\n"
                           "property float y\nproperty float z\nelement face 4\n"
                           "property list uchar int vertex_indices\nend_header\n"));
}

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Write, EveryByteOfAnObjAndAnStlFileIsAsDocumented) {
  const Mesh mesh{{{0, 0, 0}, {2, 0, 0}, {0, 0.5f, 0}, {-1e-38f, 3, 4}}, {{0, 1, 2}, {0, 2, 1}, {3, 1, 0}, {1, 1, 1}}};
  write_mesh(path("a.obj"), mesh);
  EXPECT_EQ(contents_of(path("a.obj")),
            "v 0 0 0\nv 2 0 0\nv 0 0.5 0\nv -1e-38 3 4\nf 1 2 3\nf 1 3 2\nf 4 2 1\nf 2 2 2\n");
  write_mesh(path("a.stl"), mesh);
  const Vec3 a = mesh.positions[0], b = mesh.positions[1], c = mesh.positions[2], d = mesh.positions[3];
  const std::uint16_t none = 0;
  EXPECT_EQ(contents_of(path("a.stl")), "binary STL" + std::string(70, '\0') + bytes(std::uint32_t{4}) +
                                            bytes(Vec3{0, 0, 1}, a, b, c, none) + bytes(Vec3{0, 0, -1}, a, c, b, none) +
                                            bytes(Vec3{0, 0.8f, -0.6f}, d, b, a, none) + bytes(Vec3{}, b, b, b, none));
}

TEST_F(Write, ReplacesAFileAndLeavesNothingElse) {
  save("a.ply", "old");
  write_mesh(path("a.ply"), tetrahedron());
  expect_equal(read_mesh(path("a.ply")), tetrahedron());
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(Write, VerticesAloneCanBeWrittenAndReadAsPoints) {
  write_mesh(path("a.ply"), Mesh{tetrahedron_positions(), {}});
  EXPECT_EQ(read_points(path("a.ply")), tetrahedron_positions());
}

TEST_F(Write, UnknownExtensionsAreRefused) {
  EXPECT_THAT(write_error(path("a.off"), tetrahedron()), AllOf(HasSubstr("a.off: "), HasSubstr(".ply .obj .stl")));
}

TEST_F(Write, AFolderThatCannotBeWrittenIsNamed) {
  EXPECT_THAT(write_error(path("missing/a.ply"), tetrahedron()),
              AllOf(HasSubstr("a.ply: cannot create"), HasSubstr("No such file")));
}

TEST_F(Write, AFailureLeavesNoTemporaryAndTheOldFile) {
  std::filesystem::create_directory(path("a.ply"));
  EXPECT_THAT(write_error(path("a.ply"), tetrahedron()), HasSubstr("a.ply: is a folder"));
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(Write, MeshesThatCouldNotBeReadBackAreRefused) {
  Mesh mesh = tetrahedron();
  mesh.triangles[2].b = 4;
  for (const char* name : {"a.ply", "a.obj", "a.stl"}) {
    EXPECT_THAT(write_error(path(name), mesh), HasSubstr("triangle 2 names vertex 4, but the mesh has only 4"));
  }
  mesh = tetrahedron();
  mesh.positions[1].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(write_error(path("a.ply"), mesh), HasSubstr("vertex 1 is not finite"));
  EXPECT_EQ(files_in_folder(), 0u);
}

/// Any finite float, by its bits: large, tiny, subnormal, both zeros.
rc::Gen<float> any_finite() {
  return rc::gen::suchThat(
      rc::gen::map(rc::gen::arbitrary<std::uint32_t>(), [](std::uint32_t b) { return std::bit_cast<float>(b); }),
      [](float f) { return std::isfinite(f); });
}

Mesh any_mesh() {
  Mesh mesh;
  const auto xyz = *rc::gen::nonEmpty(rc::gen::container<std::vector<float>>(any_finite()));
  for (std::size_t i = 0; i < xyz.size(); ++i) {
    mesh.positions.push_back({xyz[i], xyz[(i + 1) % xyz.size()], xyz[(i + 2) % xyz.size()]});
  }
  const auto vertex = rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(xyz.size()));
  const auto corners = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint32_t>>(vertex));
  for (std::size_t i = 0; i < corners.size(); ++i) {
    mesh.triangles.push_back({corners[i], corners[(i + 1) % corners.size()], corners[(i + 2) % corners.size()]});
  }
  return mesh;
}

bool same_bits(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
}

RC_GTEST_FIXTURE_PROP(Write, AnyMeshComesBackBitByBitFromPlyAndObj, ()) {
  const Mesh mesh = any_mesh();
  for (const char* name : {"a.ply", "a.obj"}) {
    write_mesh(path(name), mesh);
    const Mesh again = read_mesh(path(name));
    RC_ASSERT(same_bits(again.positions, mesh.positions));
    RC_ASSERT(again.triangles == mesh.triangles);
  }
}

RC_GTEST_FIXTURE_PROP(Write, AnyTrianglesComeBackFromStlWithEachPositionOnce, ()) {
  const Mesh mesh = any_mesh();
  write_mesh(path("a.stl"), mesh);
  const Mesh again = read_mesh(path("a.stl"));
  RC_ASSERT(again.triangles.size() == mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      RC_ASSERT(again.positions[again.triangles[i][k]] == mesh.positions[mesh.triangles[i][k]]);
    }
  }
  for (std::size_t i = 0; i < again.positions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) RC_ASSERT(again.positions[i] != again.positions[j]);
  }
}

}  // namespace
}  // namespace lamella::test
