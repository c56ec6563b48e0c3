// A scene's pairs on CUDA against those of the CPU: the same, bit by bit.

#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <vector>

#include "engines/cuda/engines.hpp"
#include "engines/cuda/pairs_upload.hpp"
#include "engines/software/engines.hpp"
#include "lamella/error.hpp"
#include "scene/random_scenes.hpp"
#include "scene/result_bits.hpp"
#include "scene_groups.hpp"
#include "support/cuda.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::kEmulated;

class CudaPairs : public test::CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    if (!IsSkipped()) finder_ = cuda::make_pair_finder({});
  }

  /// Asks both and compares; the answer.
  const GroupAnswer& compare(const Group& group, const GroupQuery& query) {
    software_->find(group, query, expected_);
    // What another engine may have left there.
    found_.dropped_crossings = found_.passed_over = found_.round_count = 7;
    found_.sums.resize(3);
    finder_->find(group, query, found_);
    test::expect_same(found_, expected_);
    EXPECT_EQ(found_.dropped_crossings, 0u);
    EXPECT_EQ(found_.passed_over, 0u);
    EXPECT_EQ(found_.round_count, 0u);
    EXPECT_TRUE(found_.sums.empty());
    return found_;
  }
  const GroupAnswer& compare(const std::vector<Mesh>& meshes, const Grid& grid) {
    return compare(test::make_group(meshes, grid), {0x1p-20f * grid.depth(), static_cast<float>(grid.cell_u()), true});
  }

  std::unique_ptr<PairFinder> finder_, software_ = software::make_pair_finder({.threads = 1});
  GroupAnswer expected_, found_;
};

TEST_F(CudaPairs, TwoBoxesShareTheirSpans) {
  const std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3})};
  const GroupAnswer& found = compare(meshes, test::grid_over(meshes, Axis::z, 6, 6));
  EXPECT_EQ(found.spans.size(), 4u);
  EXPECT_TRUE(finder_->gives_volumes());
  // Open and inside-out columns of two objects, skipped triangles of their windows, in pieces of 16 bytes; one block of
  // columns; four meetings.
  const std::size_t state = (sizeof(cuda::SceneState) + 15) / 16 * 16;
  EXPECT_EQ(found.read_back_bytes, state + 16 + 16 + 16 + sizeof(cuda::SweepBlock) + 4 * sizeof(Meeting));
}

TEST_F(CudaPairs, NothingToSampleIsAnEmptyAnswer) {
  const std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({2, 2, 2}, {3, 3, 3})};
  const GroupAnswer& found = compare(meshes, test::grid_over(meshes, Axis::x, 5, 5));
  EXPECT_EQ(found.objects.size(), 2u);
  EXPECT_EQ(found.occupied_columns, 0u);
}

TEST_F(CudaPairs, RandomGroupsAreTheSame) {
  std::size_t spans = 0, points = 0;
  for (std::uint32_t seed = 0; seed < (kEmulated ? 14 : 70); ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Mesh> meshes = test::placed(test::random_scene(seed));
    const auto columns = 5 + seed * 13 % 40, rows = 5 + seed * 17 % 40;
    const Grid grid = test::grid_over(meshes, static_cast<Axis>(seed % 3), columns, rows);
    const GroupAnswer& found = compare(meshes, grid);
    spans += found.spans.size();
    points += found.points.size();
  }
  EXPECT_GT(spans, 500u);
  EXPECT_GT(points, 100u);
}

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(CudaPairs, AnyOrderOfThreadsAndLateStreamsGiveTheSame) {
  const std::vector<Mesh> meshes = test::placed(test::random_scene(5));
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    cuda_emulation::set_schedule(seed);
    cuda_emulation::set_deferred(seed % 2 == 0);
    EXPECT_GT(compare(meshes, test::grid_over(meshes, Axis::z, 20, 25)).spans.size(), 0u);
  }
}
#endif

TEST_F(CudaPairs, LargeTrianglesAreTheSameOnFineGrids) {
  const std::vector<Mesh> meshes{box_mesh({-5, -5, 0}, {5, 5, 1}), scenes::torus_knot(300), scenes::sphere(80)};
  const std::uint32_t resolution = kEmulated ? 150 : 1000;
  const GroupAnswer& found = compare(meshes, test::grid_over(meshes, Axis::z, resolution, resolution / 2));
  EXPECT_GT(found.spans.size(), 100u);
}

