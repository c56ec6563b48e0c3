#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace lamella {
namespace {

std::string failure_of(const LowestFailure& failure) {
  try {
    failure.rethrow();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "none";
}

TEST(LowestFailure, IsThatOfTheLowestNumberWhateverCameFirst) {
  LowestFailure failure;
  std::string made;
  const auto call = [&](std::size_t number, bool fails) {
    failure.run(number, [&] {
      made += std::to_string(number);
      if (fails) throw std::runtime_error(std::to_string(number));
    });
  };
  EXPECT_EQ(failure_of(failure), "none");
  call(7, false);
  call(5, true);
  call(3, true);
  call(4, true);  // need not be made any more
  call(1, false);
  EXPECT_EQ(failure_of(failure), "3");
  EXPECT_EQ(made, "7531");
}

TEST(Workers, AreNoMoreThanCanRun) {
  const unsigned all = Workers(0).count();
  EXPECT_EQ(Workers(1).count(), 1u);
  EXPECT_EQ(Workers(1'000'000).count(), all);
  Workers workers(1'000'000);
  std::atomic<unsigned> beyond{0};
  workers.for_chunks(1000, 1, [&](std::size_t, std::size_t, unsigned worker) { beyond += worker >= all ? 1 : 0; });
  EXPECT_EQ(beyond, 0u);
}

}  // namespace
}  // namespace lamella
