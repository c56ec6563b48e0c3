#include "cli/clash/rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "cli/clash/words.hpp"
#include "cli/common.hpp"
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

/// What of the parts was probably meant by sets that none is in.
class KnownWords {
 public:
  void add(const AssemblyPart& part) {
    names_.add(part.name);
    groups_.add(part.group);
    layers_.add(part.layer);
  }

  /// The word that is nearest to a set; empty where there is none, or where there are too many to look through.
  [[nodiscard]] std::string nearest_to(std::string_view set) const {
    if (set.starts_with("group:")) return groups_.nearest_to(set, "group:");
    if (set.starts_with("layer:")) return layers_.nearest_to(set, "layer:");
    return names_.nearest_to(set, "");
  }

 private:
  struct Words {
    std::unordered_set<std::string> all{};
    bool too_many = false;

    void add(const std::string& word) {
      constexpr std::size_t kMost = 20'000;
      if (too_many || word.empty()) return;
      all.insert(word);
      too_many = all.size() > kMost;
    }
    [[nodiscard]] std::string nearest_to(std::string_view set, std::string_view prefix) const {
      if (too_many) return "";
      std::vector<std::string> words;
      for (const std::string& word : all) words.push_back(std::string(prefix) + word);
      std::sort(words.begin(), words.end());
      return nearest(set, words);
    }
  };
  Words names_, groups_, layers_;
};

/// The sets of rules, each once.
std::vector<std::string> sets_of(const std::vector<ClashRule>& rules) {
  std::vector<std::string> sets;
  for (const ClashRule& rule : rules) sets.insert(sets.end(), {rule.a, rule.b});
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
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

std::vector<std::string> idle_rules(const std::vector<ClashRule>& rules, std::uint64_t part_count,
                                    const std::function<AssemblyPart(std::uint64_t)>& part_of,
                                    const std::function<bool()>& stop) {
  constexpr std::size_t kMostNamed = 16;
  constexpr std::uint64_t kPartsBetweenStops = 256;
  const std::vector<std::string> texts = sets_of(rules);
  std::vector<bool> met(texts.size());
  std::size_t unmet = texts.size();
  KnownWords words;
  ClashSets sets(texts);
  std::vector<std::uint32_t> in;
  for (std::uint64_t i = 0; i < part_count && unmet != 0; ++i) {
    if (stop && i % kPartsBetweenStops == 0 && stop()) return {};
    const AssemblyPart part = part_of(i);
    sets.find(part, in);
    for (const std::uint32_t set : in) {
      if (!met[set]) --unmet;
      met[set] = true;
    }
    words.add(part);
  }
  const auto is_met = [&](const std::string& set) {
    return met[static_cast<std::size_t>(std::lower_bound(texts.begin(), texts.end(), set) - texts.begin())];
  };
  std::vector<std::string> idle;
  std::size_t more = 0;
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    const bool has_a = is_met(rules[i].a);
    if (has_a && is_met(rules[i].b)) continue;
    if (idle.size() == kMostNamed) {
      ++more;
      continue;
    }
    const std::string& set = has_a ? rules[i].b : rules[i].a;
    const std::string word = words.nearest_to(set);
    idle.push_back(fmt::format("{} has no effect: no part is in {}{}", rule_name(rules, i), in_quotes(set),
                               word.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(word))));
  }
  if (more != 0)
    idle.push_back(
        fmt::format("likewise {} no effect", more == 1 ? "1 more rule has" : grouped(more) + " more rules have"));
  return idle;
}

std::vector<std::string> idle_rules(const std::vector<ClashRule>& rules, const Assembly& assembly) {
  return idle_rules(rules, assembly.parts.size(), [&](std::uint64_t i) { return assembly.parts[i]; });
}

}  // namespace lamella::cli
