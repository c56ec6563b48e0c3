// Reading from memory: what differs from reading files. robustness_test.cpp compares both for every format.

#include "io/gltf_support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Memory : public FileTest {};

constexpr std::string_view kObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

TEST_F(Memory, ATriangleIsRead) {
  expect_equal(read_mesh(memory_of(kObj), MeshFormat::obj), {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
}

TEST_F(Memory, PointsAreRead) {
  const std::vector<Vec3> points{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(read_points(memory_of("1 2 3\n4 5 6 # comment"), MeshFormat::xyz), points);
  EXPECT_EQ(read_points(memory_of("v 1 2 3\nv 4 5 6"), MeshFormat::obj), points);
}

TEST_F(Memory, MessagesStartWithTheGivenNameInOneLine) {
  const auto error = [](std::string_view name) {
    return error_of([&] { (void)read_mesh(memory_of("v 0 0 zero"), MeshFormat::obj, name); });
  };
  EXPECT_THAT(error("part 7"), StartsWith("part 7:1: expected a coordinate, found \"zero\""));
  EXPECT_THAT(error("two\nlines"), StartsWith("two\\nlines:1: "));
  EXPECT_THAT(error_of([] { (void)read_points(memory_of("1 2"), MeshFormat::xyz); }), StartsWith("memory:1: "));
}

TEST_F(Memory, NoBytesAndNoFacesAreErrors) {
  EXPECT_THAT(error_of([] { (void)read_mesh({}, MeshFormat::ply); }), HasSubstr("memory: the file is empty"));
  EXPECT_THAT(error_of([] { (void)read_mesh(memory_of("v 0 0 0"), MeshFormat::obj); }), HasSubstr("has no faces"));
  EXPECT_THAT(error_of([] { (void)read_mesh(memory_of("0 0 0"), MeshFormat::xyz); }), HasSubstr("list of points"));
  EXPECT_THAT(error_of([] { (void)read_points(memory_of("# none"), MeshFormat::xyz); }), HasSubstr("expected points"));
}

#ifdef LAMELLA_GLTF
TEST_F(Memory, GltfWithSeparateBuffersIsRefusedEvenWhereTheFileExists) {
  const GltfParts parts;
  save("mesh.bin", parts.data);
  const auto error = [&](const std::string& uri) {
    return error_of([&] { (void)read_mesh(memory_of(parts.json(uri)), MeshFormat::gltf); });
  };
  EXPECT_THAT(error("mesh.bin"), AllOf(HasSubstr("memory: "), HasSubstr("\"mesh.bin\" is a separate file")));
  EXPECT_THAT(error(path("mesh.bin").string()), HasSubstr("is a separate file"));
  expect_equal(read_mesh(save("mesh.gltf", parts.json("mesh.bin"))),
               read_mesh(memory_of(parts.gltf()), MeshFormat::gltf));
}
#endif

TEST_F(Memory, ProgressCountsTheBytes) {
  const std::string large = std::string(9 << 20, '\n') + std::string(kObj);
  std::vector<std::uint64_t> calls;
  (void)read_mesh(memory_of(large), MeshFormat::obj, "large",
                  {.progress = [&](std::uint64_t done, std::uint64_t total) {
                    EXPECT_EQ(total, large.size());
                    calls.push_back(done);
                  }});
  EXPECT_EQ(calls, (std::vector<std::uint64_t>{8 << 20, large.size()}));
}

TEST_F(Memory, TheExtensionGivesTheFormat) {
  EXPECT_EQ(mesh_format("a.ply"), MeshFormat::ply);
  EXPECT_EQ(mesh_format("folder.obj/a.STL"), MeshFormat::stl);
  EXPECT_EQ(mesh_format("a.off"), MeshFormat::off);
  EXPECT_EQ(mesh_format("a.obj"), MeshFormat::obj);
  EXPECT_EQ(mesh_format("a.gltf"), MeshFormat::gltf);
  EXPECT_EQ(mesh_format("a.glb"), MeshFormat::glb);
  EXPECT_EQ(mesh_format("a.xyz"), MeshFormat::xyz);
  for (const char* name : {"a.txt", "ply", "a", "", "a.ply.gz"}) EXPECT_EQ(mesh_format(name), std::nullopt) << name;
}

}  // namespace
}  // namespace lamella::test
