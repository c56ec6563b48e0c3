#include "io/support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Xyz : public FileTest {
 protected:
  std::string error(const std::string& text) const {
    const auto file = save("bad.xyz", text);
    return error_of([&] { (void)read_points(file); });
  }
};

TEST_F(Xyz, ReadsOnePoint) { EXPECT_EQ(read_points(save("a.xyz", "1 2 3")), (std::vector<Vec3>{{1, 2, 3}})); }

TEST_F(Xyz, ReadsSpacesTabsCommasCommentsAndFurtherColumns) {
  EXPECT_EQ(read_points(save("a.xyz", "# points\n1 2 3\n\n  4\t5\t6 0.1 0.2 0.3\n7,8,9\r\n-1, -2, -3, red # last\n")),
            (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, -2, -3}}));
}

TEST_F(Xyz, BadLinesAreRefused) {
  EXPECT_THAT(error("1 2 3\n1 2\n"), HasSubstr("bad.xyz:2: expected a coordinate, found the end of the line"));
  EXPECT_THAT(error("x y z\n1 2 3\n"), HasSubstr("bad.xyz:1: expected a coordinate, found \"x\""));
}

TEST_F(Xyz, CommasThatMayStandBeforeDecimalsAreRefused) {
  const auto expected =
      AllOf(HasSubstr("bad.xyz:2: "), HasSubstr("commas"), HasSubstr("\"1.5 2.5 3.5\""), HasSubstr("found \"1,"));
  for (const char* line : {"1,5 2,5 3,5", "1,5\t2,5\t3,5", "1,5 2 3", "1,5, 2,5, 3,5", "1,5 ,2,5 ,3,5", "1,2,3 4",
                           "  1,5 2,5 3,5  # comment", "1,234.5 2 3", "1,5 2,5 3,5\r"}) {
    SCOPED_TRACE(line);
    EXPECT_THAT(error("1 2 3\n" + std::string(line) + "\n4 5 6\n"), expected);
  }
  EXPECT_THAT(error("1,5;2,5;3,5\n"), HasSubstr("bad.xyz:1: expected a coordinate"));
}

TEST_F(Xyz, CommasThatSeparateAreRead) {
  const std::vector<Vec3> expected{{1.5f, 2.5f, 3.5f}};
  for (const char* line :
       {"1.5,2.5,3.5", "1.5, 2.5, 3.5", "1.5 , 2.5 , 3.5", "1.5 ,2.5 ,3.5", "1.5,2.5,3.5\r\n", "  1.5,2.5,3.5  ",
        "1.5,2.5,3.5 # a, b", "1.5,2.5,3.5,9,9", "1.5, 2.5 3.5", "1.5\t,2.5,\t3.5"}) {
    SCOPED_TRACE(line);
    EXPECT_EQ(read_points(save("a.xyz", line)), expected);
  }
}

TEST_F(Xyz, NoPointsAtAllIsAnError) {
  EXPECT_THAT(error("# nothing\n"), AllOf(HasSubstr("bad.xyz: "), HasSubstr("expected points")));
}

TEST_F(Xyz, IsNoMesh) {
  const auto file = save("a.xyz", "1 2 3\n");
  EXPECT_THAT(error_of([&] { (void)read_mesh(file); }), HasSubstr("has no faces"));
}

TEST_F(Xyz, PointsOfAMeshFileAreItsVerticesUsedOrNot) {
  const auto file = save("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\n");
  EXPECT_EQ(read_points(file), (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 9, 9}}));
}

}  // namespace
}  // namespace lamella::test
