#include "picture/tile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picture/ground.hpp"
#include "picture/occlusion.hpp"
#include "picture/shading.hpp"

namespace lamella::picture {
namespace {

/// Each set is drawn this much nearer than the one before it, so that of coincident faces the later is in front
/// whatever rounding says. In units of depth, -1/w: far below a pixel, well above the rounding of float positions.
constexpr double kSetBias = 2e-7;
/// A translucent surface fades out where it comes this close to the opaque one behind it, in radii of the scene. An
/// overlap sampled in columns weaves through the surfaces that bound it; without this it would look speckled.
constexpr float kContactFade = 0.035f;
/// How much of its opacity a translucent surface keeps in front of an opaque one: what is inside is what to look at.
constexpr float kVeil = 0.35f;
/// How much darker a surface is that no light from around reaches.
constexpr float kShade = 0.85f;
/// How much of what lies behind a translucent surface its shade hides: it would hardly be seen on the surface alone.
constexpr float kShadeHides = 0.6f;
/// Light that may still pass before what lies behind no longer matters.
constexpr float kDark = 1.0f / 1024;

bool is_ball(const Stage& stage, Primitive p) { return p.set >= stage.surfaces.size(); }
const Balls& balls_of(const Stage& stage, Primitive p) { return stage.balls[p.set - stage.surfaces.size()]; }

bool is_translucent(const Stage& stage, Primitive p) { return !is_ball(stage, p) && stage.surfaces[p.set].opacity < 1; }

std::array<ScreenPoint, 3> corners_of(const Surface& surface, std::uint32_t triangle) {
  const Triangle t = surface.mesh.triangles[triangle];
  return {surface.points[t.a], surface.points[t.b], surface.points[t.c]};
}

float biased(double depth, std::uint32_t set) { return static_cast<float>(depth - kSetBias * set); }

template <class Visit>
void cover_triangle(const Surface& surface, Primitive p, const SampleBox& tile, Visit visit) {
  const auto corners = corners_of(surface, p.index);
  const Coverage coverage(corners);
  const DepthPlane plane(corners);
  coverage.for_each_sample(meet(coverage.box(), tile),
                           [&](int x, int y) { visit(x, y, biased(plane.at(x, y), p.set)); });
}

/// Offset of a sample from a ball's centre, in radii.
struct BallOffset {
  double x = 0, y = 0;
  [[nodiscard]] double squared() const { return x * x + y * y; }
  [[nodiscard]] double bulge() const { return std::sqrt(std::max(0.0, 1 - squared())); }
};

BallOffset ball_offset(const Balls& balls, std::uint32_t index, int x, int y) {
  const ScreenPoint center = balls.points[index];
  return {(x + 0.5 - center.x) / balls.radius, (y + 0.5 - center.y) / balls.radius};
}

template <class Visit>
void cover_ball(const Stage& stage, Primitive p, const SampleBox& tile, Visit visit) {
  const Balls& balls = balls_of(stage, p);
  const double distance = -1 / balls.points[p.index].depth;
  const double radius = balls.radius / stage.camera.zoom * distance;
  const SampleBox box = meet(sample_box(stage, p), tile);
  for (int y = box.y_low; y <= box.y_high; ++y) {
    for (int x = box.x_low; x <= box.x_high; ++x) {
      const BallOffset offset = ball_offset(balls, p.index, x, y);
      if (offset.squared() > 1) continue;
      visit(x, y, biased(-1 / (distance - radius * offset.bulge()), p.set));
    }
  }
}

Vec3 color_of(const Surface& surface, std::uint32_t triangle, const std::array<float, 3>& weights) {
  if (surface.colors.empty()) return surface.color;
  const Triangle t = surface.mesh.triangles[triangle];
  return surface.colors[t.a] * weights[0] + surface.colors[t.b] * weights[1] + surface.colors[t.c] * weights[2];
}

Shade shade_triangle(const Stage& stage, Primitive p, int x, int y) {
  const Surface& surface = stage.surfaces[p.set];
  const Vec3 eye = towards_eye(stage.camera, x + 0.5, y + 0.5);
  const auto weights = Coverage(corners_of(surface, p.index)).weights(x, y);
  const auto& normals = surface.normals[p.index];
  const Vec3 sum = normals[0] * weights[0] + normals[1] * weights[1] + normals[2] * weights[2];
  const Vec3 face = surface.face_normals[p.index];
  const Vec3 normal = dot(sum, sum) > 0 ? normalize(sum) : face;
  return shade(color_of(surface, p.index, weights), surface.opacity, dot(face, eye) < 0 ? normal * -1.0f : normal, eye);
}

Shade shade_ball(const Stage& stage, Primitive p, int x, int y) {
  const Balls& balls = balls_of(stage, p);
  const BallOffset offset = ball_offset(balls, p.index, x, y);
  const Vec3 eye = towards_eye(stage.camera, x + 0.5, y + 0.5);
  // Flatter than a ball: few dots are large enough to show their shape, but all should show their colour.
  const Vec3 normal = normalize(to_float({0.7 * offset.x, -0.7 * offset.y, 0.3 + offset.bulge()}));
  return shade(balls.colors.empty() ? balls.color : balls.colors[p.index], 1, normal, eye);
}

Shade shade_at(const Stage& stage, Primitive p, int x, int y) {
  return is_ball(stage, p) ? shade_ball(stage, p, x, y) : shade_triangle(stage, p, x, y);
}

/// Draws one tile; samples are counted over the whole image.
class TilePainter {
 public:
  TilePainter(const Stage& stage, const Shadows& shadows, unsigned x, unsigned y, TileScratch& scratch)
      : stage_(stage),
        shadows_(shadows),
        x_(static_cast<int>(x) * stage.camera.samples),
        y_(static_cast<int>(y) * stage.camera.samples),
        s_(scratch) {
    s_.opaque.assign(kTileSamples * kTileSamples, {0, std::numeric_limits<float>::infinity(), {}});
    s_.fragments.clear();
  }

