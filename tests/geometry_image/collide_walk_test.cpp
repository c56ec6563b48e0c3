// Every field of every answer, against the same walks written a second time: one sphere after the other, with lists in
// place of stacks and vectors. Floats are computed in the same order, so the fields must have the same bits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "core/placement.hpp"
#include "geometry_image/search.hpp"
#include "geometry_image/shapes.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using namespace test;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// A sphere of a pyramid, in a's frame.
struct Place {
  int level = 0;
  std::uint32_t x = 0, y = 0;
  Sphere sphere{};
};

double size_of(Vec3d v) { return std::sqrt(dot(v, v)); }
double reach_of(const Sphere& s) { return size_of({s.x, s.y, s.z}) + s.radius; }
float slack_of(double largest) {
  return static_cast<float>(largest * 16 / 16777216 + std::numeric_limits<float>::min());
}

/// How far a sphere of four is inside a single one: 1 when they are concentric, 0 when they touch, within the slack.
float depth_of(const Sphere& of_four, const Sphere& one, float slack) {
  const float x = of_four.x - one.x, y = of_four.y - one.y, z = of_four.z - one.z;
  const float reach = of_four.radius + (one.radius + slack);
  return 1 - (x * x + y * y + z * z) / (reach * reach + std::numeric_limits<float>::min());
}

/// The smaller, the closer: two spheres that were visited.
struct Closest {
  Sphere a, b;
};

Vec3d between(const Sphere& a, const Sphere& b) {
  const Vec3d p{a.x, a.y, a.z}, q{b.x, b.y, b.z};
  const double radii = double{a.radius} + b.radius;
  return radii > 0 ? p + (q - p) * (a.radius / radii) : q;
}

/// The middle of what two triangles share, in a general position: where the line of both planes is in both.
Vec3d middle_of_meeting(const Vec3 a[3], const Vec3 b[3]) {
  const auto normal = [](const Vec3 t[3]) {
    return cross(to_double(t[1]) - to_double(t[0]), to_double(t[2]) - to_double(t[0]));
  };
  const Vec3d along = cross(normal(a), normal(b));
  double low = -kInfinite, high = kInfinite;
  Vec3d at{};
  for (int turn = 0; turn < 2; ++turn) {
    const Vec3 *t = turn == 0 ? a : b, *plane = turn == 0 ? b : a;
    double from = kInfinite, to = -kInfinite;
    for (int i = 0; i < 3; ++i) {
      const Vec3d p = to_double(t[i]), q = to_double(t[(i + 1) % 3]);
      const double u = dot(p - to_double(plane[0]), normal(plane)), v = dot(q - to_double(plane[0]), normal(plane));
      if (u * v > 0) continue;
      const Vec3d x = p + (q - p) * (u / (u - v));
      from = std::min(from, dot(x, along));
      to = std::max(to, dot(x, along));
      at = x;
    }
    low = std::max(low, from);
    high = std::min(high, to);
  }
  const double length2 = dot(along, along);
  return at + along * (((low + high) / 2 - dot(at, along)) / length2);
}

/// One body's images as the walk sees them, whichever kind it is.
struct Body {
  std::vector<GeometryImage> images;
  ImageBody floats;
  std::optional<CompactBody> codes;

  Body(const std::vector<GeometryImage>& from, SphereFit fit, bool compact) : images(from) {
    if (compact) {
      std::vector<CompactImage> coded;
      for (GeometryImage& image : images) {
        coded.push_back(compacted(image));
        image = expanded(coded.back());
      }
      codes = make_body(coded, fit);
    } else {
      floats = make_body(images, fit);
    }
  }
  [[nodiscard]] BodyRef ref() const { return codes ? BodyRef(*codes) : BodyRef(floats); }
  [[nodiscard]] Sphere at(std::size_t i, int level, std::uint32_t x, std::uint32_t y) const {
    return codes ? codes->pyramids[i].at(level, x, y) : floats.pyramids[i].at(level, x, y);
  }
  [[nodiscard]] Sphere root(std::size_t i) const { return at(i, 0, 0, 0); }
  [[nodiscard]] bool encloses() const {
    for (std::size_t i = 0; i < images.size(); ++i)
      if ((codes ? codes->pyramids[i].open_quad_count() : floats.pyramids[i].open_quad_count()) != 0) return false;
    return true;
  }
};

