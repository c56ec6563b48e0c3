// --memory: meshes that are read in parts.

#include <gmock/gmock.h>

#include <csignal>

#include "cli/program.hpp"
#include "lamella/mesh_io.hpp"
#include "scenes/models.hpp"
#include "scenes/rings.hpp"
#include "support/sanitizers.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Streamed : public Program {
 protected:
  /// Answers in memory and in parts, without what may differ: times, and how it was read.
  [[nodiscard]] std::pair<nlohmann::ordered_json, nlohmann::ordered_json> both(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "--threads", "2", "--engine", "software"});
    const Outcome whole = run(arguments);
    arguments.insert(arguments.end(), {"--memory", "32M"});
    const Outcome parts = run(arguments);
    EXPECT_EQ(parts.status, whole.status) << parts.err;
    EXPECT_EQ(parts.err, "");
    auto a = whole.json(), b = parts.json();
    expect_keys(b["stream"], {"memory", "used", "passes", "strips", "file_bytes", "bytes_read", "kept_triangles",
                              "vertices_in_memory", "closed"});
    EXPECT_EQ(b["stream"]["memory"], 32 << 20);
    EXPECT_LE(b["stream"]["used"], 32 << 20);
    stream_ = b["stream"];
    a.erase("ms");
    b.erase("ms");
    b.erase("stream");
    return {a, b};
  }
  nlohmann::ordered_json stream_;
};

