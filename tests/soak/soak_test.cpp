// Random calls over the whole interface, round after round: queries, detectors, batches, scenes, bodies, particles,
// geometry images, files, and errors of all of them. Some objects live for one round, some for the whole run. After the
// first third of the rounds nothing may grow any more.

#include <gtest/gtest.h>
#include <malloc.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "lamella/lamella.hpp"
#include "support/allocations.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::Random;

/// Objects that live for the whole run may still meet a new largest case.
constexpr std::int64_t kMostGrowth = 256 << 10;
/// Of the whole heap, in which the C library counts what it keeps for later use.
constexpr std::int64_t kMostHeapGrowth = 1 << 20;

struct Held {
  std::int64_t bytes = 0;  ///< by operator new
  std::int64_t heap = 0;   ///< also by the C libraries below; 0 under AddressSanitizer
  std::size_t files = 0;
};

std::size_t open_files() {
  std::size_t count = 0;
  std::error_code none;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator("/proc/self/fd", none)) ++count;
  return count;
}

/// What may throw an Error, and does so now and then.
void may_fail(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()), "");
  }
}

/// Few sizes, so that what is kept between calls soon has the memory for the largest.
std::vector<Mesh> make_pool() {
  std::vector<Mesh> pool;
  pool.push_back(test::box_mesh({-1, -1, -1}, {1, 1, 1}));
  pool.push_back(test::round_sphere(6, 9));
  pool.push_back(test::round_sphere(12, 20, 0.8f, {0.3f, 0, 0}));
  pool.push_back(test::tetrahedron({0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}));
  pool.push_back(test::box_mesh({-2, -2, -0.25f}, {2, 2, 0.25f}));
  Mesh open = test::round_sphere(6, 9);
  open.triangles.resize(open.triangles.size() - 7);
  pool.push_back(open);
  Mesh broken = test::box_mesh({0, 0, 0}, {1, 1, 1});
  broken.positions[3].y = std::numeric_limits<float>::quiet_NaN();
  pool.push_back(broken);
  return pool;
}
constexpr std::uint32_t kClosed = 5;  ///< the first of the pool

class Soak : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("lamella-soak-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directory(folder_);
    images_ = make_geometry_images(pool_[1], {.n = 3, .threads = 1}).images;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const Mesh& any(Random& r) const { return pool_[r.below(static_cast<std::uint32_t>(pool_.size()))]; }
  const Mesh& solid(Random& r) const { return pool_[r.below(kClosed)]; }
  static Transform pose(Random& r) {
    return {to_double(r.in({{-1, -1, -1}, {1, 1, 1}})),
            rotation_about({1, 0.3, static_cast<double>(r.uniform(-1, 1))}, static_cast<double>(r.uniform(0, 6)))};
  }
  static Options options(Random& r) {
    static constexpr const char* kEngines[] = {"software", "software", "reference", "software-wscg", "none such"};
    Options o{.engine = kEngines[r.below(5)], .resolution = 1 + r.below(24), .threads = 1 + r.below(3)};
    if (r.below(3) == 0) o.axis = static_cast<Axis>(r.below(3));
    if (r.below(20) == 0) o.strict = true;
    if (r.below(20) == 0) o.max_crossings = 5;
    if (r.below(20) == 0) o.min_thickness = -1;
    return o;
  }
  std::vector<Vec3> points(Random& r) const {
    std::vector<Vec3> points(60);
    for (Vec3& p : points) p = r.in({{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}});
    return points;
  }

  void queries(Random& r);
  void detectors(Random& r);
  void batches(Random& r);
  void scenes(Random& r);
  void bodies(Random& r);
  void particles(Random& r);
  void images(Random& r);
  void files(Random& r);
  void kept(Random& r);
  void round(Random& r);
  Held held();

  std::filesystem::path folder_;
  std::vector<Mesh> pool_ = make_pool();
  std::vector<GeometryImage> images_;

  // For the whole run:
  Detector detector_{Options{.engine = "software", .resolution = 20, .threads = 2}};
  Scene scene_{SceneOptions{.engine = "software", .resolution = 16, .threads = 2}};
  std::vector<ObjectId> objects_;
  // Without ways out: they are looked for seldom, and the memory for the largest search comes late. Worlds that live
  // for a round have them.
  RigidWorld world_{SceneOptions{.engine = "software", .resolution = 12, .threads = 1}, {.ways_out = false}};
  std::vector<ObjectId> bodies_;
  ImageCollider collider_;
};

