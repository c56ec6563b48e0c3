// A soft ball on a soft ring, pressed into it by a plate and let go again.

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "simulate/shape_matching.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

constexpr std::size_t kFaces = 3000;
constexpr int kSubsteps = 4;
constexpr double kStep = 1.0 / 60 / kSubsteps;
constexpr Vec3d kGravity{0, 0, -9.81};
constexpr float kRing = 0.52f, kTube = 0.23f, kBall = 0.44f;
constexpr double kFriction = 0.5;
constexpr float kCell = 0.015f;
// The plate's way: down, wait, up, wait; heights of its underside.
constexpr double kUp = 1.5, kDown = 0.46, kSpeed = 0.6, kWait = 0.8;
constexpr float kPlate = 0.03f, kReach = 0.95f;  ///< half sizes of the plates
constexpr Color kRingColor{74, 120, 179}, kBallColor{222, 163, 77}, kPlateColor{150, 152, 158};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Mesh placed(Mesh mesh, Vec3 at) {
  for (Vec3& p : mesh.positions) p = p + at;
  return mesh;
}

/// Height of the plate's underside and how fast it rises.
struct Plate {
  double height = kUp, velocity = 0;
};

Plate plate_at(double seconds) {
  constexpr double kTravel = (kUp - kDown) / kSpeed, kRound = 2 * (kTravel + kWait);
  const double t = seconds - kRound * std::floor(seconds / kRound);
  if (t < kTravel) return {kUp - kSpeed * t, -kSpeed};
  if (t < kTravel + kWait) return {kDown, 0};
  if (t < 2 * kTravel + kWait) return {kDown + kSpeed * (t - kTravel - kWait), kSpeed};
  return {kUp, 0};
}

/// Keeps a body's points on one side of a level that moves up or down: `side` 1 above, -1 below it.
void keep_beyond(SoftBody& body, double level, double velocity, double side) {
  for (std::size_t i = 0; i < body.positions().size(); ++i) {
    Vec3d& p = body.positions()[i];
    const double depth = side * (level - p.z);
    if (depth <= 0) continue;
    Vec3d& v = body.velocities()[i];
    p.z = level;
    const double pressed = std::max(0.0, side * (velocity - v.z));
    v.z += side * pressed;
    const double speed = std::sqrt(v.x * v.x + v.y * v.y);
    const double kept = speed > 0 ? std::max(0.0, 1 - kFriction * pressed / speed) : 0.0;
    p.x -= v.x * (1 - kept) * kStep;
    p.y -= v.y * (1 - kept) * kStep;
    v.x *= kept;
    v.y *= kept;
  }
}

class Squeeze final : public Simulation {
 public:
  explicit Squeeze(const Options& options)
      : ring_mesh_(placed(scenes::torus(kFaces, kRing, kTube), {0, 0, kTube})),
        ball_mesh_(make_ball(options.seed)),
        ring_(ring_mesh_, 1, {.stiffness = 0.1, .deformation = 0.6, .volume = 3, .clusters = 8, .damping = 0.08}),
        ball_(ball_mesh_, 1, {.stiffness = 0.1, .deformation = 0.75, .volume = 3, .damping = 0.08}),
        contact_(contact_options(options, kCell, kFriction)) {
    if (options.objects != 0 && options.objects != 2) throw Error("squeeze has two bodies, no more and no fewer");
    figures_.objects = 2;
    figures_.soft = true;
  }

  void step() override {
    const auto begin = std::chrono::steady_clock::now();
    figures_.ms = {};
    for (int i = 0; i < kSubsteps; ++i) {
      plate_ = plate_at(kStep * static_cast<double>(++substeps_));
      for (SoftBody* body : {&ring_, &ball_}) body->step(kStep, kGravity);
      keep_between_plates();
      for (SoftBody* body : {&ring_, &ball_}) body->before_contacts();
      const ContactReport& contact = contact_.project(ring_.surface(), ball_.surface());
      for (SoftBody* body : {&ring_, &ball_}) body->after_contacts(kStep);
      keep_between_plates();
      figures_.ms.ldi += contact.ms.ldi;
      figures_.ms.contacts += contact.ms.solve;
    }
    describe(contact_.report());
    figures_.ms.solve = milliseconds_since(begin) - figures_.ms.total();
  }

  [[nodiscard]] Figures figures() const override { return figures_; }

  void draw(Drawing& out) const override {
    const auto copy = [](const SoftBody& body, Mesh& to) {
      for (std::size_t i = 0; i < to.positions.size(); ++i) to.positions[i] = to_float(body.positions()[i]);
    };
    copy(ring_, ring_mesh_);
    copy(ball_, ball_mesh_);
    const auto level = static_cast<float>(plate_.height);
    floor_ = placed(scenes::box(12, {kReach, kReach, kPlate}), {0, 0, -kPlate});
    press_ = placed(scenes::box(12, {kReach, kReach, kPlate}), {0, 0, level + kPlate});
    out.dots.clear();
    out.solids = {{ring_mesh_, kRingColor, 1},
                  {ball_mesh_, kBallColor, 1},
                  {floor_, kPlateColor, 1},
                  {press_, kPlateColor, 0.25f}};
    out.view = {{-kReach, -kReach, -2 * kPlate}, {kReach, kReach, static_cast<float>(kUp) + 2 * kPlate}};
    out.looking = {-0.35f, 1.0f, -0.22f};
  }

 private:
  void describe(const ContactReport& contact) {
    figures_.candidates = contact.cell > 0 ? 1 : 0;
    figures_.pairs = contact.verdict == Verdict::colliding ? 1 : 0;
    figures_.contacts = contact.span_count;
    figures_.shared_volume = contact.left;
    figures_.kinetic_energy = ring_.kinetic_energy() + ball_.kinetic_energy();
  }

  void keep_between_plates() {
    for (SoftBody* body : {&ring_, &ball_}) {
      keep_beyond(*body, 0, 0, 1);
      keep_beyond(*body, plate_.height, plate_.velocity, -1);
    }
  }

  /// Over the ring's hole, turned by the seed.
  static Mesh make_ball(std::uint64_t seed) {
    scenes::Random random(static_cast<std::uint32_t>(seed ^ seed >> 32));
    const Transform turn{{0.02, -0.015, 0.92}, rotation_about(random.direction(), random.uniform(0, 6.28))};
    return in_world(transformed(scenes::sphere(kFaces, kBall), turn));
  }

  mutable Mesh ring_mesh_, ball_mesh_;  ///< where the bodies are, as last drawn
  SoftBody ring_, ball_;
  VolumeContact contact_;
  Plate plate_;
  std::uint64_t substeps_ = 0;
  Figures figures_;
  mutable Mesh floor_, press_;
};

}  // namespace

std::unique_ptr<Simulation> make_squeeze(const Options& options) { return std::make_unique<Squeeze>(options); }

}  // namespace lamella::simulate
