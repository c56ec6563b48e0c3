#include "bench/options.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "bench/commands.hpp"
#include "cli/common.hpp"
#include "cli/options.hpp"
#include "cli/subcommands.hpp"
#include "lamella/grid.hpp"

namespace lamella::bench {
namespace {

constexpr std::uint32_t kMaxThreads = 4096;
constexpr std::uint32_t kMaxFaces = 100'000'000;
constexpr std::uint32_t kMaxObjects = 100'000;
constexpr std::uint32_t kMostRabbits = 4096;
constexpr std::uint32_t kMaxParts = 10'000'000;
constexpr std::uint32_t kMaxFrames = 100'000;
constexpr std::uint32_t kLeastRounds = 2, kMostRounds = 10'000;
constexpr int kDisagrees = 1;  ///< exit status of `peers`
constexpr std::uint32_t kMinRabbitLevels = 3, kMaxRabbitLevels = 11;

/// What all have in common: --json, and `run` called with the arguments.
template <class Args, class Run>
void on_call(const cli::Command& command, const std::shared_ptr<Args>& args, int& status, const Run& run) {
  command.add_flag("--json", args->json, "one JSON object per line on stdout");
  command.callback([args, run, &status] {
    status = cli::kAnswered;
    run(*args);
  });
}

void add_engine_options(const cli::Command& command, std::string& engine, std::optional<unsigned>& device) {
  command.add_option("--engine", engine, "a name from `lamella engines`, or all: every available but the reference")
      .type_name("NAME")
      .default_str(engine);
  cli::add_device_option(command, device);
}

void add_paper(const cli::Command& bench, int& status) {
  const auto args = std::make_shared<PaperArgs>();
  const cli::Command command =
      bench.add_subcommand("paper", "Every published table of the four papers, their figures beside ours");
  command
      .add_option("--engine", args->engine,
                  "a name from `lamella engines`; published: the papers' own methods beside ours; all: every "
                  "available but the reference")
      .type_name("NAME")
      .default_str(args->engine);
  cli::add_device_option(command, args->device);
  cli::add_count(command, "--threads", 0, kMaxThreads, args->threads,
                 "only this many (0: all cores); by default both 1 and all cores");
  const auto table = command.add_option("--table", args->table, "only this one of --list").type_name("NAME");
  const auto paper =
      command.add_option("--paper", args->paper, "only this one's tables: wscg tr395 jang gi").type_name("NAME");
  command.add_option("--mesh", args->mesh, "ask the queries of WSCG 2004 and TR 395 of this mesh instead")
      .type_name("FILE")
      .excludes(table)
      .excludes(paper);
  command.add_flag("--list", args->list, "name the tables, and measure nothing");
  command.add_flag("--quick", args->quick, "few runs of each, to try it out");
  command.footer(
      "Examples:\n"
      "  lamella bench paper --list\n"
      "  lamella bench paper --table WSCG-2\n"
      "  lamella bench paper --paper tr395 --engine published");
  on_call(command, args, status, run_paper);
}

void add_scaling(const cli::Command& bench, int& status) {
  const auto args = std::make_shared<ScalingArgs>();
  const cli::Command command =
      bench.add_subcommand("scaling", "Sampling a mesh beside reading it once, by faces, resolution and threads");
  add_engine_options(command, args->engine, args->device);
  cli::add_count(command, "--threads", 0, kMaxThreads, args->threads, "of the face and resolution sweeps; 0: all cores")
      .default_str("1");
  const auto faces = cli::add_count(command, "--faces", 4, kMaxFaces, args->faces, "only a mesh of about this many");
  cli::add_count(command, "--resolution", 1, kMaxResolution, args->resolution, "only N x N columns");
  command.add_option("--sweep", args->sweep, "only this one: faces, resolution, threads or pairs").type_name("NAME");
  const auto model =
      command.add_option("--model", args->model, "a built-in model").type_name("NAME").default_str(args->model);
  command.add_option("--mesh", args->mesh, "this mesh instead of a model")
      .type_name("FILE")
      .excludes(faces)
      .excludes(model);
  command.footer(
      "Examples:\n"
      "  lamella bench scaling --faces 520000\n"
      "  lamella bench scaling --mesh dragon.ply --json");
  on_call(command, args, status, run_scaling);
}

void add_automatic(const cli::Command& bench, int& status) {
  const auto args = std::make_shared<AutomaticArgs>();
  const cli::Command command =
      bench.add_subcommand("automatic", "Where a GPU pays: a query by faces and resolution on both");
  command.add_option("--engine", args->engine, "the engine on a GPU").type_name("NAME").default_str(args->engine);
  cli::add_device_option(command, args->device);
  command.footer("Example:\n  lamella bench automatic");
  on_call(command, args, status, run_automatic);
}

void add_scene(const cli::Command& bench, int& status) {
  const auto args = std::make_shared<SceneArgs>();
  const cli::Command command =
      bench.add_subcommand("scene", "Many objects and large pairs; the figures of Jang, Jeong, Han");
  command.add_option("--engine", args->engine, "software, cuda, gl-pairs, or all: those that are there")
      .type_name("NAME")
      .default_str(args->engine);
  cli::add_device_option(command, args->device);
  cli::add_count(command, "--threads", 0, kMaxThreads, args->threads,
                 "only this many (0: all cores); by default both 1 and all cores");
  const auto table =
      command
          .add_option("--table", args->table,
                      "only this one: JANG-table1 JANG-fig13 JANG-fig14 JANG-fig16 crowd scaling screen; or JANG")
          .type_name("NAME");
  const auto objects = cli::add_count(command, "--objects", 1, kMaxObjects, args->objects, "only crowds of this many");
  cli::add_count(command, "--frames", 1, kMaxFrames, args->frames,
                 "of a crowd's motion or a simulation, at 60 a second")
      .default_str(std::to_string(args->frames));
  cli::add_count(command, "--resolution", 1, kMaxResolution, args->resolution,
                 "only N x N columns in JANG-fig13 and JANG-fig14");
  command.add_option("--mesh", args->meshes, "these two of a pair of files instead: give it twice")
      .type_name("FILE")
      .excludes(table)
      .excludes(objects);
  command.add_flag("--quick", args->quick, "a single pass for each figure, to try it out");
  command.footer(
      "Examples:\n"
      "  lamella bench scene --table JANG-table1\n"
      "  lamella bench scene --mesh dragon.ply --mesh skull.ply");
  on_call(command, args, status, run_scene);
}

void add_cuda(const cli::Command& bench, int& status) {
  const auto args = std::make_shared<CudaArgs>();
  const cli::Command command =
      bench.add_subcommand("cuda", "Frames on an NVIDIA GPU, beside reading their inputs once");
  command.add_option("--work", args->work, "only this one: serpent scans hand large pairs distinct scene")
      .type_name("NAME");
  cli::add_count(command, "--frames", 1, kMaxFrames, args->frames, "timed of each work")
      .default_str(std::to_string(args->frames));
  command.add_option("--a", args->a, "a closed mesh for `scans`, in place of a model").type_name("FILE");
  command.add_option("--b", args->b, "the other").type_name("FILE");
  cli::add_device_option(command, args->device);
  command.add_flag("--alone", args->alone, "do not time other engines; answers are compared all the same");
  command.add_flag("--quick", args->quick, "small meshes, to try it out");
  command.footer(
      "Every answer is compared with the software engine's; exit status 3 where one differs.\n"
      "Examples:\n"
      "  lamella bench cuda --work hand\n"
      "  lamella bench cuda --a dragon.ply --b skull.ply");
  on_call(command, args, status, [&status](const CudaArgs& cuda) {
    if (!run_cuda(cuda)) status = cli::kDeviceFailure;
  });
}

std::vector<std::uint32_t> parse_counts(std::string_view option, const std::string& text, std::uint32_t most) {
  std::vector<std::uint32_t> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    counts.push_back(cli::parse_count(std::string(option), std::string_view(text).substr(begin, end - begin), 1, most));
    begin = end + 1;
  }
  return counts;
}

void add_clash(const cli::Command& bench, int& status) {
  const auto args = std::make_shared<ClashArgs>();
  const cli::Command command = bench.add_subcommand("clash", "Clash reports of assemblies, by the number of parts");
  add_engine_options(command, args->engine, args->device);
  cli::add_count(command, "--threads", 0, kMaxThreads, args->threads, "0: all cores").default_str("0");
  command.add_text(
      "--parts", "N,N,...", [args](const std::string& text) { args->parts = parse_counts("--parts", text, kMaxParts); },
      "only crowds of so many parts; by default the gearbox, then 1000,10000,100000");
  command.add_flag("--verdicts", args->verdicts, "without ways out of overlaps");
  command.add_flag("--quick", args->quick, "only 1,000 parts, to try it out");
  command.footer(
      "Examples:\n"
      "  lamella bench clash --parts 1000,10000\n"
      "  lamella-bench-peers clash --parts 1000    # beside FCL and CGAL");
  on_call(command, args, status, run_clash);
}

}  // namespace

