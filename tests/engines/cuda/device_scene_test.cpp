// DeviceScene against SoftwarePairs on the grid that it chose: the same pairs, spans and points.

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <optional>

#include "core/lattice.hpp"
#include "engines/cuda/scene_memory.hpp"
#include "engines/software/engines.hpp"
#include "lamella/cuda.hpp"
#include "lamella/error.hpp"
#include "scene_groups.hpp"
#include "support/cuda.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using cuda::DevicePair;
using cuda::DeviceSceneAnswer;
using test::box_mesh;
using test::kEmulated;
using test::OnDevice;

/// Meshes in device memory.
class Uploaded {
 public:
  explicit Uploaded(const std::vector<Mesh>& meshes) {
    for (const Mesh& m : meshes) {
      positions_.push_back(std::make_unique<OnDevice<Vec3>>(m.positions));
      triangles_.push_back(std::make_unique<OnDevice<Triangle>>(m.triangles));
      views_.push_back({positions_.back()->get(), triangles_.back()->get(),
                        static_cast<std::uint32_t>(m.positions.size()),
                        static_cast<std::uint32_t>(m.triangles.size())});
    }
  }
  [[nodiscard]] const std::vector<cuda::DeviceMesh>& views() const { return views_; }
  void move(std::size_t mesh, const std::vector<Vec3>& positions) { positions_[mesh]->write(positions); }

 private:
  std::vector<std::unique_ptr<OnDevice<Vec3>>> positions_;
  std::vector<std::unique_ptr<OnDevice<Triangle>>> triangles_;
  std::vector<cuda::DeviceMesh> views_;
};

/// What a frame left, on the host.
struct Found {
  DeviceSceneAnswer answer;
  std::vector<DevicePair> pairs;
  std::vector<CollisionPoint> points;
};

Found run(cuda::DeviceScene& scene) {
  scene.launch(nullptr);
  Found found;
  found.answer = scene.wait();
  scene.read(found.pairs, found.points);
  return found;
}

bool same(const CollisionPoint& a, const CollisionPoint& b) {
  return a.pair == b.pair && a.on_a == b.on_a && a.on_b == b.on_b && a.front_a == b.front_a && a.front_b == b.front_b &&
         a.triangle_a == b.triangle_a && a.triangle_b == b.triangle_b;
}

void expect_identical(const Found& a, const Found& b) {
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    EXPECT_EQ(a.pairs[i].a, b.pairs[i].a);
    EXPECT_EQ(a.pairs[i].b, b.pairs[i].b);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.pairs[i].volume), std::bit_cast<std::uint64_t>(b.pairs[i].volume));
    EXPECT_EQ(a.pairs[i].span_count, b.pairs[i].span_count);
    EXPECT_EQ(a.pairs[i].point_count, b.pairs[i].point_count);
  }
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) ASSERT_TRUE(same(a.points[i], b.points[i])) << "point " << i;
}

