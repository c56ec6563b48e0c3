#include "clash/rules.hpp"

#include <gtest/gtest.h>

#include "clash/boxes.hpp"
#include "clash/sets.hpp"
#include "lamella/clash.hpp"

namespace lamella {
namespace {

using clash::matches;

TEST(ClashPatterns, AStarStandsForAnyCharactersAndAQuestionMarkForOne) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("bolt *", "bolt M6x20 7"));
  EXPECT_FALSE(matches("bolt *", "nut M6"));
  EXPECT_TRUE(matches("*gear*", "the gear 2"));
  EXPECT_TRUE(matches("a?c", "abc"));
  EXPECT_FALSE(matches("a?c", "ac"));
  EXPECT_TRUE(matches("a*b*c", "a--b--b--c"));
  EXPECT_FALSE(matches("a*b", "a--b-"));
  EXPECT_FALSE(matches("", "x"));
}

TEST(ClashPatterns, AQuestionMarkStandsForACharacterOfSeveralBytes) {
  EXPECT_TRUE(matches("?1", "\u00d81"));
  EXPECT_FALSE(matches("??1", "\u00d81"));
  EXPECT_TRUE(matches("pin ?*", "pin \u20ac"));
  EXPECT_FALSE(matches("pin ??", "pin \u20ac"));
  EXPECT_TRUE(matches("*?\u00d8", "\U0001f529\u00d8"));
  EXPECT_FALSE(matches("*??\u00d8", "\U0001f529\u00d8"));
  // Bytes that are no UTF-8 are characters.
  EXPECT_TRUE(matches("a??b",
                      "a\x80\xff"
                      "b"));
  EXPECT_TRUE(matches("?", "\xf0"));
  EXPECT_TRUE(matches("?b",
                      "\xf0"
                      "b"));
}

TEST(ClashPatterns, ManyStarsDoNotTakeForever) {
  std::string pattern, text(5000, 'a');
  for (int i = 0; i < 500; ++i) pattern += "*a";
  EXPECT_TRUE(matches(pattern, text));
  EXPECT_FALSE(matches(pattern + "b", text));
}

TEST(ClashPatterns, ManyAreFoundAsOneByOne) {
  const std::vector<std::string> patterns{"*",     "a",    "ab*",     "ab*c", "?b*", "*c",  "*bc", "a?c",
                                          "a*b*c", "abc*", "\u00d8?", "?",    "*?*", "ab?", "abc", "*\u00d8"};
  clash::Patterns all;
  for (std::uint32_t i = 0; i < patterns.size(); ++i) all.add(patterns[i], i);
  for (const std::string text : {"", "a", "ab", "abc", "abbc", "xbc", "c", "\u00d8", "\u00d81", "a\u00d8"}) {
    std::vector<std::uint32_t> expected, found{7};
    for (std::uint32_t i = 0; i < patterns.size(); ++i)
      if (matches(patterns[i], text)) expected.push_back(i);
    all.find(text, found);
    EXPECT_EQ(found, expected) << text;
  }
}

/// Three cubes in a row, each of which overlaps the next by 0.1: "base", "lid", "bolt 1".
Assembly row() {
  Assembly assembly;
  assembly.meshes = {test::cube(1)};
  for (int i = 0; i < 3; ++i) assembly.parts.push_back({.name = "", .mesh = 0, .pose = {{1.9 * i, 0, 0}, {}}});
  assembly.parts[0].name = "base";
  assembly.parts[1].name = "lid";
  assembly.parts[1].layer = "shell";
  assembly.parts[2].name = "bolt 1";
  assembly.parts[2].group = "fasteners";
  return assembly;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const ClashReport& report) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const ClashPair& p : report.pairs) pairs.emplace_back(p.a, p.b);
  return pairs;
}

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(ClashRules, WithoutRulesAllPairsAreTested) { EXPECT_EQ(pairs_of(find_clashes(row())), (Pairs{{0, 1}, {1, 2}})); }

TEST(ClashRules, IgnoredPairsAreCountedAndNotTested) {
  ClashOptions options;
  options.rules = {{.a = "group:fasteners", .b = "*", .ignore = true}};
  const ClashReport report = find_clashes(row(), options);
  EXPECT_EQ(pairs_of(report), (Pairs{{0, 1}}));
  EXPECT_EQ(report.ignored_count, 1u);
  EXPECT_EQ(report.candidate_count, 1u);
}

