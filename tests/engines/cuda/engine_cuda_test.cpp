// The engine "cuda" must answer what the software engine answers, to the bit: columns, spans, flags. Only sums, which
// it takes in another order, may differ in their last digits.

#include "engine_fixture.hpp"
#include "scenes/scenes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::CudaEngine;
using test::error_of;
using test::expect_same;
using test::kAxes;
using test::kEmulated;
using test::Random;
using test::round_sphere;

// ---- columns

TEST_F(CudaEngine, OneTriangleOverOneSample) {
  const Mesh mesh{{{-1, -1, 0.25f}, {3, -1, 0.25f}, {-1, 3, 0.25f}}, {{0, 1, 2}}};
  const Ldi ldi = test::build(*engine_, mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 1, 1});
  ASSERT_EQ(ldi.crossings.size(), 1u);
  EXPECT_EQ(ldi.crossings[0], Crossing::make(0.25f, false));
}

TEST_F(CudaEngine, ABoxAlongEveryAxis) {
  for (const Axis axis : kAxes) expect_columns(box_mesh({0, 0, 0}, {1, 2, 3}), {{{0, 0, 0}, {1, 2, 3}}, axis, 8, 5});
}

TEST_F(CudaEngine, ColumnsOfRandomMeshesOnRandomGrids) {
  for (std::uint32_t seed = 0; seed < (kEmulated ? 25 : 400); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Grid grid = test::random_grid(random);
    expect_columns(test::random_closed_mesh(random, grid), grid);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaEngine, ColumnsOfASphereAtEveryTriangleSize) {
  for (const int rings : {2, 5, 20, kEmulated ? 40 : 200}) {
    const Mesh mesh = round_sphere(rings, 2 * rings);
    for (const std::uint32_t n : {9u, 64u, kEmulated ? 100u : 1000u})
      expect_columns(mesh, {{{-1, -1, -1}, {1, 1, 1}}, kAxes[n % 3], n, n});
  }
}

TEST_F(CudaEngine, MeshesOfNothing) {
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::x, 4, 3};
  expect_columns({}, grid);
  expect_columns(Mesh{{{0, 0, 0}, {1, 1, 1}}, {}}, grid);
  EXPECT_TRUE(engine_->bounds({}).empty());
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1}), vertices{box.positions, {}};
  for (const Mesh& nothing : {Mesh{}, vertices, Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}}) {
    expect_all(nothing, box, {.resolution = 4});
    expect_pair(box, nothing, {.resolution = 4});
  }
  expect_same(test::contains(*engine_, box, {}, {.resolution = 4}),
              test::contains(*software_, box, {}, {.resolution = 4}));
}

TEST_F(CudaEngine, TrianglesThatCannotBePlaced) {
  Mesh mesh = round_sphere(10, 20);
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  mesh.positions[5].y = nan;
  mesh.positions[60].x = inf;
  mesh.positions[100].z = -1e38f;
  test::append(mesh, {{{nan, nan, nan}, {nan, 0, 0}, {inf, inf, 0}}, {{0, 1, 2}}});
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 33, 33};
  expect_columns(mesh, grid);
  EXPECT_EQ(test::build(*engine_, mesh, grid).skipped_triangles, 5u + 6 + 6 + 1);
  expect_all(mesh, box_mesh({0, 0, 0}, {2, 2, 2}), {.resolution = 33});
  // Nothing to sample, but triangles to count.
  expect_all(Mesh{{{nan, 0, 0}, {0, inf, 0}, {0, 0, nan}}, {{0, 1, 2}, {2, 1, 0}}}, mesh, {.resolution = 5});
  // So far away that the lattice ends before.
  mesh = round_sphere(10, 20);
  mesh.positions[70] = {1e15f, -1e14f, 3};
  expect_columns(mesh, {{{-1, -1, -1}, {1, 1, 1}}, Axis::x, 64, 64});
}

TEST_F(CudaEngine, AnIndexOutOfRangeIsTheSameError) {
  Mesh mesh = round_sphere(20, 40);
  mesh.triangles[321].b = static_cast<std::uint32_t>(mesh.positions.size());
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 8, 8};
  const auto words = [&](Engine& engine) {
    return std::string(error_of([&] { (void)test::build(engine, mesh, grid); }).what());
  };
  EXPECT_EQ(words(*engine_), words(*software_));
  EXPECT_THROW((void)engine_->keep(mesh), Error);
  EXPECT_THROW((void)test::build(*engine_, Mesh{{}, std::vector<Triangle>(100)}, grid), Error);
  expect_columns(round_sphere(20, 40), grid);
}

// ---- whole queries

TEST_F(CudaEngine, TwoBoxes) {
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({0.5f, 1.1f, 1}, {3, 1.7f, 3});
  for (const std::uint32_t n : {1u, 2u, 3u, 7u, 33u})
    for (const Axis axis : kAxes) expect_all(a, b, {.resolution = n, .axis = axis});
  expect_pair(a, box_mesh({2, 0, 0}, {3, 2, 2}), {.resolution = 8});
  EXPECT_EQ(test::intersect(*engine_, a, b).engine, "cuda");
}

