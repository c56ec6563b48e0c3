// Meshes that nodes place: once for all nodes, against a copy for each (read_parts).

#include <gmock/gmock.h>

#include <random>

#include <fmt/format.h>

#include "io/gltf_support.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::test {
namespace {

std::span<const std::byte> view(const std::string& text) { return std::as_bytes(std::span(text)); }

MeshInstances instances_of(const GltfParts& file) { return read_instances(view(file.gltf()), MeshFormat::gltf); }

/// The nodes as a list of roots.
GltfParts with_nodes(const std::vector<std::string>& nodes) {
  GltfParts file;
  std::string list, numbers;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    list += (i == 0 ? "" : ",") + nodes[i];
    numbers += fmt::format("{}{}", i == 0 ? "" : ",", i);
  }
  file.nodes = list;
  file.scenes = R"("scene":0,"scenes":[{"nodes":[)" + numbers + "]}]";
  return file;
}

/// Every instance, put in its place, is what a copy of the mesh for its node is.
void expect_same_as_copies(const GltfParts& file) {
  const std::string text = file.gltf();
  const MeshInstances all = read_instances(view(text), MeshFormat::gltf);
  const std::vector<MeshPart> parts = read_parts(view(text), MeshFormat::gltf, Split::nodes);
  ASSERT_EQ(all.instances.size(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const MeshInstance& instance = all.instances[i];
    EXPECT_EQ(instance.name, parts[i].name);
    const Mesh &mesh = all.meshes[instance.mesh], &copy = parts[i].mesh;
    ASSERT_EQ(mesh.triangles.size(), copy.triangles.size());
    double size = 0;
    for (const Vec3& p : copy.positions) size = std::max(size, length(to_double(p) - to_double(copy.positions[0])));
    // Corner by corner: the copy numbers its vertices anew.
    for (std::size_t t = 0; t < copy.triangles.size(); ++t) {
      for (int k = 0; k < 3; ++k) {
        const Vec3d placed = apply(instance.pose, to_double(mesh.positions[mesh.triangles[t][k]]) + mesh.origin);
        const Vec3d expected = to_double(copy.positions[copy.triangles[t][k]]) + copy.origin;
        EXPECT_LE(length(placed - expected), 2e-6 * size + 1e-6 * length(expected)) << i;
      }
    }
  }
}

TEST(GltfInstances, OneNodeIsOneInstanceWhereItIs) {
  const MeshInstances all = instances_of(with_nodes({R"({"mesh":0,"name":"n","translation":[1,2,3]})"}));
  ASSERT_EQ(all.meshes.size(), 1u);
  ASSERT_EQ(all.instances.size(), 1u);
  EXPECT_EQ(all.instances[0].name, "n");
  EXPECT_EQ(all.instances[0].pose.translation, (Vec3d{1, 2, 3}));
  EXPECT_EQ(all.meshes[0].positions[1], (Vec3{1, 0, 0}));
}

TEST(GltfInstances, RigidNodesShareAMeshAndOthersDoNot) {
  const auto meshes = [](const std::vector<std::string>& transforms) {
    std::vector<std::string> nodes;
    for (const std::string& t : transforms) nodes.push_back(R"({"mesh":0)" + t + "}");
    const GltfParts file = with_nodes(nodes);
    expect_same_as_copies(file);
    return instances_of(file).meshes.size();
  };
  EXPECT_EQ(meshes({"", R"(,"translation":[5,0,0])", R"(,"rotation":[0,0,0.6,0.8])"}), 1u);
  EXPECT_EQ(meshes({"", R"(,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,9,9,9,1])"}), 1u);
  EXPECT_EQ(meshes({R"(,"scale":[2,2,2])", R"(,"scale":[2,2,2],"rotation":[0.6,0,0,0.8])"}), 1u);
  EXPECT_EQ(meshes({"", R"(,"scale":[2,2,2])"}), 2u);
  EXPECT_EQ(meshes({"", R"(,"scale":[-1,1,1])", R"(,"scale":[1,-1,1])", R"(,"scale":[-1,-1,-1])"}), 2u);
  EXPECT_EQ(meshes({"", R"(,"scale":[1,2,1])", R"(,"scale":[1,2,1],"translation":[1,0,0])"}), 2u);
  EXPECT_EQ(meshes({"", R"(,"matrix":[1,0,0,0,0.1,1,0,0,0,0,1,0,0,0,0,1])"}), 2u);
  EXPECT_EQ(meshes({"", R"(,"scale":[0,0,0])"}), 2u);
}

TEST(GltfInstances, RandomTreesAreWhatCopiesAre) {
  std::mt19937 random(7);
  const auto number = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  for (int round = 0; round < 50; ++round) {
    GltfParts file;
    file.data = "";
    for (int i = 0; i < 9; ++i) file.data += bytes(static_cast<float>(number(-3, 3) + 100 * (round % 3)));
    file.data += bytes(std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{0});
    file.nodes = "";
    constexpr int kNodes = 8;
    for (int i = 0; i < kNodes; ++i) {
      const Quaternion q = normalized({number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)});
      const double s = round % 2 == 0 ? 1 : number(0.5, 2) * (number(0, 1) < 0.3 ? -1 : 1);
      const double t = round % 5 == 4 ? number(0.5, 2) : s;
      file.nodes += fmt::format(
          R"({}{{"mesh":0,"name":"n{}","translation":[{},{},{}],"rotation":[{},{},{},{}],"scale":[{},{},{}]{}}})",
          i == 0 ? "" : ",", i, number(-9, 9), number(-9, 9), number(-9, 9), q.x, q.y, q.z, q.w, s, t, s,
          i + 1 < kNodes ? fmt::format(R"(,"children":[{}])", i + 1) : "");
    }
    expect_same_as_copies(file);
    if (round % 2 == 0 && round % 5 != 4) {
      EXPECT_EQ(instances_of(file).meshes.size(), 1u) << round;
    }
  }
}

TEST(GltfInstances, NamesDifferAndNodesWithoutFacesAreNone) {
  GltfParts file = with_nodes({R"({"mesh":0,"name":"n"})", R"({"mesh":0,"name":"n"})", R"({"mesh":0})", "{}"});
  const MeshInstances all = instances_of(file);
  ASSERT_EQ(all.instances.size(), 3u);
  EXPECT_EQ(all.instances[1].name, "n.2");
  EXPECT_EQ(all.instances[2].name, "node 2");
  file.primitives = R"({"attributes":{"POSITION":0},"mode":0})";
  EXPECT_THROW((void)instances_of(file), Error);
}

TEST(GltfInstances, TranslationsKeepTheirDigits) {
  const MeshInstances all = instances_of(
      with_nodes({R"({"mesh":0,"translation":[1000000.01,0,0]})", R"({"mesh":0,"translation":[1000000.02,0,0]})"}));
  EXPECT_EQ(all.instances[0].pose.translation.x, 1000000.01);
  EXPECT_EQ(all.instances[1].pose.translation.x, 1000000.02);
}

TEST(GltfInstances, OtherFilesHaveAnInstanceForEachPart) {
  const std::string text = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nf 3 2 1\n";
  const MeshInstances all = read_instances(view(text), MeshFormat::obj);
  ASSERT_EQ(all.instances.size(), 2u);
  EXPECT_EQ(all.instances[1].name, "b");
  EXPECT_EQ(all.instances[1].mesh, 1u);
  EXPECT_EQ(read_instances(view(with_nodes({R"({"mesh":0})", R"({"mesh":0})"}).gltf()), MeshFormat::gltf, Split::none)
                .instances.size(),
            1u);
}

}  // namespace
}  // namespace lamella::test
