// The ends of spans that the engine "cuda" finds must be the software engine's: the same triangles of the same meshes,
// and the same weights to the bit.

#include "engine_fixture.hpp"
#include "engines/cuda/frame.hpp"
#include "scenes/scenes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::expect_same;
using test::kAxes;
using test::kEmulated;
using test::Random;
using test::round_sphere;
using testing::HasSubstr;

QueryOptions with_ends(QueryOptions options) {
  options.ends = true;
  return options;
}

void expect_same_ends(const Overlap& got, const Overlap& expected) {
  ASSERT_EQ(expected.ends.size(), expected.spans.size());
  ASSERT_EQ(got.ends.size(), expected.ends.size());
  std::size_t differing = 0, first = 0;
  for (std::size_t i = 0; i < got.ends.size(); ++i) {
    if (got.ends[i] == expected.ends[i]) continue;
    if (differing++ == 0) first = i;
  }
  if (differing == 0) return;
  const auto words = [&](const Overlap& o) {
    std::ostringstream out;
    out.precision(9);
    for (const SpanEnd& e : {o.ends[first].begin, o.ends[first].end})
      out << "mesh " << e.mesh << ", triangle " << e.triangle << " at " << e.weight_b << ' ' << e.weight_c << "; ";
    return out.str();
  };
  ADD_FAILURE() << differing << " of " << got.ends.size() << " differ, the first is number " << first << ": "
                << words(got) << "expected " << words(expected);
}

class CudaEnds : public test::CudaEngine {
 protected:
  /// Both return how many spans there are.
  std::size_t expect_pair(MeshRef a, MeshRef b, MeshView view_a, MeshView view_b, const QueryOptions& options) {
    const Overlap got = test::intersect(*engine_, a, b, with_ends(options));
    const Overlap expected = test::intersect(*software_, view_a, view_b, with_ends(options));
    expect_same(got, expected);
    expect_same_ends(got, expected);
    return expected.spans.size();
  }
  std::size_t expect_pair(MeshView a, MeshView b, const QueryOptions& options) {
    return expect_pair(a, b, a, b, options);
  }
  std::size_t expect_self(MeshView mesh, const QueryOptions& options) {
    const SelfOverlap got = test::self_intersect(*engine_, mesh, with_ends(options));
    const SelfOverlap expected = test::self_intersect(*software_, mesh, with_ends(options));
    expect_same(got, expected);
    expect_same_ends(got, expected);
    return expected.spans.size();
  }
  std::size_t expect_both(MeshView a, MeshView b, const QueryOptions& options) {
    return expect_pair(a, b, options) + expect_self(a, options);
  }
};

// ---- columns in slots

TEST_F(CudaEnds, OfTwoBoxesAreTheFacesBetweenThem) {
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({1, 0.5f, 0.5f}, {3, 1.5f, 1.5f});
  const Overlap o = test::intersect(*engine_, a, b, with_ends({.resolution = 2, .axis = Axis::x}));
  ASSERT_EQ(o.ends.size(), 4u);
  for (const SpanEnds& ends : o.ends) {
    EXPECT_EQ(ends.begin.mesh, 1u);
    EXPECT_TRUE(ends.begin.triangle == 8 || ends.begin.triangle == 9) << "of b, the face of low x";
    EXPECT_EQ(ends.end.mesh, 0u);
    EXPECT_TRUE(ends.end.triangle == 10 || ends.end.triangle == 11) << "of a, the face of high x";
  }
  for (const std::uint32_t n : {1u, 2u, 7u, 33u})
    for (const Axis axis : kAxes) EXPECT_EQ(expect_pair(a, b, {.resolution = n, .axis = axis}), n * n);
}

TEST_F(CudaEnds, OfModelsAlongEveryAxis) {
  const auto [knot, serpent] =
      scenes::overlapping("torus_knot", kEmulated ? 1000 : 50000, "serpent", kEmulated ? 1500 : 100000, true);
  for (const Axis axis : kAxes)
    EXPECT_GT(expect_both(knot, serpent, {.resolution = kEmulated ? 50u : 500u, .axis = axis}), 20u);
}

TEST_F(CudaEnds, OfAMeshThatOverlapsItself) {
  Mesh mesh = round_sphere(12, 24);
  test::append(mesh, round_sphere(8, 16, 0.8f, {0.5f, 0.1f, 0.2f}));
  test::append(mesh, box_mesh({-0.2f, -0.3f, -0.9f}, {0.4f, 0.6f, 0.9f}));
  for (const Axis axis : kAxes) EXPECT_GT(expect_self(mesh, {.resolution = 40, .axis = axis}), 400u);
  EXPECT_GT(expect_self(scenes::hand(kEmulated ? 1200 : 40000, 1), {.resolution = kEmulated ? 60u : 500u}), 0u);
}

