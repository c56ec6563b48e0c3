// NAME.state: a line for each fact, "word value". Names of meshes have no control characters, so that each is the rest
// of a line.

#include "sweep/state_text.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/digest.hpp"
#include "lamella/error.hpp"

namespace lamella::sweep_parts {
namespace {

/// 2: with a digest of the answers, and without the number of jobs in that of binary jobs.
constexpr std::string_view kKind = "lamella sweep ", kTitle = "lamella sweep 2\n";
constexpr std::string_view kNotRead = "----------------";

[[noreturn]] void fail() { throw Error("is damaged"); }

/// Reads what to_text() wrote, in its order.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  std::string_view next() {
    const std::size_t end = text_.find('\n');
    if (end == text_.npos) fail();
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return line;
  }
  std::string_view text(std::string_view word) {
    const std::string_view line = next();
    if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ') fail();
    return line.substr(word.size() + 1);
  }
  std::uint64_t number(std::string_view word, int base = 10) { return parse(text(word), base); }
  static std::uint64_t parse(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (failure != std::errc() || end != digits.data() + digits.size()) fail();
    return value;
  }

 private:
  std::string_view text_;
};

}  // namespace

std::string to_text(const SweepState& s) {
  std::string out(kTitle);
  out += fmt::format("version {}\noptions {}\n", s.version, s.options);
  out += fmt::format("jobs {}\njobs_bytes {}\njobs_lines {}\njobs_digest {:016x}\n", s.jobs.jobs, s.jobs.bytes,
                     s.jobs.lines, s.jobs.digest);
  out += fmt::format("bytes {}\nbytes_digest {:016x}\n", s.bytes, s.digest);
  out += fmt::format("clear {}\ncolliding {}\nundecided {}\nnot_ok {}\nmeshes {}\n", s.counts.clear, s.counts.colliding,
                     s.counts.undecided, s.counts.not_ok, s.meshes.size());
  for (const SweepMesh& mesh : s.meshes)
    out += mesh.digest ? fmt::format("{:016x} {}\n", *mesh.digest, mesh.name)
                       : fmt::format("{} {}\n", kNotRead, mesh.name);
  return out + fmt::format("digest {:016x}\n", digest_of(out));
}

SweepState parse_state(std::string_view text) {
  if (text.starts_with(kKind) && text.find('\n') != text.npos && !text.starts_with(kTitle))
    throw Error("is of another version of lamella, which this one cannot continue");
  if (!text.starts_with(kTitle)) fail();
  const std::size_t last = text.rfind("digest ");
  if (last == text.npos || Lines(text.substr(last)).number("digest", 16) != digest_of(text.substr(0, last))) fail();
  Lines lines(text.substr(kTitle.size()));
  SweepState s;
  s.version = lines.text("version");
  s.options = lines.text("options");
  s.jobs.jobs = lines.number("jobs");
  s.jobs.bytes = lines.number("jobs_bytes");
  s.jobs.lines = lines.number("jobs_lines");
  s.jobs.digest = lines.number("jobs_digest", 16);
  s.bytes = lines.number("bytes");
  s.digest = lines.number("bytes_digest", 16);
  s.counts.clear = lines.number("clear");
  s.counts.colliding = lines.number("colliding");
  s.counts.undecided = lines.number("undecided");
  s.counts.not_ok = lines.number("not_ok");
  const std::uint64_t meshes = lines.number("meshes");
  for (std::uint64_t i = 0; i < meshes; ++i) {
    const std::string_view line = lines.next();
    if (line.size() <= kNotRead.size() + 1) fail();
    SweepMesh mesh{std::string(line.substr(kNotRead.size() + 1)), std::nullopt};
    const std::string_view digest = line.substr(0, kNotRead.size());
    if (digest != kNotRead) mesh.digest = Lines::parse(digest, 16);
    s.meshes.push_back(std::move(mesh));
  }
  return s;
}

}  // namespace lamella::sweep_parts
