#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "bench/engines.hpp"
#include "bench/paper/cases.hpp"
#include "cli/common.hpp"
#include "cli/demo/pictures.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/subcommands.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kPictureResolution = 512;

struct Args {
  std::filesystem::path out = "out";
  Options options;
};

/// A row of the demo's table is one of the papers' cases under a name of its own.
struct Act {
  std::string_view scene, table, row;
};

constexpr Act kActs[] = {{"hand and phone", "WSCG-1", "collision"},
                         {"hand with itself", "WSCG-1", "self-collision"},
                         {"knot and serpent", "TR-fig10", "knot/dragon"},
                         {"particles in the serpent", "WSCG-2", "high"}};

struct Result {
  std::string scene;
  PaperCase paper_case;
  std::size_t faces = 0;
  Measured measured;
};

struct Drawing {
  std::string_view file;
  picture::Image (*draw)(const Options&);
};

constexpr Drawing kDrawings[] = {{"hand_phone.png", draw_grip},
                                 {"knot_serpent.png", draw_knot_and_serpent},
                                 {"particles.png", draw_particles},
                                 {"overview.png", draw_overview}};

constexpr std::size_t kSteps = std::size(kActs) + std::size(kDrawings);

PaperCase find_case(const std::vector<PaperTable>& tables, const Act& act) {
  for (const PaperTable& table : tables) {
    for (const PaperCase& c : table.cases) {
      if (c.table == act.table && c.row == act.row) return c;
    }
  }
  throw Error(fmt::format("there is no case {} {}", act.table, act.row));
}

std::vector<Result> perform(const BenchEngine& engine, unsigned threads, Progress& progress) {
  const std::vector<PaperTable> tables = paper_tables();
  std::vector<Result> results;
  for (const Act& act : kActs) {
    progress.update(results.size(), kSteps);
    PaperCase paper_case = find_case(tables, act);
    TimedDetector detector(engine.options(paper_case.resolution, threads),
                           engine.gpu ? Supply::uploaded : Supply::view);
    const Workload workload = paper_case.make();
    results.push_back({std::string(act.scene), std::move(paper_case), workload.faces, measure(workload, detector)});
  }
  return results;
}

void draw(const Args& args, Progress& progress) {
  Options options = args.options;
  options.resolution = kPictureResolution;
  std::size_t done = std::size(kActs);
  for (const Drawing& drawing : kDrawings) {
    progress.update(done++, kSteps);
    picture::write_png(args.out / drawing.file, drawing.draw(options));
  }
}

std::string answer_text(const Result& result) {
  const PaperCase& c = result.paper_case;
  if (c.points == 0) return fmt::format("volume {:.6f}", result.measured.answer);
  return fmt::format("{} inside", grouped(static_cast<std::uint64_t>(result.measured.answer)));
}

std::string paper_text(const PaperFigures::Figure& figure) {
  return figure.max > 0 ? fmt::format("{} - {}", figure.ms, figure.max) : to_text(figure.ms);
}

std::string report_text(const std::vector<Result>& results, const BenchEngine& engine) {
  Table table{.columns = {{"scene"},
                          {"faces", true},
                          {"points", true},
                          {"grid", true},
                          {"answer", true},
                          {"ms", true},
                          {"paper ms", true},
                          {"speed-up", true},
                          {"paper"}},
              .rows = {}};
  for (const Result& r : results) {
    const PaperCase& c = r.paper_case;
    const PaperFigures::Figure figure = c.paper.to_beat(engine);
    table.rows.push_back({r.scene, grouped(r.faces), c.points > 0 ? grouped(c.points) : "-",
                          fmt::format("{0} x {0}", c.resolution), answer_text(r),
                          fmt::format("{:.3f}", r.measured.total), paper_text(figure),
                          fmt::format("{:.0f} x", figure.ms / r.measured.total), fmt::format("{} {}", c.table, c.row)});
  }
  return to_text(table) +
         "Times are medians. Of the hand they are over the whole closing grip, and the volumes are the largest in it.\n"
         "The papers used a Pentium 4; their 520k-face dragon is our serpent.\n";
}

nlohmann::ordered_json report_json(const std::vector<Result>& results, const BenchEngine& engine) {
  nlohmann::ordered_json scenes = nlohmann::ordered_json::array();
  for (const Result& r : results) {
    const PaperCase& c = r.paper_case;
    nlohmann::ordered_json row{{"scene", r.scene},
                               {"faces", r.faces},
                               {"points", c.points},
                               {"resolution", c.resolution},
                               {"engine", engine.name}};
    row[c.points > 0 ? "inside" : "volume"] = r.measured.answer;
    row["ms"] = {
        {"ldi", rounded(r.measured.ldi)}, {"query", rounded(r.measured.query)}, {"total", rounded(r.measured.total)}};
    row["paper_ms"] = c.paper.to_beat(engine).ms;
    row["paper"] = fmt::format("{} {}", c.table, c.row);
    scenes.push_back(std::move(row));
  }
  return {{"demo", std::move(scenes)}};
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!std::filesystem::is_directory(folder, failure) || ::access(folder.c_str(), W_OK) != 0) {
    throw Error(fmt::format("--out: {}: cannot be written; name a folder that can", folder.string()));
  }
}

void run(const Args& args) {
  const BenchEngine engine = bench_engines(args.options.engine, args.options.device).front();
  make_folder(args.out);
  std::vector<Result> results;
  {
    Progress progress("demo");
    results = perform(engine, args.options.threads, progress);
    draw(args, progress);
  }
  const std::string text = describe_machine({engine}) + "\n" + report_text(results, engine);
  write_file(args.out / "report.txt", text);
  write_file(args.out / "report.json", report_json(results, engine).dump(2) + "\n");
  fmt::print("{}\nPictures, drawn from finer models at {} x {}, and the report:\n", text, kPictureResolution,
             kPictureResolution);
  for (const Drawing& drawing : kDrawings) fmt::print("  {}\n", (args.out / drawing.file).string());
  fmt::print("  {}\n  {}\n", (args.out / "report.txt").string(), (args.out / "report.json").string());
}

}  // namespace

void add_demo(CLI::App& app, int& status) {
  const auto args = std::make_shared<Args>();
  CLI::App* command = app.add_subcommand("demo", "Built-in scenes: a table beside the papers' figures, and pictures");
  command->add_option("--out", args->out, "folder for the pictures and the report; made when missing")
      ->type_name("DIR")
      ->capture_default_str();
  add_engine_option(*command, args->options.engine);
  add_device_option(*command, args->options.device);
  add_threads_option(*command, args->options.threads);
  command->footer("Example:\n  lamella demo --out pictures");
  command->callback([args, &status] {
    run(*args);
    status = kAnswered;
  });
}

}  // namespace lamella::cli
