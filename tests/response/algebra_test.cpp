#include "response/algebra.hpp"

#include <gtest/gtest.h>

#include "scenes/random.hpp"

namespace lamella::response {
namespace {

using scenes::Random;

Vec3d random_vector(Random& random) { return {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}; }
Matrix3 random_matrix(Random& random) { return {random_vector(random), random_vector(random), random_vector(random)}; }

double at(const Matrix3& m, int row, int column) { return m[static_cast<std::size_t>(row)][column]; }

/// Compares every entry with what `wanted(row, column)` says.
template <class Wanted>
void expect_entries(const Matrix3& m, const Wanted& wanted) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(at(m, r, c), wanted(r, c), 1e-12) << r << ' ' << c;
}

TEST(Algebra, EntriesAreThoseOfTheDefinitions) {
  Random random(41);
  for (int n = 0; n < 20; ++n) {
    const Matrix3 a = random_matrix(random), b = random_matrix(random);
    const Vec3d v = random_vector(random), w = random_vector(random);
    const double s = random.uniform(-2, 2);
    expect_entries(a + b, [&](int r, int c) { return at(a, r, c) + at(b, r, c); });
    expect_entries(a * s, [&](int r, int c) { return at(a, r, c) * s; });
    expect_entries(transposed(a), [&](int r, int c) { return at(a, c, r); });
    expect_entries(diagonal(s), [&](int r, int c) { return r == c ? s : 0; });
    expect_entries(outer(v, w), [&](int r, int c) { return v[r] * w[c]; });
    expect_entries(a * b, [&](int r, int c) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += at(a, r, k) * at(b, k, c);
      return sum;
    });
    for (int r = 0; r < 3; ++r)
      EXPECT_NEAR((a * v)[r], at(a, r, 0) * v.x + at(a, r, 1) * v.y + at(a, r, 2) * v.z, 1e-12);
    EXPECT_LT(length(cross_matrix(v) * w - cross(v, w)), 1e-12);
  }
}

TEST(Algebra, TheInverseTimesTheMatrixIsOneAndThatOfASingularMatrixIsZero) {
  Random random(42);
  for (int n = 0; n < 20; ++n) {
    const Matrix3 m = random_matrix(random) + diagonal(5);
    expect_entries(inverse(m) * m, [](int r, int c) { return r == c ? 1 : 0; });
  }
  const Matrix3 triangular{Vec3d{2, 7, 5}, {0, 3, 9}, {0, 0, -4}};
  EXPECT_DOUBLE_EQ(determinant(triangular), -24);
  EXPECT_EQ(inverse({Vec3d{1, 2, 3}, {2, 4, 6}, {0, 0, 1}}), Matrix3{});
  const Matrix3 none{};  // named: GCC 13 breaks down over a temporary here
  EXPECT_EQ(inverse(none), none);
}

TEST(Algebra, AQuaternionAndItsMatrixTurnAlike) {
  Random random(43);
  for (int n = 0; n < 20; ++n) {
    const Quaternion q = rotation_about(random.direction(), random.uniform(-3, 3));
    const Matrix3 m = matrix_of(q), tensor = random_matrix(random);
    const Vec3d v = random_vector(random);
    EXPECT_LT(length(m * v - rotate(q, v)), 1e-12);
    // A tensor in the world's axes: turn back, apply, turn.
    EXPECT_LT(length(turned(tensor, m) * v - rotate(q, tensor * rotate(conjugate(q), v))), 1e-12);
  }
}

TEST(Algebra, TheCayleyMapTurnsByTwiceTheArcusTangensOfTheHalf) {
  Random random(44);
  for (int n = 0; n < 20; ++n) {
    const Vec3d axis = random.direction();
    const double size = random.uniform(0, 3);
    const Quaternion q = cayley(axis * size), wanted = rotation_about(axis, 2 * std::atan(size / 2));
    EXPECT_NEAR(q.x, wanted.x, 1e-12);
    EXPECT_NEAR(q.y, wanted.y, 1e-12);
    EXPECT_NEAR(q.z, wanted.z, 1e-12);
    EXPECT_NEAR(q.w, wanted.w, 1e-12);
  }
}

}  // namespace
}  // namespace lamella::response
