#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Repair = Program;

TEST_F(Repair, ClosesAndTurnsAMeshAndReportsIt) {
  const std::string in = save("open.ply", flipped(make_open_box({0, 0, 0}, {1, 2, 3}))), out = at("solid.ply");
  const Outcome outcome = run({"repair", in, "-o", out, "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "changed"});
  EXPECT_EQ(json["closed_holes"], 1);
  EXPECT_EQ(json["closed_edges"], 4);
  EXPECT_EQ(json["turned_shells"], 1);
  EXPECT_DOUBLE_EQ(json["fan_area"].get<double>(), 6);
  EXPECT_NEAR(json["volume"].get<double>(), 6, 1e-6);
  const auto info = run({"info", out, "--json"}).json();
  EXPECT_EQ(info["closed"], true);
  EXPECT_EQ(info["solid"], true);
  EXPECT_NEAR(info["volume"].get<double>(), 6, 1e-6);

  const Outcome words = run({"repair", in, "-o", at("again.stl")});
  EXPECT_THAT(words.out, AllOf(HasSubstr("1 part turned: inside out"), HasSubstr("1 hole of 4 edges closed")));
}

TEST_F(Repair, SaysWhatRemainsWhenAStepIsSwitchedOff) {
  const std::string in = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"repair", in, "-o", at("out.ply"), "--no-close"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("nothing: the mesh is clean"), HasSubstr("still wrong   4 open edges")));
}

TEST_F(Repair, MayReplaceItsInputAndLeavesItAloneOnFailure) {
  const std::string in = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(run({"repair", in, "-o", in}).status, 0);
  EXPECT_EQ(run({"info", in, "--json"}).json()["closed"], true);
  const std::string before = content(in);
  EXPECT_EQ(run({"repair", in, "-o", at("none/out.ply")}).status, 2);
  EXPECT_EQ(run({"repair", in, "-o", at("out.xyz")}).status, 2);
  EXPECT_EQ(run({"repair", in}).status, 2);
  EXPECT_EQ(run({"repair", in, "-o", in, "--weld", "-1"}).status, 2);
  EXPECT_EQ(content(in), before);
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Repair, RefusesToWriteAMeshOfWhichNothingIsLeft) {
  const std::string sheet = save_text("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n");
  const std::string broken = save_text("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  for (const std::string& file : {sheet, broken}) {
    const Outcome outcome = run({"repair", file, "-o", at("out.ply")});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("nothing is left"));
  }
  EXPECT_EQ(file_count(), 2u);
}

TEST_F(Repair, TheOptionRepairsWhatAQueryReadsAndTellsOnStderr) {
  const std::string in = save("inverted.ply", flipped(make_box({0, 0, 0}, {1, 1, 1})));
  const Outcome outcome = run({"info", in, "--repair", "--json"});
  EXPECT_NEAR(outcome.json()["volume"].get<double>(), 1, 1e-6);
  EXPECT_THAT(outcome.err, HasSubstr("inverted.ply: 1 part turned: inside out"));
}

TEST_F(Repair, TheOptionRepairsEveryObjectOfAScene) {
  const std::string inside_out = save("inside_out.ply", flipped(make_box({0, 0, 0}, {2, 2, 2})));
  const std::string box = save("box.ply", make_box({1, 1, 1}, {3, 3, 3}));
  EXPECT_EQ(run({"scene", inside_out, box}).status, 4);
  const Outcome outcome = run({"scene", inside_out, box, "--repair"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("inside_out.ply: 1 part turned: inside out"));
}

TEST_F(Repair, InfoSaysWhetherAMeshBoundsASolidAndNamesTheRemedy) {
  const std::string good = save("good.ply", make_box({0, 0, 0}, {1, 1, 1}));
  EXPECT_THAT(run({"info", good}).out, AllOf(HasSubstr("solid         yes\n"), Not(HasSubstr("lamella repair"))));
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  EXPECT_THAT(run({"info", open}).out,
              AllOf(HasSubstr("solid         no: open, 1 hole at 4 edges"), HasSubstr("`lamella repair ")));
  const std::string out =
      save("out.ply", joined(make_box({0, 0, 0}, {1, 1, 1}), flipped(make_box({2, 0, 0}, {3, 1, 1}))));
  EXPECT_THAT(run({"info", out}).out, HasSubstr("solid         no: inside out, 1 part of it"));
  const std::string hollow =
      save("hollow.ply", joined(make_box({0, 0, 0}, {4, 4, 4}), flipped(make_box({1, 1, 1}, {2, 2, 2}))));
  EXPECT_THAT(run({"info", hollow}).out, HasSubstr("solid         yes, with 1 cavity"));
}

}  // namespace
}  // namespace lamella::test
