// Vertices that are no places: a mesh keeps them for Health to count, a list of points must not have them.

#include <bit>
#include <cmath>
#include <limits>

#include "io/gltf_support.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

class NonFinite : public FileTest {
 protected:
  std::string points_error(const std::string& name, std::string_view contents) const {
    const auto file = save(name, contents);
    return error_of([&] { (void)read_points(file); });
  }
};

/// One of three vertices is bad.
void expect_bad(const Mesh& mesh, Vec3 expected) {
  ASSERT_EQ(mesh.positions.size(), 3u);
  ASSERT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_EQ(mesh.positions[0], (Vec3{0, 0, 0}));
  EXPECT_EQ(mesh.positions[2], (Vec3{0, 1, 0}));
  for (int axis = 0; axis < 3; ++axis) {
    const float found = mesh.positions[1][axis];
    EXPECT_TRUE(std::isnan(expected[axis]) ? std::isnan(found) : found == expected[axis]) << axis << ": " << found;
  }
}

const std::string kPly =
    "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n";

std::string with_doubles(std::string header) {
  for (std::size_t at = 0; (at = header.find("float", at)) != std::string::npos;) header.replace(at, 5, "double");
  return header;
}

TEST_F(NonFinite, TextKeepsNaNAndInfinityHoweverTheyAreSpelt) {
  expect_bad(read("a.obj", "v 0 0 0\nv nan -inf Infinity\nv 0 1 0\nf 1 2 3\n"), {kNaN, -kInfinity, kInfinity});
  expect_bad(read("a.off", "OFF\n3 1 0\n0 0 0\nNaN 5 +inf\n0 1 0\n3 0 1 2\n"), {kNaN, 5, kInfinity});
  expect_bad(read("a.ply", "ply\nformat ascii 1.0\n" + kPly + "0 0 0\n-nan 5 INF\n0 1 0\n3 0 1 2\n"),
             {kNaN, 5, kInfinity});
  expect_bad(
      read("a.stl",
           "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex nan 5 inf\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"),
      {kNaN, 5, kInfinity});
}

TEST_F(NonFinite, NumbersTooLargeForAFloatBecomeInfinite) {
  expect_bad(read("a.obj", "v 0 0 0\nv 1e39 -1e39 1e999\nv 0 1 0\nf 1 2 3\n"), {kInfinity, -kInfinity, kInfinity});
  expect_bad(read("b.obj", "v 0 0 0\nv -1e999 1e-999 3.4028235e38\nv 0 1 0\nf 1 2 3\n"),
             {-kInfinity, 0, std::numeric_limits<float>::max()});
  expect_bad(
      read("a.ply", "ply\nformat binary_little_endian 1.0\n" + with_doubles(kPly) +
                        bytes(0.0, 0.0, 0.0, 1e39, -1e300, 5.0, 0.0, 1.0, 0.0) + bytes(std::uint8_t{3}, 0, 1, 2)),
      {kInfinity, -kInfinity, 5});
}

TEST_F(NonFinite, DigitsWithoutEndAreAsLargeOrSmallAsTheyMean) {
  const std::string zeros(400, '0');
  const auto point = [&](const std::string& x, const std::string& y, const std::string& z) {
    return read("a.obj", "v 0 0 0\nv " + x + ' ' + y + ' ' + z + "\nv 0 1 0\nf 1 2 3\n");
  };
  expect_bad(point('1' + zeros, "-01" + zeros, "0." + zeros + '1'), {kInfinity, -kInfinity, 0});
  expect_bad(point('1' + zeros + "e-50", '.' + zeros + "1e+50", '1' + zeros + ".5E-9"), {kInfinity, 0, kInfinity});
  expect_bad(point("1e99999999999999999999", "-1e-99999999999999999999", "-1e+99999999999999999999"),
             {kInfinity, 0, -kInfinity});
  expect_bad(point('1' + zeros, '1' + zeros + "e-399", '0' + zeros + "e999"), {kInfinity, 10, 0});
}

TEST_F(NonFinite, BinaryKeepsThemToo) {
  const Vec3 bad{kNaN, 5, -kInfinity};
  const std::string positions = bytes(Vec3{0, 0, 0}, bad, Vec3{0, 1, 0});
  expect_bad(
      read("little.ply", "ply\nformat binary_little_endian 1.0\n" + kPly + positions + bytes(std::uint8_t{3}, 0, 1, 2)),
      bad);
  expect_bad(read("big.ply", "ply\nformat binary_big_endian 1.0\n" + kPly +
                                 big_endian(0.f, 0.f, 0.f, bad.x, bad.y, bad.z, 0.f, 1.f, 0.f) +
                                 big_endian(std::uint8_t{3}, 0, 1, 2)),
             bad);
  expect_bad(
      read("a.stl", std::string(80, ' ') + bytes(std::uint32_t{1}, Vec3{}) + positions + bytes(std::uint16_t{0})), bad);
}