class CudaDeviceScene : public test::CudaTest {
 protected:
  /// The answer for these meshes, compared with that of the CPU on the same grid.
  void compare(const Found& found, const std::vector<Mesh>& meshes, const cuda::DeviceSceneOptions& options) {
    const Grid& grid = found.answer.grid;
    const Group group = test::make_group(meshes, grid);
    ASSERT_EQ(found.answer.candidate_count, group.candidates.size());
    ASSERT_EQ(grid.columns == 0, group.candidates.empty());
    EXPECT_EQ(found.answer.status, cuda::kComplete);
    EXPECT_EQ(found.answer.pair_count, found.pairs.size());
    EXPECT_EQ(found.answer.point_count, found.points.size());
    if (group.candidates.empty()) {
      EXPECT_TRUE(found.pairs.empty());
      return;
    }
    expect_grid(meshes, options, group);
    const GroupQuery query{options.min_thickness * grid.depth(),
                           options.threshold * static_cast<float>(std::max(grid.cell_u(), grid.cell_v())),
                           options.points};
    software_->find(group, query, expected_);
    EXPECT_EQ(found.answer.health.open_columns, expected_.open_columns);
    EXPECT_EQ(found.answer.health.occupied_columns, expected_.occupied_columns);
    EXPECT_EQ(found.answer.health.inside_out_columns, expected_.inside_out_columns);
    EXPECT_EQ(found.answer.health.untrusted_volume, expected_.open_columns * grid.cell_area() * grid.depth());
    EXPECT_EQ(found.answer.health.dropped_crossings, 0u);
    EXPECT_EQ(found.answer.health.untrusted_points, 0u);
    std::uint32_t skipped = 0;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      const bool sampled =
          std::any_of(group.windows.begin(), group.windows.end(), [i](const ObjectWindow& w) { return w.object == i; });
      skipped += sampled ? expected_.objects[i].skipped_triangles : count_broken(meshes[i]);
    }
    EXPECT_EQ(found.answer.health.skipped_triangles, skipped);
    compare_pairs(found, group);
    compare_points(found, group);
  }

  static std::uint32_t count_broken(const Mesh& mesh) {
    return static_cast<std::uint32_t>(
        std::count_if(mesh.triangles.begin(), mesh.triangles.end(), [&](const Triangle& t) {
          return !usable(mesh.positions[t.a]) || !usable(mesh.positions[t.b]) || !usable(mesh.positions[t.c]);
        }));
  }

  /// The grid is around all that boxes share, and along the rays around the whole objects with a margin at both ends.
  /// Its axis is the one along which all pairs together reach the least into each other.
  static void expect_grid(const std::vector<Mesh>& meshes, const cuda::DeviceSceneOptions& options,
                          const Group& group) {
    Aabb shared, all;
    Vec3d depth;
    for (const Candidate& c : group.candidates) {
      const Aabb a = bounds(meshes[c.a]), b = bounds(meshes[c.b]);
      Aabb both;
      for (int k = 0; k < 3; ++k) {
        both.min[k] = std::max(a.min[k], b.min[k]);
        both.max[k] = std::min(a.max[k], b.max[k]);
        depth[k] += static_cast<double>(std::min(b.max[k] - a.min[k], a.max[k] - b.min[k]));
      }
      shared = unite(shared, both);
      all = unite(all, unite(a, b));
    }
    int shallowest = 0;
    for (int k = 1; k < 3; ++k)
      if (depth[k] < depth[shallowest]) shallowest = k;
    const int axis = options.axis ? static_cast<int>(*options.axis) : shallowest;
    const Grid& grid = group.grid;
    EXPECT_EQ(grid.w(), axis);
    EXPECT_EQ(grid.columns, options.resolution);
    EXPECT_EQ(grid.rows, options.resolution);
    const float margin = 0x1p-10f * (all.max[axis] - all.min[axis]);
    shared.min[axis] = all.min[axis] - margin;
    shared.max[axis] = all.max[axis] + margin;
    EXPECT_EQ(grid.box, shared);
  }

  void compare_pairs(const Found& found, const Group& group) {
    std::size_t at = 0;
    for (std::uint32_t c = 0; c < group.candidates.size(); ++c) {
      const auto spans = equal_by(std::span<const PairSpan>(expected_.spans), c, &PairSpan::candidate);
      if (spans.empty()) continue;
      ASSERT_LT(at, found.pairs.size());
      const DevicePair& pair = found.pairs[at++];
      EXPECT_EQ(pair.a.number, group.candidates[c].a);
      EXPECT_EQ(pair.b.number, group.candidates[c].b);
      EXPECT_EQ(pair.span_count, spans.size());
      EXPECT_EQ(pair.point_count,
                equal_by(std::span<const PairPoint>(expected_.points), c, &PairPoint::candidate).size());
      double length = 0;
      for (const PairSpan& s : spans) length += static_cast<double>(s.end) - s.begin;
      const double volume = length * group.grid.cell_area();
      EXPECT_NEAR(pair.volume, volume, 1e-10 * volume);
    }
    EXPECT_EQ(at, found.pairs.size());
  }

  /// Points ascend by column here and by candidate there: each pair's are the same in the same order.
  void compare_points(const Found& found, const Group& group) {
    for (std::uint32_t p = 0; p < found.pairs.size(); ++p) {
      const Candidate candidate{found.pairs[p].a.number, found.pairs[p].b.number};
      const auto c = static_cast<std::uint32_t>(
          std::lower_bound(group.candidates.begin(), group.candidates.end(), candidate) - group.candidates.begin());
      std::vector<CollisionPoint> mine;
      for (const CollisionPoint& point : found.points)
        if (point.pair == p) mine.push_back(point);
      std::size_t at = 0;
      for (const PairPoint& x : equal_by(std::span<const PairPoint>(expected_.points), c, &PairPoint::candidate)) {
        const auto on = [&](const Surface& s) {
          return sample_position(group.grid, x.column, static_cast<double>(s.crossing.depth()));
        };
        const CollisionPoint expected{p,
                                      on(x.a),
                                      on(x.b),
                                      x.a.crossing.entry(),
                                      x.b.crossing.entry(),
                                      x.a.face - group.objects[candidate.a].first_face,
                                      x.b.face - group.objects[candidate.b].first_face};
        ASSERT_LT(at, mine.size());
        ASSERT_TRUE(same(mine[at++], expected)) << "point " << at << " of pair " << p;
      }
      EXPECT_EQ(at, mine.size());
    }
  }

  Found compare(const std::vector<Mesh>& meshes, const cuda::DeviceSceneOptions& options) {
    const Uploaded uploaded(meshes);
    cuda::DeviceScene scene(uploaded.views(), options);
    const Found found = run(scene);
    compare(found, meshes, options);
    return found;
  }

  std::unique_ptr<PairFinder> software_ = software::make_pair_finder({.threads = 1});
  GroupAnswer expected_;
};

