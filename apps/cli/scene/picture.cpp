#include "cli/scene/picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/common.hpp"
#include "cli/query/shared_surface.hpp"
#include "lamella/query.hpp"
#include "picture/arrows.hpp"
#include "picture/camera.hpp"
#include "picture/legend.hpp"

namespace lamella::cli {
namespace {

/// By Okabe and Ito, for people who see colours differently; without black, and without the one that is close to the
/// red of overlaps.
constexpr std::array<picture::Rgb, 6> kColors{{{0.34f, 0.71f, 0.91f},
                                               {0.90f, 0.62f, 0.00f},
                                               {0.00f, 0.45f, 0.70f},
                                               {0.94f, 0.89f, 0.26f},
                                               {0.00f, 0.62f, 0.45f},
                                               {0.80f, 0.47f, 0.65f}}};
constexpr picture::Rgb kGrey{0.74f, 0.75f, 0.77f}, kInk{0.12f, 0.12f, 0.14f};
/// Opacities. Objects are glass when they are few; among many only the nearest would be seen anyway.
constexpr std::size_t kFew = 24;
constexpr float kGlass = 0.42f, kFrosted = 0.85f, kClear = 0.16f, kBody = 0.45f, kHiding = 0.07f;
constexpr int kStrokeDots = 24;
constexpr float kStrokeLength = 0.04f;  ///< of the view's diagonal
constexpr std::size_t kMostLabels = 12, kLongestName = 32;
/// Cells along an overlap's sides, by how many overlaps there are; of more than the last number, the largest are drawn.
struct Detail {
  std::size_t pairs;
  std::uint32_t resolution;
};
constexpr std::array<Detail, 4> kDetails{{{4, 128}, {24, 96}, {100, 64}, {600, 32}}};
constexpr std::size_t kFarShare = 20;  ///< one in so many objects may be left out for being far away
constexpr float kFar = 2;              ///< if all others then are so many times as large

void append(Mesh& to, MeshView mesh, const Transform& pose, Vec3d origin) {
  const auto shift = static_cast<std::uint32_t>(to.positions.size());
  for (const Vec3 p : mesh.positions) {
    to.positions.push_back(to_float(apply(pose, to_double(p) + mesh.origin) - origin));
  }
  for (const Triangle t : mesh.triangles) to.triangles.push_back({t.a + shift, t.b + shift, t.c + shift});
}

Aabb placed(const Aabb& box, Vec3d origin, const Transform& pose) {
  Aabb out;
  for (unsigned i = 0; i < 8 && !box.empty(); ++i) {
    out = extend(out, to_float(apply(pose, to_double(picture::corner(box, i)) + origin)));
  }
  return out;
}

/// A scene as a picture sees it.
struct Parts {
  const Scene& scene;
  const SceneResult& result;
  Vec3d origin;                                      ///< that everything drawn is relative to
  std::vector<Mesh> meshes;                          ///< of all objects, placed
  std::vector<Aabb> boxes;                           ///< of `meshes`
  std::vector<std::vector<std::uint32_t>> partners;  ///< that each object collides with
  std::vector<const ScenePair*> pairs;               ///< the largest volume first

