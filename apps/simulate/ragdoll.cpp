// Figures with joints fall among concave bodies: stairs, a bowl, a knot, rings. Bullet steps joints and contacts; the
// contacts are ours, of one Scene, through lamella/bullet.hpp.

#include <array>
#include <chrono>

#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "scenes/revolve.hpp"
#include "simulate/ragdoll_figure.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

constexpr std::uint32_t kFigures = 4;
constexpr int kStepsPerFrame = 2;
constexpr float kCell = 0.02f;  // metres: a third of the thinnest limb

constexpr Color kTrayColor{205, 203, 196}, kStairsColor{158, 152, 142}, kBowlColor{133, 166, 128};
constexpr Color kKnotColor{161, 125, 163}, kRingColor{222, 163, 77};
constexpr std::array<Color, 5> kFigureColors{
    {{74, 120, 179}, {192, 86, 74}, {66, 140, 130}, {120, 98, 170}, {200, 140, 60}}};

/// Five steps that go down along x, from x = 0; `width` along y.
Mesh stairs(double width) {
  constexpr int kSteps = 5;
  constexpr double kTread = 0.32, kRise = 0.19;
  Mesh mesh;
  // For each edge between two columns, on the floor and at the tops of the column before and after it; both sides.
  const auto height = [](int column) { return column < 0 || column >= kSteps ? 0.0 : kRise * (kSteps - column); };
  for (const double y : {0.0, width}) {
    for (int edge = 0; edge <= kSteps; ++edge) {
      const double x = edge * kTread;
      mesh.positions.push_back(to_float({x, y, 0}));
      mesh.positions.push_back(to_float({x, y, edge == 0 ? height(0) : height(edge - 1)}));
      mesh.positions.push_back(to_float({x, y, height(edge)}));
    }
  }
  constexpr std::uint32_t kSide = 3 * (kSteps + 1);
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
  };
  for (std::uint32_t column = 0; column < kSteps; ++column) {
    const std::uint32_t floor = 3 * column, top = column == 0 ? 1 : floor + 2;
    const std::uint32_t next_floor = floor + 3, next_top = floor + 4,
                        next_low = column + 1 < kSteps ? floor + 5 : next_floor;
    const auto side = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a + kSide, c + kSide, b + kSide});
    };
    side(top, floor, next_floor);
    if (next_low != next_floor) side(top, next_floor, next_low);
    side(top, next_low, next_top);
    quad(top, next_top, next_top + kSide, top + kSide);            // tread
    quad(next_top, next_low, next_low + kSide, next_top + kSide);  // riser
    quad(floor, floor + kSide, next_floor + kSide, next_floor);    // underneath
  }
  quad(0, 1, 1 + kSide, kSide);  // the back
  return mesh;
}

/// The ground: a floor at z = 0 of this half size, 0.3 thick, with a rim around it that keeps things in.
Mesh tray(float half_x, float half_y) {
  constexpr float kRim = 0.12f, kDown = 0.3f;
  Mesh mesh;
  const auto ring = [&](float wider, float z) {  // counter-clockwise from above
    const float x = half_x + wider, y = half_y + wider;
    mesh.positions.insert(mesh.positions.end(), {{-x, -y, z}, {x, -y, z}, {x, y, z}, {-x, y, z}});
  };
  ring(kRim, -kDown);
  ring(kRim, kRim);
  ring(0, kRim);
  ring(0, 0);
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
  };
  quad(3, 2, 1, 0);
  quad(12, 13, 14, 15);
  for (std::uint32_t band = 0; band < 12; band += 4) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t j = (i + 1) % 4;
      quad(band + i, band + j, band + 4 + j, band + 4 + i);
    }
  }
  return mesh;
}

/// Round, standing on z = 0, open to the top.
Mesh bowl() {
  const std::vector<scenes::ProfilePoint> form = {{0, 0.10},    {0.25, 0.10}, {0.5, 0.16},  {0.75, 0.34}, {0.88, 0.55},
                                                  {0.92, 0.60}, {0.98, 0.58}, {0.98, 0.52}, {0.86, 0.28}, {0.60, 0.04},
                                                  {0.50, 0.0},  {0.25, 0.0},  {0, 0}};
  std::vector<scenes::ProfilePoint> outline;
  for (int i = 0; i <= 200; ++i) outline.push_back(scenes::spline(form, i / 200.0));
  return scenes::revolve(outline, 2400, 8, [](double radius, double along, double angle) {
    return Vec3d{radius * std::cos(angle), radius * std::sin(angle), along};
  });
}

btTransform at(double x, double y, double z, Quaternion q = {}) {
  return btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)),
                     btVector3(btScalar(x), btScalar(y), btScalar(z)));
}

Quaternion random_turn(scenes::Random& random) {
  return rotation_about(random.direction(), random.uniform(0, scenes::kPi));
}

