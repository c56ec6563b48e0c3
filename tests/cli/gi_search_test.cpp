#include "cli/gi_support.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

class GiSearch : public Gi {};

TEST_F(GiSearch, IsDrawnInARowWhileBComesCloser) {
  const std::string ball = save_sphere("ball.tiff");
  const Outcome outcome = run({"gi", "collide", ball, ball, "--pose-b", "2.1,0,0", "--search", at("row.png"),
                               "--search-steps", "3", "--size", "320x240"});
  EXPECT_EQ(outcome.status, 0);
  const auto [width, height] = png_size(at("row.png"));
  EXPECT_EQ(width, 3 * (320 / 3) + 2 * 12u);
  EXPECT_EQ(height, 120u);
}

TEST_F(GiSearch, OfManyStepsIsAnimated) {
  const std::string ball = save_sphere("ball.tiff");
  EXPECT_EQ(run({"gi", "collide", ball, ball, "--pose-b", "1.5,0,0", "--search", at("film.png"), "--search-steps", "7",
                 "--search-from", "1,0,0", "--size", "160x120"})
                .status,
            1);
  EXPECT_THAT(content(at("film.png")), HasSubstr("acTL"));
  EXPECT_EQ(png_size(at("film.png")), std::pair(160u, 120u));
}

TEST_F(GiSearch, NeedsTwoImages) {
  const std::string ball = save_sphere("ball.tiff");
  expect_refusal({"gi", "collide", ball, "model:box", "--search", at("row.png")}, "one of these is a mesh");
  expect_refusal({"gi", "collide", ball, ball, "--search", at("row.png"), "--search-from", "1,2"}, "three numbers");
}

}  // namespace
}  // namespace lamella::test
