// What bindings/wasm/compat has in place of the C and C++ libraries' own, beside those: compiled natively.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bindings/wasm/compat/decimal.hpp"
#include "bindings/wasm/compat/numbers.hpp"
#include "bindings/wasm/compat/sort.hpp"

namespace {

using testing::ElementsAreArray;

std::mt19937_64 bits(1);

// ---------------------------------------------------------------------------------------------------------------- sort

template <std::size_t kWords>
struct Item {
  std::uint32_t key;
  std::array<std::uint32_t, kWords> rest;
  friend bool operator==(const Item&, const Item&) = default;
};

/// `keys`: how many different ones there are.
template <std::size_t kWords>
void expect_sorted_as_by_std(std::size_t count, std::uint32_t keys) {
  std::vector<Item<kWords>> items(count);
  std::uint32_t number = 0;
  for (auto& item : items) {
    item.key = static_cast<std::uint32_t>(bits() % keys);
    item.rest.fill(number++);
  }
  auto expected = items;
  const auto less = [](const auto& a, const auto& b) { return a.key < b.key; };
  std::stable_sort(expected.begin(), expected.end(), less);
  lamella_compat::sort(items.begin(), items.end(), less);
  EXPECT_THAT(items, ElementsAreArray(expected)) << count << " items, " << keys << " keys";
}

TEST(CompatSort, SortsAsStableSortOfTheStandardLibrary) {
  for (std::size_t count = 0; count < 40; ++count)
    for (const std::uint32_t keys : {1u, 2u, 5u, 1000u}) expect_sorted_as_by_std<1>(count, keys);
  for (const std::size_t count : {100, 1000, 4097}) {
    for (const std::uint32_t keys : {1u, 3u, 1u << 31}) {
      expect_sorted_as_by_std<1>(count, keys);
      expect_sorted_as_by_std<2>(count, keys);
      expect_sorted_as_by_std<7>(count, keys);
      expect_sorted_as_by_std<lamella_compat::kMostWords - 1>(count, keys);
    }
  }
}

TEST(CompatSort, SortsNumbersInPointersAndInVectors) {
  std::vector<double> numbers(777);
  for (double& x : numbers) x = static_cast<double>(static_cast<std::int64_t>(bits()));
  std::vector<double> expected = numbers;
  std::sort(expected.begin(), expected.end(), std::greater<>());
  std::vector<double> others = numbers;
  lamella_compat::sort(numbers.begin(), numbers.end(), std::greater<>());
  lamella_compat::sort(others.data(), others.data() + others.size(), std::greater<>());
  EXPECT_THAT(numbers, ElementsAreArray(expected));
  EXPECT_THAT(others, ElementsAreArray(expected));
}

TEST(CompatSort, LosesNothingWhereTheOrderIsNone) {
  for (const std::size_t count : {2, 9, 100, 1000}) {
    std::vector<std::uint32_t> items(count);
    for (std::size_t i = 0; i < count; ++i) items[i] = static_cast<std::uint32_t>(i);
    std::vector<std::uint32_t> same = items;
    lamella_compat::sort(items.begin(), items.end(), [](std::uint32_t, std::uint32_t) { return true; });
    lamella_compat::sort(same.begin(), same.end(), [](std::uint32_t, std::uint32_t) { return bits() % 2 == 0; });
    for (auto* list : {&items, &same}) {
      std::sort(list->begin(), list->end());
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ((*list)[i], i);
    }
  }
}

// ------------------------------------------------------------------------------------------------------------- numbers

const std::vector<double> kHardDoubles = {0.0,
                                          -0.0,
                                          1.0,
                                          -1.0,
                                          0.5,
                                          1.5,
                                          2.5,
                                          0.25,
                                          9.5,
                                          99.5,
                                          999999.5,
                                          9999995.0,
                                          1e-5,
                                          1e-4,
                                          9.99e-5,
                                          0.0001,
                                          0.001,
                                          0.1,
                                          1e15,
                                          1e16,
                                          1e17,
                                          1e22,
                                          1e23,
                                          9e15,
                                          123456.0,
                                          1234567.0,
                                          0x1p52,
                                          0x1p53,
                                          0x1p64,
                                          0x1p-1074,
                                          0x1p-1073,
                                          0x1p-1022,
                                          0x1.fffffffffffffp-1023,
                                          0x1.fffffffffffffp1023,
                                          1e308,
                                          1e-308,
                                          5e-324,
                                          2.2250738585072011e-308,
                                          0x1p-149,
                                          0x1p-126,
                                          0x1.fffffep127,
                                          0x1.fffffcp-127,
                                          8.5,
                                          0.125,
                                          4.35,
                                          3.0e-44};

double random_double() {
  for (;;) {
    const auto x = std::bit_cast<double>(bits());
    if (std::isfinite(x)) return x;
  }
}
float random_float() {
  for (;;) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits()));
    if (std::isfinite(x)) return x;
  }
}
/// Of sizes that occur, with few digits or many.
double usual_double() {
  const double scale = std::pow(10.0, static_cast<double>(bits() % 12));
  return std::round((static_cast<double>(bits() % 2'000'001) - 1e6) * scale / 7) / scale;
}

