#include "cli/clash/options.hpp"

#include <fmt/core.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "cli/clash/words.hpp"
#include "cli/html/report.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/parse.hpp"
#include "cli/repair_input.hpp"
#include "cli/scene/options.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

double parse_length(const std::string& option, const std::string& text) {
  constexpr double kMost = 1e12;
  const auto value = number_in<double>(text);
  if (!value || !(*value >= 0 && *value <= kMost)) {
    throw Error(
        fmt::format("{}: '{}' is no length: a number from 0 to {:g}, in the unit of the files", option, text, kMost));
  }
  return *value;
}

void add_length(const Command& command, const std::string& name, std::optional<double>& target,
                const std::string& description) {
  command.add_text(
      name, "X", [name, &target](const std::string& text) { target = parse_length(name, text); }, description);
}

void add_output(const Command& command, const std::string& name, const std::vector<std::string_view>& extensions,
                std::filesystem::path& target, const std::string& description) {
  command.add_text(
      name, "OUT" + std::string(extensions.front()),
      [name, extensions, &target](const std::string& text) { target = check_extension(name, text, extensions); },
      description);
}

void add_parts(const Command& command, ClashArgs& args) {
  command
      .add_option("MESH|SCENE", args.input.files,
                  "meshes, folders of meshes (those below them too), or model:NAME, each a part or several; or one "
                  "scene file: .json")
      .required()
      .type_name("");
  command.options_under("Parts");
  command.add_text(
      "--units", std::string(kUnitWords), [&](const std::string& text) { args.unit = parse_unit(text); },
      "what the numbers of the files are in");
  command.add_text(
      "--scale", "S", [&](const std::string& text) { args.input.scale = parse_scale("--scale", text); },
      "make all meshes S times as large; not for scene files");
  add_split_option(command, args.input.split,
                   "what of a file is a part: auto: OBJ objects or closed groups, glTF nodes");
  command.add_flag("--allow-any-path", args.input.any_path,
                   "a scene file may name files outside its folder: for scenes that you trust");
  add_repair_option(command);
  command.add_flag("--as-is", args.as_is, "do not close the holes of meshes before sampling");
  add_memory_option(command);
}

void add_rules(const Command& command, ClashArgs& args) {
  command.options_under("Rules");
  command.add_option("--rules", args.rules, "which pairs to ignore, which overlaps are allowed, which gaps too small")
      .type_name("RULES.json");
  command
      .add_option("--ignore", args.ignored,
                  "do not test pairs of these two sets: 'bolt*,group:housing'; may be repeated")
      .type_name("A,B");
  add_length(command, "--clearance", args.clearance, "parts closer than X are near (default 0, or that of --rules)");
  add_length(command, "--touch", args.touch,
             "gaps and overlaps up to X are only touching (default 0, or that of --rules)");
  command.add_option("--baseline", args.baseline, "an earlier --json of this command: tell what is new, changed, gone")
      .type_name("OLD.json");
  command
      .add_text(
          "--fail-on", "CLASSES", [&](const std::string& text) { args.fail_on = parse_fail_on(text); },
          "what makes the exit status 1: classes, and 'new': only what --baseline has not, or less badly")
      .default_str("near,overlapping,piercing,contained,duplicate");
}

void add_measuring(const Command& command, ClashArgs& args) {
  command.options_under("Sampling");
  add_engine_option(command, args.options.engine);
  add_device_option(command, args.options.device);
  command
      .add_text(
          "--resolution", "N",
          [&](const std::string& text) { args.resolution = parse_count("--resolution", text, 1, kMaxResolution); },
          "N x N columns over the box that both parts share; default: that of a scene file, or as here")
      .default_str(std::to_string(args.options.resolution));
  add_threads_option(command, args.options.threads);
  add_accuracy_options(command, args.options.tolerance, args.options.certify);
  command
      .add_option("--cache", args.cache,
                  "keep the answers of pairs in FILE, and test only those that it has not: a run that was killed "
                  "continues, and only what changed is tested")
      .type_name("FILE");
  command.add_text(
      "--mesh-memory", "SIZE", [&](const std::string& text) { args.mesh_memory = parse_bytes("--mesh-memory", text); },
      "started by mpirun on several machines: memory of each process for meshes that other machines keep (default: as "
      "much as for its own, and 32M at least)");
  const Option shortest = command.add_flag(
      "--shortest", args.shortest, "measure the shortest way out of each other: slower; default: along normals");
  command.add_flag("--no-way-out", args.no_way_out, "do not measure how far parts must move apart").excludes(shortest);
}

void add_answer(const Command& command, ClashArgs& args) {
  command.options_under("Answer");
  command.add_flag("--all", args.all, "list all findings, and every place of each");
  command.add_flag("--keep-clear", args.options.keep_clear, "also list pairs that were tested and are clear");
  command.add_flag("--json", args.json, "one JSON object on stdout");
  add_output(command, "--csv", {".csv"}, args.csv, "write a line for each pair");
  add_html_option(command, args.html);
  add_output(command, "--glb", {".glb"}, args.glb, "write the shared volumes as binary glTF, in metres");
  add_output(command, "--bcf", {".bcf", ".bcfzip"}, args.bcf,
             "write an issue for each finding as BCF 2.1, for CAD and BIM programs");
  command
      .add_option("--project", args.project,
                  "what --bcf is about: topics of other projects are others, also where parts have the same names "
                  "(default: the file's or the folder's name)")
      .type_name("NAME");
  command.add_flag("--exit-zero", args.exit_zero, "exit status 0 whenever there is an answer");
}

}  // namespace

void add_clash_options(const Command& command, ClashArgs& args) {
  add_parts(command, args);
  add_rules(command, args);
  add_measuring(command, args);
  add_answer(command, args);
}

}  // namespace lamella::cli
