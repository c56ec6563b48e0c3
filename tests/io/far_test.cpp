// Files far from the origin keep their digits.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include <fmt/format.h>

#include "io/gltf_support.hpp"

namespace lamella::test {
namespace {

class Far : public FileTest {
 protected:
  /// A tetrahedron of millimetres, 10,000 km away: floats there are a whole unit apart.
  static constexpr double kAt = 1e7, kSize = 0.0015;
  static std::vector<Vec3d> corners(Vec3d at = {kAt, -2 * kAt, 3 * kAt}) {
    std::vector<Vec3d> out;
    for (const Vec3& p : tetrahedron_positions()) out.push_back(to_double(p) * kSize + at);
    return out;
  }
  static std::string lines(std::string_view start, const std::vector<Vec3d>& points) {
    std::string out;
    for (const Vec3d& p : points) out += fmt::format("{}{} {} {}\n", start, p.x, p.y, p.z);
    return out;
  }
  static std::string obj(const std::vector<Vec3d>& points) {
    return lines("v ", points) + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  }
  static std::string off(const std::vector<Vec3d>& points) {
    return "OFF\n4 4 0\n" + lines("", points) + "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
  }
  static std::string ply_header(std::string_view format, std::string_view type) {
    return fmt::format(
        "ply\nformat {} 1.0\nelement vertex 4\nproperty {} x\nproperty {} y\nproperty {} z\nelement face 4\n"
        "property list uchar int vertex_indices\nend_header\n",
        format, type, type, type);
  }
  static std::string ply_ascii(const std::vector<Vec3d>& points) {
    return ply_header("ascii", "double") + lines("", points) + "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
  }
  static std::string ply_binary(const std::vector<Vec3d>& points, bool swapped) {
    std::string out = ply_header(swapped ? "binary_big_endian" : "binary_little_endian", "double");
    for (const Vec3d& p : points) out += swapped ? big_endian(p.x, p.y, p.z) : bytes(p.x, p.y, p.z);
    for (const Triangle& t : tetrahedron_triangles()) {
      out += '\3';
      out += swapped ? big_endian(t.a, t.b, t.c) : bytes(t.a, t.b, t.c);
    }
    return out;
  }
  static std::string stl(const std::vector<Vec3d>& points) {
    std::string out = "solid a\n";
    for (const Triangle& t : tetrahedron_triangles()) {
      out += "facet normal 0 0 0\nouter loop\n";
      out += lines("vertex ", {points[t.a], points[t.b], points[t.c]});
      out += "endloop\nendfacet\n";
    }
    return out + "endsolid a\n";
  }
  static std::string stl_binary(const std::vector<Vec3d>& points) {
    std::string out(80, ' ');
    out += bytes(std::uint32_t{4});
    for (const Triangle& t : tetrahedron_triangles()) {
      out += bytes(0.f, 0.f, 0.f);
      for (const std::uint32_t v : {t.a, t.b, t.c}) {
        const Vec3 p = to_float(points[v]);
        out += bytes(p.x, p.y, p.z);
      }
      out += bytes(std::uint16_t{0});
    }
    return out;
  }

  /// Every corner of every triangle where the doubles say, within `error`.
  static void expect_at(const Mesh& mesh, const std::vector<Vec3d>& points, double error) {
    ASSERT_EQ(mesh.triangles.size(), 4u);
    EXPECT_EQ(mesh.positions.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) {
        const Vec3d got = to_double(mesh.positions.at(mesh.triangles[i][k])) + mesh.origin;
        EXPECT_LT(length(got - points[tetrahedron_triangles()[i][k]]), error);
      }
    }
    EXPECT_NEAR(signed_volume(mesh), kSize * kSize * kSize / 6, 1e-5 * kSize * kSize * kSize);
  }
};

TEST_F(Far, MillimetresAtTenThousandKilometresAreReadFromEveryFormatWithDoubles) {
  const std::vector<Vec3d> points = corners();
  const std::pair<const char*, std::string> files[] = {{"a.obj", obj(points)},
                                                       {"a.off", off(points)},
                                                       {"ascii.ply", ply_ascii(points)},
                                                       {"a.stl", stl(points)},
                                                       {"little.ply", ply_binary(points, false)},
                                                       {"big.ply", ply_binary(points, true)}};
  for (const auto& [name, contents] : files) {
    SCOPED_TRACE(name);
    const Mesh mesh = read(name, contents);
    EXPECT_FALSE(mesh.origin == Vec3d{});
    expect_at(mesh, points, 1e-8);
    const std::vector<MeshPart> parts = read_parts(path(name), Split::components);
    ASSERT_EQ(parts.size(), 1u);
    expect_at(parts[0].mesh, points, 1e-8);
  }
}

TEST_F(Far, PlyCoordinatesAreFinerThanFloatOnlyWhereTheirTypeIs) {
  const std::vector<Vec3d> points = corners({1e7, 0, 0});
  std::string text = ply_header("binary_little_endian", "float");
  for (const Vec3d& p : points) text += bytes(to_float(p));
  for (const Triangle& t : tetrahedron_triangles()) text += '\3' + bytes(t.a, t.b, t.c);
  const Mesh mesh = read("a.ply", text);
  EXPECT_EQ(mesh.origin, (Vec3d{}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(mesh.positions[i], to_float(points[i]));
}

TEST_F(Far, NearFilesHaveNoOriginAndTheNearestFloats) {
  // At 15 times its size, the next float for each coordinate.
  const std::string text = "v 14.1 0 0\nv 15.1 0 0\nv 14.1 1.1 0\nv 14.1 0 0.9\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  const Mesh mesh = read("a.obj", text);
  EXPECT_EQ(mesh.origin, (Vec3d{}));
  EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{14.1f, 0, 0}, {15.1f, 0, 0}, {14.1f, 1.1f, 0}, {14.1f, 0, 0.9f}}));
}

