#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "io/gltf_support.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {
namespace {

using testing::EndsWith;
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

/// Every type of component, plain and normalised, at the ends of its range and within.
TEST_F(Gltf, ReadsEveryTypeOfComponent) {
  const auto expect = [&](int type, const std::string& low, const std::string& middle, const std::string& high,
                          std::initializer_list<Vec3> plain_and_normalised) {
    GltfParts parts;
    parts.data.clear();
    for (int vertex = 0; vertex < 3; ++vertex) {
      std::string record = low + middle + high;
      record.resize((record.size() + 3) / 4 * 4);
      parts.data += record;
    }
    const std::string stride = std::to_string(parts.data.size() / 3), length = std::to_string(parts.data.size());
    parts.views = R"({"buffer":0,"byteLength":)" + length + R"(,"byteStride":)" + stride + "}";
    parts.primitives = R"({"attributes":{"POSITION":0}})";
    auto expected = plain_and_normalised.begin();
    for (const char* normalised : {"false", "true"}) {
      parts.accessors = R"({"bufferView":0,"componentType":)" + std::to_string(type) + R"(,"normalized":)" +
                        normalised + R"(,"count":3,"type":"VEC3"})";
      EXPECT_EQ(positions(parts), std::vector<Vec3>(3, *expected++)) << type;
    }
  };
  expect(5120, bytes(std::int8_t{-128}), bytes(std::int8_t{-63}), bytes(std::int8_t{127}),
         {{-128, -63, 127}, {-1, static_cast<float>(-63 / 127.0), 1}});
  expect(5121, bytes(std::uint8_t{0}), bytes(std::uint8_t{200}), bytes(std::uint8_t{255}),
         {{0, 200, 255}, {0, static_cast<float>(200 / 255.0), 1}});
  expect(5122, bytes(std::int16_t{-32768}), bytes(std::int16_t{-1234}), bytes(std::int16_t{32767}),
         {{-32768, -1234, 32767}, {-1, static_cast<float>(-1234 / 32767.0), 1}});
  expect(5123, bytes(std::uint16_t{0}), bytes(std::uint16_t{40000}), bytes(std::uint16_t{65535}),
         {{0, 40000, 65535}, {0, static_cast<float>(40000 / 65535.0), 1}});
  expect(5125, bytes(std::uint32_t{0}), bytes(std::uint32_t{1} << 31), bytes(~std::uint32_t{0}),
         {{0, 0x1p31f, 0x1p32f}, {0, 0x1p31f, 0x1p32f}});
  expect(5126, bytes(-2.5f), bytes(0.f), bytes(1e30f), {{-2.5f, 0, 1e30f}, {-2.5f, 0, 1e30f}});
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

TEST_F(Gltf, CornersLeftOverMakeNoTriangle) {
  EXPECT_EQ(triangles(five(4)), (std::vector<Triangle>{{0, 1, 2}}));
  for (const int mode : {0, 1, 2, 3}) EXPECT_THAT(error(five(mode)), HasSubstr("has no faces"));
  for (const int mode : {-1, 7})
    EXPECT_THAT(error(five(mode)), EndsWith("expected a primitive mode from 0 to 6, found " + std::to_string(mode)));
}

using Matrix = std::array<double, 16>;  ///< by columns, as in the file

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t k = 0; k < 4; ++k) c[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
  return c;
}

double determinant(const Matrix& m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}

std::string list(std::span<const double> numbers) {
  std::string out = "[";
  for (const double x : numbers) out += (out.size() > 1 ? "," : "") + std::to_string(x);
  return out + "]";
}

/// A node's placement: what the file says, and the matrix that this means.
struct Placed {
  std::string json;
  Matrix matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

Placed random_placement(Random& random) {
  Placed out;
  // Numbers that std::to_string() writes in full.
  const auto number = [&] { return (static_cast<double>(random.below(33)) - 16) / 8; };
  if (random.below(3) == 0) {
    do {  // which side is out must be beyond doubt
      for (const std::size_t i : {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14}) out.matrix[i] = number();
    } while (std::abs(determinant(out.matrix)) < 0.1);
    out.json = R"(,"matrix":)" + list(out.matrix);
    return out;
  }
  const auto apply = [&](const char* name, std::span<const double> numbers, const Matrix& m) {
    out.json += R"(,")" + std::string(name) + R"(":)" + list(numbers);
    out.matrix = product(out.matrix, m);
  };
  if (random.below(2) == 0) {
    const double t[3] = {number(), number(), number()};
    apply("translation", t, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, t[0], t[1], t[2], 1});
  }
  if (random.below(2) == 0) {
    static constexpr double kUnits[][4] = {{0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, 0.5}, {0.6, 0, 0, 0.8},
                                           {0, 0.8, 0, -0.6},    {0, 0, 0.6, 0.8},      {0.1, 0.3, 0.3, 0.9}};
    const auto& q = kUnits[random.below(6)];
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    apply("rotation", q,
          {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0, 2 * (x * y - z * w),
           1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0, 2 * (x * z + y * w), 2 * (y * z - x * w),
           1 - 2 * (x * x + y * y), 0, 0, 0, 0, 1});
  }
  if (random.below(2) == 0) {
    const auto factor = [&] { return number() + 1.0 / 16; };
    const double scale[3] = {factor(), factor(), factor()};
    apply("scale", scale, {scale[0], 0, 0, 0, 0, scale[1], 0, 0, 0, 0, scale[2], 0, 0, 0, 0, 1});
  }
  return out;
}

/// Trees of nodes, each with a placement of its own, against products of 4 x 4 matrices.
TEST_F(Gltf, PlacesTreesOfNodesAsProductsOfTheirMatrices) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::uint32_t count = 1 + random.below(6);
    std::vector<Placed> nodes(count);
    std::vector<std::vector<std::uint32_t>> children(count);
    std::vector<std::uint32_t> roots;
    std::vector<bool> has_mesh(count);
    GltfParts parts;
    // With two different corners at other places than 0, so that every entry of a matrix counts.
    parts.data.replace(0, 36, bytes(Vec3{1, 2, 3}, Vec3{-1, 0.5f, 2}, Vec3{0, 1, -4}));
    for (std::uint32_t i = 0; i < count; ++i) {
      nodes[i] = random_placement(random);
      has_mesh[i] = i == 0 || random.below(2) == 0;
      if (i > 0 && random.below(3) != 0)
        children[random.below(i)].push_back(i);
      else
        roots.push_back(i);
    }
    if (random.below(2) == 0) std::reverse(roots.begin(), roots.end());
    const auto numbers = [](const std::vector<std::uint32_t>& of) {
      std::string out;
      for (const std::uint32_t i : of) out += (out.empty() ? "" : ",") + std::to_string(i);
      return "[" + out + "]";
    };
    parts.nodes.clear();
    for (std::uint32_t i = 0; i < count; ++i)
      parts.nodes += std::string(i == 0 ? "" : ",") + R"({"name":"n")" + (has_mesh[i] ? R"(,"mesh":0)" : "") +
                     nodes[i].json + (children[i].empty() ? "" : R"(,"children":)" + numbers(children[i])) + "}";
    parts.scenes = R"("scene":1,"scenes":[{},{"nodes":)" + numbers(roots) + "}]";

