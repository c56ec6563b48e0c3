// Which contacts are chosen, to the last bit. Other tests say what contacts must be like; many choices would do, and
// these numbers notice when another one is made. After a change on purpose, put in what the test prints.
#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "lamella/scene.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

/// FNV-1a over words.
struct Hash {
  std::uint64_t value = 0xcbf29ce484222325u;
  void put(std::uint64_t word) { value = (value ^ word) * 0x100000001b3u; }
  void put(float x) { put(std::uint64_t{std::bit_cast<std::uint32_t>(x)}); }
  void put(Vec3 v) { put(v.x), put(v.y), put(v.z); }
};

/// A ball with bumps: a cube's grid of k x k squares on each side, drawn to the sphere. Square roots alone, so that it
/// has the same bits everywhere.
Mesh rock(int k, std::uint32_t seed, float radius, float bump) {
  Mesh mesh;
  const auto vertex = [&](int axis, int side, int i, int j) {
    int p[3];
    p[axis] = side * k;
    p[(axis + 1) % 3] = side * (2 * i - k);
    p[(axis + 2) % 3] = 2 * j - k;
    std::uint32_t h = seed;
    for (const int x : p) h = (h ^ static_cast<std::uint32_t>(x + 1000)) * 0x9E3779B1u, h ^= h >> 15;
    const double r = radius * (1 + bump * (h & 0xffff) / 65536.0);
    const Vec3d d{double(p[0]), double(p[1]), double(p[2])};
    mesh.positions.push_back(to_float(d * (r / length(d))));
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1})
      for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j) {
          const std::uint32_t a = vertex(axis, side, i, j), b = vertex(axis, side, i + 1, j),
                              c = vertex(axis, side, i + 1, j + 1), d = vertex(axis, side, i, j + 1);
          mesh.triangles.push_back({a, b, c});
          mesh.triangles.push_back({a, c, d});
        }
  return mesh;
}

/// Five teeth on a back: a ray meets several of them.
Mesh comb() {
  Mesh mesh = test::box_mesh({-0.9f, -0.2f, 0.3f}, {0.9f, 0.2f, 0.5f});
  for (int i = -2; i <= 2; ++i) {
    const float x = 0.35f * static_cast<float>(i);
    test::append(mesh, test::box_mesh({x - 0.1f, -0.2f, -0.4f}, {x + 0.1f, 0.2f, 0.3f}));
  }
  return mesh;
}

Quaternion random_turn(test::Random& random, float most) {
  return normalized({random.uniform(-most, most), random.uniform(-most, most), random.uniform(-most, most), 1});
}

/// Rocks, boxes, bars and combs on a slab and in each other, that move a little from frame to frame.
std::uint64_t contacts_of(const SceneOptions& options, std::uint32_t seed, std::size_t& contacts) {
  test::Random random(seed);
  Scene scene(options);
  const ObjectId slab = scene.add(test::box_mesh({-3, -3, -1}, {3, 3, 0}));
  scene.fix(slab);
  std::vector<ObjectId> ids;
  std::vector<Transform> poses;
  for (std::uint32_t i = 0; i < 9; ++i) {
    const Mesh mesh = i % 4 == 3   ? comb()
                      : i % 3 == 0 ? rock(6, seed + i, 0.6f, 0.2f)
                      : i % 3 == 1 ? test::box_mesh({-0.5f, -0.4f, -0.3f}, {0.5f, 0.4f, 0.3f})
                                   : test::box_mesh({-1.5f, -0.1f, -0.1f}, {1.5f, 0.1f, 0.1f});
    const Vec3 place = random.in({{-1.6f, -1.6f, 0.1f}, {1.6f, 1.6f, 1.2f}});
    poses.push_back({to_double(place), i % 2 == 0 ? random_turn(random, 1) : random_turn(random, 0.02f)});
    ids.push_back(scene.add(mesh, poses.back()));
  }
  ids.push_back(scene.add(rock(4, seed, 0.15f, 0), {{0.2, 0.1, -0.4}, {}}));  // within the slab
  poses.push_back(scene.pose(ids.back()));
  Hash hash;
  for (int frame = 0; frame < 5; ++frame) {
    const SceneResult& r = scene.collide();
    for (const ScenePair& p : r.pairs) {
      hash.put(std::uint64_t{p.a.number} << 32 | p.b.number);
      hash.put(p.depth);
      hash.put(std::uint64_t{p.contact_count} << 1 | (p.more_contacts ? 1u : 0u));
      for (const Contact& c : r.contacts_of(p)) {
        hash.put(to_float(c.position));
        hash.put(c.normal);
        hash.put(c.depth);
        hash.put(std::uint64_t{c.triangle_a} << 32 | c.triangle_b);
        hash.put(std::uint64_t{c.id} << 2 | (c.front_a ? 2u : 0u) | (c.front_b ? 1u : 0u));
      }
    }
    contacts += r.contacts.size();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      poses[i].translation += to_double(random.in({{-0.03f, -0.03f, -0.04f}, {0.03f, 0.03f, 0.02f}}));
      poses[i].rotation = normalized(random_turn(random, 0.01f) * poses[i].rotation);
      scene.move(ids[i], poses[i]);
    }
  }
  return hash.value;
}

TEST(ContactBits, AreThoseOfTheLastChangeOnPurpose) {
  struct Case {
    const char* name;
    SceneOptions options;
    std::uint64_t wanted;
  };
  const Case cases[] = {
      {"three views", {.resolution = 48, .threads = 1}, 0xc319cc6c9ec9127au},
      {"fine cells", {.cell = 0.03f, .threads = 1}, 0x9920c7610aa70161u},
      {"one view", {.resolution = 64, .views = 1, .threads = 1}, 0x163732097e819cc7u},
      {"along y", {.resolution = 40, .axis = Axis::y, .threads = 1}, 0x7470c2b787723a64u},
      {"normals from neighbours",
       {.resolution = 48, .threads = 1, .normals = Normals::neighbours},
       0xecbfcf26631c8f40u},
      {"one contact", {.resolution = 32, .threads = 1, .max_contacts = 1}, 0xb4079a3bc981034bu},
      {"three contacts", {.resolution = 32, .threads = 1, .max_contacts = 3}, 0xd38ec31d7bdf4ff9u},
      {"sixteen contacts", {.resolution = 96, .threads = 1, .max_contacts = 16}, 0x33fffd2bbe4341deu},
      {"few rays", {.resolution = 7, .threads = 1, .max_contacts = 16}, 0x7dd13f78573956c1u},
      {"few rays, normals from neighbours",
       {.resolution = 5, .views = 1, .threads = 1, .normals = Normals::neighbours},
       0xc67c6b65483d4c7fu},
  };
  for (const Case& c : cases) {
    std::size_t contacts = 0;
    Hash hash;
    for (std::uint32_t seed = 1; seed <= 2; ++seed) hash.put(contacts_of(c.options, seed, contacts));
    EXPECT_EQ(hash.value, c.wanted) << c.name << ": 0x" << std::hex << hash.value << "u";
    EXPECT_GT(contacts, 50u) << c.name;
  }
}

}  // namespace
}  // namespace lamella
