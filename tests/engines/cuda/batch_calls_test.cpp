// Batches as they are called: the choice of an engine, threads, pinned memory, device pointers, calls that fail.

#include "batch_fixture.hpp"
#include "engines/cuda/batch_job.hpp"
#include "engines/cuda/runtime.hpp"
#include "lamella/detector.hpp"
#include "lamella/query.hpp"

#include <deque>
#include <thread>

namespace lamella {
namespace {

using namespace batches;

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(Batches, AutomaticLeavesFewPairsToTheCpuHoweverLargeTheyAre) {
  Batch batch({.engine = "automatic", .resolution = 100});
  batch.add(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  const auto pairs = random_pairs(1, 32, 0.3f, 2);
  const std::uint64_t before = cuda_emulation::launches();
  EXPECT_EQ(batch.intersect({pairs.data(), 31}).size(), 31u);
  EXPECT_EQ(cuda_emulation::launches(), before);
  EXPECT_EQ(batch.intersect(pairs).size(), 32u);
  EXPECT_EQ(cuda_emulation::launches(), before + 1);
}

TEST_F(Batches, AutomaticGoesOnWithoutAGpuThatFailed) {
  Both both({.resolution = 100});
  both.cuda = Batch({.engine = "automatic", .resolution = 100});
  Mesh ball = scenes::sphere(60);
  both.add(ball);
  const auto pairs = random_pairs(1, 32, 0.3f, 2);
  cuda_emulation::fail(cuda_emulation::Call::launch, 0);
  const std::uint64_t before = cuda_emulation::launches();
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(both.compare(pairs), 32u);
    for (Vec3& p : ball.positions) p = p * 0.9f;
    both.cuda.deform({0}, ball.positions);
    both.software.deform({0}, ball.positions);
  }
  EXPECT_EQ(cuda_emulation::launches(), before);
}
#endif

TEST_F(Batches, ADeviceThatIsNotThereIsTheErrorOfADetector) {
  const auto message = [](const auto& make) -> std::string {
    try {
      make();
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::device);
      return e.what();
    }
    return "";
  };
  for (const char* engine : {"automatic", "cuda"}) {
    const Options options{.engine = engine, .device = 1000};
    const std::string expected = message([&] { Detector detector(options); });
    EXPECT_THAT(expected, testing::HasSubstr("1000"));
    EXPECT_EQ(message([&] { Batch batch(options); }), expected);
  }
}

TEST_F(Batches, ThreadsWithBatchesOfDifferentSizesDoNotDisturbEachOther) {
  const std::uint32_t sizes[] = {8, 30, 8, 30};  // blocks of 128 and 256 threads, with shared memory likewise
  std::vector<std::thread> threads;
  for (const std::uint32_t resolution : sizes)
    threads.emplace_back([resolution] {
      Batch batch({.engine = "cuda", .resolution = resolution});
      batch.add(test::box_mesh({0, 0, 0}, {1, 1, 1}));
      const BatchPair apart{0, 0, {}, {{5, 0, 0}, {}}}, together{0, 0, {}, {{0.5, 0.5, 0.5}, {}}};
      try {
        // Short runs, so that there is much setting and launching.
        for (int run = 0; run < (kEmulated ? 300 : 100); ++run)
          EXPECT_FALSE(batch.intersect({&apart, 1})[0].colliding());
        EXPECT_EQ(batch.intersect({&together, 1})[0].span_count, resolution * resolution);
      } catch (const Error& e) {
        ADD_FAILURE() << resolution << ": " << e.what();
      }
    });
  for (std::thread& t : threads) t.join();
}

/// The caller's, which the GPU reads by itself and not before it gets to it.
template <class T>
class Pinned {
 public:
  explicit Pinned(const std::vector<T>& values) : count_(values.size()) {
    EXPECT_EQ(cudaHostAlloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T), cudaHostAllocPortable), cudaSuccess);
    std::copy(values.begin(), values.end(), data_);
  }
  ~Pinned() { (void)cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  [[nodiscard]] std::span<T> get() const { return {data_, count_}; }
  void clear() const { std::fill_n(data_, count_, T{}); }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

TEST_F(Batches, MeshesInPinnedMemoryAreCopiedToo) {
#if defined(LAMELLA_CUDA_EMULATION)
  cuda_emulation::set_deferred(true);
#endif
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const Pinned<Vec3> positions(box.positions);
  const Pinned<Triangle> triangles(box.triangles);
  Batch batch({.engine = "cuda", .resolution = 16});
  batch.add({positions.get(), triangles.get()});
  positions.clear();
  triangles.clear();
  const BatchPair pair{0, 0, {}, {{0.5, 0.5, 0.5}, {}}};
  EXPECT_NEAR(batch.intersect({&pair, 1})[0].volume, 0.125, 1e-6);
  for (std::size_t i = 0; i < box.positions.size(); ++i) positions.get()[i] = box.positions[i] * 2.f;
  batch.deform({0}, positions.get());
  positions.clear();
  EXPECT_NEAR(batch.intersect({&pair, 1})[0].volume, 1.5 * 1.5 * 1.5, 1e-5);
}

TEST_F(Batches, StrictAndMaxCrossingsAreErrorsThatNameThePair) {
  Mesh holed = scenes::sphere(200);
  holed.triangles.resize(holed.triangles.size() - 5);
  const std::vector<BatchPair> pairs{{0, 0, {}, {}}, {0, 1, {}, {}}};
  const auto run = [&](const Options& options) {
    Batch batch(options);
    batch.add(scenes::sphere(200));
    batch.add(holed);
    (void)batch.intersect(pairs);
  };
  const auto message = [&](const Options& options) -> std::string {
    try {
      run(options);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(message({.engine = "cuda", .resolution = 16, .strict = true}), testing::HasSubstr("pair 1"));
  EXPECT_THAT(message({.engine = "cuda", .resolution = 16, .max_crossings = 100}), testing::HasSubstr("max_crossings"));
  EXPECT_NO_THROW(run({.engine = "cuda", .resolution = 16}));
}

/// Pairs that fail in several ways: the first is named, whichever is noticed first. Some are noticed only when the run
/// is repeated with room for all crossings.
TEST_F(Batches, TheFirstPairThatFailsIsNamedWhateverElseFails) {
  constexpr std::uint32_t kColumns = 12 * 12, kMaxCrossings = 200 * kColumns;
  std::vector<Mesh> meshes(3, test::box_mesh({0, 0, 0}, {1, 1, 1}));
  for (const int face : {8, 4, 0}) meshes[1].triangles.erase(meshes[1].triangles.begin() + face);  // along every axis
  meshes[2].triangles[7].c = 8;
  for (const int slabs : {60, 105, 110}) meshes.push_back(stack_of_slabs(slabs));
  std::deque<test::OnDevice<Vec3>> positions;
  std::deque<test::OnDevice<Triangle>> triangles;
  std::vector<cuda::DeviceMesh> on_device;
  for (const Mesh& m : meshes) {
    positions.emplace_back(m.positions);
    triangles.emplace_back(m.triangles);
    on_device.push_back({positions.back().get(), triangles.back().get(), static_cast<std::uint32_t>(m.positions.size()),
                         static_cast<std::uint32_t>(m.triangles.size())});
  }
  const BatchPair good{0, 0, {}, {}}, holed{0, 1, {}, {}}, bad{0, 2, {}, {}}, deep{3, 3, {}, {}};
  const BatchPair too_deep{4, 0, {}, {}}, far_too_deep{5, 5, {}, {}};  // the latter is noticed at once
  const auto message = [&](const std::vector<BatchPair>& pairs, bool strict) -> std::string {
    cuda::PairBatch batch(on_device, {.resolution = 12, .strict = strict, .max_crossings = kMaxCrossings});
    batch.launch(pairs, nullptr);
    try {
      (void)batch.wait();
    } catch (const Error& e) {
      EXPECT_TRUE(batch.wait().empty()) << "a run that failed has no answers";
      return e.what();
    }
    return "";
  };
  using testing::AllOf, testing::HasSubstr;
  const auto is = [](int pair, const char* what) {
    return AllOf(HasSubstr("pair " + std::to_string(pair) + " of the batch"), HasSubstr(what));
  };
  const char *index = "names a vertex", *many = "max_crossings";
  EXPECT_EQ(message({good, deep, holed}, false), "");
  EXPECT_THAT(message({good, bad, far_too_deep}, false), is(1, index));
  EXPECT_THAT(message({good, far_too_deep, bad}, false), is(1, many));
  EXPECT_THAT(message({too_deep, far_too_deep, bad}, false), is(0, many));
  EXPECT_THAT(message({deep, bad, too_deep}, false), is(1, index));
  EXPECT_THAT(message({deep, too_deep, good}, false), is(1, many));
  EXPECT_THAT(message({good, holed, far_too_deep}, true), is(1, "strict"));
  EXPECT_THAT(message({deep, too_deep, holed}, true), is(1, many));
}

TEST_F(Batches, MeshesOnTheDeviceAreReadAnewInEveryRun) {
  Mesh ball = scenes::sphere(200);
  const test::OnDevice<Vec3> small_positions(ball.positions);
  const test::OnDevice<Triangle> triangles(ball.triangles);
  test::OnDevice<Vec3> positions(ball.positions);
  const auto vertices = static_cast<std::uint32_t>(ball.positions.size());
  const auto faces = static_cast<std::uint32_t>(ball.triangles.size());
  const std::vector<cuda::DeviceMesh> meshes{{small_positions.get(), triangles.get(), vertices, faces},
                                             {positions.get(), triangles.get(), vertices, faces}};
  cuda::PairBatch batch(meshes, {.resolution = 16});
  const std::vector<BatchPair> pairs{{0, 1, {}, {}}};
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  batch.launch(pairs, stream);
  const double alike = batch.wait()[0].volume;
  EXPECT_NEAR(alike, intersect(ball, ball, {.engine = "software", .resolution = 16}).volume, 1e-9);
  for (Vec3& p : ball.positions) p = p * 0.5f;
  positions.write(ball.positions);
  batch.launch(pairs, stream);
  batch.launch(pairs, stream);
  EXPECT_LT(batch.wait()[0].volume, 0.2 * alike);
  EXPECT_EQ(batch.wait()[0].volume, batch.wait()[0].volume) << "waiting again changes nothing";
  PairOverlap on_device;
  ASSERT_EQ(cudaMemcpy(&on_device, batch.device_answers(), sizeof on_device, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(on_device.volume, batch.wait()[0].volume);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(Batches, ABadIndexOnTheDeviceIsAnErrorAndTheBatchGoesOn) {
  Mesh ball = scenes::sphere(200);
  const test::OnDevice<Vec3> positions(ball.positions);
  const test::OnDevice<Triangle> good(ball.triangles);
  ball.triangles[17].b = 100000;
  const test::OnDevice<Triangle> bad(ball.triangles);
  const auto vertices = static_cast<std::uint32_t>(ball.positions.size());
  const auto faces = static_cast<std::uint32_t>(ball.triangles.size());
  const std::vector<cuda::DeviceMesh> meshes{{positions.get(), good.get(), vertices, faces},
                                             {positions.get(), bad.get(), vertices, faces}};
  cuda::PairBatch batch(meshes, {.resolution = 16});
  const std::vector<BatchPair> pairs{{0, 0, {}, {}}, {0, 1, {}, {}}, {1, 1, {}, {}}};
  batch.launch(pairs, nullptr);
  try {
    (void)batch.wait();
    FAIL() << "a bad index went unnoticed";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::AllOf(testing::HasSubstr("pair 1"), testing::HasSubstr("mesh 1")));
  }
  EXPECT_TRUE(batch.wait().empty());
  batch.launch({pairs.data(), 1}, nullptr);
  EXPECT_TRUE(batch.wait()[0].colliding());
  const BatchPair nobody{0, 2, {}, {}};
  EXPECT_THROW(batch.launch({&nobody, 1}, nullptr), Error);
}

/// Meshes on the device.
class OnDeviceMeshes {
 public:
  explicit OnDeviceMeshes(const std::vector<Mesh>& meshes) {
    for (const Mesh& m : meshes) {
      positions_.emplace_back(m.positions);
      triangles_.emplace_back(m.triangles);
      views_.push_back({positions_.back().get(), triangles_.back().get(),
                        static_cast<std::uint32_t>(m.positions.size()),
                        static_cast<std::uint32_t>(m.triangles.size())});
    }
  }
  [[nodiscard]] const std::vector<cuda::DeviceMesh>& get() const { return views_; }

 private:
  std::deque<test::OnDevice<Vec3>> positions_;
  std::deque<test::OnDevice<Triangle>> triangles_;
  std::vector<cuda::DeviceMesh> views_;
};

TEST_F(Batches, ABadIndexOfAnyCornerIsNoticedInEitherMesh) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const BatchPair together{0, 1, {}, {{0.5, 0.5, 0.5}, {}}}, apart{0, 1, {}, {{5, 0, 0}, {}}};
  for (const std::size_t mesh : {0u, 1u})
    for (std::uint32_t Triangle::*corner : {&Triangle::a, &Triangle::b, &Triangle::c})
      for (const std::uint32_t wrong : {8u, ~0u})
        for (const bool sampled : {true, false}) {
          SCOPED_TRACE(testing::Message() << "mesh " << mesh << (sampled ? "" : ", apart"));
          std::vector<Mesh> meshes(2, box);
          meshes[mesh].triangles[5].*corner = wrong;
          // Pairs apart are looked at where a vertex is not usable.
          if (!sampled) meshes[mesh].positions[6].y = std::numeric_limits<float>::quiet_NaN();
          const OnDeviceMeshes there(meshes);
          cuda::PairBatch batch(there.get(), {.resolution = 4});
          batch.launch({sampled ? &together : &apart, 1}, nullptr);
          EXPECT_EQ(std::string(test::error_of([&] { (void)batch.wait(); }).what()),
                    "pair 0 of the batch: a triangle of mesh " + std::to_string(mesh) +
                        " names a vertex that the mesh does not have; it has only 8");
        }
}

TEST_F(Batches, AsManyCrossingsAsAreAllowedAreAnsweredAndOneMoreIsAnError) {
  constexpr std::uint32_t kColumns = 12 * 12;
  // Few crossings, for which there is room at once, and many, for which the run is repeated.
  for (const int slabs : {2, 60}) {
    const OnDeviceMeshes there({test::box_mesh({-1, -1, 0}, {1, 1, 1}), stack_of_slabs(slabs)});
    const std::uint64_t most = std::uint64_t{2} * static_cast<std::uint32_t>(slabs) * kColumns;
    for (const BatchPair& pair : {BatchPair{0, 1, {}, {}}, {1, 0, {}, {}}, {1, 1, {}, {}}})
      for (const std::uint64_t allowed : {most - 1, most}) {
        SCOPED_TRACE(testing::Message() << slabs << " slabs, " << pair.a.number << " and " << pair.b.number);
        cuda::PairBatch batch(there.get(), {.resolution = 12, .axis = Axis::z, .max_crossings = allowed});
        batch.launch({&pair, 1}, nullptr);
        if (allowed == most) {
          EXPECT_EQ(batch.wait()[0].span_count, static_cast<std::uint32_t>(slabs) * kColumns);
        } else {
          EXPECT_THAT(test::error_of([&] { (void)batch.wait(); }).what(), testing::HasSubstr(std::to_string(allowed)));
        }
      }
  }
}

TEST_F(Batches, MeshesOfMoreTrianglesOrVerticesThanCanBeNumberedAreAnError) {
  const OnDeviceMeshes there({test::box_mesh({0, 0, 0}, {1, 1, 1})});
  for (std::uint32_t cuda::DeviceMesh::*count : {&cuda::DeviceMesh::vertex_count, &cuda::DeviceMesh::triangle_count}) {
    cuda::DeviceMesh mesh = there.get()[0];
    mesh.*count = cuda::kMaxBatchTriangles;
    EXPECT_NO_THROW(cuda::PairBatch(std::span(&mesh, 1)));
    mesh.*count += 1;
    EXPECT_THAT(test::error_of([&] { cuda::PairBatch(std::span(&mesh, 1)); }).what(),
                testing::HasSubstr("at most 1073741823 triangles"));
  }
}

TEST_F(Batches, PointersToMainMemoryAreAnError) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const test::OnDevice<Vec3> positions(box.positions);
  const test::OnDevice<Triangle> triangles(box.triangles);
  const cuda::DeviceMesh good{positions.get(), triangles.get(), 8, 12};
  const auto message = [&](const cuda::DeviceMesh& wrong) -> std::string {
    const std::vector<cuda::DeviceMesh> meshes{good, wrong};
    try {
      const cuda::PairBatch batch(meshes);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message(good), "");
  EXPECT_EQ(message({}), "") << "an empty mesh needs no arrays";
  EXPECT_THAT(message({box.positions.data(), triangles.get(), 8, 12}),
              testing::AllOf(testing::HasSubstr("the positions of mesh 1"), testing::HasSubstr("use a Batch")));
  EXPECT_THAT(message({positions.get(), box.triangles.data(), 8, 12}), testing::HasSubstr("the triangles of mesh 1"));
  EXPECT_THAT(message({positions.get(), nullptr, 8, 12}), testing::HasSubstr("no array"));
}

/// Shared memory of a block, from the smallest GPUs to the largest.
TEST(BatchPlan, FitsTheSharedMemoryOfEveryGpu) {
  for (const std::size_t kibibytes : {99u, 163u, 227u})
    for (const std::uint32_t vertices : {8u, 500u, 5000u, 100'000u})
      for (const std::uint32_t resolution : {1u, 12u, 64u, 256u}) {
        SCOPED_TRACE(testing::Message() << kibibytes << " KiB, " << vertices << " vertices, " << resolution);
        cuda::DeviceFacts device;
        device.multiprocessors = 84;
        device.shared_per_block = kibibytes << 10;
        device.shared_reserved = 1024;
        const cuda::BatchSizes sizes{vertices, 2 * vertices, std::size_t{resolution} * resolution, resolution};
        const cuda::BatchPlan plan = cuda::plan_batch(sizes, 10'000, device);
        ASSERT_TRUE(plan.threads >= 128 && plan.threads <= 1024);
        EXPECT_LE(plan.shared_bytes, device.shared_per_block);
        EXPECT_EQ(plan.blocks, 84 * (1024 / plan.threads)) << "all that fit a multiprocessor's threads";
        const std::uint32_t together = 1024 / plan.threads;
        EXPECT_LE(together * (plan.shared_bytes + 1024), device.shared_per_block + 1024) << "these run at once";
        EXPECT_LT(plan.near_nodes * sizeof(cuda::BatchNode), plan.shared_bytes);
      }
}

TEST(BatchPlan, HasThreadsForTheWorkAndBlocksForThePairs) {
  cuda::DeviceFacts device;
  device.multiprocessors = 10;
  device.shared_per_block = std::size_t{227} << 10;
  device.shared_reserved = 1024;
  const auto plan = [&](std::uint32_t triangles, std::size_t columns, std::uint32_t pairs = 10'000) {
    return cuda::plan_batch({100, triangles, columns}, pairs, device);
  };
  constexpr std::size_t kEdges[] = {1, 512, 513, 2048, 2049, 3000};
  constexpr std::uint32_t kThreads[] = {128, 128, 256, 256, 512, 512};
  for (std::size_t i = 0; i < std::size(kEdges); ++i) {
    SCOPED_TRACE(testing::Message() << kEdges[i]);
    for (const cuda::BatchPlan& p : {plan(static_cast<std::uint32_t>(kEdges[i]), 1), plan(1, kEdges[i])}) {
      EXPECT_EQ(p.threads, kThreads[i]);
      EXPECT_TRUE(p.near);
      EXPECT_EQ(p.blocks, 10 * 1024 / p.threads);
      EXPECT_EQ(p.shared_bytes, (228u << 10) * p.threads / 1024 - 1024);
    }
  }
  EXPECT_EQ(plan(12, 64, 3).blocks, 3u);
  const cuda::BatchPlan far = plan(12, 200 * 200);
  EXPECT_FALSE(far.near);
  EXPECT_EQ(far.threads, 1024u);
  EXPECT_EQ(far.blocks, 10u);
  EXPECT_EQ(far.shared_bytes, device.shared_per_block);
  // What lists take there is not there for nodes.
  const cuda::BatchPlan lists = plan(12, 400), more = plan(12, 404);
  EXPECT_EQ(lists.near_nodes - more.near_nodes, 4u) << "two heads per column, a node is as large as both";

  // Scratch: 12 bytes per vertex, 8 per node; without room in shared memory also 4 per vertex and 8 per column.
  EXPECT_EQ(cuda::batch_scratch_bytes(lists, {100, 12, 400}, 1000), 9216u);
  EXPECT_EQ(cuda::batch_scratch_bytes(lists, {101, 12, 400}, 1000), 9216u);
  EXPECT_EQ(cuda::batch_scratch_bytes(lists, {102, 12, 400}, 1000), 9216u + 256);
  EXPECT_EQ(cuda::batch_scratch_bytes(far, {100, 12, 400}, 1000), 1200u + 3600 + 8000);
  EXPECT_EQ(cuda::batch_scratch_bytes(far, {100, 12, 400, 20}, 976), 1200u + 3600 + 800 + 7808 + 160)
      << "and 40 for each line";
  EXPECT_EQ(cuda::batch_scratch_bytes(lists, {0, 0, 1}, 32), 256u);
  EXPECT_EQ(cuda::batch_scratch_bytes(lists, {0, 0, 1}, 33), 512u);
}

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(Batches, AfterAnyCallThatFailsThereAreNoAnswersAndTheNextRunWorks) {
  using cuda_emulation::Call;
  const Mesh slabs = stack_of_slabs(60), box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const test::OnDevice<Vec3> slab_positions(slabs.positions), box_positions(box.positions);
  const test::OnDevice<Triangle> slab_triangles(slabs.triangles), box_triangles(box.triangles);
  const std::vector<cuda::DeviceMesh> meshes{{slab_positions.get(), slab_triangles.get(), 480, 720},
                                             {box_positions.get(), box_triangles.get(), 8, 12}};
  const std::vector<BatchPair> small{{1, 1, {}, {{0.5, 0.5, 0.5}, {}}}};
  std::vector<BatchPair> large(5, small[0]);
  large[2] = {0, 0, {}, {{0.3, 0.2, 0.0007}, {}}};  // is repeated with more memory
  unsigned refused = 0;
  for (const bool deferred : {false, true})
    for (const Call call : {Call::allocation, Call::host_allocation, Call::launch, Call::copy, Call::synchronize})
      for (unsigned skip = 0;; ++skip) {
        SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(call) << " after " << skip);
        cuda_emulation::set_deferred(deferred);
        cuda::PairBatch batch(meshes, {.resolution = 12});
        batch.launch(small, nullptr);
        EXPECT_EQ(batch.wait().size(), 1u);
        cuda_emulation::fail(call, skip);
        bool failed = false;
        try {
          batch.launch(large, nullptr);
          EXPECT_EQ(batch.wait().size(), 5u);
        } catch (const Error& e) {
          EXPECT_EQ(e.kind(), Error::Kind::device);
          failed = true;
        }
        cuda_emulation::fail(call, 0, 0);
        if (!failed) break;
        ++refused;
        EXPECT_TRUE(batch.wait().empty());
        batch.launch(small, nullptr);
        EXPECT_NEAR(batch.wait()[0].volume, 0.125, 1e-6);
      }
  EXPECT_GT(refused, 30u);
}

TEST_F(Batches, PairsThatNeedMoreMemoryThanThereIsDoNotSpoilThoseThatNeedLess) {
  Batch batch({.engine = "cuda", .resolution = 12});
  batch.add(stack_of_slabs(60));
  batch.add(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  const BatchPair small{1, 1, {}, {{0.5, 0.5, 0.5}, {}}}, large{0, 0, {}, {{0.3, 0.2, 0.0007}, {}}};
  EXPECT_TRUE(batch.intersect({&small, 1})[0].colliding());
  // Enough to find out how many crossings there are, and not for them.
  cuda_emulation::set_memory_limit(cuda_emulation::memory_in_use() + (std::size_t{160} << 10));
  const std::uint64_t before = cuda_emulation::launches();
  EXPECT_THROW((void)batch.intersect({&large, 1}), Error);
  EXPECT_EQ(cuda_emulation::launches(), before + 1);
  EXPECT_TRUE(batch.intersect({&small, 1})[0].colliding());
  cuda_emulation::set_memory_limit(cuda_emulation::kDeviceMemory);
  EXPECT_TRUE(batch.intersect({&large, 1})[0].colliding());
}
#endif

}  // namespace
}  // namespace lamella
