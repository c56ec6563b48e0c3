// Every phase of the solver beside a plain twin: energies are measured on the bodies, parts searched for by halving.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "response/clusters.hpp"
#include "response/levels.hpp"

namespace lamella::response {
namespace {

/// With thickness, fixed bodies and objects of which some are not found.
Cluster rich_cluster(Random& random, std::size_t count) {
  Cluster c = random_cluster(random, count);
  for (std::size_t i = 0; i < count; ++i) {
    c.materials[i].thickness = random.uniform(0.5, 20);
    if (random.next() % 4 != 0) continue;
    c.bodies[i].inverse_mass = 0;
    c.bodies[i].inverse_inertia = {};
  }
  gather(c);
  return c;
}

void expect_same(Vec3d a, Vec3d b, double tolerance = 1e-11) { EXPECT_LT(length(a - b), tolerance * (1 + length(b))); }
void expect_same(const Matrix3& a, const Matrix3& b, double tolerance = 1e-11) {
  for (std::size_t i = 0; i < 3; ++i) expect_same(a[i], b[i], tolerance);
}
void expect_same_motion(std::span<const SolverBody> a, std::span<const SolverBody> b, double tolerance = 1e-11) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    expect_same(a[i].velocity, b[i].velocity, tolerance);
    expect_same(a[i].angular_velocity, b[i].angular_velocity, tolerance);
  }
}

/// Turns every pair round: what was a is b.
Cluster mirrored(Cluster c) {
  for (SolverPair& pair : c.set.pairs) {
    std::swap(pair.a, pair.b);
    std::swap(pair.object_a, pair.object_b);
  }
  for (SolverContact& contact : c.set.contacts) {
    std::swap(contact.a, contact.b);
    std::swap(contact.arm_a, contact.arm_b);
    contact.law.normal = -contact.law.normal;
    contact.impulse = -contact.impulse;
  }
  for (RememberedImpulse& r : c.set.remembered) std::swap(r.a, r.b);
  return c;
}

// ------------------------------------------------------------------------------------------------------- one contact

TEST(SolverContact, AnImpulseChangesTheRelativeVelocityByTheResponse) {
  Random random(61);
  for (int n = 0; n < 100; ++n) {
    Cluster c = rich_cluster(random, 2);
    for (const SolverContact& contact : c.set.contacts) {
      const std::vector<SolverBody> before = c.bodies;
      const auto point_velocity = [](const SolverBody& s, Vec3d arm) {
        return s.velocity + cross(s.angular_velocity, arm);
      };
      const Vec3d relative =
          point_velocity(before[contact.a], contact.arm_a) - point_velocity(before[contact.b], contact.arm_b);
      expect_same(relative_velocity(contact, before), relative);
      const Vec3d j = random.direction() * random.uniform(0, 3);
      give(contact, j, c.bodies);
      expect_same(relative_velocity(contact, c.bodies) - relative, contact.law.response * j);
      for (const auto& [slot, arm, sign] :
           {std::tuple{contact.a, contact.arm_a, 1.0}, {contact.b, contact.arm_b, -1.0}}) {
        const SolverBody &was = before[slot], &is = c.bodies[slot];
        expect_same(is.velocity - was.velocity, j * (sign * was.inverse_mass));
        expect_same(is.angular_velocity - was.angular_velocity, was.inverse_inertia * cross(arm, j) * sign);
      }
    }
  }
}

TEST(SolverContact, MayApproachUntilHalfTheSlopIsLeft) {
  SolverContact c;
  c.slop = 0.02;
  c.gap = 0.03;
  EXPECT_DOUBLE_EQ(c.allowed(0.5), 0.08);
  c.gap = -0.005;
  EXPECT_DOUBLE_EQ(c.allowed(0.5), 0.01);
  c.gap = -0.02;
  EXPECT_EQ(c.allowed(0.5), 0);
}

TEST(SolverContact, ASweepIsTheLastWhenItChangesHardlyAnything) {
  Convergence convergence;
  EXPECT_TRUE(convergence.reached());
  convergence.see({3e-9, 0, 0}, {0, 0, 1});
  EXPECT_TRUE(convergence.reached());
  convergence.see({0, 1.1e-8, 0}, {});
  EXPECT_FALSE(convergence.reached());
  convergence.see({}, {0.6, 0, 0});
  EXPECT_TRUE(convergence.reached());
}

TEST(SolverContact, StopsApproachAlongTheNormalAlone) {
  Random random(62);
  int stopped = 0, left = 0;
  for (int n = 0; n < 200; ++n) {
    Cluster c = rich_cluster(random, 2);
    for (SolverContact& contact : c.set.contacts) {
      contact.gap = random.uniform(-0.01, 0.05);
      contact.impulse = random.direction();
      const std::vector<SolverBody> before = c.bodies;
      const Vec3d given = contact.impulse, n_ = contact.law.normal;
      const double speed = -dot(relative_velocity(contact, before), n_), allowed = contact.allowed(kStep);
      stop_approach(contact, c.bodies, kStep);
      const double now = -dot(relative_velocity(contact, c.bodies), n_);
      EXPECT_NEAR(now, std::min(speed, allowed), 1e-9);
      const Vec3d added = contact.impulse - given;
      expect_same(added, n_ * dot(added, n_));
      if (speed <= allowed) {
        EXPECT_EQ(added, Vec3d{});
      }
      stopped += speed > allowed;
      left += speed <= allowed;
    }
  }
  EXPECT_GT(std::min(stopped, left), 100);
}

