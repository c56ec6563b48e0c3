// What becomes of small uneven meshes, to six digits. How a surface is cut, laid out on the border and mapped is a
// chain of choices among good ones, and a change of any of them shows here. After a change that is meant, look at the
// stretch and the distances: if they are as good as before, take the new numbers, which a failure prints.

#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "geometry_image/make_shapes.hpp"
#include "lamella/geometry_image.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

/// Every vertex moved, so that no two choices are equally good.
Mesh uneven(Mesh mesh, float by = 0.15f) {
  test::Random random(5);
  for (Vec3& p : mesh.positions) p = p + random.in({{-by, -by, -by}, {by, by, by}});
  return mesh;
}

Mesh fingers() {
  constexpr int kLengths[] = {8, 4, 12, 4, 10, 4, 7};  // of every column; the lower ones are gaps
  return test::cubes({7, 12, 1}, [&](int x, int y, int) { return y < kLengths[x]; });
}

Mesh made(std::string_view name) {
  if (name == "tetrahedron") return uneven(test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}));
  if (name == "octahedron") return uneven(test::octahedron());
  if (name == "cube") return uneven(test::cubes({3, 4, 5}, [](int, int, int) { return true; }));
  if (name == "bar") return uneven(test::cubes({40, 1, 1}, [](int, int, int) { return true; }));
  if (name == "ring") return uneven(test::plate_with_holes(1, 2));
  if (name == "two rings") return uneven(test::plate_with_holes(2, 2));
  if (name == "plate") return uneven(test::plate_with_holes(3, 1));
  if (name == "tripod") return uneven(test::tripod(10));
  if (name == "long tripod") return uneven(test::tripod(40));
  return uneven(fingers());
}

struct Expected {
  const char* mesh;
  int n, max_cuts;
  std::size_t triangles, cut_edges;
  int genus, cut_paths;
  double cut_length, stretch, volume, image_volume, map_distance, distance;
  double moment;  ///< a sum over all positions and normals that any of them changes

  friend void PrintTo(const Expected& e, std::ostream* out) { *out << e.mesh; }
};

double moment_of(const GeometryImage& image) {
  test::Random random(7);
  double sum = 0;
  for (const std::vector<Vec3>* values : {&image.positions, &image.normals})
    for (const Vec3 p : *values) sum += dot(p, random.in({{0.5f, 0.5f, 0.5f}, {1, 1, 1}}));
  return sum;
}

class MadeImage : public testing::TestWithParam<Expected> {};

TEST_P(MadeImage, IsAsItWas) {
  const Expected& e = GetParam();
  const MadeImages images = make_geometry_images(made(e.mesh), {.n = e.n, .max_cuts = e.max_cuts, .threads = 1});
  ASSERT_EQ(images.reports.size(), 1u);
  const MakeImageReport& r = images.reports[0];
  const double moment = moment_of(images.images[0]);
  const auto near = [](double a, double b) { return std::abs(a - b) <= 2e-6 * (std::abs(b) + 1e-3); };
  EXPECT_EQ(r.flipped_count, 0u);
  EXPECT_TRUE(r.triangle_count == e.triangles && r.cut_edge_count == e.cut_edges && r.genus == e.genus &&
              r.cut_path_count == e.cut_paths && near(r.cut_length, e.cut_length) && near(r.stretch, e.stretch) &&
              near(r.volume, e.volume) && near(r.image_volume, e.image_volume) &&
              near(r.map_distance, e.map_distance) && near(r.distance, e.distance) && near(moment, e.moment))
      << fmt::format("{{\"{}\", {}, {}, {}, {}, {}, {}, {:.8}, {:.8}, {:.8}, {:.8}, {:.8}, {:.8}, {:.8}}},", e.mesh,
                     e.n, e.max_cuts, r.triangle_count, r.cut_edge_count, r.genus, r.cut_path_count, r.cut_length,
                     r.stretch, r.volume, r.image_volume, r.map_distance, r.distance, moment);
}

