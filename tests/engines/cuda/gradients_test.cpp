// Gradients of batches and of bodies on the GPU are those that the CPU finds.

#include <cuda_runtime.h>

#include "batch_fixture.hpp"
#include "lamella/cuda.hpp"
#include "lamella/engine.hpp"
#include "lamella/query.hpp"

namespace lamella {
namespace {

using namespace batches;

using CudaGradients = test::CudaTest;

/// Of sums of doubles in another order.
constexpr double kRounding = 1e-11;

void expect_near(Vec3d got, Vec3d expected, double tolerance, const char* what) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(got[k], expected[k], tolerance) << what << ", component " << k;
}

void expect_same_sums(const PairGradient& got, const PairGradient& expected, std::size_t pair) {
  SCOPED_TRACE(testing::Message() << "pair " << pair);
  expect_same(got, expected, pair);
  if (expected.grid.columns == 0) return;
  const Vec3 size = extent(expected.grid.box);
  const double reach = size.x + size.y + size.z, area = reach * reach;
  expect_near(got.sums.a.translation, expected.sums.a.translation, kRounding * area, "force on a");
  expect_near(got.sums.b.translation, expected.sums.b.translation, kRounding * area, "force on b");
  expect_near(got.sums.a.rotation, expected.sums.a.rotation, kRounding * area * reach, "torque on a");
  expect_near(got.sums.b.rotation, expected.sums.b.rotation, kRounding * area * reach, "torque on b");
  for (std::size_t k = 0; k < 3; ++k)
    expect_near(got.sums.moments[k], expected.sums.moments[k], 1e-10 * area * reach * area, "second moments");
  EXPECT_NEAR(got.sums.inner_a.area, expected.sums.inner_a.area, 1e-5 * area);
  EXPECT_NEAR(got.sums.inner_b.area, expected.sums.inner_b.area, 1e-5 * area);
}

/// Compares all answers; returns how many pairs collide.
std::size_t compare_gradients(Both& both, std::span<const BatchPair> pairs) {
  const auto got = both.cuda.volume_gradients(pairs), expected = both.software.volume_gradients(pairs);
  EXPECT_EQ(got.size(), pairs.size());
  std::size_t colliding = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    expect_same_sums(got[i], expected[i], i);
    colliding += expected[i].colliding() ? 1 : 0;
  }
  return colliding;
}

TEST_F(CudaGradients, OfABoxThatMovesOutOfAnother) {
  Batch batch({.engine = "cuda", .resolution = 16});
  const ObjectId box = batch.add(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  const BatchPair pair{box, box, {}, {{0.5, 0.25, 0.75}, {}}};
  const auto answers = batch.volume_gradients({&pair, 1});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_NEAR(answers[0].volume, 0.5 * 0.75 * 0.25, 1e-6);
  expect_near(answers[0].sums.a.translation, {0.75 * 0.25, 0.5 * 0.25, 0.5 * 0.75}, 1e-6, "force on a");
  expect_near(answers[0].sums.b.translation, {-0.75 * 0.25, -0.5 * 0.25, -0.5 * 0.75}, 1e-6, "force on b");
  EXPECT_NEAR(answers[0].sums.inner_a.area, 0.75 * 0.25 + 0.5 * 0.25 + 0.5 * 0.75, 1e-5);
}

TEST_F(CudaGradients, OfModelsAtRandomPosesAreTheCpus) {
  Both both({.resolution = kEmulated ? 20u : 64u});
  const std::size_t faces = kEmulated ? 300 : 5000;
  both.add(scenes::sphere(faces));
  both.add(scenes::torus_knot(faces));
  both.add(test::box_mesh({-0.5f, -0.7f, -0.3f}, {0.5f, 0.7f, 0.3f}));
  const auto pairs = random_pairs(3, kEmulated ? 30 : 300, 0.8f, 1);
  EXPECT_GT(compare_gradients(both, pairs), pairs.size() / 2);
}

TEST_F(CudaGradients, OfRandomSolidsAreTheCpus) {
  test::Random random(7);
  for (const std::uint32_t resolution : {1u, 7u, 33u}) {
    Both both({.resolution = resolution});
    const std::uint32_t meshes = kEmulated ? 12 : 40;
    for (std::uint32_t i = 0; i < meshes; ++i) {
      Grid grid = test::random_grid(random);
      both.add(test::random_closed_mesh(random, grid));
    }
    compare_gradients(both, random_pairs(meshes, kEmulated ? 30 : 300, 0.5f, resolution));
  }
}

TEST_F(CudaGradients, OfBoxesWithFlushFacesAreTheCpus) {
  Both both({.resolution = 12});
  both.add(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  both.add(test::box_mesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 1}));
  std::vector<BatchPair> pairs;
  for (const double x : {-0.5, 0.0, 0.25})
    for (const double z : {-0.5, 0.0, 0.5})
      for (std::uint32_t b = 0; b < 2; ++b) pairs.push_back({0, b, {}, {{x, 0, z}, {}}});
  EXPECT_GT(compare_gradients(both, pairs), 6u);
}