TEST_F(Far, AFarFileWhoseNumbersAreFloatsHasNoOrigin) {
  const Mesh mesh =
      read("a.obj", "v 1000 0 0\nv 1001 0 0\nv 1000 1 0\nv 1000 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  EXPECT_EQ(mesh.origin, (Vec3d{}));
  EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{1000, 0, 0}, {1001, 0, 0}, {1000, 1, 0}, {1000, 0, 1}}));
}

TEST_F(Far, BrokenVerticesDoNotHideWhereTheOthersAre) {
  std::vector<Vec3d> points = corners();
  const Mesh mesh = read("a.obj", obj(points) + "v nan 0 0\nv 1e300 -inf 1e999\n");
  ASSERT_EQ(mesh.positions.size(), 6u);
  EXPECT_TRUE(std::isnan(mesh.positions[4].x));
  EXPECT_EQ(mesh.positions[5], (Vec3{INFINITY, -INFINITY, INFINITY}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(length(to_double(mesh.positions[i]) + mesh.origin - points[i]), 1e-8);
}

TEST_F(Far, EveryWriterKeepsTheDigits) {
  const std::vector<Vec3d> points = corners();
  const Mesh mesh = read("a.obj", obj(points));
  const MeshView wide{.positions = {}, .triangles = mesh.triangles, .origin = {}, .wide = points};
  for (const char* name : {"b.ply", "b.obj", "b.stl"}) {
    SCOPED_TRACE(name);
    write_mesh(path(name), mesh);
    expect_at(read_mesh(path(name)), points, 2e-8);
    EXPECT_EQ(read_mesh(path(name)).origin, mesh.origin);
    write_mesh(path(name), wide);
    expect_at(read_mesh(path(name)), points, 1e-8);
  }
}

TEST_F(Far, DoublesNearTheOriginAreWrittenToBinaryStl) {
  const std::vector<Vec3d> points = corners({});
  write_mesh(path("a.stl"),
             MeshView{.positions = {}, .triangles = tetrahedron().triangles, .origin = {}, .wide = points});
  EXPECT_EQ(std::filesystem::file_size(path("a.stl")), 84u + 4 * 50);
  expect_at(read_mesh(path("a.stl")), points, 1e-9);
}

TEST_F(Far, WritersRefuseDoublesBeyondFloatAndWrongIndices) {
  std::vector<Vec3d> points = corners();
  const std::vector<Triangle> wrong{{0, 1, 4}};
  EXPECT_THAT(error_of([&] {
                write_mesh(path("a.ply"), MeshView{.positions = {}, .triangles = wrong, .origin = {}, .wide = points});
              }),
              testing::HasSubstr("triangle 0 names vertex 4, but the mesh has only 4"));
  points[2].y = 1e300;
  EXPECT_THAT(error_of([&] {
                write_mesh(path("a.ply"), MeshView{.positions = {}, .triangles = {}, .origin = {}, .wide = points});
              }),
              testing::HasSubstr("vertex 2 is not finite"));
}

TEST_F(Far, WidePointsAreThoseOfTheFile) {
  const std::vector<Vec3d> points = corners();
  EXPECT_EQ(read_wide_points(save("a.xyz", lines("", points))), points);
  EXPECT_EQ(read_wide_points(save("a.obj", obj(points))), points);
  EXPECT_EQ(read_wide_points(save("a.ply", ply_binary(points, false))), points);
  const std::vector<Vec3d> of_stl = read_wide_points(save("a.stl", stl(points)));
  EXPECT_THAT(of_stl, testing::UnorderedElementsAreArray(points));
  EXPECT_THAT(error_of([&] { (void)read_wide_points(save("b.xyz", "1 2 1e39\n")); }),
              testing::HasSubstr("32-bit float"));
  EXPECT_THAT(error_of([&] { (void)read_wide_points(save("b.xyz", "1 nan 3\n")); }), testing::HasSubstr("finite"));
  EXPECT_THAT(error_of([&] { (void)read_wide_points(save("b.xyz", "1 2 1e-999\n1 2 3,5\n")); }),
              testing::HasSubstr("b.xyz:2"));
}

TEST_F(Far, ReadingTwiceStaysWithinMaxMemory) {
  const std::string text = obj(corners());
  EXPECT_NO_THROW((void)read_mesh(memory_of(text), MeshFormat::obj, "a", {.max_memory = 4096}));
  EXPECT_THAT(error_of([&] { (void)read_mesh(memory_of(text), MeshFormat::obj, "a", {.max_memory = 600}); }),
              testing::HasSubstr("more memory than the limit"));
}

#ifdef LAMELLA_GLTF
TEST_F(Far, AGltfNodeFarAwayKeepsTheDigitsOfItsMesh) {
  GltfParts gltf;
  gltf.nodes = R"({"mesh":0,"translation":[10000000,20000000,-30000000],"scale":[0.001,0.001,0.001]})";
  const Mesh mesh = read("a.gltf", gltf.gltf());
  ASSERT_EQ(mesh.positions.size(), 3u);
  const Vec3d at{1e7, 2e7, -3e7};
  const std::vector<Vec3d> expected{at, at + Vec3d{0.001, 0, 0}, at + Vec3d{0, 0.001, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT(length(to_double(mesh.positions[i]) + mesh.origin - expected[i]), 1e-8);
  }
}

TEST_F(Far, PartsFarFromEachOtherEachKeepTheirDigits) {
  GltfParts gltf;
  gltf.scenes = R"("scene":0,"scenes":[{"nodes":[0,1]}])";
  gltf.nodes = R"({"mesh":0,"name":"here","scale":[0.001,0.001,0.001]},
                  {"mesh":0,"name":"there","translation":[10000000.25,0,0],"scale":[0.001,0.001,0.001]})";
  const std::vector<MeshPart> parts = read_parts(save("a.gltf", gltf.gltf()));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].mesh.origin, (Vec3d{}));
  EXPECT_FALSE(parts[1].mesh.origin == Vec3d{});
  for (const MeshPart& part : parts) {
    const Vec3d at{part.name == "here" ? 0 : 10000000.25, 0, 0};
    EXPECT_LT(length(to_double(part.mesh.positions[1]) + part.mesh.origin - at - Vec3d{0.001, 0, 0}), 1e-8);
  }
}
#endif

