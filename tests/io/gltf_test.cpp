#include "io/gltf_support.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

class Gltf : public FileTest {
 protected:
  std::string error(const GltfParts& parts) const { return read_error("bad.gltf", parts.gltf()); }
  std::vector<Triangle> triangles(const GltfParts& parts) const { return read("a.gltf", parts.gltf()).triangles; }
  std::vector<Vec3> positions(const GltfParts& parts) const { return read("a.gltf", parts.gltf()).positions; }
};

const std::vector<Vec3> kCorner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
const Mesh kTriangle{kCorner, {{0, 1, 2}}};

TEST_F(Gltf, ReadsOneTriangleFromADataUri) { expect_equal(read("a.gltf", GltfParts{}.gltf()), kTriangle); }

TEST_F(Gltf, ReadsOneTriangleFromAGlb) { expect_equal(read("a.GLB", GltfParts{}.glb()), kTriangle); }

TEST_F(Gltf, ReadsABufferFileBesideIt) {
  const GltfParts parts;
  save("my data.bin", parts.data);
  expect_equal(read("a.gltf", parts.json("my%20data.bin")), kTriangle);
}

TEST_F(Gltf, ReadsABufferFileWhenThePathHasNoFolder) {
  const GltfParts parts;
  save("a.bin", parts.data);
  save("a.gltf", parts.json("a.bin"));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(path("a.gltf").parent_path());
  const Mesh mesh = read_mesh("a.gltf");
  std::filesystem::current_path(before);
  expect_equal(mesh, kTriangle);
}

TEST_F(Gltf, NeverOpensOrDecodesImages) {
  GltfParts parts;
  parts.more = R"(,"images":[{"uri":"missing.png"},{"uri":"data:image/png;base64,AAAA"},{"bufferView":99}],
                   "textures":[{"source":0}],"materials":[{"pbrMetallicRoughness":{}}],"extras":{"images":[{"uri":"x"}]})";
  expect_equal(read("a.gltf", parts.gltf()), kTriangle);
  expect_equal(read("a.glb", parts.glb()), kTriangle);
}

TEST_F(Gltf, ReadsUnindexedTriangles) {
  GltfParts parts;
  parts.primitives = R"({"attributes":{"POSITION":0}})";
  expect_equal(read("a.gltf", parts.gltf()), kTriangle);
}

TEST_F(Gltf, ReadsIndicesOfEverySize) {
  const auto check = [&](int type, const std::string& indices) {
    SCOPED_TRACE(type);
    GltfParts parts;
    parts.data = parts.data.substr(0, 36) + indices;
    parts.views = R"({"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":)" +
                  std::to_string(indices.size()) + "}";
    parts.accessors = R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
                         {"bufferView":1,"componentType":)" +
                      std::to_string(type) + R"(,"count":3,"type":"SCALAR"})";
    EXPECT_EQ(triangles(parts), (std::vector<Triangle>{{2, 0, 1}}));
  };
  check(5121, bytes(std::uint8_t{2}, std::uint8_t{0}, std::uint8_t{1}));
  check(5123, bytes(std::uint16_t{2}, std::uint16_t{0}, std::uint16_t{1}));
  check(5125, bytes(std::uint32_t{2}, std::uint32_t{0}, std::uint32_t{1}));
}

/// Five positions without indices, drawn in `mode`.
GltfParts five(int mode) {
  GltfParts parts;
  parts.data.clear();
  for (int i = 0; i < 5; ++i) parts.data += bytes(static_cast<float>(i), 0.f, 0.f);
  parts.views = R"({"buffer":0,"byteLength":60})";
  parts.accessors = R"({"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"})";
  parts.primitives = R"({"attributes":{"POSITION":0},"mode":)" + std::to_string(mode) + "}";
  return parts;
}

TEST_F(Gltf, ReadsStripsAndFans) {
  EXPECT_EQ(triangles(five(5)), (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
  EXPECT_EQ(triangles(five(6)), (std::vector<Triangle>{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}}));
}

TEST_F(Gltf, LeavesOutTheTrianglesThatOnlyJoinStrips) {
  GltfParts parts = five(5);
  parts.data += bytes(std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{2}, std::uint8_t{3},
                      std::uint8_t{3}, std::uint8_t{4}, std::uint8_t{0});
  parts.views += R"(,{"buffer":0,"byteOffset":60,"byteLength":8})";
  parts.accessors += R"(,{"bufferView":1,"componentType":5121,"count":8,"type":"SCALAR"})";
  parts.primitives = R"({"attributes":{"POSITION":0},"indices":1,"mode":5})";
  EXPECT_EQ(triangles(parts), (std::vector<Triangle>{{0, 1, 2}, {3, 0, 4}}));
}

TEST_F(Gltf, PointsAndLinesHaveNoFaces) { EXPECT_THAT(error(five(0)), HasSubstr("has no faces")); }

TEST_F(Gltf, ReadsInterleavedPositions) {
  GltfParts parts;
  parts.data.clear();
  for (const Vec3 p : kCorner) parts.data += bytes(7.f) + bytes(p) + bytes(8.f);
  parts.views = R"({"buffer":0,"byteLength":60,"byteStride":20})";
  parts.accessors = R"({"bufferView":0,"byteOffset":4,"componentType":5126,"count":3,"type":"VEC3"})";
  parts.primitives = R"({"attributes":{"POSITION":0}})";
  EXPECT_EQ(positions(parts), kCorner);
}

TEST_F(Gltf, ReadsQuantizedPositions) {
  GltfParts parts;
  parts.data = bytes(std::int16_t{0}, std::int16_t{0}, std::int16_t{0}, std::int16_t{9}, std::int16_t{32767},
                     std::int16_t{0}, std::int16_t{0}, std::int16_t{9}, std::int16_t{0}, std::int16_t{32767},
                     std::int16_t{-32768}, std::int16_t{9});
  parts.views = R"({"buffer":0,"byteLength":24,"byteStride":8})";
  parts.primitives = R"({"attributes":{"POSITION":0}})";
  parts.accessors = R"({"bufferView":0,"componentType":5122,"normalized":true,"count":3,"type":"VEC3"})";
  EXPECT_EQ(positions(parts), (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, -1}}));
  parts.accessors = R"({"bufferView":0,"componentType":5122,"count":3,"type":"VEC3"})";
  EXPECT_EQ(positions(parts), (std::vector<Vec3>{{0, 0, 0}, {32767, 0, 0}, {0, 32767, -32768}}));
}

