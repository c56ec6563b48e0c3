// Sweeps that end early, in every way that a test in one process can make them; program_test.cpp kills the program.

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "support/errors.hpp"
#include "sweep/folder.hpp"
#include "sweep/state_text.hpp"
#include "sweep/sync.hpp"

namespace lamella {
namespace {

using test::error_of;
using test::quick;
using testing::HasSubstr;

class Continued : public test::Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    jobs_ = write_jobs("j.csv", random_jobs(4000));
    (void)sweep_file(jobs_, at("whole.csv"), quick());
    whole_ = content("whole.csv");
  }
  /// Answers the first blocks of the jobs into out.csv, and ends.
  SweepReport begin(int blocks = 1) const {
    SweepFileOptions options = quick();
    options.stop = [n = std::make_shared<int>(blocks)] { return --*n <= 0; };
    return sweep_file(jobs_, at("out.csv"), options);
  }
  SweepReport go_on() const { return sweep_file(jobs_, at("out.csv"), quick()); }
  [[nodiscard]] std::string refusal(const SweepFileOptions& options = quick()) const {
    const std::string before = content("out.csv"), state = content("out.csv.state");
    const std::string message = error_of([&] { (void)sweep_file(jobs_, at("out.csv"), options); }).what();
    EXPECT_EQ(content("out.csv"), before);
    EXPECT_EQ(content("out.csv.state"), state);
    return message;
  }

  std::filesystem::path jobs_;
  std::string whole_;
};

TEST_F(Continued, ToTheByte) {
  const SweepReport first = begin();
  EXPECT_FALSE(first.complete);
  EXPECT_GT(first.answered(), 0u);
  EXPECT_LT(first.answered(), 4000u);
  EXPECT_TRUE(whole_.starts_with(content("out.csv")));
  const SweepReport second = go_on();
  EXPECT_TRUE(second.complete);
  EXPECT_EQ(second.resumed, first.answered());
  EXPECT_EQ(second.counts.answers(), 4000u);
  EXPECT_EQ(content("out.csv"), whole_);
}

TEST_F(Continued, ACompleteSweepDoesNothing) {
  (void)go_on();
  const auto written = std::filesystem::last_write_time(at("out.csv"));
  const SweepReport again = go_on();
  EXPECT_TRUE(again.complete);
  EXPECT_EQ(again.answered(), 0u);
  EXPECT_EQ(again.counts.answers(), 4000u);
  EXPECT_EQ(content("out.csv"), whole_);
  EXPECT_EQ(std::filesystem::last_write_time(at("out.csv")), written);
}

TEST_F(Continued, ATornTailIsCutOff) {
  (void)begin();
  for (const std::string& tail : {std::string("12,coll"), std::string("\0\0\0\0", 4), whole_}) {
    std::ofstream(at("out.csv"), std::ios::app | std::ios::binary) << tail;
    SweepFileOptions none = quick();
    none.stop = [] { return true; };
    (void)sweep_file(jobs_, at("out.csv"), none);
    EXPECT_TRUE(whole_.starts_with(content("out.csv")));
  }
  (void)go_on();
  EXPECT_EQ(content("out.csv"), whole_);
}

TEST_F(Continued, BeforeTheFirstCheckpoint) {
  // As a process leaves it that was killed while it began: the state says that nothing is there yet.
  (void)begin();
  SweepState state = sweep_parts::parse_state(content("out.csv.state"));
  SweepState none;
  none.version = state.version;
  none.options = state.options;
  for (const std::string left : {"", "index,verd", "index,verdict\n0,cle"}) {
    save("out.csv.state", sweep_parts::to_text(none));
    save("out.csv", left);
    EXPECT_EQ(go_on().resumed, 0u);
    EXPECT_EQ(content("out.csv"), whole_);
  }
}

TEST_F(Continued, JobsThatWereAppendedAreAnswered) {
  (void)go_on();
  const std::string header_and_jobs = content("j.csv");
  save("j.csv", header_and_jobs + header_and_jobs.substr(header_and_jobs.find('\n') + 1));
  const SweepReport report = go_on();
  EXPECT_EQ(report.resumed, 4000u);
  EXPECT_EQ(report.counts.answers(), 8000u);
  (void)sweep_file(jobs_, at("twice.csv"), quick());
  EXPECT_EQ(content("out.csv"), content("twice.csv"));
}

