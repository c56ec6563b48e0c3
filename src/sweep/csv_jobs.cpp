// Jobs as CSV (RFC 4180): a header line that names the columns, in any order, then a job a line.

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "core/check_pose.hpp"
#include "io/messages.hpp"
#include "lamella/error.hpp"
#include "lamella/grid.hpp"
#include "sweep/job_parsers.hpp"

namespace lamella::sweep_parts {
namespace {

/// What a column is for: a number of a pose, or one of these.
enum Column : std::uint8_t { kMeshA = 2 * kPoseNumbers, kMeshB, kResolution, kIgnored, kColumns };

constexpr std::array<std::string_view, kColumns + 1> kNames{
    "ax",  "ay",  "az",  "aqx", "aqy",    "aqz",    "aqw",        "bx", "by",  "bz",
    "bqx", "bqy", "bqz", "bqw", "mesh_a", "mesh_b", "resolution", "id", "note"};  // the last two are ignored

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

class CsvParser final : public JobParser {
 public:
  CsvParser(JobSource& source, MeshNames& names) : source_(source), names_(names) {
    std::string_view line;
    if (!source_.line(line)) io::fail(source_.name(), "the file is empty; its first line names the columns");
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    read_header(line);
  }

  bool next(PairJob& job) override {
    std::string_view line;
    do {
      if (!source_.line(line)) return false;
    } while (is_blank(line));
    parse(line, job);
    return true;
  }
  void skip_header() override {
    std::string_view line;
    (void)source_.line(line);
  }
  [[nodiscard]] bool has_resolutions() const override { return seen_[kResolution]; }

 private:
  [[noreturn]] void fail(std::size_t column, const std::string& message) const {
    source_.fail_at_line(fmt::format("column {}: {}", titles_[column], message));
  }

  void read_header(std::string_view line) {
    for (const char* p = line.data(); p <= line.data() + line.size(); ++p) {
      const std::string_view title = field(p, line.data() + line.size());
      titles_.emplace_back(io::one_line(title, 40));
      add_column(title);
    }
    const auto require = [&](bool there, std::string_view what) {
      if (!there) source_.fail_at_line(fmt::format("the header has no {}; add it", what));
    };
    require(seen_[kMeshA] && seen_[kMeshB], "columns mesh_a and mesh_b");
    for (const std::size_t pose : {std::size_t{0}, kPoseNumbers}) {
      const char mesh = pose == 0 ? 'a' : 'b';
      const auto count = [&](std::size_t from, std::size_t to) {
        std::size_t n = 0;
        for (std::size_t i = from; i < to; ++i) n += seen_[pose + i] ? 1 : 0;
        return n;
      };
      const std::size_t moved = count(0, 3), turned = count(3, kPoseNumbers);
      require(moved == 0 || moved == 3, fmt::format("full translation: {0}x, {0}y and {0}z belong together", mesh));
      require(turned == 0 || turned == 4,
              fmt::format("full rotation: {0}qx, {0}qy, {0}qz and {0}qw belong together", mesh));
    }
  }

  void add_column(std::string_view title) {
    std::size_t known = 0;
    while (known < kNames.size() && kNames[known] != title) ++known;
    if (known == kNames.size())
      source_.fail_at_line(
          fmt::format("there is no column {}; known are mesh_a, mesh_b, ax, ay, az, aqx, aqy, aqz, aqw, the same with "
                      "b, and resolution; id and note are ignored",
                      io::excerpt(title)));
    const bool ignored = known >= kIgnored;
    if (!ignored && seen_[known]) source_.fail_at_line(fmt::format("column {} is there twice; remove one", title));
    seen_[ignored ? std::size_t{kIgnored} : known] = true;
    columns_.push_back(static_cast<Column>(ignored ? std::size_t{kIgnored} : known));
  }

  static void skip_blanks(const char*& p, const char* end) {
    while (p != end && is_blank(*p)) ++p;
  }