TEST_F(CudaGradients, OfDeepColumnsAndWithoutRoomAtFirst) {
  Both both({.resolution = kEmulated ? 12u : 64u});
  both.add(stack_of_slabs(kEmulated ? 40 : 400));
  both.add(test::box_mesh({-0.7f, -0.8f, -0.1f}, {0.9f, 0.6f, 0.93f}));
  const std::vector<BatchPair> pairs{{0, 0, {}, {{0.3, 0.2, 0.0007}, {}}}, {0, 1, {}, {}}};
  EXPECT_EQ(compare_gradients(both, pairs), 2u);
  EXPECT_EQ(compare_gradients(both, pairs), 2u) << "with room for them";
}

TEST_F(CudaGradients, OnGridsThatAreTooLargeForSharedMemory) {
  Both both({.resolution = 200});
  both.add(scenes::sphere(kEmulated ? 100 : 3000));
  both.add(test::box_mesh({-1, -1, -1}, {1, 1, 1}));
  EXPECT_GT(compare_gradients(both, random_pairs(2, kEmulated ? 1 : 20, 0.3f, 3)), 0u);
}

TEST_F(CudaGradients, OfBrokenOpenAndEmptyMeshesAreTheCpus) {
  Options options{.resolution = 16};
  options.close_holes = false;
  Both both(options);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Mesh holed = scenes::sphere(200), broken = holed;
  holed.triangles.resize(holed.triangles.size() - 5);
  broken.positions[3].x = nan;
  both.add(scenes::sphere(200));
  both.add(holed);
  both.add(broken);
  both.add({});
  std::vector<BatchPair> pairs;
  for (std::uint32_t i = 0; i < 4; ++i) {
    pairs.push_back({0, i, {}, {{0.3, 0.2, 0.1}, {}}});
    pairs.push_back({i, 0, {{50, 0, 0}, {}}, {}});
  }
  compare_gradients(both, pairs);
}

TEST_F(CudaGradients, RunsWithAndWithoutThemTakeTurns) {
  Both both({.resolution = 16});
  both.add(scenes::sphere(200));
  const std::vector<BatchPair> pairs{{0, 0, {}, {{0.2, 0.1, 0}, {}}}};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(compare_gradients(both, pairs), 1u);
    EXPECT_EQ(both.compare(pairs), 1u);
  }
  EXPECT_TRUE(both.cuda.volume_gradients({}).empty());
}

// ---- vertices

/// Two spheres of one mesh that overlap.
Mesh overlapping_spheres(int rings, float apart) {
  Mesh mesh = test::round_sphere(rings, 2 * rings);
  test::append(mesh, test::round_sphere(rings, 2 * rings, 0.8f, {apart, 0.1f, 0.2f}));
  return mesh;
}

