// Several threads at the same time, each with a detector, batch or engine of its own. They share what the library keeps
// for all, and meshes that nobody changes. The threads come before the answers that are expected of them, so that they
// also meet in what the library prepares on first use. `./run test tsan` watches.

#include <gtest/gtest.h>

#include "lamella/batch.hpp"
#include "lamella/detector.hpp"
#include "lamella/query.hpp"
#include "lamella/rigid.hpp"
#include "scenes/models.hpp"
#include "support/bits.hpp"
#include "support/closed_meshes.hpp"
#include "support/side_by_side.hpp"

namespace lamella {
namespace {

using test::Bits;
using test::one_by_one;
using test::side_by_side;

constexpr unsigned kThreads = 4;
const Options kOptions{.engine = "software", .resolution = 64, .threads = 2};

void put(Bits& bits, const Grid& g) { bits.put(g.box.min, g.box.max, static_cast<int>(g.axis), g.columns, g.rows); }

void put(Bits& bits, const Health& h) {
  bits.put(h.open_columns, h.occupied_columns, h.inside_out_columns, h.skipped_triangles, h.dropped_crossings,
           h.untrusted_volume, h.untrusted_points);
}

void put(Bits& bits, const std::vector<Span>& spans) {
  bits.put(spans.size());
  for (const Span& s : spans) bits.put(s.column, s.begin, s.end);
}

void put(Bits& bits, const Overlap& o) {
  put(bits, o.grid);
  put(bits, o.spans);
  bits.put(o.volume, o.centroid, o.bounds.min, o.bounds.max);
  put(bits, o.health);
}

void put(Bits& bits, const SelfOverlap& o) {
  put(bits, static_cast<const Overlap&>(o));
  put(bits, o.inside_out);
  bits.put(o.inside_out_volume);
}

void put(Bits& bits, const Containment& c) {
  put(bits, c.grid);
  for (const std::uint8_t inside : c.inside) bits.put(inside);
  bits.put(c.inside_count);
  put(bits, c.health);
}

void put(Bits& bits, const VerticesOfOne& v) {
  put(bits, v.grid);
  bits.put(v.looked_up, v.inside.size());
  for (const VertexInside& i : v.inside) bits.put(i.vertex, i.back, i.ahead);
}

void put(Bits& bits, const VerticesInside& v) {
  put(bits, v.a_in_b);
  put(bits, v.b_in_a);
  put(bits, v.health);
}

Transform random_pose(test::Random& random) {
  const Vec3 t = random.in({{-0.6f, -0.6f, -0.6f}, {0.6f, 0.6f, 0.6f}});
  return {to_double(t), rotation_about({1, 0.5, t.x}, random.uniform(-3, 3))};
}

std::vector<Vec3> random_points(test::Random& random, std::size_t count) {
  std::vector<Vec3> points(count);
  for (Vec3& p : points) p = random.in({{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}});
  return points;
}

/// Large enough for several workers.
const std::vector<Mesh>& meshes() {
  static const std::vector<Mesh> all{scenes::sphere(12000), scenes::torus_knot(12000, 0.6f), scenes::hand(3000)};
  return all;
}

/// Adds, moves, deforms, removes and asks, as `seed` says.
Bits frames_of_a_detector(unsigned seed) {
  test::Random random(seed);
  Detector detector(kOptions);
  struct Kept {
    ObjectId id;
    const Mesh* mesh;
  };
  std::vector<Kept> kept;
  const Mesh& hand = meshes().back();
  const ObjectId rigid = detector.add_rigid(hand, random_pose(random));
  Bits bits;
  for (int frame = 0; frame < 6; ++frame) {
    const Mesh& added = meshes()[random.below(static_cast<std::uint32_t>(meshes().size()))];
    kept.push_back({detector.add(transformed(added, random_pose(random))), &added});
    if (kept.size() > 3) {
      detector.remove(kept.front().id);
      kept.erase(kept.begin());
    }
    detector.deform(kept.front().id, transformed(*kept.front().mesh, random_pose(random)).positions);
    detector.move(rigid, random_pose(random));
    const ObjectId a = kept.front().id, b = kept.back().id;
    put(bits, detector.intersect(a, b));
    put(bits, detector.self_intersect(b));
    put(bits, detector.contains(rigid, random_points(random, 3000)));
    put(bits, detector.vertices_inside(a, rigid));
    put(bits, detector.intersect(hand, *kept.back().mesh));
  }
  return bits;
}

TEST(Threads, DetectorsSideBySideAnswerAsOneAlone) {
  const auto together = side_by_side(kThreads, frames_of_a_detector);
  EXPECT_EQ(together, one_by_one(kThreads, frames_of_a_detector));
  EXPECT_NE(together[0], together[1]) << "each did the same work";
}

TEST(Threads, OneOffQueriesOfTheSameMeshesAgree) {
  const Mesh &sphere = meshes()[0], &knot = meshes()[1];
  test::Random random(7);
  const std::vector<Vec3> points = random_points(random, 5000);
  const auto queries = [&](unsigned) {
    Bits bits;
    put(bits, intersect(sphere, knot, kOptions));
    put(bits, self_intersect(knot, kOptions));
    put(bits, contains(knot, points, kOptions));
    put(bits, vertices_inside(sphere, knot, kOptions));
    return bits;
  };
  const auto together = side_by_side(kThreads, queries);
  EXPECT_EQ(together, std::vector(kThreads, queries(0)));
}

TEST(Threads, OneRigidMeshIsAskedBySeveralEngines) {
  RigidMesh knot, hand;
  const auto maker = make_engine(kOptions);
  const QueryOptions options{.resolution = 64};
  maker->sample_rigid(meshes()[1], options, knot);
  maker->sample_rigid(meshes()[2], options, hand);
  const auto questions = [&](unsigned seed) {
    test::Random random(seed);
    const auto engine = make_engine(kOptions);
    Containment inside;
    VerticesInside vertices;
    Bits bits;
    for (int i = 0; i < 5; ++i) {
      const Transform pose = random_pose(random);
      engine->contains(knot, pose, random_points(random, 5000), options, inside);
      put(bits, inside);
      engine->vertices_inside(hand, {}, knot, pose, options, vertices);
      put(bits, vertices);
    }
    return bits;
  };
  EXPECT_EQ(side_by_side(kThreads, questions), one_by_one(kThreads, questions));
}

TEST(Threads, BatchesSideBySideAnswerAsOneAlone) {
  const auto sweep = [](unsigned seed) {
    test::Random random(seed);
    Batch batch({.engine = "software", .resolution = 32, .threads = 2});
    std::vector<ObjectId> ids;
    for (const Mesh& m : meshes()) ids.push_back(batch.add(m));
    Bits bits;
    for (int run = 0; run < 2; ++run) {
      std::vector<BatchPair> pairs(12);
      for (BatchPair& p : pairs)
        p = {ids[random.below(3)], ids[random.below(3)], random_pose(random), random_pose(random)};
      for (const PairOverlap& p : batch.intersect(pairs)) {
        put(bits, p.grid);
        bits.put(p.volume, p.centroid, p.span_count);
        put(bits, p.health);
      }
      batch.deform(ids[0], transformed(meshes()[0], random_pose(random)).positions);
    }
    return bits;
  };
  EXPECT_EQ(side_by_side(kThreads, sweep), one_by_one(kThreads, sweep));
}

}  // namespace
}  // namespace lamella
