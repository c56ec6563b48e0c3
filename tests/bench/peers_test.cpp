#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "bench/lines.hpp"
#include "bench/options.hpp"
#include "bench/peers/method.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"

namespace lamella::bench::peers {
namespace {

/// Small enough for brute force.
const WorkSizes kSmall{
    .points = 50, .blob_faces = 500, .knot_faces = 500, .tube_faces = 500, .bodies = 10, .body_faces = 200};

void expect_moving(const MovingMesh& mesh) {
  ASSERT_FALSE(mesh.positions[0].empty());
  ASSERT_EQ(mesh.positions[0].size(), mesh.positions[1].size());
  std::size_t moved = 0;
  for (std::size_t i = 0; i < mesh.positions[0].size(); ++i) moved += mesh.positions[0][i] != mesh.positions[1][i];
  EXPECT_GE(moved + 2, mesh.positions[0].size()) << "hardly a vertex stays where it was";
  for (std::size_t pose = 0; pose < kPoses; ++pose) {
    const MeshReport report = inspect(mesh.at(pose));
    EXPECT_TRUE(report.closed);
    EXPECT_GT(report.volume, 0);
  }
}

TEST(PeerWorks, MeshesAreClosedAndMove) {
  expect_moving(points_work(kSmall).solid);
  expect_moving(pair_work(kSmall).a);
  expect_moving(pair_work(kSmall).b);
  expect_moving(self_work(kSmall).mesh);
  for (const MovingMesh& body : bodies_work(kSmall).bodies) expect_moving(body);
  for (const MovingMesh& body : rigid_work(kSmall).placed.bodies) expect_moving(body);
}

TEST(PeerWorks, AreTheSameEveryTime) {
  EXPECT_EQ(points_work(kSmall).points, points_work(kSmall).points);
  EXPECT_EQ(pair_work(kSmall).b.positions, pair_work(kSmall).b.positions);
  EXPECT_EQ(bodies_work(kSmall).bodies[7].positions, bodies_work(kSmall).bodies[7].positions);
}

TEST(PeerWorks, ThePairOverlapsAndTheTubeOverlapsItself) {
  const PairWork pair = pair_work(kSmall);
  const SelfWork self = self_work(kSmall);
  for (std::size_t pose = 0; pose < kPoses; ++pose) {
    EXPECT_TRUE(intersect(pair.a.at(pose), pair.b.at(pose), {.threads = 1}).colliding());
    EXPECT_TRUE(self_intersect(self.mesh.at(pose), {.threads = 1}).colliding());
  }
}

TEST(PeerWorks, TheLastBodyIsWhollyInsideTheFirst) {
  for (const BodiesWork& work : {bodies_work(kSmall), rigid_work(kSmall).placed}) {
    for (std::size_t pose = 0; pose < kPoses; ++pose) {
      const Containment inside =
          contains(work.bodies.front().at(pose), work.bodies.back().positions[pose], {.threads = 1});
      EXPECT_EQ(inside.inside_count, inside.inside.size());
    }
  }
}

TEST(PeerWorks, RigidBodiesAreTheirShapesAtTheirPoses) {
  const RigidWork work = rigid_work(kSmall);
  ASSERT_EQ(work.shapes.size(), kSmall.bodies);
  for (std::size_t i = 0; i < work.shapes.size(); ++i) {
    for (std::size_t pose = 0; pose < kPoses; ++pose) {
      EXPECT_EQ(placed_positions(work.shapes[i], work.poses[pose][i]), work.placed.bodies[i].positions[pose]);
    }
  }
}

TEST(PeerWorks, RefuseASingleBody) {
  EXPECT_THROW((void)bodies_work({.bodies = 1}), Error);
  EXPECT_THROW((void)rigid_work({.bodies = 0}), Error);
}

TEST(OurPeer, AnswersForThePoseThatItRan) {
  const PairWork work = pair_work(kSmall);
  const Methods methods = our_peer().pair(work);
  ASSERT_FALSE(methods.empty());
  EXPECT_TRUE(methods[0].ours);
  EXPECT_FALSE(methods[0].detail) << "the first is what others are compared with";
  for (std::size_t pose = 0; pose < kPoses; ++pose) {
    methods[0].run(pose);
    const Overlap expected =
        intersect(work.a.at(pose), work.b.at(pose), {.engine = "software", .resolution = 128, .threads = 1});
    EXPECT_EQ(methods[0].answer().volume, expected.volume);
  }
}

TEST(OurPeer, FindsTheBodyInsideAnother) {
  const RigidWork work = rigid_work(kSmall);
  const BodyPair nested{0, static_cast<std::uint32_t>(kSmall.bodies - 1)};
  const Methods rigid = our_peer().rigid(work), deforming = our_peer().bodies(work.placed);
  ASSERT_EQ(rigid.size(), deforming.size());
  for (std::size_t i = 0; i < rigid.size(); ++i) {
    for (std::size_t pose = 0; pose < kPoses; ++pose) {
      rigid[i].run(pose);
      deforming[i].run(pose);
      EXPECT_THAT(*rigid[i].answer().bodies, testing::Contains(nested));
      EXPECT_EQ(rigid[i].answer().bodies, deforming[i].answer().bodies) << rigid[i].call;
    }
  }
}

/// A library that is said to be exact and gives this answer to the tube's work.
Libraries oracle(bool meets) {
  const auto self = [meets](const SelfWork&) {
    return Methods{{.library = "Oracle 1",
                    .call = "tells",
                    .gives = "yes or no",
                    .run = [](std::size_t) {},
                    .answer = [meets] { return Answer{.meets = meets}; },
                    .exact = true}};
  };
  return {{{.name = "Oracle 1", .self = self}}, {"Another (libanother-dev)"}};
}

struct Said {
  int status = -1;
  std::string out, err;
};

/// As lamella-bench-peers does it.
Said run_tube(bool oracle_says) {
  Said said;
  CLI::App app;
  add_peers(cli::Command(app), said.status, oracle(oracle_says));
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  app.parse("peers --work W3 --rounds 2 --quick");
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

TEST(RunPeers, NamesTheLibrariesThatTakePartAndThoseThatAreMissing) {
  const Said said = run_tube(true);
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.err, "");
  EXPECT_THAT(said.out, testing::HasSubstr("Beside Oracle 1."));
  EXPECT_THAT(said.out, testing::HasSubstr("not found when this program was built: Another (libanother-dev)"));
  EXPECT_THAT(said.out, testing::HasSubstr("Oracle 1  tells"));
}

TEST(RunPeers, AnAnswerThatIsNotTheExactOneFailsAndIsNamed) {
  const Said said = run_tube(false);
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.err,
              testing::HasSubstr("wrong answer: W3: self_intersect, 128 x 128, pose 0: yes, Oracle 1 says no"));
}

}  // namespace
}  // namespace lamella::bench::peers