  [[nodiscard]] bool collides(std::size_t i) const { return !partners[i].empty(); }
};

/// Near the middle of everything: coordinates far from the origin would be coarse as floats.
Vec3d origin_of(const Scene& scene) {
  Vec3d sum;
  for (std::uint32_t i = 0; i < scene.size(); ++i) {
    sum = sum + apply(scene.pose(ObjectId{i}), scene.mesh(ObjectId{i}).origin);
  }
  const Vec3d mean = sum * (1 / std::max(1.0, static_cast<double>(scene.size())));
  return dot(mean, mean) > 0 ? Vec3d{std::round(mean.x), std::round(mean.y), std::round(mean.z)} : Vec3d{};
}

Parts parts_of(const Scene& scene, const SceneResult& result, bool framed) {
  Parts parts{scene, result, framed ? Vec3d{} : origin_of(scene), {}, {}, {}, {}};
  for (std::uint32_t i = 0; i < scene.size(); ++i) {
    append(parts.meshes.emplace_back(), scene.mesh(ObjectId{i}), scene.pose(ObjectId{i}), parts.origin);
    parts.boxes.push_back(bounds(parts.meshes.back()));
  }
  parts.partners.resize(scene.size());
  for (const ScenePair& p : result.pairs) {
    parts.partners[p.a.number].push_back(p.b.number);
    parts.partners[p.b.number].push_back(p.a.number);
    parts.pairs.push_back(&p);
  }
  std::stable_sort(parts.pairs.begin(), parts.pairs.end(), [](const ScenePair* a, const ScenePair* b) {
    return a->volume.value_or(0) > b->volume.value_or(0);
  });
  return parts;
}

/// A colour for each object: its own, or the next that none of its partners before it has.
std::vector<std::size_t> colors_of(const Parts& parts) {
  std::vector<std::size_t> colors(parts.meshes.size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    for (std::size_t k = 0; k < kColors.size(); ++k) {
      colors[i] = (i + k) % kColors.size();
      const auto taken = [&](std::uint32_t other) { return other < i && colors[other] == colors[i]; };
      if (std::none_of(parts.partners[i].begin(), parts.partners[i].end(), taken)) break;
      if (k + 1 == kColors.size()) colors[i] = i % kColors.size();
    }
  }
  return colors;
}

Mesh shared_volumes(const Parts& parts, unsigned threads) {
  const bool close_holes = parts.scene.options().close_holes;
  const auto detail = std::find_if(kDetails.begin(), kDetails.end() - 1,
                                   [&](const Detail& d) { return parts.pairs.size() <= d.pairs; });
  Mesh out;
  for (std::size_t i = 0; i < std::min(parts.pairs.size(), kDetails.back().pairs); ++i) {
    const ScenePair& p = *parts.pairs[i];
    const Mesh &a = parts.meshes[p.a.number], &b = parts.meshes[p.b.number];
    Options options{.engine = "software", .resolution = detail->resolution, .threads = threads};
    options.close_holes = close_holes;
    const Overlap overlap = intersect(a, b, options);
    Mesh shared =
        shared_surface(relative_to(a, overlap.origin), relative_to(b, overlap.origin), overlap, threads, close_holes);
    for (Vec3& v : shared.positions) v = to_float(to_double(v) + overlap.origin);
    picture::append(out, shared);
  }
  return out;
}

/// Objects that would make the others tiny: few, far from the rest, and without a collision.
std::vector<bool> far_away(const Parts& parts) {
  const std::size_t count = parts.boxes.size();
  std::vector<bool> out(count);
  std::array<std::vector<float>, 3> middles;
  for (const Aabb& box : parts.boxes) {
    for (std::size_t k = 0; k < 3 && !box.empty(); ++k) middles[k].push_back(center(box)[static_cast<int>(k)]);
  }
  if (middles[0].size() < kFarShare) return out;
  Vec3 median;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto half = middles[k].begin() + static_cast<std::ptrdiff_t>(middles[k].size() / 2);
    std::nth_element(middles[k].begin(), half, middles[k].end());
    median[static_cast<int>(k)] = *half;
  }
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  const auto far = [&](std::size_t i) { return parts.boxes[i].empty() ? 0 : length(center(parts.boxes[i]) - median); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return far(a) < far(b); });
  Aabb near;
  for (std::size_t i = 0; i < count; ++i) {
    if (i < count - count / kFarShare || parts.collides(order[i])) near = unite(near, parts.boxes[order[i]]);
  }
  const float large = length(extent(near));
  for (std::size_t i = 0; i < count; ++i) {
    if (parts.collides(i) || parts.boxes[i].empty()) continue;
    out[i] = length(extent(unite(near, parts.boxes[i]))) > kFar * large;
  }
  return out;
}

Aabb common(const Aabb& a, const Aabb& b) {
  Aabb out;
  for (int k = 0; k < 3; ++k) {
    out.min[k] = std::max(a.min[k], b.min[k]);
    out.max[k] = std::min(a.max[k], b.max[k]);
  }
  return out;
}

/// A box on the screen, in samples, and how near it is.
struct Extent {
  double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300, nearest = 1e300;
};

Extent extent_of(const picture::Camera& camera, const Aabb& box) {
  Extent out;
  for (unsigned i = 0; i < 8 && !box.empty(); ++i) {
    const picture::ScreenPoint s = picture::project(camera, to_double(picture::corner(box, i)));
    out.left = std::min(out.left, s.x), out.right = std::max(out.right, s.x);
    out.top = std::min(out.top, s.y), out.bottom = std::max(out.bottom, s.y);
    out.nearest = std::min(out.nearest, s.depth);
  }
  return out;
}

/// Which objects may hide a shared volume: they lie, at least in part, nearer to the eye, and over it.
std::vector<bool> hiding(const Parts& parts, const picture::Picture& out, const std::vector<bool>& left_out) {
  picture::Picture same = out;
  if (!same.fit) {
    for (std::size_t i = 0; i < parts.meshes.size(); ++i) {
      if (!left_out[i]) same.layers.push_back({parts.meshes[i], {}, 1});
    }
  }
  const picture::Camera camera = picture::fit_camera(same, picture::text_block(out).height());
  std::vector<Extent> shared;
  for (const ScenePair* p : parts.pairs) {
    const Aabb &a = parts.boxes[p->a.number], &b = parts.boxes[p->b.number];
    shared.push_back(extent_of(camera, common(a, b)));
  }
  std::vector<bool> hides(parts.boxes.size());
  for (std::size_t i = 0; i < hides.size(); ++i) {
    if (parts.collides(i) || left_out[i]) continue;
    const Extent own = extent_of(camera, parts.boxes[i]);
    hides[i] = std::any_of(shared.begin(), shared.end(), [&](const Extent& s) {
      return own.nearest < s.nearest && own.left < s.right && s.left < own.right && own.top < s.bottom &&
             s.top < own.bottom;
    });
  }
  return hides;
}

