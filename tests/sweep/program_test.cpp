// `lamella sweep`, killed at random moments.

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "cli/program.hpp"
#include "lamella/job_sweep.hpp"
#include "scenes/scenes.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

class SweepProgram : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    (void)save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
    (void)save("ball.ply", scenes::sphere(300));
  }
  [[nodiscard]] std::string make_jobs(const std::string& name, int count) const {
    const Outcome made = run({"sweep", at("box.ply"), at("ball.ply"), "--make", std::to_string(count), "-o", at(name)});
    EXPECT_EQ(made.status, 0) << made.err;
    return at(name);
  }
  [[nodiscard]] std::vector<std::string> arguments(const std::string& jobs, const std::string& out) const {
    return {"sweep", jobs, "-o", at(out), "--engine", "software", "--resolution", "12", "--checkpoint", "0"};
  }
  [[nodiscard]] std::uint64_t answers_in_state(const std::string& out) const {
    const std::string state = content(at(out + ".state"));
    const std::size_t found = state.find("\njobs ");
    return found == std::string::npos ? 0 : std::stoull(state.substr(found + 6));
  }
};

TEST_F(SweepProgram, KilledTwentyTimesGivesTheSameBytes) {
  constexpr int kJobs = 60'000, kKills = 20;
  const std::string jobs = make_jobs("jobs.csv", kJobs);
  const auto start = std::chrono::steady_clock::now();
  const Outcome whole = run(arguments(jobs, "whole.csv"));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(whole.status, 0) << whole.err;

  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(0, 1.0 / 6);
  int in_the_middle = 0;
  std::uint64_t before = 0;
  for (int i = 0; i < kKills; ++i) {
    const pid_t child = start_program(arguments(jobs, "out.csv"));
    ASSERT_NE(child, -1);
    std::this_thread::sleep_for(seconds * part(random));
    kill(child, SIGKILL);
    (void)finish_program(child);
    const std::uint64_t now = answers_in_state("out.csv");
    EXPECT_GE(now, before);
    if (now > before && now < kJobs) ++in_the_middle;
    before = now;
  }
  EXPECT_GE(in_the_middle, 2);  // it was killed where it matters
  const Outcome last = run(arguments(jobs, "out.csv"));
  EXPECT_EQ(last.status, 0) << last.err;
  EXPECT_EQ(content(at("out.csv")), content(at("whole.csv")));
}

TEST_F(SweepProgram, ASignalEndsItAfterABlockAndTheSameCommandContinues) {
  const std::string jobs = make_jobs("jobs.jobs", 60'000);
  ASSERT_EQ(run(arguments(jobs, "whole.csv")).status, 0);
  const Outcome stopped = run_and_signal(arguments(jobs, "out.csv"), SIGINT, "out.csv.state");
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("stopped by Ctrl-C after"));
  EXPECT_THAT(stopped.err, HasSubstr("the same command continues"));
  EXPECT_LT(answers_in_state("out.csv"), 60'000u);
  EXPECT_EQ(run(arguments(jobs, "out.csv")).status, 0);
  EXPECT_EQ(content(at("out.csv")), content(at("whole.csv")));
}

TEST_F(SweepProgram, SlowJobsEndSoonAfterASignal) {
  (void)save("knot.ply", scenes::torus_knot(20'000));
  std::string text = "mesh_a,mesh_b,bx,by,bz\n";
  for (int i = 0; i < 400; ++i) text += "knot.ply,knot.ply,0." + std::to_string(100 + i) + ",0,0\n";
  std::vector<std::string> command = arguments(save_text("jobs.csv", text), "out.csv");
  command[7] = "1024";  // the resolution
  const Outcome stopped = run_and_signal(command, SIGTERM, "out.csv.state");
  EXPECT_EQ(stopped.status, 143) << stopped.err;
  EXPECT_LT(answers_in_state("out.csv"), 200u);
}

TEST_F(SweepProgram, ASignalWhileJobsAreMadeLeavesNoFile) {
  const std::size_t before = file_count();
  for (const int number : {SIGINT, SIGTERM}) {
    const Outcome stopped = run_and_signal(
        {"sweep", at("box.ply"), at("ball.ply"), "--make", "1000000000", "-o", at("jobs.csv")}, number, "jobs.csv");
    EXPECT_EQ(stopped.status, 128 + number) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("nothing was written"));
    EXPECT_EQ(file_count(), before);
  }
}

TEST_F(SweepProgram, OptionsOfSweepsAreRefusedWhereJobsAreMade) {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--restart"}, {"--resolution", "64"}, {"--engine", "software"}, {"--json"}}) {
    std::vector<std::string> command{"sweep", at("box.ply"), "--make", "5", "-o", at("jobs.csv")};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome refused = run(command);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr(more[0] + " does nothing with --make"));
    EXPECT_FALSE(std::filesystem::exists(at("jobs.csv")));
  }
}