TEST_F(CudaEngine, AHandAndAPhone) {
  const auto [hand, phone] = scenes::hand_and_phone(kEmulated ? 1200 : 24000, kEmulated ? 400 : 9000, 0.5f);
  for (const std::uint32_t n : {64u, kEmulated ? 100u : 513u}) expect_all(hand, phone, {.resolution = n});
}

TEST_F(CudaEngine, AKnotAndASerpent) {
  const auto [knot, serpent] =
      scenes::overlapping("torus_knot", kEmulated ? 1000 : 50000, "serpent", kEmulated ? 1500 : 200000, true);
  expect_all(serpent, knot, {.resolution = kEmulated ? 64u : 1024u});
}

// From 2^19 columns on there are more blocks than the report has threads.
TEST_F(CudaEngine, SpansOfALargeGridInOrder) {
  const Mesh a = round_sphere(20, 30, 0.8f), b = round_sphere(16, 20, 0.7f, {0.5f, 0.3f, 0.2f});
  expect_pair(a, b, {.resolution = 725});
  Mesh both = a;
  test::append(both, b);
  expect_self(both, {.resolution = 725});
}

// So many triangles that warps ask which are left, and so many vertices that threads take four: a GPU has more of both.
TEST_F(CudaEngine, MoreTrianglesThanWarpsTakeInOrder) {
  const Mesh knot = scenes::torus_knot(kEmulated ? 80'000 : 2'400'000);
  const Mesh torus = scenes::torus(kEmulated ? 30'000 : 1'000'000);
  expect_self(knot, {.resolution = 48});
  expect_pair(knot, torus, {.resolution = 40});
  expect_columns(knot, {{{-1, -1, -1}, {1.2f, 1.1f, 1}}, Axis::z, 37, 29});
}

TEST_F(CudaEngine, AFistThatOverlapsItself) {
  const Mesh fist = scenes::hand(kEmulated ? 1200 : 40000, 1);
  for (const float thickness : {0.0f, 0.01f, 0.5f}) {
    expect_self(fist, {.resolution = kEmulated ? 50u : 500u, .min_thickness = thickness});
    expect_points(fist, {.resolution = kEmulated ? 50u : 500u, .min_thickness = thickness});
  }
}

TEST_F(CudaEngine, ShellsThatAreInsideOutAndMeshesThatAreOpen) {
  Mesh mesh = test::nested_spheres(3, 12);
  test::append(mesh, test::inside_out(round_sphere(16, 32, 0.8f, {0.5f, 0, 0})));
  expect_all(mesh, test::inside_out(round_sphere(8, 16)), {.resolution = 40});
  mesh.triangles.resize(mesh.triangles.size() - 200);
  expect_all(mesh, round_sphere(8, 16), {.resolution = 40});
}

TEST_F(CudaEngine, RandomClosedMeshes) {
  for (std::uint32_t seed = 0; seed < (kEmulated ? 8 : 100); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Grid grid = test::random_grid(random);
    const auto near = [&] {
      Mesh mesh = test::random_closed_mesh(random, grid);
      const Vec3 size = extent(grid.box);
      for (Vec3& p : mesh.positions)
        for (int k = 0; k < 3; ++k) p[k] = std::clamp(p[k], grid.box.min[k] - size[k], grid.box.max[k] + size[k]);
      return mesh;
    };
    const Mesh a = near(), b = near();
    expect_all(a, b, {.resolution = std::min(grid.columns, kEmulated ? 64u : 1000u)});
  }
}

TEST_F(CudaEngine, MoreThanAThousandCrossingsInAColumn) {
  const Mesh plates = test::stacked_plates(600);
  const Mesh other = test::moved(test::stacked_plates(520), {0.25f, 0.25f, 0.5f});
  const QueryOptions options{.resolution = 5, .axis = Axis::z};
  expect_all(plates, other, options);
  const Ldi ldi = test::build(*engine_, plates, {{{0, 0, 0}, {1, 1, 1201}}, Axis::z, 4, 4});
  EXPECT_EQ(ldi.column(7).size(), 1200u);
  expect_columns(plates, {{{0, 0, 0}, {1, 1, 1201}}, Axis::z, 4, 4});
  // And back to a few.
  expect_all(box_mesh({0, 0, 0}, {1, 1, 1}), round_sphere(8, 16), options);
}

TEST_F(CudaEngine, EveryNumberOfLayersThatTheRoomForColumnsCanTurnOn) {
  for (const std::uint32_t plates : {1u, 4u, 5u, 8u, 15u, 16u, 17u, 40u}) {
    SCOPED_TRACE(testing::Message() << plates << " plates");
    expect_all(test::stacked_plates(plates), test::moved(test::stacked_plates(3), {0.1f, 0.2f, 0.5f}),
               {.resolution = 6, .axis = Axis::z});
  }
}

TEST_F(CudaEngine, SheetsThatDoNotCloseInAnyNumber) {
  for (const int sheets : {7, 8, 9, 31, 32, 33}) {
    Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 100});
    mesh.triangles.resize(4);  // those across z
    for (int i = 2; i < sheets; ++i) {
      const auto z = static_cast<float>(i);
      test::append(mesh, {{{0, 0, z}, {1, 0, z}, {0, 1, z}, {1, 1, z}}, {{0, 1, 2}, {1, 3, 2}}});
    }
    expect_all(mesh, box_mesh({0, 0, 0}, {1, 1, 1}), {.resolution = 5, .axis = Axis::z});
  }
}

