#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Vertices : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    a_ = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
    b_ = save("b.ply", make_box({0.5f, 0.5f, 0.5f}, {1.5f, 1.5f, 1.5f}));
  }
  std::string a_, b_;
};

TEST_F(Vertices, GivesNumbersAndDepthsBothWays) {
  const Outcome outcome = run({"vertices", a_, b_, "--json"});
  EXPECT_EQ(outcome.status, 1) << "something is inside";
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "inside", "a_in_b", "b_in_a", "voi", "axis", "resolution", "engine", "health", "ms"});
  EXPECT_EQ(json["query"], "vertices");
  EXPECT_EQ(json["inside"], 2);
  EXPECT_EQ(json["a_in_b"]["inside"], 1);
  EXPECT_EQ(json["a_in_b"]["looked_up"], 1);
  EXPECT_EQ(json["a_in_b"]["of"], 8);
  EXPECT_EQ(json["a_in_b"]["vertices"][0],
            nlohmann::ordered_json({{"vertex", 7}, {"depth", 0.5}, {"back", 0.5}, {"ahead", nullptr}}));
  EXPECT_EQ(json["b_in_a"]["vertices"][0],
            nlohmann::ordered_json({{"vertex", 0}, {"depth", 0.5}, {"back", nullptr}, {"ahead", 0.5}}));
  EXPECT_EQ(json["voi"]["min"], nlohmann::ordered_json({0.5, 0.5, 0.5}));
  EXPECT_EQ(json["health"]["untrusted_points"], 0);
  EXPECT_EQ(json["files"], nlohmann::ordered_json({a_, b_}));
}

TEST_F(Vertices, SaysTheSameInWords) {
  const Outcome outcome = run({"vertices", a_, b_, "--exit-zero"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("inside        2 vertices\n"));
  EXPECT_THAT(outcome.out, HasSubstr("A in B        1 of 8 vertices of a.ply (1 in the sampled box); deepest: "
                                     "vertex 7, 0.5 along the ray\n"));
  EXPECT_THAT(outcome.out, HasSubstr("ok: every column closes"));
}

TEST_F(Vertices, WritesTheListAndAPicture) {
  EXPECT_EQ(run({"vertices", a_, b_, "-o", at("list.csv"), "--picture", at("v.png")}).status, 1);
  EXPECT_EQ(content(at("list.csv")), "mesh,vertex,depth,back,ahead\nA,7,0.5,0.5,inf\nB,0,0.5,inf,0.5\n");
  EXPECT_THAT(content(at("v.png")), StartsWith("\x89PNG\r\n"));
}

TEST_F(Vertices, MeshesApartHaveNoneAndPosesCount) {
  const Outcome apart = run({"vertices", a_, b_, "--pose-b", "3,0,0"});
  EXPECT_EQ(apart.status, 0);
  EXPECT_THAT(apart.out, StartsWith("inside        none\n"));
  EXPECT_THAT(apart.out, HasSubstr("the boxes share no volume"));
  const auto json = run({"vertices", a_, b_, "--scale-a", "4", "--pose-a", "-1,-1,-1", "--json"}).json();
  EXPECT_EQ(json["b_in_a"]["inside"], 8);
  EXPECT_EQ(json["a_in_b"]["inside"], 0);
}

TEST_F(Vertices, AnOpenMeshSaysSo) {
  const std::string open = save("open.ply", make_open_box({-1, -1, -1}, {2, 2, 2}));
  const Outcome outcome = run({"vertices", a_, open, "--axis", "x", "--as-is"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.out, HasSubstr("vertices in them are not counted"));
  EXPECT_EQ(run({"vertices", a_, open, "--axis", "x"}).status, 1) << "closed";
  const auto json = run({"vertices", a_, open, "--axis", "x", "--as-is", "--json"}).json();
  EXPECT_EQ(json["health"]["ok"], false);
  EXPECT_GT(json["health"]["untrusted_points"], 0);
  EXPECT_EQ(run({"vertices", a_, open, "--axis", "x", "--strict"}).status, 2);
}

}  // namespace
}  // namespace lamella::test
