// A helicopter over fractal terrain, the "real application" of Benes and Gomez Villanueva, "GI-COLLIDE": it pitches and
// rolls, comes close to the ground, and at times touches it. The flight does not answer to what was found.

#include "simulate/helicopter.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "lamella/elementary.hpp"
#include "lamella/error.hpp"
#include "lamella/image_scene.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "scenes/terrain.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

constexpr int kFlightLevels = 5;  ///< of the landscape that a flight follows
constexpr double kFrame = 1.0 / 60;
constexpr double kReach = 5.4;  ///< furthest from the middle: the rotor stays over the landscape

struct Weights {
  std::size_t first = 0;
  double w[4];
};

/// Of a uniform cubic B-spline over `points` values, at `t` from the first to the last: smooth to the second
/// derivative, so that nothing jerks.
Weights spline(double t, std::size_t points) {
  t = std::clamp(t, 1.0, static_cast<double>(points) - 2.000001);
  const double whole = std::floor(t), u = t - whole, v = 1 - u;
  return {static_cast<std::size_t>(whole) - 1,
          {v * v * v / 6, (3 * u * u * u - 6 * u * u + 4) / 6, (3 * v * v * v - 6 * v * v + 4) / 6, u * u * u / 6}};
}

}  // namespace

std::shared_ptr<const ImageBody> make_terrain(int n, std::uint32_t seed) {
  std::vector<float> heights = scenes::fractal_heights(n, seed);
  for (float& h : heights) h *= static_cast<float>(kTerrainHeight);
  constexpr auto kHalf = static_cast<float>(kTerrainSide / 2);
  std::vector<GeometryImage> images;
  images.push_back(image_from_heights(heights, {-kHalf, -kHalf, 0}, {kHalf, kHalf, 0}));
  return std::make_shared<const ImageBody>(make_body(std::move(images)));
}

std::shared_ptr<const ImageBody> make_helicopter_body(int n, unsigned threads) {
  const auto faces = std::clamp<std::size_t>(std::size_t{2} << (2 * n), 8000, 75000);
  MakeImageOptions options;
  options.n = n;
  options.threads = threads;
  const Mesh mesh = scenes::helicopter(faces);
  return std::make_shared<const ImageBody>(make_body(make_geometry_images(mesh, options).images));
}

HelicopterFlight::HelicopterFlight(std::uint32_t seed, std::uint32_t number)
    : hills_(scenes::fractal_heights(kFlightLevels, seed)) {
  scenes::Random random(seed ^ number * 0x9E3779B9u);
  for (double* phase : {&turn_, &reach_, &sink_[0], &sink_[1], &sway_}) *phase = random.uniform(0, 2 * scenes::kPi);
}

double HelicopterFlight::ground(double x, double y) const {
  constexpr std::size_t kPoints = (std::size_t{1} << kFlightLevels) + 1;
  const auto at = [](double c) { return (c / kTerrainSide + 0.5) * (kPoints - 1); };
  const Weights across = spline(at(x), kPoints), along = spline(at(y), kPoints);
  double sum = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    const float* row = hills_.data() + (along.first + j) * kPoints + across.first;
    for (std::size_t i = 0; i < 4; ++i) sum += along.w[j] * across.w[i] * static_cast<double>(row[i]);
  }
  return kTerrainHeight * sum;
}

Vec3d HelicopterFlight::place(double t) const {
  // Going round is always faster than going in or out: it never stands still, and its nose never jumps.
  const double angle = 0.33 * t + turn_, reach = kReach * (0.64 + 0.36 * elementary::sin(0.47 * t + reach_));
  const double x = reach * elementary::cos(angle), y = reach * elementary::sin(angle);
  const double clearance =
      0.85 + 0.36 * elementary::sin(1.9 * t + sink_[0]) + 0.24 * elementary::sin(3.1 * t + sink_[1]);
  return {x, y, ground(x, y) + clearance};
}

Transform HelicopterFlight::pose(std::uint64_t frame) const {
  constexpr double kDelta = 0.25;  // seconds over which it feels its way
  const double t = static_cast<double>(frame) * kFrame;
  const Vec3d here = place(t), before = place(t - kDelta), after = place(t + kDelta);
  const Vec3d velocity = (after - before) * (0.5 / kDelta),
              bend = (after + before - here * 2) * (1 / (kDelta * kDelta));
  const double speed = std::sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
  const double leftward = (velocity.x * bend.y - velocity.y * bend.x) / speed;
  const double yaw = elementary::atan2(velocity.y, velocity.x);
  const double climb = 0.5 * elementary::atan2(velocity.z, speed) + 0.12 * elementary::sin(1.7 * t + sway_);
  const double bank = 0.35 * elementary::atan2(leftward, 1) - 0.25 * elementary::sin(1.3 * t + 2 * sway_);
  return {here, rotation_about({0, 0, 1}, yaw) * rotation_about({0, 1, 0}, -climb) * rotation_about({1, 0, 0}, -bank)};
}