TEST_F(CudaDeviceScene, TwoBoxesShareTheirVolume) {
  const Found found = compare({box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3})}, {.resolution = 16});
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_NEAR(found.pairs[0].volume, 1, 1e-5);
  EXPECT_EQ(found.pairs[0].span_count, 256u);
  EXPECT_EQ(found.answer.crossing_count, 4u * 256);
}

TEST_F(CudaDeviceScene, TheAxisIsTheOneWithTheLeastDepthOverAllPairs) {
  const auto axis = [&](const std::vector<Mesh>& meshes) {
    return compare(meshes, {.resolution = 4}).answer.grid.axis;
  };
  const Mesh cube = box_mesh({0, 0, 0}, {4, 4, 4});
  // Of equal depths the first.
  EXPECT_EQ(axis({cube, cube}), Axis::x);
  EXPECT_EQ(axis({cube, box_mesh({-1, 1, 1}, {4, 5, 5})}), Axis::y);
  EXPECT_EQ(axis({cube, box_mesh({2, 2, 3}, {6, 6, 7})}), Axis::z);
  EXPECT_EQ(axis({box_mesh({2, 2, 3}, {6, 6, 7}), cube}), Axis::z);
  EXPECT_EQ(axis({cube, box_mesh({2, -3, 2}, {6, 1, 6})}), Axis::y);
  EXPECT_EQ(axis({cube, box_mesh({-3, 2, 2}, {1, 6, 6})}), Axis::x);
  // One within the other: the way out is longer than what they share.
  EXPECT_EQ(axis({cube, box_mesh({1.5f, 1.75f, 1}, {2.5f, 2.25f, 1.5f})}), Axis::z);
  // Two pairs against one.
  std::vector<Mesh> meshes{cube,
                           box_mesh({3.5f, 1, 1}, {7, 3, 3}),
                           box_mesh({20, 0, 0}, {24, 4, 4}),
                           box_mesh({20, 3.75f, 0}, {24, 8, 4}),
                           box_mesh({20, 40, 0}, {24, 44, 4}),
                           box_mesh({20, 43.75f, 0}, {24, 48, 4})};
  EXPECT_EQ(axis({meshes.begin(), meshes.begin() + 2}), Axis::x);
  EXPECT_EQ(axis(meshes), Axis::y);
}

TEST_F(CudaDeviceScene, HundredsOfObjectsOfWhichEachMeetsAFew) {
  test::Random random(11);
  std::vector<Mesh> meshes;
  for (int i = 0; i < 300; ++i) {
    const Vec3 low = random.in({{0, 0, 0}, {20, 20, 10}}), size = random.in({{0.5f, 0.5f, 0.5f}, {2, 2, 3}});
    meshes.push_back(box_mesh(low, low + size));
  }
  // The last ones lie apart from the others, and reach far into each other along all axes but one.
  for (int i = 0; i < 3; ++i) {
    const float x = 30.0f * static_cast<float>(i);
    meshes.push_back(box_mesh({x, -50, 0}, {x + 29.99f, -30, 10}));
    meshes.push_back(box_mesh({x, -50.5f, 9.5f}, {x + 29.98f, -30.5f, 20}));
  }
  const Found found = compare(meshes, {.resolution = 40});
  EXPECT_GT(found.answer.candidate_count, 100u);
  EXPECT_GT(found.pairs.size(), 20u);
}

