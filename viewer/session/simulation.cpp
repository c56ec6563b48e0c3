#include "session/simulation.hpp"

#include <algorithm>

#include "lamella/error.hpp"
#include "session/workspace.hpp"

namespace lamella::session {
namespace {

constexpr std::uint32_t kMostBodies = 100'000, kMostSteps = 1'000;
constexpr std::uint32_t kMostResolution = 1025;

Json color_json(const simulate::Color& c) { return Json::array({c.r, c.g, c.b}); }

Json figures_json(const simulate::Figures& f) {
  Json out{{"objects", f.objects}, {"candidates", f.candidates}, {"pairs", f.pairs},
           {"points", f.points},   {"contacts", f.contacts},     {"ms", f.ms.total()}};
  if (f.soft) {
    out["shared_volume"] = f.shared_volume;
    out["kinetic_energy"] = f.kinetic_energy;
  }
  if (f.tool) {
    out["self_volume"] = f.self_volume;
    out["force"] = f.force;
  }
  if (f.images) {
    out["sphere_tests"] = f.sphere_tests;
    out["triangle_tests"] = f.triangle_tests;
  }
  return out;
}

/// World coordinates as floats: simulations stay near the origin.
Json positions_json(const MeshView& mesh, PacketWriter& writer) {
  if (mesh.wide.empty() && mesh.origin == Vec3d{}) return writer.add_view<Vec3>(mesh.positions);
  return writer.add(placed_positions(mesh, {}));
}

/// What a simulation of many bodies needs in memory grows with them.
std::uint32_t most_bodies(std::string_view name) {
  if (name == "cube") return 2'000;
  if (name == "ragdoll") return 200;
  if (name == "bunnies") return 512;
  return kMostBodies;
}

}  // namespace

RunningSimulation::RunningSimulation(std::unique_ptr<simulate::Simulation> simulation)
    : simulation_(std::move(simulation)) {}

void RunningSimulation::step() {
  simulation_->step();
  ++step_;
}

Json RunningSimulation::drawn(PacketWriter& writer) {
  simulation_->draw(drawing_);
  told_.resize(drawing_.solids.size());
  Json solids = Json::array(), dots = Json::array();
  for (std::size_t i = 0; i < told_.size(); ++i) {
    const simulate::Drawing::Solid& solid = drawing_.solids[i];
    Json out{{"color", color_json(solid.color)}, {"opacity", solid.opacity}};
    const auto& triangles = solid.mesh.triangles;
    if (!std::equal(triangles.begin(), triangles.end(), told_[i].begin(), told_[i].end())) {
      told_[i].assign(triangles.begin(), triangles.end());
      out["triangles"] = writer.add_view<Triangle>(told_[i]);
    }
    out["positions"] = positions_json(solid.mesh, writer);
    solids.push_back(std::move(out));
  }
  for (const simulate::Drawing::Dots& d : drawing_.dots)
    dots.push_back({{"color", color_json(d.color)},
                    {"radius", answer::shortest(d.radius)},
                    {"positions", writer.add_view<Vec3>(d.positions)}});
  return {{"solids", std::move(solids)},
          {"dots", std::move(dots)},
          {"bounds", answer::to_json(drawing_.view)},
          {"looking", answer::to_json(drawing_.looking)},
          {"figures", figures_json(simulation_->figures())},
          {"note", drawing_.note},
          {"step", step_}};
}

Json simulate(Workspace& workspace, const Request& request, PacketWriter& writer) {
  const std::string name = request.text("name");
  if (!simulate::is_built(name)) throw Error("there is no simulation '" + short_name(name) + "' here");
  simulate::Options options;
  options.scene.threads = workspace.options.threads;
  options.seed = request.whole_or("seed", 1, 0, ~std::uint32_t{0});
  options.objects = request.whole_or("objects", 0, 1, most_bodies(name));
  options.sampling_given = request.has("resolution");
  options.scene.resolution = request.whole_or("resolution", options.scene.resolution, 1, kMostResolution);
  workspace.simulation.reset();
  workspace.simulation.emplace(simulate::make_simulation(name, options));
  return workspace.simulation->drawn(writer);
}

Json step(Workspace& workspace, const Request& request, PacketWriter& writer) {
  if (!workspace.simulation) throw Error("no simulation runs: begin with 'simulate'");
  const std::uint32_t count = request.whole_or("count", 1, 1, kMostSteps);
  for (std::uint32_t i = 0; i < count; ++i) workspace.simulation->step();
  return workspace.simulation->drawn(writer);
}

Json end_simulation(Workspace& workspace, const Request&, PacketWriter&) {
  workspace.simulation.reset();
  return Json::object();
}

}  // namespace lamella::session
