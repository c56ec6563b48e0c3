#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cli/common.hpp"
#include "cli/html/report.hpp"
#include "cli/interrupt.hpp"
#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/repair_input.hpp"
#include "cli/scene/answer.hpp"
#include "cli/scene/file.hpp"
#include "cli/scene/options.hpp"
#include "cli/scene/picture.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"
#include "lamella/error.hpp"
#include "lamella/scene.hpp"
#include "picture/film.hpp"

namespace lamella::cli {
namespace {

constexpr unsigned kFrameMs = 50;

struct Args {
  std::vector<std::string> files;
  SceneOptions options;
  SamplingGiven given;
  std::optional<std::uint32_t> frames, frame;
  bool json = false, exit_zero = false, no_points = false, any_path = false, as_is = false;
  std::optional<double> scale;
  std::optional<Split> split;
  PictureArgs picture;
  std::filesystem::path html;
};

bool is_scene_file(const std::string& path) { return has_extension(path, std::array<std::string_view, 1>{".json"}); }

SceneFile load(const Args& args) {
  for (const std::string& path : args.files) {
    if (is_scene_file(path) && args.files.size() > 1) {
      throw Error(fmt::format("{}: a scene file stands alone; name the other meshes in it, or give meshes only", path));
    }
  }
  if (!is_scene_file(args.files.front())) {
    return scene_of_meshes(args.files, args.scale.value_or(1), args.split.value_or(Split::automatic));
  }
  if (args.split) throw Error("--split: is for meshes; in a scene file each mesh has a \"split\" of its own");
  if (args.scale) throw Error("--scale: is for meshes; in a scene file each object has a \"scale\" of its own");
  return read_scene_file(args.files.front(), args.any_path ? SceneFiles::anywhere : SceneFiles::in_its_folder);
}

/// What the file says about sampling counts where the command line says nothing.
SceneOptions options_for(const Args& args, const SceneFile& file) {
  SceneOptions options = args.options;
  if (args.no_points) options.points = false;
  options.close_holes = !args.as_is;
  apply_method(options, args.given);
  if (args.given.any()) return options;
  if (file.cell) options.cell = *file.cell;
  if (file.resolution) options.resolution = *file.resolution;
  if (file.screen) options.screen = *file.screen;
  return options;
}

std::string title_of(const Args& args) {
  const std::filesystem::path first = args.files.front();
  return args.files.size() > 1 ? fmt::format("{} meshes", args.files.size())
                               : file_name(first.has_filename() ? first : first.parent_path());
}

/// With a frame's number the lines keep their lengths: the letters' size, and with it the view, follows from them.
picture::Picture captioned(const Args& args, const SceneResult& result, std::optional<std::uint32_t> frame) {
  const std::string name = title_of(args);
  if (frame) {
    return args.picture.blank({fmt::format("{}, frame {:<6}", name, *frame),
                               fmt::format("pairs {:<6}   points {:<8}", result.pairs.size(), result.points.size())});
  }
  return args.picture.blank(
      {name, fmt::format("{}, {}", counted(result.pairs.size(), "pair"), counted(result.points.size(), "point"))});
}

std::vector<std::string> names_of(const SceneFile& file) {
  std::vector<std::string> names;
  for (const SceneObject& object : file.objects) names.push_back(object.label.empty() ? object.name : object.label);
  return names;
}

SceneLook look_of(const Args& args, std::vector<std::string> names, std::optional<Aabb> view) {
  return {.contacts = args.picture.drawn == Drawn::contacts, .names = std::move(names), .view = view};
}

constexpr std::string_view kOneObject =
    "the file is one object, which meets nothing; --split components makes each connected part an object";

bool is_one_object(const Args& args, const SceneFile& file) {
  return file.objects.size() == 1 && !is_scene_file(args.files.front()) && args.split != Split::components;
}

nlohmann::ordered_json names_json(const SceneFile& file) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const SceneObject& object : file.objects) names.push_back(object.name);
  return names;
}

void print_text(const Args& args, const SceneResult& result, const SceneSubjects& subjects) {
  print_scene(result, subjects);
  if (is_one_object(args, subjects.file)) print_line("hint", kOneObject);
}

/// The answer of one frame, to `sink`.
void write_json(const SceneResult& result, const SceneSubjects& subjects, std::optional<std::uint32_t> frame,
                const std::function<void(std::string_view)>& sink) {
  SceneJsonEnds ends{.head = {{"query", "scene"}, {"objects", result.object_count}}, .tail = {}};
  if (frame) ends.tail["frame"] = *frame;
  ends.tail["names"] = names_json(subjects.file);
  write_scene_json(result, subjects, ends, sink);
}