TEST_F(CudaDeviceScene, PointsOfManyBlocksOfColumnsComeInOrder) {
  const std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1.9f}, {3, 3, 3})};
  const Found found = compare(meshes, {.resolution = 150, .axis = Axis::z, .threshold = 100});
  EXPECT_EQ(found.points.size(), 150u * 150);
}

TEST_F(CudaDeviceScene, NoneOneOrTwoApartHaveNoPairs) {
  EXPECT_EQ(compare({}, {.resolution = 8}).answer.candidate_count, 0u);
  EXPECT_EQ(compare({box_mesh({0, 0, 0}, {1, 1, 1})}, {.resolution = 8}).answer.candidate_count, 0u);
  const std::vector<Mesh> apart{box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({2, 0, 0}, {3, 1, 1})};
  EXPECT_EQ(compare(apart, {.resolution = 8}).answer.grid.columns, 0u);
  EXPECT_EQ(compare({Mesh{}, Mesh{}, apart[0]}, {.resolution = 8}).answer.candidate_count, 0u);
}

TEST_F(CudaDeviceScene, TouchingObjectsDoNotCollide) {
  EXPECT_EQ(compare({box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({1, 0, 0}, {2, 1, 1})}, {.resolution = 8})
                .answer.candidate_count,
            0u);
  // Boxes share a volume, bodies only a face.
  Mesh low = box_mesh({0, 0, 0}, {1, 1, 1});
  test::append(low, box_mesh({2, 0, 0}, {3, 1, 2}));
  const Found found = compare({low, box_mesh({0, 0, 1}, {1, 1, 2})}, {.resolution = 8, .axis = Axis::z});
  EXPECT_EQ(found.answer.candidate_count, 1u);
  EXPECT_TRUE(found.pairs.empty());
}

TEST_F(CudaDeviceScene, RandomScenesAreThoseOfTheCpu) {
  std::size_t pairs = 0, points = 0;
  for (std::uint32_t seed = 0; seed < (kEmulated ? 14 : 70); ++seed) {
    SCOPED_TRACE(seed);
    cuda::DeviceSceneOptions options{.resolution = 6 + seed * 11 % 40};
    if (seed % 4 == 3) options.axis = static_cast<Axis>(seed % 3);
    if (seed % 5 == 4) options.points = false;
    options.threshold = 0.25f * static_cast<float>(1 + seed % 7);
    const Found found = compare(test::placed(test::random_scene(seed)), options);
    pairs += found.pairs.size();
    points += found.points.size();
  }
  EXPECT_GT(pairs, 50u);
  EXPECT_GT(points, 1000u);
}

TEST_F(CudaDeviceScene, FramesFollowWhatMovesAndRepeatToTheBit) {
  std::vector<Mesh> meshes = test::placed(test::random_scene(6));
  Uploaded uploaded(meshes);
  const cuda::DeviceSceneOptions options{.resolution = 24};
  cuda::DeviceScene scene(uploaded.views(), options);
  for (int frame = 0; frame < 3; ++frame) {
    const Found first = run(scene);
    compare(first, meshes, options);
    expect_identical(first, run(scene));
    for (Vec3& p : meshes[0].positions) p = p + Vec3{0.2f, 0.1f, 0};
    uploaded.move(0, meshes[0].positions);
  }
}

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(CudaDeviceScene, AnyOrderOfThreadsAndLateStreamsGiveTheSameBits) {
  const Uploaded uploaded(test::placed(test::random_scene(5)));
  std::optional<Found> first;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    cuda_emulation::set_schedule(seed);
    cuda_emulation::set_deferred(seed % 2 == 0);
    cuda::DeviceScene scene(uploaded.views(), {.resolution = 20});
    const Found found = run(scene);
    EXPECT_GT(found.points.size(), 0u);
    if (first) expect_identical(*first, found);
    first = found;
  }
}
#endif

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(CudaDeviceScene, WithoutMemoryThereIsAnErrorAndLaterAnAnswer) {
  std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3})};
  for (int i = 0; i < 30; ++i) meshes.push_back(meshes[1]);  // more than there is room for at first
  const Uploaded uploaded(meshes);
  const cuda::DeviceSceneOptions options{.resolution = 4};
  unsigned refused = 0;
  for (unsigned skip = 0; skip < 24; ++skip) {
    cuda::DeviceScene scene(uploaded.views(), options);
    cuda_emulation::fail(cuda_emulation::Call::allocation, skip, 1000, cudaErrorMemoryAllocation);
    try {
      (void)run(scene);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::device);
      ++refused;
    }
    cuda_emulation::reset();
    compare(run(scene), meshes, options);
  }
  EXPECT_GT(refused, 15u);
}
#endif

