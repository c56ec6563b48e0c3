#include "cli/gi/approach.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "cli/common.hpp"
#include "cli/gi/collide_answer.hpp"
#include "cli/gi/common.hpp"
#include "cli/options.hpp"
#include "lamella/error.hpp"
#include "picture/film.hpp"
#include "picture/picture.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostSteps = 200;
constexpr float kGlass = 0.25f, kBubble = 0.30f;
constexpr unsigned kFrameMs = 120;
constexpr std::size_t kMostDrawn = 4000;  ///< spheres of one body: the smallest; more cannot be told apart

/// Spheres of one body that were visited.
class Visited {
 public:
  void add(const VisitedSphere& v) { spheres_.emplace(Key{v.image, v.level, v.x, v.y}, v.sphere); }

  /// Those with none of their four children among the visited.
  [[nodiscard]] std::vector<Sphere> finest() const {
    std::vector<Sphere> front;
    for (const auto& [key, sphere] : spheres_) {
      const auto& [image, level, x, y] = key;
      bool opened = false;
      for (std::uint32_t i = 0; i < 4; ++i) {
        opened = opened || spheres_.contains(Key{image, level + 1, 2 * x + i % 2, 2 * y + i / 2});
      }
      if (!opened) front.push_back(sphere);
    }
    std::sort(front.begin(), front.end(), [](const Sphere& a, const Sphere& b) { return a.radius < b.radius; });
    if (front.size() > kMostDrawn) front.resize(kMostDrawn);
    return front;
  }

  [[nodiscard]] int level() const {
    int deepest = -1;
    for (const auto& [key, sphere] : spheres_) deepest = std::max(deepest, std::get<1>(key));
    return deepest;
  }

 private:
  using Key = std::tuple<std::uint32_t, int, std::uint32_t, std::uint32_t>;
  std::map<Key, Sphere> spheres_;
};

Mesh drawn(const ApproachBody& of, const Transform& pose) {
  Mesh all;
  for (const GeometryImage& image : of.body.images) append(all, coarse_mesh(image, kFinestDrawn));
  return in_world(transformed(all, pose));
}