void add_gi(const cli::Command& app, int& status, const std::vector<OtherMethod>& others) {
  const auto args = std::make_shared<GiArgs>();
  const cli::Command command =
      app.add_subcommand("gi", "Geometry images beside other trees; the figures of GI-COLLIDE");
  command
      .add_option("--table", args->table,
                  "only this one: GI-fig8 GI-fig9 GI-fig10 GI-fig11 GI-fig12 GI-fig13 trees equal refit mesh")
      .type_name("NAME");
  command.add_text(
      "--objects", "N,N,...",
      [args](const std::string& text) { args->objects = parse_counts("--objects", text, kMostRabbits); },
      "numbers of rabbits in GI-fig8 to 11; by default 2,4,8 and so on up to 256");
  cli::add_count(command, "-n", kMinRabbitLevels, kMaxRabbitLevels, args->levels,
                 "(2^N + 1)^2 vertices of a rabbit in GI-fig8 to 11")
      .default_str(std::to_string(args->levels));
  cli::add_count(command, "--frames", 1, kMaxFrames, args->frames, "of the rabbits' motion").default_str("3000");
  command.add_option("--mesh", args->mesh, "a closed mesh in place of the rabbit in GI-fig8 to 11, `trees` and `equal`")
      .type_name("FILE");
  command.add_flag("--quick", args->quick, "few sizes, frames and runs, to try it out");
  command.footer(
      "Examples:\n"
      "  lamella bench gi --table GI-fig9 --objects 32\n"
      "  lamella bench gi --mesh bunny.ply");
  on_call(command, args, status, [others](const GiArgs& gi) { run_gi(gi, others); });
}

