// From a file of jobs to a file of answers, and how to continue.

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "io/messages.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "lamella/job_sweep.hpp"
#include "lamella/version.hpp"
#include "sweep/state_text.hpp"
#include "sweep/sweep_run.hpp"

namespace lamella {
namespace {

using namespace sweep_parts;

AnswerStyle style_of(const std::filesystem::path& path, const Options& options) {
  const auto format = answer_format(path);
  if (!format) io::fail(io::display(path), "end the name of a file of answers in .csv, .jsonl or .ndjson");
  return {*format, options.certify, options.tolerance.has_value()};
}

/// The value of a key in "key=value key=value".
std::string_view value_of(std::string_view options, std::string_view key) {
  while (!options.empty()) {
    const std::string_view word = options.substr(0, options.find(' '));
    if (word.starts_with(key) && word.substr(key.size()).starts_with('=')) return word.substr(key.size() + 1);
    options.remove_prefix(std::min(options.size(), word.size() + 1));
  }
  return {};
}

/// The first option that differs, in words.
std::string difference(std::string_view before, std::string_view now) {
  while (!now.empty()) {
    const std::string_view word = now.substr(0, now.find(' '));
    const std::string_view key = word.substr(0, word.find('='));
    if (const std::string_view was = value_of(before, key); was != word.substr(key.size() + 1))
      return fmt::format("{} was {}, and is {} now", key, was, word.substr(key.size() + 1));
    now.remove_prefix(std::min(now.size(), word.size() + 1));
  }
  return "other options";
}

void check_paths(const std::filesystem::path& jobs, const std::filesystem::path& answers) {
  std::error_code failure;
  if (std::filesystem::equivalent(jobs, answers, failure) && !failure)
    io::fail(io::display(answers), "is the file of jobs; name another file for the answers");
}

}  // namespace

struct SweepFiles::State {
  State(const std::filesystem::path& jobs, const std::filesystem::path& answers, SweepFileOptions asked)
      : options(std::move(asked)),
        path(answers),
        reader(jobs),
        style(style_of(answers, options.query)),
        file(answers, options.restart),
        sweep(query(), loader_of(jobs, options), options.mesh_memory) {
    now.version = kVersion;
    now.options = sweep.description();
    file.found() ? go_on(*file.found()) : begin();
    resumed = jobs_read = now.jobs.jobs;
  }

  /// "automatic" is the engine that the first run used.
  [[nodiscard]] Options query() const {
    Options query = options.query;
    if (query.engine == "automatic" && file.found()) query.engine = value_of(file.found()->options, "engine");
    return query;
  }

  void begin() {
    std::string header;
    append_header(header, style);
    file.begin(now, header);
  }

  void go_on(const SweepState& found) {
    const auto refuse = [&](std::string_view what) {
      io::fail(io::display(path), fmt::format("cannot be continued: {}; {}", what, kStartOver));
    };
    if (found.version != now.version)
      refuse(fmt::format("version {} of lamella began it, and this is {}", found.version, now.version));
    if (found.options != now.options) refuse(difference(found.options, now.options));
    std::vector<std::string> names;
    for (const SweepMesh& mesh : found.meshes) names.push_back(mesh.name);
    sweep.add_meshes(names);
    try {
      reader.go_to(found.jobs, names);
      sweep.require_meshes(found.meshes);
    } catch (const Error& e) {
      refuse(e.what());
    }
    now = found;
    file.go_on();
  }

  void read(JobBlock& block, std::size_t most) {
    reader.read(block, most);
    at_end = block.jobs.empty();
    jobs_read += block.jobs.size();
  }

  void write(const JobBlock& block, std::string_view lines, const AnswerCounts& counts) {
    file.append(lines);
    now.counts.clear += counts.clear;
    now.counts.colliding += counts.colliding;
    now.counts.undecided += counts.undecided;
    now.counts.not_ok += counts.not_ok;
    now.jobs = block.end;
    unsaved = true;
    if (seconds_since(saved_at) >= options.checkpoint_seconds) save();
    if (options.progress) options.progress({now.counts.answers(), block.end.bytes, reader.bytes()});
  }

  void save() {
    if (!unsaved) return;
    now.meshes = sweep.meshes();
    for (std::size_t i = 0; i < std::min(noted.size(), now.meshes.size()); ++i)
      if (!now.meshes[i].digest) now.meshes[i].digest = noted[i];
    file.checkpoint(now);
    unsaved = false;
    saved_at = Clock::now();
  }

  SweepFileOptions options;
  std::filesystem::path path;
  JobReader reader;
  AnswerStyle style;
  AnswerFile file;
  Sweep sweep;
  SweepState now;                                   ///< of what was appended
  std::vector<std::optional<std::uint64_t>> noted;  ///< digests of meshes that others read
  std::string text;                                 ///< of a block
  std::uint64_t resumed = 0, jobs_read = 0;
  bool unsaved = false;  ///< appended since the last checkpoint
  bool at_end = false;   ///< the reader
  Clock::time_point saved_at = Clock::now();
};

SweepFiles::SweepFiles(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                       SweepFileOptions options) {
  check_paths(jobs, answers);
  state_ = std::make_unique<State>(jobs, answers, std::move(options));
}
SweepFiles::~SweepFiles() = default;

Sweep& SweepFiles::sweep() { return state_->sweep; }
const AnswerStyle& SweepFiles::style() const { return state_->style; }
std::uint64_t SweepFiles::resumed() const { return state_->resumed; }
void SweepFiles::read(JobBlock& block, std::size_t most) { state_->read(block, most); }

void SweepFiles::write(const JobBlock& block, std::span<const PairOverlap> answers) {
  State& s = *state_;
  s.text.clear();
  append_answers(s.text, s.style, block.first, answers);
  AnswerCounts counts;
  counts.add(answers);
  s.write(block, s.text, counts);
}

void SweepFiles::write(const JobBlock& block, std::string_view lines, const AnswerCounts& counts) {
  state_->write(block, lines, counts);
}
void SweepFiles::note_digest(std::uint32_t mesh, std::uint64_t digest) {
  auto& noted = state_->noted;
  if (mesh >= noted.size()) noted.resize(mesh + std::size_t{1});
  noted[mesh] = digest;
}
void SweepFiles::save() { state_->save(); }

SweepReport SweepFiles::report() const {
  const State& s = *state_;
  return {s.now.counts, s.resumed, s.at_end && s.now.jobs.jobs == s.jobs_read, s.sweep.options().engine, 0};
}

std::filesystem::path job_mesh_path(const std::filesystem::path& jobs, std::string_view name, JobFiles allowed) {
  const std::filesystem::path folder = jobs.parent_path(), file(name);
  if (allowed == JobFiles::anywhere || stays_in(folder, file)) return folder / file;
  throw Error(
      fmt::format("the file {} must be in the folder of the jobs or below it, and named from there; copy it, or allow "
                  "any path (--allow-any-path) if you trust these jobs",
                  io::excerpt(name)));
}

SweepReport sweep_file(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                       const SweepFileOptions& options) {
  const auto start = Clock::now();
  SweepFiles files(jobs, answers, options);
  return run_and_save(files, start, [&] {
    files.sweep().run([&](JobBlock& block, std::size_t most) { files.read(block, most); },
                      [&](const JobBlock& block, std::span<const PairOverlap> some) { files.write(block, some); },
                      options.stop, files.resumed());
  });
}

}  // namespace lamella