TEST(ClashRules, TheFirstRuleThatMatchesDecidesEitherWayRound) {
  ClashOptions options;
  options.rules = {{.a = "layer:shell", .b = "base"}, {.a = "*", .b = "*", .ignore = true}};
  const ClashReport report = find_clashes(row(), options);
  ASSERT_EQ(pairs_of(report), (Pairs{{0, 1}}));
  EXPECT_EQ(report.pairs[0].rule, 0u);
}

TEST(ClashRules, PressFitsAreAllowedUpToADepthOrAVolume) {
  ClashOptions options;
  const auto allowed = [&](ClashRule rule) {
    options.rules = {std::move(rule)};
    const ClashReport report = find_clashes(row(), options);
    EXPECT_EQ(report.pairs.size(), 2u);
    return report.pairs[0].allowed;
  };
  EXPECT_TRUE(allowed({.allowed_depth = 0.11}));
  EXPECT_FALSE(allowed({.allowed_depth = 0.09}));
  EXPECT_TRUE(allowed({.allowed_volume = 0.41}));
  EXPECT_FALSE(allowed({.allowed_volume = 0.39}));
  EXPECT_TRUE(allowed({.allow_contact = true}));
}

TEST(ClashRules, PartsThatMayTouchMayBeNear) {
  const Assembly apart = test::two_parts(test::cube(1), test::cube(1), {{2.05, 0, 0}, {}});
  const ClashPair p = test::only_pair(apart, {.clearance = 0.1, .rules = {{.name = "seal", .allow_contact = true}}});
  EXPECT_EQ(p.kind, ClashClass::near);
  EXPECT_TRUE(p.allowed);
}

TEST(ClashRules, AClearanceOfARuleHoldsForItsPairsAlone) {
  Assembly assembly = row();
  for (int i = 0; i < 3; ++i) assembly.parts[static_cast<std::size_t>(i)].pose.translation.x = 2.1 * i;
  ClashOptions options;
  options.rules = {{.a = "base", .b = "lid", .clearance = 0.2}};
  const ClashReport report = find_clashes(assembly, options);
  ASSERT_EQ(pairs_of(report), (Pairs{{0, 1}}));
  EXPECT_EQ(report.pairs[0].kind, ClashClass::near);
}

TEST(ClashRules, SetsOfAPartAreFoundTogether) {
  const AssemblyPart part{.name = "bolt 7", .group = "fasteners", .layer = "steel"};
  ClashSets sets({"layer:st*", "bolt*", "group:x", "nut", "*", "group:fasteners", "bolt"});
  std::vector<std::uint32_t> in;
  sets.find(part, in);
  EXPECT_EQ(in, (std::vector<std::uint32_t>{0, 1, 4, 5}));
}

TEST(ClashRules, AStopWhileRulesAreMatchedEndsTheReport) {
  ClashOptions options;
  options.rules = {{.a = "base"}};
  options.stop = [] { return true; };
  const ClashReport report = find_clashes(row(), options);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.part_count, 3u);
  EXPECT_TRUE(report.pairs.empty());
}

TEST(ClashRules, TheTableAgreesWithTheRulesOneByOne) {
  std::vector<AssemblyPart> parts;
  for (int i = 0; i < 60; ++i) {
    parts.push_back({.name = "part " + std::to_string(i)});
    parts.back().group = std::string(1, static_cast<char>('a' + i % 5));
    parts.back().layer = std::string(1, static_cast<char>('p' + i % 3));
  }
  const std::vector<ClashRule> rules{{.a = "part 1*", .b = "group:b"},
                                     {.a = "layer:q", .b = "part ?"},
                                     {.a = "group:c", .b = "group:c"},
                                     {.a = "part 5?", .b = "*"}};
  const clash::RuleTable table(rules, parts, {.threads = 0});
  for (std::uint32_t i = 0; i < parts.size(); ++i)
    for (std::uint32_t j = 0; j < parts.size(); ++j) {
      std::uint32_t expected = kNoRule;
      for (std::uint32_t r = 0; r < rules.size() && expected == kNoRule; ++r) {
        const auto in = [&](const std::string& set, std::uint32_t part) { return clash::in_set(set, parts[part]); };
        if ((in(rules[r].a, i) && in(rules[r].b, j)) || (in(rules[r].a, j) && in(rules[r].b, i))) expected = r;
      }
      EXPECT_EQ(table.rule_of(i, j), expected);
    }
}

}  // namespace
}  // namespace lamella