TEST_F(CudaDeviceScene, MemoryGrowsWhereAFrameNeedsIt) {
  // Far more candidates, crossings and points than are reckoned with: all bodies in one place.
  test::Random random(5);
  std::vector<Mesh> meshes;
  for (int i = 0; i < 40; ++i) {
    const Vec3 at = random.in({{-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}});
    meshes.push_back(box_mesh(at - Vec3{1, 1, 1}, at + Vec3{1, 1, 1}));
  }
  const Found found = compare(meshes, {.resolution = 6, .threshold = 4});
  EXPECT_EQ(found.pairs.size(), 780u);
  EXPECT_GT(found.answer.crossing_count, 36u * 60);
}

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(CudaDeviceScene, TheFirstFrameTakesNoMoreMemoryThanAllowedCrossingsNeed) {
  const Uploaded uploaded({box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3})});
  cuda_emulation::set_memory_limit(cuda_emulation::memory_in_use() + (2 << 20));
  cuda::DeviceScene scene(uploaded.views(), {.resolution = 128, .max_crossings = 1000});
  scene.launch(nullptr);  // there is memory for this
  EXPECT_THROW(scene.wait(), Error);
}
#endif

TEST_F(CudaDeviceScene, MoreThanCanBeNumberedIsAnError) {
  const std::uint64_t most = 0xffffffffu;
  cuda::SceneRoom room;
  EXPECT_TRUE(room.grow(0, most, most, {}));
  EXPECT_EQ(room.meetings, most);
  EXPECT_EQ(room.large_parts, most);
  EXPECT_THROW(room.grow(0, most + 1, 0, {}), Error);
  EXPECT_THROW(room.grow(0, 0, most + 1, {}), Error);
}

TEST_F(CudaDeviceScene, DeepColumnsAreWhole) {
  const int count = kEmulated ? 100 : 2000;
  const Found found = compare({test::plates(count, {0, 0, 0}, {1, 1, 1}), box_mesh({0.2f, 0.2f, -1}, {2, 2, 2})},
                              {.resolution = 5, .axis = Axis::z});
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].span_count, 25u * static_cast<unsigned>(count));
}

TEST_F(CudaDeviceScene, BrokenVerticesAreSkippedAndCounted) {
  std::vector<Mesh> meshes{scenes::torus(160), scenes::sphere(80), box_mesh({9, 9, 9}, {10, 10, 10})};
  meshes[1].positions[3].y = std::numeric_limits<float>::quiet_NaN();
  meshes[2].positions[3].x = std::numeric_limits<float>::infinity();  // nobody can meet this one
  const Found found = compare(meshes, {.resolution = 20});
  std::uint32_t broken = 0;
  for (int m : {1, 2})
    for (const Triangle& t : meshes[static_cast<std::size_t>(m)].triangles)
      broken += t.a == 3 || t.b == 3 || t.c == 3 ? 1 : 0;
  EXPECT_EQ(found.answer.health.skipped_triangles, broken);
  EXPECT_GT(found.answer.health.open_columns, 0u);
  EXPECT_GT(found.answer.health.untrusted_volume, 0);
  const Uploaded uploaded(meshes);
  cuda::DeviceScene strict(uploaded.views(), {.resolution = 20, .strict = true});
  strict.launch(nullptr);
  EXPECT_THROW(strict.wait(), Error);
}

