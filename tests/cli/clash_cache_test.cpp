// `lamella clash --cache`: killed and started again.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "cli/clash_program.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class ClashCacheCommand : public ClashProgram {
 protected:
  /// The JSON without the times.
  [[nodiscard]] static std::string without_times(const Outcome& outcome) {
    Json json = outcome.json();
    json.erase("ms");
    return json.dump();
  }
  [[nodiscard]] std::uintmax_t cache_size() const {
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(at("cache"), failure);
    return failure ? 0 : size;
  }
  /// Sends a signal once the cache has so many bytes.
  [[nodiscard]] Outcome signal_at(std::uintmax_t bytes, int number, const std::vector<std::string>& arguments) const {
    const pid_t child = start_program(arguments);
    constexpr int kTries = 30'000;  // of 2 ms
    for (int i = 0; i < kTries && cache_size() < bytes; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    kill(child, number);
    return finish_program(child);
  }
};

TEST_F(ClashCacheCommand, KilledAndStartedAgainGivesTheSameAnswer) {
  const std::vector<std::string> plain{"clash", "assembly:crowd:3000", "--threads", "1", "--resolution", "512",
                                       "--json"};
  std::vector<std::string> cached = plain;
  cached.insert(cached.end(), {"--cache", at("cache")});
  const std::string whole = without_times(run(plain));
  std::uintmax_t before = 0;
  for (const std::uintmax_t bytes : {5'000u, 40'000u, 90'000u}) {
    EXPECT_EQ(signal_at(bytes, SIGKILL, cached).status, -1);
    EXPECT_GT(cache_size(), before);
    before = cache_size();
  }
  const Outcome last = run(cached);
  EXPECT_EQ(last.status, 1) << last.err;
  EXPECT_EQ(without_times(last), whole);
  EXPECT_GT(cache_size(), before);
  before = cache_size();
  EXPECT_EQ(without_times(run(cached)), whole);
  EXPECT_EQ(cache_size(), before);
}

TEST_F(ClashCacheCommand, CtrlCAndTheSameCommandContinues) {
  std::vector<std::string> command{"clash",   "assembly:crowd:3000", "--threads", "1", "--resolution", "512",
                                   "--cache", at("cache"),           "--json"};
  const Outcome stopped = signal_at(20'000, SIGINT, command);
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  const auto tested = stopped.json()["tested"].get<std::uint64_t>();
  command.pop_back();
  const Outcome all = run(command);
  EXPECT_EQ(all.status, 1) << all.err;
  EXPECT_GT(tested, 0u);
  EXPECT_THAT(all.out, HasSubstr("reused"));
  EXPECT_THAT(all.out, Not(HasSubstr(" 0 pairs of " + at("cache"))));
}

TEST_F(ClashCacheCommand, OnlyAChangedMeshIsTested) {
  const std::string wide = save("wide.ply", make_box({-1, -1, -1}, {3, 3, 3}));
  const std::vector<std::string> command{a_, b_, wide, far_, "--cache", at("cache")};
  EXPECT_THAT(clash(command).out, HasSubstr("0 pairs of " + at("cache")));
  EXPECT_THAT(clash(command).out, HasSubstr("3 pairs of " + at("cache")));
  (void)save("b.ply", make_box({0.5f, 0.25f, 0.5f}, {1.5f, 1.25f, 1}));
  EXPECT_THAT(clash(command).out, HasSubstr("1 pair of " + at("cache")));
}

TEST_F(ClashCacheCommand, AFileThatIsNoneIsRefused) {
  EXPECT_THAT(refusal({a_, b_, "--cache", far_}), HasSubstr("is no cache of clashes; name another file"));
  EXPECT_THAT(refusal({a_, b_, "--cache", at("nowhere/cache")}), HasSubstr("nowhere/cache: cannot open the file"));
}

}  // namespace
}  // namespace lamella::test