// ------------------------------------------------------------------------------------------------------------ gather

/// Where the body's point that is at `p` in the predicted pose was at the start, by matrices.
Vec3d at_start(const SolverBody& s, Vec3d p) {
  const Vec3d local = transposed(matrix_of(s.predicted.rotation)) * (p - s.predicted.translation);
  return matrix_of(s.pose.rotation) * local + s.pose.translation;
}

TEST(Gather, MakesContactsAsTheHeaderSays) {
  Random random(63);
  int taken = 0, too_short = 0, too_long = 0, too_thin = 0, between_fixed = 0;
  for (int n = 0; n < 200; ++n) {
    Cluster c = rich_cluster(random, 4);
    for (ScenePair& pair : c.found.pairs)
      if (random.next() % 2 == 0) pair.volume = random.uniform(0, 1e-5);
    for (Contact& contact : c.found.contacts)
      if (random.next() % 3 == 0) contact.normal = contact.normal * static_cast<float>(random.uniform(0.3, 2.5));
    c.set.impulse_count = 99;
    gather(c);
    EXPECT_EQ(c.set.impulse_count, 0u);
    std::size_t at = 0, pair_at = 0;
    for (const ScenePair& pair : c.found.pairs) {
      const std::uint32_t a = pair.a.number, b = pair.b.number;
      const SolverBody &body_a = c.bodies[a], &body_b = c.bodies[b];
      if (body_a.inverse_mass == 0 && body_b.inverse_mass == 0) {
        ++between_fixed;
        continue;
      }
      const std::size_t first = at;
      for (std::uint32_t k = 0; k < pair.contact_count; ++k) {
        const Contact& found = c.found.contacts[pair.first_contact + k];
        const double size = length(to_double(found.normal)), depth = found.depth;
        too_short += size <= 0.5;
        too_long += size >= 2;
        const bool thin = pair.volume && *pair.volume <= depth * depth * depth / 16;
        too_thin += thin;
        if (size <= 0.5 || size >= 2 || thin) continue;
        ++taken;
        ASSERT_LT(at, c.set.contacts.size());
        const SolverContact& made = c.set.contacts[at++];
        EXPECT_EQ(made.a, a);
        EXPECT_EQ(made.b, b);
        EXPECT_EQ(made.id, found.id);
        EXPECT_EQ(made.impulse, Vec3d{});
        const Vec3d normal = to_double(found.normal) * (1 / size);
        expect_same(made.law.normal, normal);
        EXPECT_EQ(made.law.friction, std::max(c.materials[a].friction, c.materials[b].friction));
        const Vec3d on_a = at_start(body_a, found.position), on_b = at_start(body_b, found.position);
        // The point moves from b's own to a's by the share that a has of the two inverse masses.
        const double share = body_a.inverse_mass / (body_a.inverse_mass + body_b.inverse_mass);
        const Vec3d point = on_b + (on_a - on_b) * share;
        expect_same(made.arm_a, point - body_a.center);
        expect_same(made.arm_b, point - body_b.center);
        EXPECT_DOUBLE_EQ(made.slop, std::min(c.materials[a].thickness, c.materials[b].thickness) / 1024);
        EXPECT_NEAR(made.gap, dot(on_a, normal) - dot(on_b, normal) - depth, 1e-11);
        expect_same(made.law.response * made.law.inverse, diagonal(1), 1e-9);
      }
      if (at == first) continue;
      ASSERT_LT(pair_at, c.set.pairs.size());
      const SolverPair& made = c.set.pairs[pair_at++];
      EXPECT_EQ(made.object_a, pair.a);
      EXPECT_EQ(made.object_b, pair.b);
      EXPECT_EQ(made.a, a);
      EXPECT_EQ(made.b, b);
      EXPECT_EQ(made.first, first);
      EXPECT_EQ(made.count, at - first);
      EXPECT_EQ(made.restitution, std::min(c.materials[a].restitution, c.materials[b].restitution));
    }
    EXPECT_EQ(at, c.set.contacts.size());
    EXPECT_EQ(pair_at, c.set.pairs.size());
  }
  EXPECT_GT(std::min({taken, too_short, too_long, too_thin, between_fixed}), 20);
}

// -------------------------------------------------------------------------------------------------------- collisions

/// One pair: brought to rest in up to eight sweeps, then the largest part of the restitution that adds no energy.
void collide_by_hand(Cluster& c) {
  const double before = energy(c);
  for (SolverContact& contact : c.set.contacts) contact.impulse = {};
  EnergyBudget budget;
  for (int sweep = 0; sweep < 8; ++sweep) {
    double changed = 0, given = 0;
    for (SolverContact& contact : c.set.contacts) {
      const Vec3d added = added_impulse(contact.law, relative_velocity(contact, c.bodies), contact.impulse, 0, budget);
      contact.impulse += added;
      give(contact, added, c.bodies);
      changed += dot(added, added);
      given += dot(contact.impulse, contact.impulse);
    }
    if (changed <= 1e-16 * given) break;
  }
  const auto with = [&](double share) {
    Cluster d = c;
    for (const SolverContact& contact : c.set.contacts) give(contact, contact.impulse * share, d.bodies);
    return d;
  };
  double low = 0, high = c.set.pairs[0].restitution;
  if (energy(with(high)) <= before * (1 + 1e-14)) {
    low = high;
  } else {
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (energy(with(middle)) <= before ? low : high) = middle;
    }
  }
  c = with(low);
}