/// What the page asks the same with.
nlohmann::ordered_json options_json(const SceneOptions& options) {
  const SceneOptions usual;
  nlohmann::ordered_json out{{"resolution", options.resolution}};
  if (options.engine != usual.engine) out["engine"] = options.engine;
  if (options.axis) out["axis"] = std::string(1, "xyz"[static_cast<int>(*options.axis)]);
  if (const auto& s = options.screen) out["screen"] = {s->eye.x, s->eye.y, s->eye.z, s->pixel_angle};
  if (options.views != usual.views) out["views"] = options.views;
  if (options.normals != usual.normals) out["normals"] = "neighbours";
  if (options.threshold != usual.threshold) out["threshold"] = shortest(options.threshold);
  if (options.max_crossings != usual.max_crossings) out["max_crossings"] = options.max_crossings;
  if (options.cell > 0) out["cell"] = shortest(options.cell);
  if (options.max_contacts != usual.max_contacts) out["max_contacts"] = options.max_contacts;
  if (options.tolerance && options.tolerance->relative > 0) out["tolerance"]["relative"] = options.tolerance->relative;
  if (options.tolerance && options.tolerance->absolute > 0) out["tolerance"]["absolute"] = options.tolerance->absolute;
  if (options.certify) out["certify"] = true;
  if (options.self_overlap) out["self"] = true;
  if (!options.close_holes) out["as_is"] = true;
  return out;
}

Report report_of(const Args& args, const Scene& scene, const SceneResult& result, const SceneSubjects& subjects,
                 std::optional<std::uint32_t> frame) {
  constexpr std::size_t kMostPoints = 20'000;
  Report report{.kind = "scene",
                .title = title_of(args),
                .text = printed([&] { print_text(args, result, subjects); }),
                .options = options_json(subjects.options)};
  const bool many = result.points.size() > kMostPoints;
  SceneResult without;
  if (many) {
    without = result;
    without.points.clear();
    report.notes.push_back(
        fmt::format("The {} are not here: --json has them.", counted(result.points.size(), "collision point")));
  }
  std::string text;
  write_json(many ? without : result, subjects, frame, [&](std::string_view piece) { text += piece; });
  report.answer = nlohmann::ordered_json::parse(text);
  for (std::uint32_t i = 0; i < subjects.file.objects.size(); ++i) {
    const SceneObject& object = subjects.file.objects[i];
    report.objects.push_back({.name = is_model(object.label) ? object_name(object.label) : object.label,
                              .mesh = scene.mesh(ObjectId{i}),
                              .pose = scene.pose(ObjectId{i}),
                              .source = source_json(subjects.file.mesh_files[object.mesh])});
  }
  return report;
}

/// One answer.
int run_once(const Args& args, HtmlFile* html, Scene& scene, const SceneSubjects& subjects, std::uint32_t frame) {
  go_to_frame(scene, subjects.file, frame);
  const SceneResult& result = scene.collide();
  const auto shown = subjects.file.frames > 1 || args.frame ? std::optional(frame) : std::nullopt;
  if (args.picture.wanted()) {
    picture::write_png(args.picture.file, draw_scene(scene, result, look_of(args, names_of(subjects.file), {}),
                                                     captioned(args, result, shown), args.options.threads));
  }
  if (html != nullptr) html->write(report_of(args, scene, result, subjects, shown));
  if (args.json) {
    write_json(result, subjects, shown, print);
    print("\n");
  } else {
    print_text(args, result, subjects);
  }
  return status_of(result.verdict, args.exit_zero);
}

std::string frame_text(const SceneResult& result, const SceneSubjects& subjects, std::uint32_t frame) {
  std::string text;
  const SceneJsonEnds ends{.head = {{"frame", frame}}, .tail = nlohmann::ordered_json::object(), .engine = false};
  write_scene_json(result, subjects, ends, [&](std::string_view piece) { text += piece; });
  return text;
}

/// What all frames of a scene found.
struct FrameAnswers {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< that collide in some frame
  bool undecided = false;                                   ///< some pair is, in some frame
  std::vector<FrameRow> rows;                               ///< for people, or
  std::vector<std::string> texts;                           ///< JSON: as values they would take many times the memory

  [[nodiscard]] Verdict verdict() const {
    return !pairs.empty() ? Verdict::colliding : undecided ? Verdict::undecided : Verdict::clear;
  }
};

void print_frames_json(const FrameAnswers& answers, const SceneResult& last, const SceneSubjects& subjects) {
  nlohmann::ordered_json out{{"query", "scene"}, {"objects", subjects.file.objects.size()}};
  out["pairs"] = nlohmann::ordered_json::array();
  for (const auto& [a, b] : answers.pairs) out["pairs"].push_back({a, b});
  out["colliding"] = !answers.pairs.empty();
  out["engine"] = last.engine;
  out["names"] = names_json(subjects.file);
  out["verdict"] = to_string(answers.verdict());
  std::string text = to_line(out);
  text.back() = ',';
  fmt::print("{}\"frames\":[", text);
  for (std::size_t i = 0; i < answers.texts.size(); ++i) fmt::print("{}{}", i == 0 ? "" : ",", answers.texts[i]);
  fmt::print("]}}\n");
}

