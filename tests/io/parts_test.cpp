// The small parts that readers share, each alone and at its limits.

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "io/checks.hpp"
#include "io/data_uri.hpp"
#include "io/messages.hpp"
#include "io/progress.hpp"
#include "io/support.hpp"
#include "io/text_cursor.hpp"
#include "io/weld.hpp"
#include "lamella/file.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::io {
namespace {

using test::Random;

constexpr std::uint64_t kPlenty = 1 << 30;

template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

// ---- numbers and polygons

TEST(Checks, RecordsFitAsLongAsTheyEndWithinTheBytes) {
  EXPECT_TRUE(fits(3, 4, 12));
  EXPECT_TRUE(fits(3, 4, 13));
  EXPECT_FALSE(fits(3, 4, 11));
  EXPECT_FALSE(fits(~std::uint64_t{0}, 2, 1000));
  EXPECT_TRUE(fits(5, 0, 0));
  EXPECT_TRUE(fits(0, 8, 0));
}

TEST(Checks, NumbersBeyondFloatBecomeInfiniteOfTheirSign) {
  const double most = std::numeric_limits<float>::max();
  EXPECT_EQ(narrow(most), std::numeric_limits<float>::max());
  EXPECT_EQ(narrow(-most), std::numeric_limits<float>::lowest());
  EXPECT_EQ(narrow(std::nextafter(most, INFINITY)), INFINITY);
  EXPECT_EQ(narrow(-std::nextafter(most, INFINITY)), -INFINITY);
  EXPECT_EQ(narrow(0.1), 0.1f);
  EXPECT_TRUE(std::isnan(narrow(NAN)));
  for (int k = 0; k < 3; ++k) {
    Vec3 p{1, 2, 3};
    EXPECT_TRUE(is_finite(p));
    p[k] = NAN;
    EXPECT_FALSE(is_finite(p));
  }
}

TEST(Checks, APolygonBecomesAFanAboutItsFirstCorner) {
  MemoryLimit memory("a", kPlenty, 0, 0);
  for (std::uint32_t corners = 0; corners < 6; ++corners) {
    std::vector<Triangle> triangles, expected;
    Fan fan(triangles, memory);
    for (std::uint32_t i = 0; i < corners; ++i) fan.add(10 + i);
    for (std::uint32_t i = 2; i < corners; ++i) expected.push_back({10, 9 + i, 10 + i});
    EXPECT_EQ(triangles, expected);
    EXPECT_EQ(fan.corners(), corners);
  }
}

// ---- memory

/// What is in use, found by asking for all that is left.
std::uint64_t taken(MemoryLimit& memory, std::uint64_t limit) {
  std::uint64_t low = 0, high = limit;
  while (low < high) {
    const std::uint64_t middle = (low + high + 1) / 2;
    if (error_of([&] { memory.take(middle); }).empty()) {
      memory.give_back(middle);
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return limit - low;
}

TEST(MemoryLimit, ExactlyTheLimitMayBeTaken) {
  MemoryLimit memory("a", 100, 0, 0);
  memory.take(60);
  EXPECT_NE(error_of([&] { memory.take(41); }), "");
  memory.take(40);
  EXPECT_EQ(taken(memory, 100), 100u);
  memory.give_back(70);
  EXPECT_EQ(taken(memory, 100), 30u);
  EXPECT_NE(error_of([&] { memory.take(8, 9); }), "");
  EXPECT_NE(error_of([&] { memory.take(std::uint64_t{1} << 60, 16); }), "") << "the product does not fit 64 bits";
  memory.take(7, 10);
  EXPECT_EQ(taken(memory, 100), 100u);
  memory.take(0);
  memory.take(0, 5);
  memory.take(5, 0);
  EXPECT_NE(error_of([&] { memory.take(1, 1); }), "");
}

TEST(MemoryLimit, WithoutALimitAFileMayTakeAMultipleOfItsSize) {
  MemoryLimit memory("a", std::nullopt, 1000, 10);
  memory.take(1640);
  EXPECT_NE(error_of([&] { memory.take(1); }), "");
  memory.add_file(2);
  memory.take(128);
  EXPECT_NE(error_of([&] { memory.take(1); }), "");
  MemoryLimit fixed("a", 50, 1000, 10);
  fixed.add_file(2);
  EXPECT_EQ(taken(fixed, 50), 0u);
  EXPECT_NE(error_of([&] { fixed.take(51); }), "");
}

TEST(MemoryLimit, TheMessageNamesTheLimitInUnitsThatSuitIt) {
  const auto message = [](std::uint64_t limit) {
    MemoryLimit memory("b", limit, 0, 0);
    return error_of([&] { memory.take(limit + 1); });
  };
  constexpr std::uint64_t kMega = 1 << 20;
  for (const auto& [limit, text] : {std::pair(std::uint64_t{0}, "0 bytes"), std::pair(kMega - 1, "1048575 bytes"),
                                    std::pair(kMega, "1 MiB"), std::pair(2 * kMega - 1, "1 MiB"),
                                    std::pair(10240 * kMega - 1, "10239 MiB"), std::pair(10240 * kMega, "10 GiB")})
    EXPECT_EQ(message(limit), std::string("b: reading it takes more memory than the limit of ") + text +
                                  "; if you trust the file, raise the limit (max_memory, on the command line "
                                  "--max-memory)");
}

TEST(MemoryLimit, AVectorCountsWithItsRoomAndWhileItGrowsTwice) {
  const auto grown = [](std::uint64_t limit) {
    MemoryLimit memory("a", limit, 0, 0);
    std::vector<std::uint32_t> out;
    const std::string error = error_of([&] {
      for (std::uint32_t i = 0; i < 17; ++i) memory.append(out, i);
    });
    return std::pair(out.size(), error.empty() ? taken(memory, limit) : 0);
  };
  EXPECT_EQ(grown(63), std::pair(std::size_t{0}, std::uint64_t{0}));
  EXPECT_EQ(grown(191), std::pair(std::size_t{16}, std::uint64_t{0}));
  EXPECT_EQ(grown(192), std::pair(std::size_t{17}, std::uint64_t{128}));

  MemoryLimit memory("a", kPlenty, 0, 0);
  std::vector<std::uint16_t> out;
  memory.reserve(out, 100);
  EXPECT_EQ(out.capacity(), 100u);
  EXPECT_EQ(taken(memory, kPlenty), 200u);
  memory.reserve(out, 100);
  memory.resize(out, 100);
  EXPECT_EQ(out.size(), 100u);
  EXPECT_EQ(taken(memory, kPlenty), 200u);
  memory.resize(out, 101);
  EXPECT_EQ(out.capacity(), 200u);
  EXPECT_EQ(taken(memory, kPlenty), 400u);
  memory.resize(out, 500);
  EXPECT_EQ(out.capacity(), 500u);
  EXPECT_EQ(taken(memory, kPlenty), 1000u);
  {
    const MemoryLoan loan(memory, 5, 8);
    EXPECT_EQ(taken(memory, kPlenty), 1040u);
  }
  EXPECT_EQ(taken(memory, kPlenty), 1000u);
}

// ---- welding

TEST(Weld, EqualPositionsGetOneIndexInOrderOfAppearance) {
  Random random(1);
  for (const std::size_t expected : {0u, 3u, 1000u}) {
    MemoryLimit memory("a", kPlenty, 0, 0);
    std::vector<Vec3> positions;
    Welder welder(positions, memory, expected);
    std::map<std::tuple<float, float, float>, std::uint32_t> numbers;
    for (int i = 0; i < 3000; ++i) {
      Vec3 p{static_cast<float>(random.below(12)), static_cast<float>(random.below(12)),
             static_cast<float>(random.below(12))};
      const auto next = static_cast<std::uint32_t>(numbers.size());
      const std::uint32_t number = numbers.try_emplace({p.x, p.y, p.z}, next).first->second;
      for (int k = 0; k < 3; ++k)
        if (p[k] == 0 && random.below(2) == 0) p[k] = -0.0f;
      ASSERT_EQ(welder.add(p), number);
      ASSERT_EQ(positions.size(), numbers.size());
    }
    for (const auto& [p, number] : numbers) {
      const Vec3 kept = positions[number];
      EXPECT_EQ(std::tuple(kept.x, kept.y, kept.z), p);
      for (int k = 0; k < 3; ++k) EXPECT_FALSE(std::signbit(kept[k]));
    }
    // The positions' room, and a table of a power of two that is at most two thirds full.
    const std::uint64_t table = (taken(memory, kPlenty) - positions.capacity() * sizeof(Vec3)) / sizeof(std::uint32_t);
    EXPECT_EQ(table, 4096u);
    EXPECT_LE(positions.size() * 3, table * 2);
  }
}

TEST(Weld, TheTableCountsFromTheStart) {
  for (const auto& [expected, slots] :
       {std::pair(0u, 16u), std::pair(1u, 32u), std::pair(8u, 32u), std::pair(9u, 64u)}) {
    MemoryLimit memory("a", kPlenty, 0, 0);
    std::vector<Vec3> positions;
    const Welder welder(positions, memory, expected);
    EXPECT_EQ(taken(memory, kPlenty), slots * sizeof(std::uint32_t));
  }
}

// ---- data URIs and names

#ifdef LAMELLA_GLTF
std::optional<std::string> decoded(std::string_view uri, std::uint64_t limit = kPlenty) {
  MemoryLimit memory("a", limit, 0, 0);
  const auto bytes = decode_data_uri(uri, memory);
  if (!bytes) return std::nullopt;
  EXPECT_EQ(taken(memory, limit), bytes->bytes().size());
  return std::string(bytes->bytes());
}

TEST(DataUri, TypesThatExportersUseAreDecoded) {
  for (const char* type : {"application/octet-stream", "application/gltf-buffer", "text/plain", ""})
    EXPECT_EQ(decoded("data:" + std::string(type) + ";base64,YWJj"), "abc") << type;
  for (const char* uri : {"data:image/png;base64,YWJj", "data:text/plain,YWJj", "data:text/plain;base64YWJj",
                          "data:", "data:text/plain;charset=x;base64,YWJj", "data:base64,YWJj"})
    EXPECT_EQ(decoded(uri), std::nullopt) << uri;
}

TEST(DataUri, EveryDigitAndEveryLength) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(
      decoded("data:;base64,AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0"
              "BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+AgYKDhIWGh4iJ"
              "iouMjY6PkJGSk5SVlpeYmZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5uru8vb6/wMHCw8TFxsfIycrLzM3Oz9DR0t"
              "PU1dbX2Nna29zd3t/g4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4+fr7/P3+/w=="),
      all);
  EXPECT_EQ(decoded("data:;base64,"), "");
  EXPECT_EQ(decoded("data:;base64,YQ=="), "a");
  EXPECT_EQ(decoded("data:;base64,YQ"), "a");
  EXPECT_EQ(decoded("data:;base64,YWI="), "ab");
  for (const char* bad : {"Y", "YWJjY", "YW_j", "YW j", "=YWJ"})
    EXPECT_EQ(decoded(std::string("data:;base64,") + bad), std::nullopt) << bad;
  EXPECT_EQ(decoded("data:;base64,YWJj", 3), "abc");
  EXPECT_NE(error_of([] { (void)decoded("data:;base64,YWJj", 2); }), "");
}

TEST(DataUri, PercentSignsWithTwoDigitsAreDecoded) {
  EXPECT_EQ(decode_percent("a%20b%2F%2f"), "a b//");
  EXPECT_EQ(decode_percent("%41"), "A");
  EXPECT_EQ(decode_percent("%4"), "%4");
  EXPECT_EQ(decode_percent("100%"), "100%");
  EXPECT_EQ(decode_percent("%zz%4g%%41"), "%zz%4g%A");
  EXPECT_EQ(decode_percent("%ff"), "\xff");
  EXPECT_EQ(decode_percent(""), "");
}

TEST(DataUri, ASchemeIsALetterAndWhatMayFollowItBeforeAColon) {
  for (const char* uri : {"file:///a", "C:/a", "a+b-c.9:x", "Z:"}) EXPECT_TRUE(has_scheme(uri)) << uri;
  for (const char* uri : {"", "abc", ":a", "1a:b", "a b:c", "a_b:c", "a/b:c", "+a:b"})
    EXPECT_FALSE(has_scheme(uri)) << uri;
}
#endif

// ---- text in messages

std::string utf8(char32_t c) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xc0 | c >> 6), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xe0 | c >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0)};
}

