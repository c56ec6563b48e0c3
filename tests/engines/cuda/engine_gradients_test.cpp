// Gradients of one pair or body by the engine "cuda": those of vertices are the software engine's to the bit, sums but
// for the order of doubles.

#include "engine_fixture.hpp"
#include "engines/cuda/gradient.hpp"
#include "scenes/scenes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::kEmulated;
using test::round_sphere;

void expect_near(Vec3d got, Vec3d expected, double most, const char* what) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(got[k], expected[k], most) << what << ", component " << k;
}

void expect_same_sums(const GradientSums& got, const GradientSums& expected, const Grid& grid) {
  const Vec3 extents = grid.columns != 0 ? extent(grid.box) : Vec3{};
  const double size = extents.x + extents.y + extents.z, area = size * size;
  expect_near(got.a.translation, expected.a.translation, 1e-11 * area, "force on a");
  expect_near(got.b.translation, expected.b.translation, 1e-11 * area, "force on b");
  expect_near(got.a.rotation, expected.a.rotation, 1e-11 * area * size, "torque on a");
  expect_near(got.b.rotation, expected.b.rotation, 1e-11 * area * size, "torque on b");
  expect_near(got.inner_a.normal, expected.inner_a.normal, 1e-8, "normal of a");
  expect_near(got.inner_b.normal, expected.inner_b.normal, 1e-8, "normal of b");
  EXPECT_NEAR(got.inner_a.area, expected.inner_a.area, 1e-8 * area);
  EXPECT_NEAR(got.inner_b.area, expected.inner_b.area, 1e-8 * area);
  for (std::size_t k = 0; k < 3; ++k)
    expect_near(got.moments[k], expected.moments[k], 1e-10 * area * area * size, "moments");
}

class CudaEngineGradients : public test::CudaEngine {
 protected:
  /// Both return how many spans the overlap has.
  std::size_t expect_pair(MeshRef a, MeshRef b, MeshView view_a, MeshView view_b, const QueryOptions& options) {
    OverlapGradient got, expected;
    engine_->volume_gradient(a, b, options, {}, got);
    software_->volume_gradient(view_a, view_b, options, {}, expected);
    test::expect_same(got, expected);
    EXPECT_TRUE(got.vertices_a == expected.vertices_a);
    EXPECT_TRUE(got.vertices_b == expected.vertices_b);
    expect_same_sums(got.sums, expected.sums, expected.grid);
    EXPECT_EQ(got.ends, expected.ends);
    return expected.spans.size();
  }
  std::size_t expect_pair(MeshView a, MeshView b, const QueryOptions& options) {
    return expect_pair(a, b, a, b, options);
  }
  std::size_t expect_self(MeshView mesh, const QueryOptions& options) {
    SelfGradient got, expected;
    engine_->self_gradient(mesh, options, {}, got);
    software_->self_gradient(mesh, options, {}, expected);
    test::expect_same(got, expected);
    EXPECT_TRUE(got.vertices == expected.vertices);
    expect_same_sums(got.sums, expected.sums, expected.grid);
    return expected.spans.size();
  }
};

TEST_F(CudaEngineGradients, OfTwoBoxesIsTheAreaBetweenThem) {
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({1, 0.5f, 0.5f}, {3, 1.5f, 1.5f});
  OverlapGradient g;
  engine_->volume_gradient(a, b, {.resolution = 8}, {}, g);
  expect_near(g.sums.b.translation, {-1, 0, 0}, 1e-9, "force on b");
  EXPECT_EQ(g.engine, "cuda");
  for (const std::optional<Axis> axis : {std::optional<Axis>{}, {Axis::x}, {Axis::y}, {Axis::z}})
    EXPECT_GT(expect_pair(a, b, {.resolution = 9, .axis = axis}), 0u);
}

TEST_F(CudaEngineGradients, OfModels) {
  const auto [knot, serpent] =
      scenes::overlapping("torus_knot", kEmulated ? 1000 : 100000, "serpent", kEmulated ? 1500 : 200000, true);
  EXPECT_GT(expect_pair(knot, serpent, {.resolution = kEmulated ? 40u : 500u}), 20u);
  EXPECT_GT(expect_self(scenes::hand(kEmulated ? 1200 : 40000, 1), {.resolution = kEmulated ? 50u : 500u}), 0u);
}

