// Which files glTF may open, and which versions of it are read.

#include "io/gltf_support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class GltfFiles : public FileTest {
 protected:
  GltfFiles() {
    std::filesystem::create_directories(path("inner/deeper"));
    save("outside.bin", parts_.data);
    save("inner/inside.bin", parts_.data);
    save("inner/deeper/below.bin", parts_.data);
  }

  Mesh read_with(const std::string& uri) const { return read("inner/a.gltf", parts_.json(uri)); }
  std::string error_with(const std::string& uri) const { return read_error("inner/a.gltf", parts_.json(uri)); }

  GltfParts parts_;
};

const Mesh kTriangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};

TEST_F(GltfFiles, BuffersMayBeInTheFolderAndBelow) {
  for (const char* uri : {"inside.bin", "./inside.bin", "deeper/below.bin", "deeper/../inside.bin", "in%73ide.bin"}) {
    SCOPED_TRACE(uri);
    expect_equal(read_with(uri), kTriangle);
  }
}

TEST_F(GltfFiles, NamesMayHavePercentSignsAndDots) {
  save("inner/100%.bin", parts_.data);
  save("inner/..a", parts_.data);
  expect_equal(read_with("100%.bin"), kTriangle);
  expect_equal(read_with("100%25.bin"), kTriangle);
  expect_equal(read_with("..a"), kTriangle);
}

TEST_F(GltfFiles, NothingOutsideTheFolderIsOpened) {
  const std::string outside = path("outside.bin").string();
  for (const std::string& uri :
       {std::string("../outside.bin"), std::string("deeper/../../outside.bin"), std::string("%2e%2e/outside.bin"),
        std::string("..%2Foutside.bin"), outside, "file://" + outside, "file:" + outside, "FILE:" + outside,
        std::string("http://localhost/outside.bin"), std::string("inside.bin%00.txt"), std::string(".."),
        std::string("deeper/../..")}) {
    SCOPED_TRACE(uri);
    EXPECT_THAT(error_with(uri), AllOf(HasSubstr("a.gltf: "), HasSubstr("in the file's own folder")));
  }
  EXPECT_THAT(error_with("."), HasSubstr("found a folder"));
  EXPECT_THAT(error_with("missing.bin"), HasSubstr("missing.bin: cannot open"));
}

TEST_F(GltfFiles, LinksOutOfTheFolderAreNotFollowedAndThoseWithinAre) {
  std::filesystem::create_symlink("../outside.bin", path("inner/link.bin"));
  std::filesystem::create_symlink(path("outside.bin"), path("inner/absolute.bin"));
  std::filesystem::create_symlink("..", path("inner/up"));
  std::filesystem::create_symlink("deeper/below.bin", path("inner/within.bin"));
  for (const char* uri : {"link.bin", "absolute.bin", "up/outside.bin", "./up/outside.bin"}) {
    SCOPED_TRACE(uri);
    EXPECT_THAT(error_with(uri), AllOf(HasSubstr("in the file's own folder"), HasSubstr("a link to elsewhere")));
  }
  expect_equal(read_with("within.bin"), kTriangle);
}

TEST_F(GltfFiles, TheFoldersOwnPathMayBeALink) {
  std::filesystem::create_directory_symlink(path("inner"), path("alias"));
  save("inner/b.gltf", parts_.json("inside.bin"));
  expect_equal(read_mesh(path("alias/b.gltf")), kTriangle);
}

TEST_F(GltfFiles, ABufferThatIsTooShortIsRefused) {
  save("inner/short.bin", parts_.data.substr(0, 43));
  EXPECT_THAT(error_with("short.bin"), HasSubstr("expected buffer 0 of at least 44 bytes (its byteLength), found 43"));
  parts_.buffers = R"({"uri":"inside.bin"})";
  EXPECT_THAT(error_with(""), HasSubstr("expected buffer 0"));
}

TEST_F(GltfFiles, BytesBehindABuffersLengthAreNotPartOfIt) {
  save("inner/long.bin", parts_.data + "more");
  expect_equal(read_with("long.bin"), kTriangle);
}

