#include "answer/json.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <random>

namespace lamella::answer {
namespace {

TEST(ShortestDigits, AreThoseThatPeopleWrite) {
  EXPECT_EQ(shortest(0.1f), 0.1);
  EXPECT_EQ(shortest(-1234.5f), -1234.5);
  EXPECT_EQ(shortest(0), 0);
  EXPECT_TRUE(std::isnan(shortest(NAN)));
  EXPECT_EQ(shortest(HUGE_VALF), HUGE_VAL);
}

void expect_same(std::uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  if (std::isfinite(value)) {
    ASSERT_EQ(shortest_by_trial(value), shortest(value)) << value;
  }
}

TEST(ShortestDigits, AreTheSameByTrial) {
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent)
    for (const std::uint32_t mantissa : {0u, 1u, 2u, 0x400000u, 0x7fffffu}) {
      expect_same(exponent << 23 | mantissa);
      expect_same(exponent << 23 | mantissa | 0x80000000u);
    }
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) expect_same(random());
}

}  // namespace
}  // namespace lamella::answer
