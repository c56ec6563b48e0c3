// Files that are small and ask for a lot: of memory or of time.

#include <numeric>

#include "io/gltf_support.hpp"
#include "support/allocations.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Limits : public FileTest {
 protected:
  [[nodiscard]] static Mesh read_within(std::string_view contents, MeshFormat format, std::uint64_t memory) {
    return read_mesh(memory_of(contents), format, "small", {.max_memory = memory});
  }
  /// Bytes in use at most while the contents are read, without themselves.
  [[nodiscard]] static std::int64_t peak_of(std::string_view contents, MeshFormat format) {
    const auto bytes = memory_of(contents);
    (void)allocations_of([&] { (void)read_mesh(bytes, format); });
    return g_peak;
  }
};

constexpr int kRows = 1000;  ///< triangles of the files below, which have three vertices or more

std::string repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::string many_facets() {
  std::string out = std::string(80, ' ') + bytes(std::uint32_t{kRows});
  for (int i = 0; i < kRows; ++i) {
    const auto x = static_cast<float>(i);
    out += bytes(Vec3{}, Vec3{x, 0, 0}, Vec3{x, 1, 0}, Vec3{x, 0, 1}, std::uint16_t{0});
  }
  return out;
}

struct Sample {
  MeshFormat format;
  std::string contents;
};

std::vector<Sample> samples() {
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1000\nproperty list uchar int vertex_indices\nend_header\n";
  std::string binary = header;
  binary.replace(binary.find("ascii"), 5, "binary_little_endian");
  binary += std::string(36, '\0') + repeated(bytes(std::uint8_t{3}, 0, 1, 2), kRows);
  const std::string facet =
      "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  return {{MeshFormat::ply, header + repeated("0 0 0\n", 3) + repeated("3 0 1 2\n", kRows)},
          {MeshFormat::ply, binary},
          {MeshFormat::obj, repeated("v 0 0 0\n", 3) + repeated("f 1 2 3\n", kRows)},
          {MeshFormat::obj, "v 0 0 0\nf" + repeated(" 1", kRows + 2)},
          {MeshFormat::off, "OFF\n3 1000 0\n" + repeated("0 0 0\n", 3) + repeated("3 0 1 2\n", kRows)},
          {MeshFormat::stl, "solid\n" + repeated(facet, kRows) + "endsolid\n"},
          {MeshFormat::stl, many_facets()}};
}

