#pragma once

// What the tests of the whole queries share: an engine that notes every build, so that an answer can be compared with
// that of the query on the columns which were built.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/mesh_check.hpp"
#include "core/parallel.hpp"
#include "lamella/engine.hpp"
#include "query/point_lookup.hpp"
#include "support/health.hpp"

namespace lamella::test {

/// A mesh whose positions are only on a device.
class DeviceMesh final : public KeptMesh {
 public:
  DeviceMesh(const Engine& owner, Mesh whole) : KeptMesh(owner), mesh(std::move(whole)) {}
  void deform(std::span<const Vec3> positions) override { mesh.positions.assign(positions.begin(), positions.end()); }
  [[nodiscard]] std::size_t triangle_count() const override { return mesh.triangles.size(); }
  [[nodiscard]] std::size_t broken_triangles() const override { return count_broken(mesh); }
  [[nodiscard]] MeshView view() const override { return {}; }
  void read_positions(std::vector<Vec3>& out) override { out = mesh.positions; }

  Mesh mesh;
};

/// Another engine's columns. Notes every build, and pretends that it costs something on a GPU.
class NotingEngine final : public Engine {
 public:
  struct Build {
    Grid grid;
    std::optional<End> outside;
    Ldi ldi;
  };
  explicit NotingEngine(const std::string& inner)
      : Engine(2), whole(inner != "software-wscg"), inner_(make_engine({.engine = inner})) {}

  [[nodiscard]] std::string_view name() const override { return "noting"; }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override {
    check_owner(mesh);
    return inner_->bounds(view_of(mesh));
  }
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override {
    inner_->build(view_of(mesh), grid, out);
    note(grid, std::nullopt, out);
  }
  void build_cut(MeshRef mesh, const Grid& grid, End outside, Ldi& out) override {
    inner_->build_cut(view_of(mesh), grid, outside, out);
    note(grid, outside, out);
  }
  [[nodiscard]] std::unique_ptr<KeptMesh> keep_on_device(const Mesh& mesh) const {
    return std::make_unique<DeviceMesh>(*this, mesh);
  }

  const bool whole;  ///< whether the columns of a pair are
  std::vector<Build> builds;
  bool alternating[2] = {};  ///< of builds with an even number, with an odd one

 protected:
  [[nodiscard]] bool samples_whole_columns() const override { return whole; }

 private:
  static MeshView view_of(MeshRef mesh) {
    const auto* device = dynamic_cast<const DeviceMesh*>(mesh.kept);
    return device != nullptr ? MeshView(device->mesh) : mesh.view;
  }
  void note(const Grid& grid, std::optional<End> outside, Ldi& out) {
    const bool odd = builds.size() % 2 != 0;
    out.dropped_crossings = odd ? 500 : 3;
    out.alternating = alternating[odd ? 1 : 0];
    gpu_cost_.read_back_bytes += odd ? 7000 : 11;
    gpu_cost_.ms += odd ? 0.25 : 0.5;
    builds.push_back({grid, outside, out});
  }

  std::unique_ptr<Engine> inner_;
};

class WholeQueries : public testing::Test {
 protected:
  explicit WholeQueries(const std::string& inner = "reference") : engine_(inner) {}

  void expect_overlap(const Overlap& out, const Overlap& expected) {
    EXPECT_EQ(out.grid, expected.grid);
    EXPECT_EQ(out.spans, expected.spans);
    EXPECT_EQ(out.volume, expected.volume);
    EXPECT_EQ(out.centroid, expected.centroid);
    EXPECT_EQ(out.bounds, expected.bounds);
    EXPECT_EQ(fields(out.health), fields(expected.health));
    EXPECT_EQ(out.alternating, expected.alternating);
    EXPECT_EQ(out.engine, "noting");
    EXPECT_EQ(out.read_back_bytes, 0u) << "the engine says what it read, not the default";
  }
  static void expect_inside(const Containment& out, const Containment& expected) {
    EXPECT_EQ(out.grid, expected.grid);
    EXPECT_EQ(out.inside, expected.inside);
    EXPECT_EQ(out.inside_count, expected.inside_count);
    EXPECT_EQ(fields(out.health), fields(expected.health));
    EXPECT_EQ(out.alternating, expected.alternating);
    EXPECT_EQ(out.engine, "noting");
  }
  static void expect_found(const VerticesOfOne& out, const VerticesOfOne& expected) {
    EXPECT_EQ(out.grid, expected.grid);
    EXPECT_EQ(out.inside, expected.inside);
    EXPECT_EQ(out.looked_up, expected.looked_up);
  }
  static void expect_times(const Timings& ms, bool voi, bool ldi, bool query) {
    EXPECT_EQ(ms.voi > 0, voi);
    EXPECT_EQ(ms.ldi > 0, ldi);
    EXPECT_EQ(ms.query > 0, query);
    EXPECT_LT(ms.total(), 1000) << "not left from an earlier query";
    EXPECT_EQ(ms.broad + ms.points + ms.contacts + ms.solve, 0);
  }
  /// What the two builds of a pair must have been.
  void expect_pair_builds(const PairVoi& voi, std::uint32_t resolution) {
    ASSERT_EQ(builds().size(), 2u);
    for (const auto& build : builds()) EXPECT_EQ(build.grid, square_grid(voi.box, voi.axis, resolution));
    EXPECT_EQ(builds()[0].outside, voi.outside_a);
    EXPECT_EQ(builds()[1].outside, voi.outside_b);
  }
  std::uint64_t find(const Ldi& ldi, const Aabb& box, std::span<const Vec3> vertices, float min_thickness,
                     VerticesOfOne& out) {
    return find_vertices({ldi, nullptr, &box}, vertices, min_thickness * ldi.grid.depth(), workers_, lookup_, out);
  }
  [[nodiscard]] const std::vector<NotingEngine::Build>& builds() const { return engine_.builds; }
  /// Before a query: forgets the builds.
  NotingEngine& engine() {
    engine_.builds.clear();
    return engine_;
  }

  Workers workers_{1};
  LookupScratch lookup_;
  NotingEngine engine_;
};

}  // namespace lamella::test