TEST_F(Gltf, AppliesSparseValuesToStoredAndToMissingPositions) {
  GltfParts parts;
  parts.data = parts.data.substr(0, 36) + bytes(std::uint32_t{1}, 5.f, 6.f, 7.f);
  parts.views = R"({"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":4},
                   {"buffer":0,"byteOffset":40,"byteLength":12})";
  const std::string sparse = R"("sparse":{"count":1,"indices":{"bufferView":1,"componentType":5125},
                                          "values":{"bufferView":2}})";
  parts.primitives = R"({"attributes":{"POSITION":0}})";
  parts.accessors = R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",)" + sparse + "}";
  EXPECT_EQ(positions(parts), (std::vector<Vec3>{{0, 0, 0}, {5, 6, 7}, {0, 1, 0}}));
  parts.accessors = R"({"componentType":5126,"count":3,"type":"VEC3",)" + sparse + "}";
  EXPECT_EQ(positions(parts), (std::vector<Vec3>{{0, 0, 0}, {5, 6, 7}, {0, 0, 0}}));
  parts.data.replace(36, 4, bytes(std::uint32_t{3}));
  EXPECT_THAT(error(parts), HasSubstr("accessor 0: expected sparse indices below 3, found 3"));
}

TEST_F(Gltf, PlacesNodesByTranslationRotationAndScale) {
  GltfParts parts;
  parts.nodes =
      R"({"mesh":0,"translation":[10,20,30],"rotation":[0,0,0.7071067811865476,0.7071067811865476],"scale":[2,3,4]})";
  const auto placed = positions(parts);
  ASSERT_EQ(placed.size(), 3u);
  const std::vector<Vec3> expected = {{10, 20, 30}, {10, 22, 30}, {7, 20, 30}};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(length(placed[i] - expected[i]), 1e-5f);
}

TEST_F(Gltf, PlacesNodesByMatrixAndComposesParents) {
  GltfParts parts;
  parts.nodes = R"({"children":[1],"translation":[100,0,0]},
                   {"mesh":0,"matrix":[2,0,0,0, 0,2,0,0, 0,0,2,0, 1,2,3,1],"children":[2]},
                   {"mesh":0,"translation":[1,0,0]})";
  EXPECT_EQ(positions(parts),
            (std::vector<Vec3>{{101, 2, 3}, {103, 2, 3}, {101, 4, 3}, {103, 2, 3}, {105, 2, 3}, {103, 4, 3}}));
  EXPECT_EQ(triangles(parts), (std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}}));
}

TEST_F(Gltf, MirroredNodesKeepTheirOutsideOut) {
  GltfParts parts;
  parts.nodes = R"({"mesh":0,"scale":[-1,1,1]})";
  EXPECT_EQ(triangles(parts), (std::vector<Triangle>{{0, 2, 1}}));
  parts.nodes = R"({"mesh":0,"scale":[-1,-1,1]})";
  EXPECT_EQ(triangles(parts), (std::vector<Triangle>{{0, 1, 2}}));
}

TEST_F(Gltf, ReadsTheDefaultSceneOnlyAndAllScenesWithoutOne) {
  GltfParts parts;
  parts.nodes = R"({"mesh":0},{"mesh":0,"translation":[5,0,0]})";
  parts.scenes = R"("scene":1,"scenes":[{"nodes":[0]},{"nodes":[1]}])";
  EXPECT_EQ(positions(parts).front(), (Vec3{5, 0, 0}));
  EXPECT_EQ(positions(parts).size(), 3u);
  parts.scenes = R"("scenes":[{"nodes":[0]},{"nodes":[1,0]}])";
  EXPECT_EQ(positions(parts).size(), 6u);
  parts.scenes = R"("extras":0)";
  EXPECT_EQ(positions(parts).size(), 6u);
}

TEST_F(Gltf, PrimitivesOfAMeshShareTheVerticesTheyName) {
  GltfParts parts;
  parts.primitives += R"(,{"attributes":{"POSITION":0},"indices":1,"material":1})";
  EXPECT_EQ(positions(parts).size(), 3u);
  EXPECT_EQ(triangles(parts), (std::vector<Triangle>{{0, 1, 2}, {0, 1, 2}}));
}

TEST_F(Gltf, ADeepTreeOfNodesIsNoProblem) {
  GltfParts parts;
  constexpr int kDepth = 100'000;
  parts.nodes.clear();
  for (int i = 0; i < kDepth; ++i) parts.nodes += R"({"children":[)" + std::to_string(i + 1) + "]},";
  parts.nodes += R"({"mesh":0})";
  expect_equal(read("a.gltf", parts.gltf()), kTriangle);
}

}  // namespace
}  // namespace lamella::test
