#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <limits>

#include "geometry_image/shapes.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using namespace test;
using std::chrono::nanoseconds;

/// Two surfaces so close that spheres cannot tell them apart: every quad is looked at.
struct Nested {
  ImageBody outer, inner;
  explicit Nested(int n) : outer(make_body({image_of_sphere(n, {}, 1)}, SphereFit::fast)), inner(outer) {
    for (Vec3& p : inner.images[0].positions) p = p * 0.999f;
    refit(inner);
  }
};

/// Whether `b` tells at least as much as `a`.
void expect_no_worse(const ImageCollision& a, const ImageCollision& b) {
  if (a.verdict != Verdict::undecided) {
    EXPECT_EQ(b.verdict, a.verdict);
  }
  if (a.verdict == Verdict::undecided && b.verdict != Verdict::clear) {
    EXPECT_LE(b.within, a.within);
  }
  EXPECT_GE(b.level, a.level);
  EXPECT_GE(b.pairs.size(), a.pairs.size());
  EXPECT_TRUE(!a.complete || b.complete);
}

TEST(ImageCollideLimits, WithoutAnyTestNothingIsKnown) {
  const Nested bodies(4);
  const ImageCollision found = collide(bodies.outer, {}, bodies.inner, {}, {.max_tests = 1});
  EXPECT_EQ(found.verdict, Verdict::undecided);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.level, -1);
  EXPECT_EQ(found.within, std::numeric_limits<double>::infinity());
}

TEST(ImageCollideLimits, MoreTestsNeverGiveAWorseAnswer) {
  std::mt19937 random(1);
  for (int i = 0; i < 40; ++i) {
    const ImageBody a = make_body({lumpy_ball(5, static_cast<unsigned>(i))}), b = make_body({hills(4, 2)});
    const Transform pose = random_pose(random, 1.2);
    for (const bool all : {false, true}) {
      ImageCollision before = collide(a, {}, b, pose, {.all = all, .max_tests = 1});
      for (std::uint64_t tests = 2; tests < 40000; tests = tests * 3 / 2 + 1) {
        const ImageCollision now = collide(a, {}, b, pose, {.all = all, .max_tests = tests});
        expect_no_worse(before, now);
        ASSERT_TRUE(std::equal(before.pairs.begin(), before.pairs.end(), now.pairs.begin()))
            << "a longer search repeats the shorter";
        before = now;
      }
    }
  }
}

TEST(ImageCollideLimits, MoreTestsNeverGiveAWorseAnswerForSeveralImagesAndLevelsAndMeshes) {
  std::mt19937 random(2);
  const auto shifted = [](GeometryImage image, float by) {
    for (Vec3& p : image.positions) p.x += by;
    return image;
  };
  const ImageBody a = make_body({lumpy_ball(3, 1), shifted(lumpy_ball(5, 2), 1)});
  const ImageBody b = make_body({shifted(lumpy_ball(5, 3), 0.5f), lumpy_ball(2, 4)});
  const Mesh mesh = unwelded(b.images[0]);
  for (int i = 0; i < 10; ++i) {
    const Transform pose = random_pose(random, 1.5);
    for (const int max_level : {-1, 2, 7}) {
      for (const bool against_mesh : {false, true}) {
        const auto answer = [&](std::uint64_t tests) {
          const ImageCollideOptions options{.all = i % 2 == 0, .max_level = max_level, .max_tests = tests};
          return against_mesh ? collide(a, {}, mesh, pose, options) : collide(a, {}, b, pose, options);
        };
        ImageCollision before = answer(1);
        for (std::uint64_t tests = 2; tests < 100000; tests *= 2) {
          const ImageCollision now = answer(tests);
          expect_no_worse(before, now);
          before = now;
        }
      }
    }
  }
}

ImageBody row_of_balls(int count) {
  std::vector<GeometryImage> images;
  for (int i = 0; i < count; ++i) images.push_back(image_of_sphere(2, {3.0f * static_cast<float>(i), 0, 0}));
  return make_body(std::move(images));
}

