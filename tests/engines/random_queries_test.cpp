// The whole queries that all engines share, on random meshes with random options: what they sample, where, and which
// parts of a result come from which mesh.

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/ldi_query.hpp"
#include "noting_engine.hpp"
#include "query/verdict.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::fields;
using test::Random;
using test::WholeQueries;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
constexpr Axis kAxes[] = {Axis::x, Axis::y, Axis::z};

Health sum(const Health& a, const Health& b) {
  Health h;
  h.open_columns = a.open_columns + b.open_columns;
  h.occupied_columns = a.occupied_columns + b.occupied_columns;
  h.inside_out_columns = a.inside_out_columns + b.inside_out_columns;
  h.skipped_triangles = a.skipped_triangles + b.skipped_triangles;
  h.dropped_crossings = a.dropped_crossings + b.dropped_crossings;
  return h;
}

Health with_untrusted(Health h, std::uint64_t points) {
  h.untrusted_points = points;
  return h;
}

const Health kBadHealth{91, 92, 93, 94, 95, 96, 97};
const Timings kOldTimes{1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008};

/// Results full of what an earlier query may have left in them.
template <class Result>
void fill_common(Result& out) {
  out.health = kBadHealth;
  out.ms = kOldTimes;
  out.read_back_bytes = 4711;
  out.engine = "earlier";
}
Overlap used_overlap() {
  Overlap out;
  fill_common(out);
  out.grid = {{{7, 7, 7}, {9, 9, 9}}, Axis::y, 3, 2};
  out.spans = {{1, 2, 3}, {4, 5, 6}};
  out.volume = 8;
  out.centroid = {1, 2, 3};
  out.bounds = {{1, 1, 1}, {2, 2, 2}};
  out.alternating = true;
  return out;
}
SelfOverlap used_self_overlap() {
  SelfOverlap out;
  static_cast<Overlap&>(out) = used_overlap();
  out.inside_out = {{1, 2, 3}};
  out.inside_out_volume = 5;
  return out;
}
Containment used_containment() {
  Containment out;
  fill_common(out);
  out.grid = {{{7, 7, 7}, {9, 9, 9}}, Axis::y, 3, 2};
  out.inside = std::vector<std::uint8_t>(1000, 1);
  out.inside_count = 1000;
  out.box = Aabb{{7, 7, 7}, {9, 9, 9}};
  out.not_looked_at = 77;
  out.alternating = true;
  return out;
}
VerticesInside used_vertices() {
  VerticesInside out;
  fill_common(out);
  for (VerticesOfOne* of : {&out.a_in_b, &out.b_in_a})
    *of = {{{{7, 7, 7}, {9, 9, 9}}, Axis::y, 3, 2}, {{1, 2, 3}, {4, 5, 6}}, 99};
  out.alternating = true;
  return out;
}
RigidMesh used_rigid() {
  RigidMesh out;
  fill_common(out);
  out.ldi.grid = {{{7, 7, 7}, {9, 9, 9}}, Axis::y, 3, 2};
  out.ldi.offsets = {0, 1, 1, 1, 1, 1, 2};
  out.ldi.crossings = {Crossing::make(1, true), Crossing::make(2, false)};
  out.vertices = {{1, 2, 3}};
  out.bounds = {{1, 1, 1}, {2, 2, 2}};
  return out;
}

/// Closed, open, inside out, overlapping itself, with broken vertices, or without a volume.
Mesh any_mesh(Random& random) {
  const Vec3 at = random.in({{-0.6f, -0.6f, -0.6f}, {0.6f, 0.6f, 0.6f}});
  Mesh mesh = random.below(2) == 0
                  ? test::round_sphere(5, 7, random.uniform(0.4f, 1.2f), at)
                  : box_mesh(at, at + Vec3{random.uniform(0.3f, 1), random.uniform(0.3f, 1), random.uniform(0.3f, 1)});
  switch (random.below(8)) {
    case 0:
      mesh.triangles.pop_back();
      break;
    case 1:
      for (Triangle& t : mesh.triangles) std::swap(t.a, t.b);
      break;
    case 2:
      test::append(mesh, test::round_sphere(4, 6, 0.5f, at));
      break;
    case 3:
      mesh.positions[3].y = kNan;
      break;
    case 4:
      if (random.below(3) == 0)
        for (Vec3& p : mesh.positions) p.z = 0.25f;  // flat
      mesh.positions[2].x = kInfinity;
      break;
    case 5:
      if (random.below(2) == 0)
        for (Vec3& p : mesh.positions) p.x += 20;  // out of reach of the other
      break;
    default:
      break;
  }
  return mesh;
}

