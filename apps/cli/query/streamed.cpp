#include "cli/query/streamed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/query/answer.hpp"
#include "cli/repair_input.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

/// About what making a model takes for each face.
constexpr std::uint64_t kPerModelFace = 200;

std::string size_text(std::uint64_t bytes) {
  constexpr double kMega = 1 << 20, kGiga = 1 << 30;
  const auto size = static_cast<double>(bytes);
  if (size >= kGiga) return fmt::format("{:.2f} GiB", size / kGiga);
  return size >= kMega ? fmt::format("{:.1f} MiB", size / kMega) : counted(bytes, "byte");
}

Mesh make_model(const std::string& path, MemoryShare share) {
  const ModelInput model = parse_model(path);
  if (model.faces * kPerModelFace > share.bytes)
    throw Error(
        fmt::format("{}: is too large for {} of --memory; write it to a file (lamella models -o), which is "
                    "read in parts",
                    path, share.name));
  return model.make();
}

/// Reads a file that is not read in parts. Where it takes too much, the library names --max-memory, which does not go
/// with --memory.
template <class Read>
auto read_whole(const std::string& path, MemoryShare share, const Read& read) {
  Progress progress(file_name(path));
  try {
    return read(ReadOptions{.progress = progress.callback(), .max_memory = share.bytes});
  } catch (const Error& error) {
    if (std::string_view(error.what()).find("takes more memory than the limit") == std::string_view::npos) throw;
    throw Error(
        fmt::format("{}: is not a file that --memory reads in parts, and takes more than {} of it ({}) as a whole; "
                    "write it as a binary PLY of triangles (`lamella repair IN -o OUT.ply`, where there is memory for "
                    "all of it), or allow more",
                    path, share.name, size_text(share.bytes)));
  }
}

}  // namespace

void add_streaming_option(const Command& command, std::optional<std::uint64_t>& memory) {
  command.options_under("Sampling");
  command
      .add_text(
          "--memory", "SIZE", [&memory](const std::string& text) { memory = parse_bytes("--memory", text); },
          "answer within this much memory, such as 2G: binary PLY is read in parts, as often as needed; holes are not "
          "closed")
      .excludes(command.option("--max-memory"));
}

void refuse_with_memory(const std::vector<std::pair<bool, std::string_view>>& options) {
  for (const auto& [given, name] : options)
    if (given)
      throw Error(
          fmt::format("{} needs whole meshes in memory, which --memory does not read: leave one of them out", name));
}

void refuse_with_memory(const QueryArgs& args) {
  refuse_with_memory({{args.picture.wanted(), "--picture"},
                      {!args.volume.empty(), "--volume"},
                      {!args.html.empty(), "--html"},
                      {repair_wanted(), "--repair"},
                      {args.options.tolerance.has_value(), "--tolerance"},
                      {args.options.certify, "--certify"},
                      {args.options.exact, "--exact"},
                      {args.options.around_points, "--around-points"}});
}

std::vector<Vec3d> whole_points(const std::string& path, MemoryShare share) {
  if (!is_model(path))
    return read_whole(path, share, [&](const ReadOptions& options) { return read_wide_points(path, options); });
  const Mesh model = make_model(path, share);
  std::vector<Vec3d> points;
  points.reserve(model.positions.size());
  for (const Vec3& p : model.positions) points.push_back(to_double(p));
  return points;
}

StreamedInput::StreamedInput(const std::string& path, const Placement& placement, std::uint64_t memory)
    : placement_(placement) {
  if (!is_model(path) && mesh_format(path) == MeshFormat::ply && is_streamable_ply(path)) {
    source_ = open_streamed_ply(path);
    return;
  }
  const MemoryShare half{memory / 2, "half"};
  whole_ = is_model(path)
               ? make_model(path, half)
               : read_whole(path, half, [&](const ReadOptions& options) { return read_mesh(path, options); });
  source_ = stream_view(whole_);
}

StreamOptions StreamRun::options(std::uint64_t taken) {
  if (taken >= memory_) throw Error("--memory has no room beside what is read whole; allow more");
  return {.memory = memory_ - taken, .progress = [this](const StreamProgress& now) {
            check();
            if (now.pass != pass_) {
              bar_.reset();
              bar_ = std::make_unique<Progress>(fmt::format("pass {}", now.pass));
              pass_ = now.pass;
            }
            bar_->update(now.done, now.total);
          }};
}

void StreamRun::check() const {
  if (interrupt_.signal() != 0) throw Stopped{};
}

int StreamRun::run(const std::function<int()>& call) {
  try {
    return call();
  } catch (const Stopped&) {
    bar_.reset();
    complain("stopped by a signal (Ctrl-C, SIGTERM); nothing was written");
    return 128 + interrupt_.signal();
  }
}

void require_closed(const Overlap& overlap, const StreamReport& report, bool strict, const answer::Subjects& subjects) {
  require_answer(overlap, strict, subjects);
  if (!strict || (report.closed[0] && report.closed[1])) return;
  std::string reasons;
  for (const Doubt& doubt : overlap.doubts) reasons += (reasons.empty() ? "" : "; ") + describe(doubt, subjects.names);
  throw Error(fmt::format("strict: {}", reasons));
}

nlohmann::ordered_json stream_json(const StreamReport& report, std::size_t meshes) {
  nlohmann::ordered_json out{{"memory", report.memory},
                             {"used", report.used},
                             {"passes", report.passes},
                             {"strips", report.strips},
                             {"file_bytes", report.file_bytes},
                             {"bytes_read", report.bytes_read},
                             {"kept_triangles", report.kept_triangles}};
  out["vertices_in_memory"] = nlohmann::ordered_json::array();
  out["closed"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < meshes; ++i) {
    out["vertices_in_memory"].push_back(report.in_memory[i]);
    out["closed"].push_back(report.closed[i]);
  }
  return out;
}

void print_stream(const StreamReport& report, const std::vector<std::string>& names) {
  print_line("memory", fmt::format("{} of {}; up to {} kept at a time", size_text(report.used),
                                   size_text(report.memory), counted(report.kept_triangles, "triangle")));
  print_line("passes",
             fmt::format("{} over the triangles, for {} of the image; {} read of files of {}", report.passes,
                         counted(report.strips, "strip"), size_text(report.bytes_read), size_text(report.file_bytes)));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!report.closed[i])
      print_line("open", fmt::format("{}: its edges do not match: it has holes, which --memory does not close; "
                                     "`lamella repair` does, where there is memory for all of it",
                                     file_name(names[i])));
}

}  // namespace lamella::cli
