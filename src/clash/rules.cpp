#include "clash/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "clash/sets.hpp"
#include "core/parallel.hpp"
#include "lamella/error.hpp"

namespace lamella::clash {
namespace {

/// Of parts that are in different sets: bounds the memory of their signatures.
constexpr std::size_t kMostKinds = 8192;
constexpr std::size_t kBits = 64;

using Numbers = std::vector<std::uint32_t>;

void check_kinds(std::size_t count) {
  if (count > kMostKinds)
    throw Error(
        fmt::format("the rules tell more than {} kinds of parts apart; use fewer rules, or sets that are "
                    "groups or layers",
                    kMostKinds));
}

/// The sets of all rules, each once, and where they are.
struct Sets {
  SetPatterns patterns;
  std::vector<Numbers> a_of, b_of;  ///< by set: the rules whose `a` or `b` it is

  explicit Sets(std::span<const ClashRule> rules) {
    std::unordered_map<std::string_view, std::uint32_t> known;
    const auto number_of = [&](std::string_view set) {
      const auto [at, is_new] = known.emplace(set, static_cast<std::uint32_t>(known.size()));
      if (is_new) {
        patterns.add(set, at->second);
        a_of.emplace_back();
        b_of.emplace_back();
      }
      return at->second;
    };
    for (std::uint32_t r = 0; r < rules.size(); ++r) {
      a_of[number_of(rules[r].a)].push_back(r);
      b_of[number_of(rules[r].b)].push_back(r);
    }
  }
};

/// Names, groups or layers: those that are in the same sets are of one class.
struct Classes {
  Numbers of_part;            ///< empty: all are of class 0
  std::vector<Numbers> sets;  ///< by class, ascending

  [[nodiscard]] std::uint32_t of(std::size_t part) const { return of_part.empty() ? 0 : of_part[part]; }
};

/// Each different text of the parts once, and which of them each part has.
std::vector<std::string_view> different_texts(std::span<const AssemblyPart> parts, std::string AssemblyPart::*member,
                                              Numbers& of_part) {
  std::unordered_map<std::string_view, std::uint32_t> known;
  std::vector<std::string_view> texts;
  for (const AssemblyPart& part : parts) {
    const auto [at, is_new] = known.emplace(part.*member, static_cast<std::uint32_t>(texts.size()));
    if (is_new) texts.push_back(at->first);
    of_part.push_back(at->second);
  }
  return texts;
}

/// False when it was stopped. Blocks of texts bound the memory.
bool find_classes(std::span<const AssemblyPart> parts, std::string AssemblyPart::*member, const Patterns& patterns,
                  Workers& workers, const std::function<bool()>& stop, Classes& out) {
  constexpr std::size_t kBlock = 4096, kChunk = 64;
  if (patterns.empty()) {
    out.sets.emplace_back();
    return true;
  }
  const std::vector<std::string_view> texts = different_texts(parts, member, out.of_part);
  std::map<Numbers, std::uint32_t> known;
  Numbers of_text;
  std::vector<Numbers> found(kBlock);
  for (std::size_t first = 0; first < texts.size(); first += kBlock) {
    if (stop && stop()) return false;
    const std::size_t count = std::min(kBlock, texts.size() - first);
    workers.for_chunks(count, kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) patterns.find(texts[first + i], found[i]);
    });
    for (std::size_t i = 0; i < count; ++i) {
      const auto [at, is_new] = known.emplace(found[i], static_cast<std::uint32_t>(known.size()));
      if (is_new) out.sets.push_back(found[i]);
      of_text.push_back(at->second);
    }
    check_kinds(known.size());
  }
  for (std::uint32_t& text : out.of_part) text = of_text[text];
  return true;
}

/// In which sets of the rules a kind is: for each 64 rules a word of their `a`, then one of their `b`.
void add_bits(const Sets& sets, const Numbers& in, std::span<std::uint64_t> words) {
  for (const std::uint32_t set : in) {
    for (const std::uint32_t r : sets.a_of[set]) words[2 * (r / kBits)] |= std::uint64_t{1} << r % kBits;
    for (const std::uint32_t r : sets.b_of[set]) words[2 * (r / kBits) + 1] |= std::uint64_t{1} << r % kBits;
  }
}

}  // namespace

RuleTable::RuleTable(std::span<const ClashRule> rules, std::span<const AssemblyPart> parts,
                     const RuleTableOptions& options) {
  if (rules.empty()) return;
  const Sets sets(rules);
  Workers workers(options.threads);
  Classes names, groups, layers;
  const auto find = [&](std::string AssemblyPart::*member, const Patterns& patterns, Classes& out) {
    return find_classes(parts, member, patterns, workers, options.stop, out);
  };
  stopped_ = !find(&AssemblyPart::name, sets.patterns.names, names) ||
             !find(&AssemblyPart::group, sets.patterns.groups, groups) ||
             !find(&AssemblyPart::layer, sets.patterns.layers, layers);
  if (stopped_) return;
  words_ = 2 * ((rules.size() + kBits - 1) / kBits);
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> known;
  kind_.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::array<std::uint32_t, 3> key{names.of(i), groups.of(i), layers.of(i)};
    const auto [kind, is_new] = known.emplace(key, static_cast<std::uint32_t>(known.size()));
    kind_.push_back(kind->second);
    if (!is_new) continue;
    check_kinds(known.size());
    signatures_.resize(signatures_.size() + words_);
    const std::span<std::uint64_t> words = std::span(signatures_).last(words_);
    add_bits(sets, names.sets[key[0]], words);
    add_bits(sets, groups.sets[key[1]], words);
    add_bits(sets, layers.sets[key[2]], words);
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