void Soak::queries(Random& r) {
  const Options o = options(r);
  const Mesh &a = any(r), &b = any(r);
  may_fail([&] { (void)prisms({}, {}); });
  may_fail([&] {
    const Overlap overlap = intersect(transformed(a, pose(r)), b, o);
    (void)inspect(prisms(overlap.grid, overlap.spans));
  });
  may_fail([&] { (void)self_intersect(a, o); });
  may_fail([&] { (void)contains(a, points(r), o); });
  may_fail([&] { (void)contains(a, points(r), Aabb{{-1, -1, -1}, {r.uniform(-2, 1), 0, 1}}, o); });
  may_fail([&] { (void)vertices_inside(a, b, o); });
  Mesh wrong = a;
  wrong.triangles[0].b = 1u << 30;
  may_fail([&] { (void)self_intersect(wrong, o); });
  may_fail([&] { (void)inspect(wrong); });
}

void Soak::detectors(Random& r) {
  may_fail([&] {
    Detector d(options(r));
    const ObjectId a = d.add(any(r)), b = d.add_rigid(solid(r), pose(r));
    may_fail([&] { (void)d.intersect(a, b); });
    may_fail([&] { (void)d.vertices_inside(a, b); });
    may_fail([&] { (void)d.contains(b, points(r)); });
    may_fail([&] { d.move(r.below(2) == 0 ? a : b, pose(r)); });
    may_fail([&] { d.deform(a, points(r)); });
    d.remove(a);
    may_fail([&] { (void)d.self_intersect(a); });
  });
}

void Soak::batches(Random& r) {
  may_fail([&] {
    Options o = options(r);
    o.engine = "software";
    Batch batch(o);
    for (int i = 0; i < 3; ++i) batch.add(any(r));
    std::vector<BatchPair> pairs(4);
    for (BatchPair& p : pairs) p = {{r.below(3)}, {r.below(4)}, pose(r), pose(r)};
    (void)batch.intersect(pairs);
  });
}

void Soak::scenes(Random& r) {
  may_fail([&] {
    SceneOptions o{.engine = "software", .resolution = 1 + r.below(16), .threads = 1 + r.below(3)};
    o.views = r.below(8) == 0 ? 2 : r.below(2) == 0 ? 1 : 3;
    o.self_overlap = r.below(2) == 0;
    o.max_contacts = r.below(18);
    Scene scene(o);
    std::vector<ObjectId> ids;
    for (int i = 0; i < 4; ++i) ids.push_back(scene.add(any(r), pose(r)));
    ids.push_back(scene.add(ids[0], pose(r)));
    for (int frame = 0; frame < 3; ++frame) {
      (void)scene.collide();
      may_fail([&] { scene.move(ids[r.below(5)], pose(r)); });
      may_fail([&] { scene.ignore(ids[r.below(5)], ids[r.below(5)]); });
      may_fail([&] { scene.deform(ids[r.below(5)], points(r)); });
      may_fail([&] { scene.remove(ids[r.below(5)]); });
    }
  });
}

void Soak::bodies(Random& r) {
  may_fail([&] {
    RigidWorld world(SceneOptions{.engine = "software", .resolution = 8, .threads = 1, .max_contacts = r.below(9)});
    for (int i = 0; i < 3; ++i)
      may_fail([&] {
        world.add(any(r), pose(r), {.restitution = static_cast<double>(r.uniform(0, 1.1f)), .fixed = i == 0});
      });
    for (int i = 0; i < 3; ++i) world.step(0.02);
    world.step(-1);
  });
}

void Soak::particles(Random& r) {
  may_fail([&] {
    const Mesh& body = any(r);
    ParticlePushOut push(body.triangles, body.positions.size(),
                         {.resolution = 1 + r.below(16), .threads = 1 + r.below(2), .friction = r.uniform(-0.1f, 1)});
    std::vector<Vec3> positions = points(r), velocities = points(r);
    for (int i = 0; i < 2; ++i) (void)push.push_out({body.positions, {}, 0.01f}, positions, velocities);
    (void)push.push_out({body.positions, {}, -1}, positions, velocities);
  });
}

void Soak::images(Random& r) {
  const ImageBody body = make_body(images_, static_cast<SphereFit>(r.below(4)));
  ImageCollideOptions o;
  o.all = r.below(2) == 0;
  o.max_tests = r.below(200);
  (void)collider_.collide(body, pose(r), body, pose(r), o);
  may_fail([&] { (void)collide(body, pose(r), any(r), pose(r), o); });
  std::vector<CompactImage> compact;
  for (const GeometryImage& image : images_) compact.push_back(compacted(image));
  (void)collide(body, pose(r), make_body(std::move(compact)), pose(r), o);
  ImageScene scene({.collide = o, .threads = 1 + r.below(2)});
  const auto shared = std::make_shared<const ImageBody>(body);
  const ObjectId a = scene.add(shared, pose(r));
  (void)scene.add(shared, pose(r));
  (void)scene.collide();
  scene.remove(a);
  may_fail([&] { scene.move(a, pose(r)); });
  if (r.below(16) == 0) may_fail([&] { (void)make_geometry_images(any(r), {.n = 2, .threads = 1}); });
  may_fail([&] { (void)image_from_positions(points(r)); });
}

