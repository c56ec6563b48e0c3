#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common.hpp"
#include "cli/figure/figures.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/subcommands.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"
#include "picture/animation.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostFrames = 10'000;
constexpr unsigned kFrameMs = 50;  ///< that each frame of an animation is shown

struct Args {
  std::string name;
  std::filesystem::path output;  ///< empty: the figure's name
  picture::Size size;            ///< 0 x 0: the figure's own
  std::optional<std::uint32_t> frames;
  Options options;
  std::optional<std::uint32_t> resolution;
  bool quick = false, json = false;
};

/// What was drawn.
struct Result {
  std::uint32_t frames = 0;
  std::vector<double> ms;  ///< of each detection that was timed
};

const Figure& find(const std::string& name) {
  std::vector<std::string> names;
  for (const Figure& figure : figures()) {
    if (figure.name == name) return figure;
    names.emplace_back(figure.name);
  }
  throw Error(
      fmt::format("there is no figure '{}'{} (`lamella figure` says what they show)", name, suggestion(name, names)));
}

/// Where what is drawn goes: one picture, or an animated one. The file appears at the end, or not at all.
class Output {
 public:
  Output(const std::filesystem::path& path, bool animated) : path_(path) {
    if (animated) animation_.emplace(path, picture::FilmOptions{.frame_ms = kFrameMs, .hold_ms = kFrameMs});
  }
  void add(const picture::Image& image) {
    animation_ ? animation_->add(image) : picture::write_png(path_, image);
    ++frames_;
  }
  void finish() {
    if (animation_) animation_->finish();
  }
  [[nodiscard]] std::uint32_t frames() const { return frames_; }

 private:
  std::filesystem::path path_;
  std::optional<picture::Animation> animation_;
  std::uint32_t frames_ = 0;
};

/// `interrupt` is null for a figure that stands still: it has nothing to finish.
Result draw(const Figure& figure, const Args& args, const std::filesystem::path& path, const Interrupt* interrupt) {
  Result drawn;
  const bool animated = figure.frames > 1;
  Output output(path, animated);
  Progress progress(figure.name);
  FigureTask task;
  task.size = args.size.width != 0 ? args.size : figure.size;
  task.frames = args.frames.value_or(figure.frames);
  task.options = args.options;
  task.resolution_given = args.resolution.has_value();
  task.options.resolution = args.resolution.value_or(task.options.resolution);
  task.quick = args.quick;
  task.add = [&](const picture::Image& image) {
    output.add(image);
    if (animated) progress.update(output.frames(), task.frames);
    return interrupt == nullptr || interrupt->signal() == 0;
  };
  task.measured = [&](double ms) { drawn.ms.push_back(ms); };
  task.progress = [&](std::uint64_t done, std::uint64_t total) {
    if (!animated) progress.update(done, total);
  };
  figure.draw(task);
  output.finish();
  drawn.frames = output.frames();
  return drawn;
}

struct Spread {
  double median = 0, max = 0;
};

Spread spread_of(std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  return {ms[ms.size() / 2], ms.back()};
}

void print_text(const Figure& figure, const Result& drawn, const std::filesystem::path& path) {
  print_line("figure", fmt::format("{}: {}", figure.paper, figure.shows));
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  print_line("file", fmt::format("{}, {:.1f} MB{}", path.string(), megabytes,
                                 drawn.frames > 1 ? fmt::format(", {} frames", drawn.frames) : ""));
  if (!drawn.ms.empty()) {
    const Spread ms = spread_of(drawn.ms);
    print_line("detection", drawn.ms.size() == 1
                                ? fmt::format("{:.2f} ms", ms.median)
                                : fmt::format("{:.2f} ms a frame (median), at most {:.2f}: {:.0f} frames a second",
                                              ms.median, ms.max, 1000 / ms.median));
  }
  print_line("your own", fmt::format("lamella {}", figure.command));
}

nlohmann::ordered_json figure_json(const Figure& figure) {
  return {{"name", figure.name},
          {"paper", figure.paper},
          {"shows", figure.shows},
          {"frames", figure.frames},
          {"command", figure.command}};
}

void print_drawn_json(const Figure& figure, const Result& drawn, const std::filesystem::path& path) {
  nlohmann::ordered_json out{{"query", "figure"}};
  out.update(figure_json(figure));
  out["frames"] = drawn.frames;
  if (!drawn.ms.empty()) {
    const Spread ms = spread_of(drawn.ms);
    out["ms"] = {{"median", ms.median}, {"max", ms.max}};
  }
  out["output"] = path.string();
  out["bytes"] = std::filesystem::file_size(path);
  print_json(out);
}

void list(const Args& args) {
  if (args.json) {
    nlohmann::ordered_json out{{"query", "figure"}, {"figures", nlohmann::ordered_json::array()}};
    for (const Figure& figure : figures()) out["figures"].push_back(figure_json(figure));
    return print_json(out);
  }
  Table table{.columns = {{"figure"}, {"of"}, {"shows"}}, .rows = {}};
  for (const Figure& figure : figures()) {
    table.rows.push_back({std::string(figure.name), std::string(figure.paper), std::string(figure.shows)});
  }
  fmt::print("{}\nDraw one: lamella figure tr395-8 -o boxes.png\n", to_text(table));
}

int run(const Args& args) {
  if (args.name.empty()) {
    if (!args.output.empty()) throw Error("-o: which figure? `lamella figure` lists them");
    list(args);
    return kAnswered;
  }
  const Figure& figure = find(args.name);
  if (args.frames && figure.frames == 1) {
    throw Error(fmt::format("--frames: {} stands still; leave it out", figure.name));
  }
  std::filesystem::path path = args.output;
  if (path.empty()) path = fmt::format("{}.png", figure.name);
  std::optional<Interrupt> interrupt;
  if (figure.frames > 1) interrupt.emplace();
  const Result drawn = draw(figure, args, path, interrupt ? &*interrupt : nullptr);
  args.json ? print_drawn_json(figure, drawn, path) : print_text(figure, drawn, path);
  if (!interrupt) return kAnswered;
  return interrupt->status(kAnswered, drawn.frames, args.frames.value_or(figure.frames), "frame");
}

void add_options(const Command& command, Args& args) {
  command.add_option("NAME", args.name, "which; none: all are listed").type_name("");
  command.options_under("Picture");
  command.add_text(
      "-o,--output", "OUT.png",
      [&](const std::string& text) {
        args.output = check_extension("-o", text, std::array<std::string_view, 1>{".png"});
      },
      "what to write; by default NAME.png");
  add_size_option(command, args.size, "the figure's own");
  add_count(command, "--frames", 1, kMostFrames, args.frames, "how many, of a figure that moves");
  command.add_flag("--quick", args.quick, "coarse models, to see soon what it will show");
  command.options_under("Sampling");
  add_engine_option(command, args.options.engine);
  add_device_option(command, args.options.device);
  add_count(command, "--resolution", 1, kMaxResolution, args.resolution, "N x N columns; by default the figure's own");
  add_threads_option(command, args.options.threads);
  command.options_under("Answer");
  command.add_flag("--json", args.json, "one JSON object on stdout");
}

}  // namespace

void add_figure(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("figure", "The papers' figures: what there is, or one drawn");
  add_options(command, *args);
  command.footer(
      "Built-in models stand in for those of the papers, with as many faces.\n"
      "Each figure also says which command draws the like of your own meshes.\n\n"
      "Examples:\n"
      "  lamella figure\n"
      "  lamella figure tr395-8 -o boxes.png\n"
      "  lamella figure tr395-1 --frames 24 --size 320x288 -o deforming.png");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