  void draw_opaque(Primitive p) {
    const auto keep_nearest = [&](int x, int y, float depth) {
      Fragment& nearest = s_.opaque[sample(x, y)];
      if (depth <= nearest.depth) nearest = {sample(x, y), depth, p};
    };
    if (is_ball(stage_, p)) {
      cover_ball(stage_, p, box(), keep_nearest);
    } else {
      cover_triangle(stage_.surfaces[p.set], p, box(), keep_nearest);
    }
  }

  void draw_translucent(Primitive p) {
    cover_triangle(stage_.surfaces[p.set], p, box(), [&](int x, int y, float depth) {
      if (depth < s_.opaque[sample(x, y)].depth) s_.fragments.push_back({sample(x, y), depth, p});
    });
  }

  /// Groups the fragments by sample, and sorts each group from front to back.
  void sort_fragments() {
    s_.offsets.assign(s_.opaque.size() + 1, 0);
    for (const Fragment& f : s_.fragments) ++s_.offsets[f.sample];
    std::uint32_t sum = 0;
    for (std::uint32_t& offset : s_.offsets) offset = sum += offset;
    s_.by_sample.resize(s_.fragments.size());
    for (const Fragment& f : s_.fragments) s_.by_sample[--s_.offsets[f.sample]] = f;
    for (std::size_t i = 0; i < s_.opaque.size(); ++i) {
      std::sort(s_.by_sample.begin() + s_.offsets[i], s_.by_sample.begin() + s_.offsets[i + 1],
                [](const Fragment& a, const Fragment& b) {
                  return a.depth != b.depth ? a.depth < b.depth : a.primitive > b.primitive;
                });
    }
  }

  [[nodiscard]] Vec3 color_at(int x, int y, Vec3 behind) const {
    const std::uint32_t i = sample(x, y);
    const Fragment& opaque = s_.opaque[i];
    const bool hit = std::isfinite(opaque.depth);
    Vec3 color;
    float light = 1;
    for (std::uint32_t f = s_.offsets[i]; f < s_.offsets[i + 1] && light > kDark; ++f) {
      const Fragment& fragment = s_.by_sample[f];
      const Shade front = shade_at(stage_, fragment.primitive, x, y);
      const float bright = f == s_.offsets[i] ? lit(shadows_.nearest, x, y, fragment.depth) : 1;
      const float clear = (1 - front.alpha) * (1 - kShadeHides * (1 - bright));
      const float alpha = (1 - clear) * (hit ? veil(fragment.depth, opaque.depth) : 1);
      color = color + front.color * (light * alpha * bright);
      light *= 1 - alpha;
    }
    if (light <= kDark) return color;
    if (!hit) return color + behind * light;
    return color + shade_at(stage_, opaque.primitive, x, y).color * (light * lit(shadows_.opaque, x, y, opaque.depth));
  }