/// What all walks share: the answer, its limits and its best guess.
struct Twin {
  ImageCollision found;
  ImageCollideOptions options;
  std::vector<std::pair<Place, Place>> visits;
  bool met = false;

  explicit Twin(const ImageCollideOptions& asked) : options(asked) { found.within = kInfinite; }

  [[nodiscard]] bool limit() {
    const std::uint64_t tests = found.sphere_test_count + found.triangle_test_count;
    if (options.max_tests != 0 && tests >= options.max_tests) found.complete = false;
    return !found.complete;
  }
  [[nodiscard]] int bottom(const GeometryImage& image) const {
    return options.max_level < 0 ? image.n : std::min(options.max_level, image.n);
  }
  void near(const Sphere& a, const Sphere& b, float slack) {
    const double within = 2.0 * (double{a.radius} + b.radius) + slack;
    if (within >= found.within) return;
    found.within = within;
    found.position = between(a, b);
  }
  void spheres_meet(const Sphere& a, const Sphere& b, float slack) {
    found.verdict = Verdict::colliding;
    ++found.sphere_pair_count;
    near(a, b, slack);
  }
  void triangles_meet_at(const Vec3 a[3], const Vec3 b[3], TrianglePair pair) {
    found.pairs.push_back(pair);
    if (met) return;
    met = true;
    found.verdict = Verdict::colliding;
    found.within = 0;
    found.position = gi::meeting_point(a, b);
  }
  ImageCollision end(const Transform& pose) {
    if (!found.colliding()) {
      if (!found.complete || !found.enclosing) found.verdict = Verdict::undecided;
      if (found.complete) found.within = kInfinite;
    }
    found.position = apply(pose, found.position);
    return found;
  }
};

std::vector<Place> children_of(const Body& body, std::size_t image, const Place& p) {
  std::vector<Place> four;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t x = 2 * p.x + i % 2, y = 2 * p.y + i / 2;
    four.push_back({p.level + 1, x, y, body.at(image, p.level + 1, x, y)});
  }
  return four;
}

std::array<Vec3, 3> triangle_of(const std::vector<Vec3>& positions, int n, std::uint32_t number) {
  const Triangle t = image_triangle(n, number);
  return {positions[t.a], positions[t.b], positions[t.c]};
}

/// Two images, one of each body.
struct PairTwin {
  Twin& twin;
  const Body &a, &b;
  std::uint32_t i, j;
  Transform relative;
  std::vector<Vec3> placed;  ///< b's vertices in a's frame
  float slack;

  struct Task {
    Place a, b;
    float depth;
  };

  PairTwin(Twin& all, const Body& first, const Body& second, std::uint32_t image_a, std::uint32_t image_b,
           const Transform& pose)
      : twin(all), a(first), b(second), i(image_a), j(image_b), relative(pose) {
    placed = placed_positions({b.images[j].positions, {}}, relative);
    slack = slack_of(size_of(pose.translation) + 2 * reach_of(a.root(i)) + 2 * reach_of(b.root(j)));
  }

  [[nodiscard]] Sphere moved(const Sphere& s) const {
    const Placement p = placement_of(relative);
    const auto along = [&](int k) {
      const float x = static_cast<float>(p.rows[k].x), y = static_cast<float>(p.rows[k].y),
                  z = static_cast<float>(p.rows[k].z);
      return (x * s.x + y * s.y) + (z * s.z + static_cast<float>(p.translation[k]));
    };
    return {along(0), along(1), along(2), s.radius};
  }
  [[nodiscard]] std::vector<Place> b_children(const Place& p) const {
    std::vector<Place> four = children_of(b, j, p);
    for (Place& each : four) each.sphere = moved(each.sphere);
    return four;
  }