TEST(ImageCollideLimits, BodiesOfManyImagesEndAtTheirLimit) {
  const ImageBody row = row_of_balls(50);
  const ImageCollision found = collide(row, {}, row, {{0, 2.5, 0}, {}}, {.max_tests = 100});
  EXPECT_GE(found.sphere_test_count, 100u);
  EXPECT_LE(found.sphere_test_count, 102u);
  EXPECT_EQ(found.verdict, Verdict::undecided);
  EXPECT_EQ(collide(row, {}, row, {{0, 2.5, 0}, {}}).verdict, Verdict::clear);
}

TEST(ImageCollideLimits, BodiesOfManyImagesThatAreFarApartTakeOneTest) {
  const ImageBody row = row_of_balls(50);
  EXPECT_EQ(collide(row, {}, row, {{0, 200, 0}, {}}).sphere_test_count, 1u);
  EXPECT_LE(collide(row, {}, make_body({image_of_sphere(2)}), {{0, 5, 0}, {}}).sphere_test_count, 60u);
}

TEST(ImageCollideLimits, ABudgetBeyondTheClocksRangeIsNone) {
  const Nested bodies(4);
  const ImageCollision found = collide(bodies.outer, {}, bodies.inner, {}, {.budget = nanoseconds::max()});
  EXPECT_EQ(found.verdict, Verdict::clear);
}

TEST(ImageCollideLimits, ABudgetThatIsSpentAllowsNoTest) {
  const Nested bodies(5);
  const ImageBody row = row_of_balls(50);
  for (const nanoseconds budget : {nanoseconds(1), nanoseconds(-1), nanoseconds::min()}) {
    const ImageCollideOptions options{.budget = budget};
    for (const ImageCollision& found :
         {collide(bodies.outer, {}, bodies.inner, {}, options), collide(row, {}, row, {}, options),
          collide(bodies.outer, {}, to_mesh(bodies.inner.images[0]), {}, options)}) {
      EXPECT_EQ(found.verdict, Verdict::undecided);
      EXPECT_EQ(found.sphere_test_count + found.triangle_test_count, 0u);
    }
  }
}

TEST(ImageCollideLimits, ABodyWithoutPyramidsIsAnErrorAtAnySize) {
  ImageBody empty;
  empty.images.push_back({.n = 0, .positions = std::vector<Vec3>(4), .normals = {}});
  empty.pyramids.emplace_back();  // of the same n
  EXPECT_THROW((void)collide(empty, {}, empty, {}), Error);
}

TEST(ImageCollideLimits, FarFromTheOriginWithinAllowsForRounding) {
  GeometryImage image = image_of_sphere(5);
  for (Vec3& p : image.positions) p = p + Vec3{1e6f, 0, 0};
  const ImageBody a = make_body({image});
  // Of radius 1, and 3.3 from centre to centre: but for the slack no spheres of the bottom would overlap.
  const ImageCollision found = collide(a, {}, a, {{0, 3.3, 0}, {}}, {.max_level = 5});
  ASSERT_TRUE(found.colliding());
  EXPECT_GE(found.within, 1.2) << "the true distance is 1.3, but for roundings";
}

TEST(ImageCollideLimits, UndecidedSurfacesAreAsCloseAsTold) {
  const Nested bodies(6);
  for (const std::uint64_t tests : {100u, 1000u, 10000u}) {
    const ImageCollision found = collide(bodies.outer, {}, bodies.inner, {}, {.max_tests = tests});
    ASSERT_EQ(found.verdict, Verdict::undecided);
    EXPECT_GE(found.within, 0.001 - 1e-6) << "the spheres' true distance";
    EXPECT_NEAR(std::sqrt(dot(found.position, found.position)), 1, found.within);
  }
}