std::vector<double> doubles(std::size_t count) {
  std::vector<double> out = kHardDoubles;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(random_double());
    out.push_back(usual_double());
    out.push_back(static_cast<double>(random_float()));
    out.push_back(std::ldexp(static_cast<double>(bits() % 4096), static_cast<int>(bits() % 24) - 12));  // ties
  }
  return out;
}

std::string by_printf(const char* format, int precision, double x) {
  std::string out(2000, ' ');
  out.resize(static_cast<std::size_t>(std::snprintf(out.data(), out.size(), format, precision, x)));
  return out;
}

TEST(CompatDecimal, PrintsAsPrintf) {
  for (const double x : doubles(2000)) {
    for (const int precision : {0, 1, 2, 3, 6, 9, 17, 60}) {
      ASSERT_EQ(lamella_compat::print(x, 'e', precision), by_printf("%.*e", precision, x));
      ASSERT_EQ(lamella_compat::print(x, 'f', precision), by_printf("%.*f", precision, x));
      ASSERT_EQ(lamella_compat::print(x, 'g', precision), by_printf("%.*g", precision, x));
    }
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(lamella_compat::print(infinity, 'g', 6), "inf");
  EXPECT_EQ(lamella_compat::print(-infinity, 'f', 6), "-inf");
  EXPECT_EQ(lamella_compat::print(std::numeric_limits<double>::quiet_NaN(), 'e', 6), "nan");
}

/// Every power of two, and the numbers before and after it.
template <class Float>
std::vector<Float> powers_of_two() {
  constexpr Float kInfinity = std::numeric_limits<Float>::infinity();
  std::vector<Float> out;
  for (Float power = std::numeric_limits<Float>::denorm_min(); power < kInfinity; power *= 2)
    for (const Float x : {std::nextafter(power, Float{0}), power, std::nextafter(power, kInfinity)}) {
      out.push_back(x);
      out.push_back(-x);
    }
  return out;
}

template <class Float>
std::string shortest_by_std(Float x) {
  char text[100];
  return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::scientific).ptr};
}
template <class Float>
std::string shortest_here(Float x) {
  const auto number = lamella_compat::shortest_digits(x);
  std::string out = std::signbit(x) ? "-" : "";
  out += number.digits.empty() ? '0' : number.digits[0];
  if (number.digits.size() > 1) out += '.' + number.digits.substr(1);
  const int exponent = number.digits.empty() ? 0 : number.point - 1;
  char text[20];
  std::snprintf(text, sizeof text, "e%c%02d", exponent < 0 ? '-' : '+', std::abs(exponent));
  return out + text;
}

TEST(CompatDecimal, FindsTheFewestDigits) {
  for (const double x : doubles(5000)) {
    ASSERT_EQ(shortest_here(x), shortest_by_std(x));
    const auto narrow = static_cast<float>(std::clamp(x, -0x1.fffffep127, 0x1.fffffep127));
    ASSERT_EQ(shortest_here(narrow), shortest_by_std(narrow));
  }
  for (int i = 0; i < 20000; ++i) {
    const float x = random_float();
    ASSERT_EQ(shortest_here(x), shortest_by_std(x));
  }
}

TEST(CompatDecimal, FindsTheFewestDigitsNextToPowersOfTwo) {
  EXPECT_EQ(shortest_here(0x1p-24), "5.960464477539063e-08");  // 5.960464477539062e-08 is nearer, but the number before
  for (const double x : powers_of_two<double>()) ASSERT_EQ(shortest_here(x), shortest_by_std(x));
  for (const float x : powers_of_two<float>()) ASSERT_EQ(shortest_here(x), shortest_by_std(x));
}