TEST_F(CudaEngine, AFrameThatIsRepeatedReadsItsOwnSpansBack) {
  // Cubes side by side, then one above another: many more crossings in a column, as many spans, others.
  Mesh cubes;
  for (int i = 0; i < 12; ++i)
    test::append(cubes, box_mesh({static_cast<float>(i), 0, 0}, {static_cast<float>(i + 1), 1, 1}));
  const Mesh slab = box_mesh({0, 0, -1}, {12, 1, 0.5f});
  const auto a = engine_->keep(cubes), b = engine_->keep(slab);
  const QueryOptions options{.resolution = 10, .axis = Axis::z};
  const Overlap before = test::intersect(*engine_, *a, *b, options);
  expect_same(before, test::intersect(*software_, cubes, slab, options));
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t k = 0; k < 8; ++k) {
      Vec3& p = cubes.positions[8 * i + k];
      p = {p.x - static_cast<float>(i), p.y, p.z + 2 * static_cast<float>(i) + 0.25f};
    }
  a->deform(cubes.positions);
  const Overlap after = test::intersect(*engine_, *a, *b, options);
  ASSERT_EQ(after.spans.size(), before.spans.size());
  expect_same(after, test::intersect(*software_, cubes, slab, options));
}

TEST_F(CudaEngine, MoreSpansThanWereGuessed) {
  const Mesh mesh = test::stacked_plates(5);
  const Mesh twice = [&] {
    Mesh m = mesh;
    test::append(m, test::moved(mesh, {0, 0, 0.5f}));
    test::append(m, test::inside_out(test::moved(mesh, {0, 0, 40})));
    return m;
  }();
  const QueryOptions options{.resolution = 64, .axis = Axis::z};
  EXPECT_EQ(test::self_intersect(*engine_, twice, options).spans.size(), 5u * 64 * 64);
  expect_self(twice, options);
  expect_pair(twice, mesh, options);
}

// ---- queries that read the columns back

TEST_F(CudaEngine, VerticesOfAPairFromViewsAndFromKeptMeshes) {
  const auto [hand, phone] = scenes::hand_and_phone(kEmulated ? 600 : 4800, 300, 0);
  const QueryOptions options{.resolution = 24};
  VerticesInside expected, found;
  software_->vertices_inside(hand, phone, options, expected);
  ASSERT_TRUE(expected.any());
  const auto kept_hand = engine_->keep(hand), kept_phone = engine_->keep(phone);
  for (const auto& [a, b] : {std::pair<MeshRef, MeshRef>{hand, phone}, {*kept_hand, *kept_phone}}) {
    engine_->vertices_inside(a, b, options, found);
    EXPECT_EQ(found.engine, "cuda");
    EXPECT_EQ(found.a_in_b.inside, expected.a_in_b.inside);
    EXPECT_EQ(found.b_in_a.inside, expected.b_in_a.inside);
    EXPECT_GT(found.read_back_bytes, 24u * 24u * 8u) << "two images";
  }
}

TEST_F(CudaEngine, ARigidMeshHasTheSoftwareEnginesColumns) {
  const Mesh ball = round_sphere(8, 16);
  const auto kept = engine_->keep(ball);
  RigidMesh rigid, expected;
  software_->sample_rigid(ball, {.resolution = 16}, expected);
  engine_->sample_rigid(*kept, {.resolution = 16}, rigid);
  EXPECT_EQ(rigid.ldi.crossings, expected.ldi.crossings);
  EXPECT_EQ(rigid.ldi.offsets, expected.ldi.offsets);
  EXPECT_EQ(rigid.vertices, ball.positions);
  EXPECT_EQ(rigid.engine, "cuda");
  Containment in_box, expected_in_box;
  const Aabb box{{-0.5f, -0.5f, -0.5f}, {2, 2, 2}};
  engine_->contains(*kept, ball.positions, box, {.resolution = 16}, in_box);
  software_->contains(ball, ball.positions, box, {.resolution = 16}, expected_in_box);
  EXPECT_EQ(in_box.inside, expected_in_box.inside);
  EXPECT_EQ(in_box.not_looked_at, expected_in_box.not_looked_at);
}

}  // namespace
}  // namespace lamella