bool approaches(const Cluster& c, double least) {
  for (const SolverContact& contact : c.set.contacts)
    if (dot(relative_velocity(contact, c.bodies), contact.law.normal) < -least) return true;
  return false;
}

TEST(CollisionPhase, BringsAPairToRestAndGivesBackWhatAddsNoEnergy) {
  Random random(64);
  int collided = 0, limited = 0;
  for (int n = 0; n < 300; ++n) {
    Cluster c = rich_cluster(random, 2);
    if (c.set.pairs.empty()) continue;
    for (SolverBody& s : c.bodies)  // a fixed body that moves does work
      if (s.inverse_mass == 0) s.velocity = s.angular_velocity = {};
    if (n % 3 == 0) c.set.pairs[0].restitution = 1;
    const double least = n % 2 == 0 ? 0 : random.uniform(0, 2);
    Cluster plain = c;
    for (const unsigned rounds : {0u, 1u, 3u}) {
      Cluster solved = c;
      collision_phase(solved.set, solved.bodies, rounds, least);
      plain = c;
      std::uint32_t impulses = 0;
      for (unsigned i = 0; i < rounds && approaches(plain, least); ++i) {
        collide_by_hand(plain);
        impulses += c.set.pairs[0].count;
      }
      EXPECT_EQ(solved.set.impulse_count, impulses);
      // Where the energy's parabola is flat, halving finds its root to half the digits only.
      expect_same_motion(solved.bodies, plain.bodies, 1e-6);
      collided += impulses > 0;
      limited += rounds == 1 && impulses > 0 && energy(solved) > energy(c) * (1 - 1e-12);
    }
  }
  EXPECT_GT(collided, 100);
  EXPECT_GT(limited, 5);
}

TEST(CollisionPhase, TakesPairsInTurnUntilNoneApproachesAndIgnoresWhichIsA) {
  Random random(65);
  for (int n = 0; n < 100; ++n) {
    const Cluster c = rich_cluster(random, 4);
    Cluster once = c, twin = mirrored(c);
    collision_phase(once.set, once.bodies, 4, 0.1);
    collision_phase(twin.set, twin.bodies, 4, 0.1);
    expect_same_motion(once.bodies, twin.bodies, 1e-9);
    // Round by round, pair by pair.
    Cluster steps = c;
    std::uint32_t impulses = 0;
    for (int round = 0; round < 4; ++round)
      for (const SolverPair& pair : c.set.pairs) {
        ContactSet one;
        for (std::uint32_t k = 0; k < pair.count; ++k) one.contacts.push_back(c.set.contacts[pair.first + k]);
        one.pairs = {pair};
        one.pairs[0].first = 0;
        collision_phase(one, steps.bodies, 1, 0.1);
        impulses += one.impulse_count;
      }
    expect_same_motion(once.bodies, steps.bodies);
    EXPECT_EQ(once.set.impulse_count, impulses);
  }
}

TEST(CollisionPhase, LeavesAPairThatApproachesNoFasterThanTheLeast) {
  Cluster c = cube_on_floor(0.5, 0, {0, 0, -1});
  collision_phase(c.set, c.bodies, 5, 1);
  EXPECT_EQ(c.bodies[1].velocity, (Vec3d{0, 0, -1}));
  EXPECT_EQ(c.set.impulse_count, 0u);
  collision_phase(c.set, c.bodies, 5, 0.999);
  EXPECT_NEAR(c.bodies[1].velocity.z, 0.5, 1e-3);
  EXPECT_EQ(c.set.impulse_count, 4u);
}

// ---------------------------------------------------------------------------------------------------------- contacts

TEST(WarmStart, RecallsNineTenthsOfWhatTheSameContactGaveScaledByTime) {
  Random random(66);
  int known = 0, unknown = 0;
  for (int n = 0; n < 100; ++n) {
    Cluster c = random_cluster(random, 5);
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    std::map<Key, double> memory;  // ascending, as remembered
    for (std::uint32_t a = 0; a < 5; ++a)
      for (std::uint32_t b = a + 1; b < 5; ++b)
        for (std::uint32_t id = 1; id < 9; ++id)
          if (random.next() % 3 == 0) memory[{a, b, id}] = 1e-9 * random.uniform(1, 2);  // too little to cost energy
    c.set.remembered.clear();
    for (const auto& [key, impulse] : memory)
      c.set.remembered.push_back({{std::get<0>(key)}, {std::get<1>(key)}, std::get<2>(key), impulse});
    c.set.remembered_seconds = n % 10 == 0 ? 0 : 0.02;
    // Approaching all of them, so that giving them takes energy.
    for (SolverContact& contact : c.set.contacts) contact.law.normal = random.direction();
    for (SolverContact& contact : c.set.contacts)
      if (dot(relative_velocity(contact, c.bodies), contact.law.normal) > 0) contact.law.normal = -contact.law.normal;
    for (SolverContact& contact : c.set.contacts) contact.gap = -1, contact.impulse = {7, 7, 7};
    (void)start_warm(c.set, c.bodies, 0.01);
    for (const SolverPair& pair : c.set.pairs)
      for (const SolverContact& contact : c.set.of(pair)) {
        const auto found = memory.find({pair.object_a.number, pair.object_b.number, contact.id});
        const double wanted = found == memory.end() || n % 10 == 0 ? 0 : 0.9 * found->second * 0.01 / 0.02;
        expect_same(contact.impulse * 1e9, contact.law.normal * (wanted * 1e9));
        known += wanted > 0;
        unknown += wanted == 0;
      }
  }
  EXPECT_GT(std::min(known, unknown), 200);
}

