#include <cmath>
#include <limits>

#include "io/support.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

class Ply : public FileTest {};

constexpr const char* kXyz = "property float x\nproperty float y\nproperty float z\n";
constexpr const char* kCorners = "property list uchar int vertex_indices\n";

std::string header(const std::string& format, std::size_t vertices, const std::string& vertex_properties,
                   std::size_t faces, const std::string& face_properties) {
  return "ply\nformat " + format + " 1.0\nelement vertex " + std::to_string(vertices) + "\n" + vertex_properties +
         "element face " + std::to_string(faces) + "\n" + face_properties + "end_header\n";
}

/// The corner of a unit cube at the origin: three vertices, one triangle.
std::string ascii_triangle(const std::string& vertices = "0 0 0\n1 0 0\n0 1 0\n",
                           const std::string& face = "3 0 1 2\n") {
  return header("ascii", 3, kXyz, 1, kCorners) + vertices + face;
}

const Mesh kTriangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};

std::string binary_positions() { return bytes(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f); }
std::string binary_triangle() {
  return header("binary_little_endian", 3, kXyz, 1, kCorners) + binary_positions() + bytes(std::uint8_t{3}, 0, 1, 2);
}

TEST_F(Ply, ReadsOneAsciiTriangle) { expect_equal(read("a.ply", ascii_triangle()), kTriangle); }

TEST_F(Ply, ReadsOneLittleEndianTriangle) { expect_equal(read("a.ply", binary_triangle()), kTriangle); }

TEST_F(Ply, ReadsOneBigEndianTriangle) {
  expect_equal(
      read("a.ply", header("binary_big_endian", 3, kXyz, 1, kCorners) +
                        big_endian(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f) + big_endian(std::uint8_t{3}, 0, 1, 2)),
      kTriangle);
}

TEST_F(Ply, AcceptsAnyCaseOfTheExtension) { expect_equal(read("a.PLY", ascii_triangle()), kTriangle); }

TEST_F(Ply, ReadsCarriageReturnsCommentsAndBlankLines) {
  std::string text = "ply\nformat ascii 1.0\ncomment made by hand\nobj_info 3 things\nelement vertex 3\n" +
                     std::string(kXyz) + "comment between\nelement face 1\n" + kCorners +
                     "end_header\n0 0 0\n\n1 0 0\n0 1 0\n3 0 1 2";
  expect_equal(read("a.ply", text), kTriangle);
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_equal(read("b.ply", crlf), kTriangle);
}

TEST_F(Ply, ReadsABinaryFileWithCarriageReturnsInItsHeader) {
  std::string head = header("binary_little_endian", 3, kXyz, 1, kCorners);
  std::string crlf;
  for (const char c : head) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_equal(read("a.ply", crlf + binary_positions() + bytes(std::uint8_t{3}, 0, 1, 2)), kTriangle);
}

TEST_F(Ply, ReadsPropertiesInAnyOrderAmongOthers) {
  const std::string properties =
      "property uchar red\nproperty float z\nproperty float x\nproperty int id\nproperty float y\n";
  expect_equal(
      read("a.ply", header("ascii", 3, properties, 1, kCorners) + "255 0 0 7 0\n255 0 1 7 0\n255 0 0 7 1\n3 0 1 2\n"),
      kTriangle);
  std::string rows;
  for (const Vec3 p : kTriangle.positions) rows += bytes(std::uint8_t{255}, p.z, p.x, 7, p.y);
  expect_equal(read("b.ply", header("binary_little_endian", 3, properties, 1, kCorners) + rows +
                                 bytes(std::uint8_t{3}, 0, 1, 2)),
               kTriangle);
}