  /// The pairs below a task, in the order of the tests.
  std::vector<Task> below(const Task& task) {
    const int a_last = twin.bottom(a.images[i]), b_last = twin.bottom(b.images[j]);
    const bool a_done = task.a.level == a_last, b_done = task.b.level == b_last;
    bool open_a = !a_done, open_b = !b_done;
    if (twin.options.walk == ImageWalk::zigzag) {
      const bool turn_of_a = !a_done && (b_done || task.a.level <= task.b.level);
      open_a = turn_of_a;
      open_b = !turn_of_a;
    } else if (open_a && open_b) {  // one alone where it is more than twice as large
      if (task.a.sphere.radius > 2 * task.b.sphere.radius) open_b = false;
      if (task.b.sphere.radius > 2 * task.a.sphere.radius) open_a = false;
    }
    std::vector<Task> tasks;
    std::vector<Place> of_b{task.b};
    std::vector<float> depths{task.depth};
    if (open_b) {
      of_b.clear();
      depths.clear();
      twin.found.sphere_test_count += 4;
      for (const Place& each : b_children(task.b)) {
        const float depth = depth_of(each.sphere, task.a.sphere, slack);
        if (!(depth >= 0)) continue;
        of_b.push_back(each);
        depths.push_back(depth);
      }
    }
    for (std::size_t k = 0; k < of_b.size(); ++k) {
      if (!open_a) {
        tasks.push_back({task.a, of_b[k], depths[k]});
        continue;
      }
      twin.found.sphere_test_count += 4;
      for (const Place& each : children_of(a, i, task.a)) {
        const float depth = depth_of(each.sphere, of_b[k].sphere, slack);
        if (depth >= 0) tasks.push_back({each, of_b[k], depth});
      }
    }
    return tasks;
  }

  /// True: the search is over.
  bool at_the_end(const Task& task) {
    if (twin.options.max_level >= 0) {
      twin.spheres_meet(task.a.sphere, task.b.sphere, slack);
      return !twin.options.all;
    }
    twin.found.triangle_test_count += 4;
    const auto quad_of = [](const Place& p, int n) { return (p.y << n) + p.x; };
    for (std::uint32_t s = 0; s < 2; ++s)
      for (std::uint32_t t = 0; t < 2; ++t) {
        const int n_a = a.images[i].n, n_b = b.images[j].n;
        const std::uint32_t first = 2 * quad_of(task.a, n_a) + s, second = 2 * quad_of(task.b, n_b) + t;
        const auto p = triangle_of(a.images[i].positions, n_a, first), q = triangle_of(placed, n_b, second);
        if (!triangles_meet(p.data(), q.data())) continue;
        twin.triangles_meet_at(p.data(), q.data(), {i, first, j, second});
        if (!twin.options.all) return true;
      }
    return false;
  }

  void run() {
    const Place root_a{0, 0, 0, a.root(i)}, root_b{0, 0, 0, moved(b.root(j))};
    ++twin.found.sphere_test_count;
    const float depth = depth_of(root_b.sphere, root_a.sphere, slack);
    std::vector<Task> waiting;  // the next one first
    if (depth >= 0) waiting.push_back({root_a, root_b, depth});
    std::optional<Closest> closest;
    while (!waiting.empty() && !twin.limit()) {
      const Task task = waiting.front();
      waiting.erase(waiting.begin());
      twin.visits.emplace_back(task.a, task.b);
      twin.found.level = std::max(twin.found.level, std::min(task.a.level, task.b.level));
      if (!closest || task.a.sphere.radius + task.b.sphere.radius < closest->a.radius + closest->b.radius)
        closest = {task.a.sphere, task.b.sphere};
      if (task.a.level == twin.bottom(a.images[i]) && task.b.level == twin.bottom(b.images[j])) {
        if (at_the_end(task)) break;
        continue;
      }
      std::vector<Task> next = below(task);
      // The guided walk goes on with the pair that overlaps most, and of equals with the one found last. When all are
      // wanted the order does not matter: it begins with the one found last.
      if (twin.options.walk == ImageWalk::guided) {
        std::reverse(next.begin(), next.end());
        if (!twin.options.all)
          std::stable_sort(next.begin(), next.end(), [](const Task& x, const Task& y) { return x.depth > y.depth; });
      }
      waiting.insert(waiting.begin(), next.begin(), next.end());
    }
    if (closest) twin.near(closest->a, closest->b, slack);
  }
};

struct Ball {
  Vec3d center;
  double radius;
};

Ball ball_of(const Sphere& s) { return {{s.x, s.y, s.z}, s.radius}; }

Ball ball_around(const Body& body) {
  Vec3d low{kInfinite, kInfinite, kInfinite}, high = -low;
  for (std::size_t i = 0; i < body.images.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Ball b = ball_of(body.root(i));
      low[k] = std::min(low[k], b.center[k] - b.radius);
      high[k] = std::max(high[k], b.center[k] + b.radius);
    }
  Ball ball{(low + high) * 0.5, 0};
  for (std::size_t i = 0; i < body.images.size(); ++i) {
    const Ball b = ball_of(body.root(i));
    ball.radius = std::max(ball.radius, size_of(b.center - ball.center) + b.radius);
  }
  return ball;
}