TEST(WarmStart, GivesThePartOfTheImpulsesThatLeavesTheLeastEnergy) {
  Random random(67);
  int whole = 0, part = 0, none = 0;
  for (int n = 0; n < 300; ++n) {
    Cluster c = rich_cluster(random, 3);
    for (SolverContact& contact : c.set.contacts) {
      contact.gap = random.uniform(-0.02, 0.02);
      contact.impulse = contact.law.normal * (random.uniform(0, 1) * (n % 3 == 0 ? 10 : n % 3 == 1 ? 1 : 0.1));
    }
    remember(c.set, kStep);
    ASSERT_EQ(c.set.remembered.size(), c.set.contacts.size());
    EXPECT_EQ(c.set.remembered_seconds, kStep);
    for (std::size_t i = 0; i < c.set.contacts.size(); ++i)
      EXPECT_NEAR(c.set.remembered[i].impulse, length(c.set.contacts[i].impulse), 1e-12);
    const std::vector<Vec3d> all = [&] {
      std::vector<Vec3d> impulses;
      for (const SolverContact& contact : c.set.contacts) impulses.push_back(contact.impulse * 0.9);
      return impulses;
    }();
    // Kinetic energy, and what the allowed speeds of approach are worth. Fixed bodies do work as well.
    const auto change = [&](double share) {
      double sum = 0;
      Cluster d = c;
      for (std::size_t i = 0; i < all.size(); ++i) give(c.set.contacts[i], all[i] * share, d.bodies);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const SolverContact& contact = c.set.contacts[i];
        const Vec3d mean = (relative_velocity(contact, c.bodies) + relative_velocity(contact, d.bodies)) * 0.5;
        sum += share * (dot(all[i], mean) + length(all[i]) * contact.allowed(kStep));
      }
      return sum;
    };
    // A parabola through 0: the least is where three of its points say.
    const double half = change(0.5), full = change(1), slope = 4 * half - full, curve = 2 * (full - slope);
    const double share = full <= 0 ? 1 : slope < 0 ? -slope / curve : 0;
    Cluster given = c;
    const EnergyBudget budget = start_warm(given.set, given.bodies, kStep);
    EXPECT_NEAR(budget.change, std::min(0.0, change(share)), 1e-9 * (1 + std::abs(full)));
    for (std::size_t i = 0; i < all.size(); ++i) {
      expect_same(given.set.contacts[i].impulse, all[i] * share, 1e-8);
      give(c.set.contacts[i], all[i] * share, c.bodies);
    }
    expect_same_motion(given.bodies, c.bodies, 1e-8);
    whole += share == 1;
    part += share > 0 && share < 1;
    none += share == 0;
  }
  EXPECT_GT(std::min({whole, part, none}), 20) << whole << ' ' << part << ' ' << none;
}

TEST(ContactPhase, IsAWarmStartSweepsAndTwoSweepsAlongTheNormals) {
  Random random(68);
  int early = 0, driven = 0;
  for (int n = 0; n < 200; ++n) {
    Cluster c = rich_cluster(random, n % 2 == 0 ? 2 : 4);
    for (SolverContact& contact : c.set.contacts) {
      contact.gap = random.uniform(-0.05, 0.02);
      contact.impulse = contact.law.normal * random.uniform(0, 1);
    }
    remember(c.set, kStep / 2);
    Cluster plain = c, twin = mirrored(c);
    const unsigned sweeps = n % 5 == 0 ? 100 : n % 4;
    contact_phase(c.set, c.bodies, kStep, sweeps);
    contact_phase(twin.set, twin.bodies, kStep, sweeps);

    EnergyBudget budget = start_warm(plain.set, plain.bodies, kStep);
    std::uint32_t impulses = 0;
    for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
      double changed = 0, given = 0;
      for (SolverContact& contact : plain.set.contacts) {
        const Vec3d added = added_impulse(contact.law, relative_velocity(contact, plain.bodies), contact.impulse,
                                          contact.allowed(kStep), budget);
        if (added == Vec3d{}) continue;
        ++impulses;
        contact.impulse += added;
        give(contact, added, plain.bodies);
        changed += dot(added, added);
        given += dot(contact.impulse, contact.impulse);
      }
      if (changed <= 1e-16 * given) {
        early += sweep + 1 < sweeps;
        break;
      }
    }
    const std::vector<SolverBody> before_last = plain.bodies;
    for (int sweep = 0; sweep < 2; ++sweep)
      for (SolverContact& contact : plain.set.contacts) stop_approach(contact, plain.bodies, kStep);
    for (std::size_t i = 0; i < before_last.size(); ++i) driven += before_last[i].velocity != plain.bodies[i].velocity;

    expect_same_motion(c.bodies, plain.bodies, 1e-14);
    if (n % 2 == 0) expect_same_motion(c.bodies, twin.bodies, 1e-8);
    EXPECT_EQ(c.set.impulse_count, impulses);
    ASSERT_EQ(c.set.remembered.size(), plain.set.contacts.size());
    for (const SolverPair& pair : plain.set.pairs)
      for (std::uint32_t k = pair.first; k < pair.first + pair.count; ++k) {
        const RememberedImpulse& r = c.set.remembered[k];
        const SolverContact& contact = plain.set.contacts[k];
        EXPECT_EQ(r.a, pair.object_a);
        EXPECT_EQ(r.b, pair.object_b);
        EXPECT_EQ(r.id, contact.id);
        EXPECT_NEAR(r.impulse, dot(contact.impulse, contact.law.normal), 1e-12);
      }
    EXPECT_EQ(c.set.remembered_seconds, kStep);
  }
  EXPECT_GT(early, 5);
  EXPECT_GT(driven, 20);
}

