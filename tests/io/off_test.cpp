#include "io/support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Off : public FileTest {
 protected:
  std::string error(const std::string& text) const { return read_error("bad.off", text); }
};

const Mesh kTriangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};

TEST_F(Off, ReadsOneTriangle) { expect_equal(read("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), kTriangle); }

TEST_F(Off, ReadsCountsOnTheHeaderLineAndWithoutEdges) {
  expect_equal(read("a.off", "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), kTriangle);
  expect_equal(read("b.off", "OFF 3 1\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2"), kTriangle);
}

TEST_F(Off, ReadsCommentsAndBlankLines) {
  expect_equal(read("a.off",
                    "# made by hand\nOFF # header\n\n# counts\n3 1 0 # no edges\n0 0 0\n\n1 0 0 # second\n"
                    "0 1 0\n# faces\n3 0 1 2\n# end\n"),
               kTriangle);
}

TEST_F(Off, ReadsHeadersThatAddColoursOrNormals) {
  for (const char* header : {"COFF", "NOFF", "CNOFF", "STOFF", "STCNOFF"}) {
    SCOPED_TRACE(header);
    expect_equal(read("a.off", std::string(header) + "\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n"
                                                     "0 1 0 255 0 0 255\n3 0 1 2 0.5 0.5 0.5\n"),
                 kTriangle);
  }
}

TEST_F(Off, TurnsPolygonsIntoFansAndIgnoresTheirColours) {
  EXPECT_EQ(read("a.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n3 0 1 2 7\n").triangles,
            (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
}

TEST_F(Off, ToleratesWhatFollowsTheFaces) {
  expect_equal(read("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\nand more\n"), kTriangle);
}

TEST_F(Off, OtherHeadersAreRefused) {
  EXPECT_THAT(error("3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), HasSubstr("bad.off:1: expected the header \"OFF\""));
  EXPECT_THAT(error("4OFF\n"), HasSubstr("bad.off:1: expected the header \"OFF\""));
  EXPECT_THAT(error("OFF BINARY\nxxxx"), AllOf(HasSubstr("bad.off:1: "), HasSubstr("binary OFF is not supported")));
  EXPECT_THAT(error("# nothing\n"), HasSubstr("the end of the file"));
}

TEST_F(Off, BadValuesAreRefusedWithTheirLine) {
  const std::string vertices = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_THAT(error("OFF\nthree 1 0\n"), HasSubstr("bad.off:2: expected the number of vertices"));
  EXPECT_THAT(error("OFF\n3\n"), HasSubstr("bad.off:2: expected the number of faces, found the end of the line"));
  EXPECT_THAT(
      error("OFF\n1 0 0\n0 2,5 0\n"),
      HasSubstr("bad.off:3: expected a coordinate with a point, not a comma, before its decimals, found \"2,5\""));
  EXPECT_THAT(error("OFF\n1 0 0\n0 0     \n"),
              HasSubstr("bad.off:3: expected a coordinate, found the end of the line"));
  EXPECT_THAT(error(vertices + "2 0 1\n"), HasSubstr("bad.off:6: expected a face of at least 3 vertices"));
  EXPECT_THAT(error(vertices + "3 0 1 3\n"), HasSubstr("bad.off:6: expected a vertex index below"));
  EXPECT_THAT(error(vertices + "3 0 1\n"),
              HasSubstr("bad.off:6: expected 3 vertex indices, found the end of the line"));
  EXPECT_THAT(error("OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
              AllOf(HasSubstr("expected 2 faces"), HasSubstr("the end of the file")));
  EXPECT_THAT(error("OFF\n4 0 0\n0 0 0\n1 0 0\n0 1 0 0 0 0 0 0\n"), HasSubstr("expected 4 vertices"));
}

TEST_F(Off, HugeDeclaredCountsAreRefusedBeforeAnyAllocation) {
  const std::string padding(1000, ' ');
  EXPECT_THAT(error("OFF\n4294967295 1 0\n" + padding),
              HasSubstr("expected counts that the rest of the file can hold"));
  EXPECT_THAT(error("OFF\n3 4294967295 0\n" + padding),
              HasSubstr("expected counts that the rest of the file can hold"));
  EXPECT_THAT(error("OFF\n4294967296 1 0\n" + padding), HasSubstr("expected the number of vertices"));
}

}  // namespace
}  // namespace lamella::test