QueryOptions any_options(Random& random) {
  QueryOptions options;
  const std::uint32_t sizes[] = {1, 6, 13, 20};
  options.resolution = sizes[random.below(4)];
  if (random.below(2) == 0) options.axis = kAxes[random.below(3)];
  const float thicknesses[] = {0, 0x1p-20f, 0.05f, 0.4f};
  options.min_thickness = thicknesses[random.below(4)];
  return options;
}

/// Rotations by exact numbers: coordinates change places and signs.
Transform any_exact_pose(Random& random) {
  const double h = 0.5;
  const Quaternion turns[] = {{0, 0, 0, 1},   {1, 0, 0, 0},   {0, 1, 0, 0},   {0, 0, 1, 0},
                              {h, h, h, h},   {-h, h, h, h},  {h, -h, h, h},  {h, h, -h, h},
                              {-h, -h, h, h}, {h, -h, -h, h}, {-h, h, -h, h}, {-h, -h, -h, h}};
  const auto step = [&] { return (static_cast<double>(random.below(17)) - 8) / 16; };
  return {{step(), step(), step()}, turns[random.below(12)]};
}
Vec3 moved(const Transform& pose, Vec3 p) { return to_float(apply(pose, to_double(p))); }
Vec3 moved_back(const Transform& pose, Vec3 p) {
  return to_float(rotate(conjugate(pose.rotation), to_double(p) - pose.translation));
}
template <class Move>
std::vector<Vec3> all(std::span<const Vec3> points, const Move& move) {
  std::vector<Vec3> out;
  for (const Vec3 p : points) out.push_back(move(p));
  return out;
}

/// Coordinates that poses move exactly.
Mesh on_steps(Mesh mesh) {
  for (Vec3& p : mesh.positions)
    for (int k = 0; k < 3; ++k) p[k] = std::isfinite(p[k]) ? std::round(p[k] * 1024) / 1024 : p[k];
  return mesh;
}

std::vector<Vec3> any_points(Random& random, const Mesh& mesh) {
  std::vector<Vec3> points;
  const Aabb box = bounds(mesh);
  if (!box.empty())
    for (int i = 0; i < 60; ++i) {
      Vec3 p = random.in({box.min - Vec3{0.2f, 0.2f, 0.2f}, box.max + Vec3{0.2f, 0.2f, 0.2f}});
      if (random.below(4) == 0) p[static_cast<int>(random.below(3))] = random.below(2) == 0 ? box.min.x : box.max.z;
      points.push_back(p);
    }
  points.push_back({kNan, 0, 0});
  return points;
}

/// What is left of spans that prove nothing, where `out` has none.
void leave_out_spans(const Overlap& out, Overlap& expected) {
  EXPECT_FALSE(sums_suffice(expected.grid, expected.span_count, expected.volume, expected.bounds));
  EXPECT_FALSE(out.colliding());
  EXPECT_TRUE(out.health.uncertain_spans == expected.span_count || out.health.uncertain_spans == 0);
  expected.spans.clear();
  expected.volume = 0;
  expected.centroid = {};
  expected.bounds = {};
}

/// Every random case once with whole columns, once with those that the box of a pair cuts.
class RandomQueries : public WholeQueries, public testing::WithParamInterface<std::string> {
 protected:
  RandomQueries() : WholeQueries(GetParam()) {}
};