// ---------------------------------------------------------------------------------------------------------- push-out

TEST(PushOut, OfOneContactTakesThreeTenthsOfTheDepthBeyondTheSlop) {
  for (const double depth : {0.001, 0.0021, 0.05, 0.1, 0.6, 0.7, 1.0, 5.0}) {
    Random random(69);
    Cluster c = random_cluster(random, 2);
    c.set.contacts.resize(1);
    c.set.pairs[0].count = 1;
    SolverContact& contact = c.set.contacts[0];
    contact.slop = 0.002;
    // The depth at the end of the substep, of which a part is still to come.
    const double to_come = -kStep * dot(contact.law.normal, relative_velocity(contact, c.bodies));
    contact.gap = to_come - depth;
    const std::uint32_t pushed = push_out(c.set, c.bodies, kStep, {});
    const double wanted = std::min(0.3 * (depth - 0.002), 0.2);
    EXPECT_EQ(pushed, wanted > 0 ? 1u : 0u) << depth;
    const auto moved = [&](const SolverBody& s, Vec3d arm) { return s.shift + cross(s.turn, arm); };
    const Vec3d apart = moved(c.bodies[0], contact.arm_a) - moved(c.bodies[1], contact.arm_b);
    EXPECT_NEAR(dot(apart, contact.law.normal), std::max(0.0, wanted), 1e-12) << depth;
    expect_same(c.bodies[0].shift * (1 / c.bodies[0].inverse_mass),
                c.bodies[1].shift * (-1 / c.bodies[1].inverse_mass));
    if (wanted > 0) {
      EXPECT_GT(dot(c.bodies[0].shift, contact.law.normal), 0);
    }
  }
}

TEST(PushOut, OfManyContactsIsSixSweepsOfPushesThatOnlyPush) {
  Random random(70);
  int counted = 0, released = 0;
  for (int n = 0; n < 200; ++n) {
    Cluster c = rich_cluster(random, 4);
    for (SolverContact& contact : c.set.contacts) {
      contact.slop = random.uniform(0.0001, 0.002);
      contact.gap = random.uniform(-0.1, 0.05);
      contact.push = 5;  // of the last substep
    }
    for (SolverBody& s : c.bodies) s.level = kNoLevel;
    // The same as velocities: bodies at rest, and the speed that is wanted.
    Cluster still = c;
    for (SolverBody& s : still.bodies) s.velocity = s.angular_velocity = {};
    std::vector<double> wanted, given(c.set.contacts.size(), 0);
    std::uint32_t deep = 0;
    for (const SolverContact& contact : c.set.contacts) {
      const double depth = -contact.gap - kStep * dot(contact.law.normal, relative_velocity(contact, c.bodies));
      wanted.push_back(std::min(0.3 * (depth - contact.slop), 100 * contact.slop));
      deep += wanted.back() > 0;
    }
    for (int sweep = 0; sweep < 6; ++sweep)
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const SolverContact& contact = c.set.contacts[i];
        if (wanted[i] <= 0) continue;
        const Vec3d normal = contact.law.normal;
        const double now = dot(normal, relative_velocity(contact, still.bodies));
        const double next = std::max(0.0, given[i] + (wanted[i] - now) / dot(normal, contact.law.response * normal));
        released += next < given[i];
        give(contact, normal * (next - given[i]), still.bodies);
        given[i] = next;
      }
    const std::vector<SolverBody> before = c.bodies;
    EXPECT_EQ(push_out(c.set, c.bodies, kStep, {0, 0, -9.81}), deep);
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
      expect_same(c.bodies[i].shift, still.bodies[i].velocity, 1e-12);
      expect_same(c.bodies[i].turn, still.bodies[i].angular_velocity, 1e-12);
    }
    expect_same_motion(c.bodies, before, 1e-15);
    counted += deep > 0;
  }
  EXPECT_GT(counted, 100);
  EXPECT_GT(released, 100);
}