TEST_F(CudaDeviceScene, BrokenVerticesComeAndGo) {
  std::vector<Mesh> meshes{scenes::torus(160), scenes::sphere(80), box_mesh({9, 9, 9}, {10, 10, 10}),
                           box_mesh({0, 0, 0}, {2, 2, 2})};
  const std::vector<Mesh> whole = meshes;
  Uploaded uploaded(meshes);
  const cuda::DeviceSceneOptions options{.resolution = 12, .axis = Axis::z};
  cuda::DeviceScene scene(uploaded.views(), options);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (int frame = 0; frame < 6; ++frame) {
    SCOPED_TRACE(testing::Message() << "frame " << frame);
    meshes = whole;
    if (frame == 1 || frame == 4) meshes[2].positions[3] = {nan, 0, 0};
    if (frame == 2 || frame == 4) meshes[1].positions[3].y = nan;
    if (frame == 4) meshes[3].positions[1].x = 0x1p90f;  // beyond the lattice
    for (std::size_t i = 0; i < meshes.size(); ++i) uploaded.move(i, meshes[i].positions);
    const Found found = run(scene);
    compare(found, meshes, options);
    EXPECT_EQ(found.answer.health.skipped_triangles == 0, frame == 0 || frame == 3 || frame == 5);
    std::vector<DeviceSceneAnswer> on_device(1);
    ASSERT_EQ(cudaMemcpy(on_device.data(), scene.device_answer(), sizeof on_device[0], cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(on_device[0].health.skipped_triangles, found.answer.health.skipped_triangles);
    EXPECT_EQ(on_device[0].crossing_count, found.answer.crossing_count);
    ASSERT_FALSE(found.pairs.empty());
    DevicePair first;
    ASSERT_EQ(cudaMemcpy(&first, scene.device_pairs(), sizeof first, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(first.volume, found.pairs[0].volume);
    if (found.points.empty()) continue;
    CollisionPoint point;
    ASSERT_EQ(cudaMemcpy(&point, scene.device_points(), sizeof point, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_TRUE(same(point, found.points[0]));
  }
}

TEST_F(CudaDeviceScene, AVertexWithOneBrokenCoordinateEnlargesNoBox) {
  std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({0.5f, 0.5f, 0.5f}, {2, 2, 2}),
                           box_mesh({0, 0, 5}, {1, 1, 6})};
  meshes[0].positions.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 5.5f});
  const Found found = compare(meshes, {.resolution = 20});
  EXPECT_EQ(found.answer.candidate_count, 1u);
}

TEST_F(CudaDeviceScene, BadIndicesAndTooManyCrossingsAreErrorsUntilTheyAreGone) {
  std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({1, 1, 1}, {3, 3, 3})};
  const Mesh good = meshes[1];
  OnDevice<Triangle> triangles(meshes[1].triangles);
  const Uploaded uploaded(meshes);
  std::vector<cuda::DeviceMesh> views = uploaded.views();
  views[1].triangles = triangles.get();
  cuda::DeviceScene scene(views, {.resolution = 8});
  for (std::uint32_t Triangle::*corner : {&Triangle::a, &Triangle::b, &Triangle::c}) {
    meshes[1].triangles = good.triangles;
    meshes[1].triangles[4].*corner = 8;
    meshes[1].triangles[7].*corner = ~0u;
    triangles.write(meshes[1].triangles);
    EXPECT_THAT(test::error_of([&] { (void)run(scene); }).what(), testing::HasSubstr("2 triangles"));
    triangles.write(good.triangles);
    EXPECT_EQ(run(scene).pairs.size(), 1u);
  }
  cuda::DeviceScene enough(views, {.resolution = 8, .max_crossings = 4 * 64});
  EXPECT_EQ(run(enough).answer.crossing_count, 4u * 64);
  cuda::DeviceScene few(views, {.resolution = 8, .max_crossings = 4 * 64 - 1});
  few.launch(nullptr);
  EXPECT_THROW(few.wait(), Error);
}

TEST_F(CudaDeviceScene, TheMostObjectsAreTakenAndOneMoreIsAnError) {
  std::vector<cuda::DeviceMesh> none(65536);
  EXPECT_NO_THROW(cuda::DeviceScene{none});
  none.emplace_back();
  EXPECT_THAT(test::error_of([&] { cuda::DeviceScene{none}; }).what(), testing::HasSubstr("at most 65536"));
}

TEST_F(CudaDeviceScene, RefusesWhatItCannotUse) {
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  const cuda::DeviceMesh on_host{mesh.positions.data(), mesh.triangles.data(), 8, 12};
  EXPECT_THROW(cuda::DeviceScene(std::span(&on_host, 1)), Error);
  const Uploaded uploaded({mesh});
  EXPECT_THROW(cuda::DeviceScene(uploaded.views(), {.resolution = 0}), Error);
  EXPECT_THROW(cuda::DeviceScene(uploaded.views(), {.min_thickness = -1}), Error);
  EXPECT_THROW(cuda::DeviceScene(uploaded.views(), {.threshold = -1}), Error);
  EXPECT_THROW(cuda::DeviceScene(uploaded.views(), {.threshold = std::numeric_limits<float>::quiet_NaN()}), Error);
  EXPECT_NO_THROW(cuda::DeviceScene(uploaded.views(), {.threshold = 0}));
  cuda::DeviceScene scene(uploaded.views());
  EXPECT_THROW(scene.wait(), Error);
}

}  // namespace
}  // namespace lamella
