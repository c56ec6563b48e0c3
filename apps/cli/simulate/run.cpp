#include "cli/simulate/run.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <optional>

#include "cli/common.hpp"
#include "cli/html/report.hpp"
#include "cli/interrupt.hpp"
#include "cli/picture_options.hpp"
#include "cli/progress.hpp"
#include "cli/simulate/figures.hpp"
#include "cli/simulate/film.hpp"
#include "cli/simulate/picture.hpp"
#include "lamella/error.hpp"
#include "picture/film.hpp"
#include "picture/font.hpp"

namespace lamella::cli {
namespace {

/// A number that was filled up with spaces, which become as wide as digits: what follows stays in its place.
std::string in_place(std::string_view number) {
  std::string out;
  for (const char c : number) c == ' ' ? out.append(picture::kFigureSpace) : out.append(1, c);
  return out;
}

/// Where pictures go: into one animation, into a folder, into a page, or nowhere.
class Camera {
 public:
  Camera(std::string name, const SimulateArgs& args)
      : name_(std::move(name)),
        args_(args),
        look_{.file = {}, .size = args.size, .up = args.up, .view = args.view, .drawn = {}} {
    const auto frame_ms = static_cast<unsigned>(std::lround(args.every * 1000 / kFrameRate));
    if (!args.picture.empty()) animation_ = picture::make_film(args.picture, {.frame_ms = frame_ms});
    if (!args.html.empty()) film_.emplace(kFrameRate / args.every);
    if (args.frames_dir.empty()) return;
    std::error_code failure;
    std::filesystem::create_directories(args.frames_dir, failure);
    if (!std::filesystem::is_directory(args.frames_dir) || ::access(args.frames_dir.c_str(), W_OK) != 0) {
      throw Error(fmt::format("{}: no pictures can be written there; name a folder", args.frames_dir.string()));
    }
  }

  [[nodiscard]] bool wants(std::uint32_t frame) const { return (film_ || draws()) && frame % args_.every == 0; }

  void take(std::uint32_t frame, const simulate::Drawing& drawing, const simulate::Figures& figures) {
    if (film_) film_->add(drawing, frame_json({frame, figures, 0}));
    if (!draws()) return;
    const std::vector<std::string> captions{
        fmt::format("{}, {}{}{}", name_, counted(figures.objects, "object"), drawing.note.empty() ? "" : ", ",
                    drawing.note),
        fmt::format("{} s   pairs {}   {} {}", in_place(fmt::format("{:5.2f}", frame / kFrameRate)),
                    in_place(fmt::format("{:<4}", figures.pairs)),
                    figures.images ? "tests"
                    : figures.soft ? "contacts"
                                   : "points",
                    figures.images ? figures.sphere_tests + figures.triangle_tests
                    : figures.soft ? figures.contacts
                                   : figures.points)};
    picture::Picture out = look_.blank(captions);
    out.view_fixed = args_.up || args_.view;
    const picture::Image image = draw_simulation(drawing, std::move(out), args_.options.scene.threads);
    if (animation_) animation_->add(image);
    if (!args_.frames_dir.empty()) {
      // Thousands of files that the same command makes again: not worth a wait for the disk at each.
      picture::write_png(args_.frames_dir / fmt::format("frame_{:06}.png", frame), image, {.sync = false});
    }
  }

  void finish() {
    if (animation_) animation_->finish();
  }
  /// With --html.
  [[nodiscard]] const Film& film() const { return *film_; }

 private:
  [[nodiscard]] bool draws() const { return animation_ || !args_.frames_dir.empty(); }

  std::string name_;
  const SimulateArgs& args_;
  const PictureArgs look_;
  std::unique_ptr<picture::Film> animation_;
  std::optional<Film> film_;
};

Report report_of(const std::string& name, const Film& film, const std::vector<FrameFigures>& frames) {
  Report report{.kind = "simulate",
                .title = fmt::format("{}, {}", name, counted(frames.size(), "frame")),
                .answer = summary_json(name, frames),
                .text = printed([&] { print_summary(name, frames); }),
                .notes = film.notes()};
  report.options["name"] = name;
  report.more["frames"] = film.finish(report.packet);
  return report;
}

}  // namespace

int simulate(const std::string& name, const SimulateArgs& args) {
  const Interrupt interrupt;
  std::optional<NewFile> csv;  // now: minutes of work must not end in a file that cannot be written
  if (!args.csv.empty()) csv.emplace(args.csv);
  const std::unique_ptr<HtmlFile> html = html_file(args.html);
  Camera camera(name, args);
  std::vector<FrameFigures> frames;
  {
    Progress progress(name);
    const auto simulation = simulate::make_simulation(name, args.options);
    simulate::Drawing drawing;
    simulation->draw(drawing);
    if (camera.wants(0)) camera.take(0, drawing, simulation->figures());
    bool last = false;
    for (std::uint32_t frame = 1; !last; ++frame) {
      simulation->step();
      last = frame == args.frames || interrupt.signal() != 0;
      frames.push_back({frame, simulation->figures(), 0});
      const bool picture = camera.wants(frame);
      if (picture || !args.csv.empty() || last) {
        simulation->draw(drawing);
        frames.back().state = hash_of(drawing);
      }
      if (picture) camera.take(frame, drawing, frames.back().figures);
      progress.update(frame, args.frames);
    }
  }
  camera.finish();
  if (csv) {
    csv->write(to_csv(frames));
    csv->commit();
  }
  if (html) html->write(report_of(name, camera.film(), frames));
  args.json ? print_json(summary_json(name, frames)) : print_summary(name, frames);
  return interrupt.status(kAnswered, frames.size(), args.frames, "frame");
}

}  // namespace lamella::cli
