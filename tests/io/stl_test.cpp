#include <limits>

#include "io/support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Stl : public FileTest {
 protected:
  std::string error(const std::string& contents) const { return read_error("bad.stl", contents); }
};

std::string ascii_facet(const std::string& a, const std::string& b, const std::string& c) {
  return "  facet normal nan nan nan\n    outer loop\n      vertex " + a + "\n      vertex " + b + "\n      vertex " +
         c + "\n    endloop\n  endfacet\n";
}

std::string binary(const Mesh& mesh, std::string header = "made by a test") {
  header.resize(80);
  std::string out = header + bytes(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    out += bytes(Vec3{}, mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c], std::uint16_t{0});
  }
  return out;
}

/// The tetrahedron with its vertices in the order in which its triangles first name them.
Mesh welded_tetrahedron() {
  return {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 3}, {2, 1, 3}, {1, 0, 3}}};
}

TEST_F(Stl, ReadsOneAsciiTriangle) {
  expect_equal(read("a.stl", "solid thing\n" + ascii_facet("0 0 0", "1 0 0", "0 1 0") + "endsolid thing\n"),
               {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
}

TEST_F(Stl, ReadsOneBinaryTriangle) {
  const Mesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  expect_equal(read("a.stl", binary(triangle)), triangle);
}

TEST_F(Stl, ABinaryFileMayBeginWithSolid) {
  expect_equal(read("a.stl", binary(tetrahedron(), "solid made by a CAD program")), welded_tetrahedron());
  expect_equal(read("b.stl", binary(tetrahedron(), "solid " + std::string(74, ' '))), welded_tetrahedron());
}

TEST_F(Stl, WeldsEqualCornersAndTreatsMinusZeroAsZero) {
  const Mesh soup{{{0.f, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.f, -0.f, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {3, 4, 5}}};
  expect_equal(read("a.stl", binary(soup)), {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 3}}});
}

TEST_F(Stl, KeepsCornersThatDifferInTheLastBit) {
  const float next = std::nextafter(1.f, 2.f);
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {next, 0, 0}}, {{0, 1, 2}}};
  expect_equal(read("a.stl", binary(mesh)), mesh);
}

TEST_F(Stl, WeldsMoreVerticesThanForeseen) {
  Mesh soup;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    soup.positions.push_back({static_cast<float>(i), static_cast<float>(i % 7), 1});
    if (i % 3 == 2) soup.triangles.push_back({i - 2, i - 1, i});
  }
  expect_equal(read("a.stl", binary(soup)), soup);
}

TEST_F(Stl, ReadsSeveralSolidsInAnyCase) {
  const std::string facet = ascii_facet("0 0 0", "1 0 0", "0 1 0");
  EXPECT_EQ(read("a.stl", "\nSOLID\r\n" + facet + "EndSolid\nsolid facet\n" + facet + "endsolid facet").triangles,
            (std::vector<Triangle>{{0, 1, 2}, {0, 1, 2}}));
}

TEST_F(Stl, BadAsciiIsRefusedWithItsLine) {
  const std::string facet = ascii_facet("0 0 0", "1 0 0", "0 1 0");
  EXPECT_THAT(error("solid a\nfacets\n"), HasSubstr("bad.stl:2: expected \"facet\" or \"endsolid\", found \"facets\""));
  EXPECT_THAT(error("solid a\n" + facet),
              AllOf(HasSubstr("expected \"facet\" or \"endsolid\""), HasSubstr("end of the file")));
  EXPECT_THAT(error("solid a\n" + ascii_facet("0 0 0", "1 x 0", "0 1 0")),
              HasSubstr("bad.stl:5: expected a coordinate"));
  EXPECT_THAT(error("solid a\n" + ascii_facet("0 0 0", "1,5 0 0", "0 1 0")),
              HasSubstr("bad.stl:5: expected a coordinate with a point"));
  EXPECT_THAT(error("solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n"),
              HasSubstr("bad.stl:6: expected \"vertex\", found \"endloop\""));
  EXPECT_THAT(error("solid a\n" + facet + "endsolid\ntrailing\n"), HasSubstr("expected \"solid\", found \"trailing\""));
}

TEST_F(Stl, BadBinaryIsRefusedWithItsByte) {
  const std::string whole = binary(tetrahedron());
  EXPECT_THAT(error(whole.substr(0, whole.size() - 1)),
              AllOf(HasSubstr("bad.stl: byte 80: expected 4 triangles"), HasSubstr("cut off")));
  EXPECT_THAT(error(binary(tetrahedron(), "solid binary").substr(0, 200)), HasSubstr("bad.stl: byte 80: "));
  EXPECT_THAT(error("no STL"), HasSubstr("expected \"solid\" (ASCII STL) or a binary header"));
}

TEST_F(Stl, NaNNormalsDoNotMatter) {
  std::string contents = binary(tetrahedron());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(contents.data() + 84, &nan, sizeof nan);
  expect_equal(read("a.stl", contents), welded_tetrahedron());
}

TEST_F(Stl, AHugeDeclaredCountIsRefusedBeforeAnyAllocation) {
  EXPECT_THAT(error(std::string(80, 'x') + bytes(std::uint32_t{4294967295u}) + std::string(1000, '\0')),
              HasSubstr("byte 80: expected 4294967295 triangles"));
}

TEST_F(Stl, WithoutTrianglesThereAreNoFaces) {
  EXPECT_THAT(error("solid empty\nendsolid empty\n"), HasSubstr("has no faces"));
  EXPECT_THAT(error(binary(Mesh{})), HasSubstr("has no faces"));
}

}  // namespace
}  // namespace lamella::test