TEST_F(GltfFiles, DataUrisOfEveryLengthAreDecoded) {
  for (const std::string& padding : {std::string(), std::string("x"), std::string("xy")}) {
    GltfParts parts;
    parts.data += padding;
    expect_equal(read("a.gltf", parts.gltf()), kTriangle);
  }
  const std::string encoded = base64(parts_.data);
  expect_equal(read_with("data:application/gltf-buffer;base64," + encoded), kTriangle);
  std::string broken = encoded;
  broken[7] = '!';
  EXPECT_THAT(error_with("data:application/octet-stream;base64," + broken), HasSubstr("in base64"));
  EXPECT_THAT(error_with("data:application/octet-stream;base64"), HasSubstr("in base64"));
  EXPECT_THAT(error_with("data:application/octet-stream;base64,A"), HasSubstr("in base64"));
}

TEST_F(GltfFiles, OtherVersionsAreRefusedByName) {
  const auto error = [&](const std::string& version) {
    std::string text = parts_.gltf();
    return read_error("a.gltf", text.replace(text.find("\"2.0\""), 5, version));
  };
  EXPECT_THAT(error("\"1.0\""), HasSubstr("expected glTF 2.0, found version \"1.0\"; convert it to 2.0"));
  EXPECT_THAT(error("1.0"), HasSubstr("found version \"1.0\"; convert it to 2.0"));
  EXPECT_THAT(error("\"3.0\""), HasSubstr("found version \"3.0\"; export it as glTF 2.0"));
  EXPECT_THAT(error("\"\\u001b[2J\""), HasSubstr("found version \"\\x1b[2J\""));
  EXPECT_THAT(error("null"), HasSubstr("found no \"version\""));
  expect_equal(read("b.gltf", parts_.gltf()), kTriangle);
}

TEST_F(GltfFiles, ObjectsInPlaceOfListsHintAtVersionOne) {
  EXPECT_THAT(read_error("a.gltf", R"({"accessors":{"a":{"count":3}},"asset":{"version":"1.0"}})"),
              AllOf(HasSubstr("expected a list as \"accessors\", found an object"), HasSubstr("glTF 1.0")));
  std::string glb = parts_.glb();
  glb.replace(4, 4, bytes(std::uint32_t{1}));
  EXPECT_THAT(read_error("a.glb", glb),
              HasSubstr("byte 4: expected GLB version 2, found 1, that is glTF 1.0; convert it to 2.0"));
}

TEST_F(GltfFiles, ValuesOfTheWrongTypeAreRefusedWithTheirPlace) {
  const auto with_node = [&](const std::string& node) {
    GltfParts parts;
    parts.nodes += "," + node;
    return read_error("a.gltf", parts.gltf());
  };
  EXPECT_THAT(with_node(R"({"mesh":"0"})"), HasSubstr("expected a number as \"mesh\" in \"nodes\" 1, found a text"));
  EXPECT_THAT(with_node(R"({"mesh":1.5})"), HasSubstr("expected a whole number as \"mesh\""));
  EXPECT_THAT(with_node(R"({"mesh":[0]})"), HasSubstr("expected a number as \"mesh\" in \"nodes\" 1, found a list"));
  EXPECT_THAT(with_node(R"({"children":0})"),
              HasSubstr("expected a list as \"children\" in \"nodes\" 1, found a number"));
  EXPECT_THAT(with_node(R"({"children":["0"]})"), HasSubstr("expected a number in \"nodes\" 1, found a text"));
  EXPECT_THAT(with_node(R"({"scale":[1,null,1]})"), HasSubstr("expected a number in \"nodes\" 1, found null"));
  EXPECT_THAT(with_node("7"), HasSubstr("expected an object in \"nodes\", found a number"));
  EXPECT_THAT(read_error("a.gltf", "7"), HasSubstr("expected valid glTF 2.0, an object; found a number"));
  GltfParts whole;  // 1.0 is a whole number too
  whole.nodes = R"({"mesh":0.0,"name":5,"camera":null,"extras":true})";
  expect_equal(read("b.gltf", whole.gltf()), kTriangle);
}

}  // namespace
}  // namespace lamella::test
