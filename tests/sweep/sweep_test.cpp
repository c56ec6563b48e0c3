#include <gmock/gmock.h>

#include <charconv>
#include <sstream>
#include <thread>

#include "lamella/query.hpp"
#include "support/errors.hpp"
#include "sweep/block_size.hpp"
#include "sweep/folder.hpp"

namespace lamella {
namespace {

using test::error_of;
using test::quick;
using testing::HasSubstr;

class Sweeps : public test::Folder {
 protected:
  [[nodiscard]] MeshLoader loader() const {
    return [this](const std::string& name) { return read_mesh(at(name)); };
  }
  /// What intersect() says of a job, as a line of CSV.
  [[nodiscard]] std::string expected_line(const PairJob& job, std::uint64_t index, Options options) const {
    if (job.resolution != 0) options.resolution = job.resolution;
    const Overlap o =
        intersect(transformed(meshes_[job.a], job.pose_a), transformed(meshes_[job.b], job.pose_b), options);
    PairOverlap pair;
    pair.verdict = o.verdict;
    pair.volume = o.volume;
    pair.volume_error = o.volume_error;
    pair.centroid = o.centroid;
    pair.span_count = static_cast<std::uint32_t>(o.span_count);
    pair.health = o.health;
    std::string text;
    append_answers(text, {}, index, {&pair, 1});
    return text;
  }
};

TEST_F(Sweeps, TheSmallestOne) {
  PairJob job;
  job.pose_b.translation = {0.5, 0.5, 0.5};
  job.pose_a.rotation = {};
  const SweepReport report = sweep_file(write_jobs("j.csv", {&job, 1}), at("out.csv"), quick());
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.answered(), 1u);
  EXPECT_EQ(report.resumed, 0u);
  EXPECT_EQ(report.counts.colliding, 1u);
  EXPECT_EQ(report.engine, "software");
  EXPECT_EQ(content("out.csv").substr(0, 6), "index,");
  EXPECT_THAT(content("out.csv"), HasSubstr("\n0,colliding,true,0.125,"));
}

TEST_F(Sweeps, EveryFormatOfJobsGivesWhatIntersectSays) {
  std::vector<PairJob> jobs = random_jobs(300);
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].resolution = i % 5 == 0 ? 0 : i % 3 == 0 ? 24 : 12;
  std::string expected = "index,verdict,colliding,volume,volume_error,centroid_x,centroid_y,centroid_z,spans,ok,why\n";
  for (std::size_t i = 0; i < jobs.size(); ++i) expected += expected_line(jobs[i], i, quick().query);
  EXPECT_THAT(expected, HasSubstr(",clear,"));  // both kinds are there
  EXPECT_THAT(expected, HasSubstr(",colliding,"));
  for (const char* name : {"j.csv", "j.jsonl", "j.jobs"}) {
    const SweepReport report =
        sweep_file(write_jobs(name, jobs, true), at("out.csv"), {.query = quick().query, .restart = true});
    EXPECT_EQ(report.counts.answers(), jobs.size());
    EXPECT_EQ(content("out.csv"), expected) << name;
  }
}

TEST_F(Sweeps, AnAnswerDoesNotDependOnItsBlock) {
  std::vector<PairJob> jobs = random_jobs(60);
  for (std::size_t i = 0; i < jobs.size(); i += 2) jobs[i].resolution = 5 + static_cast<std::uint32_t>(i % 14);
  Sweep sweep(quick().query, loader());
  sweep.add_meshes(names_);
  JobBlock block;
  block.jobs = jobs;
  std::vector<PairOverlap> together, one;
  sweep.answer(block, together);
  for (std::size_t i = jobs.size(); i-- > 0;) {
    block.jobs.assign(1, jobs[i]);
    sweep.answer(block, one);
    std::string a, b;
    append_answers(a, {}, i, {&together[i], 1});
    append_answers(b, {}, i, one);
    EXPECT_EQ(a, b);
  }
}