void expect_nearest(const std::string& digits, int exponent) {
  const std::string text = digits + "e" + std::to_string(exponent);
  ASSERT_EQ(lamella_compat::nearest_double(digits, exponent), std::strtod(text.c_str(), nullptr)) << text;
  ASSERT_EQ(lamella_compat::nearest_float(digits, exponent), std::strtof(text.c_str(), nullptr)) << text;
}

TEST(CompatDecimal, FindsTheNearestOfWholeNumbers) {
  EXPECT_EQ(lamella_compat::nearest_double("", 0), 0);
  for (int number = 1; number < 5000; ++number)
    for (const int exponent : {0, 1, 2, 5, 12, 22, 30}) expect_nearest(std::to_string(number), exponent);
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t number = std::uint64_t{1} << bit;
    for (const std::uint64_t x : {number - 1, number, number + 1})
      if (x != 0) expect_nearest(std::to_string(x), 0);
  }
  for (int i = 0; i < 5000; ++i)
    expect_nearest(std::to_string(1 + (bits() >> bits() % 64)), static_cast<int>(bits() % 60) - 30);
}

TEST(CompatDecimal, HasRoomForTheMostDigits) {
  for (const int count : {1, 2, 100, 309, 399, 400, 401, static_cast<int>(lamella_compat::kDecidingDigits)}) {
    const std::string nines(static_cast<std::size_t>(count), '9');
    for (int point = -410; point < -390; ++point) expect_nearest(nines, point - count);
    for (int point = -330; point < 320; ++point) expect_nearest(nines, point - count);
    for (int point = 390; point < 410; ++point) expect_nearest(nines, point - count);
  }
}

template <class Float>
void expect_read_as_by_std(const std::string& text) {
  Float here = 42, by_std = 42;
  const char* const end = text.data() + text.size();
  const auto a = lamella_compat::read_number(text.data(), end, here);
  const auto b = std::from_chars(text.data(), end, by_std);
  ASSERT_EQ(a.ec, b.ec) << text;
  ASSERT_EQ(a.ptr - text.data(), b.ptr - text.data()) << text;
  ASSERT_TRUE(here == by_std || (std::isnan(here) && std::isnan(by_std))) << text;
  ASSERT_EQ(std::signbit(here), std::signbit(by_std)) << text;
}
void expect_read_as_by_std(const std::string& text) {
  expect_read_as_by_std<double>(text);
  expect_read_as_by_std<float>(text);
}

TEST(CompatNumbers, ReadsAsTheStandardLibrary) {
  for (const double x : doubles(3000)) {
    for (const int precision : {0, 5, 8, 9, 15, 16, 17, 18, 19, 20, 40, 800})
      expect_read_as_by_std(by_printf("%.*e", precision, x));
    expect_read_as_by_std(by_printf("%.*f", 20, x));
  }
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(bits()).substr(0, 1 + bits() % 19);
    text.insert(bits() % (text.size() + 1), ".");
    text += "e" + std::to_string(static_cast<int>(bits() % 720) - 360);
    expect_read_as_by_std(text);
  }
}

/// Numbers halfway between two that follow each other, and very close to that.
template <class Float>
void expect_middles_read(Float x) {
  const long double next = std::nextafter(x, std::numeric_limits<Float>::infinity());
  if (!std::isfinite(static_cast<Float>(next))) return;
  const long double middle = (static_cast<long double>(x) + next) / 2;
  char text[12000];
  std::snprintf(text, sizeof text, "%.1100Lf", middle);
  const std::string exact = text;
  expect_read_as_by_std<Float>(exact);
  expect_read_as_by_std<Float>(exact + "1");
  expect_read_as_by_std<Float>(exact + std::string(500, '0') + "1");
  std::string less = exact;  // 1 less in the last digit that is not 0, and 9 behind it
  const std::size_t last = less.find_last_not_of("0.");
  ASSERT_NE(last, std::string::npos);
  --less[last];
  std::replace(less.begin() + static_cast<std::ptrdiff_t>(last) + 1, less.end(), '0', '9');
  expect_read_as_by_std<Float>(less);
  expect_read_as_by_std<Float>(less + std::string(500, '9'));
}

TEST(CompatNumbers, RoundsMiddlesToEven) {
  for (const double x : doubles(500)) {
    expect_middles_read(x);
    expect_middles_read(static_cast<float>(std::clamp(x, -0x1.fffffep127, 0x1.fffffep127)));
  }
}

