// A probe pressed into a soft organ that lies on a table, drawn along it and lifted again: the aim that Heidelberger,
// Teschner and Gross name ("Detection of Collisions and Self-collisions Using Image-space Techniques", WSCG 2004). The
// organ folds, so it collides with itself too.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "scenes/organ.hpp"
#include "scenes/random.hpp"
#include "simulate/simulation.hpp"
#include "simulate/spring_body.hpp"

namespace lamella::simulate {
namespace {

constexpr std::uint32_t kFaces = 20'000;
constexpr std::size_t kToolFaces = 2'000;
constexpr int kSubsteps = 4;
constexpr double kStep = 1.0 / 60 / kSubsteps;
constexpr Vec3d kGravity{0, 0, -9.81};
constexpr double kAttached = 0.05;  ///< points this low do not move
constexpr double kMass = 1.5, kFriction = 0.8;
constexpr double kToolFriction = 0.2;
constexpr float kCell = 0.012f, kToolCell = 0.006f;
constexpr double kRadius = 0.09, kLength = 0.6;  ///< of the tool: its ball, and all of it
constexpr SpringBodyOptions kOrgan{.spacing = 0.07, .compliance = 0.003, .skin = 1, .damping = 0.1, .rounds = 2};
constexpr float kTable = 0.02f, kReach = 0.66f;  ///< half sizes of the table
constexpr Color kOrganColor{156, 62, 52}, kToolColor{176, 182, 190}, kTableColor{120, 150, 150};

/// Where the tool's tip is, and when.
struct Stop {
  double seconds = 0;
  Vec3d tip;
};
constexpr std::array<Stop, 7> kWay{{{0, {-0.10, -0.06, 0.75}},
                                    {0.5, {-0.10, -0.06, 0.46}},
                                    {1.5, {-0.10, -0.06, 0.27}},
                                    {1.9, {-0.10, -0.06, 0.27}},
                                    {3.1, {0.07, -0.14, 0.22}},
                                    {3.9, {0.07, -0.14, 0.75}},
                                    {4.6, {-0.10, -0.06, 0.75}}}};

Vec3d tip_at(double seconds) {
  const double round = kWay.back().seconds;
  const double t = seconds - round * std::floor(seconds / round);
  const auto next = std::find_if(kWay.begin() + 1, kWay.end(), [&](const Stop& s) { return t <= s.seconds; });
  const Stop& from = *(next - 1);
  const double part = (t - from.seconds) / (next->seconds - from.seconds);
  return from.tip + (next->tip - from.tip) * (part * part * (3 - 2 * part));  // starts and stops gently
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

class Surgery final : public Simulation {
 public:
  explicit Surgery(const Options& options)
      : organ_mesh_(scenes::organ(options.faces != 0 ? options.faces : kFaces)),
        tool_mesh_(scenes::probe(kToolFaces, kRadius, kLength)),
        organ_(organ_mesh_, kMass, kOrgan),
        tool_(contact_options(options, kToolCell, kToolFriction)),
        self_(contact_options(options, kCell, kToolFriction)) {
    if (options.objects != 0 && options.objects != 2) throw Error("surgery has a tool and an organ, nothing else");
    scenes::Random random(static_cast<std::uint32_t>(options.seed ^ options.seed >> 32));
    aside_ = {random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), 0};
    // It hangs on the table as an organ does on its ligaments.
    for (std::size_t i = 0; i < organ_.positions().size(); ++i)
      if (organ_.positions()[i].z < kAttached) organ_.fix(i);
    tool_positions_.resize(tool_mesh_.positions.size());
    place_tool();
    figures_.objects = 2;
    figures_.soft = figures_.tool = true;
  }

  void step() override {
    const auto begin = std::chrono::steady_clock::now();
    figures_.ms = {};
    Vec3d push;
    for (int i = 0; i < kSubsteps; ++i) {
      ++substeps_;
      place_tool();
      organ_.predict(kStep, kGravity);
      keep_on_table();
      count(self_.project_self(organ_.surface()));
      count(tool_.project(organ_.surface(), {tool_mesh_.triangles, tool_positions_, {}, tool_before_}));
      push += tool_.report().push * (1 / (kStep * kStep * kSubsteps));
      organ_.finish(kStep);
    }
    describe(length(push));
    figures_.ms.solve = milliseconds_since(begin) - figures_.ms.total();
  }

  [[nodiscard]] Figures figures() const override { return figures_; }

  void draw(Drawing& out) const override {
    for (std::size_t i = 0; i < organ_mesh_.positions.size(); ++i)
      organ_mesh_.positions[i] = to_float(organ_.positions()[i]);
    drawn_tool_ = tool_mesh_;
    for (std::size_t i = 0; i < drawn_tool_.positions.size(); ++i)
      drawn_tool_.positions[i] = to_float(tool_positions_[i]);
    table_ = scenes::box(12, {kReach, kReach * 0.8f, kTable});
    for (Vec3& p : table_.positions) p.z -= kTable;
    out.dots.clear();
    out.solids = {{organ_mesh_, kOrganColor, 1}, {drawn_tool_, kToolColor, 1}, {table_, kTableColor, 1}};
    std::array<char, 16> note{};
    std::snprintf(note.data(), note.size(), "force %5.1f N", figures_.force);
    out.note = note.data();
    out.view = {{-kReach, -kReach * 0.8f, -2 * kTable}, {kReach, kReach * 0.8f, 0.62f}};
    out.looking = {-0.25f, 1.0f, -0.75f};
  }

 private:
  void place_tool() {
    tool_before_ = tool_positions_;
    const Vec3d tip = tip_at(kStep * static_cast<double>(substeps_)) + aside_;
    for (std::size_t i = 0; i < tool_positions_.size(); ++i)
      tool_positions_[i] = to_double(tool_mesh_.positions[i]) + tip;
  }

  /// Points below the table come back onto it; friction holds what they slid in this step, as far as pressure lets it.
  void keep_on_table() {
    const std::span<const Vec3d> before = organ_.before();
    for (std::size_t i = 0; i < before.size(); ++i) {
      Vec3d& p = organ_.positions()[i];
      if (p.z >= 0) continue;
      const Vec3d slid{p.x - before[i].x, p.y - before[i].y, 0};
      const double way = length(slid), held = way > 0 ? std::min(1.0, kFriction * -p.z / way) : 0.0;
      p = p - slid * held;
      p.z = 0;
    }
  }

  void count(const ContactReport& contact) {
    figures_.ms.ldi += contact.ms.ldi;
    figures_.ms.contacts += contact.ms.solve;
  }

  void describe(double force) {
    const ContactReport &tool = tool_.report(), &self = self_.report();
    figures_.candidates = tool.cell > 0 ? 1 : 0;
    figures_.pairs = tool.verdict == Verdict::colliding ? 1 : 0;
    figures_.contacts = tool.span_count + self.span_count;
    figures_.shared_volume = tool.left;
    figures_.self_volume = self.left;
    figures_.kinetic_energy = organ_.kinetic_energy();
    figures_.force = force;
  }

  mutable Mesh organ_mesh_;  ///< where it is, as last drawn
  Mesh tool_mesh_;           ///< its tip at the origin
  SpringBody organ_;
  VolumeContact tool_, self_;
  std::vector<Vec3d> tool_positions_, tool_before_;
  Vec3d aside_;
  std::uint64_t substeps_ = 0;
  Figures figures_;
  mutable Mesh drawn_tool_, table_;
};

}  // namespace

std::unique_ptr<Simulation> make_surgery(const Options& options) { return std::make_unique<Surgery>(options); }

}  // namespace lamella::simulate