    Mesh expected;
    const auto visit = [&](const auto& self, std::uint32_t i, const Matrix& parent) -> void {
      const Matrix m = product(parent, nodes[i].matrix);
      if (has_mesh[i]) {
        const auto base = static_cast<std::uint32_t>(expected.positions.size());
        for (const Vec3 p : {Vec3{1, 2, 3}, Vec3{-1, 0.5f, 2}, Vec3{0, 1, -4}}) {
          Vec3 placed;
          for (int k = 0; k < 3; ++k)
            placed[k] = static_cast<float>(m[k] * p.x + m[4 + k] * p.y + m[8 + k] * p.z + m[12 + k]);
          expected.positions.push_back(placed);
        }
        if (determinant(m) < 0)
          expected.triangles.push_back({base, base + 2, base + 1});
        else
          expected.triangles.push_back({base, base + 1, base + 2});
      }
      for (const std::uint32_t child : children[i]) self(self, child, m);
    };
    for (const std::uint32_t root : roots) visit(visit, root, Placed{}.matrix);
    const Mesh mesh = read_mesh(memory_of(parts.glb()), MeshFormat::glb);
    EXPECT_EQ(mesh.triangles, expected.triangles);
    ASSERT_EQ(mesh.positions.size(), expected.positions.size());
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
      EXPECT_LE(length(mesh.positions[i] - expected.positions[i]), 1e-4f * (1 + length(expected.positions[i])));
    if (HasFailure()) return;
  }
}

