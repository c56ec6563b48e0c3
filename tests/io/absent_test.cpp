// What a library that was built without glTF and without files of geometry images says.

#include "io/support.hpp"
#include "lamella/geometry_image_io.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Absent : public FileTest {};

TEST_F(Absent, GltfIsAnErrorThatSaysHowToGetIt) {
  for (const char* name : {"a.gltf", "a.glb"}) {
    EXPECT_THAT(read_error(name, "glTF"), AllOf(HasSubstr(std::string(name) + ": this library was built without glTF"),
                                                HasSubstr("nlohmann-json3-dev")));
  }
}

TEST_F(Absent, OtherMeshesAreReadAllTheSame) {
  expect_equal(read("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"),
               tetrahedron());
}

TEST_F(Absent, FilesOfImagesAreAnErrorThatSaysHowToGetThem) {
  const auto expected =
      AllOf(HasSubstr("a.tiff: this library was built without files of geometry images"), HasSubstr("libtiff-dev"));
  const auto file = save("a.tiff", "II");
  EXPECT_THAT(error_of([&] { (void)read_images(file); }), expected);
  EXPECT_THAT(error_of([&] { (void)image_pages(file); }), expected);
  EXPECT_THAT(error_of([&] { write_images(file, {image_of_sphere(2)}); }), expected);
}

}  // namespace
}  // namespace lamella::test