TEST_F(NonFinite, StlWeldsNaNsOfTheSameBits) {
  std::string contents = std::string(80, ' ') + bytes(std::uint32_t{2});
  const float other = std::bit_cast<float>(0x7fc00001u);
  contents += bytes(Vec3{}, Vec3{kNaN, 0, 0}, Vec3{1, 0, 0}, Vec3{kInfinity, 0, 0}, std::uint16_t{0});
  contents += bytes(Vec3{}, Vec3{kNaN, -0.f, 0}, Vec3{other, 0, 0}, Vec3{kInfinity, 0, 0}, std::uint16_t{0});
  EXPECT_EQ(read("a.stl", contents).triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 3, 2}}));
}

TEST_F(NonFinite, PointsMustBeFiniteAndThePlaceIsNamed) {
  EXPECT_THAT(points_error("a.xyz", "1 2 3\n1 nan 2\n"),
              HasSubstr("a.xyz:2: expected a finite coordinate, found \"nan\""));
  EXPECT_THAT(points_error("a.xyz", "1 2 1e39\n"), HasSubstr("a.xyz:1: expected a coordinate within the range of a"));
  EXPECT_THAT(points_error("a.obj", "v 0 0 0\nv 0 -inf 0\n"),
              HasSubstr("a.obj:2: expected a finite coordinate, found \"-inf\""));
  EXPECT_THAT(points_error("a.off", "OFF\n1 0 0\n0 nan 0\n"), HasSubstr("a.off:3: expected a finite coordinate"));
  EXPECT_THAT(points_error("a.ply", "ply\nformat ascii 1.0\n" + kPly + "0 0 0\n1 1e999 0\n0 1 0\n3 0 1 2\n"),
              HasSubstr("a.ply:11: expected a coordinate within the range of a 32-bit float, found \"1e999\""));
}

TEST_F(NonFinite, PointsOfBinaryFilesToo) {
  const std::string head = "ply\nformat binary_little_endian 1.0\n" + kPly, doubles = with_doubles(head);
  const std::string face = bytes(std::uint8_t{3}, 0, 1, 2);
  const auto at = [](const std::string& header, std::size_t byte) {
    return "byte " + std::to_string(header.size() + byte) + ": expected a finite coordinate in the range of a 32-bit";
  };
  EXPECT_THAT(points_error("a.ply", head + bytes(0.f, 0.f, 0.f, 1.f, kNaN, 0.f, 0.f, 1.f, 0.f) + face),
              HasSubstr(at(head, 16)));
  EXPECT_THAT(points_error("a.ply", doubles + bytes(0.0, 1e39, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0) + face),
              HasSubstr(at(doubles, 8) + " float, found 1e+39"));
  EXPECT_THAT(points_error("a.stl", std::string(80, ' ') + bytes(std::uint32_t{1}, Vec3{}, Vec3{}, Vec3{1, 0, kNaN},
                                                                 Vec3{}, std::uint16_t{0})),
              HasSubstr("a.stl: byte 116: expected a finite coordinate, found nan"));
}

#ifdef LAMELLA_GLTF
TEST_F(NonFinite, GltfKeepsThemInMeshesAndRefusesThemInPoints) {
  GltfParts parts;
  parts.data.replace(12, 12, bytes(kNaN, 5.f, kInfinity));
  for (const auto& [name, contents] : {std::pair{"a.gltf", parts.gltf()}, std::pair{"a.glb", parts.glb()}}) {
    // A node's rotation and scale spread a NaN over the vertex.
    const Mesh mesh = read(name, contents);
    ASSERT_EQ(mesh.positions.size(), 3u);
    EXPECT_FALSE(std::isfinite(mesh.positions[1].x) && std::isfinite(mesh.positions[1].z));
    EXPECT_EQ(mesh.positions[2], (Vec3{0, 1, 0}));
    EXPECT_THAT(points_error(name, contents), HasSubstr("accessor 0: expected finite coordinates, found nan 5 inf"));
  }
  GltfParts scaled;
  scaled.nodes = R"({"mesh":0,"scale":[1e300,1,1]})";
  expect_bad(read("b.gltf", scaled.gltf()), {kInfinity, 0, 0});
  EXPECT_THAT(points_error("b.gltf", scaled.gltf()), HasSubstr("beyond the range of a 32-bit float"));
}
#endif

}  // namespace
}  // namespace lamella::test