TEST_F(CudaPairs, DeepColumnsAreWhole) {
  const int plates = kEmulated ? 150 : 2000;
  const std::vector<Mesh> meshes{test::plates(plates, {0, 0, 0}, {1, 1, 1}),
                                 box_mesh({0.2f, 0.2f, 0.1f}, {2, 2, 0.9f})};
  const GroupAnswer& found = compare(meshes, test::grid_over(meshes, Axis::z, 9, 9));
  EXPECT_GT(found.spans.size(), static_cast<std::size_t>(plates));
}

TEST_F(CudaPairs, BrokenObjectsAreToldOfAlike) {
  std::vector<Mesh> meshes{scenes::torus(160), scenes::sphere(80), box_mesh({-0.5f, -0.5f, -0.5f}, {1, 1, 1})};
  meshes[1].positions[3].y = std::numeric_limits<float>::quiet_NaN();
  meshes[0].triangles.resize(meshes[0].triangles.size() - 9);
  for (const Triangle& t : std::vector<Triangle>(meshes[2].triangles)) meshes[2].triangles.push_back(t);
  const GroupAnswer& found = compare(meshes, test::grid_over(meshes, Axis::y, 24, 20));
  EXPECT_GT(found.open_columns, 0u);
  EXPECT_GT(found.objects[1].skipped_triangles, 0u);
  EXPECT_GT(found.objects[2].self_length, 0);
}

TEST_F(CudaPairs, AnObjectThatStaysOpenIsLeftOutWithAllItsStretches) {
  Mesh open = box_mesh({0, 0, 0}, {2, 2, 1});
  Mesh lid = box_mesh({0, 0, 3}, {2, 2, 4});
  lid.triangles.resize(2);  // the ray enters there, and stays
  test::append(open, lid);
  const std::vector<Mesh> meshes{open, box_mesh({0, 0, 0.5f}, {2, 2, 3.5f}), box_mesh({0, 0, 0.6f}, {2, 2, 3.6f})};
  const GroupAnswer& found = compare(meshes, test::grid_over(meshes, Axis::z, 5, 5));
  EXPECT_EQ(found.objects[0].open_columns, 25u);
  EXPECT_EQ(found.spans.size(), 25u);
}

TEST_F(CudaPairs, StretchesOfAnObjectThatMeetAtOneDepthAreOne) {
  Mesh stack = box_mesh({0, 0, 0}, {2, 2, 1});
  test::append(stack, box_mesh({0, 0, 1}, {2, 2, 2}));
  const std::vector<Mesh> meshes{stack, box_mesh({0, 0, 0.5f}, {2, 2, 3})};
  EXPECT_EQ(compare(meshes, test::grid_over(meshes, Axis::z, 5, 5)).spans.size(), 25u);
}

TEST_F(CudaPairs, SelfOverlapCountsOnlyWhatIsLongerThanTheThickness) {
  Mesh two = box_mesh({0, 0, 0}, {2, 2, 1});
  test::append(two, box_mesh({0, 0, 0.875f}, {2, 2, 2}));    // 1/8 in common
  test::append(two, box_mesh({0, 0, 1.25f}, {2, 2, 1.5f}));  // 1/2, in two parts that meet
  test::append(two, box_mesh({0, 0, 1.5f}, {2, 2, 1.75f}));
  const std::vector<Mesh> meshes{two, box_mesh({0, 0, 0.5f}, {2, 2, 3})};
  const Grid grid = test::grid_over(meshes, Axis::z, 5, 5);
  const Group group = test::make_group(meshes, grid);
  const auto length = [&](float thickness) { return compare(group, {thickness, 0, false}).objects[0].self_length; };
  EXPECT_NEAR(length(0.01f), 25 * 0.625, 1e-4);
  EXPECT_NEAR(length(0.2f), 25 * 0.5, 1e-4);
  EXPECT_NEAR(length(0.4f), 25 * 0.5, 1e-4) << "the parts are one span";
  EXPECT_EQ(length(0.6f), 0);
}

TEST_F(CudaPairs, InsideOutObjectsAreToldOfAlike) {
  std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3})};
  for (Triangle& t : meshes[1].triangles) std::swap(t.b, t.c);
  EXPECT_GT(compare(meshes, test::grid_over(meshes, Axis::z, 6, 6)).inside_out_columns, 0u);
}

TEST_F(CudaPairs, FarCornersAreSkippedAlike) {
  std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3}),
                           box_mesh({0.5f, 0.5f, 0.5f}, {2, 2, 2})};
  const Grid grid = test::grid_over(meshes, Axis::z, 12, 12);
  Group group = test::make_group(meshes, grid);
  meshes[0].positions[7].x = 0x1p90f;  // beyond the lattice: not placed
  meshes[2].positions[7].x = 0x1p40f;  // needs 128 bits
  const GroupAnswer& found = compare(group, {0, 0.5f, true});
  EXPECT_GT(found.objects[0].skipped_triangles, 0u);
  EXPECT_EQ(found.objects[2].skipped_triangles, 0u);
}

