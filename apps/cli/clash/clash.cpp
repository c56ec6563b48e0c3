#include <fmt/core.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "answer/clash.hpp"
#include "cli/clash/answer.hpp"
#include "cli/clash/baseline.hpp"
#include "cli/clash/csv.hpp"
#include "cli/clash/from_rank_0.hpp"
#include "cli/clash/options.hpp"
#include "cli/clash/rules.hpp"
#include "cli/clash/table.hpp"
#include "cli/clash/texts.hpp"
#include "cli/clash/words.hpp"
#include "cli/common.hpp"
#include "cli/distributed.hpp"
#include "cli/html/report.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"
#include "lamella/clash_cache.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"

namespace lamella::cli {
namespace {

/// What a run knows beside the answer.
struct Run {
  FailOn fail_on;
  std::optional<Baseline> baseline;
  std::vector<ClashResult> results;
  std::vector<std::string> warnings;
  double load_ms = 0;
  bool all_tested = true;  ///< no part was left out, nor any triangle

  [[nodiscard]] Status status() const {
    if (count_of(results, ClashResult::fails) != 0) return kCollision;
    return count_of(results, ClashResult::undecided) != 0 || !all_tested ? kUndecided : kAnswered;
  }
};

LengthUnit unit_of(const ClashArgs& args) {
  const std::string own = own_unit(args.input);
  if (!own.empty() && !args.unit.name.empty() && args.unit.name != own)
    throw Error(fmt::format("--units: {} is in {}, and nothing is converted; leave --units out",
                            args.input.files.front(), own));
  if (!args.unit.name.empty()) return args.unit;
  return own.empty() ? args.unit : parse_unit(own);
}

/// Options and rules: the command line's --ignore comes first, and its lengths count before the file's.
ClashOptions options_of(const ClashArgs& args) {
  ClashOptions options = args.options;
  for (const std::string& text : args.ignored) options.rules.push_back(parse_ignored(text));
  ClashRuleFile file;
  if (!args.rules.empty()) file = read_clash_rules(args.rules);
  options.rules.insert(options.rules.end(), file.rules.begin(), file.rules.end());
  options.clearance = args.clearance.value_or(file.clearance.value_or(0));
  options.touch = args.touch.value_or(file.touch.value_or(0));
  options.close_holes = !args.as_is;
  options.way_out = args.shortest ? WayOut::shortest : args.no_way_out ? WayOut::none : WayOut::normal;
  return options;
}

/// A built-in assembly brings rules; those of the command line come before them.
void take_own_rules(const ClashArgs& args, const ClashInput& input, ClashOptions& options) {
  options.rules.insert(options.rules.end(), input.rules.begin(), input.rules.end());
  if (!args.clearance) options.clearance = input.clearance;
  if (!args.touch) options.touch = input.touch;
}

Run prepare(const ClashArgs& args, const LengthUnit& unit) {
  Run run;
  run.fail_on = args.fail_on.value_or(usual_fail_on());
  if (run.fail_on.only_new && args.baseline.empty()) {
    throw Error("--fail-on: 'new' is said against an earlier report; name it with --baseline OLD.json");
  }
  if (args.baseline.empty()) return run;
  run.baseline = read_clash_baseline(args.baseline);
  if (run.baseline->unit != unit.name) {
    const auto shown = [](const std::string& name) { return name.empty() ? "no unit" : name; };
    throw Error(fmt::format("--baseline: {} is in {}, and this run in {}; give the same --units", run.baseline->file,
                            shown(run.baseline->unit), shown(unit.name)));
  }
  return run;
}

/// A file that cannot be written is found before the work.
void check_writable(const std::filesystem::path& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (path.empty() || (exists(status) && !is_regular_file(status))) return;
  const NewFile file(path, {.sync = false});
}

bool is_same_file(const std::filesystem::path& x, const std::filesystem::path& y) {
  std::error_code failure;
  if (std::filesystem::equivalent(x, y, failure)) return std::filesystem::is_regular_file(x, failure);
  return std::filesystem::weakly_canonical(x, failure) == std::filesystem::weakly_canonical(y, failure);
}

/// A file that is written must not be another one's, nor one that is read.
void check_different_files(const ClashArgs& args) {
  struct Use {
    std::string what;
    std::filesystem::path path;
    bool written = false;
  };
  std::vector<Use> uses{{"--csv", args.csv, true}, {"--html", args.html, true},   {"--glb", args.glb, true},
                        {"--bcf", args.bcf, true}, {"--cache", args.cache, true}, {"--baseline", args.baseline},
                        {"--rules", args.rules}};
  for (const std::string& file : args.input.files) uses.push_back({"the input", file});
  for (std::size_t i = 0; i < uses.size() && uses[i].written; ++i)
    for (std::size_t j = i + 1; j < uses.size(); ++j)
      if (!uses[i].path.empty() && !uses[j].path.empty() && is_same_file(uses[i].path, uses[j].path))
        throw Error(fmt::format("{}: {} is also the file of {}; name another one", uses[i].what,
                                printable(uses[i].path.string()), uses[j].what));
}

void check_outputs(const ClashArgs& args) {
  check_different_files(args);
  for (const auto* path : {&args.csv, &args.glb, &args.bcf}) check_writable(*path);
  if (!args.bcf.empty()) require_bcf(args.bcf);
  (void)html_file(args.html);  // also a program without the viewer's page
}

void warn(Run& run, std::vector<std::string> warnings) {
  for (std::string& text : warnings) {
    complain(text);
    run.warnings.push_back(std::move(text));
  }
}

nlohmann::ordered_json baseline_json(const Baseline& baseline, const ClashAnswer& answer) {
  nlohmann::ordered_json out{{"file", baseline.file},
                             {"complete", baseline.complete},
                             {"new", count_of(answer, ClashChange::added)},
                             {"changed", count_of(answer, ClashChange::changed)},
                             {"same", count_of(answer, ClashChange::same)},
                             {"gone", nullptr}};
  if (answer.report.complete) {
    out["gone"] = nlohmann::ordered_json::array();
    for (const GoneClash& gone : answer.gone)
      out["gone"].push_back({{"a", gone.a}, {"b", gone.b}, {"class", to_string(gone.kind)}, {"volume", gone.volume}});
  }
  return out;
}

void print_json(const ClashAnswer& answer, const Run& run) {
  answer::ClashAsked asked{.assembly = answer.assembly, .options = answer.options};
  asked.title = answer.title;
  asked.unit = answer.unit.name;
  asked.load_ms = run.load_ms;
  if (!answer.part_numbers.empty()) asked.part_number = [&](std::uint32_t part) { return answer.part_numbers[part]; };
  asked.result = [&](std::uint32_t pair) { return to_string(run.results[pair]); };
  if (run.baseline) {
    asked.change = [&](std::uint32_t pair) { return to_string(answer.changes[pair]); };
    asked.tail["baseline"] = baseline_json(*run.baseline, answer);
  }
  asked.head = {{"status", static_cast<int>(run.status())},
                {"failing", count_of(run.results, ClashResult::fails)},
                {"fail_on", class_words(run.fail_on)},
                {"only_new", run.fail_on.only_new}};
  asked.tail["warnings"] = run.warnings;
  answer::write_clash_json(answer.report, asked, print);
  print("\n");
}

void write_files(const ClashArgs& args, const ClashAnswer& answer) {
  if (!args.html.empty()) write_clash_html(args.html, answer);
  if (!args.glb.empty()) write_clash_glb(args.glb, answer);
  if (!args.bcf.empty()) write_clash_bcf(args.bcf, answer);
}

/// By this process, or by all of an MPI job: then the answer's assembly becomes that of the report's pairs, on rank 0.
std::optional<mpi::MeshTravels> find(const std::optional<mpi::PartSource>& source, const Interrupt& interrupt,
                                     const mpi::ShareOptions& share, ClashAnswer& answer) {
  Progress progress("pairs");
  ClashOptions options = answer.options;
  options.progress = progress.callback();
  options.stop = [&] { return interrupt.signal() != 0; };
  if (job_size() == 1) {
    answer.report = find_clashes(answer.assembly, options);
    return {};
  }
  const Assembly whole = source ? Assembly{} : std::move(answer.assembly);
  answer.assembly = {};
  mpi::GatheredClashes found = distributed_clash(source ? *source : source_of(whole), options, share);
  answer.assembly = std::move(found.assembly);
  answer.part_numbers = std::move(found.part_numbers);
  answer.report = std::move(found.report);
  return found.travels;
}

/// The status of a report that is not complete, after a line on stderr. A signal may have come to another process of
/// the job alone.
int stopped_status(const Interrupt& interrupt, const ClashReport& report, Status status) {
  if (interrupt.signal() != 0)
    return interrupt.status(status, report.tested_count, report.candidate_count, "candidate");
  complain(fmt::format("another process of the job was stopped, after {} of {}; what was done is written",
                       grouped(report.tested_count), counted(report.candidate_count, "candidate")));
  return 128 + SIGTERM;
}

int run(const ClashArgs& args) {
  const Interrupt interrupt;
  on_rank_0([&] { check_outputs(args); });
  ClashAnswer answer;
  answer.unit = unit_of(args);
  Run run = prepare(args, answer.unit);
  answer.options = options_of(args);
  if (!args.cache.empty() && job_size() == 1) answer.options.cache = std::make_shared<ClashCache>(args.cache);
  const Stopwatch loading;
  ClashInput input = load_assembly(args.input);
  answer.title = std::move(input.title);
  answer.project = args.project;
  answer.assembly = std::move(input.assembly);
  answer.options.ignored = std::move(input.ignored);
  answer.options.resolution = args.resolution.value_or(input.resolution.value_or(answer.options.resolution));
  if (args.rules.empty()) take_own_rules(args, input, answer.options);
  warn(run, std::move(input.warnings));
  const std::uint64_t parts = input.source ? input.source->part_count : answer.assembly.parts.size();
  if (parts == 1) {
    warn(run, {"there is one part, which meets nothing; --split components makes each connected piece a part"});
  }
  if (job_rank() == 0) {
    const auto part = [&](std::uint64_t i) {
      return answer.assembly.parts.empty() ? input.source->part(i) : answer.assembly.parts[i];
    };
    warn(run, idle_rules(answer.options.rules, parts, part, [&] { return interrupt.signal() != 0; }));
  }
  run.load_ms = loading.ms();

  std::unique_ptr<NewFile> csv;
  on_rank_0([&] {
    if (!args.csv.empty()) csv = std::make_unique<NewFile>(args.csv);
  });
  const bool meshes = !args.html.empty() || !args.glb.empty() || !args.bcf.empty();
  const mpi::ShareOptions share{.meshes = meshes, .cache = args.cache, .mesh_memory = args.mesh_memory};
  const auto travels = find(input.source, interrupt, share, answer);
  if (job_rank() != 0) return kAnswered;  // rank 0 writes, and says how it ended
  std::vector<bool> worse;
  if (run.baseline) {
    worse = compare(*run.baseline, answer);
    warn(run, doubts_of(*run.baseline, answer));
  }
  run.all_tested = answer.report.unusable_parts.empty() && answer.report.damaged_parts.empty();
  warn(run, unusable_warnings(answer));
  run.results = results_of(answer, run.fail_on, worse);
  if (csv) {
    write_clash_csv(answer, run.results, [&](std::string_view piece) { csv->write(piece); });
    csv->commit();
  }
  if (args.json) {
    print_json(answer, run);
  } else {
    print_clashes(answer, {.results = run.results,
                           .all = args.all,
                           .baseline = run.baseline ? run.baseline->file : "",
                           .cache = printable(args.cache.string()),
                           .load_ms = run.load_ms,
                           .travels = travels});
  }
  write_files(args, answer);
  const Status status = args.exit_zero ? kAnswered : run.status();
  return answer.report.complete ? status : stopped_status(interrupt, answer.report, status);
}

}  // namespace

void add_clash(const Command& app, int& status) {
  const auto args = std::make_shared<ClashArgs>();
  const Command command = app.add_subcommand(
      "clash", "An assembly: which of its parts overlap, touch or are too close; how much, how deep, and where");
  add_clash_options(command, *args);
  command.footer(
      "Exit status: 1 when a pair fails (--fail-on), else 4 when one is undecided, else 0.\n"
      "Examples:\n"
      "  lamella clash gearbox.glb --units mm --clearance 0.2\n"
      "  lamella clash parts/ --rules rules.json --csv clashes.csv --html clashes.html\n"
      "  lamella clash assembly.json --json > today.json\n"
      "  lamella clash assembly.json --baseline yesterday.json --fail-on new\n"
      "docs/clash.md describes classes, rules and outputs.");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