void add_peers(const cli::Command& app, int& status, const peers::Libraries& others) {
  const auto args = std::make_shared<PeersArgs>();
  const cli::Command command =
      app.add_subcommand("peers", "The same works by other libraries, where the program has them");
  command.add_option("--work", args->work, "only this one: W1 W2 W3 W4").type_name("NAME");
  cli::add_count(command, "--rounds", kLeastRounds, kMostRounds, args->rounds, "in which each does the work once")
      .default_str("21");
  command.add_text(
      "--chart", "OUT.png",
      [args](const std::string& text) {
        args->chart = cli::check_extension("--chart", text, std::array<std::string_view, 1>{".png"});
      },
      "draw the times");
  command.add_flag("--quick", args->quick, "small meshes and few rounds, to try it out");
  command.footer(
      "Our answers are compared with those of CGAL; exit status 1 where one is wrong.\n"
      "Examples:\n"
      "  lamella bench peers --work W2\n"
      "  ./run bench peers --chart peers.png    # with the other libraries");
  on_call(command, args, status, [&status, others](const PeersArgs& given) {
    if (!run_peers(given, others)) status = kDisagrees;
  });
}

}  // namespace lamella::bench

void lamella::cli::add_bench(const cli::Command& app, int& status) {
  const cli::Command bench = app.add_subcommand("bench", "Tables beside the papers' own; how the cost scales");
  bench.require_subcommand();
  bench.footer("Examples:\n  lamella bench paper\n  lamella bench scaling --json");
  bench::add_paper(bench, status);
  bench::add_scaling(bench, status);
  bench::add_automatic(bench, status);
  bench::add_scene(bench, status);
  bench::add_gi(bench, status);
  bench::add_cuda(bench, status);
  bench::add_clash(bench, status);
  bench::add_peers(bench, status);
}
