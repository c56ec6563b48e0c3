#include "io/gltf_support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class GltfErrors : public FileTest {
 protected:
  std::string error(const GltfParts& parts) const { return read_error("bad.gltf", parts.gltf()); }
};

TEST_F(GltfErrors, NodesInACycleOrWithTwoParentsAreRefused) {
  GltfParts parts;
  parts.nodes = R"({"mesh":0,"children":[1]},{"children":[0]})";
  EXPECT_THAT(error(parts), AllOf(HasSubstr("bad.gltf: expected every node to have one parent"), HasSubstr("node 0")));
  parts.nodes = R"({"children":[1,2]},{"children":[3]},{"children":[3]},{"mesh":0})";
  EXPECT_THAT(error(parts), HasSubstr("node 3 twice"));
}

TEST_F(GltfErrors, DeeplyNestedJsonIsRefused) {
  GltfParts parts;
  parts.more = R"(,"extras":)" + std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_THAT(error(parts), HasSubstr("bad.gltf: expected JSON nested less than 128 deep"));
  const std::string asset = R"({"asset":{"extras":)" + std::string(200, '[') + std::string(200, ']') + "}}";
  EXPECT_THAT(read_error("bad.gltf", asset), HasSubstr("nested less than 128 deep in \"asset\""));
}

TEST_F(GltfErrors, CompressedMeshesAreRefusedByTheNameOfTheirExtension) {
  GltfParts draco;
  draco.primitives = R"({"attributes":{"POSITION":0},"indices":1,
                         "extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}}})";
  EXPECT_THAT(error(draco), HasSubstr("KHR_draco_mesh_compression"));
  GltfParts meshopt;
  meshopt.views = R"({"buffer":0,"byteLength":36,"extensions":{"EXT_meshopt_compression":{"buffer":0,"count":3}}},
                     {"buffer":0,"byteOffset":36,"byteLength":6})";
  EXPECT_THAT(error(meshopt), HasSubstr("EXT_meshopt_compression"));
  GltfParts instancing;
  instancing.nodes = R"({"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":0}}}})";
  EXPECT_THAT(error(instancing), HasSubstr("EXT_mesh_gpu_instancing"));
}

TEST_F(GltfErrors, EveryBadReferenceAndBoundIsRefused) {
  const std::string vec3 = R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"})";
  const std::string scalar = R"({"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"})";
  const auto with = [&](auto change) {
    GltfParts parts;
    change(parts);
    return error(parts);
  };
  EXPECT_THAT(with([](auto& p) { p.scenes = R"("scene":3,"scenes":[{"nodes":[0]}])"; }),
              HasSubstr("a valid scene (the file has 1), found 3"));
  EXPECT_THAT(with([](auto& p) { p.scenes = R"("scenes":[{"nodes":[7]}])"; }),
              HasSubstr("a valid node (the file has 1), found 7"));
  EXPECT_THAT(with([](auto& p) { p.nodes = R"({"mesh":4})"; }), HasSubstr("a valid mesh (the file has 1), found 4"));
  EXPECT_THAT(with([](auto& p) { p.nodes = R"({"mesh":0,"children":[-2]})"; }),
              HasSubstr("a valid node (the file has 1), found -2"));
  EXPECT_THAT(with([](auto& p) { p.nodes = R"({"mesh":0,"matrix":[1,2,3]})"; }),
              HasSubstr("matrix of 16 finite numbers"));
  EXPECT_THAT(with([](auto& p) { p.nodes = R"({"mesh":0,"scale":[1e999,1,1]})"; }), HasSubstr("number overflow"));
  EXPECT_THAT(with([](auto& p) { p.primitives = R"({"attributes":{"POSITION":9}})"; }),
              HasSubstr("a valid accessor (the file has 2), found 9"));
  EXPECT_THAT(with([](auto& p) { p.primitives = R"({"attributes":{"POSITION":1}})"; }),
              HasSubstr("accessor 1: expected positions of type VEC3"));
  EXPECT_THAT(with([](auto& p) { p.primitives = R"({"attributes":{"POSITION":0},"indices":0})"; }),
              HasSubstr("accessor 0: expected indices as SCALAR"));
  EXPECT_THAT(with([](auto& p) { p.primitives = R"({"attributes":{"POSITION":0},"indices":9})"; }),
              HasSubstr("bad.gltf: "));
  EXPECT_THAT(with([](auto& p) { p.primitives = R"({"attributes":{"POSITION":0},"mode":7})"; }),
              HasSubstr("mode from 0 to 6"));
  EXPECT_THAT(with([&](auto& p) {
                p.accessors = R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)" + scalar;
              }),
              HasSubstr("accessor 0: expected 4 records of 12 bytes"));
  EXPECT_THAT(with([&](auto& p) {
                p.accessors =
                    R"({"bufferView":0,"byteOffset":1,"componentType":5126,"count":3,"type":"VEC3"},)" + scalar;
              }),
              HasSubstr("accessor 0: expected 3 records"));
  EXPECT_THAT(
      with([&](auto& p) {
        p.accessors =
            R"({"bufferView":0,"byteOffset":18446744073709551615,"componentType":5126,"count":3,"type":"VEC3"},)" +
            scalar;
      }),
      HasSubstr("accessor 0: expected 3 records"));
  EXPECT_THAT(with([&](auto& p) {
                p.accessors = R"({"bufferView":5,"componentType":5126,"count":3,"type":"VEC3"},)" + scalar;
              }),
              HasSubstr("a valid bufferView (the file has 2), found 5"));
  EXPECT_THAT(with([&](auto& p) { p.accessors = R"({"componentType":5126,"count":3,"type":"VEC3"},)" + scalar; }),
              HasSubstr("accessor 0: expected positions with a bufferView"));
  EXPECT_THAT(with([&](auto& p) {
                p.accessors = R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":4,
                    "indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}},)" +
                              scalar;
              }),
              HasSubstr("accessor 0: expected at most 3 sparse values, found 4"));
  EXPECT_THAT(with([&](auto& p) {
                p.accessors = vec3 + R"(,{"bufferView":1,"componentType":5126,"count":1,"type":"SCALAR"})";
              }),
              HasSubstr("accessor 1: expected indices as SCALAR"));
  EXPECT_THAT(
      with([](auto& p) { p.views = R"({"buffer":0,"byteLength":99},{"buffer":0,"byteOffset":36,"byteLength":6})"; }),
      HasSubstr("expected bufferView 0 within its buffer of 44 bytes"));
  EXPECT_THAT(
      with([](auto& p) {
        p.views =
            R"({"buffer":0,"byteOffset":18446744073709551615,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6})";
      }),
      HasSubstr("expected bufferView 0 within its buffer"));
  EXPECT_THAT(
      with([](auto& p) { p.views = R"({"buffer":3,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6})"; }),
      HasSubstr("a valid buffer (the file has 1), found 3"));
  EXPECT_THAT(with([](auto& p) { p.data[36] = 3; }), HasSubstr("accessor 1: expected a vertex index below 3, found 3"));
}

