// Rigid bodies in a closed cube, as in Jang, Jeong and Han's experiment with many objects: about 3,000 faces each,
// convex and concave, seeded places and velocities. The walls are six thick slabs rather than one hollow box: a slab's
// box meets only the bodies near it, while a hollow box would be a candidate with every body there is.

#include <array>
#include <cmath>

#include "lamella/elementary.hpp"
#include "lamella/response.hpp"
#include "scenes/crowd.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "simulate/edges.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

constexpr std::uint32_t kBodies = 100;
constexpr std::size_t kFaces = 3000;
constexpr double kRadius = 0.35;          ///< of the sphere around a body, in metres
constexpr double kPitch = 2.1 * kRadius;  ///< between places at the start: whatever way they are turned, they are apart
constexpr double kWall = 1;
constexpr float kCell = 0.02f;
constexpr double kStep = 1.0 / 60;
constexpr double kSpeed = 2, kSpin = 4;  ///< at the start, at most: m/s, radians/s
constexpr double kGravity = 9.81;
/// Once the bodies have come to rest gravity begins to turn, as if the cube were rolled over: they keep moving.
constexpr std::uint32_t kRestFrames = 90;
constexpr double kTurnPerFrame = 0.0125;  ///< radians, about y
constexpr float kEdge = 0.012f;           ///< half as thick as the cube's edges are drawn

struct Kind {
  const char* model;
  Color color;
};
constexpr std::array<Kind, 8> kKinds{{{"torus", {74, 120, 179}},
                                      {"sphere", {222, 163, 77}},
                                      {"torus_knot", {133, 166, 128}},
                                      {"box", {161, 125, 163}},
                                      {"blob", {84, 158, 168}},
                                      {"hand", {214, 158, 130}},
                                      {"phone", {110, 114, 128}},
                                      {"seated_figure", {184, 178, 107}}}};
constexpr Color kEdgeColor{70, 72, 78};

Mesh make_slab(Vec3d low, Vec3d high) {
  const Vec3d half = (high - low) * 0.5;
  return in_world(transformed(scenes::box(12, to_float(half)), {low + half, {}}));
}

class Cube final : public Simulation {
 public:
  explicit Cube(const Options& options) : world_(sampled_options(options, kCell)), count_(options.objects) {
    if (count_ == 0) count_ = kBodies;
    const auto side = static_cast<std::uint32_t>(std::ceil(elementary::cbrt(count_) - 1e-9));
    half_ = side * kPitch / 2;
    edges_ = make_edges(static_cast<float>(half_), kEdge);
    add_bodies(side, static_cast<std::uint32_t>(options.seed ^ options.seed >> 32));
    add_walls();
  }

  void step() override {
    turn_gravity();
    world_.step(kStep);
    const SceneResult& result = world_.result();
    figures_.candidates = result.candidate_count;
    figures_.pairs = static_cast<std::uint32_t>(result.pairs.size());
    figures_.points = static_cast<std::uint32_t>(result.points.size());
    figures_.contacts = static_cast<std::uint32_t>(result.contacts.size());
    figures_.passed_over = result.passed_over;
    figures_.read_back_bytes = result.read_back_bytes;
    figures_.ms = world_.report().ms;
  }

  [[nodiscard]] Figures figures() const override {
    Figures figures = figures_;
    figures.objects = count_;
    return figures;
  }

  void draw(Drawing& out) const override {
    out.solids.clear();
    out.dots.clear();
    placed_.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Mesh& mesh = meshes_[i % meshes_.size()];
      const Transform& pose = world_.body(bodies_[i]).pose;
      placed_[i].resize(mesh.positions.size());
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        placed_[i][v] = to_float(apply(pose, to_double(mesh.positions[v])));
      }
      out.solids.push_back({{placed_[i], mesh.triangles}, kKinds[i % kKinds.size()].color});
    }
    out.solids.push_back({edges_, kEdgeColor});
    out.note = frame_ > kRestFrames ? "gravity turns" : "";
    const auto half = static_cast<float>(half_) + kEdge;
    out.view = {{-half, -half, -half}, {half, half, half}};
  }

 private:
  void turn_gravity() {
    if (frame_++ < kRestFrames) return;
    const Vec3d g = apply(turn_, down_);
    down_ = g * (1 / std::sqrt(dot(g, g)));  // or rounding would let it shrink
    world_.set_gravity(down_ * kGravity);
  }

  void add_bodies(std::uint32_t side, std::uint32_t seed) {
    for (const Kind& kind : kKinds) meshes_.push_back(scenes::crowd_body(kind.model, kFaces, kRadius));
    scenes::Random random(seed);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const auto place = [&](std::uint32_t n) { return (n + 0.5) * kPitch - half_; };
      // Layers are filled from the top, so that a cube that is not full begins with a fall.
      const Vec3d middle{place(i % side), place(i / side % side), place(side - 1 - i / (side * side))};
      const Quaternion turn = rotation_about(random.direction(), random.uniform(0, 6.28));
      const ObjectId id = world_.add(meshes_[i % meshes_.size()], {middle, turn},
                                     {.density = 1000, .restitution = 0.4, .friction = 0.4});
      RigidBody& body = world_.body(id);
      body.velocity = random.direction() * random.uniform(0, kSpeed);
      body.angular_velocity = random.direction() * random.uniform(0, kSpin);
      bodies_.push_back(id);
    }
  }

  void add_walls() {
    const double outer = half_ + kWall;
    for (int axis = 0; axis < 3; ++axis) {
      for (const double sign : {-1.0, 1.0}) {
        Vec3d low{-outer, -outer, -outer}, high{outer, outer, outer};
        (sign < 0 ? high : low)[axis] = sign * half_;
        world_.add(make_slab(low, high), {}, {.restitution = 0.4, .friction = 0.4, .fixed = true});
      }
    }
  }

  RigidWorld world_;
  std::uint32_t count_ = 0, frame_ = 0;
  Transform turn_{{}, rotation_about({0, 1, 0}, kTurnPerFrame)};
  Vec3d down_{0, 0, -1};
  double half_ = 0;  ///< of the cube's inside
  std::vector<Mesh> meshes_;
  std::vector<ObjectId> bodies_;
  Mesh edges_;
  Figures figures_;
  mutable std::vector<std::vector<Vec3>> placed_;  ///< for the last drawing
};

}  // namespace

std::unique_ptr<Simulation> make_cube(const Options& options) { return std::make_unique<Cube>(options); }

}  // namespace lamella::simulate
