#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <exception>
#include <utility>

#include "io/messages.hpp"
#include "io/text_cursor.hpp"
#include "lamella/error.hpp"
#include "lamella/job_file.hpp"
#include "sweep/job_parsers.hpp"

namespace lamella {
namespace sweep_parts {

std::uint32_t MeshNames::number(std::string_view name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  if (name.empty()) throw Error("the mesh has no name; write a path or model:NAME");
  if (name.size() > kMaxMeshName) throw Error(fmt::format("the mesh's name is longer than {} bytes", kMaxMeshName));
  if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    throw Error("the mesh's name has a control character; rename the file");
  static_assert(kMaxJobMeshes == 1'000'000, "the message says so");
  if (numbers_.size() == kMaxJobMeshes) throw Error("more than 1,000,000 different meshes; split the file");
  const auto number = static_cast<std::uint32_t>(numbers_.size());
  numbers_.emplace(name, number);
  new_.emplace_back(name);
  return number;
}

void MeshNames::move_new_to(std::vector<std::string>& out) {
  out = std::move(new_);
  new_.clear();
}

void MeshNames::set(std::span<const std::string> known) {
  numbers_.clear();
  for (const std::string& name : known) numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size()));
  new_.clear();
}

std::from_chars_result parse_double(const char* begin, const char* end, double& out) {
  std::from_chars_result result = std::from_chars(begin, end, out);
  if (result.ec != std::errc::result_out_of_range) return result;
  out = io::nearest_double({begin, static_cast<std::size_t>(result.ptr - begin)});
  if (out == 0) result.ec = {};
  return result;
}

double& pose_number(Transform& pose, std::size_t number) {
  double* const numbers[] = {&pose.translation.x, &pose.translation.y, &pose.translation.z, &pose.rotation.x,
                             &pose.rotation.y,    &pose.rotation.z,    &pose.rotation.w};
  return *numbers[number];
}

}  // namespace sweep_parts

using namespace sweep_parts;

std::string JobBlock::place(std::size_t job) const {
  if (!lines.empty()) return fmt::format("{}:{}", file, lines[job]);
  return fmt::format("{}{}job {} (from 0)", file, file.empty() ? "" : ": ", first + job);
}

void JobBlock::clear() {
  jobs.clear();
  new_meshes.clear();
  lines.clear();
}

std::optional<JobFormat> job_format(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".csv") return JobFormat::csv;
  if (extension == ".jsonl" || extension == ".ndjson") return JobFormat::json_lines;
  if (extension == ".jobs") return JobFormat::binary;
  return std::nullopt;
}

struct JobReader::State {
  explicit State(const std::filesystem::path& path) : source(path) {
    if (source.peek(kJobMagic.size()) == kJobMagic) {
      format = JobFormat::binary;
      parser = make_binary_parser(source, names);
      return;
    }
    const auto found = job_format(path);
    if (!found)
      io::fail(source.name(), "unknown extension; name jobs .csv, .jsonl or .ndjson, or .jobs if they are binary");
    format = *found;
    if (format == JobFormat::binary) io::fail(source.name(), "is no file of jobs: it does not begin with LAMJOBS");
    parser = format == JobFormat::csv ? make_csv_parser(source, names) : make_json_parser(source, names);
  }

  JobSource source;
  MeshNames names;
  std::unique_ptr<JobParser> parser;
  JobFormat format = JobFormat::csv;
  std::uint64_t jobs = 0;      ///< read so far
  std::exception_ptr failure;  ///< of the job behind the last block

  void read(JobBlock& block, std::size_t most);
};

void JobReader::State::read(JobBlock& block, std::size_t most) {
  const bool text = format != JobFormat::binary;
  block.clear();
  block.first = jobs;
  block.file = source.name();
  if (failure) std::rethrow_exception(failure);
  try {
    for (PairJob job; block.jobs.size() < most && parser->next(job);) {
      block.jobs.push_back(job);
      if (text) block.lines.push_back(source.line_number());
    }
  } catch (...) {
    failure = std::current_exception();
    if (block.jobs.empty()) throw;
    if (text) source.untake_line();
  }
  jobs += block.jobs.size();
  names.move_new_to(block.new_meshes);
  block.end = source.mark(jobs);
}

JobReader::JobReader(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {}
JobReader::~JobReader() = default;
JobReader::JobReader(JobReader&&) noexcept = default;
JobReader& JobReader::operator=(JobReader&&) noexcept = default;

void JobReader::read(JobBlock& block, std::size_t most) { state_->read(block, most); }

void JobReader::go_to(const JobMark& mark, std::span<const std::string> meshes) {
  State& s = *state_;
  s.failure = nullptr;
  s.names.set(meshes);
  s.jobs = mark.jobs;
  if (!s.source.go_to(mark))
    io::fail(s.source.name(), fmt::format("its first {} jobs are not what they were", mark.jobs));
  s.parser->went_to(mark);
  if (mark.jobs == 0 && mark.bytes == 0) s.parser->skip_header();
}

JobFormat JobReader::format() const { return state_->format; }
std::uint64_t JobReader::bytes() const { return state_->source.size(); }
std::optional<std::uint64_t> JobReader::count() const { return state_->parser->count(); }
bool JobReader::has_resolutions() const { return state_->parser->has_resolutions(); }

}  // namespace lamella