void expect_same_vertices(std::span<const Vec3> got, std::span<const Vec3> expected) {
  ASSERT_EQ(got.size(), expected.size());
  std::size_t differing = 0;
  for (std::size_t i = 0; i < got.size(); ++i) differing += got[i] == expected[i] ? 0 : 1;
  EXPECT_EQ(differing, 0u) << "of " << got.size();
}

void expect_same_sums(const GradientSums& got, const GradientSums& expected, double size) {
  const double area = size * size;
  expect_near(got.a.translation, expected.a.translation, kRounding * area, "force on a");
  expect_near(got.b.translation, expected.b.translation, kRounding * area, "force on b");
  expect_near(got.a.rotation, expected.a.rotation, kRounding * area * size, "torque on a");
  expect_near(got.inner_a.normal, expected.inner_a.normal, 1e-8, "mean normal");
  EXPECT_NEAR(got.inner_a.area, expected.inner_a.area, 1e-8 * area);
  EXPECT_NEAR(got.inner_b.area, expected.inner_b.area, 1e-8 * area);
  for (std::size_t k = 0; k < 3; ++k)
    expect_near(got.moments[k], expected.moments[k], 1e-9 * area * area * size, "moments");
}

TEST_F(CudaGradients, OfVerticesOfAPairAreTheCpusToTheBit) {
  const Mesh a = test::round_sphere(10, 20), b = test::box_mesh({0.3f, -0.4f, -0.5f}, {1.5f, 0.7f, 0.6f});
  const GradientOptions all;
  for (const std::uint32_t resolution : {5u, 24u}) {
    const auto cuda = make_engine({.engine = "cuda"}), software = make_engine({.engine = "software"});
    OverlapGradient got, expected;
    cuda->volume_gradient(a, b, {.resolution = resolution}, all, got);
    software->volume_gradient(a, b, {.resolution = resolution}, all, expected);
    EXPECT_EQ(got.span_count, expected.span_count);
    EXPECT_GT(got.span_count, 0u);
    EXPECT_NEAR(got.volume, expected.volume, 1e-12);
    expect_same_vertices(got.vertices_a, expected.vertices_a);
    expect_same_vertices(got.vertices_b, expected.vertices_b);
    expect_same_sums(got.sums, expected.sums, 3);
  }
}

TEST_F(CudaGradients, OfVerticesOfAMeshThatOverlapsItselfAreTheCpusToTheBit) {
  const Mesh mesh = overlapping_spheres(8, 1);
  const auto cuda = make_engine({.engine = "cuda"}), software = make_engine({.engine = "software"});
  for (int turn = 0; turn < 2; ++turn) {
    SelfGradient got, expected;
    cuda->self_gradient(mesh, {.resolution = 20}, {}, got);
    software->self_gradient(mesh, {.resolution = 20}, {}, expected);
    EXPECT_GT(got.span_count, 0u);
    expect_same_vertices(got.vertices, expected.vertices);
    expect_same_sums(got.sums, expected.sums, 4);
  }
  SelfGradient none;
  cuda->self_gradient(test::round_sphere(8, 16), {.resolution = 20}, {}, none);
  EXPECT_EQ(none.span_count, 0u);
  for (const Vec3& g : none.vertices) EXPECT_EQ(g, Vec3{});
}

/// Bodies in the device's memory, and gradients from there.
class DeviceBodies {
 public:
  explicit DeviceBodies(std::span<const Mesh> meshes) {
    for (const Mesh& m : meshes) {
      cuda::DeviceMesh& body = bodies.emplace_back();
      body.positions = copy(m.positions);
      body.triangles = copy(m.triangles);
      body.vertex_count = static_cast<std::uint32_t>(m.positions.size());
      body.triangle_count = static_cast<std::uint32_t>(m.triangles.size());
      vertices += m.positions.size();
    }
  }
  ~DeviceBodies() {
    for (void* p : arrays_) (void)cudaFree(p);
  }
  DeviceBodies(const DeviceBodies&) = delete;
  DeviceBodies& operator=(const DeviceBodies&) = delete;

