#include "cli/clash/result.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/parse.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t bit(ClashClass kind) { return 1u << static_cast<unsigned>(kind); }

ClashResult result_of(const ClashPair& pair, const FailOn& fail_on, bool is_new) {
  if (pair.allowed) return ClashResult::allowed;
  if (fail_on.only_new && !is_new) return ClashResult::passes;
  if (pair.verdict == Verdict::undecided) return ClashResult::undecided;
  return fail_on.has(pair.kind) ? ClashResult::fails : ClashResult::passes;
}

}  // namespace

FailOn usual_fail_on() {
  FailOn fail_on;
  for (std::size_t i = 0; i < kClashClasses; ++i) fail_on.classes |= 1u << i;
  fail_on.classes &= ~(bit(ClashClass::clear) | bit(ClashClass::touching));
  return fail_on;
}

FailOn parse_fail_on(const std::string& text) {
  FailOn fail_on;
  for (const std::string_view word : split(text, ',')) {
    const auto kind = parse_clash_class(word);
    if (word == "new") {
      fail_on.only_new = true;
    } else if (kind && *kind != ClashClass::clear) {
      fail_on.classes |= bit(*kind);
    } else {
      std::vector<std::string> known{"new"};
      for (std::size_t i = 1; i < kClashClasses; ++i) known.emplace_back(to_string(static_cast<ClashClass>(i)));
      throw Error(fmt::format("--fail-on: there is no '{}'{}", word, suggestion(word, known)));
    }
  }
  if (fail_on.classes == 0) fail_on.classes = usual_fail_on().classes;
  return fail_on;
}

std::vector<std::string_view> class_words(const FailOn& fail_on) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < kClashClasses; ++i) {
    const auto kind = static_cast<ClashClass>(i);
    if (fail_on.has(kind)) words.push_back(lamella::to_string(kind));
  }
  return words;
}

std::string_view to_string(ClashResult result) {
  switch (result) {
    case ClashResult::passes:
      return "passes";
    case ClashResult::allowed:
      return "allowed";
    case ClashResult::undecided:
      return "undecided";
    default:
      return "fails";
  }
}

std::vector<ClashResult> results_of(const ClashAnswer& answer, const FailOn& fail_on, const std::vector<bool>& worse) {
  std::vector<ClashResult> results;
  results.reserve(answer.report.pairs.size());
  for (std::size_t i = 0; i < answer.report.pairs.size(); ++i) {
    const bool is_new = answer.changes.empty() || answer.changes[i] == ClashChange::added || worse[i];
    results.push_back(result_of(answer.report.pairs[i], fail_on, is_new));
  }
  return results;
}

std::uint64_t count_of(const std::vector<ClashResult>& results, ClashResult result) {
  return static_cast<std::uint64_t>(std::count(results.begin(), results.end(), result));
}

}  // namespace lamella::cli