TEST_F(Sweeps, NamesMayBeAddedWhileAnotherThreadAnswers) {
  JobBlock block;
  block.jobs = random_jobs(300);
  Sweep sweep(quick().query, loader(), 1);  // so that meshes are read again and again
  sweep.add_meshes(names_);
  EXPECT_EQ(sweep.digest(0), std::nullopt);
  std::vector<PairOverlap> alone, together;
  sweep.answer(block, alone);
  std::thread other([&] {
    for (int i = 0; i < 5000; ++i) {
      const std::string name = std::to_string(i);
      sweep.add_meshes({&name, 1});
      EXPECT_TRUE(sweep.digest(1));
    }
  });
  sweep.answer(block, together);
  other.join();
  EXPECT_EQ(sweep.meshes().size(), 5002u);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(alone[i].volume, together[i].volume);
}

TEST_F(Sweeps, ThreadsDoNotChangeTheFile) {
  const auto jobs = write_jobs("j.jobs", random_jobs(2000));
  SweepFileOptions options = quick();
  options.query.threads = 1;
  (void)sweep_file(jobs, at("one.csv"), options);
  options.query.threads = 0;
  (void)sweep_file(jobs, at("all.csv"), options);
  EXPECT_EQ(content("one.csv"), content("all.csv"));
}

TEST_F(Sweeps, EachMeshIsReadOnce) {
  int reads = 0;
  SweepFileOptions options = quick();
  options.load = [&](const std::string& name) {
    ++reads;
    return read_mesh(at(name));
  };
  std::vector<PairJob> jobs = random_jobs(5000);
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].resolution = 2 + static_cast<std::uint32_t>(i % 9);
  (void)sweep_file(write_jobs("j.csv", jobs, true), at("out.csv"), options);
  EXPECT_EQ(reads, 2);
}

TEST_F(Sweeps, MeshesBeyondTheirMemoryAreReadAgain) {
  const auto jobs = write_jobs("j.csv", random_jobs(200));
  (void)sweep_file(jobs, at("all.csv"), quick());
  int reads = 0;
  SweepFileOptions options = quick();
  options.mesh_memory = 1;
  options.load = [&](const std::string& name) {
    ++reads;
    return read_mesh(at(name));
  };
  (void)sweep_file(jobs, at("out.csv"), options);
  EXPECT_GT(reads, 100);
  EXPECT_EQ(content("out.csv"), content("all.csv"));
  // One that is another mesh by then is noticed.
  options.restart = true;
  options.load = [&, n = 0](const std::string& name) mutable {
    return n++ < 20 ? read_mesh(at(name)) : test::box_mesh({0, 0, 0}, {2, 2, 2});
  };
  EXPECT_THAT(error_of([&] { (void)sweep_file(jobs, at("out.csv"), options); }).what(),
              HasSubstr("the mesh has changed since the sweep began"));
}

TEST(SweepBlocks, FollowTheTimeOfAJob) {
  using sweep_parts::next_block;
  EXPECT_EQ(next_block(1, 60, 1, 1000), 1u);   // slow: one at a time
  EXPECT_EQ(next_block(16, 60, 8, 1000), 8u);  // or one for each thread
  EXPECT_EQ(next_block(16, 1, 1, 1000), 4u);   // a quarter of a second
  EXPECT_EQ(next_block(16, 0, 1, 1000), 64u);  // quick: four times as many
  EXPECT_EQ(next_block(1000, 0, 1, 1000), 1000u);
  EXPECT_EQ(next_block(1, 0, 64, 16), 64u);
}

TEST_F(Sweeps, BeginWithAJobForEachThread) {
  SweepFileOptions options = quick();
  options.query.threads = 1;
  options.stop = [] { return true; };
  const SweepReport report = sweep_file(write_jobs("j.csv", random_jobs(500)), at("out.csv"), options);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.answered(), 1u);
}