TEST_F(Ply, ReadsDoubleCoordinates) {
  const std::string properties = "property double x\nproperty double y\nproperty double z\n";
  const auto rows = bytes(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
  expect_equal(read("a.ply", header("binary_little_endian", 3, properties, 1, kCorners) + rows +
                                 bytes(std::uint8_t{3}, 0, 1, 2)),
               kTriangle);
}

TEST_F(Ply, ReadsCoordinatesOfMixedTypes) {
  const std::string properties = "property short x\nproperty double y\nproperty float64 z\n";
  std::string rows;
  for (const Vec3 p : kTriangle.positions) rows += bytes(static_cast<std::int16_t>(p.x), double{p.y}, double{p.z});
  expect_equal(read("a.ply", header("binary_little_endian", 3, properties, 1, kCorners) + rows +
                                 bytes(std::uint8_t{3}, 0, 1, 2)),
               kTriangle);
}

template <class Count, class Index>
std::string face_with(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return bytes(static_cast<Count>(3), static_cast<Index>(a), static_cast<Index>(b), static_cast<Index>(c));
}

TEST_F(Ply, ReadsEveryTypeOfListCountAndIndex) {
  const auto check = [&](const std::string& types, const std::string& face) {
    SCOPED_TRACE(types);
    expect_equal(
        read("a.ply", header("binary_little_endian", 3, kXyz, 1, "property list " + types + " vertex_index\n") +
                          binary_positions() + face),
        kTriangle);
  };
  check("uchar uchar", face_with<std::uint8_t, std::uint8_t>(0, 1, 2));
  check("char char", face_with<std::int8_t, std::int8_t>(0, 1, 2));
  check("ushort ushort", face_with<std::uint16_t, std::uint16_t>(0, 1, 2));
  check("short short", face_with<std::int16_t, std::int16_t>(0, 1, 2));
  check("uint8 uint32", face_with<std::uint8_t, std::uint32_t>(0, 1, 2));
  check("int int", face_with<std::int32_t, std::int32_t>(0, 1, 2));
  check("uint uint", face_with<std::uint32_t, std::uint32_t>(0, 1, 2));
  check("uchar float", face_with<std::uint8_t, float>(0, 1, 2));
}

TEST_F(Ply, ReadsFacesWithFurtherProperties) {
  const std::string flags = std::string(kCorners) + "property uchar red\nproperty float quality\n";
  expect_equal(read("a.ply", header("binary_little_endian", 3, kXyz, 1, flags) + binary_positions() +
                                 bytes(std::uint8_t{3}, 0, 1, 2, std::uint8_t{9}, 0.5f)),
               kTriangle);
  const std::string texture =
      "property int material\n" + std::string(kCorners) + "property list uchar float texcoord\n";
  expect_equal(read("b.ply", header("binary_little_endian", 3, kXyz, 1, texture) + binary_positions() +
                                 bytes(5, std::uint8_t{3}, 0, 1, 2, std::uint8_t{2}, 0.5f, 0.5f)),
               kTriangle);
  expect_equal(read("c.ply", header("ascii", 3, kXyz, 1, texture) + "0 0 0\n1 0 0\n0 1 0\n5 3 0 1 2 2 0.5 0.5\n"),
               kTriangle);
}

TEST_F(Ply, SkipsOtherElementsWhereverTheyAre) {
  const std::string text = "element camera 2\nproperty float fov\nproperty list uchar int views\nelement vertex 3\n" +
                           std::string(kXyz) + "element edge 1\nproperty int a\nproperty int b\nelement face 1\n" +
                           kCorners + "element tail 1\nproperty double weight\nend_header\n";
  expect_equal(
      read("a.ply", "ply\nformat ascii 1.0\n" + text + "1 0\n1 2 5 6\n0 0 0\n1 0 0\n0 1 0\n0 1\n3 0 1 2\n0.5\n"),
      kTriangle);
  expect_equal(read("b.ply", "ply\nformat binary_little_endian 1.0\n" + text + bytes(1.f, std::uint8_t{0}) +
                                 bytes(1.f, std::uint8_t{2}, 5, 6) + binary_positions() + bytes(0, 1) +
                                 bytes(std::uint8_t{3}, 0, 1, 2) + bytes(0.5)),
               kTriangle);
}

TEST_F(Ply, ReadsFacesThatComeBeforeTheVertices) {
  expect_equal(read("a.ply", "ply\nformat ascii 1.0\nelement face 1\n" + std::string(kCorners) + "element vertex 3\n" +
                                 kXyz + "end_header\n3 0 1 2\n0 0 0\n1 0 0\n0 1 0\n"),
               kTriangle);
}

TEST_F(Ply, TurnsPolygonsIntoFansAmongTriangles) {
  const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 2, 0}};
  const Mesh expected{square, {{0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {2, 3, 4}}};
  expect_equal(read("a.ply", header("ascii", 5, kXyz, 4, kCorners) +
                                 "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 2 0\n3 0 1 2\n4 0 1 2 3\n5 0 1 2 3 4\n3 2 3 4\n"),
               expected);
  std::string data;
  for (const Vec3 p : square) data += bytes(p);
  data += bytes(std::uint8_t{3}, 0, 1, 2) + bytes(std::uint8_t{4}, 0, 1, 2, 3) + bytes(std::uint8_t{5}, 0, 1, 2, 3, 4) +
          bytes(std::uint8_t{3}, 2, 3, 4);
  expect_equal(read("b.ply", header("binary_little_endian", 5, kXyz, 4, kCorners) + data), expected);
}

