#include "io/support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Obj : public FileTest {
 protected:
  std::string error(const std::string& text) const { return read_error("bad.obj", text); }
};

const std::string kVertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

TEST_F(Obj, ReadsOneTriangle) {
  expect_equal(read("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
}

TEST_F(Obj, ReadsEveryFormOfCorner) {
  for (const char* face : {"f 1 3 2", "f 1/1 3/2 2/3", "f 1//1 3//1 2//1", "f 1/1/1 3/2/1 2/3/1", "f -4 -2 -3",
                           "f -4/-1/-1 -2/-1/-1 -3/-1/-1", "f 1/ 3/ 2/", "\tf  1\t3  2  ", "f 1 3 2 # a face"}) {
    SCOPED_TRACE(face);
    EXPECT_EQ(read("a.obj", kVertices + face).triangles, (std::vector<Triangle>{{0, 2, 1}}));
  }
}

TEST_F(Obj, NegativeIndicesCountFromTheFaceNotFromTheEnd) {
  EXPECT_EQ(read("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\n").triangles,
            (std::vector<Triangle>{{0, 1, 2}}));
}

TEST_F(Obj, FacesMayNameLaterVertices) {
  EXPECT_EQ(read("a.obj", "f 1 2 3\n" + kVertices).triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST_F(Obj, TurnsPolygonsIntoFans) {
  EXPECT_EQ(read("a.obj", kVertices + "v 2 2 2\nf 1 2 3 4 5\n").triangles,
            (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST_F(Obj, IgnoresWeightsColoursAndOtherStatements) {
  expect_equal(read("a.obj",
                    "# comment\nmtllib a.mtl\no thing\ng part\nvt 0 0\nvn 0 0 1\nvp 0 1\nv 0 0 0 1\n"
                    "v 1 0 0 0.5 0.5 0.5\ns off\nusemtl red\nv 0 1 0\nl 1 2\np 1\nf 1 2 3\n\n"),
               {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
}

TEST_F(Obj, ReadsCarriageReturnsAndAFileWithoutAFinalLineEnd) {
  expect_equal(read("a.obj", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3"),
               {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
}

TEST_F(Obj, JoinsContinuedLinesButNotComments) {
  expect_equal(
      read("a.obj", "# C:\\models\\\nv 0 0 \\\n0\nv 1\\\r\n 0 0\nv 0 1 0\nusemtl a \\\nf 9 9 9\nf 1 2 \\\n  3\n"),
      {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
}

TEST_F(Obj, ContinuedLinesCountAsLines) {
  EXPECT_THAT(error("v 0 0 \\\n0\nv 1 0 x\n"), HasSubstr("bad.obj:3: expected a coordinate"));
}

TEST_F(Obj, BareCountsMayOpenTheFileButNotFollow) {
  EXPECT_EQ(read("a.obj", "# counts\n4 1\n" + kVertices + "f 1 2 3\n").triangles.size(), 1u);
  EXPECT_THAT(error("v 0 0 0\n4 1\n"), HasSubstr("bad.obj:2: expected a statement such as \"v\""));
}

TEST_F(Obj, BadNumbersAreRefusedWithTheirLine) {
  EXPECT_THAT(error("v 0 0 0\nv 0 x 0\n"), HasSubstr("bad.obj:2: expected a coordinate, found \"x\""));
  EXPECT_THAT(error("v 0 0\n"), HasSubstr("bad.obj:1: expected a coordinate, found the end of the line"));
  EXPECT_THAT(error("v 0 0 nano\n"), HasSubstr("bad.obj:1: expected a coordinate, found \"nano\""));
  EXPECT_THAT(error("v 0 0 1.#QNAN\nv 1.#INF 0 0\n"), HasSubstr("bad.obj:2: expected a coordinate"));
  EXPECT_THAT(
      error("v 1,5 2,5 3,5\n"),
      HasSubstr("bad.obj:1: expected a coordinate with a point, not a comma, before its decimals, found \"1,5\""));
}

TEST_F(Obj, BadFacesAreRefusedWithTheirLine) {
  EXPECT_THAT(error(kVertices + "f 1 2\n"), HasSubstr("bad.obj:5: expected a face of at least 3 vertices, found 2"));
  EXPECT_THAT(error(kVertices + "f\n"), HasSubstr("bad.obj:5: expected a face of at least 3 vertices, found 0"));
  EXPECT_THAT(error(kVertices + "f 1 2 0\n"), HasSubstr("bad.obj:5: expected a vertex index from 1, found \"0\""));
  EXPECT_THAT(error(kVertices + "f 1 2 -5\n"), HasSubstr("bad.obj:5: expected a vertex index not below -4"));
  EXPECT_THAT(error(kVertices + "f 1 2 5\nf 1 2 3\n"),
              AllOf(HasSubstr("bad.obj:5: expected a vertex index of at most 4"), HasSubstr("found 5")));
  EXPECT_THAT(error(kVertices + "f 1 2 99999999999\n"), HasSubstr("bad.obj:5: expected a vertex index"));
  EXPECT_THAT(error(kVertices + "f 1 2 99999999999999999999\n"), HasSubstr("bad.obj:5: expected a vertex index"));
  EXPECT_THAT(error(kVertices + "f 1 2 3x\n"), HasSubstr("found \"3x\""));
  EXPECT_THAT(error(kVertices + "f 1 2 3/x\n"), HasSubstr("found \"3/x\""));
  EXPECT_THAT(error(kVertices + "f 1 2 /3\n"), HasSubstr("found \"/3\""));
}

TEST_F(Obj, ExcerptsAreShortAndEscaped) {
  const std::string message = error("v 0 0 \x01\x7f\xff" + std::string(500, 'y') + "\n");
  EXPECT_THAT(message, HasSubstr("\\x01\\x7f\\xffyyyy"));
  EXPECT_LT(message.size(), path("bad.obj").string().size() + 120);
}

TEST_F(Obj, WithoutFacesItIsPointsOnly) {
  EXPECT_THAT(error(kVertices), HasSubstr("has no faces"));
  EXPECT_EQ(read_points(path("bad.obj")).size(), 4u);
}

}  // namespace
}  // namespace lamella::test
