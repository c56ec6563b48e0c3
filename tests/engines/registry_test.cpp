#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

TEST(Registry, EveryListedEngineIsMadeByItsName) {
  for (const EngineInfo& info : engines()) {
    EXPECT_FALSE(info.summary.empty());
    EXPECT_EQ(info.available, info.why.empty());
    if (info.available) {
      EXPECT_EQ(make_engine({.engine = info.name})->name(), info.name);
    }
  }
}

TEST(Registry, AutomaticTakesTheFirstThatIsAvailable) {
  EXPECT_EQ(make_engine({.engine = "automatic"})->name(), "software");
}

TEST(Registry, AnUnknownNameFailsAndListsTheKnownOnes) {
  try {
    (void)make_engine({.engine = "sofware"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::AllOf(testing::HasSubstr("\"sofware\""), testing::HasSubstr("software, reference")));
  }
}

}  // namespace
}  // namespace lamella