namespace {

constexpr int kGroundLevels = 10, kBodyLevels = 7;  ///< 1025 x 1025 and 129 x 129 vertices
constexpr int kMostGroundLevels = 13, kMostBodyLevels = 11;
constexpr int kDrawnLevels = 8;  ///< of the ground in pictures, which show no more
constexpr std::uint32_t kMostHelicopters = 16;
constexpr Color kPaint{74, 120, 179}, kHit{222, 60, 48};

/// What grows up to a height, in units of scenes::fractal_heights.
struct Band {
  float top;
  Color color;
};
constexpr Band kBands[] = {
    {-0.14f, {120, 152, 110}}, {0.02f, {142, 168, 120}}, {0.17f, {176, 164, 128}}, {2.0f, {226, 226, 224}}};

class Helicopters final : public Simulation {
 public:
  explicit Helicopters(const Options& options)
      : seed_(static_cast<std::uint32_t>(options.seed ^ options.seed >> 32)),
        levels_(image_levels(options, kGroundLevels, kMostGroundLevels)),
        hit_(count_of(options)),
        scene_({.budget = options.budget, .threads = options.scene.threads}),
        body_(make_helicopter_body(body_levels(options), options.scene.threads)),
        look_(to_mesh(coarse(body_->images.front(), kDrawnLevels))) {
    figures_.budget_ms = std::chrono::duration<double, std::milli>(options.budget).count();
    scene_.add(make_terrain(levels_, seed_));
    color_ground(std::min(levels_, kDrawnLevels));
    for (std::uint32_t i = 0; i < hit_.size(); ++i) {
      flights_.emplace_back(seed_, i);
      scene_.add(body_);
    }
    detect();
    detect();  // the first one loads code and memory, which is no frame's fault
  }

  void step() override {
    ++frame_;
    detect();
  }

  [[nodiscard]] Figures figures() const override { return figures_; }

  void draw(Drawing& out) const override {
    out.solids.clear();
    out.dots.clear();
    for (std::size_t band = 0; band < std::size(kBands); ++band) {
      out.solids.push_back({{ground_.positions, bands_[band]}, kBands[band].color});
    }
    placed_.resize(flights_.size());
    for (std::uint32_t i = 0; i < flights_.size(); ++i) {
      placed_[i].resize(look_.positions.size());
      const Transform& pose = scene_.pose({i + 1});
      for (std::size_t v = 0; v < placed_[i].size(); ++v) {
        placed_[i][v] = to_float(apply(pose, to_double(look_.positions[v])));
      }
      out.solids.push_back({{placed_[i], look_.triangles}, hit_[i] ? kHit : kPaint});
    }
    out.note = figures_.pairs > 0 ? "touching" : figures_.cut_short > 0 ? "undecided" : "in the air";
    constexpr auto kHalf = static_cast<float>(kTerrainSide / 2);
    out.view = {{-kHalf, -kHalf, -1.6f}, {kHalf, kHalf, 2.2f}};
    out.looking = {-0.3f, 1.0f, -0.62f};
  }

 private:
  static int body_levels(const Options& options) {
    return options.body_resolution == 0 ? kBodyLevels : levels_of_side(options.body_resolution, kMostBodyLevels);
  }

  /// Every 2^k-th row and column.
  static GeometryImage coarse(const GeometryImage& image, int finest) {
    if (image.n <= finest) return image;
    const std::uint32_t step = 1u << (image.n - finest);
    GeometryImage out{.n = finest, .positions = {}, .normals = {}};
    for (std::uint32_t y = 0; y < image.side(); y += step)
      for (std::uint32_t x = 0; x < image.side(); x += step)
        out.positions.push_back(image.positions[std::size_t{y} * image.side() + x]);
    return out;
  }

  static std::uint32_t count_of(const Options& options) {
    if (options.objects <= kMostHelicopters) return std::max(options.objects, 1u);
    throw Error("there is room for " + std::to_string(kMostHelicopters) + " helicopters over the terrain, not for " +
                std::to_string(options.objects));
  }

  void detect() {
    for (std::uint32_t i = 0; i < flights_.size(); ++i) scene_.move({i + 1}, flights_[i].pose(frame_));
    const ImageSceneResult& result = scene_.collide();
    std::fill(hit_.begin(), hit_.end(), false);
    for (const ImageScenePair& pair : result.candidates) {
      if (pair.verdict != Verdict::colliding) continue;
      for (const ObjectId id : {pair.a, pair.b}) {
        if (id.number > 0) hit_[id.number - 1] = true;
      }
    }
    figures_.objects = static_cast<std::uint32_t>(flights_.size());
    set_figures(figures_, result);
  }

  void color_ground(int n) {
    ground_ = to_mesh(make_terrain(n, seed_)->images.front());
    for (const Triangle t : ground_.triangles) {
      const float height = (ground_.positions[t.a].z + ground_.positions[t.b].z + ground_.positions[t.c].z) / 3;
      std::size_t band = 0;
      while (height > kBands[band].top * static_cast<float>(kTerrainHeight)) ++band;
      bands_[band].push_back(t);
    }
  }

  std::uint32_t seed_ = 0;
  int levels_ = 0;         ///< of the ground
  std::vector<bool> hit_;  ///< of each helicopter, in this frame
  std::uint64_t frame_ = 0;
  ImageScene scene_;  ///< the ground is 0, helicopters come after it
  std::shared_ptr<const ImageBody> body_;
  std::vector<HelicopterFlight> flights_;
  Mesh look_, ground_;
  std::vector<Triangle> bands_[std::size(kBands)];  ///< of the ground, by colour
  Figures figures_;
  mutable std::vector<std::vector<Vec3>> placed_;  ///< for the last drawing
};

}  // namespace

std::unique_ptr<Simulation> make_helicopter(const Options& options) { return std::make_unique<Helicopters>(options); }

}  // namespace lamella::simulate