const Expected kExpected[] = {
    {"tetrahedron", 2, 40, 4, 5, 0, 1, 1.590299, 1.41449, 0.21627259, 0.17162926, 0.4259727, 0.40282061, 22.578591},
    {"tetrahedron", 4, 40, 4, 6, 0, 1, 3.0870826, 1.2031143, 0.21627259, 0.20954174, 0.095750844, 0.041443665,
     237.32578},
    {"octahedron", 2, 40, 8, 6, 0, 1, 2.5130024, 1.4366418, 1.1866718, 0.87953542, 0.4784715, 0.26835202, -9.359013},
    {"octahedron", 5, 40, 8, 7, 0, 3, 5.2478034, 1.6582467, 1.1866718, 1.1793924, 0.091834896, 0.028456553, 329.12866},
    {"cube", 3, 40, 188, 16, 0, 1, 14.238679, 1.2510932, 60.293534, 54.127934, 0.84210376, 0.8362656, 383.21621},
    {"cube", 5, 2, 188, 18, 0, 3, 18.433621, 1.2204088, 60.293534, 59.870402, 0.25804787, 0.21497687, 4774.1655},
    {"bar", 4, 40, 324, 44, 0, 1, 41.10718, 1.8840873, 39.136025, 33.888106, 1.3968426, 1.0585169, 4562.1895},
    {"bar", 5, 0, 324, 44, 0, 1, 41.10718, 1.8839494, 39.136025, 37.43079, 0.83284631, 0.47786118, 16875.316},
    {"ring", 3, 40, 256, 18, 1, 2, 15.915634, 1.3604213, 64.750912, 50.979243, 1.2883933, 1.2770272, 453.01469},
    {"ring", 5, 40, 256, 20, 1, 2, 15.915634, 1.3158698, 64.750912, 63.803939, 0.43341698, 0.36065547, 5918.7534},
    {"plate", 4, 40, 136, 23, 3, 12, 21.757071, 1.5680683, 19.155632, 18.071944, 0.5143465, 0.3723762, 1240.5981},
    {"plate", 5, 3, 136, 24, 3, 12, 21.757071, 1.5432401, 19.155632, 18.911977, 0.28696792, 0.26224986, 4629.3156},
    {"tripod", 4, 0, 252, 25, 0, 1, 21.908297, 2.4406441, 29.481217, 25.953518, 1.5561273, 0.98140604, 2638.3368},
    {"tripod", 5, 40, 252, 44, 0, 9, 42.052266, 1.8137019, 29.481217, 28.198142, 0.58217369, 0.35531459, 9991.7604},
    {"long tripod", 5, 0, 972, 83, 0, 1, 82.697095, 4.8980729, 121.68934, 115.57845, 3.4162793, 1.6097352, 35405.747},
    {"fingers", 4, 40, 324, 40, 0, 7, 36.913293, 1.6401006, 50.022066, 42.241566, 1.2224532, 0.99755939, 1831.1586},
    {"two rings", 3, 40, 400, 30, 2, 8, 29.380233, 1.4809968, 104.79867, 87.537522, 1.6715478, 1.5178973, 583.44277},
    {"two rings", 4, 1, 400, 33, 2, 8, 29.380233, 1.4017075, 104.79867, 100.08874, 0.83580746, 0.83226049, 2075.7847},
    {"fingers", 5, 2, 324, 35, 0, 5, 31.587275, 1.6220015, 50.022066, 47.969038, 0.63596164, 0.61105983, 6694.443},
    {"fingers", 6, 40, 324, 40, 0, 7, 36.913293, 1.6324034, 50.022066, 49.31657, 0.30925625, 0.2349496, 25628.697},
};

INSTANTIATE_TEST_SUITE_P(Meshes, MadeImage, testing::ValuesIn(kExpected), [](const auto& each) {
  std::string name = each.param.mesh;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return fmt::format("{}_n{}_cuts{}", name, each.param.n, each.param.max_cuts);
});

}  // namespace
}  // namespace lamella
