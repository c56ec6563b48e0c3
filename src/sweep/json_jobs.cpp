// Jobs as JSON lines: an object a line, with "a", "b" and, where wanted, "pose_a", "pose_b" and "resolution".

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/check_pose.hpp"
#include "io/messages.hpp"
#include "lamella/error.hpp"
#include "lamella/grid.hpp"
#include "sweep/job_parsers.hpp"

namespace lamella::sweep_parts {
namespace {

constexpr unsigned kMaxDepth = 16;

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr unsigned kLead[] = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(kLead[more] | c >> 6 * more);
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (c >> 6 * i & 0x3f));
}

class JsonParser final : public JobParser {
 public:
  JsonParser(JobSource& source, MeshNames& names) : source_(source), names_(names) {}

  bool next(PairJob& job) override {
    std::string_view line;
    do {
      if (!source_.line(line)) return false;
      if (source_.line_number() == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    } while (is_blank(line));
    begin_ = p_ = line.data();
    end_ = p_ + line.size();
    parse(job);
    return true;
  }
  void skip_header() override {}

 private:
  enum Member : unsigned { kA = 1, kB = 2, kPoseA = 4, kPoseB = 8, kResolution = 16, kIgnored = 0, kUnknown = 32 };

  [[noreturn]] void fail_at(const char* p, std::string_view message) const {
    throw Error(fmt::format("{}:{}:{}: {}", source_.name(), source_.line_number(), p - begin_ + 1, message));
  }
  [[noreturn]] void fail_found(std::string_view expected) const {
    const std::string found =
        p_ == end_ ? "the end of the line" : io::excerpt({p_, static_cast<std::size_t>(end_ - p_)});
    fail_at(p_, fmt::format("expected {}, found {}", expected, found));
  }
  void skip_blanks() {
    while (p_ != end_ && (is_blank(*p_) || *p_ == '\r')) ++p_;
  }
  [[nodiscard]] bool accept(char c) {
    skip_blanks();
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }
  void expect(char c, std::string_view what) {
    if (!accept(c)) fail_found(what);
  }

  void parse(PairJob& job) {
    job = {};
    unsigned seen = 0;
    expect('{', "a JSON object: {");
    if (!accept('}')) {
      do {
        skip_blanks();
        member(job, seen);
      } while (accept(','));
      expect('}', "a comma or }");
    }
    skip_blanks();
    if (p_ != end_) fail_found("the end of the line: one job a line");
    if ((seen & (kA | kB)) != (kA | kB)) fail_at(p_, R"(a job needs "a" and "b", the names of its meshes)");
  }

  void member(PairJob& job, unsigned& seen) {
    const char* const start = p_;
    const std::string_view key = string("a member's name in quotes");
    const Member which = member_of(key);
    if (which == kUnknown)
      fail_at(start, fmt::format(R"(there is no member {}; known are "a", "b", "pose_a", "pose_b" and "resolution"; )"
                                 R"("id" and "note" are ignored)",
                                 io::excerpt(key)));
    if ((seen & which) != 0) fail_at(start, fmt::format("{} is there twice; remove one", io::excerpt(key)));
    seen |= which;
    expect(':', "a colon");
    skip_blanks();
    const char* const value = p_;
    try {
      read_value(which, job);
    } catch (const PlainError& e) {
      fail_at(value, e.message);
    }
  }

  static Member member_of(std::string_view key) {
    if (key == "a") return kA;
    if (key == "b") return kB;
    if (key == "pose_a") return kPoseA;
    if (key == "pose_b") return kPoseB;
    if (key == "resolution") return kResolution;
    return key == "id" || key == "note" ? kIgnored : kUnknown;
  }

  struct PlainError {
    std::string message;
  };

  void read_value(Member which, PairJob& job) {
    switch (which) {
      case kA:
        job.a = mesh();
        return;
      case kB:
        job.b = mesh();
        return;
      case kPoseA:
        return pose(job.pose_a);
      case kPoseB:
        return pose(job.pose_b);
      case kResolution:
        return resolution(job);
      default:
        skip_value(0);
    }
  }

  std::uint32_t mesh() {
    const std::string_view name = string("a mesh's name in quotes");
    try {
      return names_.number(name);
    } catch (const Error& e) {
      throw PlainError{e.what()};
    }
  }

  void pose(Transform& out) {
    std::size_t count = 0;
    expect('[', "a pose: [tx, ty, tz] or [tx, ty, tz, qx, qy, qz, qw]");
    do {
      if (count == kPoseNumbers) break;
      pose_number(out, count++) = number();
    } while (accept(','));
    if (!accept(']') || (count != 3 && count != kPoseNumbers))
      throw PlainError{"a pose has 3 or 7 numbers: [tx, ty, tz] or [tx, ty, tz, qx, qy, qz, qw]"};
    try {
      check_pose(out, kPoseTolerance);
    } catch (const Error& e) {
      throw PlainError{e.what()};
    }
  }

  double number() {
    skip_blanks();
    double value = 0;
    const bool starts = p_ != end_ && (*p_ == '-' || (*p_ >= '0' && *p_ <= '9'));
    if (!starts) fail_found("a number");
    const auto [stop, failure] = parse_double(p_, end_, value);
    if (failure == std::errc::result_out_of_range) fail_at(p_, "the number is beyond the range of doubles");
    if (failure != std::errc()) fail_found("a number");
    p_ = stop;
    return value;
  }

  void resolution(PairJob& job) {
    const double value = number();
    if (!(value >= 1 && value <= kMaxResolution) || value != static_cast<std::uint32_t>(value))
      throw PlainError{fmt::format("expected a whole number from 1 to {}", kMaxResolution)};
    job.resolution = static_cast<std::uint32_t>(value);
  }

  /// Decoded; valid until the next string.
  std::string_view string(std::string_view expected) {
    if (p_ == end_ || *p_ != '"') fail_found(expected);
    const char* const start = ++p_;
    while (p_ != end_ && *p_ != '"' && *p_ != '\\' && static_cast<unsigned char>(*p_) >= 0x20) ++p_;
    if (p_ != end_ && *p_ == '"') return {start, static_cast<std::size_t>(p_++ - start)};
    decoded_.assign(start, p_);
    while (p_ != end_ && *p_ != '"') {
      if (static_cast<unsigned char>(*p_) < 0x20) fail_found("no control character in a string; write it as \\u00XX");
      if (*p_ != '\\')
        decoded_ += *p_++;
      else
        escape();
    }
    if (p_ == end_) fail_found("the quote at the string's end");
    ++p_;
    return decoded_;
  }

  void escape() {
    ++p_;
    if (p_ == end_) fail_found("a character behind \\");
    constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    if (const std::size_t at = kFrom.find(*p_); at != kFrom.npos) {
      decoded_ += kTo[at];
      ++p_;
    } else if (*p_ == 'u') {
      --p_;
      std::uint32_t c = code_unit();
      if (c >= 0xd800 && c < 0xdc00) {
        const std::uint32_t low = code_unit();
        if (low < 0xdc00 || low >= 0xe000) fail_found("the second half of a character behind \\uD8XX");
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
      }
      append_utf8(decoded_, c);
    } else {
      fail_found("one of \" \\ / b f n r t u behind \\");
    }
  }

  std::uint32_t code_unit() {
    std::uint32_t value = 0;
    if (end_ - p_ < 6 || p_[0] != '\\' || p_[1] != 'u') fail_found("\\u and four hexadecimal digits");
    const auto [stop, failure] = std::from_chars(p_ + 2, p_ + 6, value, 16);
    if (failure != std::errc() || stop != p_ + 6) fail_found("\\u and four hexadecimal digits");
    p_ += 6;
    return value;
  }

  /// Of "id" and "note".
  void skip_value(unsigned depth) {
    skip_blanks();
    if (p_ == end_) fail_found("a value");
    if (depth > kMaxDepth) fail_found(fmt::format("at most {} brackets inside each other", kMaxDepth));
    if (*p_ == '"') {
      (void)string("a string");
    } else if (*p_ == '[' || *p_ == '{') {
      const bool object = *p_++ == '{';
      const char close = object ? '}' : ']';
      if (accept(close)) return;
      do {
        skip_blanks();
        if (object) {
          (void)string("a member's name in quotes");
          expect(':', "a colon");
        }
        skip_value(depth + 1);
      } while (accept(','));
      expect(close, "a comma or the closing bracket");
    } else if (!skip_word()) {
      (void)number();
    }
  }

  bool skip_word() {
    for (const std::string_view word : {"true", "false", "null"})
      if (std::string_view(p_, static_cast<std::size_t>(end_ - p_)).starts_with(word)) {
        p_ += word.size();
        return true;
      }
    return false;
  }

  JobSource& source_;
  MeshNames& names_;
  const char *begin_ = nullptr, *p_ = nullptr, *end_ = nullptr;  ///< of the line
  std::string decoded_;
};

}  // namespace

std::unique_ptr<JobParser> make_json_parser(JobSource& source, MeshNames& names) {
  return std::make_unique<JsonParser>(source, names);
}

}  // namespace lamella::sweep_parts