std::string printed(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  const std::pair<char32_t, char32_t> spelt[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                                                 {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
  for (const auto& [first, last] : spelt)
    if (first <= c && c <= last) {
      char text[16];
      std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(c));
      return text;
    }
  return utf8(c);
}

TEST(Printable, EveryCharacterIsKeptUnlessItSteers) {
  const auto expect = [](char32_t c) {
    EXPECT_EQ(printable(utf8(c) + "x"), printed(c) + "x") << static_cast<unsigned>(c);
  };
  for (char32_t c = 0; c < 0x2100; ++c) expect(c);
  for (const char32_t c : {0xd7ffu, 0xe000u, 0xfffdu, 0xffffu, 0x10000u, 0x3ffffu, 0x40000u, 0x10ffffu}) expect(c);
}

TEST(Printable, EveryPairOfBytesThatIsNoCharacterIsSpelt) {
  const auto escaped = [](unsigned byte) {
    char text[8];
    std::snprintf(text, sizeof text, "\\x%02x", byte);
    return std::string(text);
  };
  std::set<std::string> characters;
  for (char32_t c = 0x80; c < 0x800; ++c) characters.insert(utf8(c));
  for (unsigned a = 0x80; a < 256; ++a)
    for (unsigned b = 0; b < 256; ++b) {
      const std::string text{static_cast<char>(a), static_cast<char>(b)};
      if (characters.contains(text)) continue;
      ASSERT_EQ(printable(text), escaped(a) + (b < 0x80 ? printed(b) : escaped(b)));
    }
  for (const std::string_view text : {"\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xf0\x90\x80"}) {
    std::string expected;
    for (const char c : text) expected += escaped(static_cast<unsigned char>(c));
    EXPECT_EQ(printable(text), expected);
  }
  EXPECT_EQ(printable("\xe2\x82z"), "\\xe2\\x82z");
}

TEST(Excerpts, AreOneLineOfAtMostFortyBytes) {
  EXPECT_EQ(excerpt("abc"), "\"abc\"");
  EXPECT_EQ(excerpt(std::string(40, 'a')), '"' + std::string(40, 'a') + '"');
  EXPECT_EQ(excerpt(std::string(41, 'a')), '"' + std::string(40, 'a') + "...\"");
  EXPECT_EQ(excerpt("a \n \n"), "\"a\"");
  EXPECT_EQ(excerpt("\n"), "\"\"");
  EXPECT_EQ(one_line("\x1f\x20~\x7f\x80\xff\t\r\n.", 100), "\\x1f ~\\x7f\\x80\\xff\\t\\r\\n.");
  EXPECT_EQ(one_line("abcdef", 6), "abcdef");
  EXPECT_EQ(one_line("abcdefg", 6), "abcdef...");
}

// ---- progress

TEST(Progress, IsToldEveryEightMebibytesAndAtTheEnd) {
  constexpr std::uint64_t kStep = 8 << 20;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;
  const ReadOptions options{
      .progress = [&](std::uint64_t done, std::uint64_t total) { calls.emplace_back(done, total); }};
  Progress small(options, kStep - 1);
  small.at(kStep - 1);
  small.finish();
  EXPECT_TRUE(calls.empty());
  Progress large(options, kStep);
  large.at(kStep - 1);
  EXPECT_TRUE(calls.empty());
  large.at(kStep);
  large.at(2 * kStep - 1);
  large.at(2 * kStep);
  large.finish();
  EXPECT_EQ(calls,
            (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{kStep, kStep}, {2 * kStep, kStep}, {kStep, kStep}}));
  Progress silent({}, kStep);
  silent.at(kStep);
  silent.finish();
}

