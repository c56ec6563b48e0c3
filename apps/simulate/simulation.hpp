#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/image_scene.hpp"
#include "lamella/mesh.hpp"
#include "lamella/scene.hpp"
#include "lamella/soft.hpp"

// The simulations of `lamella simulate`, apart from files and pictures. All are seeded, and on the software engine the
// same to the bit in every run and for every number of threads.

namespace lamella::simulate {

/// What a step was, for a line of the CSV. All but the milliseconds are the same in every run.
struct Figures {
  std::uint32_t objects = 0, candidates = 0, pairs = 0, points = 0, contacts = 0;
  Timings ms{};                       ///< `solve`: impulses, push-out, joints, deformation
  double deform_ms = 0;               ///< of `solve`: new vertices of what deforms; only the particles tell
  std::uint64_t passed_over = 0;      ///< as SceneResult::passed_over, of the frame's last collide()
  std::uint64_t read_back_bytes = 0;  ///< likewise

  /// Bodies are soft, and VolumeContact keeps them apart: sampled once in each substep, without points.
  bool soft = false;
  double shared_volume = 0;   ///< left after the frame's last contact
  double kinetic_energy = 0;  ///< of all bodies
  bool tool = false;          ///< one of two objects is a tool; the other collides with itself
  double self_volume = 0;     ///< left where it does
  double force = 0;           ///< on the tool, mean of the frame

  /// Geometry images decide, which sample nothing: of the stages there are broad phase and pairs, and no contacts.
  bool images = false;
  std::uint32_t sphere_tests = 0, triangle_tests = 0;
  std::uint32_t level = 0;      ///< the deepest of the pyramids that any pair got to
  std::uint32_t cut_short = 0;  ///< candidates whose search a budget ended; then what was found depends on the machine
  double budget_ms = 0;         ///< for the detection of a frame; 0: no limit
};

struct Color {
  std::uint8_t r = 200, g = 200, b = 200;
};

/// What there is to see, in world coordinates; views are valid until the next step.
struct Drawing {
  struct Solid {
    MeshView mesh;
    Color color;
    float opacity = 1;  ///< below 1 what lies behind or inside shows: walls, a vessel
  };
  struct Dots {
    std::vector<Vec3> positions;
    Color color;
    float radius = 0;  ///< in the scene's units
  };
  std::vector<Solid> solids;
  std::vector<Dots> dots;
  std::string note;                   ///< what to know about this frame, up to 14 letters; mostly empty
  Aabb view;                          ///< what the picture shows, the same in all frames
  Vec3 looking{-0.6f, 1.0f, -0.45f};  ///< from the eye into the scene
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  /// One frame, 1/60 s.
  virtual void step() = 0;
  [[nodiscard]] virtual Figures figures() const = 0;
  virtual void draw(Drawing& out) const = 0;
};

struct Options {
  SceneOptions scene{};
  bool sampling_given = false;  ///< the scene's cell, screen or resolution count; otherwise the simulation's own cells
  std::uint64_t seed = 1;
  std::uint32_t objects = 0;           ///< 0: the simulation's own number
  std::chrono::nanoseconds budget{0};  ///< for the detection of a frame, where there is one; 0: no limit
  std::uint32_t body_resolution = 0;   ///< vertices a side of the helicopter's image; 0: its own number
  std::uint32_t faces = 0;             ///< of the organ; 0: its own number
};

/// The scene's options with cells of `own_cell` unless others were given.
[[nodiscard]] SceneOptions sampled_options(const Options& options, float own_cell);

/// The same for contacts of soft bodies.
[[nodiscard]] VolumeContactOptions contact_options(const Options& options, float own_cell, double friction);

/// The n of an image of side^2 = (2^n + 1)^2 vertices. Throws Error when there is none, or it is above `most`.
[[nodiscard]] int levels_of_side(std::uint32_t side, int most);
/// n of the geometry images asked for: of (2^n + 1)^2 vertices when a resolution was given, else `own`. Throws Error
/// when the resolution is not 2^n + 1 with n up to `most`.
[[nodiscard]] int image_levels(const Options& options, int own, int most);
/// What a scene of geometry images found, as figures.
void set_figures(Figures& figures, const ImageSceneResult& result);

/// Every simulation's name, whether it was built or not.
[[nodiscard]] std::vector<std::string> simulation_names();
/// Whether this program has it.
[[nodiscard]] bool is_built(std::string_view name);
/// What it shows, in one line; empty for an unknown name.
[[nodiscard]] std::string_view summary_of(std::string_view name);
/// By name. Throws Error when there is none, or when it was left out of the build, saying how to get it.
[[nodiscard]] std::unique_ptr<Simulation> make_simulation(std::string_view name, const Options& options);

std::unique_ptr<Simulation> make_cube(const Options& options);        ///< bodies of about 3k faces in a box
std::unique_ptr<Simulation> make_ragdoll(const Options& options);     ///< joints of Bullet, our contacts
std::unique_ptr<Simulation> make_particles(const Options& options);   ///< 20,000 on a deforming figure
std::unique_ptr<Simulation> make_squeeze(const Options& options);     ///< two soft bodies pressed together
std::unique_ptr<Simulation> make_surgery(const Options& options);     ///< a tool pressed into a soft organ
std::unique_ptr<Simulation> make_bunnies(const Options& options);     ///< rabbits that bounce off one another in a cube
std::unique_ptr<Simulation> make_helicopter(const Options& options);  ///< flies low over fractal terrain

}  // namespace lamella::simulate