TEST_F(CudaEnds, OfTrianglesOfEverySize) {
  // Rows by lanes and by warps, boxes that the border cuts, and corners that take 128 bits.
  for (const int rings : {2, 5, 20, kEmulated ? 40 : 200})
    for (const std::uint32_t n : {9u, 64u, kEmulated ? 90u : 1000u})
      EXPECT_GT(expect_pair(round_sphere(rings, 2 * rings), round_sphere(9, 14, 0.9f, {0.3f, 0.4f, 0.2f}),
                            {.resolution = n, .axis = kAxes[n % 3]}),
                0u);
  const Mesh spike = test::tetrahedron({-1e8f, -1e8f, 0.25f}, {1e8f, -1e8f, 0.25f}, {0, 1e8f, 0.25f}, {0, 0, 1e8f});
  EXPECT_EQ(expect_pair(spike, box_mesh({-0.5f, -0.5f, 0}, {0.5f, 0.5f, 1}), {.resolution = 32, .axis = Axis::z}),
            32u * 32);
}

// ---- ties

TEST_F(CudaEnds, OfFacesThatLieOnFaces) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const float x : {-0.5f, 0.0f, 0.25f})
    for (const float z : {-0.5f, 0.0f, 0.5f}) {
      const Mesh b = box_mesh({x, -0.5f, z}, {x + 1, 1, z + 1});
      for (const Axis axis : kAxes) {
        EXPECT_GT(expect_pair(a, b, {.resolution = 6, .axis = axis}), 0u);
        EXPECT_GT(expect_pair(b, a, {.resolution = 6, .axis = axis}), 0u);
      }
    }
}

TEST_F(CudaEnds, OfTwoCopiesOfAMesh) {
  const Mesh ball = round_sphere(8, 12);
  Mesh twice = ball;
  test::append(twice, ball);
  for (const Axis axis : kAxes) {
    EXPECT_GT(expect_pair(ball, ball, {.resolution = 20, .axis = axis}), 100u);
    EXPECT_GT(expect_pair(twice, ball, {.resolution = 20, .axis = axis}), 100u);
    EXPECT_GT(expect_self(twice, {.resolution = 20, .axis = axis}), 100u);
  }
}

TEST_F(CudaEnds, OfSurfacesBeyondTheBox) {
  // Along x, several shells of a are moved onto the box's faces: the depths of the triangles themselves decide.
  Mesh a = box_mesh({-5, 0, 0}, {1, 1, 1});
  test::append(a, box_mesh({-6, -1, -1}, {7, 2, 2}));
  test::append(a, box_mesh({-7, 0.1f, -1}, {6, 2, 2}));
  const Mesh b = box_mesh({0, 0.25f, 0.25f}, {5, 0.75f, 0.75f});
  for (const Axis axis : kAxes) {
    EXPECT_GT(expect_pair(a, b, {.resolution = 8, .axis = axis}), 0u);
    EXPECT_GT(expect_pair(b, a, {.resolution = 8, .axis = axis}), 0u);
    EXPECT_GT(expect_self(a, {.resolution = 8, .axis = axis}), 0u);
  }
}

// ---- counted columns, and frames without room

TEST_F(CudaEnds, OfEveryNumberOfLayers) {
  for (const std::uint32_t plates : {1u, 4u, 5u, 15u, 16u, 17u, 40u}) {
    SCOPED_TRACE(testing::Message() << plates << " plates");
    const Mesh a = test::stacked_plates(plates), b = test::moved(test::stacked_plates(3), {0.1f, 0.2f, 0.5f});
    EXPECT_GT(expect_pair(a, b, {.resolution = 6, .axis = Axis::z}), 0u);
    Mesh both = a;
    test::append(both, b);
    EXPECT_GT(expect_self(both, {.resolution = 6, .axis = Axis::z}), 0u);
  }
}

TEST_F(CudaEnds, OfHundredsOfCrossingsInAColumnAndBack) {
  const Mesh plates = test::stacked_plates(kEmulated ? 150 : 600);
  const Mesh other = test::moved(test::stacked_plates(kEmulated ? 130 : 520), {0.25f, 0.25f, 0.5f});
  EXPECT_GT(expect_pair(plates, other, {.resolution = 5, .axis = Axis::z}), 1000u);
  EXPECT_GT(expect_pair(round_sphere(8, 16), box_mesh({0, 0, 0}, {1, 1, 1}), {.resolution = 5, .axis = Axis::z}), 0u);
}