void Soak::files(Random& r) {
  static constexpr const char* kNames[] = {"a.ply", "a.obj", "a.stl", "a.none"};
  const auto path = folder_ / kNames[r.below(4)];
  may_fail([&] { write_mesh(path, any(r)); });
  may_fail([&] { (void)read_mesh(path); });
  may_fail([&] { (void)read_mesh(folder_ / "absent.ply"); });
  may_fail([&] { (void)read_points(folder_); });
  std::string text =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  text[r.below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(r.below(256));
  const auto bytes = std::as_bytes(std::span(text));
  for (const MeshFormat format : {MeshFormat::ply, MeshFormat::obj, MeshFormat::stl, MeshFormat::off, MeshFormat::gltf,
                                  MeshFormat::glb, MeshFormat::xyz})
    may_fail([&] { (void)read_mesh(bytes, format); });
  may_fail([&] { (void)read_images(bytes); });
  may_fail([&] { (void)read_tiff_heights(bytes, "heights"); });
  if (r.below(4) != 0) return;
  may_fail([&] { write_images(folder_ / "a.tiff", images_); });
  may_fail([&] { (void)read_images(folder_ / "a.tiff"); });
  may_fail([&] { (void)read_compact_images(folder_ / "a.tiff", {.max_memory = r.below(100'000)}); });
  may_fail([&] { NewFile file(folder_ / "never"), other(folder_ / "no" / "folder"); });
}

/// What lives for the whole run.
void Soak::kept(Random& r) {
  (void)detector_.intersect(any(r), any(r));
  (void)detector_.self_intersect(any(r));
  (void)detector_.contains(solid(r), points(r));
  const ObjectId a = detector_.add(any(r)), b = detector_.add_rigid(solid(r), pose(r));
  (void)detector_.vertices_inside(a, b);
  detector_.remove(a);
  detector_.remove(b);

  objects_.push_back(scene_.add(any(r), pose(r)));
  if (objects_.size() > 4) {
    const std::uint32_t out = r.below(5);
    scene_.remove(objects_[out]);
    objects_.erase(objects_.begin() + out);
    scene_.ignore(objects_[0], objects_[1], r.below(2) == 0);
    scene_.move(objects_[2], pose(r));
  }
  (void)scene_.collide();

  bodies_.push_back(world_.add(solid(r), pose(r)));
  if (bodies_.size() > 3) {
    world_.remove(bodies_.front());
    bodies_.erase(bodies_.begin());
  }
  world_.step(0.01);
}

void Soak::round(Random& r) {
  queries(r);
  detectors(r);
  batches(r);
  scenes(r);
  bodies(r);
  particles(r);
  images(r);
  files(r);
  kept(r);
}

/// Without what is in the scene and the world: it differs from round to round.
Held Soak::held() {
  for (const ObjectId id : objects_) scene_.remove(id);
  for (const ObjectId id : bodies_) world_.remove(id);
  objects_.clear();
  bodies_.clear();
  const auto heap = mallinfo2();
  return {test::g_live, static_cast<std::int64_t>(heap.uordblks + heap.hblkhd), open_files()};
}

TEST_F(Soak, MemoryAndOpenFilesDoNotGrow) {
  using Clock = std::chrono::steady_clock;
  const char* given = std::getenv("LAMELLA_SOAK_SECONDS");
  const double seconds = given != nullptr ? std::atof(given) : 0;
  test::g_counting = true;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  constexpr std::uint32_t kRounds = 300;
  Held before;
  std::uint32_t i = 0;
  for (bool warm = false; seconds > 0 ? elapsed() < seconds || !warm : i < kRounds; ++i) {
    if (!warm && (seconds > 0 ? elapsed() > seconds / 3 && i > 0 : i == kRounds / 3)) {
      warm = true;
      before = held();
    }
    Random r(i);
    round(r);
    if (HasFatalFailure()) return;
  }
  const Held after = held();
  test::g_counting = false;
  std::printf("%u rounds; after a third of them %lld bytes, then %+lld; heap %+lld, open files %+d\n", i,
              static_cast<long long>(before.bytes), static_cast<long long>(after.bytes - before.bytes),
              static_cast<long long>(after.heap - before.heap),
              static_cast<int>(after.files) - static_cast<int>(before.files));
  EXPECT_LE(after.bytes - before.bytes, kMostGrowth);
  EXPECT_LE(after.heap - before.heap, kMostHeapGrowth);
  EXPECT_LE(after.files, before.files);
}

}  // namespace
}  // namespace lamella