TEST_F(Continued, ABadJobStopsTheSweepUntilItIsMended) {
  std::string text = content("j.csv");
  const std::size_t at_line = text.find('\n', text.size() / 2) + 1;
  save("j.csv", text.substr(0, at_line) + "nonsense\n" + text.substr(at_line));
  EXPECT_THAT(error_of([&] { (void)go_on(); }).what(), HasSubstr("j.csv:2"));
  EXPECT_TRUE(whole_.starts_with(content("out.csv")));
  EXPECT_GT(content("out.csv").size(), whole_.size() / 3);  // all that was before it
  save("j.csv", text);
  EXPECT_GT(go_on().resumed, 1000u);
  EXPECT_EQ(content("out.csv"), whole_);
}

TEST_F(Continued, NotWithOtherJobs) {
  (void)begin();
  std::string text = content("j.csv");
  text[text.find("0.")] = '1';
  save("j.csv", text);
  EXPECT_THAT(refusal(), HasSubstr("jobs are not what they were; start over with --restart"));
}

TEST_F(Continued, NotWithAnotherMesh) {
  (void)begin();
  write_mesh(at("box.ply"), test::box_mesh({0, 0, 0}, {1, 1, 1.5f}));
  EXPECT_THAT(refusal(), HasSubstr("box.ply: the mesh has changed since the sweep began; start over"));
}

TEST_F(Continued, NotWithAMeshThatAnotherSweepReadBefore) {
  {
    SweepFiles files(jobs_, at("out.csv"), quick());
    Sweep other(quick().query, [this](const std::string& name) { return read_mesh(at(name)); });
    JobBlock block;
    files.read(block, 10);
    files.sweep().add_meshes(block.new_meshes);
    other.add_meshes(block.new_meshes);
    std::vector<PairOverlap> answers;
    other.answer(block, answers);
    for (std::uint32_t i = 0; i < 2; ++i) files.note_digest(i, other.digest(i).value());
    files.write(block, answers);
    files.save();
  }
  const std::string box = content("box.ply");
  write_mesh(at("box.ply"), test::box_mesh({0, 0, 0}, {1, 1, 1.5f}));
  EXPECT_THAT(refusal(), HasSubstr("box.ply: the mesh has changed since the sweep began"));
  save("box.ply", box);
  EXPECT_EQ(go_on().resumed, 10u);
  EXPECT_EQ(content("out.csv"), whole_);
}

TEST_F(Continued, NotWithOtherOptions) {
  (void)begin();
  SweepFileOptions options = quick();
  options.query.resolution = 9;
  EXPECT_THAT(refusal(options), HasSubstr("resolution was 8, and is 9 now; start over"));
  options = quick();
  options.query.certify = true;
  EXPECT_THAT(refusal(options), HasSubstr("certify was false, and is true now"));
  options = quick();
  options.query.axis = Axis::y;
  EXPECT_THAT(refusal(options), HasSubstr("axis was auto, and is y now"));
}

TEST_F(Continued, AutomaticIsTheEngineOfTheFirstRun) {
  (void)begin();
  SweepFileOptions options = quick();
  options.query.engine = "automatic";
  EXPECT_EQ(sweep_file(jobs_, at("out.csv"), options).engine, "software");
  EXPECT_EQ(content("out.csv"), whole_);
}

TEST_F(Continued, NotByAnotherVersion) {
  (void)begin();
  SweepState state = sweep_parts::parse_state(content("out.csv.state"));
  state.version = "0.0.1";
  save("out.csv.state", sweep_parts::to_text(state));
  EXPECT_THAT(refusal(), HasSubstr("version 0.0.1 of lamella began it"));
}