// ---- text

TEST(CheckEncoding, TwoByteCharactersAreToldByTheirMarkOrByTheirZeros) {
  const auto refused = [](std::string_view bytes) { return !error_of([&] { check_encoding(bytes, "a"); }).empty(); };
  using std::string_view_literals::operator""sv;
  for (const std::string_view wide : {"\xff\xfe"sv, "\xfe\xff"sv, "a\0b\0"sv, "\0a\0b"sv, "\0a\0b\0"sv})
    EXPECT_TRUE(refused(wide));
  for (const std::string_view narrow : {""sv, "a\0b"sv, "\0a\0"sv, "a\0\0b"sv, "\0ab\0"sv, "a\0bc"sv, "\0abc"sv,
                                        "ab\0c"sv, "abc\0"sv, "\0\0\0\0"sv, "abcd"sv, "\xff"sv})
    EXPECT_FALSE(refused(narrow)) << narrow;
}

/// A cursor on a text.
struct Text {
  explicit Text(std::string text, TextSyntax syntax = {}, bool finite = false)
      : contents(std::move(text)),
        source{contents, "f", std::nullopt, progress, memory, finite},
        cursor(source, syntax) {}
  std::string contents;
  ReadOptions options;
  Progress progress{options, 0};
  MemoryLimit memory{"f", kPlenty, 0, 0};
  Source source;
  TextCursor cursor;
};