TEST_F(Gltf, APlacementHasAsManyNumbersAsItNeeds) {
  for (const auto& [name, needed] :
       {std::pair("matrix", 16), std::pair("translation", 3), std::pair("rotation", 4), std::pair("scale", 3)})
    for (const int count : {0, 1, needed - 1, needed, needed + 1}) {
      GltfParts parts;
      const std::vector<double> ones(static_cast<std::size_t>(count), 0.5);
      parts.nodes = R"({"mesh":0,")" + std::string(name) + R"(":)" + list(ones) + "}";
      if (count == needed || count == 0) {
        EXPECT_EQ(triangles(parts).size(), 1u) << name;
        continue;
      }
      EXPECT_THAT(error(parts), EndsWith("expected a node's " + std::string(name) + " of " + std::to_string(needed) +
                                         " finite numbers, found " + std::to_string(count)));
    }
}

/// Records may end exactly where their view does, and views where their buffer does.
TEST_F(Gltf, RecordsAndViewsMayReachTheirEndsAndNotBeyond) {
  GltfParts parts;
  const auto read_with = [&](int offset, int length, int stride, int at, int count) {
    parts.views = R"({"buffer":0,"byteOffset":)" + std::to_string(offset) + R"(,"byteLength":)" +
                  std::to_string(length) + R"(,"byteStride":)" + std::to_string(stride) + "}";
    parts.accessors = R"({"bufferView":0,"componentType":5126,"type":"VEC3","byteOffset":)" + std::to_string(at) +
                      R"(,"count":)" + std::to_string(count) + "}";
    parts.primitives = R"({"attributes":{"POSITION":0}})";
    parts.data = std::string(100, '\0');
    try {
      return std::to_string(positions(parts).size());
    } catch (const Error& e) {
      return std::string(e.what()).substr(std::string(e.what()).rfind(": ") + 2);
    }
  };
  EXPECT_EQ(read_with(0, 100, 12, 0, 3), "3");
  EXPECT_EQ(read_with(40, 60, 20, 0, 3), "3");
  EXPECT_EQ(read_with(40, 61, 20, 0, 3),
            "expected bufferView 0 within its buffer of 100 bytes, found offset 40 and length 61");
  EXPECT_EQ(read_with(-1, 50, 20, 0, 3),
            "expected bufferView 0 within its buffer of 100 bytes, found offset -1 and length 50");
  EXPECT_EQ(read_with(40, -1, 20, 0, 3),
            "expected bufferView 0 within its buffer of 100 bytes, found offset 40 and length -1");
  EXPECT_EQ(read_with(101, 0, 20, 0, 3),
            "expected bufferView 0 within its buffer of 100 bytes, found offset 101 and length 0");
  EXPECT_EQ(read_with(48, 52, 20, 0, 3), "3") << "the last record need not be followed by its stride";
  EXPECT_EQ(read_with(48, 51, 20, 0, 3), "expected 3 records of 12 bytes at offset 0, found a bufferView of 51 bytes");
  EXPECT_EQ(read_with(0, 40, 0, 4, 3), "3") << "no stride: packed";
  EXPECT_EQ(read_with(0, 40, 0, 5, 3), "expected 3 records of 12 bytes at offset 5, found a bufferView of 40 bytes");
  EXPECT_EQ(read_with(0, 11, 0, 0, 3), "expected 3 records of 12 bytes at offset 0, found a bufferView of 11 bytes");
  EXPECT_EQ(read_with(0, 40, 0, 41, 3), "expected 3 records of 12 bytes at offset 41, found a bufferView of 40 bytes");
  EXPECT_EQ(read_with(0, 40, 0, -1, 3), "expected a count, an offset and a stride from 0");
  EXPECT_EQ(read_with(0, 40, -4, 0, 3), "expected a count, an offset and a stride from 0");
  EXPECT_EQ(read_with(0, 40, 0, 0, -1), "expected a count from 0, found -1");
}