bool far_apart(const Ball& a, const Ball& b) {
  const double largest = size_of(a.center) + size_of(b.center) + a.radius + b.radius;
  return size_of(b.center - a.center) > a.radius + b.radius + largest / 262144;
}

ImageCollision collide_twin(const Body& a, const Transform& pose_a, const Body& b, const Transform& pose_b,
                            const ImageCollideOptions& options,
                            std::vector<std::pair<Place, Place>>* visits = nullptr) {
  Twin twin(options);
  const Transform relative = relative_pose(pose_a, pose_b);
  twin.found.enclosing = a.encloses() && b.encloses();
  const auto over = [&] { return twin.limit() || (twin.found.colliding() && !options.all); };
  const bool several = a.images.size() * b.images.size() > 1;
  Ball all_of_b = ball_around(b);
  all_of_b.center = apply(relative, all_of_b.center);
  bool apart = false;
  if (several && !over()) {
    ++twin.found.sphere_test_count;
    apart = far_apart(ball_around(a), all_of_b);
  }
  for (std::uint32_t i = 0; i < a.images.size() && !apart && !over(); ++i) {
    if (several) {
      ++twin.found.sphere_test_count;
      if (far_apart(ball_of(a.root(i)), all_of_b)) continue;
    }
    for (std::uint32_t j = 0; j < b.images.size() && !over(); ++j) PairTwin(twin, a, b, i, j, relative).run();
  }
  if (visits != nullptr) *visits = twin.visits;
  return twin.end(pose_a);
}

/// An image against a mesh: 32 triangles at a time go down together, to spheres no larger than one around all of them.
struct MeshTwin {
  Twin& twin;
  const Body& a;
  std::uint32_t image;
  Mesh mesh;  ///< in a's frame
  float slack = 0;

  static Sphere sphere_of(const std::vector<Vec3>& points) {
    Aabb box;
    for (const Vec3 p : points) box = extend(box, p);
    const Vec3 c = center(box);
    float radius = 0;
    for (const Vec3 p : points) radius = std::max(radius, length(p - c));
    return {c.x, c.y, c.z, radius};
  }

  /// What is left to be searched below `from`; empty when the search is over.
  std::optional<std::vector<Place>> down(const Place& from, const Sphere& sphere, std::optional<std::uint32_t> number) {
    std::vector<Place> ends, waiting;
    if (twin.limit()) return std::nullopt;
    ++twin.found.sphere_test_count;
    if (depth_of(from.sphere, sphere, slack) >= 0) waiting.push_back(from);
    while (!waiting.empty()) {
      if (twin.limit()) return std::nullopt;
      const Place here = waiting.front();
      waiting.erase(waiting.begin());
      twin.found.level = std::max(twin.found.level, here.level);
      twin.near(here.sphere, sphere, slack);
      const bool last = here.level == twin.bottom(a.images[image]);
      if (!number && (last || here.sphere.radius <= sphere.radius)) {
        ends.push_back(here);
      } else if (last) {
        if (at_the_end(here, sphere, *number)) return std::nullopt;
      } else {
        twin.found.sphere_test_count += 4;
        for (const Place& each : children_of(a, image, here))
          if (depth_of(each.sphere, sphere, slack) >= 0) waiting.insert(waiting.begin(), each);
      }
    }
    return ends;
  }