TEST(TextCursor, NumbersTooLargeOrTooSmallBecomeInfiniteOrZero) {
  const std::string zeros(400, '0');
  const std::pair<std::string, float> cases[] = {{"1e-46", 0},
                                                 {"-1e-60", 0},
                                                 {"1e-400", 0},
                                                 {"1E-400", 0},
                                                 {"-1e-400", 0},
                                                 {"0." + zeros + "1", 0},
                                                 {"-0." + zeros + "1", 0},
                                                 {"." + zeros + "1", 0},
                                                 {"1e39", INFINITY},
                                                 {"-1e39", -INFINITY},
                                                 {"1e400", INFINITY},
                                                 {"-1E400", -INFINITY},
                                                 {"1" + zeros, INFINITY},
                                                 {"-1" + zeros + ".5", -INFINITY},
                                                 {"+2.5", 2.5f},
                                                 {"-inf", -INFINITY}};
  for (const auto& [text, value] : cases) {
    Text t(text + " 7");
    EXPECT_EQ(t.cursor.coordinate(), value) << text;
    EXPECT_EQ(t.cursor.coordinate(), 7) << text;
    Text points(text, {}, true);
    const std::string error = error_of([&] { (void)points.cursor.coordinate(); });
    EXPECT_EQ(error.empty(), std::isfinite(value)) << text;
  }
  EXPECT_EQ(error_of([] { (void)Text("1e39", {}, true).cursor.coordinate(); }),
            "f:1: expected a coordinate within the range of a 32-bit float, found \"1e39\"");
  EXPECT_EQ(error_of([] { (void)Text("nan", {}, true).cursor.coordinate(); }),
            "f:1: expected a finite coordinate, found \"nan\"");
}