TEST_F(Gltf, SparseValuesOfEveryTypeOfIndex) {
  for (const auto& [type, size] : {std::pair(5121, 1), std::pair(5123, 2), std::pair(5125, 4)}) {
    GltfParts parts;
    parts.data = std::string(36, '\0');
    for (const int index : {2, 0}) parts.data += bytes(index).substr(0, static_cast<std::size_t>(size));
    parts.data.resize(44);
    parts.data += bytes(Vec3{1, 2, 3}, Vec3{4, 5, 6});
    const auto with = [&](const char* count, const std::string& index_type) {
      parts.views = R"({"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":8},
                       {"buffer":0,"byteOffset":44,"byteLength":24})";
      parts.accessors = R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":)" +
                        std::string(count) + R"(,"indices":{"bufferView":1,"componentType":)" + index_type +
                        R"(},"values":{"bufferView":2}}})";
      parts.primitives = R"({"attributes":{"POSITION":0}})";
      return parts;
    };
    EXPECT_EQ(positions(with("2", std::to_string(type))), (std::vector<Vec3>{{4, 5, 6}, {0, 0, 0}, {1, 2, 3}}));
    EXPECT_EQ(positions(with("1", std::to_string(type))), (std::vector<Vec3>{{0, 0, 0}, {0, 0, 0}, {1, 2, 3}}));
    EXPECT_EQ(positions(with("0", std::to_string(type))), std::vector<Vec3>(3));
    EXPECT_THAT(error(with("4", std::to_string(type))),
                EndsWith("accessor 0: expected at most 3 sparse values, found 4"));
    EXPECT_THAT(error(with("3", std::to_string(type))), HasSubstr("accessor 0: expected 3 records of "));
    EXPECT_THAT(error(with("1", "5126")), EndsWith("accessor 0: expected sparse indices of an unsigned integer type"));
    EXPECT_THAT(error(with("1", "5120")), EndsWith("accessor 0: expected sparse indices of an unsigned integer type"));
  }
}

TEST_F(Gltf, AGlbMayHaveNoBinaryChunkAndBytesBehindItsEnd) {
  const GltfParts parts;
  std::string text = parts.gltf();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const auto size = static_cast<std::uint32_t>(text.size());
  const auto with_length = [&](std::uint32_t length) {
    return "glTF" + bytes(std::uint32_t{2}, length, size) + "JSON" + text + "behind";
  };
  expect_equal(read("a.glb", with_length(20 + size)), kTriangle);
  EXPECT_THAT(read_error("a.glb", with_length(19 + size)),
              EndsWith("byte 12: expected a JSON chunk in the file, found length " + std::to_string(size)));
  EXPECT_THAT(read_error("a.glb", with_length(19)), HasSubstr("byte 12: expected a JSON chunk"));
  EXPECT_THAT(read_error("a.glb", with_length(24 + size)),
              EndsWith("byte " + std::to_string(20 + size) + ": expected a binary chunk that ends within the file"));
  EXPECT_THAT(read_error("a.glb", with_length(27 + size)),
              EndsWith("byte 8: expected " + std::to_string(27 + size) + " bytes, found " + std::to_string(26 + size) +
                       "; the file is cut off"));
  EXPECT_THAT(read_error("a.glb", parts.glb().substr(0, 19)),
              EndsWith("byte 19: expected a GLB header, found the end of the file"));
  // The binary chunk may end exactly with the file.
  std::string whole = parts.glb();
  expect_equal(read("a.glb", whole), kTriangle);
  const std::size_t binary = whole.size() - parts.data.size() - 8;
  whole.replace(binary, 4, bytes(static_cast<std::uint32_t>(parts.data.size() + 1)));
  EXPECT_THAT(read_error("a.glb", whole),
              EndsWith("byte " + std::to_string(binary) + ": expected a binary chunk that ends within the file"));
}

}  // namespace
}  // namespace lamella::test
