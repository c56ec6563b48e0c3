// Any bytes as a rules file and as an earlier report of `lamella clash`.

#include "cli/clash/baseline.hpp"
#include "cli/clash/rules.hpp"
#include "reading.hpp"

namespace lamella::fuzz {
namespace {

const Folder& folder() {
  static const Folder made;
  return made;
}

/// An Error, if any, begins with the file and is one line.
template <class Read>
void read_and_check(const std::filesystem::path& path, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string message = error.what();
    require(error.kind() == Error::Kind::input, "an unreadable file is an Error of the kind input");
    require(message.starts_with(path.string() + ":"), "messages begin with the file");
    require(printable(message) == message, "messages are one line of printable characters");
  }
}

Assembly two_parts() {
  Assembly assembly;
  assembly.parts.push_back({.name = "a", .group = "left", .layer = "steel"});
  assembly.parts.push_back({.name = "b"});
  return assembly;
}

void check_rules(const std::filesystem::path& path) {
  const cli::ClashRuleFile file = cli::read_clash_rules(path);
  for (const ClashRule& rule : file.rules) {
    require(!rule.a.empty() && !rule.b.empty(), "sets are not empty");
    require(rule.clearance.value_or(0) >= 0 && rule.allowed_depth >= 0 && rule.allowed_volume >= 0,
            "lengths and volumes are not negative");
  }
  const Assembly assembly = two_parts();
  (void)cli::idle_rules(file.rules, assembly);
  (void)find_clashes({}, {.rules = file.rules});
}

void check_report(const std::filesystem::path& path) {
  cli::ClashAnswer answer;
  answer.assembly = two_parts();
  answer.report.pairs.push_back({.a = 0, .b = 1, .kind = ClashClass::near, .distance = 1});
  const cli::Baseline baseline = cli::read_clash_baseline(path);
  require(cli::compare(baseline, answer).size() == 1 && answer.changes.size() == 1, "every pair is compared");
  require(answer.gone.size() <= baseline.pairs.size(), "what is gone was there");
}

int run(std::span<const std::byte> bytes) {
  const std::filesystem::path path = folder().save("file.json", bytes);
  read_and_check(path, [&] { check_rules(path); });
  read_and_check(path, [&] { check_report(path); });
  return 0;
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return lamella::fuzz::run(lamella::fuzz::bytes_of(data, size));
}
