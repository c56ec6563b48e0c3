// OpenVDB: signed distances on a grid of 128 cells along the longest side, in a band of three cells about the surface.
// It is sampled, as ours is; what it makes serves for much else.

#include <openvdb/openvdb.h>
#include <openvdb/tools/Composite.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/LevelSetMeasure.h>
#include <openvdb/tools/MeshToVolume.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/peers/libraries.hpp"

namespace lamella::bench::peers {
namespace {

using Grid = openvdb::FloatGrid;

constexpr double kCells = 128;
constexpr float kBand = 3;  ///< cells on either side

std::string library() { return std::string("OpenVDB ") + openvdb::getLibraryVersionString(); }

/// A mesh in the caller's arrays, as meshToVolume reads it.
class Source {
 public:
  Source(const MeshView& mesh, double cell) : mesh_(mesh), scale_(1 / cell) {}

  [[nodiscard]] std::size_t polygonCount() const { return mesh_.triangles.size(); }
  [[nodiscard]] std::size_t pointCount() const { return mesh_.positions.size(); }
  [[nodiscard]] static std::size_t vertexCount(std::size_t /*polygon*/) { return 3; }
  void getIndexSpacePoint(std::size_t polygon, std::size_t corner, openvdb::Vec3d& out) const {
    const Triangle& t = mesh_.triangles[polygon];
    const Vec3& p = mesh_.positions[corner == 0 ? t.a : corner == 1 ? t.b : t.c];
    out = openvdb::Vec3d(p.x * scale_, p.y * scale_, p.z * scale_);
  }

 private:
  MeshView mesh_;
  double scale_;
};

Grid::Ptr level_set(const MeshView& mesh, double cell) {
  const auto transform = openvdb::math::Transform::createLinearTransform(cell);
  Grid::Ptr grid = openvdb::tools::meshToVolume<Grid>(Source(mesh, cell), *transform, kBand, kBand);
  grid->setGridClass(openvdb::GRID_LEVEL_SET);
  return grid;
}

struct Range {
  float low[3]{INFINITY, INFINITY, INFINITY}, high[3]{-INFINITY, -INFINITY, -INFINITY};

  void add(const MeshView& mesh) {
    for (const Vec3& p : mesh.positions) {
      const float at[3] = {p.x, p.y, p.z};
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], at[k]);
        high[k] = std::max(high[k], at[k]);
      }
    }
  }
  [[nodiscard]] double cell() const {
    return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}) / kCells;
  }
};

Methods points(const PointsWork& work) {
  const auto inside = std::make_shared<std::vector<std::uint8_t>>(work.points.size());
  const auto run = [inside, &work](std::size_t pose) {
    Range range;
    range.add(work.solid.at(pose));
    const double cell = range.cell();
    const Grid::Ptr grid = level_set(work.solid.at(pose), cell);
    const Grid::ConstAccessor accessor = grid->getConstAccessor();
    for (std::size_t i = 0; i < work.points.size(); ++i) {
      const Vec3& p = work.points[i];
      const openvdb::Vec3d at(p.x / cell, p.y / cell, p.z / cell);
      (*inside)[i] = openvdb::tools::BoxSampler::sample(accessor, at) < 0 ? 1 : 0;
    }
  };
  return {
      {.library = library(), .call = "level set, 128 cells", .gives = "points inside", .run = run, .answer = [inside] {
         return Answer{.inside = *inside};
       }}};
}

Methods pair(const PairWork& work) {
  const auto volume = std::make_shared<double>(0);
  const auto run = [volume, &work](std::size_t pose) {
    Range range;
    range.add(work.a.at(pose));
    range.add(work.b.at(pose));
    const Grid::Ptr a = level_set(work.a.at(pose), range.cell()), b = level_set(work.b.at(pose), range.cell());
    openvdb::tools::csgIntersection(*a, *b);
    *volume = a->activeVoxelCount() == 0 ? 0 : openvdb::tools::levelSetVolume(*a);
  };
  return {{.library = library(), .call = "level sets, 128 cells", .gives = "volume", .run = run, .answer = [volume] {
             return Answer{.meets = *volume > 0, .volume = *volume};
           }}};
}

}  // namespace

Peer openvdb_peer() {
  openvdb::initialize();
  return {.name = library(), .points = points, .pair = pair};
}

}  // namespace lamella::bench::peers
