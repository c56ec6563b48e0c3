#include <fmt/core.h>

#include <array>
#include <cmath>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common.hpp"
#include "cli/distributed.hpp"
#include "cli/interrupt.hpp"
#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/options.hpp"
#include "cli/parse.hpp"
#include "cli/progress.hpp"
#include "cli/repair_input.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"
#include "cli/sweep/make_jobs.hpp"
#include "lamella/error.hpp"
#include "lamella/job_sweep.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostJobs = 1'000'000'000, kMaxSeed = 4'294'967'295;

struct Args {
  std::vector<std::string> inputs;
  std::filesystem::path output;
  Options options;
  bool as_is = false, any_path = false, restart = false, json = false, exit_zero = false;
  std::optional<std::uint32_t> make;
  std::uint32_t seed = 1;
  double checkpoint = SweepFileOptions{}.checkpoint_seconds;
  std::uint64_t mesh_memory = kSweepMeshMemory;
};

double parse_seconds(std::string_view option, std::string_view text) {
  const auto value = number_in<double>(text);
  if (!value || !(*value >= 0 && *value <= 86'400))
    throw Error(fmt::format("{}: '{}' is no number of seconds from 0 to 86400", option, text));
  return *value;
}

/// "3 min 20 s", "12 s".
std::string time_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 120) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

/// The bar with jobs a second and the time left, from what this run has done.
class SweepBar {
 public:
  explicit SweepBar(std::string_view label) : bar_(label) {}

  void update(const SweepProgress& now) {
    if (!first_) first_ = now;
    const double seconds = since_.ms() / 1000;
    const double bytes = static_cast<double>(now.bytes - first_->bytes);
    if (seconds <= 0 || bytes <= 0) return;
    const double rate = static_cast<double>(now.jobs - first_->jobs) / seconds;
    const double left = static_cast<double>(now.bytes_in_all - now.bytes) * seconds / bytes;
    bar_.update(now.bytes, now.bytes_in_all, fmt::format("{:.0f} pairs/s, {} left", rate, time_text(left)));
  }

 private:
  Progress bar_;
  Stopwatch since_;
  std::optional<SweepProgress> first_;
};

Mesh load_job_mesh(const std::filesystem::path& jobs, const std::string& name, JobFiles files) {
  return load_mesh(is_model(name) ? std::filesystem::path(name) : job_mesh_path(jobs, name, files));
}

void print_json(const SweepReport& report, const Args& args) {
  const AnswerCounts& c = report.counts;
  cli::print_json({{"query", "sweep"},
                   {"complete", report.complete},
                   {"answers", c.answers()},
                   {"resumed", report.resumed},
                   {"clear", c.clear},
                   {"colliding", c.colliding},
                   {"undecided", c.undecided},
                   {"not_ok", c.not_ok},
                   {"engine", report.engine},
                   {"ms", {{"total", report.seconds * 1000}}},
                   {"jobs", args.inputs.front()},
                   {"output", args.output.string()}});
}

void print_text(const SweepReport& report, const Args& args) {
  const AnswerCounts& c = report.counts;
  const auto of_all = [&](std::uint64_t n) {
    return c.answers() == 0 ? grouped(n) : fmt::format("{} ({})", grouped(n), percent(double(n) / double(c.answers())));
  };
  if (report.complete && report.answered() == 0)
    print_line("complete", "all jobs were answered before; nothing was done");
  print_line("answers", fmt::format("{} in {}", grouped(c.answers()), args.output.string()));
  if (report.resumed != 0 && report.answered() != 0)
    print_line("continued", fmt::format("after {} that were there", grouped(report.resumed)));
  print_line("colliding", of_all(c.colliding));
  print_line("clear", of_all(c.clear));
  if (c.undecided != 0) print_line("undecided", of_all(c.undecided));
  if (c.not_ok != 0)
    print_line("not ok", fmt::format("{}: meshes have defects; the column why says which", of_all(c.not_ok)));
  if (report.answered() != 0)
    print_line("time", fmt::format("{} s, {} pairs/s, {}", to_text(report.seconds),
                                   to_text(std::round(double(report.answered()) / report.seconds)), report.engine));
}

int run_sweep(const Args& args) {
  if (args.inputs.size() != 1) throw Error("name one file of jobs; several meshes are for --make");
  const std::filesystem::path jobs = args.inputs.front();
  const Interrupt interrupt;
  const JobFiles files = args.any_path ? JobFiles::anywhere : JobFiles::in_its_folder;
  SweepFileOptions options{.query = args.options, .restart = args.restart};
  options.query.close_holes = !args.as_is;
  options.checkpoint_seconds = args.checkpoint;
  options.mesh_memory = args.mesh_memory;
  options.load = [&](const std::string& name) { return load_job_mesh(jobs, name, files); };
  options.stop = [&] { return interrupt.signal() != 0; };
  SweepReport report;
  {
    SweepBar bar(file_name(jobs));
    options.progress = [&](const SweepProgress& now) { bar.update(now); };
    report = distributed_sweep(jobs, args.output, options);
  }
  if (job_rank() != 0) return kAnswered;  // rank 0 says how it ended
  args.json ? print_json(report, args) : print_text(report, args);
  if (interrupt.signal() != 0 && !report.complete) {
    complain(fmt::format("stopped by {} after {}; the same command continues",
                         interrupt.signal() == 2 ? "Ctrl-C" : "a signal (SIGTERM)",
                         counted(report.counts.answers(), "answer")));
    return 128 + interrupt.signal();
  }
  if (!report.complete) {
    complain(fmt::format("another process of the job was stopped, after {}; the same command continues",
                         counted(report.counts.answers(), "answer")));
    return 128 + SIGTERM;
  }
  return report.counts.undecided != 0 && !args.exit_zero ? kUndecided : kAnswered;
}

/// Options of sweeps that --make has no use for.
constexpr std::array kNotWithMake{"--restart",        "--checkpoint", "--json",          "--exit-zero",
                                  "--allow-any-path", "--engine",     "--device",        "--axis",
                                  "--resolution",     "--threads",    "--max-crossings", "--tolerance",
                                  "--strict",         "--certify",    "--as-is",         "--mesh-memory"};

int run(const Command& command, const Args& args) {
  if (!args.make) return run_sweep(args);
  for (const char* option : kNotWithMake)
    if (command.option(option).given()) throw Error(fmt::format("{} does nothing with --make; leave it out", option));
  if (job_rank() != 0) return kAnswered;  // one process writes the file
  return make_jobs(args.inputs, *args.make, args.seed, args.output);
}

}  // namespace