TEST_F(Far, KeepsDoublesWhereFloatsDoNotHoldThem) {
  const auto check = [&](const std::filesystem::path& path, const std::vector<Vec3d>& expected) {
    SCOPED_TRACE(path);
    EXPECT_TRUE(read_mesh(path).wide.empty());
    const Mesh mesh = read_mesh(path, {.keep_doubles = true});
    EXPECT_EQ(mesh.origin, read_mesh(path).origin);
    std::vector<Vec3d> relative;
    for (const Vec3d& p : expected) relative.push_back(p - mesh.origin);
    EXPECT_EQ(mesh.wide, relative);
    EXPECT_EQ(mesh.positions, read_mesh(path).positions);
    EXPECT_EQ(exact_view(mesh).wide.size(), expected.size());
    const std::vector<MeshPart> parts = read_parts(path, Split::automatic, {.keep_doubles = true});
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].mesh.wide, relative);
    EXPECT_EQ(read_instances(path, Split::automatic, {.keep_doubles = true}).meshes.at(0).wide, relative);
  };
  const std::vector<Vec3d> far = corners({1000.1, 2000.2, 3000.3}), near = corners({0.1, 0.2, 0.3});
  check(save("far.obj", obj(far)), far);
  check(save("near.obj", obj(near)), near);
  check(save("far.off", off(far)), far);
  check(save("far.ply", ply_binary(far, false)), far);
  std::vector<Vec3d> whole;
  for (const Vec3& p : tetrahedron_positions()) whole.push_back(to_double(p) * 3.0 + Vec3d{1024, 0, 0});
  EXPECT_EQ(read_mesh(save("whole.obj", obj(whole)), {.keep_doubles = true}).wide.capacity(), 0u);
}

TEST_F(Far, DoublesThatFloatsHoldHaveAnOriginWhereTheyAreKept) {
  std::vector<Vec3d> whole;
  for (const Vec3& p : tetrahedron_positions()) whole.push_back(to_double(p) * 8.0 + Vec3d{1048576, -2097152, 0});
  const auto check = [&](const std::filesystem::path& path, bool has_origin) {
    SCOPED_TRACE(path);
    EXPECT_EQ(read_mesh(path).origin, Vec3d{});
    const Mesh mesh = read_mesh(path, {.keep_doubles = true});
    const Mesh part = read_parts(path, Split::automatic, {.keep_doubles = true}).at(0).mesh;
    EXPECT_EQ(mesh.origin != Vec3d{}, has_origin);
    EXPECT_EQ(part.origin, mesh.origin);
    EXPECT_TRUE(mesh.wide.empty());
    EXPECT_EQ(mesh.positions.size(), whole.size());
    for (const Vec3& p : mesh.positions)
      EXPECT_NE(std::find(whole.begin(), whole.end(), to_double(p) + mesh.origin), whole.end());
  };
  check(save("whole.obj", obj(whole)), true);
  check(save("whole.off", off(whole)), true);
  check(save("whole.ply", ply_binary(whole, false)), true);  // doubles
  // Floats, as a program may have rounded its numbers to.
  check(save("whole.stl", stl_binary(whole)), false);
}

}  // namespace
}  // namespace lamella::test