TEST_F(CudaEnds, OfTiesInCountedColumns) {
  const Mesh plates = test::stacked_plates(20);  // 40 crossings: more than slots have
  Mesh twice = plates;
  test::append(twice, plates);
  EXPECT_EQ(expect_pair(plates, plates, {.resolution = 4, .axis = Axis::z}), 20u * 16);
  EXPECT_EQ(expect_pair(twice, plates, {.resolution = 4, .axis = Axis::z}), 20u * 16);
  EXPECT_EQ(expect_self(twice, {.resolution = 4, .axis = Axis::z}), 20u * 16);
}

TEST_F(CudaEnds, OfLargeAndCutTrianglesInCountedColumns) {
  const Mesh shells = test::nested_spheres(20, 4);
  EXPECT_GT(expect_both(shells, test::moved(shells, {0.3f, 0.2f, 0.4f}), {.resolution = 50}), 1000u);
}

TEST_F(CudaEnds, OfMoreSpansThanWereGuessed) {
  const Mesh plates = test::stacked_plates(5);
  Mesh twice = plates;
  test::append(twice, test::moved(plates, {0, 0, 0.5f}));
  test::append(twice, test::inside_out(test::moved(plates, {0, 0, 40})));
  const QueryOptions options{.resolution = 64, .axis = Axis::z};
  EXPECT_EQ(expect_self(twice, options), 5u * 64 * 64);
  EXPECT_GT(expect_pair(twice, plates, options), 5u * 64 * 64 - 1);
}

TEST_F(CudaEnds, OfAFrameThatIsRepeatedAreItsOwn) {
  // Cubes side by side, then one above another: as many spans, others, in columns that had no room.
  Mesh cubes;
  for (int i = 0; i < 12; ++i)
    test::append(cubes, box_mesh({static_cast<float>(i), 0, 0}, {static_cast<float>(i + 1), 1, 1}));
  const Mesh slab = box_mesh({0, 0, -1}, {12, 1, 0.5f});
  const auto a = engine_->keep(cubes), b = engine_->keep(slab);
  const QueryOptions options{.resolution = 10, .axis = Axis::z};
  EXPECT_EQ(expect_pair(*a, *b, cubes, slab, options), 100u);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t k = 0; k < 8; ++k) {
      Vec3& p = cubes.positions[8 * i + k];
      p = {p.x - static_cast<float>(i), p.y, p.z + 2 * static_cast<float>(i) + 0.25f};
    }
  a->deform(cubes.positions);
  EXPECT_EQ(expect_pair(*a, *b, cubes, slab, options), 100u);
}

TEST_F(CudaEnds, WithLittleMemoryComeFromCountedColumns) {
  const Mesh mesh = round_sphere(8, 16), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  const test::ScarceMemory scarce(std::size_t{kEmulated ? 4 : 160} << 20);
  EXPECT_GT(expect_both(mesh, other, {.resolution = kEmulated ? 100u : 900u}), 0u);
}

TEST_F(CudaEnds, WithoutMemoryAreAnErrorAndTheNextCallWorks) {
  const Mesh mesh = round_sphere(8, 16), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  {
    const test::ScarceMemory scarce(std::size_t{kEmulated ? 16 : 64} << 20);
    const Error error =
        test::error_of([&] { (void)test::intersect(*engine_, mesh, other, with_ends({.resolution = 8192})); });
    EXPECT_EQ(error.kind(), Error::Kind::device);
    EXPECT_THAT(error.what(), HasSubstr("not enough memory on the GPU"));
    EXPECT_GT(expect_pair(mesh, other, {.resolution = 16}), 0u);
  }
  EXPECT_GT(expect_pair(mesh, other, {.resolution = 24}), 0u);
}

// ---- meshes of all kinds

TEST_F(CudaEnds, OfRandomClosedMeshes) {
  std::size_t spans = 0;
  for (std::uint32_t seed = 0; seed < (kEmulated ? 12 : 150); ++seed) {
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
    spans += expect_both(a, b, {.resolution = std::min(grid.columns, kEmulated ? 64u : 1000u)});
  }
  EXPECT_GT(spans, 1000u);
}

TEST_F(CudaEnds, OfOpenInsideOutBrokenAndEmptyMeshes) {
  Mesh mesh = test::nested_spheres(3, 12);
  test::append(mesh, test::inside_out(round_sphere(16, 32, 0.8f, {0.5f, 0, 0})));
  mesh.positions[7].x = std::numeric_limits<float>::quiet_NaN();
  mesh.triangles.resize(mesh.triangles.size() - 200);
  const Mesh box = box_mesh({-0.5f, -0.5f, -0.5f}, {2, 2, 2});
  EXPECT_GT(expect_both(mesh, box, {.resolution = 40}), 0u);
  EXPECT_EQ(expect_both({}, box, {.resolution = 4}), 0u);
  EXPECT_EQ(expect_pair(box, test::moved(box, {5, 0, 0}), {.resolution = 4}), 0u);
}