TEST_F(SweepProgram, AFileThatMayNotGrowIsAnError) {
  const std::string jobs = make_jobs("jobs.csv", 5000);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = 100'000;
  setrlimit(RLIMIT_FSIZE, &limit);
  const pid_t child = start_program(arguments(jobs, "out.csv"));
  setrlimit(RLIMIT_FSIZE, &before);
  const Outcome full = finish_program(child);
  EXPECT_EQ(full.status, 2) << full.err;
  EXPECT_THAT(full.err, HasSubstr("out.csv: cannot write the answers"));
  EXPECT_EQ(run(arguments(jobs, "out.csv")).status, 0);
}

TEST_F(SweepProgram, TheSummary) {
  const std::string jobs = make_jobs("jobs.jsonl", 500);
  std::vector<std::string> command = arguments(jobs, "out.jsonl");
  command.push_back("--json");
  const Outcome first = run(command);
  ASSERT_EQ(first.status, 0) << first.err;
  const auto json = first.json();
  expect_keys(json,
              {"query", "complete", "answers", "resumed", "clear", "colliding", "undecided", "not_ok", "engine", "ms"});
  EXPECT_EQ(json["query"], "sweep");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["answers"], 500);
  EXPECT_EQ(json["clear"].get<int>() + json["colliding"].get<int>(), 500);
  EXPECT_GT(json["colliding"].get<int>(), 250);
  const auto again = run(command).json();
  EXPECT_EQ(again["resumed"], 500);
  command.pop_back();
  const Outcome text = run(command);
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("all jobs were answered before"));
  EXPECT_THAT(content(at("out.jsonl")), HasSubstr("{\"index\":0,\"colliding\":"));
  const auto line = parse_json(content(at("out.jsonl")).substr(0, content(at("out.jsonl")).find('\n')));
  expect_keys(line, {"index", "colliding", "verdict", "volume", "volume_error", "centroid", "spans", "health"});
}

TEST_F(SweepProgram, UndecidedAnswersAreStatusFour) {
  (void)save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const std::string jobs = save_text("jobs.csv", "mesh_a,mesh_b\nbox.ply,ball.ply\nopen.ply,ball.ply\n");
  std::vector<std::string> command = arguments(jobs, "out.csv");
  command.insert(command.end(), {"--as-is", "--axis", "x"});
  const Outcome first = run(command), second = run(command);
  EXPECT_EQ(first.status, 4) << first.err << content(at("out.csv"));
  EXPECT_EQ(second.status, 4);  // also when all was there already
  EXPECT_THAT(content(at("out.csv")), HasSubstr("undecided,false,0,0,,,,0,false,open_columns="));
  command.push_back("--exit-zero");
  EXPECT_EQ(run(command).status, 0);
}

TEST_F(SweepProgram, ModelsAndBadInput) {
  const std::string jobs = save_text("jobs.csv", "mesh_a,mesh_b\nmodel:hand:300,model:phone:300\n");
  const Outcome answered = run({"sweep", jobs, "-o", at("out.csv")});
  EXPECT_EQ(answered.status, 0) << answered.err;
  const Outcome no_output = run({"sweep", jobs});
  EXPECT_EQ(no_output.status, 2);
  EXPECT_THAT(no_output.err, HasSubstr("--output"));
  const Outcome bad = run({"sweep", save_text("bad.csv", "mesh_a,mesh_b\nbox.ply\n"), "-o", at("bad_out.csv")});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.csv:2: expected 2 fields"));
  const Outcome outside =
      run({"sweep", save_text("o.csv", "mesh_a,mesh_b\nbox.ply,../x.ply\n"), "-o", at("o_out.csv")});
  EXPECT_EQ(outside.status, 2);
  EXPECT_THAT(outside.err, HasSubstr("--allow-any-path"));
}

TEST_F(SweepProgram, MemoryStaysFlat) {
  const auto peak_kb = [&](int rows) {
    std::string text = "mesh_a,mesh_b,bx,by,bz\n";
    for (int i = 0; i < rows; ++i) text += "box.ply,ball.ply,9,9,9\n";  // far apart: quick
    const std::string jobs = save_text("jobs.csv", text);
    const pid_t child = start_program({"sweep", jobs, "-o", at("out.csv"), "--engine", "software", "--restart"});
    rusage usage{};
    int state = 0;
    EXPECT_EQ(wait4(child, &state, 0, &usage), child);
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
    return usage.ru_maxrss;
  };
  const long some = peak_kb(200'000), many = peak_kb(1'000'000);
  EXPECT_EQ(answers_in_state("out.csv"), 1'000'000u);
  EXPECT_LT(many, some + 16 * 1024);
  EXPECT_LT(many, 400 * 1024);
}

}  // namespace
}  // namespace lamella::test
