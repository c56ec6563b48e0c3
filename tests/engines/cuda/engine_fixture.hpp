#pragma once

#include "compare.hpp"

namespace lamella::test {

inline constexpr Axis kAxes[] = {Axis::x, Axis::y, Axis::z};

/// The engine "cuda" beside the software engine, which must answer the same.
class CudaEngine : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    if (IsSkipped()) return;
    engine_ = make({});
    software_ = make_engine({.engine = "software", .threads = 1});
  }
  void TearDown() override {
    engine_.reset();
    CudaTest::TearDown();
  }
  static std::unique_ptr<Engine> make(Options options) {
    options.engine = "cuda";
    options.threads = 2;
    return make_engine(options);
  }

  void expect_columns(MeshView mesh, const Grid& grid) {
    expect_same(build(*engine_, mesh, grid), build(*software_, mesh, grid));
  }
  void expect_pair(MeshView a, MeshView b, const QueryOptions& options) {
    expect_same(intersect(*engine_, a, b, options), intersect(*software_, a, b, options));
  }
  void expect_self(MeshView mesh, const QueryOptions& options) {
    expect_same(self_intersect(*engine_, mesh, options), self_intersect(*software_, mesh, options));
  }
  void expect_points(MeshView mesh, const QueryOptions& options) {
    const auto points = points_around(mesh, kEmulated ? 300 : 3000);
    expect_same(contains(*engine_, mesh, points, options), contains(*software_, mesh, points, options));
  }
  void expect_all(MeshView a, MeshView b, const QueryOptions& options) {
    expect_pair(a, b, options);
    expect_self(a, options);
    expect_points(a, options);
  }

  std::unique_ptr<Engine> engine_, software_;
};

}  // namespace lamella::test
