// One contact, against the same law written down in axes of its own: the normal along z.
#include "response/contact_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "response/clusters.hpp"

namespace lamella::response {
namespace {

double energy_of(const Matrix3& response, Vec3d velocity, Vec3d impulse) {
  return dot(impulse, velocity) + dot(impulse, response * impulse) / 2;
}

TEST(HarmlessPart, IsTheLargestPartThatStaysWithinTheRoom) {
  Random random(51);
  int whole = 0, none = 0, part = 0;
  for (int n = 0; n < 3000; ++n) {
    const ContactLaw law = random_law(random);
    const Vec3d velocity = random.direction() * random.uniform(0, 3),
                impulse = random.direction() * random.uniform(0, 3);
    const double room = n % 2 == 0 ? 0 : random.uniform(0, 2);
    const double s = harmless_part(law.response, velocity, impulse, room);
    ASSERT_GE(s, 0);
    ASSERT_LE(s, 1);
    const auto energy = [&](double share) { return energy_of(law.response, velocity, impulse * share); };
    EXPECT_LE(energy(s), room + 1e-12);
    if (s < 1) {
      EXPECT_GT(energy(std::min(1.0, s + 1e-6)), room) << "case " << n;
      EXPECT_NEAR(energy(s), room, 1e-12);
    }
    whole += s == 1;
    none += s == 0;
    part += s > 0 && s < 1;
  }
  EXPECT_GT(std::min({whole, none, part}), 200);
}

TEST(HarmlessPart, OfAnImpulseThatMovesNothingIsNoneOrAll) {
  // Without a response the energy is a straight line.
  EXPECT_EQ(harmless_part({}, {0, 0, 1}, {0, 0, 2}, 1), 0);
  EXPECT_EQ(harmless_part({}, {0, 0, 1}, {0, 0, 2}, 2), 1);
  EXPECT_EQ(harmless_part({}, {0, 0, 1}, {0, 0, -2}, 0), 1);
}

/// In axes where z is the normal.
struct Axes {
  Vec3d x, y, z;
  explicit Axes(Vec3d normal) : z(normal) {
    const Vec3d any = std::abs(normal.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    x = cross(any, normal) * (1 / length(cross(any, normal)));
    y = cross(normal, x);
  }
  Vec3d into(Vec3d v) const { return {dot(v, x), dot(v, y), dot(v, z)}; }
  Vec3d out_of(Vec3d v) const { return x * v.x + y * v.y + z * v.z; }
  Matrix3 into(const Matrix3& m) const { return transposed({into(m * x), into(m * y), into(m * z)}); }
};

/// The sum of impulses that the law wants, whatever the energy.
Vec3d wanted_by_hand(const ContactLaw& law, Vec3d velocity, Vec3d impulse, double allowed) {
  const Axes axes(law.normal);
  const Matrix3 k = axes.into(law.response);
  Vec3d v = axes.into(velocity), j = axes.into(impulse);
  v.z += allowed;
  if (j == Vec3d{} && v.z >= 0) return impulse;
  const Vec3d stick = j - inverse(k) * v;
  if (stick.z >= 0 && std::hypot(stick.x, stick.y) <= law.friction * stick.z) return axes.out_of(stick);
  const double along = std::max(0.0, j.z - v.z / k[2].z);
  const double vx = v.x + k[0].z * (along - j.z), vy = v.y + k[1].z * (along - j.z);
  double jx = j.x - vx / (k[0].x + k[1].y), jy = j.y - vy / (k[0].x + k[1].y);
  const double size = std::hypot(jx, jy);
  if (size > law.friction * along) {
    jx *= law.friction * along / size;
    jy *= law.friction * along / size;
  }
  return axes.out_of({jx, jy, along});
}

TEST(ContactLaw, SticksInTheConeAndSlidesBeyondItForAnyContact) {
  Random random(52);
  int stuck = 0, slid = 0, nothing = 0, limited = 0;
  for (int n = 0; n < 4000; ++n) {
    ContactLaw law = random_law(random);
    if (n % 7 == 0) law.friction = 0;
    Vec3d across = random.direction();
    across = across - law.normal * dot(across, law.normal);
    const Vec3d impulse =
        n % 3 == 0 ? Vec3d{} : (law.normal + across * (law.friction * random.uniform())) * random.uniform(0, 2);
    const Vec3d velocity = random.direction() * random.uniform(0, 5);
    const double allowed = n % 2 == 0 ? 0 : random.uniform(0, 1);
    const double room = n % 4 == 0 ? random.uniform(0, 0.2) : 1e6;
    EnergyBudget budget{-room};
    const Vec3d added = added_impulse(law, velocity, impulse, allowed, budget);
    const Vec3d all = wanted_by_hand(law, velocity, impulse, allowed) - impulse;
    const Vec3d shifted = velocity + law.normal * allowed;
    const Vec3d wanted = all * harmless_part(law.response, shifted, all, room);
    EXPECT_LT(length(added - wanted), 1e-9 * (1 + length(wanted))) << "case " << n;
    EXPECT_NEAR(budget.change, std::min(0.0, energy_of(law.response, shifted, added) - room), 1e-9 * (1 + room));
    const Vec3d after = shifted + law.response * added;
    limited += length(all - added) > 1e-6;
    if (length(all - added) > 1e-6) continue;
    nothing += added == Vec3d{};
    stuck += length(after) < 1e-9;
    slid += length(after) > 1e-6 && added != Vec3d{};
  }
  EXPECT_GT(std::min({stuck, slid, nothing}), 100);
  EXPECT_GT(limited, 10);
}

TEST(ContactLaw, LeavesAContactAloneThatApproachesNoFasterThanAllowed) {
  const ContactLaw law{{0, 0, 1}, diagonal(2), diagonal(0.5), 0.5};
  EnergyBudget budget;
  EXPECT_EQ(added_impulse(law, {1, 2, 0}, {}, 0, budget), Vec3d{});
  EXPECT_EQ(added_impulse(law, {1, 2, -1}, {}, 1, budget), Vec3d{});
  EXPECT_EQ(budget.change, 0);
  EXPECT_GT(added_impulse(law, {1, 2, -1.25}, {}, 1, budget).z, 0);
  EXPECT_LT(budget.change, 0);
}

}  // namespace
}  // namespace lamella::response