TEST(TextCursor, IntegersMayBeAtBothLimits) {
  for (const char* text : {"-3", "0", "5", "5\n", "5\t"})
    EXPECT_EQ(Text(text).cursor.integer(-3, 5, "x"), std::stol(text));
  for (const char* text : {"-4", "6", "", "5x", "5.0", "+5", "99999999999999999999"})
    EXPECT_NE(error_of([&] { (void)Text(text).cursor.integer(-3, 5, "x"); }), "") << text;
}

TEST(TextCursor, KnowsItsLineAndItsPlace) {
  const TextSyntax joined{.comment = '#', .continuation = true};
  Text t("a \\\n b\\\r\nc # d \\\ne\\x f\n\n# g\nh\\", joined);
  EXPECT_EQ(t.cursor.word(), "a");
  EXPECT_EQ(t.cursor.line(), 1u);
  EXPECT_EQ(t.cursor.word(), "b");
  EXPECT_EQ(t.cursor.line(), 2u);
  EXPECT_EQ(t.cursor.word(), "c");
  EXPECT_EQ(t.cursor.line(), 3u);
  EXPECT_TRUE(t.cursor.at_line_end());
  EXPECT_EQ(t.cursor.word(), "");
  t.cursor.next_line();
  EXPECT_EQ(t.cursor.line(), 4u);
  EXPECT_EQ(t.cursor.rest_of_line(), "e\\x f");
  EXPECT_EQ(t.cursor.word(), "e\\x");
  EXPECT_FALSE(t.cursor.at_line_end());
  EXPECT_EQ(t.cursor.word(), "f");
  EXPECT_TRUE(t.cursor.next_content());
  EXPECT_EQ(t.cursor.line(), 7u);
  EXPECT_EQ(t.cursor.offset(), t.source.bytes.size() - 2);
  EXPECT_EQ(t.cursor.remaining(), 2u);
  EXPECT_EQ(t.cursor.word(), "h\\") << "no line follows";
  EXPECT_EQ(t.cursor.remaining(), 0u);
  EXPECT_FALSE(t.cursor.next_content());
}