// ---- many questions

TEST_F(CudaEnds, QuestionsWithAndWithoutThemTakeTurns) {
  const Mesh mesh = round_sphere(8, 16), other = box_mesh({0.1f, -0.4f, -0.6f}, {1.5f, 0.5f, 0.6f});
  const auto a = engine_->keep(mesh), b = engine_->keep(other);
  const QueryOptions options{.resolution = 16};
  const Overlap expected = test::intersect(*software_, mesh, other, options);
  for (int round = 0; round < 4; ++round) {
    const Overlap plain = test::intersect(*engine_, *a, *b, options);
    expect_same(plain, expected);
    EXPECT_TRUE(plain.ends.empty());
    EXPECT_GT(expect_pair(*a, *b, mesh, other, options), 50u);
    EXPECT_EQ(test::intersect(*engine_, *b, *a, with_ends(options)).ends.size(), expected.spans.size());
  }
}

TEST_F(CudaEnds, FollowMeshesThatDeform) {
  Mesh mesh = round_sphere(8, 16);
  const Mesh other = box_mesh({0.1f, -0.4f, -0.6f}, {1.5f, 0.5f, 0.6f});
  const auto a = engine_->keep(mesh), b = engine_->keep(other);
  for (int frame = 0; frame < 4; ++frame) {
    EXPECT_GT(expect_pair(*a, *b, mesh, other, {.resolution = 20}), 50u);
    for (Vec3& p : mesh.positions) p = p + Vec3{0.07f * p.y, 0.02f, -0.05f * p.x};
    a->deform(mesh.positions);
  }
}

TEST_F(CudaEnds, ComeWithGradientsAndWithATolerance) {
  const Mesh a = round_sphere(10, 20), b = box_mesh({0.3f, -0.4f, -0.5f}, {1.5f, 0.7f, 0.6f});
  OverlapGradient got, expected;
  engine_->volume_gradient(a, b, with_ends({.resolution = 24}), {}, got);
  software_->volume_gradient(a, b, with_ends({.resolution = 24}), {}, expected);
  expect_same_ends(got, expected);
  EXPECT_EQ(got.vertices_a, expected.vertices_a);
  QueryOptions options = with_ends({});
  options.tolerance = Tolerance{.relative = 0.02};
  EXPECT_GT(expect_pair(a, b, options), 0u);
}

TEST_F(CudaEnds, AreReadBackOnce) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1}), other = test::moved(box, {0.5f, 0.5f, 0.5f});
  const auto a = engine_->keep(box), b = engine_->keep(other);
  const auto bytes = [](std::uint64_t spans) {
    return sizeof(cuda::FrameReport) + spans * (sizeof(Span) + sizeof(SpanEnds));
  };
  const QueryOptions options = with_ends({.resolution = 16});
  EXPECT_EQ(test::intersect(*engine_, *a, *b, options).read_back_bytes, bytes(256));
  EXPECT_EQ(test::intersect(*engine_, *a, *b, options).read_back_bytes, bytes(256 + 256 / 8));
}

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(CudaEnds, TakeMemoryOnlyWhereTheyAreWanted) {
  const Mesh mesh = round_sphere(8, 16), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  const QueryOptions options{.resolution = 32};
  (void)test::intersect(*engine_, mesh, other, options);
  const std::size_t before = cuda_emulation::memory_in_use();
  (void)test::intersect(*engine_, mesh, other, options);
  EXPECT_EQ(cuda_emulation::memory_in_use(), before);
  (void)test::intersect(*engine_, mesh, other, with_ends(options));
  const std::size_t more = cuda_emulation::memory_in_use() - before;
  EXPECT_GE(more, 2u * 8 * 32 * 32 * 4) << "a face for each slot";
  EXPECT_LE(more, 2u * 8 * 32 * 32 * 4 + 4096u * sizeof(SpanEnds) + 1024);
}

TEST_F(CudaEnds, AreThereInAnyOrderOfThreads) {
  const Mesh mesh = test::nested_spheres(4, 6), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    cuda_emulation::set_schedule(seed);
    cuda_emulation::set_deferred(seed % 2 == 0);
    EXPECT_GT(expect_both(mesh, other, {.resolution = 24}), 100u);
  }
}
#endif

}  // namespace
}  // namespace lamella