 private:
  [[nodiscard]] SampleBox box() const { return {x_, y_, x_ + kTileSamples - 1, y_ + kTileSamples - 1}; }
  [[nodiscard]] std::uint32_t sample(int x, int y) const {
    return static_cast<std::uint32_t>((y - y_) * kTileSamples + (x - x_));
  }
  /// Share of light that reaches a surface.
  [[nodiscard]] float lit(const Occlusion* occlusion, int x, int y, float depth) const {
    if (occlusion == nullptr) return 1;
    const auto pixel = [&](int at) { return static_cast<unsigned>(at / stage_.camera.samples); };
    return 1 - kShade * occlusion->at(pixel(x), pixel(y), -1 / depth);
  }
  static float veil(float front, float behind) {
    return kVeil * std::min(1.0f, (1 / front - 1 / behind) / kContactFade);
  }

  const Stage& stage_;
  const Shadows& shadows_;
  int x_, y_;  // of the tile's first sample
  TileScratch& s_;
};

void write_pixel(const TilePainter& painter, const Ground* ground, int samples, unsigned x, unsigned y, Image& image) {
  Vec3 sum;
  const float light = ground == nullptr ? 1 : 1 - ground->shadow((x + 0.5) * samples, (y + 0.5) * samples);
  for (int j = 0; j < samples; ++j) {
    const int sample_y = static_cast<int>(y) * samples + j;
    const float rows = static_cast<float>(image.height) * static_cast<float>(samples);
    const Vec3 behind = background((static_cast<float>(sample_y) + 0.5f) / rows) * light;
    for (int i = 0; i < samples; ++i) {
      sum = sum + painter.color_at(static_cast<int>(x) * samples + i, sample_y, behind);
    }
  }
  const Vec3 mean = sum * (1.0f / static_cast<float>(samples * samples));
  std::uint8_t* pixel = &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x)];
  for (int c = 0; c < 3; ++c) pixel[c] = encode(mean[c]);
}

}  // namespace

SampleBox sample_box(const Stage& stage, Primitive p) {
  if (is_ball(stage, p)) {
    const Balls& balls = balls_of(stage, p);
    const ScreenPoint at = balls.points[p.index];
    return {static_cast<int>(std::floor(at.x - balls.radius)), static_cast<int>(std::floor(at.y - balls.radius)),
            static_cast<int>(std::ceil(at.x + balls.radius)), static_cast<int>(std::ceil(at.y + balls.radius))};
  }
  const Surface& surface = stage.surfaces[p.set];
  if (surface.face_normals[p.index] == Vec3{}) return {};
  const Coverage coverage(corners_of(surface, p.index));
  return coverage.empty() ? SampleBox{} : coverage.box();
}

void draw_tile(const Stage& stage, std::span<const Primitive> primitives, const Shadows& shadows, unsigned x,
               unsigned y, TileScratch& scratch, Image& image) {
  TilePainter painter(stage, shadows, x, y, scratch);
  for (const Primitive p : primitives) {
    if (!is_translucent(stage, p)) painter.draw_opaque(p);
  }
  for (const Primitive p : primitives) {
    if (is_translucent(stage, p)) painter.draw_translucent(p);
  }
  painter.sort_fragments();
  const unsigned pixels = tile_pixels(stage.camera);
  for (unsigned j = y; j < std::min(y + pixels, image.height); ++j) {
    for (unsigned i = x; i < std::min(x + pixels, image.width); ++i)
      write_pixel(painter, shadows.ground, stage.camera.samples, i, j, image);
  }
}

}  // namespace lamella::picture