TEST_P(RandomQueries, PairsAreTheQueryOnTheColumnsOfTheirBox) {
  int sampled = 0, apart = 0, unproven = 0;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Mesh a = any_mesh(random), b = any_mesh(random);
    const QueryOptions options = any_options(random);
    const Aabb box_a = bounds(a), box_b = bounds(b);
    Overlap out = used_overlap();
    engine().intersect(a, b, options, out);
    VerticesInside found = used_vertices();
    const auto intersected = builds();
    engine().vertices_inside(a, b, options, found);
    Overlap expected;
    VerticesInside expected_found;
    const auto voi = choose_pair_voi(box_a, box_b, options.axis);
    const auto shared = engine_.whole ? choose_shared_voi(box_a, box_b, options.axis) : voi;
    ASSERT_EQ(shared.has_value(), voi.has_value());
    if (!voi) {
      ++apart;
      EXPECT_TRUE(intersected.empty() && builds().empty());
      expected.health.skipped_triangles = static_cast<std::uint32_t>(count_broken(a) + count_broken(b));
      expected_found.health = expected.health;
    } else {
      ++sampled;
      expect_pair_builds(*voi, options.resolution);
      // Once more each, whole, to find out which mesh a doubt is about.
      const bool asked =
          out.verdict == Verdict::undecided && (out.health.open_columns != 0 || out.health.inside_out_columns != 0);
      ASSERT_EQ(intersected.size(), asked ? 4u : 2u);
      for (const auto& build : intersected)
        EXPECT_EQ(build.grid, square_grid(shared->box, shared->axis, options.resolution));
      using Outside = std::optional<End>;
      EXPECT_EQ(intersected[0].outside, engine_.whole ? Outside{} : voi->outside_a);
      EXPECT_EQ(intersected[1].outside, engine_.whole ? Outside{} : voi->outside_b);
      lamella::intersect(intersected[0].ldi, intersected[1].ldi, options.min_thickness, expected);
      if (out.span_count == 0 && expected.span_count != 0) {
        ++unproven;
        leave_out_spans(out, expected);
      }
      const Ldi &ldi_a = builds()[0].ldi, &ldi_b = builds()[1].ldi;
      const std::uint64_t untrusted = find(ldi_b, box_b, a.positions, options.min_thickness, expected_found.a_in_b) +
                                      find(ldi_a, box_a, b.positions, options.min_thickness, expected_found.b_in_a);
      expected_found.health =
          with_untrusted(sum(health_of_columns(ldi_a, workers_), health_of_columns(ldi_b, workers_)), untrusted);
    }
    expect_overlap(out, expected);
    expect_times(out.ms, true, voi.has_value(), voi.has_value());
    expect_found(found.a_in_b, expected_found.a_in_b);
    expect_found(found.b_in_a, expected_found.b_in_a);
    EXPECT_EQ(fields(found.health), fields(expected_found.health));
    EXPECT_EQ(found.read_back_bytes, voi ? 7011u : 0u);
    EXPECT_EQ(found.ms.gpu, voi ? 0.75 : 0);
    EXPECT_EQ(found.engine, "noting");
    EXPECT_FALSE(found.alternating);
    expect_times(found.ms, true, voi.has_value(), voi.has_value());
    if (HasFailure()) return;
  }
  EXPECT_LT(unproven, 6) << "few overlaps are that small";
  EXPECT_GT(sampled, 50);
  EXPECT_GT(apart, 5);
}