TEST_F(Limits, EveryFormatStopsAtMaxMemoryAndSaysHowToRaiseIt) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(static_cast<int>(sample.format));
    EXPECT_EQ(read_within(sample.contents, sample.format, 1 << 20).triangles.size(), std::size_t{kRows});
    EXPECT_THAT(error_of([&] { (void)read_within(sample.contents, sample.format, 11'000); }),
                AllOf(HasSubstr("small: reading it takes more memory than the limit of 11000 bytes"),
                      HasSubstr("raise the limit (max_memory, on the command line --max-memory)")));
  }
}

TEST_F(Limits, MaxMemoryBoundsWhatIsAllocated) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(static_cast<int>(sample.format));
    const auto contents = memory_of(sample.contents);
    std::string message;
    (void)allocations_of([&] {
      message = error_of([&] { (void)read_mesh(contents, sample.format, "small", {.max_memory = 11'000}); });
    });
    EXPECT_NE(message, "");
    EXPECT_LT(g_peak, 11'000 + 4096);
  }
}

TEST_F(Limits, TheFileItselfCounts) {
  const auto file = save("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n" + std::string(100'000, '\n'));
  EXPECT_EQ(read_mesh(file, {.max_memory = 200'000}).triangles.size(), 1u);
  EXPECT_THAT(error_of([&] { (void)read_mesh(file, {.max_memory = 100'000}); }), HasSubstr("more memory than"));
}

TEST_F(Limits, PointsStopThereToo) {
  const auto points = memory_of(repeated("1 2 3\n", 1000));
  EXPECT_EQ(read_points(points, MeshFormat::xyz, "small", {.max_memory = 100'000}).size(), 1000u);
  EXPECT_THAT(error_of([&] { (void)read_points(points, MeshFormat::xyz, "small", {.max_memory = 10'000}); }),
              HasSubstr("more memory than the limit of 10000 bytes"));
}

TEST_F(Limits, APlyHeaderOfVeryManyElementsTakesLinearTime) {
  // Compared with one another, these would take minutes.
  const std::string elements = repeated("element e 0\n", 600'000);
  expect_equal(read("a.ply", "ply\nformat ascii 1.0\n" + elements +
                                 "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                                 "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                                 "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
               {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
}

TEST_F(Limits, NaNCornersOfStlAreWeldedInLinearTime) {
  // NaNs differ from each other by value: each would be compared with all before it.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr int kFacets = 100'000;
  const std::string facet =
      bytes(Vec3{}, Vec3{nan, nan, nan}, Vec3{nan, nan, nan}, Vec3{nan, nan, nan}, std::uint16_t{0});
  const Mesh mesh = read("a.stl", std::string(80, ' ') + bytes(std::uint32_t{kFacets}) + repeated(facet, kFacets));
  EXPECT_EQ(mesh.positions.size(), 1u);
  EXPECT_EQ(mesh.triangles, std::vector<Triangle>(kFacets, Triangle{0, 0, 0}));
}

#ifdef LAMELLA_GLTF
TEST_F(Limits, GltfTakesASmallMultipleOfItsSizeWhateverIsInIt) {
  GltfParts nodes, extras, strings, accessors;
  nodes.nodes += repeated(",{}", 100'000);
  extras.nodes = R"({"mesh":0,"extras":[[])" + repeated(",[]", 100'000) + "]}";
  strings.more = R"(,"x":[{"a":""})" + repeated(R"(,{"a":""})", 50'000) + "]";
  for (const GltfParts& parts : {nodes, extras, strings}) {
    for (const auto& [contents, format] :
         {std::pair{parts.gltf(), MeshFormat::gltf}, std::pair{parts.glb(), MeshFormat::glb}}) {
      EXPECT_LT(peak_of(contents, format), static_cast<std::int64_t>(64 * contents.size()));
    }
  }
  EXPECT_LT(peak_of(extras.gltf(), MeshFormat::gltf), 1 << 20) << "what a mesh does not need is not kept";
  EXPECT_LT(peak_of(strings.gltf(), MeshFormat::gltf), 1 << 20);
}

TEST_F(Limits, GltfStopsAtMaxMemoryWhateverTakesIt) {
  const auto within = [](const std::string& contents, MeshFormat format) {
    return error_of([&] { (void)read_within(contents, format, 500'000); });
  };
  GltfParts nodes, accessors, views, buffers, links, numbers;
  nodes.nodes += repeated(",{}", 50'000);
  accessors.accessors += repeated(",{}", 50'000);
  views.views += repeated(",{}", 50'000);
  buffers.buffers = R"({"byteLength":44})" + repeated(R"(,{"byteLength":0})", 50'000);
  links.nodes = R"({"mesh":0,"children":[0)" + repeated(",0", 200'000) + "]}";
  numbers.nodes = R"({"mesh":0,"matrix":[0)" + repeated(",0", 200'000) + "]}";
  for (const GltfParts& parts : {nodes, accessors, views, buffers, links, numbers}) {
    EXPECT_THAT(within(parts.glb(), MeshFormat::glb), HasSubstr("more memory than the limit of 500000 bytes"));
  }
  GltfParts data;
  data.data += std::string(400'000, 'x');
  EXPECT_THAT(within(data.gltf(), MeshFormat::gltf), HasSubstr("more memory than"));
}

TEST_F(Limits, AGltfFileCannotMultiplyItselfWithoutBound) {
  GltfParts zeros;  // an accessor that stores nothing
  zeros.views += R"(,{"buffer":0,"byteLength":4},{"buffer":0,"byteLength":12})";
  zeros.accessors = R"({"componentType":5126,"count":4294967295,"type":"VEC3","sparse":{"count":1,
      "indices":{"bufferView":2,"componentType":5125},"values":{"bufferView":3}}},
      {"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"})";
  EXPECT_THAT(read_error("bad.gltf", zeros.gltf()), HasSubstr("more memory than the limit of 64 MiB"));
  EXPECT_THAT(error_of([&] { (void)read_within(zeros.gltf(), MeshFormat::gltf, std::uint64_t{11} << 30); }),
              HasSubstr("more memory than the limit of 11 GiB"));

  GltfParts instances;  // one large mesh, placed many times
  constexpr int kVertices = 30'000;
  instances.data = std::string(kVertices * 12, '\0');
  instances.views = R"({"buffer":0,"byteLength":360000})";
  instances.accessors = R"({"bufferView":0,"componentType":5126,"count":30000,"type":"VEC3"})";
  instances.primitives = R"({"attributes":{"POSITION":0}})";
  instances.scenes = R"("extras":0)";
  instances.nodes += repeated(R"(,{"mesh":0})", 2000);
  EXPECT_THAT(error_of([&] { (void)read_within(instances.glb(), MeshFormat::glb, 8 << 20); }),
              HasSubstr("more memory than the limit of 8 MiB"));
}

TEST_F(Limits, CornersOfAGltfFileThatStoresNoneAreCountedBeforeTheyAreMade) {
  GltfParts parts;  // positions take 8.28 MB of the 8 MiB, their corners 2.76 MB more
  parts.views += R"(,{"buffer":0,"byteLength":4},{"buffer":0,"byteLength":12})";
  parts.accessors = R"({"componentType":5126,"count":690000,"type":"VEC3","sparse":{"count":1,
      "indices":{"bufferView":2,"componentType":5125},"values":{"bufferView":3}}})";
  parts.primitives = R"({"attributes":{"POSITION":0}})";
  const std::string contents = parts.gltf();
  std::string message;
  (void)allocations_of([&] { message = error_of([&] { (void)read_within(contents, MeshFormat::gltf, 8 << 20); }); });
  EXPECT_THAT(message, HasSubstr("more memory than the limit of 8 MiB"));
  EXPECT_LT(g_peak, (8 << 20) + (1 << 16));
}

TEST_F(Limits, MeshesWithoutATriangleCannotBeRepeatedForever) {
  GltfParts parts;  // 50,000 nodes, each with 50,000 primitives that are nothing
  parts.primitives += repeated(",{}", 50'000);
  parts.nodes += repeated(R"(,{"mesh":0})", 50'000);
  parts.scenes = R"("extras":0)";
  EXPECT_THAT(read_error("bad.gltf", parts.gltf()), HasSubstr("repeat its meshes far beyond the file's own size"));
}

TEST_F(Limits, ManyBuffersOfAGlbShareItsChunk) {
  GltfParts parts;
  parts.data += std::string(100'000, 'x');
  parts.buffers = R"({"byteLength":100044})" + repeated(R"(,{"byteLength":100044})", 100);
  EXPECT_LT(peak_of(parts.glb(), MeshFormat::glb), 1 << 20);
}
#endif

}  // namespace
}  // namespace lamella::test