TEST(ImageCollideLimits, ALevelOfDetailLooksAtSpheresAlone) {
  const Nested bodies(5);
  double before = std::numeric_limits<double>::infinity();
  for (int level = 0; level <= 5; ++level) {
    const ImageCollision found = collide(bodies.outer, {}, bodies.inner, {}, {.max_level = level});
    EXPECT_TRUE(found.colliding()) << "their spheres overlap on every level";
    EXPECT_EQ(found.level, level);
    EXPECT_EQ(found.triangle_test_count, 0u);
    EXPECT_THAT(found.pairs, testing::IsEmpty());
    if (level > 2) {
      EXPECT_LT(found.within, before);
    }
    before = found.within;
  }
  EXPECT_EQ(collide(bodies.outer, {}, bodies.inner, {}).verdict, Verdict::clear) << "their triangles do not";
}

TEST(ImageCollideLimits, ACoarserLevelFindsAllThatAFinerFinds) {
  std::mt19937 random(3);
  const ImageBody a = make_body({lumpy_ball(5, 1)}), b = make_body({lumpy_ball(5, 2)});
  int decided_by_detail = 0;
  for (int i = 0; i < 60; ++i) {
    const Transform pose = random_pose(random, 3);
    bool finer = collide(a, {}, b, pose).colliding();
    const bool exact = finer;
    for (int level = 5; level >= 0; --level) {
      const bool coarser = collide(a, {}, b, pose, {.max_level = level}).colliding();
      EXPECT_TRUE(coarser || !finer);
      finer = coarser;
    }
    decided_by_detail += finer != exact ? 1 : 0;
  }
  EXPECT_GT(decided_by_detail, 0);
}

TEST(ImageCollideLimits, AllSpheresOfALevelAreCounted) {
  const ImageBody a = make_body({hills(3, 1)});
  const ImageCollision found = collide(a, {}, a, {}, {.all = true, .max_level = 1});
  EXPECT_GE(found.sphere_pair_count, 4u);
  EXPECT_LE(found.sphere_pair_count, 16u);
  EXPECT_EQ(collide(a, {}, a, {{50, 0, 0}, {}}, {.all = true, .max_level = 1}).sphere_pair_count, 0u);
}

/// Milliseconds that this thread has run: what other processes take from the machine does not count.
double thread_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

class TimeBudget : public testing::TestWithParam<int> {};

// The search looks at the clock of the wall, so its own running time exceeds what it was given by the last few visits
// at most. It may try again: a page fault or an interrupt in its last moments is not the search's.
TEST_P(TimeBudget, IsKeptAndALongerOneIsNoWorse) {
  constexpr int kTries = 10;
  const auto tests = [](const ImageCollision& found) { return found.sphere_test_count + found.triangle_test_count; };
  const Nested bodies(GetParam());
  ImageCollider collider;
  for (const bool all : {false, true}) {
    ImageCollision before;
    for (const int ms : {1, 5, 15}) {
      double taken = std::numeric_limits<double>::infinity();
      ImageCollision found;
      for (int i = 0; i < kTries && taken > ms * 1.05; ++i) {
        const double begin = thread_ms();
        found = collider.collide(bodies.outer, {}, bodies.inner, {}, {.all = all, .budget = nanoseconds(ms * 1000000)});
        taken = thread_ms() - begin;
      }
      EXPECT_LE(taken, ms * 1.05);
      EXPECT_NE(found.verdict, Verdict::colliding);
      if (GetParam() >= 10) {
        EXPECT_EQ(found.verdict, Verdict::undecided) << "more work than time";
      }
      // On a busy machine more time may hold less work.
      if (ms > 1 && tests(found) >= tests(before)) expect_no_worse(before, found);
      before = found;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, TimeBudget, testing::Values(6, 7, 8, 9, 10, 11, 12),
                         [](const auto& level) { return "Side" + std::to_string((1 << level.param) + 1); });

}  // namespace
}  // namespace lamella