  bool at_the_end(const Place& here, const Sphere& sphere, std::uint32_t number) {
    if (twin.options.max_level >= 0) {
      twin.spheres_meet(here.sphere, sphere, slack);
      return !twin.options.all;
    }
    twin.found.triangle_test_count += 2;
    const int n = a.images[image].n;
    const Triangle t = mesh.triangles[number];
    const Vec3 q[3] = {mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]};
    for (std::uint32_t s = 0; s < 2; ++s) {
      const std::uint32_t first = 2 * ((here.y << n) + here.x) + s;
      const auto p = triangle_of(a.images[image].positions, n, first);
      if (!triangles_meet(p.data(), q)) continue;
      twin.triangles_meet_at(p.data(), q, {image, first, 0, number});
      if (!twin.options.all) return true;
    }
    return false;
  }

  void run() {
    constexpr std::size_t kTogether = 32;
    for (std::size_t begin = 0; begin < mesh.triangles.size(); begin += kTogether) {
      std::vector<Vec3> points;
      std::vector<std::uint32_t> numbers;
      for (std::size_t t = begin; t < std::min(begin + kTogether, mesh.triangles.size()); ++t) {
        const Triangle tri = mesh.triangles[t];
        bool usable = true;
        for (int k = 0; k < 3; ++k)
          for (int axis = 0; axis < 3; ++axis) usable = usable && std::abs(mesh.positions[tri[k]][axis]) <= 1e18f;
        if (!usable) continue;
        numbers.push_back(static_cast<std::uint32_t>(t));
        for (int k = 0; k < 3; ++k) points.push_back(mesh.positions[tri[k]]);
      }
      if (numbers.empty()) continue;
      double largest = reach_of(a.root(image));
      for (int axis = 0; axis < 3; ++axis) {
        float most = 0;
        for (const Vec3 p : points) most = std::max(most, std::abs(p[axis]));
        largest += most;
      }
      slack = slack_of(2 * largest);
      const auto shared = down({0, 0, 0, a.root(image)}, sphere_of(points), std::nullopt);
      if (!shared) return;
      for (const std::uint32_t number : numbers) {
        const Triangle t = mesh.triangles[number];
        const Sphere own = sphere_of({mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]});
        for (const Place& place : *shared)
          if (!down(place, own, number)) return;
      }
    }
  }
};

ImageCollision collide_twin(const Body& a, const Transform& pose_a, const Mesh& b, const Transform& pose_b,
                            const ImageCollideOptions& options) {
  Twin twin(options);
  twin.found.enclosing = a.encloses();
  const Mesh placed{placed_positions(b, relative_pose(pose_a, pose_b)), b.triangles};
  for (std::uint32_t i = 0; i < a.images.size(); ++i) {
    if (!twin.found.complete || (twin.found.colliding() && !options.all)) break;
    MeshTwin{twin, a, i, placed}.run();
  }
  return twin.end(pose_a);
}

void expect_same(const ImageCollision& actual, const ImageCollision& expected) {
  EXPECT_EQ(actual.verdict, expected.verdict);
  EXPECT_EQ(actual.complete, expected.complete);
  EXPECT_EQ(actual.enclosing, expected.enclosing);
  EXPECT_EQ(actual.pairs, expected.pairs);
  EXPECT_EQ(actual.sphere_pair_count, expected.sphere_pair_count);
  EXPECT_EQ(actual.level, expected.level);
  EXPECT_EQ(actual.position, expected.position);
  EXPECT_EQ(actual.within, expected.within);
  EXPECT_EQ(actual.sphere_test_count, expected.sphere_test_count);
  EXPECT_EQ(actual.triangle_test_count, expected.triangle_test_count);
}

GeometryImage moved(GeometryImage image, Vec3 by) {
  for (Vec3& p : image.positions) p = p + by;
  return image;
}

/// A body of one to three images of several sizes, about the origin.
Body random_body(Random& random, unsigned seed) {
  std::vector<GeometryImage> images;
  const unsigned count = random.below(3) == 0 ? 1 + random.below(3) : 1;
  for (unsigned i = 0; i < count; ++i) {
    const int n = 1 + static_cast<int>(random.below(4));
    const float radius = random.uniform(0.1f, 1);
    GeometryImage image = random.below(3) == 0 ? hills(n, seed + i) : lumpy_ball(n, seed + i, radius);
    images.push_back(moved(std::move(image), random.in({{-1, -1, -1}, {1, 1, 1}}) * (count > 1 ? 1.0f : 0.2f)));
  }
  constexpr SphereFit kFits[] = {SphereFit::fast, SphereFit::tight, SphereFit::published,
                                 SphereFit::published_enclosing};
  const SphereFit fit = kFits[random.below(4)];
  return {images, fit, random.below(3) == 0};
}

ImageCollideOptions random_options(Random& random) {
  ImageCollideOptions options{.all = random.below(2) == 0};
  if (random.below(3) == 0) options.max_level = static_cast<int>(random.below(6));
  if (random.below(3) == 0) options.max_tests = 1 + random.below(random.below(2) == 0 ? 40 : 400);
  if (random.below(3) == 0) options.walk = ImageWalk::zigzag;
  return options;
}

