#include <fmt/core.h>

#include <array>
#include <memory>
#include <vector>

#include "cli/common.hpp"
#include "cli/html/report.hpp"
#include "cli/options.hpp"
#include "cli/scene/options.hpp"
#include "cli/simulate/run.hpp"
#include "cli/subcommands.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostFrames = 1'000'000, kMaxSeed = 4294967295u;

/// A simulation as the command line has it.
struct Entry {
  std::string name;
  std::string objects;  ///< what they are, and how many by default
  std::uint32_t most = 0;
  std::string example;
  std::vector<std::string> unused;  ///< options of scenes that would change nothing
  bool on_gpu = true;               ///< whether an engine on a GPU can do the detection
  bool budget = false;              ///< whether the time of a frame can be limited, and a body's own resolution chosen
  std::string resolution = "N x N columns over each group; by default the simulation's own cells";
  bool faces = false;  ///< whether the number of triangles can be chosen
};

/// What only sampling along rays has a use for.
const std::vector<std::string> kOfRays{"--engine", "--device", "--axis",    "--cell",     "--screen",
                                       "--method", "--views",  "--normals", "--threshold"};

const std::string kOfCells = "N cells along the longest side of what is sampled; by default the simulation's own cells";
/// What contacts of soft bodies have no use for.
const std::vector<std::string> kOfScenes{"--tolerance", "--certify",      "--device",    "--axis",
                                         "--screen",    "--method",       "--views",     "--normals",
                                         "--threshold", "--max-contacts", "--max-pairs", "--max-spans"};

const std::array<Entry, 7> kEntries{{
    {"cube",
     "how many bodies; by default 100",
     100'000,
     "cube --objects 100 --frames 300 --csv cube.csv --picture cube.png",
     {}},
    {"ragdoll", "how many figures, up to 2000; by default 4", 2'000, "ragdoll --picture ragdoll.png", {}},
    {"particles",
     "how many particles; by default 20,000",
     100'000,
     "particles --picture particles.png",
     {"--device", "--axis", "--screen", "--method", "--views", "--normals", "--threshold"},
     false},
    {"squeeze", "how many bodies: always 2", 100'000, "squeeze --picture squeeze.png", kOfScenes, false, false,
     kOfCells},
    {"surgery", "always 2: the tool and the organ", 100'000, "surgery --csv surgery.csv --picture surgery.png",
     kOfScenes, false, false, kOfCells, true},
    {"bunnies", "how many rabbits, up to 512; by default 32", 512, "bunnies --objects 256 --csv bunnies.csv", kOfRays,
     false, false, "N x N vertices in the rabbit's image, N = 2^n + 1; by default 65"},
    {"helicopter", "how many helicopters, up to 16; by default 1", 16,
     "helicopter --resolution 4097 --csv helicopter.csv", kOfRays, false, true,
     "N x N vertices in the terrain's image, N = 2^n + 1; by default 1025"},
}};

struct Args {
  SimulateArgs run;
  SamplingGiven given;
};

void add_path(const Command& command, const std::string& name, const std::string& type, std::filesystem::path& target,
              const std::string& description) {
  command.add_text(
      name, type, [&target](const std::string& text) { target = text; }, description);
}

void add_output_options(const Command& command, SimulateArgs& run) {
  command.options_under("Answer");
  add_path(command, "--csv", "OUT.csv", run.csv, "figures frame by frame");
  command.add_flag("--json", run.json, "the summary as one JSON object on stdout");
  add_html_option(command, run.html);
  command.options_under("Picture");
  add_picture_option(command, run.picture, "a film: animated PNG, GIF or WebM", true);
  add_path(command, "--frames-dir", "DIR", run.frames_dir, "pictures with numbers, in this folder");
  add_up_option(command, run.up);
  add_view_option(command, run.view).default_str("the simulation's own");
  add_size_option(command, run.size, fmt::format("{}x{}", run.size.width, run.size.height));
  add_count(command, "--every", 1, kMostFrames, run.every, "draw each N-th frame, in pages too")
      .default_str(std::to_string(run.every));
}

void add_budget_options(const Command& command, simulate::Options& options) {
  command.options_under("Simulation");
  command.add_text(
      "--budget", "TIME", [&](const std::string& text) { options.budget = parse_budget("--budget", text); },
      "time for the detection of a frame (500us, 15ms); it is then cut short, and said to be");
  add_count(command, "--body", 17, 2049, options.body_resolution,
            "N x N vertices in the helicopter's image, N = 2^n + 1; by default 129");
}

void add_faces_option(const Command& command, simulate::Options& options) {
  command.options_under("Simulation");
  add_count(command, "--faces", 500, 200'000, options.faces, "triangles of the organ; by default 20,000");
}

/// What changes nothing is an error rather than a surprise.
void check_used(const Command& command, const Entry& entry, const SimulateArgs& run) {
  for (const std::string& name : entry.unused) {
    if (!command.option(name).given()) continue;
    throw Error(fmt::format("{}: `simulate {}` has no use for it; leave it out", name, entry.name));
  }
  const std::string& engine = run.options.scene.engine;
  if (!entry.on_gpu && engine != "automatic" && engine != "software") {
    throw Error(
        fmt::format("--engine: `simulate {}` runs on the processor only, not on '{}'; type automatic or "
                    "software, or leave it out",
                    entry.name, engine));
  }
}

void add_one(const Command& simulations, int& status, const Entry& entry) {
  const auto args = std::make_shared<Args>();
  SimulateArgs& run = args->run;
  const Command command = simulations.add_subcommand(entry.name, std::string(simulate::summary_of(entry.name)));
  command.options_under("Simulation");
  add_count(command, "--frames", 1, kMostFrames, run.frames, "how many; 60 are a second")
      .default_str(std::to_string(run.frames));
  add_count(command, "--seed", 0, kMaxSeed, run.options.seed, "another one, another start").default_str("1");
  add_count(command, "--objects", 1, entry.most, run.options.objects, entry.objects);
  add_scene_options(command, run.options.scene, args->given);
  if (entry.budget) add_budget_options(command, run.options);
  if (entry.faces) add_faces_option(command, run.options);
  if (!entry.on_gpu) command.option("--engine").description("software is the only one here");
  command.option("--resolution").default_str("").description(entry.resolution);
  for (const std::string& name : entry.unused) command.option(name).hide();
  add_output_options(command, run);
  command.footer("Example:\n  lamella simulate " + entry.example);
  command.callback([args, command, &entry, &status] {
    check_used(command, entry, args->run);
    args->run.options.sampling_given = args->given.any();
    apply_method(args->run.options.scene, args->given);
    status = simulate(entry.name, args->run);
  });
}

}  // namespace

void add_simulate(const Command& app, int& status) {
  const Command command = app.add_subcommand("simulate", "Bodies that collide, frame by frame: figures and pictures");
  command.require_subcommand();
  command.footer(
      "Every simulation is the same to the bit in every run with --engine software, for any --threads.\n"
      "In the cube gravity turns slowly once the bodies lie, after 1.5 s, so that they keep moving.\n"
      "Ctrl-C ends a simulation after the frame it is at; pictures and CSV have the frames so far.\n"
      "Example:\n  lamella simulate cube --objects 100 --csv cube.csv --picture cube.png");
  for (const Entry& entry : kEntries) add_one(command, status, entry);
}

}  // namespace lamella::cli
