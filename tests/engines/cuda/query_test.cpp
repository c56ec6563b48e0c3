// Queries on arrays in device memory: the software engine's answers, frame after frame, whatever room they need.

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

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
    EXPECT_NEAR(answer.volume_error, expected.volume_error, 1e-12 * expected.volume_error);
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

/// Sheets over the unit square, one above another. Those that are not stacked have no area.
struct Sheets : Body {
  explicit Sheets(std::uint32_t count) : Body(make(count)) {}
  /// A ray then crosses this many.
  void stack(std::uint32_t count) {
    for (std::uint32_t i = 0; 4 * i < mesh.positions.size() - 2; ++i)
      for (std::uint32_t k = 0; k < 4; ++k) {
        const auto z = static_cast<float>(i + 1);
        mesh.positions[4 * i + k] =
            i < count ? Vec3{k % 2 == 0 ? 0.0f : 1.0f, k / 2 == 0 ? 0.0f : 1.0f, z} : Vec3{0.5f, 0.5f, 1};
      }
    upload();
  }
  static Mesh make(std::uint32_t count) {
    Mesh m{std::vector<Vec3>(std::size_t{4} * count), {}};
    for (std::uint32_t i = 0; i < count; ++i) {
      m.triangles.push_back({4 * i, 4 * i + 1, 4 * i + 2});
      m.triangles.push_back({4 * i + 1, 4 * i + 3, 4 * i + 2});
    }
    m.positions.push_back({0, 0, 0});  // the box is always the same
    m.positions.push_back({1, 1, static_cast<float>(count + 1)});
    return m;
  }
};

class CudaQueryRoom : public CudaQuery {
 protected:
  /// Runs a frame of sheets; whether there was room for it at once.
  bool had_room(Query& query, Sheets& sheets, std::uint32_t layers) {
    sheets.stack(layers);
    query.launch(stream_->get());
    const std::uint32_t before = status(query);
    EXPECT_EQ(query.wait().crossing_count, kColumns * layers);
    EXPECT_EQ(status(query), kComplete);
    return before == kComplete;
  }
  static constexpr std::uint32_t kColumns = 4;
  static constexpr DeviceOptions kOptions{.resolution = 2, .axis = Axis::z, .max_crossings = 1000};
};

TEST_F(CudaQueryRoom, ColumnsGetAnEighthMoreThanTheDeepestFrameInFoursAndAtMost32) {
  constexpr std::pair<std::uint32_t, std::uint32_t> kRooms[] = {{1, 8},   {8, 8},   {9, 12},  {11, 12}, {12, 16},
                                                                {16, 20}, {24, 28}, {28, 32}, {30, 32}, {32, 32}};
  for (const auto& [layers, room] : kRooms) {
    SCOPED_TRACE(testing::Message() << layers << " layers");
    Sheets sheets(40);
    Query query = Query::self_intersect(sheets.get(), kOptions);
    EXPECT_EQ(had_room(query, sheets, layers), layers <= 8);
    EXPECT_TRUE(had_room(query, sheets, room));
    EXPECT_FALSE(had_room(query, sheets, room + 1));
    EXPECT_TRUE(had_room(query, sheets, room + 1));
  }
}

TEST_F(CudaQueryRoom, TheDeeperOfTwoMeshesCounts) {
  for (const bool first : {false, true}) {
    Sheets deep(40), flat(40);
    flat.stack(3);
    deep.stack(10);
    Query query = Query::intersect((first ? deep : flat).get(), (first ? flat : deep).get(), kOptions);
    for (const std::uint32_t layers : {10u, 33u, 5u}) {
      SCOPED_TRACE(testing::Message() << layers << " layers");
      deep.stack(layers);
      query.launch(stream_->get());
      EXPECT_EQ(status(query), layers == 5 ? kComplete : kNeedsMemory);
      EXPECT_EQ(query.wait().crossing_count, kColumns * (layers + 3));
    }
  }
}

