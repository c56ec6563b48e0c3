#include <gtest/gtest.h>

#include "io/support.hpp"
#include "lamella/geometry_image.hpp"
#include "lamella/geometry_image_io.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

class MakeImageFile : public test::FileTest {
 protected:
  void expect_closed(const Mesh& mesh, int n) const {
    const MadeImages made = make_geometry_images(mesh, {.n = n});
    std::filesystem::remove(path("made.tiff"));
    write_images(path("made.tiff"), made.images);
    const std::vector<GeometryImage> read = read_images(path("made.tiff"));
    ASSERT_EQ(read.size(), made.images.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      const MeshReport before = inspect(to_mesh(made.images[i])), after = inspect(to_mesh(read[i]));
      EXPECT_TRUE(before.closed);
      EXPECT_TRUE(after.closed);
      EXPECT_EQ(after.vertices, before.vertices);
    }
  }
};

TEST_F(MakeImageFile, IsClosedToo) {
  for (const char* name : {"sphere", "torus_knot", "rabbit", "mouse"}) {
    SCOPED_TRACE(name);
    expect_closed(scenes::make_model(name, 1000), 6);
  }
}

TEST_F(MakeImageFile, IsClosedWhereFloatsOrCodesAreTooCoarseForTheCut) {
  const Mesh sphere = scenes::sphere(360);
  const auto moved = [&](Vec3 by, Vec3 scale) {
    Mesh mesh = sphere;
    for (Vec3& p : mesh.positions) p = Vec3{p.x * scale.x, p.y * scale.y, p.z * scale.z} + by;
    return mesh;
  };
  for (const int n : {8, 9}) {
    SCOPED_TRACE(n);
    expect_closed(moved({1e6f, 1e6f, 0}, {1, 1, 1}), n);  // 32 floats across on two axes
    expect_closed(moved({1e7f, 1e7f, 1e7f}, {4, 4, 4}), n);
    expect_closed(moved({}, {1, 1e-7f, 1e-7f}), n);
    expect_closed(moved({}, {1, 1e6f, 1}), n);
  }
  // Many of the cut's edges are far shorter than a code.
  Mesh spikes = sphere;
  for (std::size_t i = 0; i < spikes.positions.size(); i += 9) spikes.positions[i] = spikes.positions[i] * 1e5f;
  expect_closed(spikes, 8);
}

}  // namespace
}  // namespace lamella
