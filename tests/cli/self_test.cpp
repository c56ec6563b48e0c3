#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Self = Program;

/// Two boxes in one mesh that cover the cube from (0.5, 0.5, 0.5) to (1, 1, 1) twice.
Mesh doubled() { return joined(make_box({0, 0, 0}, {1, 1, 1}), make_box({0.5f, 0.5f, 0.5f}, {1.5f, 1.5f, 1.5f})); }

TEST_F(Self, OfASingleBoxIsNoCollision) {
  const Outcome outcome = run({"self", save("box.ply", make_box({0, 0, 0}, {1, 1, 1})), "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  EXPECT_EQ(json["colliding"], false);
  EXPECT_EQ(json["volume"], 0.0);
  EXPECT_TRUE(json["centroid"].is_null());
  EXPECT_TRUE(json["bounds"].is_null());
  expect_box(json["voi"], {0, 0, 0}, {1, 1, 1}, 0.1);
}

TEST_F(Self, GivesTheContractsKeysAndTheVolumeCoveredTwice) {
  const Outcome outcome = run({"self", save("doubled.ply", doubled()), "--resolution", "96", "--json"});
  EXPECT_EQ(outcome.status, 1);
  const auto json = outcome.json();
  expect_keys(json, {"query", "colliding", "verdict", "volume", "volume_error", "centroid", "bounds", "voi", "axis",
                     "resolution", "spans", "engine", "health", "ms"});
  EXPECT_EQ(json["query"], "self");
  EXPECT_EQ(json["colliding"], true);
  // 96 columns over 1.5: 32 of them over the half that is covered twice.
  EXPECT_NEAR(json["volume"].get<double>(), 0.125, 0.005);
  expect_vector(json["centroid"], {0.75, 0.75, 0.75}, 0.02);
  EXPECT_EQ(json["inside_out"]["volume"], 0.0);
  EXPECT_EQ(json["inside_out"]["spans"], 0);
}

TEST_F(Self, ProvesThatFacesMeetOrDoNot) {
  const std::string twice = save("doubled.ply", doubled()), once = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"self", twice, "--certify", "--json"});
  EXPECT_EQ(outcome.status, 1);
  const auto certificate = outcome.json()["certificate"];
  EXPECT_EQ(certificate["certain"], true);
  EXPECT_TRUE(certificate["witness"].is_array() || certificate["triangles"].is_array());
  const Outcome clear = run({"self", once, "--certify"});
  EXPECT_EQ(clear.status, 0);
  EXPECT_THAT(clear.out, HasSubstr("proved        yes: no two faces meet that are not neighbours"));
}

TEST_F(Self, TellsAMeshThatIsInsideOutApartFromOverlap) {
  const std::string mesh = save("inverted.ply", flipped(make_box({0, 0, 0}, {1, 1, 1})));
  const Outcome outcome = run({"self", mesh, "--json"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_NEAR(outcome.json()["inside_out"]["volume"].get<double>(), 1, 0.02);
  EXPECT_GT(outcome.json()["inside_out"]["spans"], 0);
  EXPECT_THAT(run({"self", mesh}).out, HasSubstr("every face looks inwards: flip the faces"));
}

TEST_F(Self, WritesOnlyTheOverlapAsAMesh) {
  const std::string mesh = save("doubled.ply", doubled());
  const Outcome outcome = run({"self", mesh, "--resolution", "24", "--volume", at("overlap.ply"), "--json"});
  EXPECT_EQ(outcome.status, 1);
  const MeshReport report = inspect(read_mesh(at("overlap.ply")));
  EXPECT_TRUE(report.closed);
  EXPECT_NEAR(report.volume, outcome.json()["volume"].get<double>(), 1e-5);
}

TEST_F(Self, WritesTheOverlapAsOneSmoothSurface) {
  const std::string mesh = save("doubled.ply", doubled());
  const Outcome outcome =
      run({"self", mesh, "--resolution", "24", "--volume", at("overlap.ply"), "--volume-form", "smooth", "--json"});
  EXPECT_EQ(outcome.status, 1);
  const MeshReport report = inspect(read_mesh(at("overlap.ply")));
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.components, 1u);
  EXPECT_NEAR(report.volume, outcome.json()["volume"].get<double>(), 1e-4);
}

TEST_F(Self, DrawsAPictureAndPlacesTheMesh) {
  const std::string mesh = save("doubled.ply", doubled());
  const Outcome outcome =
      run({"self", mesh, "--resolution", "24", "--pose", "10,0,0", "--picture", at("self.png"), "--json"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NEAR(outcome.json()["centroid"][0].get<double>(), 10.75, 0.05);
  EXPECT_THAT(content(at("self.png")), StartsWith("\x89PNG\r\n"));
}

TEST_F(Self, StrictRefusesAnOpenMesh) {
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(run({"self", open, "--axis", "x"}).status, 0);
  EXPECT_EQ(run({"self", open, "--axis", "x", "--strict"}).status, 2);
}

TEST_F(Self, MinThicknessDropsThinOverlap) {
  const std::string mesh = save("doubled.ply", doubled());
  EXPECT_EQ(run({"self", mesh, "--min-thickness", "0.5"}).status, 0);
  EXPECT_EQ(run({"self", mesh, "--min-thickness", "0.1"}).status, 1);
}

}  // namespace
}  // namespace lamella::test
