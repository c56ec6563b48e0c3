#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "common.hpp"
#include "lamella/error.hpp"
#include "options.hpp"
#include "scene_options.hpp"
#include "simulate_run.hpp"
#include "subcommands.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostFrames = 1'000'000, kMostObjects = 100'000, kMaxSeed = 4294967295u;
constexpr std::uint32_t kLeastPixels = 16, kMostPixels = 8192;

struct Args {
  SimulateArgs run;
  SamplingGiven given;
};

template <class Target>
CLI::Option* add_count(CLI::App& command, const std::string& name, std::uint32_t low, std::uint32_t high,
                       Target& target, const std::string& description) {
  const auto use = [name, low, high, &target](const std::string& text) { target = parse_count(name, text, low, high); };
  return command.add_option_function<std::string>(name, use, description)
      ->type_name("N")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void parse_size(const std::string& text, SimulateArgs& args) {
  const std::size_t x = text.find('x');
  if (x == std::string::npos) throw Error(fmt::format("--size: '{}' is no size; type WxH, such as 1280x960", text));
  args.width = parse_count("--size", text.substr(0, x), kLeastPixels, kMostPixels);
  args.height = parse_count("--size", text.substr(x + 1), kLeastPixels, kMostPixels);
}

void add_path(CLI::App& command, const std::string& name, const std::string& type, std::filesystem::path& target,
              const std::string& description) {
  command
      .add_option_function<std::string>(
          name, [&target](const std::string& text) { target = text; }, description)
      ->type_name(type)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_one(CLI::App& simulations, int& status, const std::string& name, const std::string& description,
             const std::string& objects, const std::string& example) {
  const auto args = std::make_shared<Args>();
  SimulateArgs& run = args->run;
  CLI::App* command = simulations.add_subcommand(name, description);
  add_count(*command, "--frames", 1, kMostFrames, run.frames, "60 are a second")
      ->default_str(std::to_string(run.frames));
  add_count(*command, "--seed", 0, kMaxSeed, run.options.seed, "where everything starts")->default_str("1");
  add_count(*command, "--objects", 1, kMostObjects, run.options.objects, objects);
  add_scene_options(*command, run.options.scene, args->given);
  command->get_option("--resolution")
      ->default_str("")
      ->description("N x N columns over each group; by default the simulation's own cells");
  add_path(*command, "--csv", "OUT.csv", run.csv, "figures frame by frame");
  add_picture_option(*command, run.picture, "one animated picture");
  add_path(*command, "--frames-dir", "DIR", run.frames_dir, "pictures with numbers, in this folder");
  command
      ->add_option_function<std::string>(
          "--size", [&run](const std::string& text) { parse_size(text, run); }, "of pictures")
      ->type_name("WxH")
      ->default_str(fmt::format("{}x{}", run.width, run.height))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_count(*command, "--every", 1, kMostFrames, run.every, "draw each N-th frame")
      ->default_str(std::to_string(run.every));
  command->add_flag("--json", run.json, "the summary as one JSON object on stdout");
  command->footer("Example:\n  lamella simulate " + example);
  command->callback([args, name, &status] {
    simulate(name, args->run);
    status = kAnswered;
  });
}

}  // namespace

void add_simulate(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("simulate", "Bodies that collide, frame by frame: figures and pictures");
  command->require_subcommand(1);
  command->footer(
      "Every simulation is the same to the bit in every run with --engine software, for any --threads.\n"
      "Example:\n  lamella simulate cube --objects 100 --csv cube.csv --picture cube.png");
  add_one(*command, status, "cube", "Rigid bodies of about 3,000 faces, concave and convex, in a closed cube",
          "how many bodies; by default 100", "cube --objects 100 --frames 300 --csv cube.csv --picture cube.png");
  add_one(*command, status, "ragdoll", "Jointed figures that fall among concave bodies: joints of Bullet, our contacts",
          "how many figures", "ragdoll --picture ragdoll.png");
  add_one(*command, status, "particles", "Particles that rain on a figure which moves and deforms",
          "how many particles; by default 20,000", "particles --picture particles.png");
  add_one(*command, status, "squeeze", "Two soft bodies pressed together", "how many bodies",
          "squeeze --picture squeeze.png");
}

}  // namespace lamella::cli
