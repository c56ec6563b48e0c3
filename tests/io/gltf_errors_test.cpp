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

TEST_F(GltfErrors, TheDeepestNestingIsRefusedWithItsPlace) {
  const auto error = [&](const std::string& opening, int depth, const std::string& closing) {
    const std::string text =
        R"({"asset":{"version":"2.0")" + opening + std::string(depth, '[') + std::string(depth, ']') + closing + "}";
    return error_of([&] { (void)read_mesh(memory_of(text), MeshFormat::gltf, "f"); });
  };
  const std::string deep = "f: expected JSON nested less than 128 deep";
  EXPECT_EQ(error(R"(,"extras":)", 126, "}"),
            "f: the mesh has no faces; its 0 vertices can only be used as points (read_points, or POINTS of `lamella "
            "contain MESH POINTS`)");
  EXPECT_EQ(error(R"(,"extras":)", 127, "}"), deep + " in \"asset\"");
  EXPECT_EQ(error(R"(},"extras":)", 128, ""), deep);
  EXPECT_EQ(error(R"(},"nodes":[{},{"extras":)", 126, "}]"), deep + " in \"nodes\" 1");
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

/// Every number that a mesh needs, in its place, and every list and object.
TEST_F(GltfErrors, AValueOfTheWrongTypeIsNamedWithItsPlace) {
  const auto message = [&](const std::string& members) {
    const std::string text = R"({"asset":{"version":"2.0"},)" + members + "}";
    return error_of([&] { (void)read_mesh(memory_of(text), MeshFormat::gltf, "f"); });
  };
  const auto expect_number = [&](const std::string& before, const std::string& key, const std::string& after,
                                 const std::string& place) {
    const auto with = [&](const std::string& value) { return message(before + '"' + key + "\":" + value + after); };
    const std::string where = " as \"" + key + "\"" + place + ", found ";
    EXPECT_EQ(with(R"("x")"), "f: expected a number" + where + "a text");
    EXPECT_EQ(with("null"), "f: expected a number" + where + "null");
    EXPECT_EQ(with("true"), "f: expected a number" + where + "true");
    EXPECT_EQ(with("[]"), "f: expected a number" + where + "a list");
    EXPECT_EQ(with("{}"), "f: expected a number" + where + "an object");
    EXPECT_EQ(with("1.5"), "f: expected a whole number" + where + "\"1.5\"");
    EXPECT_EQ(with("1e16"), "f: expected a whole number" + where + "\"1e16\"");
  };
  expect_number("", "scene", "", "");
  expect_number(R"("nodes":[{},{)", "mesh", "}]", " in \"nodes\" 1");
  for (const char* key : {"indices", "mode"})
    expect_number(R"("meshes":[{},{"primitives":[{},{)", key, "}]}]", " in \"meshes\" 1");
  expect_number(R"("meshes":[{"primitives":[{"attributes":{)", "POSITION", "}}]}]", " in \"meshes\" 0");
  for (const char* key : {"bufferView", "byteOffset", "componentType", "count"})
    expect_number(R"("accessors":[{},{},{)", key, "}]", " in \"accessors\" 2");
  expect_number(R"("accessors":[{"sparse":{)", "count", "}}]", " in \"accessors\" 0");
  for (const char* key : {"bufferView", "byteOffset", "componentType"})
    for (const char* part : {"indices", "values"})
      expect_number(R"("accessors":[{"sparse":{")" + std::string(part) + R"(":{)", key, "}}}]", " in \"accessors\" 0");
  for (const char* key : {"buffer", "byteOffset", "byteLength", "byteStride"})
    expect_number(R"("bufferViews":[{},{)", key, "}]", " in \"bufferViews\" 1");
  expect_number(R"("buffers":[{)", "byteLength", "}]", " in \"buffers\" 0");

  EXPECT_EQ(message(R"("scenes":[{},{"nodes":["x"]}])"), "f: expected a number in \"scenes\" 1, found a text");
  EXPECT_EQ(message(R"("scenes":[{"nodes":[1.5]}])"), "f: expected a whole number in \"scenes\" 0, found \"1.5\"");
  EXPECT_EQ(message(R"("nodes":[{"children":[{}]}])"), "f: expected a number in \"nodes\" 0, found an object");
  for (const char* key : {"matrix", "translation", "rotation", "scale"}) {
    const std::string list = R"("nodes":[{")" + std::string(key) + R"(":)";
    EXPECT_EQ(message(list + "[{}]}]"), "f: expected a number in \"nodes\" 0, found an object");
    EXPECT_EQ(message(list + "[null]}]"), "f: expected a number in \"nodes\" 0, found null");
    EXPECT_EQ(message(list + "{}}]"),
              "f: expected a list as \"" + std::string(key) + "\" in \"nodes\" 0, found an object");
    EXPECT_EQ(message(list + "2}]"),
              "f: expected a list as \"" + std::string(key) + "\" in \"nodes\" 0, found a number");
  }
  for (const char* key : {"scenes", "nodes", "meshes", "accessors", "bufferViews", "buffers"}) {
    const std::string section = '"' + std::string(key) + "\":";
    EXPECT_EQ(message(section + "{}"), "f: expected a list as \"" + std::string(key) +
                                           "\", found an object; this may be glTF 1.0: convert it to 2.0");
    EXPECT_EQ(message(section + "5"), "f: expected a list as \"" + std::string(key) + "\", found a number");
    EXPECT_EQ(message(section + "[[]]"), "f: expected an object in \"" + std::string(key) + "\", found a list");
    EXPECT_EQ(message(section + "[5.5]"), "f: expected an object in \"" + std::string(key) + "\", found a number");
  }
  EXPECT_EQ(message(R"("nodes":[{"extensions":[]}])"),
            "f: expected an object as \"extensions\" in \"nodes\" 0, found a list");
  EXPECT_EQ(message(R"("asset":[])"), "f: expected an object as \"asset\", found a list");
}

TEST_F(GltfErrors, BrokenJsonOfAGlbIsNamedWithItsByteInTheFile) {
  std::string whole = GltfParts{}.glb();
  whole[20] = 'x';
  EXPECT_THAT(read_error("bad.glb", whole),
              HasSubstr("bad.glb: byte 20: expected valid glTF 2.0, found: syntax error"));
  whole[20] = '{';
  whole[21] = 'x';
  EXPECT_THAT(read_error("bad.glb", whole),
              HasSubstr("bad.glb: byte 21: expected valid glTF 2.0, found: syntax error"));
}

TEST_F(GltfErrors, WithoutScenesAChildMustExist) {
  GltfParts parts;
  parts.scenes = R"("extras":0)";
  parts.nodes = R"({"mesh":0,"children":[2]},{})";
  EXPECT_THAT(error(parts), HasSubstr("expected a valid node (the file has 2), found 2"));
  parts.nodes = R"({"mesh":0,"children":[-1]},{})";
  EXPECT_THAT(error(parts), HasSubstr("expected a valid node (the file has 2), found -1"));
}

}  // namespace
}  // namespace lamella::test
