// Files of several parts.

#include <array>
#include <set>

#include <fmt/format.h>

#include "io/gltf_support.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {
namespace {

using testing::ElementsAre;

class Parts : public FileTest {
 protected:
  std::vector<MeshPart> parts(std::string_view obj, Split split = Split::automatic) const {
    return read_parts(save("a.obj", obj), split);
  }
  static std::vector<std::string> names(const std::vector<MeshPart>& parts) {
    std::vector<std::string> out;
    for (const MeshPart& part : parts) out.push_back(part.name);
    return out;
  }
  static std::vector<std::size_t> triangles(const std::vector<MeshPart>& parts) {
    std::vector<std::size_t> out;
    for (const MeshPart& part : parts) out.push_back(part.mesh.triangles.size());
    return out;
  }
  /// Four vertices and four faces of a tetrahedron at x.
  static std::string tetrahedron_at(int x) {
    return fmt::format("v {0} 0 0\nv {1} 0 0\nv {0} 1 0\nv {0} 0 1\n", x, x + 1) + kFaces;
  }
  static constexpr const char* kFaces = "f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1\n";
};

TEST_F(Parts, AFileWithoutPartsIsOneWithoutAName) {
  const auto all = parts(tetrahedron_at(0));
  EXPECT_THAT(names(all), ElementsAre(""));
  expect_equal(all[0].mesh, read_mesh(path("a.obj")));
}

TEST_F(Parts, ObjectsOfAnObjFileAreItsPartsWithOnlyTheirVertices) {
  const auto all = parts("o left\n" + tetrahedron_at(0) + "o right side \n" + tetrahedron_at(5));
  EXPECT_THAT(names(all), ElementsAre("left", "right side"));
  for (const MeshPart& part : all) {
    EXPECT_EQ(part.mesh.positions.size(), 4u);
    EXPECT_TRUE(inspect(part.mesh).closed);
  }
  EXPECT_EQ(bounds(all[0].mesh), (Aabb{{0, 0, 0}, {1, 1, 1}}));
  EXPECT_EQ(bounds(all[1].mesh), (Aabb{{5, 0, 0}, {6, 1, 1}}));
}

TEST_F(Parts, ObjectsMayShareVertices) {
  const auto all = parts("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no a\n" + std::string(kFaces) + "o b\n" + kFaces);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].mesh.positions, all[1].mesh.positions);
  EXPECT_EQ(all[0].mesh.triangles, all[1].mesh.triangles);
}

TEST_F(Parts, ObjectsOfOneNameStayApartAndGetNumbers) {
  const auto all = parts("o cube\n" + tetrahedron_at(0) + "o cube\n" + tetrahedron_at(2) + "o cube.2\n" +
                         tetrahedron_at(4) + "o cube\n" + tetrahedron_at(6));
  EXPECT_THAT(names(all), ElementsAre("cube", "cube.3", "cube.2", "cube.4"));
}

TEST_F(Parts, GroupsThatCloseByThemselvesAreParts) {
  const auto all = parts("g a\n" + tetrahedron_at(0) + "g b\n" + tetrahedron_at(5));
  EXPECT_THAT(names(all), ElementsAre("a", "b"));
  EXPECT_THAT(triangles(all), ElementsAre(4, 4));
}

TEST_F(Parts, GroupsThatAreMaterialsOfOneBodyAreNoPartsUnlessAskedFor) {
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ng red\nf 1 3 2\nf 1 2 4\ng blue\nf 2 3 4\nf 3 1 4\n";
  EXPECT_THAT(triangles(parts(text)), ElementsAre(4));
  const auto asked = parts(text, Split::groups);
  EXPECT_THAT(names(asked), ElementsAre("red", "blue"));
  EXPECT_THAT(triangles(asked), ElementsAre(2, 2));
}

TEST_F(Parts, AGroupThatIsThereAgainGoesOn) {
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\ng a\nf 1 2 4\ng\nf 2 3 4\ng a\nf 3 1 4\n";
  const auto all = parts(text, Split::groups);
  EXPECT_THAT(names(all), ElementsAre("default", "a"));
  EXPECT_THAT(triangles(all), ElementsAre(2, 2));
}

