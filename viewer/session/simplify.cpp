// Vertex clustering on a uniform grid, as in Rossignac and Borrel, "Multi-resolution 3D approximations for rendering
// complex scenes" (1993), with the mean of a cell's vertices in place of a weighted choice.

#include "session/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace lamella::session {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr double kMostCells = 0x1p20;  ///< along an axis; three of them make a key of 60 bits

bool finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

/// Numbers for keys, in the order of their first use.
class Numbering {
 public:
  explicit Numbering(std::size_t most) {
    std::size_t size = 16;
    while (size < most + most / 2) size *= 2;
    keys_.resize(size);
    numbers_.assign(size, kNone);
  }
  std::uint32_t of(std::uint64_t key) {
    const std::size_t mask = keys_.size() - 1;
    std::size_t at = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ull) >> 20) & mask;
    while (numbers_[at] != kNone && keys_[at] != key) at = (at + 1) & mask;
    if (numbers_[at] == kNone) {
      keys_[at] = key;
      numbers_[at] = count_++;
    }
    return numbers_[at];
  }

 private:
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> numbers_;
  std::uint32_t count_ = 0;
};

/// Which cell's number each vertex has; kNone for one that is not finite.
std::vector<std::uint32_t> number_cells(MeshView mesh, const Aabb& box, double cell) {
  Numbering numbering(mesh.positions.size());
  const Vec3d low = to_double(box.min);
  const double scale = 1 / cell;
  std::vector<std::uint32_t> cells(mesh.positions.size(), kNone);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!finite(mesh.positions[i])) continue;
    const Vec3d at = (to_double(mesh.positions[i]) - low) * scale;
    std::uint64_t key = 0;
    for (int k = 0; k < 3; ++k) key = key << 20 | static_cast<std::uint64_t>(std::clamp(at[k], 0.0, kMostCells - 1));
    cells[i] = numbering.of(key);
  }
  return cells;
}

bool stays(const Triangle& t, const std::vector<std::uint32_t>& cells) {
  const std::uint32_t a = cells[t.a], b = cells[t.b], c = cells[t.c];
  return a != kNone && b != kNone && c != kNone && a != b && b != c && c != a;
}

std::size_t count_staying(MeshView mesh, const std::vector<std::uint32_t>& cells) {
  std::size_t count = 0;
  for (const Triangle& t : mesh.triangles) count += stays(t, cells) ? 1 : 0;
  return count;
}

Aabb box_of(MeshView mesh) {
  Aabb box;
  for (const Vec3 p : mesh.positions)
    if (finite(p)) box = extend(box, p);
  return box;
}

/// From a part of the triangles.
double area_of(MeshView mesh) {
  constexpr std::size_t kLooked = 100'000;
  const std::size_t step = std::max<std::size_t>(mesh.triangles.size() / kLooked, 1);
  double sum = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += step) {
    const Triangle& t = mesh.triangles[i];
    const Vec3d a = to_double(mesh.positions[t.a]);
    const double twice = length(cross(to_double(mesh.positions[t.b]) - a, to_double(mesh.positions[t.c]) - a));
    if (std::isfinite(twice)) sum += twice / 2 * static_cast<double>(step);
  }
  return sum;
}

/// The mesh of the triangles that stay, each cell at the mean of its vertices.
Mesh clustered(MeshView mesh, const std::vector<std::uint32_t>& cells) {
  std::uint32_t count = 0;
  for (const std::uint32_t cell : cells) count = cell == kNone ? count : std::max(count, cell + 1);
  std::vector<Vec3d> sums(count);
  std::vector<std::uint32_t> members(count), numbers(count, kNone);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == kNone) continue;
    sums[cells[i]] = sums[cells[i]] + to_double(mesh.positions[i]);
    ++members[cells[i]];
  }
  Mesh out;
  out.origin = mesh.origin;
  for (const Triangle& t : mesh.triangles) {
    if (!stays(t, cells)) continue;
    std::uint32_t corners[3];
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t cell = cells[t[k]];
      if (numbers[cell] == kNone) {
        numbers[cell] = static_cast<std::uint32_t>(out.positions.size());
        out.positions.push_back(to_float(sums[cell] * (1.0 / members[cell])));
      }
      corners[k] = numbers[cell];
    }
    out.triangles.push_back({corners[0], corners[1], corners[2]});
  }
  return out;
}

}  // namespace

Mesh simplified(MeshView mesh, std::size_t most) {
  if (mesh.triangles.size() <= most)
    return {
        {mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}, mesh.origin};
  const Aabb box = box_of(mesh);
  if (box.empty() || most == 0) return {{}, {}, mesh.origin};
  const double size =
      std::max({double{box.max.x} - box.min.x, double{box.max.y} - box.min.y, double{box.max.z} - box.min.z, 1e-30});
  // A surface meets about 1.5 cells for each area of a cell, and has two triangles for each vertex.
  double cell = std::clamp(std::sqrt(3 * area_of(mesh) / static_cast<double>(most)), size / kMostCells, size);
  constexpr int kEnough = 3;    // rounds that look for cells that leave nearly as many as may be left
  constexpr double kAim = 0.9;  // of that
  for (int round = 1;; ++round) {
    const std::vector<std::uint32_t> cells = number_cells(mesh, box, cell);
    const auto left = static_cast<double>(count_staying(mesh, cells));
    const auto room = static_cast<double>(most);
    const bool fits = left <= room;
    if (fits && (round >= kEnough || left > 0.7 * room || cell <= size / kMostCells)) return clustered(mesh, cells);
    if (cell > 2 * size) return {{}, {}, mesh.origin};
    const double change = std::sqrt(std::max(left, 1.0) / (kAim * room));
    cell = fits ? std::max(cell * std::max(change, 0.25), size / kMostCells) : cell * std::max(change, 1.1);
  }
}

}  // namespace lamella::session