TEST(PushOut, ABodyThatRestsPaysForItsLiftWithItsMotion) {
  Random random(71);
  int slowed = 0, stopped = 0, unlifted = 0;
  for (int n = 0; n < 300; ++n) {
    Cluster c = random_cluster(random, 2);
    const Vec3d gravity = random.direction() * random.uniform(1, 20);
    for (SolverContact& contact : c.set.contacts) contact.slop = 0.002, contact.gap = -random.uniform(0, 0.2);
    for (std::size_t i = 0; i < 2; ++i) {
      c.bodies[i].level = static_cast<int>(i) + (n % 4 == 0 ? 0 : 1);
      c.bodies[i].base_velocity = random.direction();
      if (n % 2 == 0) {  // nearly at rest, as its base sees it
        c.bodies[i].velocity = c.bodies[i].base_velocity + random.direction() * 0.01;
        c.bodies[i].angular_velocity = random.direction() * 0.01;
      }
    }
    const std::vector<SolverBody> before = c.bodies;
    (void)push_out(c.set, c.bodies, kStep, gravity);
    for (std::size_t i = 0; i < 2; ++i) {
      const SolverBody &was = before[i], &is = c.bodies[i];
      const double mass = 1 / was.inverse_mass, lift = -mass * dot(gravity, is.shift);
      const auto motion = [&](const SolverBody& s) {
        const Vec3d v = s.velocity - s.base_velocity;
        return mass * dot(v, v) / 2 + dot(s.angular_velocity, inverse(s.inverse_inertia) * s.angular_velocity) / 2;
      };
      if (was.level <= 0 || lift <= 0) {
        EXPECT_EQ(is.velocity, was.velocity);
        EXPECT_EQ(is.angular_velocity, was.angular_velocity);
        ++unlifted;
        continue;
      }
      EXPECT_NEAR(motion(is), std::max(0.0, motion(was) - lift), 1e-10 * (1 + motion(was)));
      // Slower, in the same direction.
      expect_same(cross(is.velocity - is.base_velocity, was.velocity - was.base_velocity), {}, 1e-12);
      EXPECT_GE(dot(is.velocity - is.base_velocity, was.velocity - was.base_velocity), 0);
      expect_same(cross(is.angular_velocity, was.angular_velocity), {}, 1e-12);
      EXPECT_GE(dot(is.angular_velocity, was.angular_velocity), 0);
      (motion(was) > lift ? slowed : stopped) += 1;
    }
  }
  EXPECT_GT(std::min({slowed, stopped, unlifted}), 20) << slowed << ' ' << stopped << ' ' << unlifted;
}

// ------------------------------------------------------------------------------------------------------------ levels

/// Bodies whose contacts say who stands on whom.
struct Pile {
  Cluster c;
  Vec3d up;

  Pile(Random& random, std::uint32_t count, Vec3d upwards) : up(upwards) {
    for (std::uint32_t i = 0; i < count; ++i) {
      c.bodies.push_back(random_body(random, random.uniform(0.1, 10)));
      c.materials.emplace_back();
      c.materials.back().friction = random.uniform(0, 1);
    }
  }
  void fix(std::uint32_t i) {
    c.bodies[i].inverse_mass = 0;
    c.bodies[i].inverse_inertia = {};
  }
  /// A contact whose normal, from b to a, has the component `height` along up.
  Contact contact(Random& random, double height) const {
    Vec3d across = cross(up, random.direction());
    across = across * (1 / length(across));
    Contact contact;
    contact.normal = to_float(up * height + across * std::sqrt(1 - height * height));
    contact.position = random.direction();
    contact.depth = static_cast<float>(random.uniform(0, 0.01));
    contact.id = 1;
    return contact;
  }
  void touch(Random& random, std::uint32_t a, std::uint32_t b, std::initializer_list<double> heights) {
    c.found.pairs.push_back(pair_of(a, b, c.found.contacts.size(), static_cast<std::uint32_t>(heights.size())));
    for (const double height : heights) c.found.contacts.push_back(contact(random, height));
  }
};

constexpr Vec3d kUp{0, 0, 1};

TEST(ContactGraph, ANormalSupportsWhenATenthOfItPointsUp) {
  Random random(72);
  for (const bool swapped : {false, true})
    for (const double height : {0.11, 0.09, -0.09, -0.11, 1.0, -1.0}) {
      Pile pile(random, 2, kUp);
      const std::uint32_t ground = swapped ? 1 : 0, body = 1 - ground;
      pile.fix(ground);
      pile.touch(random, 0, 1, {height});
      gather(pile.c);
      ContactGraph graph;
      graph.find_levels(pile.c.set, pile.c.bodies, kUp);
      const double upwards = swapped ? height : -height;  // of the normal towards the body
      EXPECT_EQ(pile.c.bodies[body].level, upwards > 0.1 ? 1 : kNoLevel) << height;
      EXPECT_EQ(pile.c.bodies[ground].level, 0);
      EXPECT_EQ(pile.c.bodies[ground].base_velocity, pile.c.bodies[ground].velocity);
      EXPECT_EQ(pile.c.bodies[body].base_velocity, upwards > 0.1 ? pile.c.bodies[ground].velocity : Vec3d{});
    }
}