TEST_F(CudaPairs, CandidatesThatWantNoPointsGetNone) {
  const std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3}),
                                 box_mesh({1, 0, 0}, {3, 2, 2})};
  Group group = test::make_group(meshes, test::grid_over(meshes, Axis::z, 6, 6));
  group.candidates[0].points = false;
  const std::size_t some = compare(group, {0, 2, true}).points.size();
  EXPECT_GT(some, 0u);
  EXPECT_EQ(compare(group, {0, 2, false}).points.size(), 0u);
}

TEST_F(CudaPairs, BadIndicesAndTooManyCrossingsAreErrorsAndTheNextGroupIsFine) {
  std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3})};
  const Grid grid = test::grid_over(meshes, Axis::z, 8, 8);
  std::vector<Mesh> bad = meshes;
  const auto message = [&](PairFinder& finder) {
    return std::string(test::error_of([&] { finder.find(test::make_group(bad, grid), {}, found_); }).what());
  };
  for (const std::size_t mesh : {0u, 1u})
    for (std::uint32_t Triangle::*corner : {&Triangle::a, &Triangle::b, &Triangle::c}) {
      bad = meshes;
      bad[mesh].triangles[4].*corner = 8;
      EXPECT_EQ(message(*finder_), message(*software_));
      compare(meshes, grid);
    }
  finder_ = cuda::make_pair_finder({.max_crossings = 20});
  EXPECT_THROW(finder_->find(test::make_group(meshes, grid), {}, found_), Error);
  compare(meshes, test::grid_over(meshes, Axis::z, 2, 2));
}

TEST_F(CudaPairs, AsManyCrossingsAsAreAllowedAreAnswered) {
  const std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({0, 0, 1}, {2, 2, 3})};
  const Grid grid = test::grid_over(meshes, Axis::z, 8, 8);
  finder_ = cuda::make_pair_finder({.max_crossings = 4 * 64});
  EXPECT_EQ(compare(meshes, grid).spans.size(), 64u);
  finder_ = cuda::make_pair_finder({.max_crossings = 4 * 64 - 1});
  EXPECT_THAT(test::error_of([&] { finder_->find(test::make_group(meshes, grid), {}, found_); }).what(),
              testing::HasSubstr("255"));
}