std::string short_name(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // not within a character
  return name.substr(0, end) + "…";
}

void add_labels(picture::Picture& out, const Parts& parts, const std::vector<std::size_t>& colors,
                const std::vector<std::string>& names) {
  std::vector<std::uint32_t> named;
  for (const ScenePair* p : parts.pairs) {
    for (const std::uint32_t i : {p->a.number, p->b.number}) {
      if (std::find(named.begin(), named.end(), i) == named.end()) named.push_back(i);
    }
  }
  const std::size_t all = named.size();
  named.resize(std::min(all, kMostLabels));
  for (const std::uint32_t i : named) {
    out.labels.push_back({short_name(names[i]), kColors[colors[i]], parts.meshes[i]});
  }
  if (all > named.size()) {
    out.captions.push_back(
        fmt::format("{} that share most are named, and {} more collide", named.size(), grouped(all - named.size())));
  }
}

std::vector<Vec3> strokes(const SceneResult& result, Vec3d origin, float length) {
  std::vector<Vec3> dots;
  for (const Contact& c : result.contacts) {
    for (int i = 0; i < kStrokeDots; ++i) {
      dots.push_back(to_float(c.position - origin) + c.normal * (length * static_cast<float>(i) / kStrokeDots));
    }
  }
  return dots;
}

/// All objects in colours, with collision points and contact normals.
picture::Image draw_contacts(const Parts& parts, picture::Picture out, unsigned threads) {
  std::array<Mesh, kColors.size()> meshes;
  Aabb box;
  for (std::size_t i = 0; i < parts.meshes.size(); ++i) {
    picture::append(meshes[i % meshes.size()], parts.meshes[i]);
    box = unite(box, parts.boxes[i]);
  }
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (!meshes[i].triangles.empty())
      out.layers.push_back({meshes[i], kColors[i], parts.meshes.size() <= kFew ? kGlass : kFrosted});
  }
  std::vector<Vec3> points;
  for (const CollisionPoint& p : parts.result.points)
    points.push_back(to_float((p.on_a + p.on_b) * 0.5 - parts.origin));
  const std::vector<Vec3> normals = strokes(parts.result, parts.origin, kStrokeLength * length(extent(box)));
  out.dots = {{points, picture::kOverlapRed, 1.8f}, {normals, kInk, 1.1f}};
  return picture::render(out, threads);
}

picture::Image draw_volumes(const Parts& parts, const SceneLook& look, picture::Picture out, unsigned threads) {
  const std::vector<std::size_t> colors = colors_of(parts);
  const std::vector<bool> left_out = look.view ? std::vector<bool>(parts.meshes.size()) : far_away(parts);
  const auto far = std::count(left_out.begin(), left_out.end(), true);
  if (far > 0)
    out.captions.push_back(
        fmt::format("{} far away, without collisions: not drawn", counted(static_cast<std::uint64_t>(far), "part")));
  if (!look.names.empty()) add_labels(out, parts, colors, look.names);
  const bool any = !parts.pairs.empty();
  if (any) out.legend = {{picture::kOverlapRed, "shared volume"}};
  const std::vector<bool> hides = hiding(parts, out, left_out);

  std::array<Mesh, kColors.size()> colliding;
  Mesh others, clearest;
  for (std::size_t i = 0; i < parts.meshes.size(); ++i) {
    if (left_out[i]) continue;
    picture::append(parts.collides(i) ? colliding[colors[i]] : hides[i] ? clearest : others, parts.meshes[i]);
  }
  const Mesh shared = shared_volumes(parts, threads);
  const bool few = parts.meshes.size() <= kFew;
  out.layers = {{others, kGrey, few ? kClear : kBody}, {clearest, kGrey, kHiding}};
  for (std::size_t i = 0; i < colliding.size(); ++i) {
    if (!colliding[i].triangles.empty()) out.layers.push_back({colliding[i], kColors[i], kGlass});
  }
  if (any && !(others.triangles.empty() && clearest.triangles.empty()))
    out.legend.push_back({kGrey, "collides with nothing"});
  out.layers.push_back({shared, picture::kOverlapRed, 1});
  return picture::render(out, threads);
}

}  // namespace

Aabb view_of(const SceneFile& file, std::uint32_t first, std::uint32_t count) {
  Aabb view;
  for (const SceneObject& object : file.objects) {
    const Mesh mesh = mesh_of(file, object);
    Aabb own = bounds(mesh);
    for (const auto& shape : object.shapes) own = unite(own, bounds({shape, {}}));
    for (std::uint32_t frame = first; frame < first + count; ++frame) {
      view = unite(view, placed(own, mesh.origin, pose_at(object, frame)));
    }
  }
  return view;
}

picture::Image draw_scene(const Scene& scene, const SceneResult& result, const SceneLook& look, picture::Picture out,
                          unsigned threads) {
  const Parts parts = parts_of(scene, result, look.view.has_value());
  out.fit = look.view;
  return look.contacts ? draw_contacts(parts, std::move(out), threads)
                       : draw_volumes(parts, look, std::move(out), threads);
}

}  // namespace lamella::cli
