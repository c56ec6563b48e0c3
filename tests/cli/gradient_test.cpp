// --gradient OUT.ply: vertices with how the volume changes when they move.

#include <gmock/gmock.h>

#include <cstring>

#include "cli/program.hpp"
#include "lamella/mesh_io.hpp"
#include "support/png.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

/// A vertex as the file has it.
struct Vertex {
  Vec3 position, gradient;
  float quality = 0;
  int mesh = 0;
};

/// The vertices of a file with float coordinates.
std::vector<Vertex> vertices_in(const std::string& file) {
  const std::string bytes = content(file), end = "end_header\n";
  const std::size_t count_at = bytes.find("element vertex ") + 15;
  const auto count = static_cast<std::size_t>(std::stoul(bytes.substr(count_at)));
  const char* at = bytes.data() + bytes.find(end) + end.size();
  std::vector<Vertex> vertices(count);
  for (Vertex& v : vertices) {
    std::memcpy(&v.position, at, 12);
    std::memcpy(&v.gradient, at + 12, 12);
    std::memcpy(&v.quality, at + 24, 4);
    v.mesh = at[31];
    at += 32;
  }
  return vertices;
}

class Gradient : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    a_ = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
    b_ = save("b.ply", make_box({0.75f, -1, -1}, {4, 2, 2}));
  }
  std::string a_, b_;
};

TEST_F(Gradient, OfAPairHasTheVerticesOfBothMeshes) {
  const Outcome outcome = run({"intersect", a_, b_, "--gradient", at("g.ply"), "--json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const std::vector<Vertex> vertices = vertices_in(at("g.ply"));
  ASSERT_EQ(vertices.size(), 16u);
  Vec3d sums[2];
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    EXPECT_EQ(vertices[i].mesh, i < 8 ? 0 : 1);
    EXPECT_NEAR(vertices[i].quality, length(vertices[i].gradient), 1e-6);
    sums[i / 8] += to_double(vertices[i].gradient);
  }
  EXPECT_EQ(vertices[7].position, (Vec3{1, 1, 1}));
  EXPECT_EQ(vertices[8].position, (Vec3{0.75f, -1, -1}));
  for (const int mesh : {0, 1}) {
    EXPECT_NEAR(sums[mesh].x, mesh == 0 ? 1 : -1, 1e-3) << "a rigid motion moves all vertices";
    EXPECT_NEAR(sums[mesh].y, 0, 1e-3);
    EXPECT_NEAR(sums[mesh].z, 0, 1e-3);
  }
  const auto gradient = outcome.json()["gradient"];
  expect_vector(gradient["a"]["translation"], sums[0], 1e-5);
  expect_vector(gradient["b"]["translation"], sums[1], 1e-5);
}

TEST_F(Gradient, FileIsAMeshThatCanBeReadAgain) {
  EXPECT_EQ(run({"depth", a_, b_, "--gradient", at("g.ply")}).status, 1);
  const Mesh both = read_mesh(at("g.ply"));
  EXPECT_EQ(both.positions.size(), 16u);
  EXPECT_EQ(both.triangles.size(), 24u);
  EXPECT_NEAR(signed_volume(both), 1 + 3.25 * 9, 1e-3);
  for (const char* property : {"property float gx\n", "property float quality\n", "property uchar red\n",
                               "property uchar mesh\n", "property list uchar int vertex_indices\n"})
    EXPECT_THAT(content(at("g.ply")), HasSubstr(property));
}

TEST_F(Gradient, OfMeshesApartIsZero) {
  EXPECT_EQ(run({"intersect", a_, b_, "--pose-a", "-3,0,0", "--gradient", at("g.ply")}).status, 0);
  for (const Vertex& v : vertices_in(at("g.ply"))) EXPECT_EQ(v.gradient, Vec3{});
}

TEST_F(Gradient, OfASelfOverlapPushesItsPartsApart) {
  const std::string twice =
      save("twice.ply", joined(make_box({0, 0, 0}, {2, 2, 2}), make_box({1.5f, 0, 0}, {3, 2, 2})));
  const Outcome outcome = run({"self", twice, "--gradient", at("g.ply"), "--json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const std::vector<Vertex> vertices = vertices_in(at("g.ply"));
  ASSERT_EQ(vertices.size(), 16u);
  Vec3d left, right;
  for (std::size_t i = 0; i < 8; ++i) left += to_double(vertices[i].gradient);
  for (std::size_t i = 8; i < 16; ++i) right += to_double(vertices[i].gradient);
  EXPECT_NEAR(left.x, 4, 0.1) << "the area of the face between them";
  EXPECT_NEAR(right.x, -4, 0.1);
  EXPECT_TRUE(outcome.json().contains("gradient"));
  EXPECT_FALSE(outcome.json()["gradient"].contains("b"));
}

TEST_F(Gradient, FarFromTheOriginKeepsItsDigits) {
  EXPECT_EQ(run({"intersect", a_, b_, "--pose-a", "1e7,0,0", "--pose-b", "1e7,0,0", "--gradient", at("g.ply")}).status,
            1);
  EXPECT_THAT(content(at("g.ply")), HasSubstr("property double x\n"));
  EXPECT_NEAR(signed_volume(read_mesh(at("g.ply"))), 1 + 3.25 * 9, 1e-3);
}

TEST_F(Gradient, IsDrawnAsForces) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"intersect", a_, b_}, {"self", a_}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--picture", at("f.png"), "--draw", "forces", "--size", "320x240"});
    const Outcome outcome = run(arguments);
    EXPECT_LT(outcome.status, 2) << outcome.err;
    EXPECT_GT(count_pixels(read_png(at("f.png")), is_red), 20u) << "the scale";
  }
}

TEST_F(Gradient, LeavesNothingHalfWritten) {
  EXPECT_EQ(run({"intersect", a_, b_, "--gradient", at("g.txt")}).status, 2);
  EXPECT_EQ(run({"self", a_, "--gradient", at("no/such/g.ply")}).status, 2);
  const std::string bad =
      save_text("nan.off", "OFF\n5 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nnan 0 0\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
  const Outcome outcome = run({"self", bad, "--gradient", at("g.ply")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("vertex 4 is not finite"));
  EXPECT_EQ(file_count(), 3u);
}

}  // namespace
}  // namespace lamella::test
