#include "clash/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "lamella/error.hpp"

namespace lamella::clash {
namespace {

constexpr std::string_view kGroup = "group:", kLayer = "layer:";
/// Of parts that are in different sets: bounds the memory of their signatures.
constexpr std::size_t kMostKinds = 8192;
constexpr std::size_t kBits = 64;

/// The sets of all rules, each once.
struct Sets {
  std::vector<std::string_view> texts;
  std::vector<std::pair<std::size_t, std::size_t>> of_rule;  ///< `a` and `b`, as indices into `texts`

  explicit Sets(std::span<const ClashRule> rules) {
    std::unordered_map<std::string_view, std::size_t> known;
    const auto index_of = [&](std::string_view text) {
      const auto [at, is_new] = known.emplace(text, texts.size());
      if (is_new) texts.push_back(text);
      return at->second;
    };
    for (const ClashRule& rule : rules) {
      const std::size_t a = index_of(rule.a);
      of_rule.emplace_back(a, index_of(rule.b));
    }
  }
};

/// In which sets of the rules a part is: for each 64 rules a word of their `a`, then one of their `b`.
std::vector<std::uint64_t> signature_of(const Sets& sets, const AssemblyPart& part) {
  std::vector<bool> in(sets.texts.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = in_set(sets.texts[i], part);
  const std::size_t rules = sets.of_rule.size();
  std::vector<std::uint64_t> words(2 * ((rules + kBits - 1) / kBits));
  for (std::size_t r = 0; r < rules; ++r) {
    const auto [a, b] = sets.of_rule[r];
    words[2 * (r / kBits)] |= std::uint64_t{in[a]} << r % kBits;
    words[2 * (r / kBits) + 1] |= std::uint64_t{in[b]} << r % kBits;
  }
  return words;
}

/// Where the character after the one at `at` begins. A byte that is no UTF-8 is a character.
std::size_t next_character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t more = byte(at) >= 0xF0 ? 3 : byte(at) >= 0xE0 ? 2 : byte(at) >= 0xC0 ? 1 : 0;
  const std::size_t end = std::min(text.size(), at + 1 + more);
  for (++at; at < end && (byte(at) & 0xC0) == 0x80;) ++at;
  return at;
}

}  // namespace

/// The last "*" takes up more characters each time what follows it does not match.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t = next_character(text, t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = taken = next_character(text, taken);
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool in_set(std::string_view set, const AssemblyPart& part) {
  if (set.starts_with(kGroup)) return matches(set.substr(kGroup.size()), part.group);
  if (set.starts_with(kLayer)) return matches(set.substr(kLayer.size()), part.layer);
  return matches(set, part.name);
}

RuleTable::RuleTable(std::span<const ClashRule> rules, std::span<const AssemblyPart> parts) {
  if (rules.empty()) return;
  const Sets sets(rules);
  std::map<std::vector<std::uint64_t>, std::uint32_t> known;
  kind_.reserve(parts.size());
  for (const AssemblyPart& part : parts) {
    const auto [kind, is_new] = known.emplace(signature_of(sets, part), static_cast<std::uint32_t>(known.size()));
    if (is_new) signatures_.insert(signatures_.end(), kind->first.begin(), kind->first.end());
    words_ = kind->first.size();
    if (known.size() > kMostKinds)
      throw Error(
          fmt::format("the rules tell more than {} kinds of parts apart; use fewer rules, or sets that are "
                      "groups or layers",
                      kMostKinds));
    kind_.push_back(kind->second);
  }
}

std::uint32_t RuleTable::rule_of(std::uint32_t a, std::uint32_t b) const {
  if (kind_.empty()) return kNoRule;
  const std::uint64_t *x = &signatures_[kind_[a] * words_], *y = &signatures_[kind_[b] * words_];
  for (std::size_t i = 0; i < words_; i += 2) {
    const std::uint64_t either_way = (x[i] & y[i + 1]) | (y[i] & x[i + 1]);
    if (either_way != 0)
      return static_cast<std::uint32_t>(i / 2 * kBits + static_cast<std::size_t>(std::countr_zero(either_way)));
  }
  return kNoRule;
}

}  // namespace lamella::clash

namespace lamella {

bool is_in_clash_set(std::string_view set, const AssemblyPart& part) { return clash::in_set(set, part); }

}  // namespace lamella
