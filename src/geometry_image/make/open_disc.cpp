#include "geometry_image/make/open_disc.hpp"

#include <numeric>

#include "geometry_image/make/cut_graph.hpp"
#include "geometry_image/make/paths.hpp"

namespace lamella::gi {
namespace {

/// Gives every sector between two cut edges its own copy of the vertex.
void separate_sectors(const Surface& s, std::vector<std::uint32_t>& corners, std::vector<std::uint32_t>& vertices) {
  const std::vector<std::uint32_t> degrees = cut_degrees(s);
  for (std::uint32_t v = 0; v < s.vertex_count(); ++v) {
    if (degrees[v] < 2) continue;
    std::uint32_t first = s.leaving[v];
    while (s.cut[first] == 0) first = s.turn(first);
    std::uint32_t copy = v;
    for (std::uint32_t h = s.turn(first); h != first; h = s.turn(h)) {
      if (s.cut[h] != 0) {
        copy = static_cast<std::uint32_t>(vertices.size());
        vertices.push_back(v);
      }
      corners[h] = copy;
    }
  }
}

}  // namespace

OpenSurface open_along_cut(const Surface& s) {
  OpenSurface open;
  std::vector<std::uint32_t> corners = s.origins;
  open.vertices.resize(s.vertex_count());
  std::iota(open.vertices.begin(), open.vertices.end(), 0u);
  separate_sectors(s, corners, open.vertices);

  Disc& disc = open.disc;
  for (const std::uint32_t v : open.vertices) disc.positions.push_back(s.positions[v]);
  disc.triangles.resize(s.triangle_count());
  for (std::uint32_t t = 0; t < s.triangle_count(); ++t)
    disc.triangles[t] = {corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]};
  disc.map.resize(disc.positions.size());

  open.border.assign(disc.positions.size(), kNone);
  std::uint32_t first = 0;
  while (s.cut[first] == 0) ++first;
  std::uint32_t h = first;
  do {
    open.border[corners[h]] = static_cast<std::uint32_t>(open.loop.size());
    open.loop.push_back(h);
    disc.boundary.push_back(corners[h]);
    h = Surface::next(h);
    while (s.cut[h] == 0) h = Surface::next(s.twins[h]);
  } while (h != first);
  return open;
}

}  // namespace lamella::gi