TEST(ImageCollideWalk, EveryFieldIsThatOfAWalkSphereBySphere) {
  Random random(1);
  std::mt19937 poses(1);
  int colliding = 0, undecided = 0, separate = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    const Body a = random_body(random, 10 * seed), b = random_body(random, 10 * seed + 5);
    const ImageCollideOptions options = random_options(random);
    const Transform pose_a = random_pose(poses, 2), shift = random_pose(poses, 1.3);
    const Transform pose_b{pose_a.translation + shift.translation, shift.rotation};
    const ImageCollision found = collide(a.ref(), pose_a, b.ref(), pose_b, options);
    expect_same(found, collide_twin(a, pose_a, b, pose_b, options));
    if (HasFailure()) return;
    colliding += found.verdict == Verdict::colliding ? 1 : 0;
    undecided += found.verdict == Verdict::undecided ? 1 : 0;
    separate += found.verdict == Verdict::clear ? 1 : 0;
  }
  EXPECT_GT(colliding, 150);
  EXPECT_GT(undecided, 50);
  EXPECT_GT(separate, 50);
}

TEST(ImageCollideWalk, EveryFieldAgainstAMeshIsThatOfAWalkSphereBySphere) {
  Random random(2);
  std::mt19937 poses(2);
  int colliding = 0, undecided = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Body a = random_body(random, 10 * seed);
    Mesh mesh = unwelded(lumpy_ball(1 + static_cast<int>(random.below(4)), seed, random.uniform(0.1f, 1)));
    if (random.below(4) == 0) {  // vertices beyond all limits, at any place
      mesh.positions[random.below(static_cast<unsigned>(mesh.positions.size()))][static_cast<int>(random.below(3))] =
          random.below(2) == 0 ? 2e18f : std::numeric_limits<float>::quiet_NaN();
    }
    const ImageCollideOptions options = random_options(random);
    const Transform pose_a = random_pose(poses, 2), shift = random_pose(poses, 1.3);
    const Transform pose_b{pose_a.translation + shift.translation, shift.rotation};
    const ImageCollision found = collide(a.ref(), pose_a, mesh, pose_b, options);
    expect_same(found, collide_twin(a, pose_a, mesh, pose_b, options));
    if (HasFailure()) return;
    colliding += found.verdict == Verdict::colliding ? 1 : 0;
    undecided += found.verdict == Verdict::undecided ? 1 : 0;
  }
  EXPECT_GT(colliding, 50);
  EXPECT_GT(undecided, 20);
}

TEST(ImageCollideWalk, VisitsAreReportedAsTheyAreMade) {
  Random random(3);
  std::mt19937 poses(3);
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Body a = random_body(random, 10 * seed), b = random_body(random, 10 * seed + 5);
    ImageCollideOptions options = random_options(random);
    const Transform pose_a = random_pose(poses, 2), shift = random_pose(poses, 0.8);
    const Transform pose_b{pose_a.translation + shift.translation, shift.rotation};
    std::vector<std::pair<Place, Place>> expected;
    (void)collide_twin(a, pose_a, b, pose_b, options, &expected);
    std::vector<std::pair<VisitedSphere, VisitedSphere>> visits;
    options.visited = [&](const VisitedSphere& x, const VisitedSphere& y) { visits.emplace_back(x, y); };
    (void)collide(a.ref(), pose_a, b.ref(), pose_b, options);
    ASSERT_EQ(visits.size(), expected.size());
    const auto expect_place = [&](const VisitedSphere& visited, const Place& place) {
      ASSERT_EQ(visited.level, place.level);
      ASSERT_EQ(visited.x, place.x);
      ASSERT_EQ(visited.y, place.y);
      const Vec3d at = apply(pose_a, {place.sphere.x, place.sphere.y, place.sphere.z});
      ASSERT_EQ(visited.sphere.radius, place.sphere.radius);
      ASSERT_EQ(visited.sphere.x, static_cast<float>(at.x));
      ASSERT_EQ(visited.sphere.y, static_cast<float>(at.y));
      ASSERT_EQ(visited.sphere.z, static_cast<float>(at.z));
    };
    for (std::size_t i = 0; i < visits.size(); ++i) {
      expect_place(visits[i].first, expected[i].first);
      expect_place(visits[i].second, expected[i].second);
    }
  }
}

