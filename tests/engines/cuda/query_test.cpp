// Queries on arrays in device memory: the software engine's answers, frame after frame, whatever room they need.

#include "compare.hpp"
#include "engines/cuda/runtime.hpp"
#include "scenes/scenes.hpp"

namespace lamella::cuda {
namespace {

using test::box_mesh;
using test::error_of;
using test::kEmulated;
using test::OnDevice;
using test::round_sphere;
using testing::HasSubstr;

/// A mesh with its copy on the device; the copy's positions lie as badly aligned as they may.
struct Body {
  explicit Body(Mesh m) : mesh(std::move(m)), floats(3 * mesh.positions.size() + 1), triangles(mesh.triangles) {
    upload();
  }
  [[nodiscard]] DeviceMesh get() const {
    return {reinterpret_cast<const Vec3*>(floats.get() + 1), triangles.get(),
            static_cast<std::uint32_t>(mesh.positions.size()), static_cast<std::uint32_t>(mesh.triangles.size())};
  }
  void upload() const {
    if (mesh.positions.empty()) return;
    EXPECT_EQ(cudaMemcpy(floats.get() + 1, mesh.positions.data(), mesh.positions.size() * sizeof(Vec3),
                         cudaMemcpyHostToDevice),
              cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  void move(Vec3 by) {
    mesh = test::moved(std::move(mesh), by);
    upload();
  }

  Mesh mesh;
  OnDevice<float> floats;
  OnDevice<Triangle> triangles;
};

DevicePoints on_device(const OnDevice<Vec3>& points) {
  return {points.get(), static_cast<std::uint32_t>(points.size())};
}

template <class T>
std::vector<T> read(const T* from, std::size_t count) {
  std::vector<T> values(count);
  if (count == 0) return values;
  EXPECT_EQ(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
  return values;
}

class CudaQuery : public test::CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    if (IsSkipped()) return;
    stream_.emplace();
    software_ = lamella::make_engine({.engine = "software", .threads = 1});
  }
  void TearDown() override {
    stream_.reset();
    CudaTest::TearDown();
  }

  const Answer& ask(Query& query) {
    query.launch(stream_->get());
    return query.wait();
  }
  /// Status of the frame that is on the stream, as the device has it.
  std::uint32_t status(const Query& query) {
    EXPECT_EQ(cudaStreamSynchronize(stream_->get()), cudaSuccess);
    return read(query.device_answer(), 1).front().status;
  }
  void expect_overlap(const Answer& answer, const Overlap& expected) {
    EXPECT_EQ(answer.status, kComplete);
    EXPECT_EQ(answer.grid, expected.grid);
    EXPECT_EQ(answer.span_count, expected.spans.size());
    EXPECT_EQ(answer.bounds, expected.bounds);
    EXPECT_EQ(test::words(answer.health), test::words(expected.health));
    test::expect_same_volume(answer.volume, answer.centroid, expected);
  }
  void expect_pair(Query& query, const Body& a, const Body& b, const DeviceOptions& options) {
    expect_overlap(ask(query), test::intersect(*software_, a.mesh, b.mesh, options.for_query()));
  }
  void expect_self(Query& query, const Body& body, const DeviceOptions& options) {
    const SelfOverlap expected = test::self_intersect(*software_, body.mesh, options.for_query());
    const Answer& answer = ask(query);
    expect_overlap(answer, expected);
    EXPECT_EQ(answer.inside_out_count, expected.inside_out.size());
    EXPECT_NEAR(answer.inside_out_volume, expected.inside_out_volume, 1e-12 * expected.inside_out_volume);
  }

  std::optional<OwnStream> stream_;
  std::unique_ptr<Engine> software_;
};

TEST_F(CudaQuery, ThePairOfTheSmallestGrid) {
  const Body a(box_mesh({0, 0, 0}, {2, 2, 2})), b(box_mesh({1, 1, 1}, {3, 3, 3}));
  Query query = Query::intersect(a.get(), b.get(), {.resolution = 1});
  const Answer& answer = ask(query);
  EXPECT_TRUE(answer.colliding());
  EXPECT_DOUBLE_EQ(answer.volume, 1);
  EXPECT_EQ(answer.centroid, (Vec3d{1.5, 1.5, 1.5}));
  EXPECT_EQ(answer.crossing_count, 4u);
}

/// Positions that are aligned are read in another way than those of a Body.
TEST_F(CudaQuery, BoxesAreThoseOfTheUsableVertices) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
  const Vec3 broken[] = {{kNan, 1e6f, -1e6f}, {1e6f, kInf, 1e6f}, {-1e6f, 1e6f, -kInf}, {0x1.1p100f, 1e6f, 1e6f}};
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  const Body other(box);
  for (const std::size_t count : {9u, 11u, 2100u})
    for (const std::size_t at : {std::size_t{8}, (8 + count) / 2, count - 1}) {
      SCOPED_TRACE(testing::Message() << count << " vertices, a broken one at " << at);
      Mesh mesh = box;
      mesh.positions.resize(count, {0.5f, 0.25f, 0.75f});
      mesh.positions[at] = broken[at % 4];
      const Body askew(mesh);
      const OnDevice<Vec3> positions(mesh.positions);
      const DeviceMesh aligned{positions.get(), askew.get().triangles, askew.get().vertex_count, 12};
      Overlap expected;
      software_->intersect(mesh, box, {.resolution = 2}, expected);
      ASSERT_EQ(expected.grid.box, (Aabb{{0, 0, 0}, {1, 1, 1}}));
      for (const DeviceMesh& given : {aligned, askew.get()}) {
        Query query = Query::intersect(given, other.get(), {.resolution = 2});
        expect_overlap(ask(query), expected);
      }
    }
}

TEST_F(CudaQuery, FramesFollowTheVertices) {
  Body a(scenes::hand(kEmulated ? 800 : 20000, 0.5f)), b(scenes::torus(kEmulated ? 400 : 10000));
  const DeviceOptions options{.resolution = kEmulated ? 40u : 300u};
  Query pair = Query::intersect(a.get(), b.get(), options), self = Query::self_intersect(a.get(), options);
  for (int frame = 0; frame < 5; ++frame) {
    SCOPED_TRACE(testing::Message() << "frame " << frame);
    b.move({0.05f, 0.1f, -0.02f});
    expect_pair(pair, a, b, options);
    expect_self(self, a, options);
  }
}

TEST_F(CudaQuery, SpansAndAnswerAreOnTheDevice) {
  const Body a(test::nested_spheres(3, 10)), b(round_sphere(8, 16, 0.7f, {0.5f, 0.2f, 0.1f}));
  const DeviceOptions options{.resolution = 33};
  Query pair = Query::intersect(a.get(), b.get(), options, true);
  for (int frame = 0; frame < 3; ++frame) {
    const Answer answer = ask(pair);
    const Overlap expected = test::intersect(*software_, a.mesh, b.mesh, options.for_query());
    EXPECT_TRUE(read(pair.device_spans(), answer.span_count) == expected.spans);
    EXPECT_EQ(read(pair.device_answer(), 1).front().volume, answer.volume);
  }
  Body c(test::nested_spheres(2, 10));
  test::append(c.mesh, test::inside_out(round_sphere(8, 16, 0.5f, {0.9f, 0, 0})));
  const Body both(c.mesh);
  Query self = Query::self_intersect(both.get(), options, true);
  const Answer answer = ask(self);
  const SelfOverlap expected = test::self_intersect(*software_, both.mesh, options.for_query());
  ASSERT_FALSE(expected.inside_out.empty());
  EXPECT_TRUE(read(self.device_spans(), answer.span_count) == expected.spans);
  EXPECT_TRUE(read(self.device_inside_out(), answer.inside_out_count) == expected.inside_out);
  EXPECT_GT(self.device_bytes(), 33u * 33 * 8 * 4);
}

TEST_F(CudaQuery, FlagsGoWhereTheyAreWanted) {
  const Body body(scenes::torus_knot(kEmulated ? 800 : 20000));
  const auto points = test::points_around(body.mesh, kEmulated ? 700 : 100000);
  const OnDevice<Vec3> there(points);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  OnDevice<std::uint8_t> flags(points.size());
  const DeviceOptions options{.resolution = 50};
  const Containment expected = test::contains(*software_, body.mesh, points, options.for_query());
  Query own = Query::contains(body.get(), on_device(there), options);
  Query given = Query::contains(body.get(), on_device(there), options, flags.get());
  for (int frame = 0; frame < 3; ++frame) {
    const Answer answer = ask(own);
    EXPECT_EQ(answer.inside_count, expected.inside_count);
    EXPECT_EQ(answer.grid, expected.grid);
    EXPECT_EQ(test::words(answer.health), test::words(expected.health));
    EXPECT_TRUE(read(own.device_flags(), points.size()) == expected.inside);
    EXPECT_EQ(ask(given).inside_count, expected.inside_count);
    EXPECT_EQ(given.device_flags(), flags.get());
    EXPECT_TRUE(flags.read() == expected.inside);
  }
}

TEST_F(CudaQuery, NothingIsLegal) {
  const Body nothing(Mesh{}), box(box_mesh({0, 0, 0}, {1, 1, 1})), vertices(Mesh{box.mesh.positions, {}});
  const Body one(Mesh{{{0, 0, 0}, {1, 0, 0.5f}, {0, 1, 1}}, {{0, 1, 2}}});
  const DeviceOptions options{.resolution = 4};
  for (const Body* a : {&nothing, &vertices, &box, &one})
    for (const Body* b : {&nothing, &vertices, &box, &one}) {
      Query query = Query::intersect(a->get(), b->get(), options);
      expect_pair(query, *a, *b, options);
    }
  for (const Body* body : {&nothing, &vertices, &one}) {
    Query query = Query::self_intersect(body->get(), options);
    expect_self(query, *body, options);
    Query no_points = Query::contains(body->get(), {}, options);
    EXPECT_EQ(ask(no_points).inside_count, 0u);
  }
}

TEST_F(CudaQuery, SomeFramesOnTheStreamAndOneWait) {
  Body a(round_sphere(8, 16)), b(round_sphere(8, 16, 1, {0.5f, 0.3f, 0.1f}));
  const DeviceOptions options{.resolution = 20};
  Query query = Query::intersect(a.get(), b.get(), options);
  for (int i = 0; i < 4; ++i) query.launch(stream_->get());
  expect_overlap(query.wait(), test::intersect(*software_, a.mesh, b.mesh, options.for_query()));
  EXPECT_EQ(&query.wait(), &query.wait());
}

TEST_F(CudaQuery, AFrameWithoutRoomSaysSoAndIsRepeatedThenTheNextHasRoom) {
  for (const std::uint32_t plates : {6u, 10u, 20u, kEmulated ? 60u : 600u}) {
    SCOPED_TRACE(testing::Message() << plates << " plates");
    const Body body(test::stacked_plates(plates)), other(test::moved(test::stacked_plates(plates), {0.3f, 0.2f, 0.5f}));
    const DeviceOptions options{.resolution = 6, .axis = Axis::z};
    Query self = Query::self_intersect(body.get(), options), pair = Query::intersect(body.get(), other.get(), options);
    self.launch(stream_->get());
    EXPECT_EQ(status(self), kNeedsMemory);
    EXPECT_EQ(self.wait().crossing_count, 36u * 2 * plates);
    for (int frame = 0; frame < 3; ++frame) {
      self.launch(stream_->get());
      EXPECT_EQ(status(self), kComplete);
      expect_overlap(self.wait(), test::self_intersect(*software_, body.mesh, options.for_query()));
      expect_pair(pair, body, other, options);
    }
  }
}

TEST_F(CudaQuery, LargeTrianglesComeAndGo) {
  Body body(round_sphere(40, 80));
  const DeviceOptions options{.resolution = 48};
  Query query = Query::self_intersect(body.get(), options);
  const auto positions = body.mesh.positions;
  for (int frame = 0; frame < 45; ++frame) {
    SCOPED_TRACE(testing::Message() << "frame " << frame);
    const bool large = frame == 20 || frame == 21 || frame == 44;
    body.mesh.positions = positions;
    if (large) body.mesh.positions[500] = positions[500] * -1.5f;
    body.upload();
    query.launch(stream_->get());
    // After many frames without any there is no pass for them; when it was missed once, it stays.
    EXPECT_EQ(status(query), frame == 20 ? kNeedsMemory : kComplete);
    expect_overlap(query.wait(), test::self_intersect(*software_, body.mesh, options.for_query()));
  }
}

TEST_F(CudaQuery, ADeepFrameDoesNotMakeAllLaterOnesSlow) {
  Body body(test::stacked_plates(40));  // 80 crossings in a column
  const auto deep = body.mesh.positions;
  auto shallow = deep;  // all plates but one are beside one another
  for (std::size_t i = 0; i < shallow.size(); ++i) shallow[i].x += static_cast<float>(i / 8);
  const DeviceOptions options{.resolution = 16, .axis = Axis::z};
  Query query = Query::self_intersect(body.get(), options);
  for (int frame = 0; frame < 24; ++frame) {
    SCOPED_TRACE(testing::Message() << "frame " << frame);
    body.mesh.positions = frame == 2 ? deep : shallow;
    body.upload();
    query.launch(stream_->get());
    // Too deep at first; 16 frames later columns are in slots again, which the next deep frame exceeds once more.
    EXPECT_EQ(status(query), frame == 2 ? kNeedsMemory : kComplete);
    expect_overlap(query.wait(), test::self_intersect(*software_, body.mesh, options.for_query()));
  }
  body.mesh.positions = deep;
  body.upload();
  query.launch(stream_->get());
  EXPECT_EQ(status(query), kNeedsMemory) << "it stayed with counted columns";
  expect_overlap(query.wait(), test::self_intersect(*software_, body.mesh, options.for_query()));
}

TEST_F(CudaQuery, MoreLargePartsThanWereThoughtOf) {
  // Bars as long as the image.
  Mesh mesh;
  for (int i = 0; i < 80; ++i) {
    const auto x = static_cast<float>(i);
    test::append(mesh, box_mesh({x, 0, 0}, {x + 1.5f, 100, 1}));
  }
  const Body body(mesh);
  const DeviceOptions options{.resolution = 70, .axis = Axis::z};
  Query query = Query::self_intersect(body.get(), options);
  query.launch(stream_->get());
  EXPECT_EQ(status(query), kNeedsMemory);
  expect_overlap(query.wait(), test::self_intersect(*software_, body.mesh, options.for_query()));
  query.launch(stream_->get());
  EXPECT_EQ(status(query), kComplete);
  expect_overlap(query.wait(), test::self_intersect(*software_, body.mesh, options.for_query()));
}

TEST_F(CudaQuery, AnIndexOutOfRangeIsAnErrorUntilItIsMended) {
  Mesh mesh = round_sphere(8, 16);
  Body body(mesh);
  const DeviceOptions options{.resolution = 12};
  Query query = Query::self_intersect(body.get(), options), pair = Query::intersect(body.get(), body.get(), options);
  expect_self(query, body, options);
  for (const std::uint32_t wrong : {static_cast<std::uint32_t>(mesh.positions.size()), ~0u}) {
    mesh.triangles[77].c = wrong;
    body.triangles.write(mesh.triangles);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_THAT(error_of([&] { (void)ask(query); }).what(), HasSubstr("names a vertex that the mesh does not have"));
    EXPECT_THROW((void)ask(pair), Error);
    EXPECT_THROW((void)query.wait(), Error) << "there is no frame any more";
    body.triangles.write(body.mesh.triangles);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    expect_self(query, body, options);
    expect_pair(pair, body, body, options);
  }
}

TEST_F(CudaQuery, TooManyCrossingsAreAnErrorUntilThereAreFewer) {
  Body body(test::stacked_plates(30));
  const DeviceOptions options{.resolution = 8, .axis = Axis::z, .max_crossings = 64 * 60 - 1};
  Query query = Query::self_intersect(body.get(), options);
  EXPECT_THAT(error_of([&] { (void)ask(query); }).what(), HasSubstr("max_crossings"));
  // Two plates leave the image.
  const auto positions = body.mesh.positions;
  for (std::size_t i = 0; i < 16; ++i) body.mesh.positions[i] = {0.5f, 0.5f, 3};
  body.upload();
  expect_self(query, body, options);
  body.mesh.positions = positions;
  body.upload();
  EXPECT_THROW((void)ask(query), Error);
}

TEST_F(CudaQuery, StrictQueriesThrowAndGoOn) {
  Body body(round_sphere(8, 16));
  const DeviceOptions options{.resolution = 10, .strict = true};
  Query query = Query::self_intersect(body.get(), options);
  expect_self(query, body, options);
  const Vec3 whole = std::exchange(body.mesh.positions[30], Vec3{NAN, 0, 0});
  body.upload();
  EXPECT_THAT(error_of([&] { (void)ask(query); }).what(), HasSubstr("strict"));
  body.mesh.positions[30] = whole;
  body.upload();
  expect_self(query, body, options);
}

TEST_F(CudaQuery, OutOfMemoryIsAnErrorAndMoreMemoryMendsIt) {
  const Body body(round_sphere(8, 16));
  const DeviceOptions options{.resolution = 4096};
  Query large = Query::self_intersect(body.get(), options);
  Query small = Query::self_intersect(body.get(), {.resolution = 16});
  {
    const test::ScarceMemory scarce(std::size_t{kEmulated ? 8 : 64} << 20);
    EXPECT_EQ(error_of([&] { large.launch(stream_->get()); }).kind(), Error::Kind::device);
    EXPECT_THROW((void)large.wait(), Error);
    expect_self(small, body, {.resolution = 16});
    EXPECT_EQ(large.device_bytes(), 0u);
  }
  if (!kEmulated) expect_self(large, body, options);
}

TEST_F(CudaQuery, TwoQueriesOnTwoStreams) {
  Body a(scenes::hand(600, 0.5f)), b(scenes::torus(400));
  const DeviceOptions options{.resolution = 30};
  Query one = Query::intersect(a.get(), b.get(), options), two = Query::self_intersect(b.get(), options);
  const OwnStream other;
  for (int frame = 0; frame < 4; ++frame) {
    b.move({0.03f, 0, 0.02f});
    one.launch(stream_->get());
    two.launch(other.get());
    expect_overlap(two.wait(), test::self_intersect(*software_, b.mesh, options.for_query()));
    expect_overlap(one.wait(), test::intersect(*software_, a.mesh, b.mesh, options.for_query()));
  }
  // A query may change its stream, and its owner.
  Query moved = std::move(one);
  moved.launch(other.get());
  expect_overlap(moved.wait(), test::intersect(*software_, a.mesh, b.mesh, options.for_query()));
}

TEST_F(CudaQuery, WhatCannotBeAskedIsAnError) {
  const Body body(round_sphere(4, 8));
  const DeviceMesh mesh = body.get();
  EXPECT_THROW((void)Query::self_intersect(mesh, {.resolution = 0}), Error);
  EXPECT_THROW((void)Query::self_intersect(mesh, {.resolution = kMaxResolution + 1}), Error);
  EXPECT_THROW((void)Query::self_intersect(mesh, {.device = 1000}), Error);
  DeviceMesh wrong = mesh;
  wrong.positions = body.mesh.positions.data();
  EXPECT_THAT(error_of([&] { (void)Query::intersect(mesh, wrong); }).what(),
              HasSubstr("the positions of mesh b are not in the GPU's memory"));
  wrong.positions = nullptr;
  EXPECT_THROW((void)Query::self_intersect(wrong), Error);
  Query query = Query::self_intersect(mesh);
  EXPECT_THAT(error_of([&] { (void)query.wait(); }).what(), HasSubstr("launch one first"));
}

}  // namespace
}  // namespace lamella::cuda
