// The outlines cut the plane into cells: each is what lies inside one outline and outside those within it. A cell is
// solid in some layers. Walls stand where the cells on both sides of an outline differ in a layer, floors and ceilings
// where a cell differs from layer to layer. All of them share vertices: one for each corner and level.

#include "scenes/prism_stack.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "scenes/outlines.hpp"

namespace lamella::scenes {
namespace {

bool bit(std::uint32_t bits, std::size_t i) { return (bits >> i & 1u) != 0; }

/// Vertices of outlines at levels, made when first asked for.
class Vertices {
 public:
  Vertices(Mesh& mesh, const std::vector<double>& levels) : mesh_(mesh), levels_(levels) {}

  std::uint32_t at(std::size_t outline, const Polygon& points, std::size_t level, std::size_t corner) {
    const auto [entry, fresh] =
        first_.try_emplace({outline, level}, static_cast<std::uint32_t>(mesh_.positions.size()));
    if (fresh)
      for (const Point2 p : points)
        mesh_.positions.push_back(
            {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(levels_[level])});
    return entry->second + static_cast<std::uint32_t>(corner);
  }

 private:
  Mesh& mesh_;
  const std::vector<double>& levels_;
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> first_;
};

}  // namespace

std::size_t PrismStack::add(Polygon outline, std::uint32_t solid, std::size_t parent) {
  outlines_.push_back({std::move(outline), solid, parent});
  if (parent != kNoParent) outlines_[parent].children.push_back(outlines_.size() - 1);
  return outlines_.size() - 1;
}

std::uint32_t PrismStack::solid_around(const Outline& outline) const {
  return outline.parent == kNoParent ? 0 : outlines_[outline.parent].solid;
}

Mesh PrismStack::mesh() const {
  Mesh mesh;
  Vertices vertices(mesh, levels_);
  const std::size_t layers = levels_.size() - 1;
  for (std::size_t number = 0; number < outlines_.size(); ++number) {
    const Outline& outline = outlines_[number];
    const std::uint32_t inside = outline.solid, outside = solid_around(outline);
    for (std::size_t low = 0; low < layers;) {
      std::size_t high = low + 1;  // a wall runs on through levels where neither side changes
      while (high < layers && bit(inside, high) == bit(inside, low) && bit(outside, high) == bit(outside, low)) ++high;
      if (bit(inside, low) != bit(outside, low)) {
        for (std::size_t i = 0; i < outline.points.size(); ++i) {
          std::size_t a = i, b = (i + 1) % outline.points.size();
          if (bit(outside, low)) std::swap(a, b);
          const auto v = [&](std::size_t level, std::size_t corner) {
            return vertices.at(number, outline.points, level, corner);
          };
          mesh.triangles.push_back({v(low, a), v(low, b), v(high, b)});
          mesh.triangles.push_back({v(low, a), v(high, b), v(high, a)});
        }
      }
      low = high;
    }

    std::vector<Polygon> holes;
    std::vector<std::pair<std::size_t, std::size_t>> corners;  // outline and corner of each that triangulate() numbers
    for (std::size_t i = 0; i < outline.points.size(); ++i) corners.emplace_back(number, i);
    for (const std::size_t child : outline.children) {
      const Polygon& points = outlines_[child].points;
      holes.emplace_back(points.rbegin(), points.rend());
      for (std::size_t i = points.size(); i-- > 0;) corners.emplace_back(child, i);
    }
    std::vector<Triangle> cell;
    for (std::size_t level = 0; level <= layers; ++level) {
      const bool below = level > 0 && bit(inside, level - 1), above = level < layers && bit(inside, level);
      if (below == above) continue;
      if (cell.empty()) cell = triangulate(outline.points, holes);
      const auto v = [&](std::uint32_t corner) {
        const auto [of, i] = corners[corner];
        return vertices.at(of, outlines_[of].points, level, i);
      };
      for (const Triangle t : cell)
        mesh.triangles.push_back(below ? Triangle{v(t.a), v(t.b), v(t.c)} : Triangle{v(t.a), v(t.c), v(t.b)});
    }
  }
  return mesh;
}

double PrismStack::volume() const {
  double sum = 0;
  for (const Outline& outline : outlines_) {
    double cell = area(outline.points);
    for (const std::size_t child : outline.children) cell -= area(outlines_[child].points);
    for (std::size_t layer = 0; layer + 1 < levels_.size(); ++layer)
      if (bit(outline.solid, layer)) sum += cell * (levels_[layer + 1] - levels_[layer]);
  }
  return sum;
}

PrismStack stepped_shaft(double start, const std::vector<ShaftSection>& sections,
                         const std::vector<Polygon>& outlines) {
  std::vector<double> levels{start};
  for (const ShaftSection& section : sections) levels.push_back(section.end);
  PrismStack stack(levels);
  std::size_t parent = PrismStack::kNoParent;
  for (std::size_t number = outlines.size(); number-- > 0;) {
    std::uint32_t solid = 0;
    for (std::size_t layer = 0; layer < sections.size(); ++layer)
      if (sections[layer].outline >= number) solid |= 1u << layer;
    parent = stack.add(outlines[number], solid, parent);
  }
  return stack;
}

PrismStack plate(double low, double high, Polygon outline, const std::vector<Polygon>& holes) {
  PrismStack stack({low, high});
  const std::size_t around = stack.add(std::move(outline), 1);
  for (const Polygon& hole : holes) stack.add(hole, 0, around);
  return stack;
}

}  // namespace lamella::scenes
