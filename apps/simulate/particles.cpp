// Particles that rain onto a figure which sways and breathes. They slide off it, come to rest in its lap, and those
// that fall past it start again from above. As in TR 395's figure 12, those that touch it, or did just before, are red.

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lamella/particles.hpp"
#include "scenes/models.hpp"
#include "scenes/motions.hpp"
#include "scenes/random.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

constexpr std::uint32_t kParticles = 20000;
constexpr std::size_t kFaces = 10000;
constexpr std::uint32_t kCells = 64;  ///< along the figure, 1.25 m tall: 2 cm each
constexpr float kStep = 1.0f / 60;
constexpr Vec3 kGravity{0, 0, -9.81f};
constexpr float kFloor = -0.66f;                       ///< below it a particle starts again
constexpr float kCloudLow = 0.65f, kCloudHigh = 2.6f;  ///< heights between which they start
constexpr float kCloudReach = 0.40f;
constexpr std::uint32_t kRest = 100;  ///< frames that a particle stays on the figure, and up to twice as many
constexpr float kDot = 0.0045f;
constexpr std::uint32_t kRecent = 15;  ///< frames for which a contact shows
constexpr Color kFigureColor{222, 163, 77}, kFalling{120, 158, 205}, kTouching{225, 30, 25};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Upright, looking against y.
Mesh make_figure() {
  Mesh mesh = scenes::seated_figure(kFaces);
  for (Vec3& p : mesh.positions) p = {p.x, -p.z, p.y};
  return mesh;
}

PushOutOptions push_out_options(const Options& given, const Mesh& figure) {
  const SceneOptions& scene = given.scene;
  PushOutOptions options{.resolution = kCells, .threads = scene.threads, .restitution = 0.15f, .friction = 0.55f};
  const Vec3 size = extent(bounds(figure));
  if (given.sampling_given && scene.cell > 0) {
    const float cells = std::ceil(std::max({size.x, size.y, size.z}) / scene.cell);
    options.resolution = static_cast<std::uint32_t>(std::clamp(cells, 1.0f, static_cast<float>(scene.max_resolution)));
  } else if (given.sampling_given) {
    options.resolution = scene.resolution;
  }
  options.max_crossings = scene.max_crossings;
  options.strict = scene.strict;
  return options;
}

class Particles final : public Simulation {
 public:
  explicit Particles(const Options& options)
      : figure_(make_figure()),
        now_(figure_.positions),
        before_(now_),
        push_out_(figure_.triangles, now_.size(), push_out_options(options, figure_)),
        random_(static_cast<std::uint32_t>(options.seed ^ options.seed >> 32)) {
    const std::uint32_t count = options.objects != 0 ? options.objects : kParticles;
    positions_.resize(count);
    velocities_.resize(count);
    touched_.resize(count);
    last_touched_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) start(i, static_cast<float>(random_.uniform(kCloudLow, kCloudHigh)));
    deform(0);
    before_ = now_;
    figures_.objects = count;
  }

  void step() override {
    const auto begin = std::chrono::steady_clock::now();
    ++frame_;
    before_.swap(now_);
    deform(static_cast<float>(frame_ % 2400) * kStep);
    figures_.deform_ms = milliseconds_since(begin);
    for (std::uint32_t i = 0; i < positions_.size(); ++i) {
      velocities_[i] = velocities_[i] + kGravity * kStep;
      positions_[i] = positions_[i] + velocities_[i] * kStep;
      const bool lay_long = touched_[i] > kRest + i % kRest;
      if (positions_[i].z < kFloor || lay_long) start(i, kCloudLow + static_cast<float>(random_.uniform(0, 0.4)));
    }
    const PushOutReport& report = push_out_.push_out({now_, before_, kStep}, positions_, velocities_);
    for (const ParticlePush& p : report.pushes) {
      ++touched_[p.particle];
      last_touched_[p.particle] = frame_;
    }
    figures_.pairs = report.pushes.empty() ? 0 : 1;
    figures_.candidates = 1;
    figures_.contacts = figures_.points = static_cast<std::uint32_t>(report.pushes.size());
    figures_.ms = report.ms;
    figures_.ms.solve = milliseconds_since(begin) - report.ms.total();
  }

  [[nodiscard]] Figures figures() const override { return figures_; }

  void draw(Drawing& out) const override {
    out.solids.assign(1, {{now_, figure_.triangles}, kFigureColor, 1});
    out.dots.resize(2);
    for (Drawing::Dots& dots : out.dots) {
      dots.positions.clear();
      dots.radius = kDot;
    }
    out.dots[0].color = kFalling;
    out.dots[1].color = kTouching;
    for (std::uint32_t i = 0; i < positions_.size(); ++i) {
      const bool touching = touched_[i] != 0 && frame_ - last_touched_[i] < kRecent;
      out.dots[touching ? 1 : 0].positions.push_back(positions_[i]);
    }
    out.view = {{-0.32f, -0.45f, kFloor}, {0.32f, 0.25f, 0.66f}};
  }

 private:
  void start(std::uint32_t i, float height) {
    touched_[i] = 0;
    positions_[i] = {static_cast<float>(random_.uniform(-kCloudReach, kCloudReach)),
                     static_cast<float>(random_.uniform(-kCloudReach, kCloudReach)) - 0.05f, height};
    velocities_[i] = {static_cast<float>(random_.uniform(-0.1, 0.1)), static_cast<float>(random_.uniform(-0.1, 0.1)),
                      static_cast<float>(random_.uniform(-1, -0.5))};
  }

  void deform(float seconds) {
    turned_.resize(now_.size());
    scenes::twist(figure_.positions, seconds / 3, 0.045f, turned_);
    scenes::wobble(turned_, seconds / 2, 3, now_);
  }

  Mesh figure_;
  std::vector<Vec3> now_, before_, turned_;
  ParticlePushOut push_out_;
  scenes::Random random_;
  std::vector<Vec3> positions_, velocities_;
  std::vector<std::uint32_t> touched_;       ///< frames on the figure since the start
  std::vector<std::uint32_t> last_touched_;  ///< the last of them
  std::uint32_t frame_ = 0;
  Figures figures_;
};

}  // namespace

std::unique_ptr<Simulation> make_particles(const Options& options) { return std::make_unique<Particles>(options); }

}  // namespace lamella::simulate