TEST_F(CudaPairs, TrianglesStayOnTheDeviceUntilNobodyAsksForThemForThousandsOfGroups) {
  constexpr int kLong = 4096;
  const std::vector<Triangle> old{{0, 1, 2}, {3, 4, 5}}, changed{{6, 7, 8}, {9, 10, 11}};
  cuda::KeptTriangles kept;
  // Triangles of an object never change, so others show whether there was a copy.
  const auto has_copy = [&](std::uint32_t id) {
    std::vector<Triangle> read(2);
    const Triangle* there = kept.get(id, changed, nullptr);
    EXPECT_EQ(cudaMemcpy(read.data(), there, 2 * sizeof(Triangle), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_TRUE(read == old || read == changed);
    return read == old;
  };
  for (const std::uint32_t id : {1u, 2u, 3u}) EXPECT_NE(kept.get(id, old, nullptr), nullptr);
  EXPECT_TRUE(has_copy(1));
  EXPECT_FALSE(has_copy(4));
  for (int group = 0; group < 2 * kLong - 1; ++group) {
    kept.tidy();
    if (group % 1000 == 0) (void)kept.get(3, changed, nullptr);
  }
  EXPECT_TRUE(has_copy(1)) << "looked for every few thousand groups only";
  kept.tidy();
  EXPECT_TRUE(has_copy(1));
  EXPECT_FALSE(has_copy(2));
  EXPECT_TRUE(has_copy(3));
  EXPECT_EQ(kept.get(5, {}, nullptr), nullptr);
}

TEST_F(CudaPairs, SpansOfAllGroupsAreCountedTogetherAndTooManyAreAnError) {
  const std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({0, 0, 0}, {2, 2, 2})};
  const Group group = test::make_group(meshes, test::grid_over(meshes, Axis::z, 8, 8));
  finder_->find(group, {}, found_);
  const std::size_t spans = found_.spans.size();
  ASSERT_GT(spans, 0u);
  SpanBudget budget;
  budget.start(2 * spans);
  const GroupQuery query{.spans = &budget};
  finder_->find(group, query, found_);
  finder_->find(group, query, found_);
  EXPECT_THROW(finder_->find(group, query, found_), Error);
}

/// Some ways of looking.
SceneOptions options_of(std::uint32_t seed) {
  SceneOptions o{.engine = "software", .resolution = 8 + seed * 7 % 40, .threads = 1, .max_contacts = seed % 3};
  if (seed % 3 == 1) o.views = 1;
  if (seed % 4 == 2) o.axis = static_cast<Axis>(seed % 3);
  if (seed % 4 == 3) o.cell = 0.05f + 0.01f * static_cast<float>(seed % 11);
  o.max_resolution = 64;
  o.self_overlap = seed % 5 == 0;
  return o;
}

TEST_F(CudaPairs, ScenesTellTheSameFrameAfterFrame) {
  for (std::uint32_t seed = 0; seed < (kEmulated ? 9 : 60); ++seed) {
    SCOPED_TRACE(seed);
    SceneOptions options = options_of(seed);
    Scene software(options);
    options.engine = "cuda";
    Scene cuda(options);
    const test::Bodies bodies = test::random_scene(seed);
    test::add_all(software, bodies);
    test::add_all(cuda, bodies);
    for (int frame = 0; frame < 2; ++frame) {
      const SceneResult &a = software.collide(), &b = cuda.collide();
      EXPECT_TRUE(test::ResultBits(a) == test::ResultBits(b));
      EXPECT_EQ(b.engine, "cuda");
      for (Scene* scene : {&software, &cuda}) scene->move({0}, {{0.3, 0.2, 0.1}, bodies[0].pose.rotation});
    }
  }
}

TEST_F(CudaPairs, ManyGroupsOneAfterAnotherTellTheSameWhateverTheThreads) {
  const test::Bodies bodies = test::random_scene(13);
  SceneOptions options{.engine = "software", .resolution = 12, .threads = 3};
  Scene software(options);
  options.engine = "cuda";
  Scene cuda(options);
  test::add_all(software, bodies);
  test::add_all(cuda, bodies);
  const SceneResult &a = software.collide(), &b = cuda.collide();
  EXPECT_GT(b.groups.size(), 6u);
  EXPECT_TRUE(test::ResultBits(a) == test::ResultBits(b));
}

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(CudaPairs, WithoutMemoryThereIsAnErrorAndLaterAnAnswer) {
  const std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3})};
  const Grid grid = test::grid_over(meshes, Axis::z, 6, 6);
  for (unsigned skip = 0; skip < 12; ++skip) {
    finder_ = cuda::make_pair_finder({});
    cuda_emulation::fail(cuda_emulation::Call::allocation, skip, 1000, cudaErrorMemoryAllocation);
    try {
      finder_->find(test::make_group(meshes, grid), {}, found_);
      EXPECT_GT(skip, 5u) << "so few allocations?";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::device);
    }
    cuda_emulation::reset();
    compare(meshes, grid);
  }
  for (const auto call : {cuda_emulation::Call::launch, cuda_emulation::Call::copy})
    for (unsigned skip = 0; skip < 3; ++skip) {
      cuda_emulation::fail(call, skip);
      EXPECT_THROW(finder_->find(test::make_group(meshes, grid), {}, found_), Error);
      cuda_emulation::reset();
      compare(meshes, grid);
    }
}
#endif

TEST_F(CudaPairs, AnObjectAddedWhereAnotherWasIsSampledAnew) {
  SceneOptions options{.engine = "cuda", .resolution = 16, .threads = 1};
  Scene scene(options);
  const ObjectId first = scene.add(box_mesh({0, 0, 0}, {2, 2, 2}));
  ObjectId second = scene.add(box_mesh({1, 1, 1}, {3, 3, 3}));
  ASSERT_EQ(scene.collide().pairs.size(), 1u);
  const double shared = *scene.collide().pairs[0].volume;
  Mesh inside_out = box_mesh({1, 1, 1}, {3, 3, 3});
  for (Triangle& t : inside_out.triangles) std::swap(t.b, t.c);
  scene.remove(second);
  second = scene.add(inside_out);
  EXPECT_TRUE(scene.collide().pairs.empty());
  scene.remove(second);
  scene.add(box_mesh({1, 1, 1}, {3, 3, 3}));
  ASSERT_EQ(scene.collide().pairs.size(), 1u);
  EXPECT_EQ(*scene.collide().pairs[0].volume, shared);
  EXPECT_EQ(scene.collide().pairs[0].a, first);
}

}  // namespace
}  // namespace lamella
