// Text files as editors of other systems save them.

#include "io/gltf_support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Encoding : public FileTest {};

const std::string kMark = "\xef\xbb\xbf";
const Mesh kTriangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};

struct Text {
  MeshFormat format;
  std::string contents;
};

const std::string kPlyHeader =
    "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n";

/// The same triangle in every format that is text.
std::vector<Text> texts() {
  return {
      {MeshFormat::obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
      {MeshFormat::off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
      {MeshFormat::ply, "ply\nformat ascii 1.0\n" + kPlyHeader + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
      {MeshFormat::stl,
       "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
       "endfacet\nendsolid a\n"},
#ifdef LAMELLA_GLTF
      {MeshFormat::gltf, GltfParts{}.gltf()},
#endif
  };
}

/// UTF-16 of ASCII.
std::string widened(const std::string& text, bool big_endian) {
  std::string out;
  for (const char c : text) out += big_endian ? std::string{'\0', c} : std::string{c, '\0'};
  return out;
}

TEST_F(Encoding, AByteOrderMarkIsSkippedInEveryTextFormat) {
  for (const Text& text : texts()) {
    SCOPED_TRACE(static_cast<int>(text.format));
    expect_equal(read_mesh(memory_of(text.contents), text.format), kTriangle);
    expect_equal(read_mesh(memory_of(kMark + text.contents), text.format), kTriangle);
  }
  EXPECT_EQ(read_points(memory_of(kMark + "1 2 3\n"), MeshFormat::xyz), (std::vector<Vec3>{{1, 2, 3}}));
}

TEST_F(Encoding, AByteOrderMarkBeforeABinaryPlyDoesNotShiftItsData) {
  expect_equal(read("a.ply", kMark + "ply\nformat binary_little_endian 1.0\n" + kPlyHeader +
                                 bytes(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f) + bytes(std::uint8_t{3}, 0, 1, 2)),
               kTriangle);
}

TEST_F(Encoding, TheFirstLineAfterAByteOrderMarkIsLineOne) {
  EXPECT_THAT(read_error("bad.obj", kMark + "v 0 0 x\n"), HasSubstr("bad.obj:1: expected a coordinate, found \"x\""));
}

TEST_F(Encoding, Utf16IsRefusedWithAndWithoutItsMark) {
  for (const Text& text : texts()) {
    SCOPED_TRACE(static_cast<int>(text.format));
    const auto error = [&](const std::string& contents) {
      return error_of([&] { (void)read_mesh(memory_of(contents), text.format, "wide"); });
    };
    const auto expected = AllOf(HasSubstr("wide: "), HasSubstr("found UTF-16"), HasSubstr("save the file as UTF-8"));
    EXPECT_THAT(error("\xff\xfe" + widened(text.contents, false)), expected);
    EXPECT_THAT(error("\xfe\xff" + widened(text.contents, true)), expected);
    EXPECT_THAT(error(widened(text.contents, false)), expected);
    EXPECT_THAT(error(widened(text.contents, true)), expected);
  }
  EXPECT_THAT(error_of([] { (void)read_points(memory_of(widened("1 2 3", false)), MeshFormat::xyz); }),
              HasSubstr("found UTF-16"));
}

TEST_F(Encoding, ABinaryStlMayBeginLikeText16) {
  for (const std::string& mark : {std::string("\xff\xfe"), std::string("s\0o\0", 4), kMark}) {
    std::string header = mark;
    header.resize(80, ' ');
    expect_equal(read("a.stl", header + bytes(std::uint32_t{1}, Vec3{}, Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0},
                                              std::uint16_t{0})),
                 kTriangle);
  }
}

}  // namespace
}  // namespace lamella::test