TEST_P(RandomQueries, OneMeshIsSampledInItsOwnBoxAndPointsInWhatItSharesWithTheirs) {
  int sampled = 0, flat = 0;
  for (std::uint32_t seed = 1000; seed < 1120; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Mesh mesh = any_mesh(random);
    const QueryOptions options = any_options(random);
    const std::vector<Vec3> points = any_points(random, mesh);
    const Aabb own = bounds(mesh);
    const auto axis = choose_axis(own);
    SelfOverlap self = used_self_overlap(), expected_self;
    engine().self_intersect(mesh, options, self);
    Containment in = used_containment(), expected_in;
    expected_in.inside.assign(points.size(), 0);
    engine().contains(mesh, points, options, in);
    ++(axis ? sampled : flat);
    ASSERT_EQ(builds().size(), axis ? 1u : 0u);
    if (axis) {
      EXPECT_EQ(builds()[0].grid, square_grid(own, options.axis.value_or(*axis), options.resolution));
      EXPECT_FALSE(builds()[0].outside.has_value());
      lamella::self_intersect(builds()[0].ldi, options.min_thickness, expected_self);
      lamella::contains(builds()[0].ldi, points, expected_in);
    } else {
      expected_self.health.skipped_triangles = static_cast<std::uint32_t>(count_broken(mesh));
      expected_in.health = expected_self.health;
    }
    expect_overlap(self, expected_self);
    EXPECT_EQ(self.inside_out, expected_self.inside_out);
    EXPECT_EQ(self.inside_out_volume, expected_self.inside_out_volume);
    expect_times(self.ms, true, axis.has_value(), axis.has_value());
    expect_inside(in, expected_in);
    EXPECT_FALSE(in.box.has_value());
    EXPECT_EQ(in.not_looked_at, 0u);
    expect_times(in.ms, true, axis.has_value(), axis.has_value());

    // In a box of the caller's: any that encloses a volume, also one that misses the mesh.
    Aabb box;
    for (int k = 0; k < 3; ++k) {
      box.min[k] = random.uniform(-1, 0.5f);
      box.max[k] = box.min[k] + random.uniform(0.1f, 2);
    }
    Aabb shared;
    for (int k = 0; k < 3; ++k) {
      shared.min[k] = own.min[k] > box.min[k] ? own.min[k] : box.min[k];
      shared.max[k] = own.max[k] < box.max[k] ? own.max[k] : box.max[k];
    }
    const auto box_axis = choose_axis(shared);
    Containment limited = used_containment(), expected_limited;
    expected_limited.inside.assign(points.size(), 0);
    engine().contains(mesh, points, box, options, limited);
    ASSERT_EQ(builds().size(), box_axis ? 1u : 0u);
    if (box_axis) {
      EXPECT_EQ(builds()[0].grid, square_grid(shared, options.axis.value_or(*box_axis), options.resolution));
      EXPECT_FALSE(builds()[0].outside.has_value());
      flag_points({builds()[0].ldi, nullptr, &own}, points, health_of_columns(builds()[0].ldi, workers_), workers_,
                  lookup_, expected_limited);
    } else {
      expected_limited.health.skipped_triangles = static_cast<std::uint32_t>(count_broken(mesh));
    }
    expect_inside(limited, expected_limited);
    EXPECT_EQ(limited.box, box);
    std::uint64_t beyond = 0;
    for (const Vec3 p : points) beyond += extend(box, p) == box && std::isfinite(p.x) ? 0 : 1;
    EXPECT_EQ(limited.not_looked_at, beyond);
    EXPECT_EQ(limited.read_back_bytes, box_axis ? 11u : 0u);
    EXPECT_EQ(limited.ms.gpu, box_axis ? 0.5 : 0);
    expect_times(limited.ms, true, box_axis.has_value(), true);
    if (HasFailure()) return;
  }
  EXPECT_GT(sampled, 50);
  EXPECT_GT(flat, 1);
}