TEST_F(Parts, GroupsOfTwoObjectsAreDifferent) {
  const std::string text =
      "o car\ng wheel\n" + tetrahedron_at(0) + "o cart\n" + tetrahedron_at(3) + "g wheel\n" + tetrahedron_at(6);
  EXPECT_THAT(names(parts(text, Split::groups)), ElementsAre("car/wheel", "cart", "cart/wheel"));
  EXPECT_THAT(names(parts(text)), ElementsAre("car", "cart"));
  EXPECT_THAT(names(parts(text, Split::none)), ElementsAre(""));
}

TEST_F(Parts, PartsWithoutFacesAreLeftOut) {
  EXPECT_THAT(names(parts("o empty\no a\n" + tetrahedron_at(0) + "o b\n" + tetrahedron_at(5) + "o end\nv 1 2 3\n")),
              ElementsAre("a", "b"));
}

TEST_F(Parts, NamesArePrintableAndShort) {
  std::string strange = "o \x1b[31m\xff\n" + tetrahedron_at(0) + "o " + std::string(100000, '\x01') + "\n" +
                        tetrahedron_at(5) + "o\n" + tetrahedron_at(7);
  const auto all = parts(strange);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "\\u001b[31m\\xff");
  EXPECT_LT(all[1].name.size(), 512u);
  EXPECT_TRUE(all[1].name.starts_with("\\u0001"));
  EXPECT_EQ(all[2].name, "object 3");
}

TEST_F(Parts, ComponentsAreThoseOfAnyFormat) {
  Mesh two = box_mesh({0, 0, 0}, {1, 1, 1});
  append(two, box_mesh({3, 0, 0}, {4, 1, 1}));
  for (const char* name : {"a.ply", "a.obj", "a.stl"}) {
    write_mesh(path(name), two);
    EXPECT_THAT(triangles(read_parts(path(name))), ElementsAre(24)) << name;
    const auto all = read_parts(path(name), Split::components);
    EXPECT_THAT(names(all), ElementsAre("component 1", "component 2")) << name;
    EXPECT_EQ(bounds(all[0].mesh), (Aabb{{0, 0, 0}, {1, 1, 1}}));
    EXPECT_EQ(bounds(all[1].mesh), (Aabb{{3, 0, 0}, {4, 1, 1}}));
    EXPECT_THAT(triangles(read_parts(path(name), Split::nodes)), ElementsAre(24));
  }
}

/// Lines of an OBJ file: a box of 1 x 1 x 1 whose lowest x this is.
std::string box_at(double x) {
  std::string text;
  for (const double at : {x, x + 1})
    for (const char* corner : {"0 0", "0 1", "1 0", "1 1"}) text += fmt::format("v {} {}\n", at, corner);
  return text + "f -8 -7 -5 -6\nf -4 -2 -1 -3\nf -8 -4 -3 -7\nf -6 -5 -1 -2\nf -8 -6 -2 -4\nf -7 -3 -1 -5\n";
}

/// The faces of a tetrahedron that were computed one by one: corners that were meant to be one differ in their last
/// digits. Then a face without area.
std::string loose_tetrahedron() {
  std::string text;
  for (int face = 0; face < 5; ++face) {
    for (const Vec3& p : tetrahedron_positions()) {
      const Vec3d moved = to_double(p) + Vec3d{0.1, 0.1, 0.1} * (1 + 1e-14 * face);
      text += fmt::format("v {:.17g} {:.17g} {:.17g}\n", moved.x, moved.y, moved.z);
    }
    text += std::array{"f -4 -2 -3\n", "f -4 -3 -1\n", "f -3 -2 -1\n", "f -2 -4 -1\n", "f -4 -4 -3\n"}[face];
  }
  return text;
}

