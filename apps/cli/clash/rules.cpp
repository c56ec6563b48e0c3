#include "cli/clash/rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "cli/parse.hpp"
#include "cli/scene/located_reader.hpp"
#include "cli/scene/names.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
constexpr std::size_t kMaxRules = 10'000;
constexpr double kMaxVolume = 1e36;

class Reader : private LocatedReader {
 public:
  explicit Reader(const std::filesystem::path& path)
      : LocatedReader(path, {.max_bytes = kMaxBytes, .name = "rules file", .remedy = "use patterns"}) {}

  ClashRuleFile read() {
    const Value& root = json_.root();
    expect(root, Kind::object, "a rules file");
    check_keys(root, {"$schema", "clearance", "touch", "rules"}, "a rules file");
    if (const Value* v = json_.find(root, "clearance")) out_.clearance = size(*v, "the clearance of all");
    if (const Value* v = json_.find(root, "touch")) out_.touch = size(*v, "\"touch\"");
    const Value& rules = required(root, "rules", "a rules file");
    expect(rules, Kind::array, "\"rules\"");
    if (rules.items.size() > kMaxRules) fail(rules, fmt::format("more than {} rules; use patterns", kMaxRules));
    for (const Value& value : rules.items) read_rule(value);
    return std::move(out_);
  }

 private:
  double size(const Value& value, const std::string& what, double most = kMaxLength) const {
    return number(value, what, 0, most);
  }

  std::string pattern(const Value& value, const std::string& what) const {
    std::string set = text(value, what);
    for (const std::string_view prefix : {"", "group:", "layer:"}) {
      if (set == prefix) fail(value, fmt::format("{} is empty; write a pattern, such as \"bolt*\" or \"*\"", what));
    }
    return set;
  }

  void read_rule(const Value& value) {
    const std::string what = fmt::format("rule {}", out_.rules.size() + 1);
    expect(value, Kind::object, what);
    check_keys(value, {"name", "a", "b", "ignore", "clearance", "allowed_depth", "allowed_volume", "allow_contact"},
               what);
    ClashRule rule;
    if (const Value* v = json_.find(value, "name")) rule.name = text(*v, "the name of " + what);
    rule.a = pattern(required(value, "a", what), "\"a\" of " + what);
    if (const Value* v = json_.find(value, "b")) rule.b = pattern(*v, "\"b\" of " + what);
    if (const Value* v = json_.find(value, "ignore")) rule.ignore = flag(*v, "\"ignore\" of " + what);
    if (const Value* v = json_.find(value, "clearance")) rule.clearance = size(*v, "the clearance of " + what);
    if (const Value* v = json_.find(value, "allowed_depth"))
      rule.allowed_depth = size(*v, "the allowed depth of " + what);
    if (const Value* v = json_.find(value, "allowed_volume"))
      rule.allowed_volume = size(*v, "the allowed volume of " + what, kMaxVolume);
    if (const Value* v = json_.find(value, "allow_contact"))
      rule.allow_contact = flag(*v, "\"allow_contact\" of " + what);
    if (rule.ignore) refuse_more(value, what);
    out_.rules.push_back(std::move(rule));
  }

  void refuse_more(const Value& value, const std::string& what) const {
    for (const char* key : {"clearance", "allowed_depth", "allowed_volume", "allow_contact"}) {
      if (const Value* v = json_.find(value, key)) {
        fail(*v, fmt::format("{} ignores its pairs, and has a \"{}\"; keep one of them", what, key));
      }
    }
  }

  ClashRuleFile out_;
};

bool has_any(std::string_view set, const Assembly& assembly) {
  return std::any_of(assembly.parts.begin(), assembly.parts.end(),
                     [&](const AssemblyPart& part) { return is_in_clash_set(set, part); });
}

/// What a set was probably meant to be, of the words that parts have.
std::string meant(std::string_view set, const Assembly& assembly) {
  constexpr std::size_t kMostWords = 20'000;
  const bool group = set.starts_with("group:"), layer = set.starts_with("layer:");
  std::set<std::string> words;
  for (const AssemblyPart& part : assembly.parts) {
    words.insert(group ? "group:" + part.group : layer ? "layer:" + part.layer : part.name);
    if (words.size() > kMostWords) return "";
  }
  return nearest(set, {words.begin(), words.end()});
}

}  // namespace

ClashRuleFile read_clash_rules(const std::filesystem::path& path) { return Reader(path).read(); }

ClashRule parse_ignored(const std::string& text) {
  const auto sets = split(text, ',');
  if (sets.size() != 2 || sets[0].empty() || sets[1].empty()) {
    throw Error(
        fmt::format("--ignore: '{}' is not A,B: two sets of parts, such as 'bolt*,group:housing'; a name with a "
                    "comma needs --rules",
                    text));
  }
  return {.name = "--ignore " + text, .a = std::string(sets[0]), .b = std::string(sets[1]), .ignore = true};
}

std::vector<std::string> idle_rules(const std::vector<ClashRule>& rules, const Assembly& assembly) {
  std::vector<std::string> idle;
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    for (const std::string* set : {&rules[i].a, &rules[i].b}) {
      if (has_any(*set, assembly)) continue;
      const std::string word = meant(*set, assembly);
      idle.push_back(fmt::format("{} has no effect: no part is in {}{}", rule_name(rules, i), in_quotes(*set),
                                 word.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(word))));
      break;
    }
  }
  return idle;
}

std::string rule_name(const std::vector<ClashRule>& rules, std::uint32_t rule) {
  return rules[rule].name.empty() ? fmt::format("rule {}", rule + 1) : rules[rule].name;
}

}  // namespace lamella::cli