TEST_F(GltfErrors, ADataUriOfAnotherKindIsRefused) {
  EXPECT_THAT(read_error("bad.gltf", GltfParts{}.json("data:text/html;base64," + std::string(5000, 'A'))),
              AllOf(HasSubstr("application/octet-stream"), HasSubstr("found \"data:text/html")));
}

TEST_F(GltfErrors, BrokenJsonIsRefusedInOneLine) {
  EXPECT_THAT(read_error("bad.gltf", "{\"asset\":\n{\n"),
              HasSubstr("bad.gltf: byte 12: expected valid glTF 2.0, found: syntax error"));
  EXPECT_THAT(read_error("bad.gltf", "\"\\"), HasSubstr("expected valid glTF 2.0"));
  EXPECT_THAT(read_error("bad.gltf", "[1,2,3]"), HasSubstr("expected valid glTF 2.0"));
}

TEST_F(GltfErrors, BrokenGlbChunksAreRefusedWithTheirByte) {
  const std::string whole = GltfParts{}.glb();
  const auto broken = [&](std::size_t at, const std::string& replacement) {
    return read_error("bad.glb", std::string(whole).replace(at, replacement.size(), replacement));
  };
  EXPECT_THAT(broken(0, "gltf"), HasSubstr("bad.glb: byte 0: expected \"glTF\""));
  EXPECT_THAT(broken(4, bytes(1)), HasSubstr("bad.glb: byte 4: expected GLB version 2, found 1"));
  EXPECT_THAT(broken(8, bytes(999999)),
              AllOf(HasSubstr("bad.glb: byte 8: expected 999999 bytes"), HasSubstr("cut off")));
  EXPECT_THAT(broken(12, bytes(-4)), HasSubstr("bad.glb: byte 12: expected a JSON chunk"));
  // Four bytes too long: past the file's end by less than a chunk header.
  EXPECT_THAT(broken(whole.size() - 52, bytes(48)), HasSubstr("expected a binary chunk"));
}

TEST_F(GltfErrors, ABufferFileMayBeNamedOnce) {
  GltfParts twice;
  save("a.bin", twice.data);
  twice.buffers = R"({"byteLength":44,"uri":"a.bin"},{"byteLength":44,"uri":"./a.bin"})";
  EXPECT_THAT(read_error("bad.gltf", twice.json("")), HasSubstr("each buffer file once"));
}

}  // namespace
}  // namespace lamella::test