TEST(ContactGraph, LevelsAreTheLongestWaysFromTheGroundThroughGroups) {
  Random random(73);
  int grouped = 0, high = 0, loose = 0;
  for (int n = 0; n < 300; ++n) {
    const std::uint32_t count = 3 + random.next() % 8;
    const Vec3d up = random.direction();
    Pile pile(random, count, up);
    for (std::uint32_t i = 0; i < count; ++i)
      if (random.next() % 4 == 0) pile.fix(i);
    const auto is_fixed = [&](std::uint32_t i) { return pile.c.bodies[i].inverse_mass == 0; };
    // Bodies get heights by a random order; only neighbours in it hold each other both ways, so there are no circles.
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
    for (std::uint32_t i = count; i-- > 1;) std::swap(order[i], order[random.next() % (i + 1)]);
    std::vector<std::uint32_t> rank(count), group(count);
    for (std::uint32_t i = 0; i < count; ++i) rank[order[i]] = i;
    for (std::uint32_t i = 0; i < count; ++i) group[i] = i;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stands;  // upper, lower
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b) {
        if (random.next() % 3 != 0) continue;
        const bool neighbours = rank[a] + 1 == rank[b] || rank[b] + 1 == rank[a];
        if (neighbours && random.next() % 3 == 0) {
          pile.touch(random, a, b, {0.5, -0.5, 0.05});
          if (!is_fixed(a) && !is_fixed(b)) {
            const std::uint32_t from = group[a], to = group[b];
            for (std::uint32_t& g : group)
              if (g == from) g = to;
            ++grouped;
          } else if (!is_fixed(a)) {
            stands.push_back({a, b});
          } else if (!is_fixed(b)) {
            stands.push_back({b, a});
          }
          continue;
        }
        const bool a_above = rank[a] > rank[b];
        pile.touch(random, a, b, {a_above ? 0.5 : -0.5, 0.05});
        const std::uint32_t upper = a_above ? a : b, lower = a_above ? b : a;
        if (!is_fixed(upper)) stands.push_back({upper, lower});
      }
    gather(pile.c);
    ContactGraph graph;
    graph.find_levels(pile.c.set, pile.c.bodies, up);

    // Raised again and again until nothing changes.
    std::vector<int> level(count);
    for (std::uint32_t i = 0; i < count; ++i) level[i] = is_fixed(i) ? 0 : kNoLevel;
    for (std::uint32_t repeat = 0; repeat < 2 * count; ++repeat)
      for (const auto& [upper, lower] : stands) {
        if (group[upper] == group[lower] || level[lower] == kNoLevel) continue;
        const int raised = std::max(level[upper], level[lower] + 1);
        for (std::uint32_t i = 0; i < count; ++i)
          if (group[i] == group[upper]) level[i] = raised;
      }
    for (std::uint32_t i = 0; i < count; ++i) {
      EXPECT_EQ(pile.c.bodies[i].level, level[i]) << "case " << n << ", body " << i;
      high += level[i] > 1;
      loose += level[i] == kNoLevel;
      if (level[i] <= 0) {
        EXPECT_EQ(pile.c.bodies[i].base_velocity, is_fixed(i) ? pile.c.bodies[i].velocity : Vec3d{});
        continue;
      }
      // It moves with the first of the highest supports.
      for (const auto& [upper, lower] : stands)
        if (group[upper] == group[i] && group[lower] != group[i] && level[lower] + 1 == level[i]) {
          EXPECT_EQ(pile.c.bodies[i].base_velocity, pile.c.bodies[lower].base_velocity) << "case " << n;
          break;
        }
    }
  }
  EXPECT_GT(std::min({grouped, high, loose}), 50);
}

TEST(ContactGraph, ACircleIsCutAtItsLowestBodyWhicheverWayIsUp) {
  for (const Vec3d up : {Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, 1}})
    for (std::uint32_t lowest = 1; lowest < 4; ++lowest) {
      Random random(74);
      Pile pile(random, 4, up);
      pile.fix(0);
      for (std::uint32_t i = 1; i < 4; ++i) pile.c.bodies[i].center = up * (i == lowest ? 0.5 : 1.0 + i);
      // 1 on 2, 2 on 3, 3 on 1; all of them on the ground.
      for (std::uint32_t i = 1; i < 4; ++i) pile.touch(random, 0, i, {-0.9});
      pile.touch(random, 1, 2, {0.9});
      pile.touch(random, 2, 3, {0.9});
      pile.touch(random, 1, 3, {-0.9});
      gather(pile.c);
      ContactGraph graph;
      graph.find_levels(pile.c.set, pile.c.bodies, up);
      const auto standing_on = [](std::uint32_t lower) { return lower == 1 ? 3u : lower - 1; };
      EXPECT_EQ(pile.c.bodies[lowest].level, 1);
      EXPECT_EQ(pile.c.bodies[standing_on(lowest)].level, 2);
      EXPECT_EQ(pile.c.bodies[standing_on(standing_on(lowest))].level, 3);
    }
}

