#include "bench/gi/images.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "scenes/random.hpp"
#include "simulate/bunnies.hpp"

namespace lamella::bench {
namespace {

/// Every image of the body, about the middle of the box and within `radius`.
void fit_into_ball(std::vector<GeometryImage>& images, double radius) {
  Aabb box;
  for (const GeometryImage& image : images) box = unite(box, bounds({image.positions, {}}));
  const Vec3 middle = center(box);
  float furthest = std::numeric_limits<float>::min();
  for (const GeometryImage& image : images)
    for (const Vec3 p : image.positions) furthest = std::max(furthest, length(p - middle));
  const float scale = static_cast<float>(radius) / furthest;
  for (GeometryImage& image : images)
    for (Vec3& p : image.positions) p = (p - middle) * scale;
}

GeometryImage halved(const GeometryImage& image) {
  GeometryImage out{.n = image.n - 1, .positions = {}, .normals = {}};
  for (std::size_t y = 0; y < out.side(); ++y)
    for (std::size_t x = 0; x < out.side(); ++x) out.positions.push_back(image.positions[2 * y * image.side() + 2 * x]);
  return out;
}

GeometryImage doubled(const GeometryImage& image) {
  GeometryImage out{.n = image.n + 1, .positions = {}, .normals = {}};
  const std::size_t side = out.side(), from = image.side();
  out.positions.resize(side * side);
  for (std::size_t y = 0; y < side; ++y) {
    // The middle of a quad is that of its diagonal, on which its triangles meet.
    const Vec3 *low = image.positions.data() + y / 2 * from, *high = image.positions.data() + (y + 1) / 2 * from;
    for (std::size_t x = 0; x < side; ++x) out.positions[y * side + x] = (low[x / 2] + high[(x + 1) / 2]) * 0.5f;
  }
  return out;
}

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// The number behind `key` in a file of the system, times `unit`; the most there can be where it is not told.
std::uint64_t number_in(const char* path, const std::string& key, std::uint64_t unit) {
  std::ifstream file(path);
  std::string word;
  while (!key.empty() && word != key && file >> word) {
  }
  std::uint64_t number = 0;
  return file >> number && number < kMost / unit ? number * unit : kMost;
}

std::uint64_t available_memory() {
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max", "", 1);
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current", "", 1);
  const std::uint64_t group = limit == kMost || used == kMost ? kMost : limit - std::min(used, limit);
  return std::min(number_in("/proc/meminfo", "MemAvailable:", 1024), group);
}

Transform moved(const Transform& pose, Vec3d by) { return {pose.translation + by, pose.rotation}; }

}  // namespace

std::shared_ptr<const ImageBody> bench_body(const GiArgs& args, int n, double radius) {
  if (args.mesh.empty()) return simulate::make_bunny(n, radius, 0);
  const Mesh mesh = cli::load_world_mesh(args.mesh);
  cli::Progress progress("geometry image");
  MakeImageOptions options;
  options.n = n;
  options.progress = progress.callback();
  std::vector<GeometryImage> images = make_geometry_images(mesh, options).images;
  fit_into_ball(images, radius);
  return std::make_shared<const ImageBody>(make_body(std::move(images)));
}

ImageBody resized(const ImageBody& body, int n) {
  std::vector<GeometryImage> images;
  for (const GeometryImage& image : body.images) {
    GeometryImage& out = images.emplace_back(image);
    while (out.n > n) out = halved(out);
    while (out.n < n) out = doubled(out);
  }
  return make_body(std::move(images));
}

std::uint64_t body_bytes(int n) {
  const std::uint64_t side = (std::uint64_t{1} << n) + 1, quads = std::uint64_t{1} << (2 * n);
  return side * side * sizeof(Vec3) + quads * 3 / 2 * sizeof(Sphere);
}

bool memory_allows(std::uint64_t bytes) { return bytes < available_memory(); }

std::vector<Closeness> close_placements(const ImageBody& body, std::size_t count, double gap) {
  double radius = 0;
  for (const SpherePyramid& pyramid : body.pyramids) {
    const Sphere& root = pyramid.root();
    radius =
        std::max(radius, std::sqrt(dot(Vec3d{root.x, root.y, root.z}, Vec3d{root.x, root.y, root.z})) + root.radius);
  }
  scenes::Random random(7);
  ImageCollider collider;
  std::vector<Closeness> out;
  while (out.size() < count) {
    const auto turned = [&] { return rotation_about(random.direction(), random.uniform(0, 2 * scenes::kPi)); };
    const Transform a{{}, turned()}, b{{}, turned()};
    const Vec3d way = random.direction();
    const auto meet = [&](double distance) {
      return collider.collide(body, a, body, moved(b, way * distance)).colliding();
    };
    double far = 2.01 * radius, near = far;
    while (near > 0 && !meet(near)) far = near, near -= 0.02 * radius;
    if (near <= 0) continue;  // slipped past each other
    for (int i = 0; i < 30; ++i) (meet(0.5 * (near + far)) ? near : far) = 0.5 * (near + far);
    out.push_back({a, moved(b, way * (near - 0.01 * radius)), moved(b, way * (far + gap * radius))});
  }
  return out;
}

}  // namespace lamella::bench