  /// The field at `p`, which is left at the comma or the end behind it. Without its quotes and the blanks around it;
  /// blanks in quotes belong to it.
  std::string_view field(const char*& p, const char* end) {
    skip_blanks(p, end);
    if (p == end || *p != '"') {
      const char* const start = p;
      while (p != end && *p != ',') ++p;
      return trimmed({start, static_cast<std::size_t>(p - start)});
    }
    quoted_.clear();
    for (++p;; ++p) {
      if (p == end) source_.fail_at_line("a quote is not closed on its line; close it");
      if (*p == '"' && (p + 1 == end || *++p != '"')) break;
      quoted_ += *p;
    }
    if (p != end && *p == '"') ++p;
    skip_blanks(p, end);
    if (p != end && *p != ',') source_.fail_at_line("expected a comma behind a quoted field");
    return quoted_;
  }

  void parse(std::string_view line, PairJob& job) {
    job = {};
    const char* p = line.data();
    const char* const end = p + line.size();
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (column != 0) {
        if (p == end) too_few(column);
        ++p;  // the comma
      }
      const Column kind = columns_[column];
      if (kind < kMeshA)
        number(column, p, end, pose_number(kind < kPoseNumbers ? job.pose_a : job.pose_b, kind % kPoseNumbers));
      else
        word(column, field(p, end), job);
    }
    if (p != end)
      source_.fail_at_line(fmt::format("has more fields than the {} of the header; remove them", columns_.size()));
    check(job.pose_a, 'a');
    check(job.pose_b, 'b');
  }

  [[noreturn]] void too_few(std::size_t found) const {
    source_.fail_at_line(fmt::format("expected {} fields as in the header, found {}", columns_.size(), found));
  }

  /// Behind blanks, up to other blanks; `p` is left behind those.
  static std::errc parse_number(const char*& p, const char* end, double& out) {
    skip_blanks(p, end);
    if (p != end && *p == '+' && ++p != end && *p == '-') return std::errc::invalid_argument;
    const auto [stop, failure] = parse_double(p, end, out);
    p = stop;
    skip_blanks(p, end);
    return failure;
  }

  void number(std::size_t column, const char*& p, const char* end, double& out) {
    skip_blanks(p, end);
    const char* const start = p;
    std::errc failure{};
    if (p != end && *p == '"') {
      const std::string_view quoted = field(p, end);
      const char* digits = quoted.data();
      failure = parse_number(digits, quoted.data() + quoted.size(), out);
      if (failure == std::errc() && digits == quoted.data() + quoted.size()) return;
    } else {
      failure = parse_number(p, end, out);
      if (failure == std::errc() && (p == end || *p == ',')) return;
    }
    p = start;
    const std::string_view found = field(p, end);
    if (found.empty() && p == end && column + 1 < columns_.size()) too_few(column);
    if (failure == std::errc::result_out_of_range)
      fail(column, fmt::format("{} is beyond the range of doubles", io::excerpt(found)));
    fail(column, fmt::format("expected a number, found {}", io::excerpt(found)));
  }

  void word(std::size_t column, std::string_view text, PairJob& job) {
    const Column kind = columns_[column];
    if (kind == kIgnored) return;
    if (kind == kResolution) return resolution(column, text, job);
    try {
      (kind == kMeshA ? job.a : job.b) = names_.number(text);
    } catch (const Error& e) {
      fail(column, e.what());
    }
  }

  void resolution(std::size_t column, std::string_view text, PairJob& job) const {
    text = trimmed(text);
    if (text.empty()) return;
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), job.resolution);
    if (failure != std::errc() || stop != text.data() + text.size() || job.resolution == 0 ||
        job.resolution > kMaxResolution)
      fail(column, fmt::format("expected a whole number from 1 to {}, or nothing, found {}", kMaxResolution,
                               io::excerpt(text)));
  }

  void check(const Transform& pose, char mesh) const {
    try {
      check_pose(pose, kPoseTolerance);
    } catch (const Error& e) {
      source_.fail_at_line(fmt::format("pose of mesh_{}: {}", mesh, e.what()));
    }
  }

  JobSource& source_;
  MeshNames& names_;
  std::vector<Column> columns_;
  std::vector<std::string> titles_;
  std::array<bool, kColumns> seen_{};
  std::string quoted_;
};

}  // namespace

std::unique_ptr<JobParser> make_csv_parser(JobSource& source, MeshNames& names) {
  return std::make_unique<CsvParser>(source, names);
}

}  // namespace lamella::sweep_parts