TEST(ImageCollideWalk, VisitsNameTheImages) {
  const Body a({moved(lumpy_ball(2, 1, 0.5f), {-5, 0, 0}), lumpy_ball(2, 2)}, SphereFit::fast, false);
  const Body b({moved(lumpy_ball(2, 3, 0.5f), {5, 0, 0}), moved(lumpy_ball(2, 3, 0.5f), {0, 5, 0}), lumpy_ball(1, 4)},
               SphereFit::fast, false);
  std::size_t visits = 0;
  const ImageCollideOptions options{.visited = [&](const VisitedSphere& x, const VisitedSphere& y) {
    EXPECT_EQ(x.image, 1u);
    EXPECT_EQ(y.image, 2u);
    ++visits;
  }};
  const ImageCollision found = collide(a.ref(), {}, b.ref(), {}, options);
  EXPECT_GT(visits, 1u);
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].image_a, 1u);
  EXPECT_EQ(found.pairs[0].image_b, 2u);
}

// ---- where triangles meet

TEST(MeetingPoint, IsTheMiddleOfTheCommonSegment) {
  Random random(4);
  int meeting = 0;
  for (int i = 0; i < 20000; ++i) {
    Vec3 a[3], b[3];
    for (int k = 0; k < 3; ++k) {
      a[k] = random.in({{-1, -1, -1}, {1, 1, 1}});
      b[k] = random.in({{-1, -1, -1}, {1, 1, 1}});
    }
    if (!triangles_meet(a, b)) continue;
    const Vec3d found = gi::meeting_point(a, b), expected = middle_of_meeting(a, b);
    const double off = size_of(found - expected);
    // Planes that are all but the same make the line unsure.
    ASSERT_LT(off, 1e-3) << i;
    meeting += off < 1e-9 ? 1 : 0;
  }
  EXPECT_GT(meeting, 2000);
}

TEST(MeetingPoint, OfCoplanarTrianglesIsBetweenTheirCentres) {
  const Vec3 a[3] = {{0, 0, 1}, {3, 0, 1}, {0, 3, 1}}, b[3] = {{1, 1, 1}, {7, 1, 1}, {1, 7, 1}};
  EXPECT_EQ(gi::meeting_point(a, b), (Vec3d{2, 2, 1}));
}

TEST(MeetingPoint, OfATouchIsThePointItself) {
  const Vec3 face[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const Vec3 tip[3] = {{1, 1, 0}, {1, 2, 3}, {2, 1, 3}};
  EXPECT_EQ(gi::meeting_point(face, tip), (Vec3d{1, 1, 0}));
  EXPECT_EQ(gi::meeting_point(tip, face), (Vec3d{1, 1, 0}));
  // Upright on the face's edge, from (1, 0) to (3, 0): the ends and nothing beside them.
  const Vec3 upright[3] = {{1, 0, 0}, {3, 0, 0}, {2, 0, 5}};
  EXPECT_NEAR(gi::meeting_point(face, upright).x, 2, 1e-12);
  EXPECT_EQ(gi::meeting_point(face, upright).y, 0);
}

TEST(MeetingPoint, LeavesOutCrossingsBesideTheTriangleAndTakesThoseOnItsEdges) {
  // Edges of b cross the face's plane at (1, 1) and (-d, 1); the face ends at x = 0, where its own edge crosses b.
  for (const float d : {1e-4f, 0.5f}) {
    const Vec3 face[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, b[3] = {{1, 1, -1}, {1, 1, 1}, {-1 - 2 * d, 1, 0}};
    EXPECT_NEAR(gi::meeting_point(face, b).x, 0.5, 1e-9) << d;
  }
  // A crossing on the long edge, where rounding puts it a little outside: it counts all the same.
  const Vec3 face[3] = {{0, 0, 0}, {0.7f, 0, 0}, {0, 0.3f, 0}};
  for (int i = 1; i < 50; ++i) {
    const double t = i / 50.0;
    const Vec3 at = to_float(Vec3d{0.7f * (1 - t), 0.3f * t, 0} * (1 + 2e-7));
    const Vec3 b[3] = {{at.x, at.y, -1}, {at.x, at.y, 1}, {at.x + 1, at.y + 1, 0}};
    const Vec3d found = gi::meeting_point(face, b);
    EXPECT_NEAR(found.x, at.x, 1e-6) << i;
    EXPECT_NEAR(found.y, at.y, 1e-6) << i;
  }
}

}  // namespace
}  // namespace lamella
