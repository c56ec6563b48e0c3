// Gu, Gortler, Hoppe: "Geometry Images" (2002), from the cut to the samples; each file says where it departs. Their map
// minimises the geometric stretch vertex by vertex. Ours solves linear equations with positive weights, repeatedly,
// with weights corrected by the stretch of the last map, and so is valid by construction; vertices are moved only after
// that.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/parallel.hpp"
#include "core/world_only.hpp"
#include "geometry_image/make/border.hpp"
#include "geometry_image/make/components.hpp"
#include "geometry_image/make/cut_graph.hpp"
#include "geometry_image/make/disc.hpp"
#include "geometry_image/make/extend_cut.hpp"
#include "geometry_image/make/image_distance.hpp"
#include "geometry_image/make/map_bulge.hpp"
#include "geometry_image/make/progress.hpp"
#include "lamella/error.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella {
namespace gi {
namespace {

constexpr int kRepairs = 6;  ///< how often a cut is extended because its map has turned triangles

/// A cut, spread over the border and shifted.
struct Layout {
  std::vector<std::uint8_t> cut;
  Border border;
  std::uint32_t turn = 0;
};

struct Mapped {
  Surface surface;
  Border border;
  OpenSurface open;
  double badness = 0;  ///< for comparing maps of one surface
  std::size_t flipped = 0;
  bool usable = false;  ///< nothing is flipped that a sample could fall into
};

enum class Way { plain, bulged };

Mapped map_laid_out(const Surface& s, const Layout& layout, const MapOptions& options, Way way = Way::plain) {
  Mapped mapped{s, layout.border, {}};
  mapped.surface.cut = layout.cut;
  turn_border(mapped.surface, mapped.border, layout.turn);
  mapped.open = open_on_square(mapped.surface, mapped.border);
  if (way == Way::plain) solve_map(mapped.open.disc, options);
  const bool bulged = way == Way::bulged && solve_map_bulged(mapped.open.disc, options);
  mapped.flipped = flipped_triangles(mapped.open.disc).size();
  mapped.usable = bulged || mapped.flipped == 0;
  // Stretch shows small parts that get too few samples, the error of the normals shows large parts that fold. Either
  // alone has chosen layouts that are bad by the other.
  constexpr double kNoMatter = 1e-3;  // flat shapes have almost no error
  mapped.badness = stretch_of(mapped.open.disc).total * (kNoMatter + normal_error(mapped.open.disc, layout.border.n));
  return mapped;
}

/// Layouts for a tube that is cut from end to end; none for other shapes, or at sizes where the image would not close.
std::vector<Layout> tube_layouts(const Surface& s, int n) {
  constexpr double kSlender = 5;  // length over girth
  const std::vector<CutPath> paths = cut_paths(s);
  if (genus_of(s) != 0 || paths.size() != 1 || n < 4) return {};
  const double length = length_of(s, paths.front());
  if (length * length < kSlender * area_of(s)) return {};
  std::vector<Layout> layouts;
  for (const double end : {0.01, 0.015, 0.02, 0.03, 0.04})
    layouts.push_back({s.cut, lay_border(s, tube_weights(s, end), n), (1u << n) / 2});
  return layouts;
}

std::vector<Layout> turned_layouts(const Surface& s, int n, Progress& progress) {
  const std::uint32_t most = s.triangle_count() < 50'000 ? 8 : s.triangle_count() < 200'000 ? 5 : 3;
  const CutWeights weights = weigh_cut(s, [&](double part) { progress.at(Progress::kBorder, part); });
  const Border border = lay_border(s, weights, n);
  std::vector<Layout> layouts;
  for (const std::uint32_t turn : turns_that_close(s, border, most)) layouts.push_back({s.cut, border, turn});
  if (layouts.empty())
    throw Error(fmt::format("no image of {0} x {0} vertices closes around a cut of {1} path{2}: use a larger n",
                            border.quarter() + 1, border.paths.size(), border.paths.size() == 1 ? "" : "s"));
  return layouts;
}

/// Maps the layout that is best after a short relaxation, which is mostly the best after a long one too. Slender parts
/// can get worse in the long one: then the short one is kept.
Mapped map_best(const Surface& s, const std::vector<Layout>& layouts, Workers& workers, Progress& progress) {
  constexpr int kShort = 2, kLong = 15;
  std::vector<std::pair<std::size_t, double>> judgements(layouts.size());
  const auto judge = [](const Mapped& mapped) { return std::pair(mapped.flipped, mapped.badness); };
  std::atomic<std::size_t> tried{0};
  const auto report = [&](double part) {
    progress.at(Progress::kTrials, (static_cast<double>(tried) + part) / static_cast<double>(layouts.size()));
  };
  const auto try_one = [&](std::size_t i, std::size_t, unsigned) {
    judgements[i] = judge(map_laid_out(s, layouts[i], {kShort, report}));
    ++tried;
    report(0);
  };
  workers.for_chunks(layouts.size(), 1, try_one, 1);
  report(0);
  const auto best = std::min_element(judgements.begin(), judgements.end());
  const Layout& layout = layouts[static_cast<std::size_t>(best - judgements.begin())];
  Mapped mapped = map_laid_out(s, layout, {kLong, [&](double part) { progress.at(Progress::kMap, part); }});
  if (*best < judge(mapped)) mapped = map_laid_out(s, layout, {kShort});
  if (mapped.flipped != 0) mapped = map_laid_out(s, layout, {});
  if (mapped.flipped == 0) return mapped;
  // Keep the plain map when this fails: the next cut goes to its turned triangles.
  Mapped bulged = map_laid_out(s, layout, {kLong}, Way::bulged);
  if (bulged.usable) mapped = std::move(bulged);
  return mapped;
}

/// Extends the cut to some of the turned triangles: their map is too small for the precision of double. Returns whether
/// there were any to extend it to.
bool cut_towards_flipped(Surface& s, const OpenSurface& open) {
  constexpr std::size_t kPlaces = 4;
  const std::vector<std::uint32_t> flipped = flipped_triangles(open.disc);
  std::vector<std::uint32_t> places;
  const std::vector<std::uint32_t> degrees = cut_degrees(s);
  for (const std::uint32_t t : flipped)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t corner = open.disc.triangles[t][k];
      if (corner >= open.vertices.size()) continue;  // made by a split of the map
      const std::uint32_t v = open.vertices[corner];
      if (v < s.vertex_count() && degrees[v] == 0)
        places.push_back(v);  // neither made by a split nor already on the cut
    }
  for (std::size_t i = 0; i < std::min(kPlaces, places.size()); ++i)
    cut_towards(s, places[i * places.size() / std::min(kPlaces, places.size())]);
  return !places.empty();
}

Mapped map_to_square(Surface& s, std::vector<Layout> layouts, const MakeImageOptions& options, Workers& workers,
                     Progress& progress) {
  for (int repair = 0;; ++repair) {
    for (Layout& layout : turned_layouts(s, options.n, progress)) layouts.push_back(std::move(layout));
    Mapped mapped = map_best(s, layouts, workers, progress);
    if (mapped.usable) return mapped;
    layouts.clear();
    if (repair == kRepairs || !cut_towards_flipped(s, mapped.open))
      throw Error(fmt::format(
          "a component of {} triangles and genus {} cannot be mapped to the square: {} triangles "
          "remain turned over. Allow more cuts (max_cuts, on the command line --max-cuts; now {}), use a larger n "
          "(now {}) or refine long thin triangles",
          s.triangle_count(), genus_of(s), mapped.flipped, options.max_cuts, options.n));
  }
}

/// The most paths that may be added to a cut: the border of a small image has little room.
int room_for_paths(const Surface& s, const MakeImageOptions& options) {
  const std::int64_t all = std::int64_t{2} << options.n;
  const auto paths = static_cast<std::int64_t>(cut_paths(s).size());
  // Four samples a path on average or, where handles alone take more than that, a share of what is left. An added path
  // splits another one in two.
  const std::int64_t room = std::max((all / 4 - paths) / 2, (all - fewest_intervals(s)) / 8);
  return static_cast<int>(std::clamp<std::int64_t>(room, 0, options.max_cuts));
}

/// Six times the volume of the tetrahedron between a triangle and the origin.
double six_volumes(Vec3d a, Vec3d b, Vec3d c) { return dot(a, cross(b, c)); }

double volume_of(const Surface& s, Vec3d origin) {
  double sum = 0;
  for (std::uint32_t h = 0; h < s.half_edge_count(); h += 3)
    sum += six_volumes(s.positions[s.origins[h]] - origin, s.positions[s.origins[h + 1]] - origin,
                       s.positions[s.origins[h + 2]] - origin);
  return sum / 6;
}

double volume_of(const GeometryImage& image, Vec3d origin) {
  double sum = 0;
  const auto corner = [&](std::uint32_t v) { return to_double(image.positions[v]) - origin; };
  for (std::uint32_t i = 0; i < image.triangle_count(); ++i) {
    const Triangle t = image_triangle(image.n, i);
    sum += six_volumes(corner(t.a), corner(t.b), corner(t.c));
  }
  return sum / 6;
}

void make_one(Surface& s, const MakeImageOptions& options, Workers& workers, Progress& progress, MadeImages& made) {
  MakeImageReport report;
  report.triangle_count = s.triangle_count();
  report.genus = genus_of(s);
  const Vec3d origin = s.positions.front();
  report.volume = volume_of(s, origin);

  cut_to_disc(s);
  const std::vector<Layout> tubes = tube_layouts(s, options.n);
  extend_cut(s, room_for_paths(s, options), [&](double part) { progress.at(Progress::kCut, part); });
  const Mapped mapped = map_to_square(s, tubes, options, workers, progress);
  for (const CutPath& path : cut_paths(mapped.surface)) {
    report.cut_edge_count += path.size();
    report.cut_length += length_of(mapped.surface, path);
    ++report.cut_path_count;
  }
  report.flipped_count = mapped.flipped;
  report.stretch = stretch_of(mapped.open.disc).total;

  GeometryImage image;
  image.n = options.n;
  progress.at(Progress::kImage, 0);
  sample(mapped.open.disc, image.n, image.positions);
  write_border(mapped.surface, mapped.border, image.positions);
  compute_normals(image);
  progress.at(Progress::kImage, 0.3);
  report.image_volume = volume_of(image, origin);
  report.map_distance = map_distance(mapped.open.disc, image.n, image.positions);
  progress.at(Progress::kImage, 0.6);
  report.distance = furthest_from_image(mapped.open.disc, image);
  made.images.push_back(std::move(image));
  made.reports.push_back(report);
}

/// Every component gets a whole image, however small it is: many components would take hours and run out of memory.
void check_size(std::size_t components, int n) {
  constexpr std::uint64_t kMostVertices = std::uint64_t{1} << 28;
  const std::uint64_t side = (std::uint64_t{1} << n) + 1;
  const std::uint64_t vertices = components * side * side;
  if (vertices <= kMostVertices) return;
  constexpr double kGigabyte = 1e9;
  throw Error(
      fmt::format("{} components, each an image of {} x {} vertices, would be {} vertices in all and take {:.1f} GB; "
                  "{} is the most. Use a smaller n (now {}) or a mesh of fewer parts",
                  components, side, side, vertices, static_cast<double>(vertices) * 2 * sizeof(Vec3) / kGigabyte,
                  kMostVertices, n));
}

}  // namespace
}  // namespace gi

MadeImages make_geometry_images(MeshView mesh, const MakeImageOptions& options) {
  check_world_only(mesh, "make_geometry_images");
  if (options.n < kMinImageLevels || options.n > kMaxImageLevels)
    throw Error(fmt::format("n is {}, but an image has 2^n + 1 vertices a side with n from {} to {}", options.n,
                            kMinImageLevels, kMaxImageLevels));
  if (options.max_cuts < 0) throw Error(fmt::format("max_cuts is {}: it must not be negative", options.max_cuts));
  std::vector<gi::Surface> surfaces = gi::split_components(mesh);
  gi::check_size(surfaces.size(), options.n);
  gi::Progress progress(options, surfaces.size());
  Workers workers(options.threads);
  MadeImages made;
  for (gi::Surface& surface : surfaces) {
    gi::make_one(surface, options, workers, progress, made);
    surface = {};
    progress.next_component();
  }
  return made;
}

}  // namespace lamella
