// Solids made of unit cubes: whether two overlap or touch is known without geometry. Their surfaces meet in every
// degenerate way there is: faces on faces, edges along edges, corners on corners.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <set>

#include "proof/prove.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::proof {
namespace {

using Cell = std::array<int, 3>;
using Cells = std::set<Cell>;

/// The faces between cells that are in the set and others that are not. Corners are shared.
Mesh surface_of(const Cells& cells) {
  Mesh mesh;
  std::map<Cell, std::uint32_t> corners;
  const auto corner = [&](const Cell& at) {
    const auto [it, fresh] = corners.emplace(at, static_cast<std::uint32_t>(mesh.positions.size()));
    if (fresh)
      mesh.positions.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
    return it->second;
  };
  for (const Cell& cell : cells)
    for (std::size_t k = 0; k < 3; ++k)
      for (const int side : {0, 1}) {
        Cell other = cell;
        other[k] += side == 1 ? 1 : -1;
        if (cells.contains(other)) continue;
        const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
        Cell p = cell;
        p[k] += side;
        Cell q = p, r = p, s = p;
        q[u] += 1, r[u] += 1, r[v] += 1, s[v] += 1;
        const std::uint32_t a = corner(p), b = corner(q), c = corner(r), d = corner(s);
        if (side == 1)
          mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
        else
          mesh.triangles.insert(mesh.triangles.end(), {{a, c, b}, {a, d, c}});
      }
  return mesh;
}

bool share_a_cell(const Cells& a, const Cells& b) {
  return std::any_of(a.begin(), a.end(), [&](const Cell& c) { return b.contains(c); });
}
bool share_a_point(const Cells& a, const Cells& b) {
  for (const Cell& p : a)
    for (const Cell& q : b)
      if (std::abs(p[0] - q[0]) <= 1 && std::abs(p[1] - q[1]) <= 1 && std::abs(p[2] - q[2]) <= 1) return true;
  return false;
}

Cells cells_of(test::Random& random, std::uint32_t count, std::uint32_t reach, Cell from) {
  Cells cells;
  for (std::uint32_t i = 0; i < count; ++i) {
    Cell c = from;
    for (int& x : c) x += static_cast<int>(random.below(reach));
    cells.insert(c);
  }
  return cells;
}

Cells block(Cell low, Cell high) {
  Cells cells;
  for (int x = low[0]; x < high[0]; ++x)
    for (int y = low[1]; y < high[1]; ++y)
      for (int z = low[2]; z < high[2]; ++z) cells.insert({x, y, z});
  return cells;
}

Proof prove(const Cells& a, const Cells& b) {
  Workers workers(1);
  ProofScratch scratch;
  return prove_pair(surface_of(a), surface_of(b), {}, workers, scratch);
}

/// A proof is right or it is none.
bool is_right(const Proof& proof, const Cells& a, const Cells& b) {
  if (!proof.certificate.certain) return proof.verdict == Verdict::undecided;
  if (share_a_cell(a, b)) return proof.verdict == Verdict::colliding;
  return proof.verdict == Verdict::clear && proof.certificate.touching == share_a_point(a, b);
}

TEST(Voxels, BlocksAreAlwaysDecided) {
  rc::check([] {
    const auto any_block = [] {
      Cell low, high;
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = *rc::gen::inRange(0, 6);
        high[k] = low[k] + *rc::gen::inRange(1, 4);
      }
      return block(low, high);
    };
    const Cells a = any_block(), b = any_block();
    const Proof proof = prove(a, b);
    RC_ASSERT(proof.certificate.certain);
    RC_ASSERT(is_right(proof, a, b));
  });
}

TEST(Voxels, HeapsAreNeverDecidedWrongly) {
  test::Random random(11);
  int certain = 0, touching = 0, colliding = 0;
  constexpr int kRounds = 3000;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint32_t reach = 2 + random.below(4), count = 1 + random.below(6);
    const Cell shift{static_cast<int>(random.below(reach)), static_cast<int>(random.below(3)), 0};
    const Cells a = cells_of(random, count, reach, {}), b = cells_of(random, count, reach, shift);
    const Proof proof = prove(a, b);
    ASSERT_TRUE(is_right(proof, a, b)) << round;
    if (!proof.certificate.certain) continue;
    ++certain;
    touching += proof.certificate.touching ? 1 : 0;
    colliding += proof.verdict == Verdict::colliding ? 1 : 0;
  }
  EXPECT_GT(certain, kRounds * 8 / 10);  // heaps that interlock stay undecided
  EXPECT_GT(touching, kRounds / 10);
  EXPECT_GT(colliding, kRounds / 10);
}

TEST(Voxels, APegInAHoleThatFits) {
  Cells plate = block({0, 0, 0}, {3, 3, 1});
  plate.erase({1, 1, 0});
  const Proof proof = prove(plate, {{1, 1, 0}});
  EXPECT_EQ(proof.verdict, Verdict::clear);
  EXPECT_TRUE(proof.certificate.certain);
  EXPECT_TRUE(proof.certificate.touching);
}

TEST(Voxels, ACoreInACavityThatFits) {
  Cells shell = block({0, 0, 0}, {3, 3, 3});
  shell.erase({1, 1, 1});
  const Proof proof = prove(shell, {{1, 1, 1}});
  EXPECT_EQ(proof.verdict, Verdict::clear);
  EXPECT_TRUE(proof.certificate.touching);
  EXPECT_EQ(prove(shell, block({0, 0, 0}, {3, 3, 3})).verdict, Verdict::colliding);
}

TEST(Voxels, TheSameSolidTwice) {
  const Cells a = block({0, 0, 0}, {2, 1, 1});
  const Proof proof = prove(a, a);
  EXPECT_EQ(proof.verdict, Verdict::colliding);
  EXPECT_TRUE(proof.certificate.witness.has_value());
}

}  // namespace
}  // namespace lamella::proof
