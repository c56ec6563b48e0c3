#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <new>

#include "cli/common.hpp"
#include "cli/distributed.hpp"
#include "cli/help/help.hpp"
#include "cli/html/report.hpp"
#include "cli/subcommands.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"
#include "lamella/version.hpp"

namespace {

using namespace lamella::cli;

constexpr const char* kFooter = R"(Exit status:
  0  answered; intersect, self, depth, scene, gi collide: no collision; clash: nothing that fails; vertices: none is
     inside
  1  intersect, self, depth, scene, gi collide: collision; clash: findings that fail; vertices: some are inside
     (--exit-zero makes it 0)
  2  bad input or wrong usage
  3  an engine that is not available here, or a device that failed
  4  undecided: what was left out could change the answer (holes, faces that look inwards, surfaces that touch within
     rounding); contain, closest: some points are unknown; sweep: some answers are undecided (--exit-zero makes it 0)
  130, 143  Ctrl-C or SIGTERM ended it early; scene, simulate, figure: the frames so far are written; sweep: the
            answers so far, and the same command continues; clash: the findings so far; gi make, models, sweep --make,
            --memory: no file

Examples:
  lamella intersect model:hand model:phone --picture grip.png
  lamella self scan.ply --json
  lamella help intersect

`lamella help SUBCOMMAND` shows what a command takes, with examples; `lamella models` shows what to try it on.)";

struct Heading {
  std::string_view text;
  std::vector<std::string> commands;
};

/// Under which the help lists the commands.
const std::array<Heading, 3> kHeadings{
    {{"Questions about meshes",
      {"intersect", "self", "depth", "distance", "closest", "contain", "vertices", "scene", "clash", "sweep", "info",
       "repair"}},
     {"Methods", {"layers", "gi", "simulate"}},
     {"Try and learn", {"view", "models", "demo", "figure", "engines", "bench", "help"}}}};

void add_subcommands(const Command& app, int& status) {
  add_intersect(app, status);
  add_self(app, status);
  add_depth(app, status);
  add_distance(app, status);
  add_closest(app, status);
  add_contain(app, status);
  add_vertices(app, status);
  add_scene(app, status);
  add_clash(app, status);
  add_sweep(app, status);
  add_info(app, status);
  add_repair(app, status);
  add_layers(app, status);
  add_gi(app, status);
  add_simulate(app, status);
  add_view(app, status);
  add_models(app, status);
  add_demo(app, status);
  add_figure(app, status);
  add_engines(app, status);
  add_bench(app, status);
}

int run(int argc, char** argv) {
  set_arguments({argv + std::min(argc, 1), argv + argc});
  int status = kAnswered;
  CLI::App app("Where closed triangle meshes overlap, and by how much: the answer is a volume.", "lamella");
  use_help_text(app);
  app.set_version_flag("--version", fmt::format("lamella {}", lamella::kVersion), "the program's version");
  app.require_subcommand(1);
  app.footer(kFooter);
  add_subcommands(Command(app), status);
  add_help(app, status);
  for (const Heading& heading : kHeadings) {
    for (const std::string& name : heading.commands) app.get_subcommand(name)->group(std::string(heading.text));
  }

  if (argc < 2) {
    complain("a subcommand is required");
    fmt::print(stderr, "\n{}", app.help());
    return kBadInput;
  }
  const std::string_view first = argv[1];
  if (!first.starts_with('-') && !has_subcommand(app, first)) {
    complain(explain_subcommand(app, first));
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const Explanation explanation = explain(app, error);
    complain(explanation.problem, explanation.hint);
    return kBadInput;
  }
  return status;
}

/// Maps what the library throws to exit statuses.
int run_safely(int argc, char** argv) try { return run(argc, argv); } catch (const lamella::Error& error) {
  complain(error.what());
  return error.kind() == lamella::Error::Kind::device ? kDeviceFailure : kBadInput;
} catch (const std::bad_alloc&) {
  complain("out of memory; lower --resolution or -n, or free some memory");
  return kBadInput;
} catch (const std::exception& error) {
  complain(error.what());
  return kBadInput;
}

}  // namespace

namespace lamella::cli {

int run_program(int argc, char** argv) {
  const int status = run_safely(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain("cannot write to the standard output: is the disk full?");
    return kBadInput;
  }
  return status;
}

}  // namespace lamella::cli