/// Shock propagation without lists: for each level all contacts are looked through.
void propagate_by_hand(Cluster& c, double seconds, unsigned sweeps) {
  const std::vector<SolverBody> masses = c.bodies;
  const auto level_of = [&](const SolverContact& contact) {
    const int a = c.bodies[contact.a].level, b = c.bodies[contact.b].level;
    return a < 0 || b < 0 ? 0 : std::max(a, b);
  };
  for (int level = 1; level < 100; ++level) {
    std::vector<SolverContact*> contacts;
    for (SolverContact& contact : c.set.contacts)
      if (level_of(contact) == level) contacts.push_back(&contact);
    for (SolverContact* contact : contacts) {
      contact->impulse = {};
      contact->law.response = response_of(*contact, c.bodies[contact->a], c.bodies[contact->b]);
      contact->law.inverse = inverse(contact->law.response);
      ++c.set.impulse_count;
    }
    EnergyBudget budget;
    for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
      double changed = 0, given = 0;
      for (SolverContact* contact : contacts) {
        const double before = budget.change;
        Vec3d added = added_impulse(contact->law, relative_velocity(*contact, c.bodies), contact->impulse,
                                    contact->allowed(seconds), budget);
        const auto is_held = [&](std::uint32_t i) {
          return c.bodies[i].inverse_mass == 0 && masses[i].inverse_mass > 0;
        };
        if (is_held(contact->a) || is_held(contact->b)) {
          const bool upper_is_a = !is_held(contact->a);
          const SolverBody& upper = c.bodies[upper_is_a ? contact->a : contact->b];
          const Vec3d arm = upper_is_a ? contact->arm_a : contact->arm_b;
          const Vec3d velocity = upper.velocity - upper.base_velocity + cross(upper.angular_velocity, arm);
          // The largest part that does not raise the energy of the upper body, as its support sees it.
          const Vec3d j = upper_is_a ? added : -added;
          const auto cost = [&](double s) {
            return s * dot(j, velocity) +
                   s * s / 2 *
                       (dot(j, j) * upper.inverse_mass + dot(cross(arm, j), upper.inverse_inertia * cross(arm, j)));
          };
          double low = 1;
          if (cost(1) > 0) {
            low = 0;
            double high = 1;
            for (int i = 0; i < 60; ++i) {
              const double middle = (low + high) / 2;
              (cost(middle) <= 0 ? low : high) = middle;
            }
            budget.change = std::max(before, budget.change);
          }
          added = added * low;
        }
        contact->impulse += added;
        give(*contact, added, c.bodies);
        changed += dot(added, added);
        given += dot(contact->impulse, contact->impulse);
      }
      if (changed <= 1e-16 * given) break;
    }
    for (const SolverContact* contact : contacts)
      for (const std::uint32_t i : {contact->a, contact->b})
        c.bodies[i].inverse_mass = 0, c.bodies[i].inverse_inertia = {};
  }
  for (std::size_t i = 0; i < masses.size(); ++i) {
    c.bodies[i].inverse_mass = masses[i].inverse_mass;
    c.bodies[i].inverse_inertia = masses[i].inverse_inertia;
  }
}

TEST(ShockPropagation, HoldsEachLevelForTheOneAbove) {
  Random random(75);
  int held = 0, changed = 0;
  for (int n = 0; n < 200; ++n) {
    const std::uint32_t count = 3 + random.next() % 5;
    Pile pile(random, count, kUp);
    pile.fix(random.next() % count);
    if (n % 3 == 0) pile.fix(random.next() % count);
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b)
        if (random.next() % 2 == 0) {
          const double side = random.next() % 2 == 0 ? 0.7 : -0.7;
          pile.touch(random, a, b, {side, side * 0.5});
        }
    Cluster& c = pile.c;
    gather(c);
    if (c.set.contacts.empty()) continue;
    ContactGraph graph;
    graph.find_levels(c.set, c.bodies, kUp);
    int highest = 0;
    for (const SolverBody& s : c.bodies) highest = std::max(highest, s.level);
    held += highest > 1;
    for (SolverContact& contact : c.set.contacts) contact.impulse = {3, 2, 1};  // of the contact phase
    const Cluster start = c;
    Cluster plain = c, twin = mirrored(c);
    const unsigned sweeps = n % 4 == 0 ? 60 : n % 4 == 1 ? 1 : 5;
    graph.shock_propagation(c.set, c.bodies, kStep, sweeps);
    ContactGraph other;
    other.shock_propagation(twin.set, twin.bodies, kStep, sweeps);
    propagate_by_hand(plain, kStep, sweeps);
    expect_same_motion(c.bodies, plain.bodies, 1e-7);
    expect_same_motion(c.bodies, twin.bodies, 1e-7);
    EXPECT_EQ(c.set.impulse_count, plain.set.impulse_count);
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
      EXPECT_EQ(c.bodies[i].inverse_mass, start.bodies[i].inverse_mass);
      EXPECT_EQ(c.bodies[i].inverse_inertia, start.bodies[i].inverse_inertia);
      changed += c.bodies[i].velocity != start.bodies[i].velocity;
    }
    for (std::size_t i = 0; i < c.set.contacts.size(); ++i)
      EXPECT_EQ(c.set.contacts[i].law.response, start.set.contacts[i].law.response) << "for the push-out";
  }
  EXPECT_GT(held, 50);
  EXPECT_GT(changed, 200);
}

}  // namespace
}  // namespace lamella::response
