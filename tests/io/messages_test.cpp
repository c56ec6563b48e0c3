// What readers say about bad files, word by word: the place, what was expected, what was found.

#include <cmath>

#include "io/support.hpp"

namespace lamella::test {
namespace {

struct Case {
  std::string contents, message;
};

class Messages : public FileTest {
 protected:
  static void expect(MeshFormat format, std::initializer_list<Case> cases) {
    for (const Case& c : cases)
      EXPECT_EQ(error_of([&] { (void)read_mesh(memory_of(c.contents), format, "f"); }), c.message) << c.contents;
  }
  static void expect_points(MeshFormat format, std::initializer_list<Case> cases) {
    for (const Case& c : cases)
      EXPECT_EQ(error_of([&] { (void)read_points(memory_of(c.contents), format, "f"); }), c.message) << c.contents;
  }
};

TEST_F(Messages, OfObj) {
  const std::string corner = "expected a vertex index (\"1\", \"1/2\", \"1//3\" or \"1/2/3\"), found ";
  const std::string statement = "expected a statement such as \"v\" or \"f\", found ";
  expect(MeshFormat::obj,
         {{"v 1 2\n", "f:1: expected a coordinate, found the end of the line"},
          {"v 1 2", "f:1: expected a coordinate, found the end of the file"},
          {"# c\n\nv 1 x 3\n", "f:3: expected a coordinate, found \"x\""},
          {"v 1 2,5 3\n", "f:1: expected a coordinate with a point, not a comma, before its decimals, found \"2,5\""},
          {"v 0 0 0\nf 1 1\n", "f:2: expected a face of at least 3 vertices, found 2"},
          {"v 0 0 0\nf\n", "f:2: expected a face of at least 3 vertices, found 0"},
          {"v 0 0 0\nf 1 1 -2\n", "f:2: expected a vertex index not below -1, found \"-2\""},
          {"v 0 0 0\nf 0 1 1\n", "f:2: expected a vertex index from 1, found \"0\""},
          {"v 0 0 0\nf 1 1 4294967296\n", "f:2: expected a vertex index from 1, found \"4294967296\""},
          {"v 0 0 0\nf 1 1 4294967295\n",
           "f:2: expected a vertex index of at most 1 (the file's vertices), found 4294967295"},
          {"f 1 2 3\nf 1 4 1\nf 4 1 1\nv 0 0 0\n",
           "f:2: expected a vertex index of at most 1 (the file's vertices), found 4"},
          {"v 0 0 0\nf 1/x 1 1\n", "f:2: " + corner + "\"1/x\""},
          {"v 0 0 0\nf 1 a 1\n", "f:2: " + corner + "\"a\""},
          {"v 0 0 0\nf 1 1 1x\n", "f:2: " + corner + "\"1x\""},
          {"v 0 0 0\n5 6\n", "f:2: " + statement + "\"5\""},
          {"v 0 0 0\n-5 6\n", "f:2: " + statement + "\"-5\""},
          {"v 0 0 0\n+5 6\n", "f:2: " + statement + "\"+5\""},
          {"v 0 0 0\n.5 6\n", "f:2: " + statement + "\".5\""},
          {"v 0 0 0\nv 0 0 0\n",
           "f: the mesh has no faces; its 2 vertices can only be used as points (read_points, or POINTS of `lamella "
           "contain MESH POINTS`)"}});
  expect_equal(read_mesh(memory_of("3 1\nv 0 0 0\nf -1 -1/2 1/-2/3\n"), MeshFormat::obj), {{{0, 0, 0}}, {{0, 0, 0}}});
}

TEST_F(Messages, OfOff) {
  const std::string header = "expected the header \"OFF\" (or COFF, NOFF, CNOFF, STOFF), found ";
  const std::string vertices =
      "expected the number of vertices (ASCII OFF; binary OFF is not supported, convert it), found ";
  const std::string counts = "expected counts that the rest of the file can hold, found ";
  expect(MeshFormat::off,
         {{"OF\n", "f:1: " + header + "\"OF\""},
          {"NCOFF\n", "f:1: " + header + "\"NCOFF\""},
          {"#\n", "f:2: " + header + "the end of the file"},
          {"OFF\n", "f:2: expected the number of vertices, found the end of the file"},
          {"OFF\n-1 0 0\n", "f:2: " + vertices + "\"-1\""},
          {"OFF\n4294967296 0\n", "f:2: " + vertices + "\"4294967296\""},
          {"OFF\n4294967295 0\n", "f:2: " + counts + "4294967295 vertices and 0 faces in 1 bytes"},
          {"OFF\n1\n", "f:2: expected the number of faces, found the end of the line"},
          {"OFF\n2 0\n0 0 0\n0 0", "f:2: " + counts + "2 vertices and 0 faces in 10 bytes"},
          {"OFF\n2 0\n0 0 0\n0 0 ", "f:4: expected a coordinate, found the end of the file"},
          {"OFF\n0 1\na", "f:2: " + counts + "0 vertices and 1 faces in 2 bytes"},
          {"OFF\n0 1\nab", "f:3: expected a face of at least 3 vertices (their number first), found \"ab\""},
          {"OFF\n1 1\n0 0 0\n2", "f:2: " + counts + "1 vertices and 1 faces in 8 bytes"},
          {"OFF\n1 1\n0 0 0\n2 ", "f:4: expected a face of at least 3 vertices (their number first), found \"2\""},
          {"OFF\n2 0\n0 0 0\n######\n", "f:5: expected 2 vertices (this would be number 2), found the end of the file"},
          {"OFF\n1 2\n0 0 0\n3 0 0 0\n######\n",
           "f:6: expected 2 faces (this would be number 2), found the end of the file"},
          {"OFF\n1 1\n0 0 0\n3 0 0 1\n", "f:4: expected a vertex index below the number of vertices, found \"1\""},
          {"OFF\n1 1\n0 0 0\n3 0 -1 0\n", "f:4: expected a vertex index below the number of vertices, found \"-1\""},
          {"OFF\n1 1\n0 0 0\n3 0 0\n", "f:4: expected 3 vertex indices, found the end of the line"}});
  for (const char* name : {"OFF", "COFF", "NOFF", "CNOFF", "STOFF", "STCNOFF"})
    expect_equal(read_mesh(memory_of(std::string(name) + " 1 1\n1 2 3 9\n3 0 0 0"), MeshFormat::off),
                 {{{1, 2, 3}}, {{0, 0, 0}}});
}

TEST_F(Messages, OfXyz) {
  const std::string commas =
      "expected coordinates whose commas cannot be mistaken for decimal points (\"1.5 2.5 3.5\", "
      "\"1.5,2.5,3.5\" or \"1.5, 2.5, 3.5\"), found ";
  expect_points(MeshFormat::xyz,
                {{"1 2\n", "f:1: expected a coordinate, found the end of the line"},
                 {"1 2 3\n# c\n1 x 3\n", "f:3: expected a coordinate, found \"x\""},
                 {"1,5 2,5 3,5\n", "f:1: " + commas + "\"1,5 2,5 3,5\""},
                 {"1 2 3\n \t1,2 3 # c\n", "f:2: " + commas + "\"1,2 3\""},
                 {"1\t2,3\n", "f:1: " + commas + "\"1\\t2,3\""},
                 {"# c\n", "f: expected points, found none in the file"},
                 {"1 2 1e39\n", "f:1: expected a coordinate within the range of a 32-bit float, found \"1e39\""},
                 {"1 2 inf\n", "f:1: expected a finite coordinate, found \"inf\""}});
  for (const char* text :
       {"1,2,3", "1,2,3 ", " 1,2,3", "1, 2, 3", "1 ,2 ,3", "1 2 3,", ",1 2 3", "1 2 3 #,4,5", "1 2 3 ,x"})
    EXPECT_EQ(read_points(memory_of(text), MeshFormat::xyz), (std::vector<Vec3>{{1, 2, 3}})) << text;
}

std::string facet(std::string_view corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n") {
  return "facet normal 0 0 1\nouter loop\n" + std::string(corners) + "endloop\nendfacet\n";
}

TEST_F(Messages, OfAsciiStl) {
  const std::string either = "expected \"facet\" or \"endsolid\", found ";
  expect(MeshFormat::stl,
         {{"solid\nfoo\n", "f:2: " + either + "\"foo\""},
          {"solid\n", "f:2: " + either + "the end of the file"},
          {"solid\nendsolid\nx\n", "f:3: expected \"solid\", found \"x\""},
          {"solid\n" + facet("vertex 0 0 0\nvertex 1 0 0\n"), "f:6: expected \"vertex\", found \"endloop\""},
          {"solid\n" + facet("vertex 0 0 0\nvertex 1 0 0\nvertex 1 0\n"),
           "f:6: expected a coordinate, found the end of the line"},
          {"solid\n" + facet("vertex 0 0 0\nvertex 1 0 0\nvertex 1 0 0\nvertex 1 1 1\n"),
           "f:7: expected \"endloop\", found \"vertex\""},
          {"solid\nfacet\nouter\n", "f:4: expected \"loop\", found the end of the file"},
          {"solid\nfacet\nloop\n", "f:3: expected \"outer\", found \"loop\""},
          {"solid\n" + facet() + facet("").substr(0, 18), "f:9: expected \"outer\", found the end of the file"}});
  // A zero byte means binary, unless it comes late.
  const std::string name(1024 - 6, 'n');
  expect_equal(
      read_mesh(memory_of("solid " + name + std::string(1, '\0') + "\n" + facet() + "endsolid"), MeshFormat::stl),
      {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  EXPECT_NE(error_of([&] {
              (void)read_mesh(memory_of("solid " + name.substr(1) + std::string(1, '\0') + "\n" + facet() + "endsolid"),
                              MeshFormat::stl, "f");
            }).find("f: byte 80: "),
            std::string::npos);
  expect_equal(read_mesh(memory_of(" \t\r\nSOLID\n" + facet() + "EndSolid"), MeshFormat::stl),
               {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
}

TEST_F(Messages, OfBinaryStl) {
  const std::string one = std::string(80, ' ') + bytes(std::uint32_t{1}, Vec3{}, Vec3{0, 0, 0}, Vec3{1, 0, 0},
                                                       Vec3{0, 1, 0}, std::uint16_t{0});
  expect(MeshFormat::stl,
         {{one.substr(0, 83),
           "f: byte 83: expected \"solid\" (ASCII STL) or a binary header of 84 bytes, found the end of the file"},
          {one.substr(0, 84),
           "f: byte 80: expected 1 triangles (134 bytes), found a file of 84 bytes; it is cut off, or not STL"},
          {one.substr(0, 133),
           "f: byte 80: expected 1 triangles (134 bytes), found a file of 133 bytes; it is cut off, or not STL"}});
  expect_equal(read_mesh(memory_of(one + "more"), MeshFormat::stl), {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  for (std::size_t corner = 0; corner < 3; ++corner)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::string broken = one;
      const std::size_t offset = 84 + 12 + 12 * corner + 4 * axis;
      broken.replace(offset, 4, bytes(INFINITY));
      expect_points(MeshFormat::stl,
                    {{broken, "f: byte " + std::to_string(offset) + ": expected a finite coordinate, found inf"}});
    }
}

const std::string kVertices = "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
const std::string kFaces = "element face 1\nproperty list uchar int vertex_indices\n";

TEST_F(Messages, OfPlyHeaders) {
  const std::string type = "expected a property type (char uchar short ushort int uint float double), found ";
  expect(
      MeshFormat::ply,
      {{"plx\n", "f:1: expected \"ply\", found \"plx\""},
       {"ply\nformat x\n", "f:2: expected format ascii, binary_little_endian or binary_big_endian, found \"x\""},
       {"ply\nelement\n", "f:2: expected an element's name, found the end of the line"},
       {"ply\nelement vertex\n", "f:2: expected the number of rows of the element, found the end of the line"},
       {"ply\nelement vertex -1\n", "f:2: expected the number of rows of the element, found \"-1\""},
       {"ply\nproperty float x\n", "f:2: expected an \"element\" before its properties, found \"property\""},
       {"ply\nelement vertex 1\nproperty foo x\n", "f:3: " + type + "\"foo\""},
       {"ply\nelement vertex 1\nproperty list foo int x\n", "f:3: " + type + "\"foo\""},
       {"ply\nelement vertex 1\nproperty list int foo x\n", "f:3: " + type + "\"foo\""},
       {"ply\nelement vertex 1\nproperty int\n", "f:3: expected a property's name, found the end of the line"},
       {"ply\nelement vertex 1\nproperty float x\nproperty int x\n",
        "f:4: expected each property once, found \"x\" again"},
       {"ply\n" + kFaces + "property list int int vertex_index\n",
        "f:4: expected each property once, found \"vertex_index\" again"},
       {"ply\nelement vertex 1\nelement vertex 1\n", "f:3: expected each element once, found \"vertex\" again"},
       {"ply\nelement face 1\nelement e 1\nelement face 1\n", "f:4: expected each element once, found \"face\" again"},
       {"ply\nfoo\n", "f:2: expected a header line (format, element, property, comment or end_header), found \"foo\""},
       {"ply\ncomment a\nobj_info b\n", "f:4: expected \"end_header\", found the end of the file"},
       {"ply\nend_header\n", "f:2: expected a \"format\" line before the header's end, found none"},
       {"ply\nformat ascii 1.0\nend_header\n", "f: expected an element \"vertex\", found none"},
       {"ply\nformat ascii 1.0\n" + kVertices + "element face 1\nproperty int a\nend_header\n",
        "f: expected a list property \"vertex_indices\" of element \"face\", found none"},
       {"ply\nformat ascii 1.0\nelement vertex 4294967296\nproperty float x\nproperty float y\nproperty float "
        "z\nend_header\n",
        "f: expected at most 4294967295 vertices, found 4294967296; split the mesh"},
       {"ply\nformat ascii 1.0\nelement vertex 4294967295\nproperty float x\nproperty float y\nproperty float "
        "z\nend_header\n",
        "f:8: expected 4294967295 rows of element \"vertex\", found 0 bytes"}});
  for (const char* missing : {"x", "y", "z"}) {
    std::string text = "ply\nformat ascii 1.0\nelement vertex 1\n";
    for (const char* name : {"x", "y", "z"})
      text +=
          std::string(name == std::string(missing) ? "property list uchar float " : "property float ") + name + "\n";
    expect(MeshFormat::ply, {{text + "end_header\n",
                              "f: expected properties x, y and z of element \"vertex\", found only some of them"}});
  }
  // A list of no faces needs no corners, and other elements may repeat.
  EXPECT_EQ(read_points(memory_of("ply\nformat ascii 1.0\nelement e 0\nelement e 0\n" + kVertices +
                                  "element face 0\nproperty int a\nend_header\n1 2 3"),
                        MeshFormat::ply),
            (std::vector<Vec3>{{1, 2, 3}}));
}

TEST_F(Messages, OfAsciiPlyRows) {
  const std::string head =
      "ply\nformat ascii 1.0\n" + kVertices + kFaces + "property list uchar uchar more\nend_header\n";
  expect(MeshFormat::ply,
         {{head + "1 2", "f:11: expected 1 rows of element \"vertex\", found 3 bytes"},
          {head + "1 2 \n", "f:11: expected a coordinate, found the end of the line"},
          {head + "1 2 3\n3 ", "f:12: expected 1 rows of element \"face\", found 2 bytes"},
          {head + "1 2 3\n  \n",
           "f:13: expected 1 rows of element \"face\" (this would be number 1), found the end of the file"},
          {head + "1 2 3 4\n3 0 0 0 0\n",
           "f:11: expected the end of the line: the header declares no more values, found \"4\""},
          {head + "1 2 3\n2 0 0 0 0\n", "f:12: expected a face of at least 3 vertices, found 2"},
          {head + "1 2 3\n-1 0 0 0\n", "f:12: expected the number of values of a list, found \"-1\""},
          {head + "1 2 3\n5 0 0 0\n", "f:12: expected the number of values of a list, found \"5\""},
          {head + "1 2 3\n4 0 0 0\n",
           "f:12: expected a vertex index below the number of vertices, found the end of the line"},
          {head + "1 2 3\n3 0 1 0\n", "f:12: expected a vertex index below the number of vertices, found \"1\""},
          {head + "1 2 3\n3 0 0 0 2 7\n\n\n", "f:12: expected a value for every property, found the end of the line"}});
}

TEST_F(Messages, OfBinaryPlyRows) {
  for (const bool big : {false, true}) {
    const std::string head = std::string("ply\nformat binary_") + (big ? "big" : "little") + "_endian 1.0\n" +
                             kVertices + kFaces + "property list double ushort more\nend_header\n";
    const auto at = [&](std::size_t offset) { return "f: byte " + std::to_string(head.size() + offset) + ": "; };
    const auto encoded = [&](auto... values) { return big ? big_endian(values...) : bytes(values...); };
    const std::string vertex = encoded(1.f, 2.f, 3.f), face = encoded(std::uint8_t{3}, 0, 0, 0);
    expect(
        MeshFormat::ply,
        {{head + vertex.substr(1),
          at(0) +
              "expected 1 rows of element \"vertex\" of at least 12 bytes each, found 11 bytes; the file is cut off"},
         {head + vertex + face.substr(0, 8),
          at(12) + "expected 1 rows of element \"face\" of at least 9 bytes each, found 8 bytes; the file is cut off"},
         {head + vertex + face, at(12 + 13) + "expected more values, found the end of the file; it is cut off"},
         {head + vertex + encoded(std::uint8_t{2}, 0, 0) + face,
          at(13) + "expected a face of at least 3 vertices, found 2"},
         {head + vertex + encoded(std::uint8_t{4}, 0, 0, 0), at(12) + "expected a list of 4 values, found 12 bytes"},
         {head + vertex + encoded(std::uint8_t{3}, 0, 1, 0),
          at(12 + 5) + "expected a vertex index below 1 (the file's vertices), found 1"},
         {head + vertex + encoded(std::uint8_t{3}, 0, 0, -1),
          at(12 + 9) + "expected a vertex index below 1 (the file's vertices), found -1"},
         {head + vertex + face + encoded(2.5), at(12 + 13) + "expected a list's length, found 2.5"},
         {head + vertex + face + encoded(-1.0), at(12 + 13) + "expected a list's length, found -1"},
         {head + vertex + face + encoded(1e300), at(12 + 13) + "expected a list of 1e+300 values, found 0 bytes"},
         {head + vertex + face + encoded(2.0, std::uint16_t{1}) + "x",
          at(12 + 13) + "expected a list of 2 values, found 3 bytes"}});
    expect_equal(
        read_mesh(memory_of(head + vertex + face + encoded(2.0, std::uint16_t{1}, std::uint16_t{2})), MeshFormat::ply),
        {{{1, 2, 3}}, {{0, 0, 0}}});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::string broken = vertex;
      broken.replace(4 * axis, 4, encoded(-INFINITY));
      expect_points(MeshFormat::ply,
                    {{head + broken + face + encoded(0.0),
                      at(4 * axis) + "expected a finite coordinate in the range of a 32-bit float, found -inf"}});
    }
  }
}

}  // namespace
}  // namespace lamella::test
