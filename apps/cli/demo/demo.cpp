#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/common.hpp"
#include "cli/demo/acts.hpp"
#include "cli/demo/pictures.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/subcommands.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kPictureResolution = 512;

struct Args {
  std::filesystem::path out = "out";
  Options options;
};

struct Drawing {
  std::string_view file;
  picture::Image (*draw)(const Options&);
};

constexpr Drawing kDrawings[] = {{"hand_phone.png", draw_grip},
                                 {"knot_serpent.png", draw_knot_and_serpent},
                                 {"particles.png", draw_particles},
                                 {"overview.png", draw_overview}};

void draw(const Args& args, const std::function<void()>& done) {
  Options options = args.options;
  options.resolution = kPictureResolution;
  for (const Drawing& drawing : kDrawings) {
    picture::write_png(args.out / drawing.file, drawing.draw(options));
    done();
  }
}

std::string answer_text(const Act& act) {
  if (act.points == 0) return fmt::format("volume {:.6f}", act.answer);
  return fmt::format("{} inside", grouped(static_cast<std::uint64_t>(act.answer)));
}

std::string paper_text(const Act& act) {
  return act.paper_max_ms > 0 ? fmt::format("{} - {}", act.paper_ms, act.paper_max_ms) : to_text(act.paper_ms);
}

std::string report_text(const std::vector<Act>& acts) {
  Table table{.columns = {{"scene"},
                          {"faces", true},
                          {"points", true},
                          {"grid", true},
                          {"answer", true},
                          {"engine"},
                          {"ms", true},
                          {"paper ms", true},
                          {"speed-up", true},
                          {"paper"}},
              .rows = {}};
  for (const Act& act : acts) {
    table.rows.push_back({act.scene, grouped(act.faces), act.points > 0 ? grouped(act.points) : "-",
                          fmt::format("{0} x {0}", act.resolution), answer_text(act), act.engine,
                          fmt::format("{:.3f}", act.total_ms), paper_text(act),
                          fmt::format("{:.0f} x", act.paper_ms / act.total_ms), act.paper});
  }
  return fmt::format(
      "{}\n\n{}Times are medians. Of the hand they are over the whole closing grip, and the volumes are the largest "
      "in it.\nThe papers' figures are of their software on a Pentium 4; their 520k-face dragon is our serpent.\n",
      machine_text(), to_text(table));
}

nlohmann::ordered_json report_json(const std::vector<Act>& acts) {
  nlohmann::ordered_json scenes = nlohmann::ordered_json::array();
  for (const Act& act : acts) {
    nlohmann::ordered_json row{{"scene", act.scene},
                               {"faces", act.faces},
                               {"points", act.points},
                               {"resolution", act.resolution},
                               {"engine", act.engine}};
    row[act.points > 0 ? "inside" : "volume"] = act.answer;
    row["ms"] = {{"ldi", act.ms.voi + act.ms.ldi}, {"query", act.ms.query}, {"total", act.total_ms}};
    row["paper_ms"] = act.paper_ms;
    row["paper"] = act.paper;
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
  // Throws what keeps the engine from working, before a folder is made.
  (void)make_engine(args.options)->bounds(MeshView{});
  make_folder(args.out);
  std::vector<Act> acts;
  {
    Progress progress("demo");
    std::size_t steps = 0;
    const auto done = [&] { progress.update(++steps, act_count() + std::size(kDrawings)); };
    acts = perform(args.options, done);
    draw(args, done);
  }
  const std::string text = report_text(acts);
  write_file(args.out / "report.txt", text);
  write_file(args.out / "report.json", report_json(acts).dump(2) + "\n");
  fmt::print("{}\nPictures, drawn from finer models at {} x {}, and the report:\n", text, kPictureResolution,
             kPictureResolution);
  const auto print_path = [&](std::string_view file) { fmt::print("  {}\n", printable((args.out / file).string())); };
  for (const Drawing& drawing : kDrawings) print_path(drawing.file);
  print_path("report.txt");
  print_path("report.json");
}

}  // namespace

void add_demo(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command =
      app.add_subcommand("demo", "Built-in scenes: a table beside the papers' figures, and pictures");
  command.add_option("--out", args->out, "folder for the pictures and the report; made when missing")
      .type_name("DIR")
      .default_str(args->out.string());
  add_engine_option(command, args->options.engine);
  add_device_option(command, args->options.device);
  add_threads_option(command, args->options.threads);
  command.footer("Example:\n  lamella demo --out pictures");
  command.callback([args, &status] {
    run(*args);
    status = kAnswered;
  });
}

}  // namespace lamella::cli