TEST(CompatNumbers, RefusesWhatTheStandardLibraryRefuses) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           ".",
                           "-.",
                           "e5",
                           ".e5",
                           "1e",
                           "1e+",
                           "1e-",
                           "1e5x",
                           "1.",
                           ".5",
                           "-.5",
                           "1..2",
                           "00012",
                           "0x1p3",
                           "inf",
                           "-inf",
                           "infinity",
                           "INFINITE",
                           "nan",
                           "-nan",
                           "nan(abc_1)",
                           "nan(",
                           "nan(-)",
                           "in",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "-1e-400",
                           "1e999999999999999999999",
                           "1e-999999999999999999999",
                           "0e999999999999999999999",
                           "0e-99999999999999999999",
                           "0.0",
                           "-0.0",
                           "4.9e-324",
                           "2.4e-324",
                           "2.5e-324",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "3.4028235e38",
                           "3.4028236e38",
                           "7.0e-46",
                           "7.1e-46",
                           "1,5",
                           " 1",
                           "1 ",
                           "--1"})
    expect_read_as_by_std(text);
  expect_read_as_by_std("0." + std::string(400, '0') + "1e390");
  expect_read_as_by_std("1" + std::string(400, '0') + "e-390");
  expect_read_as_by_std(std::string(2000, '9') + "e-1900");
  expect_read_as_by_std("0." + std::string(2000, '0') + std::string(2000, '3') + "e2010");
}

TEST(CompatNumbers, WritesAsTheStandardLibrary) {
  const auto expect_same = [](auto x) {
    char here[400], by_std[400];
    const std::string a(here, lamella_compat::write_number(here, here + sizeof here, x).ptr);
    const std::string b(by_std, std::to_chars(by_std, by_std + sizeof by_std, x).ptr);
    ASSERT_EQ(a, b);
    ASSERT_EQ(lamella_compat::write_number(here, here + a.size() - 1, x).ec, std::errc::value_too_large);
  };
  for (const double x : doubles(3000)) {
    expect_same(x);
    expect_same(static_cast<float>(std::clamp(x, -0x1.fffffep127, 0x1.fffffep127)));
  }
  for (const double x : powers_of_two<double>()) expect_same(x);
  for (const float x : powers_of_two<float>()) expect_same(x);
  for (const double x : {0.0, -0.0, HUGE_VAL, -HUGE_VAL, std::nan(""), -std::nan("")}) {
    expect_same(x);
    expect_same(static_cast<float>(x));
  }
}

// ---------------------------------------------------------------------------------------------------------------- JSON

void expect_read_as_by_c(const std::string& text) {
  const auto expect_same = [&](auto here, auto there) {
    char *end = nullptr, *other_end = nullptr;
    errno = 0;
    const auto a = here(text.c_str(), &end);
    const int error = errno;
    errno = 0;
    const auto b = there(text.c_str(), &other_end);
    EXPECT_EQ(a, b) << text;
    EXPECT_EQ(std::signbit(static_cast<double>(a)), std::signbit(static_cast<double>(b))) << text;
    EXPECT_EQ(error != 0, errno != 0) << text;
    EXPECT_EQ(end, other_end) << text;
  };
  expect_same(std::json_strtod, [](const char* t, char** end) { return std::strtod(t, end); });
  if (text.find_first_of(".eE") != std::string::npos) return;
  expect_same([](const char* t, char** end) { return std::json_strtoll(t, end, 10); },
              [](const char* t, char** end) { return std::strtoll(t, end, 10); });
  if (text[0] == '-') return;
  expect_same([](const char* t, char** end) { return std::json_strtoull(t, end, 10); },
              [](const char* t, char** end) { return std::strtoull(t, end, 10); });
}