void add_sweep(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("sweep", "Millions of placed pairs from a file; can be continued");
  command
      .add_option("JOBS|MESH", args->inputs,
                  "pairs with poses: .csv, .jsonl, .ndjson, or .jobs (binary); with --make the meshes to place")
      .required()
      .type_name("");
  command.options_under("Answer");
  command
      .add_option("-o,--output", args->output,
                  "file of answers, one a line: .csv, .jsonl or .ndjson; with --make the file of jobs")
      .required()
      .type_name("OUT");
  command.add_flag("--restart", args->restart, "replace the answers that are there, instead of continuing");
  command
      .add_text(
          "--checkpoint", "S",
          [args](const std::string& text) { args->checkpoint = parse_seconds("--checkpoint", text); },
          "seconds of work that a killed sweep may lose; more often costs time")
      .default_str("1");
  command.add_flag("--json", args->json, "the summary as one JSON object on stdout");
  command.add_flag("--exit-zero", args->exit_zero, "exit status 0 even if some answers are undecided");
  command.options_under("Jobs");
  command.add_flag("--allow-any-path", args->any_path,
                   "jobs may name files outside their folder: for jobs that you trust");
  add_count(command, "--make", 1, kMostJobs, args->make, "write N random placements of the meshes as jobs, instead");
  add_count(command, "--seed", 0, kMaxSeed, args->seed, "of --make: another one, other placements")
      .default_str("1")
      .needs(command.option("--make"));
  command.options_under("Sampling");
  add_engine_option(command, args->options.engine);
  add_device_option(command, args->options.device);
  add_resolution_option(command, args->options.resolution);
  add_threads_option(command, args->options.threads);
  add_axis_option(command, args->options.axis);
  add_crossings_option(command, args->options.max_crossings);
  add_accuracy_options(command, args->options.tolerance, args->options.certify);
  command.add_flag("--strict", args->options.strict, "an undecided answer, or a mesh with defects, is an error");
  command.add_flag("--as-is", args->as_is, "do not close the holes of meshes before sampling");
  add_repair_option(command);
  add_memory_option(command);
  command
      .add_text(
          "--mesh-memory", "SIZE",
          [args](const std::string& text) { args->mesh_memory = parse_bytes("--mesh-memory", text); },
          "memory for meshes, about; when they take more, they are read again as jobs need them")
      .default_str("4G");
  command.footer(
      "Killed at any moment and started again with the same arguments, a sweep continues: OUT ends up the same to the "
      "byte.\nOUT.state beside it says how far it is.\n"
      "Examples:\n"
      "  lamella sweep --make 100000 model:hand:5000 model:phone:5000 -o grasps.csv\n"
      "  lamella sweep grasps.csv -o answers.csv --resolution 64\n"
      "  lamella sweep grasps.csv -o answers.jsonl --certify\n"
      "docs/sweeps.md describes jobs and answers.");
  command.callback([command, args, &status] { status = run(command, *args); });
}

}  // namespace lamella::cli