TEST_F(CudaQueryRoom, After16ShallowFramesInARowColumnsAreInSlotsAgain) {
  // The room is for the last of them.
  constexpr std::pair<std::uint32_t, std::uint32_t> kRooms[] = {{2, 8}, {20, 24}, {32, 32}};
  for (const auto& [shallow, room] : kRooms) {
    SCOPED_TRACE(testing::Message() << shallow << " layers");
    Sheets sheets(40);
    Query query = Query::self_intersect(sheets.get(), kOptions);
    EXPECT_FALSE(had_room(query, sheets, 40));
    if (shallow == 2) {
      for (int i = 0; i < 15; ++i) EXPECT_TRUE(had_room(query, sheets, shallow));
      EXPECT_TRUE(had_room(query, sheets, 40)) << "one frame too early";
    }
    for (int i = 0; i < 16; ++i) EXPECT_TRUE(had_room(query, sheets, shallow));
    EXPECT_TRUE(had_room(query, sheets, room));
    EXPECT_FALSE(had_room(query, sheets, room + 1));
  }
  Sheets sheets(40);
  Query query = Query::self_intersect(sheets.get(), kOptions);
  EXPECT_FALSE(had_room(query, sheets, 40));
  for (int i = 0; i < 17; ++i) EXPECT_TRUE(had_room(query, sheets, 33)) << "more than slots can hold";
  EXPECT_TRUE(had_room(query, sheets, 40));
}

TEST_F(CudaQueryRoom, CountedColumnsThatOutgrowTheirMemoryGetMoreForTheMeshThatNeedsIt) {
  constexpr std::uint32_t kMany = 1100;  // times 64 columns, more than is thought of at first
  const DeviceOptions options{.resolution = 8, .axis = Axis::z};
  for (const bool first : {false, true}) {
    Sheets deep(kMany), flat(4);
    deep.stack(33);
    flat.stack(2);
    Query query = Query::intersect((first ? deep : flat).get(), (first ? flat : deep).get(), options);
    EXPECT_EQ(ask(query).crossing_count, 64u * 35);
    const std::size_t before = query.device_bytes();
    deep.stack(kMany);
    for (int frame = 0; frame < 2; ++frame) {
      query.launch(stream_->get());
      EXPECT_EQ(status(query), frame == 0 ? kNeedsMemory : kComplete);
      EXPECT_EQ(query.wait().crossing_count, 64u * (kMany + 2));
    }
    EXPECT_EQ(query.device_bytes() - before, 1u << 16) << "a quarter of 2^16 keys, of only one of the two";
  }
}

/// Triangles without area, of which the first can become larger than a batch takes.
struct Specks : Body {
  explicit Specks(std::uint32_t count) : Body(make(count)) {}
  void set(bool large, bool sampled = true) {
    const float size = large ? 1.0f : 0.0f, nan = std::numeric_limits<float>::quiet_NaN();
    mesh.positions = {{-1, -1, -1}, {1, 1, 1}, {-size, -size, 0}, {size, -size, 0.5f}, {-size, size, 0.5f}, {0, 0, 0}};
    if (!sampled) mesh.positions.assign(6, {nan, nan, nan});
    upload();
  }
  static Mesh make(std::uint32_t count) {
    Mesh m{std::vector<Vec3>(6), std::vector<Triangle>(count, Triangle{5, 5, 5})};
    m.triangles[0] = {2, 3, 4};
    return m;
  }
};

