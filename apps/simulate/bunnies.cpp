// A cube full of rabbits, after the experiment of Benes and Gomez Villanueva, "GI-COLLIDE", section 5: geometry images
// of 65 x 65 vertices, the first pair of triangles of each pair of bodies. The paper says no more of its response than
// that there is one; what ours is, is said at BunnyWorld.

#include "simulate/bunnies.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lamella/elementary.hpp"
#include "lamella/error.hpp"
#include "lamella/image_scene.hpp"
#include "scenes/crowd.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "simulate/edges.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

constexpr double kStep = 1.0 / 60;
constexpr int kLevels = 6;
constexpr float kEdge = 0.012f;  ///< half as thick as the cube's edges are drawn
constexpr Color kFur{186, 160, 130}, kHit{214, 84, 60}, kEdgeColor{70, 72, 78};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Places of a lattice that fills the room, spread evenly where there are more than bodies.
Vec3d start_of(std::uint32_t body, std::uint32_t bodies, double room) {
  const auto side = static_cast<std::uint32_t>(std::ceil(elementary::cbrt(bodies) - 1e-9));
  if (side < 2) return {};
  const std::uint64_t cells = std::uint64_t{side} * side * side;
  const auto cell = static_cast<std::uint32_t>(body * cells / bodies);
  const auto at = [&](std::uint32_t n) { return room * (static_cast<double>(n) / (side - 1) - 0.5); };
  return {at(cell % side), at(cell / side % side), at(cell / (side * side))};
}

/// Off walls at -limit and limit.
void reflect(double& position, double& velocity, double limit) {
  const double sign = position < 0 ? -1 : 1;
  if (std::abs(position) <= limit) return;
  if (velocity * sign > 0) velocity = -velocity;
  position = std::clamp(sign * (2 * limit) - position, -limit, limit);
}

}  // namespace

BunnyWorld::BunnyWorld(const BunnyOptions& options) : radius_(options.radius) {
  const double ball = 4.0 / 3 * scenes::kPi * radius_ * radius_ * radius_;
  room_ = elementary::cbrt(options.objects * ball / options.density);
  scenes::Random random(options.seed);
  for (std::uint32_t i = 0; i < options.objects; ++i) {
    Body b;
    b.position = start_of(i, options.objects, room_);
    b.velocity = random.direction() * random.uniform(0.25 * options.speed, options.speed);
    b.axis = random.direction();
    b.angle = random.uniform(0, 2 * scenes::kPi);
    b.spin = random.uniform(0.25 * options.spin, options.spin);
    bodies_.push_back(b);
  }
  turned_.resize(bodies_.size());
  place();
}

double BunnyWorld::energy() const {
  double sum = 0;
  for (const Body& b : bodies_) sum += 0.5 * dot(b.velocity, b.velocity);
  return sum;
}

void BunnyWorld::step(std::span<const BunnyPair> colliding) {
  std::fill(turned_.begin(), turned_.end(), false);
  for (const BunnyPair& pair : colliding) {
    Body &a = bodies_[pair[0]], &b = bodies_[pair[1]];
    const Vec3d line = b.position - a.position;
    const double square = dot(line, line), approach = dot(a.velocity - b.velocity, line);
    if (approach > 0 && square > 0) {
      const Vec3d exchanged = line * (approach / square);
      a.velocity = a.velocity - exchanged;
      b.velocity = b.velocity + exchanged;
    }
    if (std::binary_search(touching_.begin(), touching_.end(), pair)) continue;
    for (const std::uint32_t body : pair) {
      if (!turned_[body]) bodies_[body].spin = -bodies_[body].spin;
      turned_[body] = true;
    }
  }
  touching_.assign(colliding.begin(), colliding.end());
  for (Body& b : bodies_) {
    b.position = b.position + b.velocity * kStep;
    for (int axis = 0; axis < 3; ++axis) reflect(b.position[axis], b.velocity[axis], 0.5 * room_);
    b.angle = std::remainder(b.angle + b.spin * kStep, 2 * scenes::kPi);
  }
  place();
}

void BunnyWorld::place() {
  poses_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    poses_[i] = {bodies_[i].position, rotation_about(bodies_[i].axis, bodies_[i].angle)};
  }
}

std::shared_ptr<const ImageBody> make_bunny(int n, double radius, unsigned threads) {
  const auto faces = std::clamp<std::size_t>(std::size_t{4} << (2 * n), 8000, 75000);
  MakeImageOptions options;
  options.n = n;
  options.threads = threads;
  const Mesh mesh = scenes::crowd_body("rabbit", faces, radius);
  return std::make_shared<const ImageBody>(make_body(make_geometry_images(mesh, options).images));
}

namespace {

class Bunnies final : public Simulation {
 public:
  explicit Bunnies(const Options& options)
      : world_(options_of(options)),
        scene_({.threads = options.scene.threads}),
        bunny_(make_bunny(image_levels(options, kLevels, kMaxLevels), BunnyOptions{}.radius, options.scene.threads)),
        look_(to_mesh(bunny_->images.front())),
        edges_(make_edges(static_cast<float>(world_.side() / 2), kEdge)) {
    for (const Transform& pose : world_.poses()) scene_.add(bunny_, pose);
    detect();
  }

  void step() override {
    const auto begin = std::chrono::steady_clock::now();
    world_.step(colliding_);
    const double response_ms = milliseconds_since(begin);
    for (std::uint32_t i = 0; i < world_.size(); ++i) scene_.move({i}, world_.poses()[i]);
    detect();
    figures_.ms.solve = response_ms;
  }

  [[nodiscard]] Figures figures() const override { return figures_; }

  void draw(Drawing& out) const override {
    out.solids.clear();
    out.dots.clear();
    placed_.resize(world_.size());
    std::vector<bool> hit(world_.size());
    for (const BunnyPair& pair : colliding_) hit[pair[0]] = hit[pair[1]] = true;
    for (std::size_t i = 0; i < world_.size(); ++i) {
      placed_[i].resize(look_.positions.size());
      for (std::size_t v = 0; v < placed_[i].size(); ++v) {
        placed_[i][v] = to_float(apply(world_.poses()[i], to_double(look_.positions[v])));
      }
      out.solids.push_back({{placed_[i], look_.triangles}, hit[i] ? kHit : kFur});
    }
    out.solids.push_back({edges_, kEdgeColor});
    const auto half = static_cast<float>(world_.side() / 2) + kEdge;
    out.view = {{-half, -half, -half}, {half, half, half}};
  }

 private:
  static constexpr int kMaxLevels = 8;

  static BunnyOptions options_of(const Options& options) {
    BunnyOptions own;
    if (options.objects != 0) own.objects = options.objects;
    own.seed = static_cast<std::uint32_t>(options.seed ^ options.seed >> 32);
    return own;
  }

  void detect() {
    const ImageSceneResult& result = scene_.collide();
    colliding_.clear();
    for (const ImageScenePair& pair : result.candidates) {
      if (pair.verdict == Verdict::colliding) colliding_.push_back({pair.a.number, pair.b.number});
    }
    figures_.objects = static_cast<std::uint32_t>(world_.size());
    set_figures(figures_, result);
  }

  BunnyWorld world_;
  ImageScene scene_;
  std::shared_ptr<const ImageBody> bunny_;
  Mesh look_, edges_;
  std::vector<BunnyPair> colliding_;
  Figures figures_;
  mutable std::vector<std::vector<Vec3>> placed_;  ///< for the last drawing
};

}  // namespace

std::unique_ptr<Simulation> make_bunnies(const Options& options) { return std::make_unique<Bunnies>(options); }

}  // namespace lamella::simulate