TEST_F(Parts, ClosedComponentsThatOnlyDoublesTellApartStayApartWhateverElseIsInTheFile) {
  const ReadOptions doubles{.keep_doubles = true};
  // As floats the walls at 1001 are one, as long as something is near the origin.
  const std::string left = box_at(1000), right = box_at(1001.00001);
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const auto sheet = read_parts(save("sheet.obj", triangle + left + right), Split::components, doubles);
  EXPECT_THAT(triangles(sheet), ElementsAre(1, 12, 12));
  const auto loose = read_parts(save("loose.obj", left + loose_tetrahedron() + right), Split::components, doubles);
  EXPECT_THAT(names(loose), ElementsAre("component 1", "component 2", "component 3"));
  EXPECT_THAT(triangles(loose), ElementsAre(12, 5, 12)) << "what does not close in doubles is one in floats";
  for (const MeshPart& box : {sheet.back(), loose.back()}) EXPECT_NEAR(signed_volume(box.mesh), 1, 1e-6);
}

TEST_F(Parts, VeryManyPartsAreReadOnceEachAndStayWithinMaxMemory) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  constexpr int kParts = 20000;
  for (int i = 0; i < kParts; ++i) text += "o x\nf 1 2 3\n";
  const auto all = parts(text);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(kParts));
  const auto all_names = names(all);
  EXPECT_EQ(std::set<std::string>(all_names.begin(), all_names.end()).size(), all.size());
  const auto limited = [&] {
    (void)read_parts(memory_of(text), MeshFormat::obj, Split::automatic, "a", {.max_memory = 1 << 20});
  };
  EXPECT_THAT(error_of(limited), testing::HasSubstr("more memory than the limit"));
}

TEST_F(Parts, PointsAloneAreRefusedAsByReadMesh) {
  EXPECT_THAT(error_of([&] { (void)parts("o a\nv 1 2 3\n"); }), testing::HasSubstr("no faces"));
  EXPECT_THAT(error_of([&] { (void)read_parts(path("none.obj")); }), testing::HasSubstr("none.obj"));
}

#ifdef LAMELLA_GLTF
TEST_F(Parts, NodesOfAGltfFileArePartsWhereTheyArePlaced) {
  GltfParts gltf;
  gltf.scenes = R"("scene":0,"scenes":[{"nodes":[0,2]}])";
  gltf.nodes = R"({"mesh":0,"name":"here","children":[1]},{"mesh":0,"name":"there","translation":[2,0,0]},
                  {"name":"nothing","children":[3]},{"mesh":0,"name":"here","translation":[0,0,5]})";
  for (const Split split : {Split::automatic, Split::nodes}) {
    const auto all = read_parts(save("a.gltf", gltf.gltf()), split);
    EXPECT_THAT(names(all), ElementsAre("here", "there", "here.2"));
    EXPECT_EQ(all[0].mesh.positions[0], (Vec3{0, 0, 0}));
    EXPECT_EQ(all[1].mesh.positions[0], (Vec3{2, 0, 0}));
    EXPECT_EQ(all[2].mesh.positions[0], (Vec3{0, 0, 5}));
    for (const MeshPart& part : all) EXPECT_EQ(part.mesh.positions.size(), 3u);
  }
  EXPECT_THAT(triangles(read_parts(save("a.glb", gltf.glb()), Split::none)), ElementsAre(3));
  EXPECT_THAT(triangles(read_parts(path("a.gltf"), Split::groups)), ElementsAre(3));
}

TEST_F(Parts, ANodeWithoutANameHasItsMeshesOrItsNumber) {
  GltfParts gltf;
  gltf.scenes = R"("scene":0,"scenes":[{"nodes":[0,1]}])";
  gltf.nodes = R"({"mesh":0,"name":"a"},{"mesh":0})";
  EXPECT_THAT(names(read_parts(save("a.gltf", gltf.gltf()))), ElementsAre("a", "node 1"));
  std::string text = gltf.gltf();
  const std::string mesh = R"("meshes":[{)";
  text.insert(text.find(mesh) + mesh.size(), R"("name":"of \u00e9",)");
  EXPECT_THAT(names(read_parts(save("b.gltf", text))), ElementsAre("a", "of \xc3\xa9"));
}
#endif

}  // namespace
}  // namespace lamella::test