TEST_P(RandomQueries, RigidMeshesAreLookedUpAsIfTheirVerticesHadMoved) {
  int sampled = 0, apart = 0;
  for (std::uint32_t seed = 2000; seed < 2120; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Mesh a = on_steps(any_mesh(random)), b = on_steps(any_mesh(random));
    const QueryOptions options = any_options(random);
    const Transform pose_a = any_exact_pose(random), pose_b = any_exact_pose(random);
    const Aabb box_a = bounds(a), box_b = bounds(b);
    const auto axis_b = choose_axis(box_b);
    RigidMesh rigid_a, rigid_b = used_rigid();
    engine().sample_rigid(a, options, rigid_a);
    engine().sample_rigid(b, options, rigid_b);
    EXPECT_EQ(rigid_b.vertices.size(), b.positions.size());
    EXPECT_EQ(rigid_b.bounds, box_b);
    EXPECT_EQ(rigid_b.engine, "noting");
    EXPECT_EQ(rigid_b.read_back_bytes, axis_b ? 11u : 0u);
    EXPECT_EQ(rigid_b.ms.gpu, axis_b ? 0.5 : 0);
    expect_times(rigid_b.ms, true, axis_b.has_value(), false);
    Health health_b;
    if (axis_b) {
      ASSERT_EQ(builds().size(), 1u);
      EXPECT_EQ(rigid_b.ldi.grid, square_grid(box_b, options.axis.value_or(*axis_b), options.resolution));
      EXPECT_EQ(rigid_b.ldi.offsets, builds()[0].ldi.offsets);
      EXPECT_EQ(rigid_b.ldi.crossings, builds()[0].ldi.crossings);
      health_b = health_of_columns(builds()[0].ldi, workers_);
    } else {
      EXPECT_TRUE(builds().empty());
      EXPECT_EQ(rigid_b.ldi.grid, Grid{});
      health_b.skipped_triangles = static_cast<std::uint32_t>(count_broken(b));
    }
    EXPECT_EQ(fields(rigid_b.health), fields(health_b));

    // Points.
    const std::vector<Vec3> points =
        any_points(random, on_steps({all(b.positions, [&](Vec3 p) { return moved(pose_b, p); }), {}}));
    Containment in = used_containment(), expected_in;
    expected_in.inside.assign(points.size(), 0);
    engine().contains(rigid_b, pose_b, points, options, in);
    EXPECT_TRUE(builds().empty());
    const auto into_b = [&](Vec3 p) { return moved_back(pose_b, p); };
    if (axis_b) lamella::contains(rigid_b.ldi, all(points, into_b), expected_in);
    expected_in.health = with_untrusted(health_b, expected_in.health.untrusted_points);
    expect_inside(in, expected_in);
    EXPECT_EQ(in.read_back_bytes, 0u);
    expect_times(in.ms, false, false, true);

    // A mesh against the rigid one.
    const std::vector<Vec3> placed_b = all(b.positions, [&](Vec3 p) { return moved(pose_b, p); });
    const auto voi = choose_pair_voi(box_a, bounds(Mesh{placed_b, {}}), options.axis);
    VerticesInside found = used_vertices(), expected;
    engine().vertices_inside(a, rigid_b, pose_b, options, found);
    ++(voi ? sampled : apart);
    ASSERT_EQ(builds().size(), voi ? 1u : 0u);
    expected.health = health_b;
    if (voi) {
      EXPECT_EQ(builds()[0].grid, square_grid(voi->box, voi->axis, options.resolution));
      EXPECT_EQ(builds()[0].outside, voi->outside_a);
      std::uint64_t untrusted = find(builds()[0].ldi, box_a, placed_b, options.min_thickness, expected.b_in_a);
      if (axis_b)
        untrusted += find(rigid_b.ldi, box_b, all(a.positions, into_b), options.min_thickness, expected.a_in_b);
      expected.health = with_untrusted(sum(health_b, health_of_columns(builds()[0].ldi, workers_)), untrusted);
    } else {
      expected.health.skipped_triangles += static_cast<std::uint32_t>(count_broken(a));
    }
    expect_found(found.a_in_b, expected.a_in_b);
    expect_found(found.b_in_a, expected.b_in_a);
    EXPECT_EQ(fields(found.health), fields(expected.health));
    EXPECT_EQ(found.read_back_bytes, voi ? 11u : 0u);
    EXPECT_EQ(found.ms.gpu, voi ? 0.5 : 0);
    EXPECT_EQ(found.engine, "noting");
    EXPECT_FALSE(found.alternating);
    expect_times(found.ms, true, voi.has_value(), voi.has_value());

    // Both rigid.
    VerticesInside both = used_vertices(), expected_both;
    engine().vertices_inside(rigid_a, pose_a, rigid_b, pose_b, options, both);
    EXPECT_TRUE(builds().empty());
    std::uint64_t untrusted = 0;
    if (axis_b)
      untrusted += find(rigid_b.ldi, box_b, all(a.positions, [&](Vec3 p) { return into_b(moved(pose_a, p)); }),
                        options.min_thickness, expected_both.a_in_b);
    if (choose_axis(box_a))
      untrusted += find(rigid_a.ldi, box_a, all(placed_b, [&](Vec3 p) { return moved_back(pose_a, p); }),
                        options.min_thickness, expected_both.b_in_a);
    expect_found(both.a_in_b, expected_both.a_in_b);
    expect_found(both.b_in_a, expected_both.b_in_a);
    EXPECT_EQ(fields(both.health), fields(with_untrusted(sum(rigid_a.health, health_b), untrusted)));
    EXPECT_EQ(both.read_back_bytes, 0u);
    EXPECT_EQ(both.engine, "noting");
    EXPECT_FALSE(both.alternating);
    expect_times(both.ms, false, false, true);
    if (HasFailure()) return;
  }
  EXPECT_GT(sampled, 50);
  EXPECT_GT(apart, 5);
}

INSTANTIATE_TEST_SUITE_P(On, RandomQueries, testing::Values("reference", "software-wscg"), [](const auto& param) {
  return std::string(param.param == "reference" ? "WholeColumns" : "CutColumns");
});

}  // namespace
}  // namespace lamella