TEST(CompatJson, ReadsNumbersAsTheCLibrary) {
  for (const char* text :
       {"0", "-0", "1", "-1", "1.5e3", "-2.5E-3", "1e400", "-1e400", "1e-400", "-1e-400", "0.0000001e-330",
        "123456789012345678901234567890", "18446744073709551615", "18446744073709551616", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809"})
    expect_read_as_by_c(text);
  // With many zeros, the sign of the exponent alone does not say which are too large and which too small.
  const std::string zeros(400, '0');
  for (const std::string sign : {"", "-"}) {
    for (const char* exponent : {"", "e-5", "e-390", "e-400", "e-800"})
      expect_read_as_by_c(sign + "1" + zeros + exponent);
    for (const char* exponent : {"", "e5", "e390", "e401", "e800"}) {
      expect_read_as_by_c(sign + "0." + zeros + "1" + exponent);
      expect_read_as_by_c(sign + "0." + zeros + exponent);
    }
  }
}

TEST(CompatJson, WritesHexadecimalDigitsAsTheCLibrary) {
  const auto expect_same = [](std::size_t size, const char* format, auto... x) {
    char here[40], by_c[40];
    const int length = std::json_snprintf(here, size, format, x...);
    ASSERT_LT(std::snprintf(by_c, sizeof by_c, format, x...), static_cast<int>(sizeof by_c));
    const std::string expected = std::string(by_c).substr(0, size - 1);
    EXPECT_EQ(here, expected) << format;
    EXPECT_EQ(length, static_cast<int>(expected.size())) << format;
  };
  for (const std::size_t size : {40, 9, 4, 3, 1}) {
    for (const unsigned x : {0u, 7u, 0x1fu, 0xabu, 0xffu}) {
      expect_same(size, "%.2hhX", x);
      expect_same(size, "<U+%.4X>", x);
      expect_same(size, "\\u%04x", x);
      expect_same(size, "\\u%04x\\u%04x", x, 0xdcffu);
      expect_same(size, "%08x", x * 0x1010101u);
    }
  }
  char text[40];
  std::json_snprintf(text, sizeof text, "%.9X", 0x12345678u);  // no more digits than the number has bits for
  EXPECT_STREQ(text, "12345678");
  try {
    const auto none = nlohmann::json::from_ubjson(std::vector<std::uint8_t>{0x1b});
    FAIL();
  } catch (const nlohmann::json::exception& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("0x1B"));
  }
}

TEST(CompatJson, ReadsAndWritesDocuments) {
  const auto document =
      nlohmann::json::parse(R"({"a": [1, -2, 3.25, 1e300, 18446744073709551615], "b": "\u00e9\u0001"})");
  EXPECT_EQ(document.dump(-1, ' ', true), R"({"a":[1,-2,3.25,1e+300,18446744073709551615],"b":"\u00e9\u0001"})");
  EXPECT_EQ(nlohmann::json("\xf0\x9f\x98\x80").dump(-1, ' ', true), R"("\ud83d\ude00")");
  EXPECT_EQ(document["a"][0], 1u);
  EXPECT_EQ(document["a"][2], 3.25);
  try {
    const auto none = nlohmann::json::parse("[\"a\x01\"]");
    FAIL();
  } catch (const nlohmann::json::exception& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("<U+0001>"));
  }
}

// ----------------------------------------------------------------------------------------------------------------- fmt

TEST(CompatFmt, WritesNumbersAsFmt) {
  EXPECT_EQ(fmt::format("{} {} {} {}", 0.0, -0.0, 1.0, -2.5), "0 -0 1 -2.5");
  EXPECT_EQ(fmt::format("{} {} {} {}", 0.0001, 0.00001, 1e15, 1e16), "0.0001 1e-05 1000000000000000 1e+16");
  EXPECT_EQ(fmt::format("{} {} {}", 0.1f, 16777216.0f, 1.17549435e-38f), "0.1 16777216 1.1754944e-38");
  EXPECT_EQ(fmt::format("{} {}", 123456789012345680.0, 1234.5678), "1.2345678901234568e+17 1234.5678");
  EXPECT_EQ(fmt::format("{:.3f}|{:8.2e}|{:<10g}|{:+^9.1f}|{:06.2f}", 2.0 / 3, 12345.678, 0.5, 1.25, -1.5),
            "0.667|1.23e+04|0.5       |+++1.2+++|-01.50");
  EXPECT_EQ(fmt::format("{:.{}f} {:5} {:<5}| {:x}", 1.0, 2, 42, 7, 255), "1.00    42 7    | ff");
  EXPECT_EQ(fmt::format("{} {}", std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()),
            "inf -inf");
}

TEST(CompatFmt, WritesTheFewestDigits) {
  const auto expect_same = [](auto x) {
    const double size = std::abs(x);
    const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    char text[400];
    const std::string by_std(text, std::to_chars(text, text + sizeof text, x, format).ptr);
    ASSERT_EQ(fmt::format("{}", x), by_std);
  };
  EXPECT_EQ(fmt::format("{} {}", 0x1p-24, -0x1p-44), "5.960464477539063e-08 -5.684341886080802e-14");
  for (const double x : doubles(3000)) expect_same(x);
  for (const double x : powers_of_two<double>()) expect_same(x);
  for (const float x : powers_of_two<float>())
    if (std::abs(x) < 0x1p24f) expect_same(x);  // larger ones have zeros in fmt, all their digits in to_chars
}

}  // namespace