TEST_F(Streamed, AnswersAreThoseOfMeshesInMemory) {
  const std::string knot = save("knot.ply", scenes::torus_knot(20'000, 0.6f)),
                    ring = save("ring.ply", scenes::torus(9000));
  const auto [a, b] = both({"intersect", knot, ring, "--scale-a", "0.9", "--pose-b", "0.1,0,0@y:30"});
  EXPECT_EQ(a, b);
  EXPECT_EQ(b["colliding"], true);
  EXPECT_EQ(stream_["passes"], 2);
  EXPECT_EQ(stream_["closed"], nlohmann::ordered_json({true, true}));
  const auto [c, d] = both({"self", knot, "--pose", "1000000,0,0@x:20", "--resolution", "200"});
  EXPECT_EQ(c, d);
  EXPECT_EQ(d["colliding"], true);
  const auto [e, f] = both({"contain", knot, ring, "-o", at("flags.txt"), "--box", "-1,-1,-1,0.5,1,1"});
  EXPECT_EQ(e, f);
  const std::string in_parts = content(at("flags.txt"));
  EXPECT_EQ(run({"contain", knot, ring, "-o", at("flags.txt"), "--box", "-1,-1,-1,0.5,1,1"}).status, 0);
  EXPECT_EQ(in_parts, content(at("flags.txt")));
}

TEST_F(Streamed, PointsOfFilesOfEveryKindAreLookedUp) {
  const std::string ring = save("ring.ply", scenes::torus(9000));
  const std::string cloud =
      save_text("cloud.ply", std::string("ply\nformat binary_little_endian 1.0\nelement vertex 2\n"
                                         "property float x\nproperty float y\nproperty float z\n"
                                         "end_header\n") +
                                 std::string("\0\0\x80\x3f\0\0\0\0\0\0\0\0", 12) + std::string(12, '\0'));
  const std::string text = save_text("text.ply",
                                     "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty "
                                     "float y\nproperty float z\nend_header\n1 0 0\n0 0 0\n");
  const std::string xyz = save_text("points.xyz", "1 0 0\n0,0,0");
  for (const std::string& points : {cloud, text, xyz}) {
    const auto [a, b] = both({"contain", ring, points});
    EXPECT_EQ(a, b);
    EXPECT_EQ(b["inside"], 1);
    EXPECT_EQ(b["points"], 2);
  }
  const Outcome none = run({"contain", ring, save_text("none.xyz", "# none\n"), "--memory", "64M", "-o", at("flags")});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("found none"));
  EXPECT_FALSE(std::filesystem::exists(at("flags")));
}

TEST_F(Streamed, OtherFilesAndModelsAreReadWholeIfTheyFit) {
  const std::string ring = save("ring.obj", scenes::torus(9000));
  const auto [a, b] = both({"intersect", ring, "model:box"});
  EXPECT_EQ(a, b);
  const std::string large = save("large.obj", scenes::torus(300'000));
  const Outcome outcome = run({"self", large, "--memory", "32M", "--threads", "1"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("large.obj"), HasSubstr("more than half"), HasSubstr("binary PLY"),
                                 Not(HasSubstr("--max-memory"))));
  const Outcome model = run({"self", "model:knot:5000000", "--memory", "32M", "--threads", "1"});
  EXPECT_EQ(model.status, 2);
  EXPECT_THAT(model.err, AllOf(HasSubstr("model:knot:5000000"), HasSubstr("lamella models")));
}

TEST_F(Streamed, PointsThatAreReadWholeKeepToTheirShare) {
  const std::string ring = save("ring.ply", scenes::torus(900)), large = save("large.obj", scenes::torus(200'000));
  const auto [a, b] = both({"contain", ring, "model:knot:2000"});
  EXPECT_EQ(a, b);
  const auto refusal = [&](const std::string& points) {
    const Outcome outcome = run({"contain", ring, points, "--memory", "32M", "--threads", "1"});
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_THAT(refusal("model:knot:1000000"), AllOf(HasSubstr("model:knot:1000000: is too large for a quarter of"),
                                                   HasSubstr("lamella models"), Not(HasSubstr("1 byte"))));
  EXPECT_THAT(refusal(large), AllOf(HasSubstr("large.obj"), HasSubstr("more than a quarter of it (8.0 MiB)"),
                                    Not(HasSubstr("--max-memory"))));
}

TEST_F(Streamed, AFileThatIsMissingOrCutOffIsToldAsSuch) {
  const std::string ring = save("ring.ply", scenes::torus(9000));
  const std::string whole = content(ring);
  const std::string cut = save_text("cut.ply", whole.substr(0, whole.size() - 100));
  const std::string points = save_text("points.ply", whole.substr(0, whole.size() / 8));
  const auto expect_error = [&](std::vector<std::string> arguments, const std::string& told) {
    arguments.insert(arguments.end(), {"--memory", "32M", "--threads", "1"});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(told), Not(HasSubstr("memory"))));
  };
  expect_error({"self", cut}, "cut.ply: expected 8988 rows of element face");
  expect_error({"intersect", ring, cut}, "the file is cut off");
  expect_error({"contain", ring, points}, "points.ply: expected 4494 rows of element vertex");
  for (const char* missing : {"none.ply", "none.obj"}) {
    expect_error({"self", at(missing)}, missing);
    expect_error({"contain", ring, at(missing)}, missing);
  }
}

TEST_F(Streamed, FewPointsTakeLittleOfALargeBudget) {
  const std::string ring = save("ring.ply", scenes::torus(900)), points = save_text("points.xyz", "1 0 0\n0 0 0\n");
  const Outcome outcome = run({"contain", ring, points, "--memory", "3G", "--threads", "1", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_LT(outcome.json()["stream"]["used"], 256 << 20);  // most of it for crossings
  if (!kSanitized) {
    EXPECT_LT(outcome.peak_kib, 128 << 10);
  }
}

TEST_F(Streamed, OptionsThatNeedWholeMeshesAreRefused) {
  const std::string ring = save("ring.ply", scenes::torus(900));
  const auto expect_refusal = [&](std::vector<std::string> more, const std::string& named) {
    std::vector<std::string> arguments{"self", ring, "--memory", "64M"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(named), HasSubstr("--memory")));
  };
  expect_refusal({"--certify"}, "--certify");
  expect_refusal({"--tolerance", "1%"}, "--tolerance");
  expect_refusal({"--picture", at("x.png")}, "--picture");
  expect_refusal({"--volume", at("x.ply")}, "--volume");
  expect_refusal({"--gradient", at("x.ply")}, "--gradient");
  expect_refusal({"--repair"}, "--repair");
  expect_refusal({"--max-memory", "1G"}, "--max-memory");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Streamed, TooLittleMemoryIsAnErrorThatTellsTheLeast) {
  const std::string ring = save("ring.ply", scenes::torus(900));
  const Outcome outcome = run({"self", ring, "--memory", "4096", "--threads", "1"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("4096 bytes is too little"), HasSubstr("allow ")));
  const Outcome wrong = run({"self", ring, "--memory", "lots"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--memory"));
}

TEST_F(Streamed, AHoleIsToldOfThoughItIsNotClosed) {
  Mesh ring = scenes::torus(9000);
  ring.triangles.pop_back();
  const std::string open = save("open.ply", ring), box = save("box.ply", make_box({5, 5, 5}, {6, 6, 6}));
  const Outcome self = run({"self", open, "--memory", "64M", "--resolution", "8"});
  EXPECT_THAT(self.out, HasSubstr("open.ply: its edges do not match"));
  EXPECT_EQ(run({"self", open, "--memory", "64M", "--strict"}).status, 2);
  // Their boxes share no volume: nothing was sampled, and no hole matters.
  EXPECT_EQ(run({"intersect", open, box, "--memory", "64M"}).status, 0);
  const Outcome near = run({"intersect", open, box, "--pose-b", "-5.2,-5.2,-5.2", "--memory", "64M", "--scale-b",
                            "0.99", "--resolution", "8", "--json"});
  EXPECT_NE(near.status, 0);
  EXPECT_EQ(near.json()["stream"]["closed"], nlohmann::ordered_json({false, true}));
}

TEST_F(Streamed, MemoryStaysWithinTheBudget) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  // Beside the budget: the program itself with its libraries.
  constexpr long kProgramKib = 32 << 10, kBudgetKib = 40 << 10;
  scenes::write_ply(at("knot.ply"), scenes::knot_surface(5'000'000));
  for (const char* resolution : {"128", "1024"}) {
    const Outcome parts =
        run({"self", at("knot.ply"), "--memory", "40M", "--threads", "2", "--resolution", resolution, "--json"});
    ASSERT_EQ(parts.status, 0) << parts.err;
    EXPECT_LT(parts.peak_kib, kBudgetKib + kProgramKib) << resolution;
    const auto stream = parts.json()["stream"];
    EXPECT_LE(stream["used"], kBudgetKib << 10);
    EXPECT_EQ(stream["vertices_in_memory"][0], false);
    EXPECT_GE(stream["bytes_read"], stream["file_bytes"]);
  }
  const Outcome whole = run({"self", at("knot.ply"), "--threads", "2", "--json"});
  EXPECT_GT(whole.peak_kib, 2 * kBudgetKib);  // so that the test can fail
}

TEST_F(Streamed, ASignalLeavesNoFiles) {
  scenes::write_ply(at("knot.ply"), scenes::knot_surface(2'000'000));
  const Outcome outcome = run_and_signal({"contain", at("knot.ply"), at("knot.ply"), "--memory", "24M", "--threads",
                                          "1", "--resolution", "4096", "-o", at("flags.txt")},
                                         SIGINT, ".part");
  EXPECT_EQ(outcome.status, 128 + SIGINT);
  EXPECT_EQ(file_count(), 1u);
}

}  // namespace
}  // namespace lamella::test
