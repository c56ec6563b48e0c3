// Scans, organs and broken models whose figures are known.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/query.hpp"
#include "support/shared_meshes.hpp"

namespace lamella {
namespace {

using nlohmann::json;
using test::shared_meshes;

json read_json(const std::string& name) { return json::parse(std::ifstream(shared_meshes() / name)); }

json manifest() { return read_json("manifest.json")["meshes"]; }

Mesh load(const json& name) { return read_mesh(shared_meshes() / name.get<std::string>()); }

double volume(const Ldi& ldi) {
  double sum = 0;
  for (const Crossing c : ldi.crossings) sum -= c.sign() * static_cast<double>(c.depth());
  return sum * ldi.grid.cell_area();
}

TEST(RealMeshes, EveryClosedOneClosesInEveryColumnAndHasItsVolume) {
  LAMELLA_NEED_SHARED_MESHES();
  const auto engine = make_engine();
  Ldi ldi;
  int tried = 0;
  for (const json& entry : manifest()) {
    if (!entry["closed"].get<bool>()) continue;
    SCOPED_TRACE(entry["name"].get<std::string>());
    const Mesh mesh = load(entry["file"]);
    const Aabb box = bounds(mesh);
    for (const Axis axis : {Axis::x, Axis::y, Axis::z})
      for (const std::uint32_t n : {64u, 256u, 512u}) {
        engine->build(mesh, {box, axis, n, n}, ldi);
        const LdiReport report = validate(ldi);
        EXPECT_TRUE(report.well_formed) << report.problem;
        EXPECT_EQ(report.open_columns, 0u) << n;
        if (n == 256) {
          EXPECT_NEAR(volume(ldi) / entry["volume"].get<double>(), 1, 0.01);
        }
      }
    ++tried;
  }
  EXPECT_GE(tried, 20);
}

TEST(RealMeshes, AreDiagnosedAsTheManifestSays) {
  LAMELLA_NEED_SHARED_MESHES();
  for (const json& entry : manifest()) {
    SCOPED_TRACE(entry["name"].get<std::string>());
    const MeshReport r = inspect(load(entry["file"]));
    EXPECT_EQ(r.triangles, entry["triangles"].get<std::size_t>());
    EXPECT_EQ(r.closed, entry["closed"].get<bool>());
    EXPECT_EQ(r.boundary_edges, entry["border_edges"].get<std::size_t>());
    EXPECT_EQ(r.nonmanifold_edges, entry["nonmanifold_edges"].get<std::size_t>());
    EXPECT_EQ(r.inconsistent_edges, entry["misoriented_edges"].get<std::size_t>());
    EXPECT_EQ(r.degenerate_triangles, entry["degenerate_faces"].get<std::size_t>());
    EXPECT_EQ(r.components, entry["components"].get<std::size_t>());
    const double expected = entry["volume"].get<double>();
    if (r.closed) {
      EXPECT_NEAR(r.volume / expected, 1, 1e-6);
    }
  }
}

TEST(RealMeshes, DefectiveOnesAreAnsweredWithHealth) {
  LAMELLA_NEED_SHARED_MESHES();
  for (const json& entry : manifest()) {
    if (entry["closed"].get<bool>()) continue;
    SCOPED_TRACE(entry["name"].get<std::string>());
    const Mesh mesh = load(entry["file"]);
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      const SelfOverlap o = self_intersect(mesh, {.axis = axis});
      EXPECT_TRUE(std::isfinite(o.volume));
      EXPECT_EQ(o.health.open_columns, 0u) << "holes are closed";
      EXPECT_EQ(o.health.closed_edges, inspect(mesh).open_edges) << "what info calls open is not ok";
      EXPECT_EQ(o.health.ok(), o.health.closed_edges == 0 && o.health.inside_out_columns == 0);
    }
  }
  const auto self = [](const char* name) { return self_intersect(read_mesh(shared_meshes() / "defects" / name)); };
  EXPECT_GT(self("shark_holes.ply").health.closed_edges, 0u);
  EXPECT_GT(self_intersect(read_mesh(shared_meshes() / "defects/shark_holes.ply"), {.close_holes = false})
                .health.open_columns,
            0u);
  EXPECT_FALSE(self("blobby_misoriented.ply").health.ok());
  EXPECT_NEAR(self("ellipsoid_inverted.ply").inside_out_volume, 1.4740223, 0.015);
  EXPECT_FALSE(self("ellipsoid_inverted.ply").colliding());
  EXPECT_TRUE(self("man_selfint.ply").colliding());
  EXPECT_TRUE(self("selfint_A.ply").colliding());
  EXPECT_THROW((void)self_intersect(read_mesh(shared_meshes() / "defects/shark_holes.ply"), {.strict = true}), Error);
}

TEST(RealMeshes, TheHandOverlapsItselfOnlyOnceItsFingersMeet) {
  LAMELLA_NEED_SHARED_MESHES();
  Mesh hand = read_mesh(shared_meshes() / "hand_seq_38k/hand_seq_38k_rest.ply");
  std::ifstream frames(shared_meshes() / "hand_seq_38k/hand_seq_38k_frames.f32", std::ios::binary);
  double previous = 0;
  for (int frame = 0; frame < 28; ++frame) {
    frames.read(reinterpret_cast<char*>(hand.positions.data()),
                static_cast<std::streamsize>(hand.positions.size() * sizeof(Vec3)));
    ASSERT_TRUE(frames.good());
    const SelfOverlap o = self_intersect(hand, {.resolution = 512});
    EXPECT_TRUE(o.health.ok());
    if (frame <= 10)
      EXPECT_EQ(o.volume, 0) << "frame " << frame;
    else
      EXPECT_GT(o.volume, previous) << "frame " << frame;
    previous = o.volume;
  }
}

TEST(RealMeshes, PlacedPairsShareTheirExactVolume) {
  LAMELLA_NEED_SHARED_MESHES();
  const json pairs = read_json("pairs.json")["pairs"];
  EXPECT_EQ(pairs.size(), 12u);
  for (const json& pair : pairs) {
    SCOPED_TRACE(pair["a"].get<std::string>() + " and " + pair["b"].get<std::string>());
    const auto by = pair["translate_b"].get<std::vector<double>>();
    const Mesh a = load(pair["a"]), b = transformed(load(pair["b"]), {{by[0], by[1], by[2]}, {}});
    const double exact = pair["intersection"].get<double>();
    const double smaller = std::min(pair["volume_a"].get<double>(), pair["volume_b"].get<double>());
    const Overlap at_256 = intersect(a, b, {.resolution = 256});
    EXPECT_TRUE(at_256.health.ok());
    if (exact == 0) {
      EXPECT_FALSE(at_256.colliding());
      EXPECT_EQ(intersect(a, b, {.resolution = 1024}).volume, 0);
    } else if (exact > smaller / 100) {
      EXPECT_NEAR(at_256.volume / exact, 1, 0.01);
    } else {
      EXPECT_NEAR(intersect(a, b, {.resolution = 1024}).volume / exact, 1, 0.05);
    }
  }
}

}  // namespace
}  // namespace lamella