Mesh balls(const std::vector<Sphere>& spheres) {
  // Fewer triangles for more balls: half a million in all.
  const std::size_t faces = std::clamp<std::size_t>(500'000 / std::max<std::size_t>(spheres.size(), 1), 108, 3000);
  const Mesh ball = scenes::sphere(faces);
  Mesh all;
  for (const Sphere& s : spheres) {
    Mesh one = ball;
    for (Vec3& p : one.positions) p = p * s.radius + Vec3{s.x, s.y, s.z};
    append(all, one);
  }
  return all;
}

struct Step {
  Transform pose;  ///< of b
  Visited a, b;
  ImageCollision found;
};

Step search(const ApproachBody& a, const ApproachBody& b, const Transform& pose, ImageCollideOptions options) {
  Step step{.pose = pose, .a = {}, .b = {}, .found = {}};
  options.visited = [&](const VisitedSphere& x, const VisitedSphere& y) {
    step.a.add(x);
    step.b.add(y);
  };
  step.found = collide(a.body, a.pose, b.body, pose, options);
  return step;
}

/// B and the spheres: the finer they are, the closer it looks.
Aabb close_up(const ApproachBody& b, const Step& step) {
  Aabb box = bounds(drawn(b, step.pose));
  for (const std::vector<Sphere>& spheres : {step.a.finest(), step.b.finest()}) {
    for (const Sphere& s : spheres) {
      const Vec3 middle{s.x, s.y, s.z}, reach{s.radius, s.radius, s.radius};
      box = extend(extend(box, middle - reach), middle + reach);
    }
  }
  return box;
}

picture::Image draw(const ApproachBody& a, const ApproachBody& b, const Step& step, picture::Picture out,
                    const Aabb& fit) {
  const std::vector<Sphere> in_a = step.a.finest(), in_b = step.b.finest();
  const Mesh first = drawn(a, a.pose), second = drawn(b, step.pose), around_a = balls(in_a), around_b = balls(in_b);
  out.layers = {{first, picture::kBlueGrey, kGlass}, {second, picture::kSand, kGlass}};
  if (!in_a.empty()) out.layers.push_back({around_a, picture::kBlueGrey, kBubble});
  if (!in_b.empty()) out.layers.push_back({around_b, picture::kSand, kBubble});
  const std::vector<Vec3> place{to_float(step.found.position)};
  constexpr float kDotPixels = 5;
  if (step.found.colliding()) out.dots.push_back({place, picture::kOverlapRed, kDotPixels});
  out.fit = fit;
  return picture::render(out);
}

/// From A's middle to B's, as far as B is large; along x when both are at one place.
Vec3d default_way(const Aabb& a, const Aabb& b) {
  const Vec3d between = (to_double(b.min) + to_double(b.max) - to_double(a.min) - to_double(a.max)) * 0.5;
  const Vec3d size = to_double(extent(b));
  const double length = std::sqrt(dot(between, between)), reach = std::sqrt(dot(size, size));
  return length > 1e-6 * reach ? between * (reach / length) : Vec3d{reach, 0, 0};
}

/// Calls add with a picture of every step of B's way. `closer`: each is as close to the spheres as they allow.
void for_each_step(const ApproachArgs& args, const ApproachBody& a, const ApproachBody& b,
                   const ImageCollideOptions& options, const PictureArgs& look, bool closer,
                   const std::function<void(const picture::Image&)>& add) {
  const Aabb box_a = bounds(drawn(a, a.pose)), box_b = bounds(drawn(b, b.pose));
  const Vec3d way = args.from.value_or(default_way(box_a, box_b));
  const Vec3 far = to_float(way);
  Aabb all = box_a;
  for (const Vec3 p : {box_b.min, box_b.max, box_b.min + far, box_b.max + far}) all = extend(all, p);
  for (std::uint32_t i = 0; i < args.steps; ++i) {
    const double left = 1 - static_cast<double>(i) / (args.steps - 1);
    const Step step = search(a, b, {b.pose.translation + way * left, b.pose.rotation}, options);
    const int level = std::max(step.a.level(), step.b.level());
    // Lines of fixed lengths: the letters' size follows from the longest.
    picture::Picture out =
        look.blank({fmt::format("{:10}  {:>8} tests", to_string(step.found.verdict),
                                grouped(step.found.sphere_test_count + step.found.triangle_test_count)),
                    level < 0 ? "no spheres overlap    " : fmt::format("spheres to level {:<5}", level)});
    add(draw(a, b, step, std::move(out), closer && level >= 0 ? close_up(b, step) : all));
  }
}

}  // namespace

void add_approach_options(const Command& command, ApproachArgs& args) {
  command.add_text(
      "--search", "OUT.png",
      [&](const std::string& text) {
        args.file = check_output("--search", text, std::array<std::string_view, 1>{".png"});
      },
      "draw the search: the finest spheres it visits, while B comes to its pose");
  command.add_text(
      "--search-from", "X,Y,Z", [&](const std::string& text) { args.from = parse_vector("--search-from", text); },
      "where B comes from, measured from its pose; by default its own size away from A");
  add_count(command, "--search-steps", 2, kMostSteps, args.steps,
            fmt::format("pictures of it: up to {} in a row, more as an animation", kMostInARow))
      .default_str(std::to_string(args.steps));
}

picture::Image approach_row(const ApproachArgs& args, const ApproachBody& a, const ApproachBody& b,
                            const ImageCollideOptions& options, const PictureArgs& look) {
  PictureArgs one = look;
  one.size.width = look.size.width / args.steps;
  std::vector<picture::Image> images;
  for_each_step(args, a, b, options, one, true, [&](const picture::Image& image) { images.push_back(image); });
  return picture::beside(images);
}

void draw_approach(const ApproachArgs& args, const ApproachBody& a, const ApproachBody& b,
                   const ImageCollideOptions& options, const PictureArgs& look) {
  if (args.steps <= kMostInARow) {
    PictureArgs row = look;
    row.size.height = look.size.height / 2;
    picture::write_png(args.file, approach_row(args, a, b, options, row));
    return;
  }
  const auto film = picture::make_film(args.file, {.frame_ms = kFrameMs});
  for_each_step(args, a, b, options, look, false, [&](const picture::Image& image) { film->add(image); });
  film->finish();
}

}  // namespace lamella::cli