  template <class AnyBatch>
  [[nodiscard]] std::vector<Vec3> gradients(const AnyBatch& batch) const {
    std::vector<Vec3> all(vertices);
    EXPECT_EQ(cudaMemcpy(all.data(), batch.device_gradients(), all.size() * sizeof(Vec3), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return all;
  }

  std::vector<cuda::DeviceMesh> bodies;
  std::size_t vertices = 0;

 private:
  template <class T>
  T* copy(const std::vector<T>& from) {
    void* to = nullptr;
    if (from.empty()) return nullptr;
    EXPECT_EQ(cudaMalloc(&to, from.size() * sizeof(T)), cudaSuccess);
    arrays_.push_back(to);
    EXPECT_EQ(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    return static_cast<T*>(to);
  }
  std::vector<void*> arrays_;
};

TEST_F(CudaGradients, OfManyBodiesAreTheCpusToTheBit) {
  std::vector<Mesh> meshes;
  for (int i = 0; i < (kEmulated ? 6 : 60); ++i)
    meshes.push_back(overlapping_spheres(kEmulated ? 6 : 30, 0.3f + 0.35f * static_cast<float>(i % 6)));
  meshes.push_back({});
  meshes.push_back(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  const DeviceBodies device(meshes);
  const std::uint32_t resolution = kEmulated ? 16 : 64;
  cuda::SelfBatch batch(device.bodies, {.resolution = resolution});
  const auto software = make_engine({.engine = "software"});
  for (int run = 0; run < 2; ++run) {
    batch.launch(nullptr);
    const auto answers = batch.wait();
    ASSERT_EQ(answers.size(), meshes.size());
    const std::vector<Vec3> all = device.gradients(batch);
    std::size_t first = 0;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "body " << i);
      SelfGradient expected;
      software->self_gradient(meshes[i], {.resolution = resolution}, {}, expected);
      EXPECT_EQ(answers[i].grid, expected.grid);
      if (expected.health.uncertain_spans == 0) {
        EXPECT_EQ(answers[i].span_count, expected.span_count);
        EXPECT_NEAR(answers[i].volume, expected.volume, 1e-12);
        EXPECT_NEAR(answers[i].volume_error, expected.volume_error, 1e-12);
        test::expect_same_health(answers[i].health, expected.health);
        expect_same_vertices(std::span(all).subspan(first, meshes[i].positions.size()), expected.vertices);
      }
      first += meshes[i].positions.size();
    }
  }
}

TEST_F(CudaGradients, OfABodyWithMoreCrossingsThanRoomAtFirst) {
  const std::vector<Mesh> meshes{stack_of_slabs(kEmulated ? 30 : 300)};
  const DeviceBodies device(meshes);
  cuda::SelfBatch batch(device.bodies, {.resolution = 8});
  batch.launch(nullptr);
  EXPECT_EQ(batch.wait()[0].volume, 0);
}

TEST_F(CudaGradients, OfBodiesWithWrongIndicesAreErrors) {
  std::vector<Mesh> meshes{test::box_mesh({0, 0, 0}, {1, 1, 1}), test::box_mesh({0, 0, 0}, {1, 1, 1})};
  meshes[1].triangles[3].b = 8;
  const DeviceBodies device(meshes);
  cuda::SelfBatch batch(device.bodies, {.resolution = 8});
  batch.launch(nullptr);
  EXPECT_THROW((void)batch.wait(), Error);
}

/// Spheres and boxes that overlap more and less, not at all, and nothing.
std::vector<Mesh> meshes_of_pairs() {
  std::vector<Mesh> meshes;
  for (int i = 0; i < (kEmulated ? 4 : 40); ++i) {
    const float shift = 0.2f + 0.5f * static_cast<float>(i % 5);
    meshes.push_back(test::round_sphere(kEmulated ? 6 : 30, kEmulated ? 12 : 60));
    meshes.push_back(test::box_mesh({shift, -0.4f, -0.5f}, {shift + 1.2f, 0.7f, 0.6f}));
  }
  meshes.push_back({});
  meshes.push_back(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  return meshes;
}

std::vector<std::array<cuda::DeviceMesh, 2>> two_by_two(const DeviceBodies& device) {
  std::vector<std::array<cuda::DeviceMesh, 2>> pairs;
  for (std::size_t i = 0; i < device.bodies.size(); i += 2) pairs.push_back({device.bodies[i], device.bodies[i + 1]});
  return pairs;
}

TEST_F(CudaGradients, OfManyPairsThatDeformAreTheCpusToTheBit) {
  const std::vector<Mesh> meshes = meshes_of_pairs();
  const DeviceBodies device(meshes);
  const std::uint32_t resolution = kEmulated ? 16 : 64;
  cuda::GradientBatch batch(two_by_two(device), {.resolution = resolution});
  const auto software = make_engine({.engine = "software"});
  std::size_t colliding = 0;
  for (int run = 0; run < 2; ++run) {
    batch.launch(nullptr);
    const auto answers = batch.wait();
    ASSERT_EQ(answers.size(), meshes.size() / 2);
    ASSERT_EQ(batch.sums().size(), answers.size());
    const std::vector<Vec3> all = device.gradients(batch);
    std::size_t first = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "pair " << i);
      const Mesh &a = meshes[2 * i], &b = meshes[2 * i + 1];
      OverlapGradient expected;
      software->volume_gradient(a, b, {.resolution = resolution}, {}, expected);
      EXPECT_EQ(answers[i].span_count, expected.span_count);
      EXPECT_NEAR(answers[i].volume, expected.volume, 1e-12);
      EXPECT_NEAR(answers[i].volume_error, expected.volume_error, 1e-12);
      expect_same_sums(batch.sums()[i], expected.sums, 3);
      expect_same_vertices(std::span(all).subspan(first, a.positions.size()), expected.vertices_a);
      first += a.positions.size();
      expect_same_vertices(std::span(all).subspan(first, b.positions.size()), expected.vertices_b);
      first += b.positions.size();
      colliding += expected.colliding() ? 1 : 0;
    }
  }
  EXPECT_GT(colliding, meshes.size() / 4);
}

TEST_F(CudaGradients, OfPairsGoToTheCallersMemory) {
  const std::vector<Mesh> meshes{test::box_mesh({0, 0, 0}, {1, 1, 1}), test::box_mesh({0.5f, 0, 0}, {2, 1, 1})};
  const DeviceBodies device(meshes);
  void* room = nullptr;
  ASSERT_EQ(cudaMalloc(&room, device.vertices * sizeof(Vec3)), cudaSuccess);
  {
    cuda::GradientBatch batch(two_by_two(device), {.resolution = 8}, static_cast<Vec3*>(room));
    batch.launch(nullptr);
    EXPECT_NEAR(batch.wait()[0].volume, 0.5, 1e-6);
    EXPECT_EQ(batch.device_gradients(), room);
    const std::vector<Vec3> all = device.gradients(batch);
    double sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum += all[i].x;
    EXPECT_NEAR(sum, 1, 1e-6) << "the first box's face inside the second has area 1";
  }
  EXPECT_EQ(cudaFree(room), cudaSuccess);
}

TEST_F(CudaGradients, OfPairsWithWrongIndicesAreErrorsThatNameThePair) {
  std::vector<Mesh> meshes(4, test::box_mesh({0, 0, 0}, {1, 1, 1}));
  meshes[3].triangles[3].b = 8;
  const DeviceBodies device(meshes);
  cuda::GradientBatch batch(two_by_two(device), {.resolution = 8});
  batch.launch(nullptr);
  EXPECT_THROW((void)batch.wait(), Error);
  EXPECT_TRUE(batch.sums().empty());
}

}  // namespace
}  // namespace lamella
