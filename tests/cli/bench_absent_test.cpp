#include <gmock/gmock.h>

#include <CLI/CLI.hpp>

#include "cli/subcommands.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

TEST(BenchAbsent, SaysHowToHaveBenchmarksWhateverWasAskedOfThem) {
  for (const char* line : {"bench", "bench paper", "bench scaling --faces 5000 --json"}) {
    CLI::App app;
    int status = 0;
    add_bench(Command(app), status);
    try {
      app.parse(line);
      FAIL() << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::input);
      EXPECT_THAT(error.what(), testing::HasSubstr("-DLAMELLA_BENCH=ON"));
    }
  }
}

}  // namespace
}  // namespace lamella::cli
