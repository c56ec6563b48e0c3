// Geometry images: made from meshes, positions and heights, packed, written and read back, bounded by spheres and
// searched, each against a loop over all vertices or all triangles.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "lamella/error.hpp"
#include "lamella/geometry_image_io.hpp"
#include "lamella/heights.hpp"
#include "lamella/image_scene.hpp"
#include "meshes.hpp"
#include "rules.hpp"

namespace lamella::fuzz {
namespace {

/// Whether `call` threw no Error. `good`: it must not.
template <class Call>
bool accepted(bool good, const Call& call) {
  try {
    call();
  } catch (const Error&) {
    require(!good, "good arguments are accepted");
    return false;
  }
  require(good, "wrong arguments are refused");
  return true;
}

GeometryImage take_image(Input& input, const Places& places, int most = 2) {
  const int n = 1 + static_cast<int>(input.below(static_cast<std::size_t>(most)));
  if (input.below(4) == 0) return image_of_sphere(n, places.take(input), places.scale * 2);
  std::vector<Vec3> positions(std::size_t{(1u << n) + 1} * ((1u << n) + 1));
  // A few points in all, or every one its own.
  Vec3 few[4];
  for (Vec3& p : few) p = places.take(input);
  const bool own = input.flag();
  for (Vec3& p : positions) p = own ? places.take(input) : few[input.below(4)];
  return image_from_positions(std::move(positions));
}

// ---- spheres

/// Spheres of either pyramid enclose all vertices under them.
template <class Pyramid>
void check_enclosing(const Pyramid& pyramid, const GeometryImage& image) {
  for (int level = 0; level <= image.n; ++level) {
    const std::uint32_t quads = 1u << (image.n - level);  // of a sphere, along each side
    for (std::uint32_t y = 0; y < 1u << level; ++y)
      for (std::uint32_t x = 0; x < 1u << level; ++x) {
        const Sphere s = pyramid.at(level, x, y);
        for (std::uint32_t row = y * quads; row <= (y + 1) * quads; ++row)
          for (std::uint32_t column = x * quads; column <= (x + 1) * quads; ++column) {
            const Vec3d d = to_double(image.positions[row * image.side() + column]) - to_double({s.x, s.y, s.z});
            require(dot(d, d) <= static_cast<double>(s.radius) * static_cast<double>(s.radius),
                    "a sphere encloses what is under it");
          }
      }
  }
}

void spheres(Input& input) {
  const Places places(input);
  GeometryImage image = take_image(input, places, 3);
  const auto fit = static_cast<SphereFit>(input.below(4));
  SpherePyramid pyramid(image, fit), again;
  again.build(image.n, image.positions, 3, fit);
  require(std::equal(pyramid.pixels().begin(), pyramid.pixels().end(), again.pixels().begin(), again.pixels().end(),
                     [](const Sphere& a, const Sphere& b) {
                       return a.x == b.x && a.y == b.y && a.z == b.z && a.radius == b.radius;
                     }),
          "the number of threads does not matter");
  CompactPyramid codes;
  const CompactImage compact = compacted(image);
  codes.build(compact, fit);
  if (fit == SphereFit::published) return;
  require(pyramid.open_quad_count() == 0 && codes.open_quad_count() == 0, "only published spheres leave out vertices");
  check_enclosing(pyramid, image);
  check_enclosing(codes, expanded(compact));
  for (Vec3& p : image.positions)
    if (input.below(8) == 0) p = places.take(input);
  pyramid.build(image.n, image.positions, 1, SphereFit::fast);
  check_enclosing(pyramid, image);
}

// ---- codes and files

bool same_bits(const GeometryImage& a, const GeometryImage& b) {
  return a.n == b.n && a.positions == b.positions && a.normals == b.normals;
}

void check_codes(const GeometryImage& image, const GeometryImage& read) {
  require(image.n == read.n && read.positions.size() == image.positions.size(), "an image keeps its size");
  const Aabb box = bounds({image.positions, {}});
  for (int k = 0; k < 3; ++k) {
    const double low = box.min[k], high = box.max[k];
    const double most = (high - low) / 131070 + 0x1p-23 * std::max(std::abs(low), std::abs(high));
    for (std::size_t i = 0; i < image.positions.size(); ++i) {
      const double now = read.positions[i][k];
      require(now >= low && now <= high, "no vertex leaves the box");
      require(std::abs(now - static_cast<double>(image.positions[i][k])) <= most,
              "positions come back within half a step");
    }
  }
  for (std::size_t i = 1; i < image.positions.size(); ++i)
    if (image.positions[i] == image.positions[i - 1])
      require(read.positions[i] == read.positions[i - 1], "vertices that coincide still do");
}

void codes(Input& input) {
  const Places places(input);
  GeometryImage image = take_image(input, places, 3);
  if (input.flag()) compute_normals(image);
  for (const Vec3 normal : image.normals) {
    const double l = length(to_double(normal));
    require(l == 0 || std::abs(l - 1) < 1e-5, "normals have length 1 or 0");
  }
  const CompactImage compact = compacted(image);
  const GeometryImage read = expanded(compact);
  check_codes(image, read);
  const CompactImage again = compacted(read);
  require(again.positions == compact.positions && again.box == compact.box, "codes that were read stay the same");
  const Mesh mesh = to_mesh(image);
  require(mesh.triangles.size() == image.triangle_count() && mesh.positions.size() <= image.positions.size(),
          "an image is a mesh, triangle for triangle");

  CompactImage damaged = compact;
  bool good = true;
  switch (input.below(8)) {
    case 0:
      damaged.positions.pop_back(), good = false;
      break;
    case 1:
      damaged.n = static_cast<int>(input.take<std::int8_t>()), good = damaged.n == compact.n;
      break;
    case 2: {
      damaged.box.max.y = input.take<float>();
      good = damaged.box.max.y >= damaged.box.min.y && damaged.box.max.y <= kMaxImageCoordinate;
      break;
    }
    default:
      break;
  }
  (void)accepted(good, [&] { check(damaged); });
}

void files(Input& input) {
  const Places places(input);
  std::vector<GeometryImage> images(1 + input.below(2));
  for (GeometryImage& image : images) image = take_image(input, places, 3);
  if (input.flag()) compute_normals(images[0]);
  static const auto path =
      std::filesystem::temp_directory_path() / ("lamella-fuzz-" + std::to_string(getpid()) + ".tiff");
  write_images(path, images);
  const auto read = read_images(path);
  const auto compact = read_compact_images(path);
  const auto pages = image_pages(path);
  require(read.size() == images.size() && compact.size() == images.size() && pages.size() == 2 * images.size(),
          "every image is read");
  for (std::size_t i = 0; i < images.size(); ++i) {
    check_codes(images[i], read[i]);
    require(same_bits(expanded(compact[i]), read[i]), "codes are those of the file");
    require(expanded(compacted(images[i])).positions == read[i].positions, "compacted() rounds as the file does");
  }
  write_images(path, read);
  const auto again = read_images(path);
  for (std::size_t i = 0; i < images.size(); ++i)
    require(again[i].positions == read[i].positions, "what was read is written without change");
  std::filesystem::remove(path);
}

// ---- collisions

/// Every two triangles that share a point, b in a's frame.
std::vector<TrianglePair> plain_pairs(const std::vector<GeometryImage>& a, const std::vector<GeometryImage>& b,
                                      const Transform& pose) {
  std::vector<TrianglePair> pairs;
  for (std::uint32_t j = 0; j < b.size(); ++j) {
    const std::vector<Vec3> placed = placed_positions({b[j].positions, {}}, pose);
    for (std::uint32_t i = 0; i < a.size(); ++i)
      for (std::uint32_t s = 0; s < a[i].triangle_count(); ++s)
        for (std::uint32_t t = 0; t < b[j].triangle_count(); ++t) {
          const Triangle x = image_triangle(a[i].n, s), y = image_triangle(b[j].n, t);
          const Vec3 of_a[3] = {a[i].positions[x.a], a[i].positions[x.b], a[i].positions[x.c]};
          const Vec3 of_b[3] = {placed[y.a], placed[y.b], placed[y.c]};
          if (triangles_meet(of_a, of_b)) pairs.push_back({i, s, j, t});
        }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

void check_collision(BodyRef a, const Transform& pose_a, BodyRef b, const Transform& pose_b,
                     const std::vector<TrianglePair>& expected, Input& input) {
  ImageCollideOptions options;
  options.walk = input.flag() ? ImageWalk::guided : ImageWalk::zigzag;
  options.all = true;
  ImageCollider collider;
  ImageCollision all = collider.collide(a, pose_a, b, pose_b, options);
  require(all.complete && all.enclosing, "a search without limits is complete");
  require(all.colliding() == !expected.empty(), "bodies collide where their triangles meet");
  std::vector<TrianglePair> pairs = all.pairs;
  std::sort(pairs.begin(), pairs.end());
  require(pairs == expected, "all pairs of triangles are found, once");
  require(expected.empty() ? std::isinf(all.within) : all.within == 0, "the distance is 0 where triangles meet");
  const std::uint64_t tests = all.sphere_test_count + all.triangle_test_count;

  options.all = false;
  const ImageCollision first = collider.collide(a, pose_a, b, pose_b, options);
  require(first.verdict == all.verdict && first.pairs.size() == (expected.empty() ? 0u : 1u), "the first pair decides");
  if (!first.pairs.empty())
    require(std::binary_search(expected.begin(), expected.end(), first.pairs[0]), "the first pair meets");
  if (first.colliding()) require(is_finite(first.position), "bodies collide somewhere");

  options.all = input.flag();
  options.max_tests = 1 + input.below(64);
  const ImageCollision cut = collider.collide(a, pose_a, b, pose_b, options);
  if (cut.colliding()) require(!expected.empty(), "what a limited search finds is there");
  if (cut.verdict == Verdict::clear) require(expected.empty(), "a limited search does not guess");
  if (cut.complete && options.all) require(cut.pairs.size() == expected.size(), "a complete search finds all");
  if (!cut.complete) require(tests > 0, "only a search that tests is cut short");
  for (const TrianglePair& p : cut.pairs)
    require(std::binary_search(expected.begin(), expected.end(), p), "a limited search finds pairs that meet");

  options = {};
  options.all = input.flag();
  options.max_level = static_cast<int>(input.below(4));
  const ImageCollision coarse = collider.collide(a, pose_a, b, pose_b, options);
  if (!expected.empty()) require(coarse.colliding(), "spheres overlap where triangles meet");
  require(coarse.pairs.empty(), "spheres have no pairs of triangles");
}

void collisions(Input& input) {
  const Places places(input);
  std::vector<GeometryImage> images[2];
  for (auto& of : images)
    for (std::size_t count = 1 + input.below(2); count > 0; --count) of.push_back(take_image(input, places));
  const Transform pose_a = take_pose(input, places), pose_b = take_pose(input, places);
  constexpr SphereFit kFits[] = {SphereFit::tight, SphereFit::fast, SphereFit::published_enclosing};
  const SphereFit fit = kFits[input.below(3)];
  const Transform relative = relative_pose(pose_a, pose_b);
  if (input.flag()) {
    const auto expected = plain_pairs(images[0], images[1], relative);
    check_collision(make_body(images[0], fit), pose_a, make_body(images[1], SphereFit::tight), pose_b, expected, input);
    return;
  }
  std::vector<CompactImage> compact;
  for (GeometryImage& image : images[1]) {
    compact.push_back(compacted(image));
    image = expanded(compact.back());
  }
  const auto expected = plain_pairs(images[0], images[1], relative);
  check_collision(make_body(images[0], fit), pose_a, make_body(std::move(compact), fit), pose_b, expected, input);
}

void against_mesh(Input& input) {
  const Places places(input);
  const std::vector<GeometryImage> images{take_image(input, places)};
  const MadeMesh made = take_mesh(input, places);
  const Transform pose_a = take_pose(input, places), pose_b = take_pose(input, places);
  const ImageBody body = make_body(images);
  ImageCollideOptions options;
  options.all = true;
  ImageCollision got;
  if (!accepted(made.indices_exist, [&] { got = collide(body, pose_a, made.mesh, pose_b, options); })) return;
  const Mesh placed{placed_positions(made.mesh, relative_pose(pose_a, pose_b)), made.mesh.triangles};
  std::vector<TrianglePair> expected;
  const auto usable = [](Vec3 p) {
    return std::abs(p.x) <= kMaxImageCoordinate && std::abs(p.y) <= kMaxImageCoordinate &&
           std::abs(p.z) <= kMaxImageCoordinate;
  };
  for (std::uint32_t t = 0; t < placed.triangles.size(); ++t) {
    const Triangle y = placed.triangles[t];
    const Vec3 of_b[3] = {placed.positions[y.a], placed.positions[y.b], placed.positions[y.c]};
    const auto& raw = made.mesh.positions;
    if (!usable(raw[y.a]) || !usable(raw[y.b]) || !usable(raw[y.c])) continue;
    if (!usable(of_b[0]) || !usable(of_b[1]) || !usable(of_b[2])) return;  // at the limit: either may be skipped
    for (std::uint32_t s = 0; s < images[0].triangle_count(); ++s) {
      const Triangle x = image_triangle(images[0].n, s);
      const Vec3 of_a[3] = {images[0].positions[x.a], images[0].positions[x.b], images[0].positions[x.c]};
      if (triangles_meet(of_a, of_b)) expected.push_back({0, s, 0, t});
    }
  }
  std::sort(expected.begin(), expected.end());
  std::sort(got.pairs.begin(), got.pairs.end());
  require(got.pairs == expected, "all triangles of the mesh that meet the body are found");
  require(got.colliding() == !expected.empty(), "the verdict is that of the pairs");
}

struct Placed {
  ObjectId id;
  std::shared_ptr<ImageBody> body;
  Transform pose;
};

/// Whether the boxes share no volume, as rounding may have it: surfaces may touch there, or be flat.
bool only_touch(const Placed& a, const Placed& b) {
  const Aabb x = bounds(in_world(transformed({a.body->images[0].positions, {}}, a.pose)));
  const Aabb y = bounds(in_world(transformed({b.body->images[0].positions, {}}, b.pose)));
  for (int k = 0; k < 3; ++k) {
    const float size = std::max({std::abs(x.min[k]), std::abs(x.max[k]), std::abs(y.min[k]), std::abs(y.max[k])});
    if (std::min(x.max[k], y.max[k]) - std::max(x.min[k], y.min[k]) <= 1e-5f * size) return true;
  }
  return false;
}

/// Every pair of bodies has the verdict of a search of its own.
void image_scene(Input& input) {
  const Places places(input);
  ImageSceneOptions options;
  options.threads = static_cast<unsigned>(1 + input.below(3));
  options.collide.all = input.flag();
  ImageScene scene(options);
  std::vector<Placed> objects;
  for (std::size_t count = 2 + input.below(3); count > 0; --count) {
    const bool shared = !objects.empty() && input.flag();
    auto body =
        shared ? objects[0].body : std::make_shared<ImageBody>(make_body(std::vector{take_image(input, places)}));
    const Transform pose = take_pose(input, places);
    const ObjectId id = scene.add(body, pose);
    objects.push_back({id, std::move(body), pose});
  }
  for (int frame = 0; frame < 3; ++frame) {
    const ImageSceneResult& r = scene.collide();
    std::size_t next = 0, colliding = 0;
    for (std::size_t i = 0; i < objects.size(); ++i)
      for (std::size_t k = i + 1; k < objects.size(); ++k) {
        const Placed &a = objects[i], &b = objects[k];
        const ImageCollision alone = collide(*a.body, a.pose, *b.body, b.pose, options.collide);
        const bool candidate =
            next < r.candidates.size() && r.candidates[next].a == a.id && r.candidates[next].b == b.id;
        if (!candidate) {
          if (alone.colliding()) require(only_touch(a, b), "bodies that collide are candidates");
          continue;
        }
        const ImageScenePair& p = r.candidates[next++];
        require(p.verdict == alone.verdict && p.complete, "a pair has the verdict of its own search");
        require(std::ranges::equal(r.triangle_pairs_of(p), alone.pairs), "and its triangles");
        colliding += p.verdict == Verdict::colliding ? 1 : 0;
      }
    require(next == r.candidates.size() && colliding == r.colliding_count, "candidates ascend and are counted");
    if (input.empty()) return;
    Placed& moved = objects[input.below(objects.size())];
    if (input.flag()) {
      moved.pose = take_pose(input, places);
      scene.move(moved.id, moved.pose);
      continue;
    }
    for (Vec3& p : moved.body->images[0].positions)
      if (input.below(8) == 0) p = places.take(input);
    refit(*moved.body);
    for (const Placed& o : objects)
      if (o.body == moved.body) scene.deformed(o.id);
  }
}

// ---- heights and meshes

void terrain(Input& input) {
  Heights heights;
  heights.width = static_cast<std::uint32_t>(1 + input.below(9));
  heights.height = static_cast<std::uint32_t>(1 + input.below(9));
  heights.most = input.flag() ? 255 : 65535;
  heights.values.resize(std::size_t{heights.width} * heights.height);
  for (float& v : heights.values) v = static_cast<float>(input.take<std::uint8_t>()) * (heights.most / 255);
  const int n = static_cast<int>(input.below(5));
  const Vec3 size{1 + static_cast<float>(input.below(9)), 2, input.below(16) == 0 ? 0.0f : 3.0f};
  const bool good = n >= kMinImageLevels && heights.width >= 2 && heights.height >= 2 && size.z > 0;
  GeometryImage image;
  if (accepted(good, [&] { image = image_of_terrain(heights, n, size); })) {
    check(image);
    require(image.n == n, "a terrain has the size asked for");
    for (const Vec3 p : image.positions)
      require(p.x >= 0 && p.x <= size.x && p.y >= 0 && p.y <= size.y && p.z >= 0 && p.z <= size.z * 1.000001f,
              "a terrain lies in its box");
    const double error = resampling_error(heights, n);
    require(error >= 0 && error <= static_cast<double>(heights.most), "the error of resampling is a height");
    if (heights.width == image.side() && heights.height == image.side())
      require(error == 0, "what is not resampled has no error");
  }
  const auto width = static_cast<std::uint32_t>(input.below(10)),
             height = static_cast<std::uint32_t>(1 + input.below(9));
  try {
    const Heights part = middle_part(heights, width, height);
    require(width <= heights.width && height <= heights.height, "a larger part is refused");
    require(part.width == width && part.height == height && part.values.size() == std::size_t{width} * height &&
                part.most == heights.most,
            "a part has the size asked for");
  } catch (const Error&) {
    require(width > heights.width || height > heights.height || width == 0, "a smaller part is made");
  }
}

void made_from_mesh(Input& input) {
  const Places places(input);
  Mesh mesh;
  const std::size_t pieces = 1 + input.below(2);
  for (std::size_t i = 0; i < pieces; ++i) {
    const Vec3 p = places.take(input), q = places.take(input);
    if (input.flag()) {
      add_box(mesh, p, q);
      continue;
    }
    const auto base = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3 corner : {p, q, places.take(input), places.take(input)}) mesh.positions.push_back(corner);
    add_tetrahedron(mesh, {base, base + 1, base + 2}, base + 3, true);
  }
  MakeImageOptions options;
  options.n = 1 + static_cast<int>(input.below(3));
  options.max_cuts = static_cast<int>(input.below(4));
  options.threads = 1;
  if (input.below(8) == 0) mesh.triangles.pop_back();
  const MeshReport report = inspect(mesh);
  MadeImages made;
  try {
    made = make_geometry_images(mesh, options);
  } catch (const Error&) {
    return require(!report.closed || options.n < 2 || report.degenerate_triangles > 0, "a closed mesh becomes images");
  }
  require(report.closed, "an open mesh is refused");
  require(made.images.size() == report.components && made.reports.size() == report.components, "one image a component");
  for (const GeometryImage& image : made.images) {
    check(image);
    require(image.n == options.n && image.normals.size() == image.positions.size(), "images have the size asked for");
    require(inspect(to_mesh(image)).boundary_edges == 0, "images of closed surfaces are closed");
    const Aabb box = bounds(mesh);
    for (const Vec3 p : image.positions)
      for (int k = 0; k < 3; ++k) {
        const float rounding =
            1e-36f + 2e-3f * (box.max[k] - box.min[k]) + 1e-5f * std::max(std::abs(box.min[k]), std::abs(box.max[k]));
        require(p[k] >= box.min[k] - rounding && p[k] <= box.max[k] + rounding, "images lie where the mesh is");
      }
  }
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lamella::fuzz;
  Input input(data, size);
  constexpr void (*kChecks[])(Input&) = {spheres, codes, collisions, collisions, against_mesh, image_scene, terrain};
  // Files and maps take much longer than the others.
  const std::size_t which = input.below(32);
  if (which == 31)
    files(input);
  else if (which == 30)
    made_from_mesh(input);
  else
    kChecks[which % std::size(kChecks)](input);
  return 0;
}
