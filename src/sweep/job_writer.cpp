#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <utility>

#include "core/check_pose.hpp"
#include "io/messages.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "lamella/grid.hpp"
#include "lamella/job_file.hpp"
#include "sweep/job_parsers.hpp"
#include "sweep/numbers.hpp"

namespace lamella {

using namespace sweep_parts;

namespace {

constexpr std::string_view kCsvHeader = "mesh_a,mesh_b,ax,ay,az,aqx,aqy,aqz,aqw,bx,by,bz,bqx,bqy,bqz,bqw";

/// As a CSV field.
std::string csv_field(const std::string& name) {
  if (name.find_first_of(",\"") == std::string::npos && !is_blank(name.front()) && !is_blank(name.back())) return name;
  std::string out = "\"";
  for (const char c : name) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

/// As a JSON string; names have no control characters.
std::string json_string(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

template <class T>
void append_raw(std::string& out, const T& value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

JobFormat format_of(const std::filesystem::path& path) {
  if (const auto format = job_format(path)) return *format;
  io::fail(io::display(path), "end the name of a file of jobs in .csv, .jsonl, .ndjson or .jobs (binary)");
}

}  // namespace

struct JobWriter::State {
  State(const std::filesystem::path& path, std::vector<std::string> meshes, bool with_resolutions)
      : format(format_of(path)), resolutions(with_resolutions), count(meshes.size()), file(path) {
    MeshNames names;
    for (const std::string& name : meshes)
      if (names.number(name) + 1 != ++checked) throw Error(fmt::format("the mesh {} is named twice", printable(name)));
    if (format == JobFormat::binary) {
      begin_binary(meshes);
      return;
    }
    for (const std::string& name : meshes)
      spelt.push_back(format == JobFormat::csv ? csv_field(name) : json_string(name));
    if (format == JobFormat::csv) file.write(fmt::format("{}{}\n", kCsvHeader, resolutions ? ",resolution" : ""));
  }

  void begin_binary(const std::vector<std::string>& meshes) {
    std::string names, header(kJobMagic);
    for (const std::string& name : meshes) {
      append_raw(names, static_cast<std::uint32_t>(name.size()));
      names += name;
    }
    names.resize((kJobHeaderBytes + names.size() + 7) / 8 * 8 - kJobHeaderBytes);
    append_raw(header, kJobVersion);
    append_raw(header, kJobRecordBytes);
    append_raw(header, static_cast<std::uint32_t>(meshes.size()));
    append_raw(header, std::uint32_t{0});
    append_raw(header, std::uint64_t{0});  // the number of jobs, written at the end
    append_raw(header, std::uint64_t{kJobHeaderBytes + names.size()});
    file.write(header);
    file.write(names);
  }

  void check(const PairJob& job) const {
    try {
      if (job.a >= count || job.b >= count)
        throw Error(fmt::format("there is no mesh {} among {}", std::max(job.a, job.b), count));
      if (job.resolution > kMaxResolution) throw Error(fmt::format("the resolution is above {}", kMaxResolution));
      if (job.resolution != 0 && format == JobFormat::csv && !resolutions)
        throw Error("has a resolution; tell the writer at its start that jobs have one");
      check_pose(job.pose_a, kPoseTolerance);
      check_pose(job.pose_b, kPoseTolerance);
    } catch (const Error& e) {
      throw Error(fmt::format("job {}: {}", jobs, e.what()));
    }
  }

  void add(PairJob job) {
    check(job);
    line.clear();
    if (format == JobFormat::binary) {
      append_raw(line, job.a);
      append_raw(line, job.b);
      append_raw(line, job.resolution);
      append_raw(line, std::uint32_t{0});
      for (Transform* pose : {&job.pose_a, &job.pose_b})
        for (std::size_t i = 0; i < kPoseNumbers; ++i) append_raw(line, pose_number(*pose, i));
    } else {
      format == JobFormat::csv ? add_csv(job) : add_json(job);
    }
    file.write(line);
    ++jobs;
  }

  void add_csv(PairJob& job) {
    line += spelt[job.a];
    line += ',';
    line += spelt[job.b];
    for (Transform* pose : {&job.pose_a, &job.pose_b})
      for (std::size_t i = 0; i < kPoseNumbers; ++i) {
        line += ',';
        append_number(line, pose_number(*pose, i));
      }
    if (resolutions) line += ',';
    if (job.resolution != 0) append_number(line, std::uint64_t{job.resolution});
    line += '\n';
  }

  void add_json(PairJob& job) {
    line += R"({"a":)";
    line += spelt[job.a];
    line += R"(,"b":)";
    line += spelt[job.b];
    for (Transform* pose : {&job.pose_a, &job.pose_b}) {
      line += pose == &job.pose_a ? R"(,"pose_a":)" : R"(,"pose_b":)";
      for (std::size_t i = 0; i < kPoseNumbers; ++i) {
        line += i == 0 ? '[' : ',';
        append_number(line, pose_number(*pose, i));
      }
      line += ']';
    }
    if (job.resolution != 0) {
      line += R"(,"resolution":)";
      append_number(line, std::uint64_t{job.resolution});
    }
    line += "}\n";
  }

  JobFormat format;
  bool resolutions;
  std::size_t count, checked = 0;  ///< of the meshes
  NewFile file;
  std::vector<std::string> spelt;  ///< names of the meshes, as the format has them
  std::string line;
  std::uint64_t jobs = 0;
};

JobWriter::JobWriter(const std::filesystem::path& path, std::vector<std::string> meshes, bool resolutions)
    : state_(std::make_unique<State>(path, std::move(meshes), resolutions)) {}
JobWriter::~JobWriter() = default;

void JobWriter::add(const PairJob& job) { state_->add(job); }
void JobWriter::add(std::span<const PairJob> jobs) {
  for (const PairJob& job : jobs) state_->add(job);
}

void JobWriter::commit() {
  State& s = *state_;
  if (s.format == JobFormat::binary) s.file.overwrite(kJobCountAt, std::as_bytes(std::span(&s.jobs, 1)));
  s.file.commit();
}

}  // namespace lamella