class Ragdolls final : public Simulation {
 public:
  explicit Ragdolls(const Options& options)
      : dispatcher_(&configuration_, {.scene = sampled_options(options, kCell)}),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity({0, 0, btScalar(-9.81)});
    world_.getSolverInfo().m_numIterations = 30;
    // What pushes bodies out of one another must not stay with them as speed: round limbs would never lie still.
    world_.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    add_set();
    scenes::Random random(static_cast<std::uint32_t>(options.seed ^ options.seed >> 32));
    const std::uint32_t count = options.objects ? options.objects : kFigures;
    for (std::uint32_t i = 0; i < count; ++i) add_figure(i, random);
    drawn_.resize(bodies_.size());
    place();
  }

  ~Ragdolls() override {
    for (const auto& figure : joints_) {
      for (const auto& joint : figure) world_.removeConstraint(joint.get());
    }
    for (const BulletBody& b : bodies_) world_.removeRigidBody(b.body.get());
  }

  void step() override {
    figures_.ms = {};
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kStepsPerFrame; ++i) {
      // 0: no clock of Bullet's own that could round to one step more or less.
      world_.stepSimulation(btScalar(1.0 / 60 / kStepsPerFrame), 0);
      figures_.ms += dispatcher_.result().ms;
    }
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    figures_.ms.solve = spent.count() - figures_.ms.total();
    place();
  }

  [[nodiscard]] Figures figures() const override {
    const SceneResult& result = dispatcher_.result();
    Figures f = figures_;
    f.objects = static_cast<std::uint32_t>(bodies_.size());
    f.candidates = result.candidate_count;
    f.pairs = static_cast<std::uint32_t>(result.pairs.size());
    f.points = static_cast<std::uint32_t>(result.points.size());
    f.contacts = static_cast<std::uint32_t>(result.contacts.size());
    f.passed_over = result.passed_over;
    f.read_back_bytes = result.read_back_bytes;
    return f;
  }

  void draw(Drawing& out) const override {
    out.dots.clear();
    out.solids.clear();
    for (std::size_t i = 0; i < drawn_.size(); ++i) out.solids.push_back({drawn_[i], colors_[i]});
    out.view = {{-2.8f, -2.3f, -0.3f}, {2.8f, 2.3f, 2.1f}};
  }

 private:
  btRigidBody& add(BulletBody made, Color color) {
    world_.addRigidBody(made.body.get());
    colors_.push_back(color);
    return *bodies_.emplace_back(std::move(made)).body;
  }

  void add_set() {
    constexpr double kFixed = 0, kLight = 400;
    add(make_body(tray(2.75f, 2.2f), at(0, 0, 0), kFixed), kTrayColor);
    add(make_body(stairs(1.6), at(-2.45, 0.1, 0), kFixed), kStairsColor);
    add(make_body(bowl(), at(1.45, 0.75, 0), kFixed), kBowlColor);
    Mesh knot = scenes::torus_knot(2400, 0.22f);
    for (Vec3& p : knot.positions) p = p * 0.6f;
    add(make_body(knot, at(0.4, -0.4, 0.82, rotation_about({1, 0, 0}, 1.2)), kLight), kKnotColor);
    const Mesh ring = scenes::torus(900, 0.34f, 0.085f);
    const std::array<Vec3d, 3> places{{{-0.2, 0.9, 0.5}, {1.5, 0.8, 1.1}, {1.5, -1.2, 0.4}}};
    for (const Vec3d p : places) {
      add(make_body(ring, at(p.x, p.y, p.z, rotation_about({1, 0.4, 0}, 0.6)), kLight), kRingColor);
    }
  }

  void add_figure(std::uint32_t i, scenes::Random& random) {
    // Over the stairs, the bowl, the knot, and between them; the next ones higher up.
    constexpr std::array<Vec3d, 4> kPlaces{{{-1.7, 0.9, 2.3}, {1.4, 0.8, 2.6}, {0.4, -0.3, 3.0}, {-0.5, 0.7, 4.0}}};
    const Vec3d p = kPlaces[i % kPlaces.size()];
    const double higher = 2.6 * (i / kPlaces.size());
    const double dx = random.uniform(-0.1, 0.1), dy = random.uniform(-0.1, 0.1);
    RagdollFigure figure = make_ragdoll_figure(at(p.x + dx, p.y + dy, p.z + higher, random_turn(random)));
    const Color color = kFigureColors[i % kFigureColors.size()];
    for (BulletBody& limb : figure.limbs) add(std::move(limb), color);
    for (const auto& joint : figure.joints) world_.addConstraint(joint.get(), true);
    joints_.push_back(std::move(figure.joints));
  }

  /// The meshes as they are in the world, for draw().
  void place() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const btTransform& pose = bodies_[i].body->getWorldTransform();
      const MeshView mesh = bodies_[i].shape->mesh();
      Mesh& drawn = drawn_[i];
      if (drawn.triangles.empty()) drawn.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
      drawn.positions.resize(mesh.positions.size());
      for (std::size_t k = 0; k < mesh.positions.size(); ++k) {
        const Vec3 p = mesh.positions[k];
        const btVector3 q = pose * btVector3(p.x, p.y, p.z);
        drawn.positions[k] = {static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z())};
      }
    }
  }

  btDefaultCollisionConfiguration configuration_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  bullet::Dispatcher dispatcher_;
  btDiscreteDynamicsWorld world_;
  std::vector<BulletBody> bodies_;
  std::vector<Color> colors_;
  std::vector<std::vector<std::unique_ptr<btTypedConstraint>>> joints_;
  std::vector<Mesh> drawn_;
  Figures figures_;
};

}  // namespace

std::unique_ptr<Simulation> make_ragdoll(const Options& options) { return std::make_unique<Ragdolls>(options); }

}  // namespace lamella::simulate