TEST_F(CudaEngineGradients, OfColumnsThatHaveNoRoomAtFirst) {
  const Mesh plates = test::stacked_plates(20), other = test::moved(test::stacked_plates(17), {0.25f, 0.25f, 0.5f});
  Mesh both = plates;
  test::append(both, other);
  for (int turn = 0; turn < 2; ++turn) {  // a frame that is repeated must not add its ends twice
    EXPECT_GT(expect_pair(plates, other, {.resolution = 5, .axis = Axis::z}), 400u);
    EXPECT_GT(expect_self(both, {.resolution = 6, .axis = Axis::z}), 200u);
  }
  EXPECT_EQ(expect_pair(other, other, {.resolution = 40, .axis = Axis::z}), 17u * 1600);
}

TEST_F(CudaEngineGradients, OfKeptMeshesThatDeform) {
  Mesh mesh = round_sphere(8, 16);
  const Mesh other = box_mesh({0.1f, -0.4f, -0.6f}, {1.5f, 0.5f, 0.6f});
  const auto a = engine_->keep(mesh), b = engine_->keep(other);
  for (int frame = 0; frame < 4; ++frame) {
    EXPECT_GT(expect_pair(*a, *b, mesh, other, {.resolution = 16}), 20u);
    EXPECT_GT(expect_pair(*b, *a, other, mesh, {.resolution = 12, .ends = true}), 20u);
    for (Vec3& p : mesh.positions) p = p + Vec3{0.07f * p.y, 0.02f, -0.05f * p.x};
    a->deform(mesh.positions);
  }
}

TEST_F(CudaEngineGradients, OfMeshesWithoutOverlapOrTrianglesAreZero) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(expect_pair(box, test::moved(box, {3, 0, 0}), {.resolution = 8}), 0u);
  EXPECT_EQ(expect_pair(box, test::moved(round_sphere(8, 16, 0.4f), {1.3f, 1.3f, 0.5f}), {.resolution = 8}), 0u);
  EXPECT_EQ(expect_pair(box, {}, {.resolution = 8}), 0u);
  EXPECT_EQ(expect_self(box, {.resolution = 8}), 0u);
}

TEST_F(CudaEngineGradients, OfRigidMotionsAlone) {
  const Mesh a = round_sphere(8, 16), b = box_mesh({0.1f, -0.4f, -0.6f}, {1.5f, 0.5f, 0.6f});
  OverlapGradient all, sums;
  for (int turn = 0; turn < 2; ++turn)  // from the second on spans are fetched ahead
    engine_->volume_gradient(a, b, {.resolution = 16}, {}, all);
  engine_->volume_gradient(a, b, {.resolution = 16}, {.vertices = false}, sums);
  EXPECT_TRUE(sums.vertices_a.empty() && sums.vertices_b.empty());
  EXPECT_EQ(sums.sums.b.translation, all.sums.b.translation);
  EXPECT_EQ(sums.sums.b.rotation, all.sums.b.rotation);
  EXPECT_EQ(sums.sums.moments, all.sums.moments);
  EXPECT_EQ(all.read_back_bytes - sums.read_back_bytes, (all.vertices_a.size() + all.vertices_b.size()) * sizeof(Vec3));
}

TEST_F(CudaEngineGradients, OutOfMemoryIsAnErrorAndTheNextCallWorks) {
  const Mesh mesh = round_sphere(8, 16), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  {
    const test::ScarceMemory scarce(std::size_t{kEmulated ? 16 : 64} << 20);
    OverlapGradient out;
    EXPECT_THROW(engine_->volume_gradient(mesh, other, {.resolution = 8192}, {}, out), Error);
    EXPECT_GT(expect_pair(mesh, other, {.resolution = 16}), 0u);
  }
  EXPECT_GT(expect_pair(mesh, other, {.resolution = 20}), 0u);
}

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(CudaEngineGradients, AfterAnyCallThatFailsTheNextWorks) {
  using cuda_emulation::Call;
  const Mesh mesh = round_sphere(4, 6), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  for (const Call call : {Call::allocation, Call::host_allocation, Call::launch, Call::copy, Call::synchronize})
    for (const unsigned skip : {0u, 3u, 7u, 12u, 20u, 30u}) {
      SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(call) << " after " << skip);
      engine_ = make({});
      cuda_emulation::fail(call, skip);
      bool failed = false;
      for (int frame = 0; frame < 2; ++frame) try {
          (void)expect_pair(mesh, other, {.resolution = 6});
        } catch (const Error&) {
          failed = true;
        }
      cuda_emulation::fail(call, 0, 0);
      EXPECT_GT(expect_pair(mesh, other, {.resolution = 6}), 0u);
      if (!failed) break;
    }
}
#endif

}  // namespace
}  // namespace lamella