TEST(TextCursor, ALineIsSkippedWithThoseThatContinueIt) {
  Text t("a \\\nb \\\r\nc\nd", {.comment = '#', .continuation = true});
  t.cursor.next_line();
  EXPECT_EQ(t.cursor.word(), "d");
  EXPECT_EQ(t.cursor.line(), 4u);
  Text comment("# \\\nb", {.comment = '#', .continuation = true});
  comment.cursor.next_line();
  EXPECT_EQ(comment.cursor.word(), "b");
  Text plain("a\\\nb", {});
  EXPECT_EQ(plain.cursor.word(), "a\\");
  plain.cursor.next_line();
  EXPECT_EQ(plain.cursor.word(), "b");
}

TEST(TextCursor, BlanksSeparateAndCommasOnlyWhereTheFormatSaysSo) {
  Text t("\t1\r2\v3\f4 5");
  for (const float x : {1.f, 2.f, 3.f, 4.f, 5.f}) EXPECT_EQ(t.cursor.coordinate(), x);
  Text commas("1,2 ,3,,4", {.commas = true});
  for (const float x : {1.f, 2.f, 3.f, 4.f}) EXPECT_EQ(commas.cursor.coordinate(), x);
  EXPECT_EQ(error_of([] { (void)Text("1,5 2").cursor.coordinate(); }),
            "f:1: expected a coordinate with a point, not a comma, before its decimals, found \"1,5\"");
  EXPECT_EQ(error_of([] { (void)Text(",5 2").cursor.coordinate(); }), "f:1: expected a coordinate, found \",5\"");
  EXPECT_EQ(error_of([] { (void)Text("1x").cursor.coordinate(); }), "f:1: expected a coordinate, found \"1x\"");
  EXPECT_EQ(Text("1 2 3").cursor.position(), (Vec3{1, 2, 3}));
}

}  // namespace
}  // namespace lamella::io