TEST_F(Continued, NotWhenTheAnswersWereChanged) {
  (void)begin();
  const std::string out = content("out.csv");
  save("out.csv", out.substr(0, out.size() - 1));
  EXPECT_THAT(refusal(), HasSubstr("something else changed it"));
  save("out.csv", "x" + out);
  EXPECT_THAT(refusal(), HasSubstr("something else changed it"));
  save("out.csv", out);
  std::filesystem::remove(at("out.csv.state"));
  EXPECT_THAT(refusal(), HasSubstr("there is no out.csv.state beside it"));
  for (const std::string damaged : {"", "lamella sweep 2\n", "x"}) {
    save("out.csv.state", damaged);
    EXPECT_THAT(refusal(), HasSubstr("is damaged; start over with --restart")) << damaged;
  }
  save("out.csv.state", "lamella sweep 1\nversion 0.9.0\n");
  EXPECT_THAT(refusal(), HasSubstr("is of another version of lamella, which this one cannot continue; start over"));
}

TEST_F(Continued, NotWhenAnAnswerWasEdited) {
  (void)begin(3);
  const std::string out = content("out.csv");
  for (const std::size_t i : {std::size_t{0}, out.size() / 2, out.size() - 2}) {
    std::string edited = out;
    edited[i] = edited[i] == '1' ? '2' : '1';
    save("out.csv", edited);
    EXPECT_THAT(refusal(), HasSubstr("something else changed it")) << i;
    EXPECT_THAT(refusal(), HasSubstr("--restart")) << i;
  }
  save("out.csv", out);
  (void)go_on();
  EXPECT_EQ(content("out.csv"), whole_);
}

/// In place of fsync(): fails at one call for a file of this name, and says that all is well ever after, as Linux does.
struct FailingSync {
  FailingSync(std::string file, int call) {
    name = std::move(file);
    left = call;
    sweep_parts::sync_to_disk = [](int descriptor) {
      const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor));
      if (path.filename() != name || --left != 0) return true;
      failed = true;
      errno = EIO;
      return false;
    };
  }
  ~FailingSync() { sweep_parts::sync_to_disk = before; }

  bool (*before)(int) = sweep_parts::sync_to_disk;
  static inline std::string name;
  static inline int left = 0;
  static inline bool failed = false;
};

TEST_F(Continued, AfterAFailedSyncTheStateStaysWhereItWas) {
  std::string state;  // while the sync that fails is made
  SweepFileOptions options = quick();
  options.progress = [&](const SweepProgress&) { state = content("out.csv.state"); };
  {
    const FailingSync disk("out.csv", 3);
    EXPECT_THAT(error_of([&] { (void)sweep_file(jobs_, at("out.csv"), options); }).what(),
                HasSubstr("out.csv: cannot write the answers to the disk"));
    EXPECT_TRUE(FailingSync::failed);
  }
  EXPECT_EQ(content("out.csv.state"), state);
  EXPECT_EQ(sweep_parts::parse_state(state).counts.answers(), go_on().resumed);
  EXPECT_EQ(content("out.csv"), whole_);
}

TEST_F(Continued, AFileThatFailedOnceIsNeverCheckpointedAgain) {
  AnswerFile file(at("x.csv"));
  file.begin({}, "head\n");
  file.append("1\n");
  file.checkpoint({});
  const std::string state = content("x.csv.state");
  file.append("2\n");
  {
    const FailingSync disk("x.csv", 1);
    EXPECT_THAT(error_of([&] { file.checkpoint({}); }).what(), HasSubstr("cannot write the answers to the disk"));
  }
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(error_of([&] { file.checkpoint({}); }).what(), HasSubstr("an earlier write of the answers failed"));
  EXPECT_EQ(content("x.csv.state"), state);
}

TEST_F(Continued, AFileThatIsRemovedMeanwhileIsAnError) {
  for (const bool replaced : {false, true}) {
    SweepFileOptions options = quick();
    options.restart = true;
    options.progress = [&, n = std::make_shared<int>(0)](const SweepProgress&) {
      if (++*n != 2) return;
      std::filesystem::remove(at("out.csv"));
      if (replaced) save("out.csv", "another");
    };
    EXPECT_THAT(error_of([&] { (void)sweep_file(jobs_, at("out.csv"), options); }).what(),
                HasSubstr("out.csv: was removed, renamed or replaced"));
    EXPECT_EQ(std::filesystem::exists(at("out.csv")), replaced);
  }
}