int run_frames(const Args& args, HtmlFile* html, Scene& scene, const SceneSubjects& subjects, std::uint32_t count) {
  const Interrupt interrupt;
  std::unique_ptr<picture::Film> animation;
  if (args.picture.wanted()) animation = picture::make_film(args.picture.file, {.frame_ms = kFrameMs});
  // Without labels: their places would jump from frame to frame.
  const SceneLook look = animation ? look_of(args, {}, view_of(subjects.file, 0, count)) : SceneLook{};
  FrameAnswers answers;
  const SceneResult* result = nullptr;
  std::uint32_t done = 0;
  {
    Progress progress("frames");
    while (done < count && interrupt.signal() == 0) {
      go_to_frame(scene, subjects.file, done);
      result = &scene.collide();
      for (const ScenePair& p : result->pairs) answers.pairs.emplace(p.a.number, p.b.number);
      answers.undecided = answers.undecided || !result->undecided.empty();
      if (html != nullptr && done == 0) {
        Report report = report_of(args, scene, *result, subjects, done);
        report.notes.push_back(
            fmt::format("This is the first of {}; --frame N shows another.", counted(count, "frame")));
        html->write(std::move(report));
      }
      if (args.json) {
        answers.texts.push_back(frame_text(*result, subjects, done));
      } else {
        answers.rows.push_back(frame_row(done, *result, subjects));
      }
      if (animation) {
        animation->add(draw_scene(scene, *result, look, captioned(args, *result, done), args.options.threads));
      }
      progress.update(++done, count);
    }
  }
  if (result != nullptr) {
    if (animation) animation->finish();
    args.json ? print_frames_json(answers, *result, subjects) : print_frames(answers.rows, *result, subjects);
  }
  return interrupt.status(status_of(answers.verdict(), args.exit_zero), done, count, "frame");
}

int run(const Args& args) {
  hint_at_up(args.picture, args.files);
  const std::unique_ptr<HtmlFile> html = html_file(args.html);
  const Stopwatch loading;
  const SceneFile file = load(args);
  if ((args.frames || args.frame) && !is_scene_file(args.files.front())) {
    throw Error("--frames and --frame are for scene files: meshes alone do not move");
  }
  if (args.frame && *args.frame >= file.frames) {
    throw Error(fmt::format("--frame: {} is beyond the last: {} has {}, counted from 0", *args.frame,
                            args.files.front(), counted(file.frames, "frame")));
  }
  const SceneSubjects subjects{file, options_for(args, file), loading.ms()};
  Scene scene(subjects.options);
  fill(scene, file);
  const std::uint32_t count = args.frame ? 1 : args.frames.value_or(file.frames);
  if (count == 1 && args.picture.wanted()) {
    (void)check_extension("--picture", args.picture.file.string(), std::array<std::string_view, 1>{".png"});
  }
  if (count == 1) return run_once(args, html.get(), scene, subjects, args.frame.value_or(0));
  return run_frames(args, html.get(), scene, subjects, count);
}

}  // namespace

void add_scene(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command =
      app.add_subcommand("scene", "Many objects: colliding pairs, shared volumes, collision points");
  command
      .add_option("MESH|SCENE", args->files,
                  "meshes, folders of meshes, or model:NAME, each an object or several; or one scene file: .json")
      .required()
      .type_name("");
  command.options_under("Objects");
  command.add_text(
      "--scale", "S", [args](const std::string& text) { args->scale = parse_scale("--scale", text); },
      "make all meshes S times as large; not for scene files");
  add_split_option(command, args->split,
                   "which parts of a file are objects: auto: OBJ objects or closed groups, glTF nodes");
  add_count(command, "--frames", 1, kMaxFrames, args->frames, "of a scene file, instead of its own number");
  add_count(command, "--frame", 0, kMaxFrames, args->frame, "only this one, from 0 on");
  command.option("--frames").excludes(command.option("--frame"));
  command.add_flag("--allow-any-path", args->any_path,
                   "a scene file may name files outside its folder: for scenes that you trust");
  add_scene_options(command, args->options, args->given);
  command.add_flag("--strict", args->options.strict, "an undecided pair, or a mesh with defects, is an error");
  command.add_flag("--as-is", args->as_is, "do not close the holes of meshes before sampling");
  add_repair_option(command);
  add_memory_option(command);
  command.options_under("Answer");
  command.add_flag("--self", args->options.self_overlap, "also tell which objects overlap themselves");
  command.add_flag("--no-points", args->no_points, "pairs and contacts only");
  command.add_flag("--json", args->json, "one JSON object on stdout");
  command.add_flag("--exit-zero", args->exit_zero, "exit status 0 whenever there is an answer");
  add_html_option(command, args->html);
  add_picture_options(command, args->picture, "draw objects and what they share; a film of several frames", true);
  add_draw_option(command, args->picture.drawn, {Drawn::volume, Drawn::contacts},
                  "the shared volumes; or collision points and contact normals");
  command.footer(
      "Examples:\n"
      "  lamella scene model:hand model:phone model:mouse model:hat --picture four.png\n"
      "  lamella scene assembly.glb\n"
      "  lamella scene parts/ --split none\n"
      "  lamella scene room.json --cell 0.01 --picture room.png\n"
      "  lamella scene model:mouse model:hat --method jang\n"
      "  lamella scene assembly.glb --html assembly.html\n"
      "docs/scene-file.md describes scene files.");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