TEST_F(Ply, ReadsManyRowsInSeveralChunks) {
  constexpr std::uint32_t kRows = 150'000;
  Mesh expected;
  std::string vertices, faces;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    expected.positions.push_back({static_cast<float>(i), 0, 1});
    expected.triangles.push_back({i, (i + 1) % kRows, (i + 7) % kRows});
    vertices += bytes(expected.positions.back());
    faces += bytes(std::uint8_t{3}) + bytes(expected.triangles.back());
  }
  expect_equal(read("a.ply", header("binary_little_endian", kRows, kXyz, kRows, kCorners) + vertices + faces),
               expected);
}

TEST_F(Ply, NumbersMayHaveAPlusSignOrVanish) {
  const Mesh mesh = read("a.ply", ascii_triangle("+0 1e-999 1e-46\n1. .0 0\n0 +1 -0\n"));
  EXPECT_EQ(mesh.positions, kTriangle.positions);
}

TEST_F(Ply, PointsOnlyIsAnErrorForAMeshButNotForPoints) {
  const auto file = save(
      "points.ply", "ply\nformat ascii 1.0\nelement vertex 2\n" + std::string(kXyz) + "end_header\n1 2 3\n4 5 6\n");
  EXPECT_EQ(read_points(file), (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_THAT(error_of([&] { (void)read_mesh(file); }),
              AllOf(HasSubstr("points.ply: "), HasSubstr("has no faces"), HasSubstr("read_points")));
}

TEST_F(Ply, BadHeadersAreRefusedWithTheirLine) {
  const auto error = [&](const std::string& text) { return read_error("bad.ply", text); };
  EXPECT_THAT(error("plyx\n"), AllOf(HasSubstr("bad.ply:1: expected \"ply\""), EndsWith("found \"plyx\"")));
  EXPECT_THAT(error("ply\nformat binary 1.0\n"), HasSubstr("bad.ply:2: expected format ascii"));
  EXPECT_THAT(error("ply\nelephant\n"), HasSubstr("bad.ply:2: expected a header line"));
  EXPECT_THAT(error("ply\nformat ascii 1.0\nproperty float x\n"), HasSubstr("bad.ply:3: expected an \"element\""));
  EXPECT_THAT(error("ply\nformat ascii 1.0\nelement vertex -1\n"), HasSubstr("bad.ply:3: expected the number of rows"));
  EXPECT_THAT(error("ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n"),
              AllOf(HasSubstr("bad.ply:4: expected a property type"), HasSubstr("\"real\"")));
  EXPECT_THAT(error("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"),
              AllOf(HasSubstr("expected \"end_header\""), HasSubstr("the end of the file")));
  EXPECT_THAT(error("ply\nelement vertex 0\nend_header\n"), HasSubstr("expected a \"format\" line"));
  EXPECT_THAT(error("ply\nformat ascii 1.0\nend_header\n"), HasSubstr("expected an element \"vertex\""));
  EXPECT_THAT(error("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n"),
              HasSubstr("properties x, y and z"));
  EXPECT_THAT(error(header("ascii", 1, kXyz, 1, "property int other\n") + "0 0 0\n1\n"), HasSubstr("vertex_indices"));
  EXPECT_THAT(error("ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\n"),
              HasSubstr("bad.ply:4: expected each element once"));
}

TEST_F(Ply, BadAsciiValuesAreRefusedWithTheirLine) {
  const auto error = [&](const std::string& vertices, const std::string& face = "3 0 1 2\n") {
    return read_error("bad.ply", ascii_triangle(vertices, face));
  };
  EXPECT_THAT(error("0 0 0\n1 zero 0\n0 1 0\n"), HasSubstr("bad.ply:11: expected a coordinate, found \"zero\""));
  EXPECT_THAT(error("0 0 0\n1 2x 0\n0 1 0\n"), HasSubstr("bad.ply:11: expected a coordinate, found \"2x\""));
  EXPECT_THAT(error("0 0 0\n1 2,5 0\n0 1 0\n"), HasSubstr("bad.ply:11: expected a coordinate with a point"));
  EXPECT_THAT(error("0 0 0\n1 0\n0 1 0\n"), HasSubstr("bad.ply:11: expected a coordinate, found the end of the line"));
  EXPECT_THAT(error("0 0 0\n1 0 0 5\n0 1 0\n"), HasSubstr("bad.ply:11: expected the end of the line"));
  EXPECT_THAT(error("0 0 0\n1 0 0\n0 1 0\n", "2 0 1\n"),
              HasSubstr("bad.ply:13: expected a face of at least 3 vertices, found 2"));
  EXPECT_THAT(error("0 0 0\n1 0 0\n0 1 0\n", "3 0 1 3\n"), HasSubstr("bad.ply:13: expected a vertex index below"));
  EXPECT_THAT(error("0 0 0\n1 0 0\n0 1 0\n", "3 0 -1 2\n"), HasSubstr("found \"-1\""));
  EXPECT_THAT(error("0 0 0\n1 0 0\n0 1 0\n", "3 0 1\n"), HasSubstr("bad.ply:13: expected a vertex index"));
}

TEST_F(Ply, TooFewRowsAreRefused) {
  EXPECT_THAT(read_error("bad.ply", header("ascii", 3, kXyz, 2, kCorners) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
              AllOf(HasSubstr("expected 2 rows of element \"face\""), HasSubstr("the end of the file")));
}

TEST_F(Ply, BadBinaryValuesAreRefusedWithTheirByte) {
  const std::string head = header("binary_little_endian", 3, kXyz, 1, kCorners);
  const auto at = [&](std::size_t offset) { return "bad.ply: byte " + std::to_string(head.size() + offset) + ": "; };
  const auto error = [&](const std::string& data) { return read_error("bad.ply", head + data); };
  EXPECT_THAT(error(binary_positions() + bytes(std::uint8_t{3}, 0, 1, 3)),
              AllOf(HasSubstr(at(45) + "expected a vertex index below 3"), EndsWith("found 3")));
  EXPECT_THAT(error(binary_positions() + bytes(std::uint8_t{3}, 0, -1, 2)), HasSubstr(at(41)));
  EXPECT_THAT(error(binary_positions() + bytes(std::uint8_t{2}, 0, 1)),
              HasSubstr("a face of at least 3 vertices, found 2"));
  EXPECT_THAT(error(binary_positions() + bytes(std::uint8_t{200}, 0, 1, 2)),
              HasSubstr(at(36) + "expected a list of 200"));
  EXPECT_THAT(error(binary_positions().substr(0, 30)), HasSubstr("expected 3 rows of element \"vertex\""));
  EXPECT_THAT(error(binary_positions()), HasSubstr("expected 1 rows of element \"face\""));
}

TEST_F(Ply, FractionalIndicesAreRefused) {
  EXPECT_THAT(
      read_error("bad.ply", header("binary_little_endian", 3, kXyz, 1, "property list uchar float vertex_indices\n") +
                                binary_positions() + bytes(std::uint8_t{3}, 0.f, 1.5f, 2.f)),
      HasSubstr("expected a vertex index below 3"));
}

TEST_F(Ply, HugeDeclaredCountsAreRefusedBeforeAnyAllocation) {
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    SCOPED_TRACE(format);
    const std::string padding(1000, ' ');
    EXPECT_THAT(read_error("a.ply", header(format, 4294967295u, kXyz, 1, kCorners) + padding),
                HasSubstr("expected 4294967295 rows of element \"vertex\""));
    EXPECT_THAT(read_error("b.ply", header(format, 0, kXyz, 4294967295u, kCorners) + padding),
                HasSubstr("expected 4294967295 rows of element \"face\""));
    EXPECT_THAT(read_error("c.ply", header(format, 4294967296u, kXyz, 1, kCorners) + padding),
                HasSubstr("expected at most 4294967295 vertices"));
  }
}

TEST_F(Ply, AHugeElementWithoutPropertiesTakesNoTime) {
  const std::string extra = "element nothing 9000000000000000000\nelement face 1\n";
  std::string text = ascii_triangle();
  text.replace(text.find("element face 1\n"), std::strlen("element face 1\n"), extra);
  expect_equal(read("a.ply", text), kTriangle);
}

/// A PLY type by its two names, and a value of it as text, little-endian and big-endian.
struct Value {
  double number = 0;
  std::string little, big;
};
template <class T>
Value value_of(double number) {
  return {number, bytes(static_cast<T>(number)), big_endian(static_cast<T>(number))};
}
struct Type {
  const char* names[2];
  Value (*make)(double);
  int most;  ///< whole numbers from 0 to this are all values of it
};
constexpr Type kTypes[] = {
    {{"char", "int8"}, value_of<std::int8_t>, 127},     {{"uchar", "uint8"}, value_of<std::uint8_t>, 255},
    {{"short", "int16"}, value_of<std::int16_t>, 1000}, {{"ushort", "uint16"}, value_of<std::uint16_t>, 1000},
    {{"int", "int32"}, value_of<std::int32_t>, 1000},   {{"uint", "uint32"}, value_of<std::uint32_t>, 1000},
    {{"float", "float32"}, value_of<float>, 1000},      {{"double", "float64"}, value_of<double>, 1000}};

/// A file that grows in all three formats at once.
struct Files {
  std::string text, little, big;
  void add(const Value& v) {
    text += std::to_string(static_cast<int>(v.number)) + ' ';
    little += v.little;
    big += v.big;
  }
};

/// Coordinates, counts and indices of any type, among other values and lists, in any order, of any number.
TEST_F(Ply, AnyLayoutGivesTheSameMeshInAllFormats) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto any_type = [&] { return &kTypes[random.below(8)]; };
    const auto name_of = [&](const Type* type) { return std::string(type->names[random.below(2)]) + ' '; };
    struct Property {
      const Type* type;
      const Type* count = nullptr;  ///< of a list
      char role = '-';              ///< x, y, z, or f for corners
    };
    // Mostly the usual types, which have a fast way, and sometimes any.
    const bool usual = random.below(2) == 0;
    const Type* coordinate = &kTypes[6 + random.below(2)];
    std::vector<Property> of_vertex, of_face, of_other;
    for (const char role : {'x', 'y', 'z'}) of_vertex.push_back({usual ? coordinate : any_type(), nullptr, role});
    of_face.push_back(
        {usual ? &kTypes[4 + random.below(2)] : any_type(), usual ? &kTypes[random.below(2)] : any_type(), 'f'});
    const auto add_others = [&](std::vector<Property>& to, bool lists) {
      for (std::uint32_t more = random.below(3); more > 0; --more) {
        const Property other{any_type(), lists && random.below(2) == 0 ? any_type() : nullptr};
        to.insert(to.begin() + random.below(static_cast<std::uint32_t>(to.size() + 1)), other);
      }
    };
    add_others(of_vertex, !usual);
    add_others(of_face, !usual || random.below(3) == 0);
    add_others(of_other, true);
    if (random.below(2) == 0) std::swap(of_vertex.front(), of_vertex.back());

    const std::uint32_t vertices = 1 + random.below(40), faces = 1 + random.below(40);
    Mesh expected;
    std::string header;
    Files files;
    const auto write = [&](const char* name, const std::vector<Property>& properties, std::uint32_t rows) {
      header += "element " + std::string(name) + ' ' + std::to_string(rows) + '\n';
      int number = 0;
      for (const Property& p : properties) {
        header += "property " + (p.count != nullptr ? "list " + name_of(p.count) : std::string()) + name_of(p.type);
        header += p.role == 'f'   ? std::string(random.below(2) == 0 ? "vertex_index" : "vertex_indices")
                  : p.role == '-' ? "other" + std::to_string(number++)
                                  : std::string(1, p.role);
        header += '\n';
      }
      for (std::uint32_t row = 0; row < rows && !properties.empty(); ++row) {
        Vec3 position;
        for (const Property& p : properties) {
          if (p.role == 'f') {
            const std::uint32_t corners = random.below(4) == 0 ? 4 + random.below(2) : 3;
            std::vector<std::uint32_t> polygon;
            files.add(p.count->make(corners));
            for (std::uint32_t i = 0; i < corners; ++i) {
              polygon.push_back(random.below(vertices));
              files.add(p.type->make(polygon[i]));
              if (i >= 2) expected.triangles.push_back({polygon[0], polygon[i - 1], polygon[i]});
            }
            continue;
          }
          const std::uint32_t values = p.count == nullptr ? 1 : random.below(4);
          if (p.count != nullptr) files.add(p.count->make(values));
          for (std::uint32_t i = 0; i < values; ++i) {
            const Value v = p.type->make(random.below(static_cast<std::uint32_t>(p.type->most) + 1));
            files.add(v);
            if (p.role >= 'x') position[p.role - 'x'] = static_cast<float>(v.number);
          }
        }
        files.text += '\n';
        if (name == std::string("vertex")) expected.positions.push_back(position);
      }
    };
    const std::uint32_t others = random.below(3);
    const bool faces_first = random.below(4) == 0;
    if (faces_first) write("face", of_face, faces);
    write("other", of_other, others);
    write("vertex", of_vertex, vertices);
    if (!faces_first) write("face", of_face, faces);
    const auto whole = [&](const char* format, const std::string& data) {
      return memory_of("ply\nformat " + std::string(format) + " 1.0\n" + header + "end_header\n" + data);
    };
    expect_equal(read_mesh(whole("ascii", files.text), MeshFormat::ply), expected);
    expect_equal(read_mesh(whole("binary_little_endian", files.little), MeshFormat::ply), expected);
    expect_equal(read_mesh(whole("binary_big_endian", files.big), MeshFormat::ply), expected);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace lamella::test