TEST_F(Continued, AFileThatIsReplacedWhileItsLockIsWaitedForIsAnError) {
  auto held = std::make_unique<AnswerFile>(at("out.csv"));
  std::string message;
  std::thread second([&] { message = error_of([&] { AnswerFile(at("out.csv"), true); }).what(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it has opened the file by then, or finds a new one
  std::filesystem::remove(at("out.csv"));
  held.reset();
  second.join();
  EXPECT_THAT(message, HasSubstr("was removed, renamed or replaced"));
}

TEST_F(Continued, BinaryJobsThatWereAppendedAreAnswered) {
  std::vector<PairJob> jobs = random_jobs(300);
  jobs_ = write_jobs("j.jobs", std::span(jobs).first(200));
  (void)go_on();
  (void)write_jobs("j.jobs", jobs);
  const SweepReport report = go_on();
  EXPECT_EQ(report.resumed, 200u);
  EXPECT_EQ(report.counts.answers(), 300u);
  (void)sweep_file(jobs_, at("twice.csv"), quick());
  EXPECT_EQ(content("out.csv"), content("twice.csv"));
  jobs[5].pose_a.translation.x += 1;
  (void)write_jobs("j.jobs", jobs);
  EXPECT_THAT(refusal(), HasSubstr("jobs are not what they were"));
}

TEST_F(Continued, RestartBeginsAnew) {
  (void)begin();
  save("out.csv.state", "damaged");
  SweepFileOptions options = quick();
  options.restart = true;
  EXPECT_EQ(sweep_file(jobs_, at("out.csv"), options).resumed, 0u);
  EXPECT_EQ(content("out.csv"), whole_);
}

TEST_F(Continued, OneProcessAtATime) {
  (void)begin();
  {
    const AnswerFile held(at("out.csv"));
    EXPECT_THAT(refusal(), HasSubstr("another process is writing this file"));
    SweepFileOptions options = quick();
    options.restart = true;
    EXPECT_THAT(refusal(options), HasSubstr("another process is writing this file"));
  }
  (void)go_on();
  EXPECT_EQ(content("out.csv"), whole_);
}

/// While it lives, files of this process can have no more than so many bytes: writing fails as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(std::size_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(Continued, AfterTheDiskWasFull) {
  for (const std::size_t room : {whole_.size() / 2, whole_.size() * 3 / 4, whole_.size() - 1}) {
    std::string message;
    {
      const FullDisk disk(room);
      message = error_of([&] { (void)go_on(); }).what();
    }
    EXPECT_THAT(message, HasSubstr("out.csv: cannot write the answers"));
    EXPECT_TRUE(whole_.starts_with(content("out.csv")));
    EXPECT_TRUE(content("out.csv").ends_with("\n"));
  }
  EXPECT_GT(go_on().resumed, 0u);
  EXPECT_EQ(content("out.csv"), whole_);
}

TEST_F(Continued, AStateIsReadAsItWasWritten) {
  SweepState state;
  state.version = "1.2.3";
  state.options = "engine=software resolution=8";
  state.jobs = {7, 8, 9, 0xfedcba9876543210u};
  state.bytes = 10;
  state.digest = 11;
  state.counts = {1, 2, 3, 4};
  state.meshes = {{"a b.ply", 5}, {"digest 0", std::nullopt}};
  const std::string text = sweep_parts::to_text(state);
  const SweepState got = sweep_parts::parse_state(text);
  EXPECT_EQ(sweep_parts::to_text(got), text);
  EXPECT_EQ(got.jobs, state.jobs);
  EXPECT_EQ(got.digest, state.digest);
  EXPECT_EQ(got.counts, state.counts);
  ASSERT_EQ(got.meshes.size(), 2u);
  EXPECT_EQ(got.meshes[0].name, "a b.ply");
  EXPECT_EQ(got.meshes[0].digest, 5u);
  EXPECT_FALSE(got.meshes[1].digest);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] ^= 1;
    EXPECT_THROW((void)sweep_parts::parse_state(damaged), Error) << i;
    EXPECT_THROW((void)sweep_parts::parse_state(text.substr(0, i)), Error) << i;
  }
}

}  // namespace
}  // namespace lamella