TEST_F(CudaQueryRoom, After16FramesWithoutALargeTriangleThereIsNoPassForThemUnlessTrianglesAreFew) {
  enum class Without { speck, nothing };
  const auto is_dropped = [&](std::uint32_t count_a, std::uint32_t count_b, int frames, Without without) {
    Specks a(count_a), b(std::max(count_b, 1u));
    b.set(false);
    a.set(true);
    const DeviceOptions options{.resolution = 32, .axis = Axis::z};
    Query query = count_b == 0 ? Query::self_intersect(a.get(), options) : Query::intersect(a.get(), b.get(), options);
    EXPECT_GT(ask(query).health.open_columns, 0u);
    for (int i = 0; i < frames; ++i) {
      a.set(false, without == Without::speck);
      EXPECT_EQ(ask(query).crossing_count, 0u);
    }
    a.set(true);
    query.launch(stream_->get());
    const bool dropped = status(query) == kNeedsMemory;
    EXPECT_GT(query.wait().health.open_columns, 0u);
    EXPECT_EQ(status(query), kComplete);
    return dropped;
  };
  EXPECT_TRUE(is_dropped(4096, 0, 16, Without::speck));
  EXPECT_FALSE(is_dropped(4096, 0, 15, Without::speck));
  EXPECT_FALSE(is_dropped(4095, 0, 16, Without::speck));
  EXPECT_TRUE(is_dropped(3000, 1096, 16, Without::speck));
  EXPECT_FALSE(is_dropped(3000, 1095, 16, Without::speck));
  EXPECT_TRUE(is_dropped(4096, 0, 16, Without::nothing)) << "a frame of nothing has no large triangle either";
}

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(CudaQueryRoom, DeviceBytesAreAllThatAQueryAllocates) {
  const Body a(round_sphere(20, 40)), b(test::moved(round_sphere(16, 40), {0.5f, 0.3f, 0.2f}));
  const OnDevice<Vec3> points(test::points_around(a.mesh, 5000));
  const DeviceOptions options{.resolution = 64};
  const auto expect_counted = [&](const auto& make) {
    const std::size_t before = cuda_emulation::memory_in_use();
    Query query = make();
    EXPECT_EQ(query.device_answer(), nullptr);
    EXPECT_EQ(query.device_bytes(), 0u);
    (void)ask(query);
    const std::size_t allocated = cuda_emulation::memory_in_use() - before;
    // Whole elements count: of each array less than one may be left.
    EXPECT_LE(query.device_bytes(), allocated);
    EXPECT_GT(query.device_bytes() + 20 * sizeof(double) * 50, allocated);
    const std::size_t bytes = query.device_bytes();
    for (int frame = 0; frame < 3; ++frame) (void)ask(query);
    EXPECT_EQ(query.device_bytes(), bytes) << "memory is kept, and no more is taken";
    EXPECT_EQ(cuda_emulation::memory_in_use() - before, allocated);
  };
  for (const bool spans : {false, true}) {
    expect_counted([&] { return Query::intersect(a.get(), b.get(), options, spans); });
    expect_counted([&] { return Query::self_intersect(a.get(), options, spans); });
  }
  expect_counted([&] { return Query::contains(a.get(), on_device(points), options); });
  Sheets sheets(40);
  sheets.stack(40);
  expect_counted([&] { return Query::self_intersect(sheets.get(), options); });
}
#endif

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
  for (const std::uint32_t n : {0u, 1u, 2u, 3u, 4u, 5u}) {
    const std::uint32_t wrong = n < 3 ? static_cast<std::uint32_t>(mesh.positions.size()) : ~0u;
    mesh.triangles = body.mesh.triangles;
    Triangle& t = mesh.triangles[77];
    (n % 3 == 0 ? t.a : n % 3 == 1 ? t.b : t.c) = wrong;
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
  Query enough = Query::self_intersect(body.get(), {.resolution = 8, .axis = Axis::z, .max_crossings = 64 * 60});
  EXPECT_EQ(ask(enough).crossing_count, 64u * 60);
  // Each mesh of a pair has as many for itself.
  const Body flat(box_mesh({0, 0, 0}, {1, 1, 61}));
  for (const bool first : {false, true}) {
    const DeviceMesh a = (first ? body : flat).get(), b = (first ? flat : body).get();
    Query pair = Query::intersect(a, b, {.resolution = 8, .axis = Axis::z, .max_crossings = 64 * 60});
    EXPECT_EQ(ask(pair).crossing_count, 64u * 62);
    Query few = Query::intersect(a, b, options);
    EXPECT_THROW((void)ask(few), Error);
  }
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
  wrong = mesh;
  wrong.triangles = body.mesh.triangles.data();
  const auto message = [](const auto& make) { return std::string(error_of([&] { (void)make(); }).what()); };
  EXPECT_THAT(message([&] { return Query::intersect(wrong, mesh); }), HasSubstr("the triangles of mesh a"));
  EXPECT_THAT(message([&] { return Query::self_intersect(wrong); }), HasSubstr("the triangles of the mesh"));
  EXPECT_THAT(message([&] { return Query::contains(wrong, {}); }), HasSubstr("the triangles of the mesh"));
  const std::vector<Vec3> on_host(3);
  const OnDevice<Vec3> points(on_host);
  std::uint8_t flags[3];
  EXPECT_THAT(message([&] { return Query::contains(mesh, {on_host.data(), 3}); }), HasSubstr("the points"));
  EXPECT_THAT(message([&] { return Query::contains(mesh, on_device(points), {}, flags); }), HasSubstr("the flags"));
  EXPECT_NO_THROW((void)Query::contains(mesh, {on_host.data(), 0}, {}, flags)) << "no points are nowhere";
  Query query = Query::self_intersect(mesh);
  EXPECT_THAT(error_of([&] { (void)query.wait(); }).what(), HasSubstr("launch one first"));
}

}  // namespace
}  // namespace lamella::cuda