TEST_F(Sweeps, JobsFromACallAndAnswersToACall) {
  const std::vector<PairJob> jobs = random_jobs(5000);
  std::size_t given = 0;
  std::uint64_t taken = 0;
  Sweep sweep(quick().query, loader());
  AnswerCounts counts;
  sweep.run(
      [&](JobBlock& block, std::size_t most) {
        block.clear();
        if (given == 0) block.new_meshes = names_;
        block.first = given;
        for (; given < jobs.size() && block.jobs.size() < most; ++given) block.jobs.push_back(jobs[given]);
      },
      [&](const JobBlock& block, std::span<const PairOverlap> answers) {
        EXPECT_EQ(block.first, taken);
        EXPECT_EQ(block.jobs.size(), answers.size());
        taken += answers.size();
        counts.add(answers);
      });
  EXPECT_EQ(taken, jobs.size());
  const SweepReport report = sweep_file(write_jobs("j.csv", jobs), at("out.csv"), quick());
  EXPECT_EQ(report.counts, counts);
}

TEST_F(Sweeps, CertifiedAnswersSaySo) {
  SweepFileOptions options = quick();
  options.query.engine = "automatic";
  options.query.certify = true;
  const SweepReport report = sweep_file(write_jobs("j.csv", random_jobs(20)), at("out.csv"), options);
  EXPECT_EQ(report.engine, "software");
  std::istringstream lines(content("out.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.ends_with(",certain"));
  while (std::getline(lines, line)) EXPECT_TRUE(line.ends_with(",true")) << line;
}

TEST_F(Sweeps, MessagesNameTheJob) {
  const auto message = [&](const std::string& text, const SweepFileOptions& options) {
    const auto jobs = save("j.csv", text);
    SweepFileOptions again = options;
    again.restart = true;
    return std::string(error_of([&] { (void)sweep_file(jobs, at("out.csv"), again); }).what());
  };
  EXPECT_THAT(message("mesh_a,mesh_b\nbox.ply,box.ply\nbox.ply,none.ply\n", quick()), HasSubstr("j.csv:3: "));
  EXPECT_THAT(message("mesh_a,mesh_b\nbox.ply,../x.ply\n", quick()),
              HasSubstr("j.csv:2: the file \"../x.ply\" must be"));
  SweepFileOptions tolerant = quick();
  tolerant.query.tolerance = Tolerance{.relative = 0.1};
  EXPECT_THAT(message("mesh_a,mesh_b,resolution\nbox.ply,box.ply,\nbox.ply,box.ply,8\n", tolerant),
              HasSubstr("j.csv:3: has a resolution, which a tolerance replaces"));
  Mesh open = scenes::sphere(200);
  open.triangles.resize(open.triangles.size() / 2);
  write_mesh(at("open.ply"), open);
  SweepFileOptions strict = quick();
  strict.query.strict = true;
  const std::string what = message("mesh_a,mesh_b\nbox.ply,ball.obj\nbox.ply,open.ply\n", strict);
  EXPECT_THAT(what, HasSubstr("j.csv:3: strict"));
  EXPECT_THAT(what, testing::Not(HasSubstr("of the batch")));
  SweepFileOptions missing = quick();
  missing.query.engine = "nonsense";
  EXPECT_THAT(message("mesh_a,mesh_b\nbox.ply,ball.obj\n", missing), HasSubstr("nonsense"));
  EXPECT_THAT(error_of([&] { (void)sweep_file(at("j.csv"), at("out.txt"), quick()); }).what(),
              HasSubstr(".csv, .jsonl"));
  EXPECT_THAT(error_of([&] { (void)sweep_file(at("j.csv"), at("j.csv"), quick()); }).what(),
              HasSubstr("is the file of jobs"));
  EXPECT_THAT(error_of([&] { (void)sweep_file(at("none.csv"), at("out.csv"), quick()); }).what(),
              HasSubstr("none.csv"));
  EXPECT_THAT(error_of([&] { (void)sweep_file(at("j.csv"), "/dev/null.csv/x.csv", quick()); }).what(),
              HasSubstr("x.csv"));
}

TEST_F(Sweeps, NoJobsAreNoAnswers) {
  const SweepReport report = sweep_file(save("j.csv", "mesh_a,mesh_b\n"), at("out.csv"), quick());
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.counts.answers(), 0u);
  EXPECT_EQ(content("out.csv").find('\n') + 1, content("out.csv").size());
}

}  // namespace
}  // namespace lamella