namespace lamella::test {
namespace {

using testing::HasSubstr;

using BenchPeers = Program;

TEST_F(BenchPeers, PrintsALineForEachMethodOfEachWork) {
  const auto rows = lines(run({"bench", "peers", "--quick", "--rounds", "2", "--json"}));
  ASSERT_EQ(rows.size(), 15u) << "three of ours in each of five tables";
  std::map<std::string, int> tables;
  for (const auto& row : rows) {
    expect_keys(row, {"bench", "table", "faces", "engine", "library", "call", "gives", "threads", "runs"});
    EXPECT_EQ(row["bench"], "peers");
    EXPECT_EQ(row["engine"], "software");
    EXPECT_EQ(row["runs"], 2);
    for (const char* key : {"ms", "wall_ms", "ratio"}) {
      EXPECT_GT(row[key]["low"], 0.0) << key;
      EXPECT_LE(row[key]["low"], row[key]["median"]) << key;
      EXPECT_LE(row[key]["median"], row[key]["high"]) << key;
    }
    if (++tables[row["table"]] == 1) {
      EXPECT_EQ(row["ratio"]["median"], 1.0) << "others are compared with the first";
    }
  }
  EXPECT_THAT(tables,
              testing::UnorderedElementsAre(testing::Pair("W1", 3), testing::Pair("W2", 3), testing::Pair("W3", 3),
                                            testing::Pair("W4-deforming", 3), testing::Pair("W4-rigid", 3)));
}

TEST_F(BenchPeers, WithoutOtherLibrariesSaysWhoHasThem) {
  const Outcome outcome = run({"bench", "peers", "--quick", "--rounds", "2", "--work", "W3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("lamella-bench-peers has them; `./run bench peers`"));
  EXPECT_THAT(outcome.out, HasSubstr("Not checked"));
  EXPECT_THAT(outcome.out, HasSubstr("[W3]"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("[W2]")));
}

TEST_F(BenchPeers, DrawsAChart) {
  const std::string file = at("chart.png");
  const Outcome outcome = run({"bench", "peers", "--quick", "--rounds", "2", "--work", "W4", "--chart", file});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::ifstream in(file, std::ios::binary);
  std::string head(8, '\0');
  in.read(head.data(), 8);
  EXPECT_EQ(head, "\x89PNG\r\n\x1a\n");
}

TEST_F(BenchPeers, OptionsThatCannotBeUsedAreErrors) {
  for (const auto& [arguments, words] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--work", "W9"}, "--work: there is no 'W9'; type one of: W1, W2, W3, W4"},
           {{"--rounds", "1"}, "--rounds"},
           {{"--rounds", "many"}, "--rounds"},
           {{"--chart", "chart.jpg"}, "--chart"}}) {
    std::vector<std::string> all{"bench", "peers", "--quick"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.status, 2) << words;
    EXPECT_THAT(outcome.err, HasSubstr(words));
    EXPECT_EQ(outcome.out, "");
  }
}

}  // namespace
}  // namespace lamella::test
