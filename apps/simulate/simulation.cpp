#include "simulate/simulation.hpp"

#include "lamella/error.hpp"

namespace lamella::simulate {

SceneOptions sampled_options(const Options& options, float own_cell) {
  SceneOptions scene = options.scene;
  if (options.sampling_given) return scene;
  scene.cell = own_cell;
  scene.screen.reset();
  return scene;
}

std::vector<std::string> simulation_names() { return {"cube", "ragdoll", "particles", "squeeze"}; }

std::unique_ptr<Simulation> make_simulation(std::string_view name, const Options& options) {
  if (name == "cube") return make_cube(options);
  if (name == "particles") return make_particles(options);
  if (name == "squeeze") return make_squeeze(options);
  if (name == "ragdoll") {
#ifdef LAMELLA_SIMULATE_RAGDOLL
    return make_ragdoll(options);
#else
    throw Error(
        "the ragdoll's joints are Bullet's, and this program was built without it; install libbullet-dev and "
        "build again (CMake's option LAMELLA_BULLET must be ON)");
#endif
  }
  throw Error("there is no simulation '" + std::string(name) + "'");
}

}  // namespace lamella::simulate
