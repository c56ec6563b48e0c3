#include "picture/labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "picture/canvas.hpp"
#include "picture/font.hpp"

namespace lamella::picture {
namespace {

// In heights of a line of words:
constexpr float kPad = 0.3f, kBar = 0.28f, kGap = 0.15f, kMargin = 0.5f;
constexpr std::array<float, 9> kDistances{0.9f, 1.6f, 2.5f, 3.6f, 5, 7, 10, 14, 19};
constexpr int kAngles = 24;
// Costs, beside the distance:
constexpr float kOnContent = 9, kCrossing = 14, kOnPlace = 12, kOnLabel = 200, kOnLine = 20;
constexpr float kInFront = 0.02f;            // radii of the scene that a visible vertex may lie behind the surface
constexpr std::size_t kMostVertices = 4096;  // of a mesh that are looked at
constexpr float kLine = 1.1f, kDot = 3.2f;   // radii, in pixels
constexpr Rgb kInk{0.16f, 0.16f, 0.18f}, kPaper{1, 1, 1};
constexpr float kPaperOpacity = 0.88f;

struct Point {
  float x = 0, y = 0;
};

bool meets(const PixelBox& a, const PixelBox& b, float gap) {
  return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap;
}

bool holds(const PixelBox& box, Point p, float gap) {
  return p.x > box.left - gap && p.x < box.right + gap && p.y > box.top - gap && p.y < box.bottom + gap;
}

float side_of(Point a, Point b, Point p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }

bool cross(Point a, Point b, Point c, Point d) {
  return side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
}

/// Where the line from a place ends: at the nearest point of the box.
Point end_of_line(const PlacedLabel& label) {
  return {std::clamp(label.x, label.box.left, label.box.right), std::clamp(label.y, label.box.top, label.box.bottom)};
}

/// Whether a line runs through a box.
bool passes(Point a, Point b, const PixelBox& box) {
  constexpr int kSteps = 24;
  for (int i = 0; i <= kSteps; ++i) {
    const float t = static_cast<float>(i) / kSteps;
    if (holds(box, {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}, 0)) return true;
  }
  return false;
}

const float* distance_at(const LabelGround& ground, Point p) {
  if (ground.distances.empty() || !(p.x >= 0 && p.y >= 0) || !(p.x < static_cast<float>(ground.width)) ||
      !(p.y < static_cast<float>(ground.height))) {
    return nullptr;
  }
  return &ground.distances[static_cast<std::size_t>(p.y) * ground.width + static_cast<std::size_t>(p.x)];
}

/// The vertex nearest to the middle of all visible ones; where none is visible, of all.
Point place_of(MeshView mesh, const LabelGround& ground) {
  std::vector<Point> all, visible;
  const std::size_t step = std::max<std::size_t>(1, mesh.positions.size() / kMostVertices);
  for (std::size_t i = 0; i < mesh.positions.size(); i += step) {
    if (!in_sight(ground.camera, mesh.positions[i])) continue;
    const ScreenPoint s = project(ground.camera, to_double(mesh.positions[i]));
    const Point p{static_cast<float>(s.x / ground.camera.samples), static_cast<float>(s.y / ground.camera.samples)};
    all.push_back(p);
    const float* surface = distance_at(ground, p);
    if (surface != nullptr && static_cast<float>(-1 / s.depth) < *surface + kInFront) visible.push_back(p);
  }
  const std::vector<Point>& seen = visible.empty() ? all : visible;
  if (seen.empty()) return {static_cast<float>(ground.width) / 2, static_cast<float>(ground.height) / 2};
  double x = 0, y = 0;
  for (const Point p : seen) x += p.x, y += p.y;
  const Point middle{static_cast<float>(x / static_cast<double>(seen.size())),
                     static_cast<float>(y / static_cast<double>(seen.size()))};
  return *std::min_element(seen.begin(), seen.end(), [&](Point a, Point b) {
    return std::hypot(a.x - middle.x, a.y - middle.y) < std::hypot(b.x - middle.x, b.y - middle.y);
  });
}

/// Share of the box that lies on something.
float covered(const PixelBox& box, const LabelGround& ground) {
  constexpr int kColumns = 7, kRows = 3;
  int hits = 0;
  for (int j = 0; j < kRows; ++j) {
    for (int i = 0; i < kColumns; ++i) {
      const float* surface =
          distance_at(ground, {box.left + (box.right - box.left) * (static_cast<float>(i) + 0.5f) / kColumns,
                               box.top + (box.bottom - box.top) * (static_cast<float>(j) + 0.5f) / kRows});
      hits += surface != nullptr && std::isfinite(*surface) ? 1 : 0;
    }
  }
  return static_cast<float>(hits) / (kColumns * kRows);
}

/// What speaks against a place; less is better.
float cost(const PlacedLabel& label, float far, std::span<const PlacedLabel> others, std::span<const Point> places,
           const LabelGround& ground, float line) {
  float sum = far + kOnContent * covered(label.box, ground);
  const Point from{label.x, label.y}, to = end_of_line(label);
  for (const PlacedLabel& other : others) {
    const Point other_from{other.x, other.y}, other_to = end_of_line(other);
    if (meets(label.box, other.box, kGap * line)) sum += kOnLabel;
    if (cross(from, to, other_from, other_to)) sum += kCrossing;
    if (passes(from, to, other.box) || passes(other_from, other_to, label.box)) sum += kOnLine;
  }
  for (const Point p : places) {
    if (holds(label.box, p, kDot)) sum += kOnPlace;
  }
  return sum;
}

float line_of(float text_size) { return line_height(text_size); }

float width_of(const Label& label, float size) {
  return text_width(label.text, size) + (2 * kPad + kBar) * line_of(size);
}

/// Blends a colour into a pixel.
void blend(Image& image, int x, int y, Rgb color, float part) {
  if (x < 0 || y < 0 || x >= static_cast<int>(image.width) || y >= static_cast<int>(image.height) || part <= 0) return;
  const Pixel pixel = to_pixel(color);
  std::uint8_t* at = image.rgb.data() + 3 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x));
  const std::uint8_t wanted[] = {pixel.r, pixel.g, pixel.b};
  for (int c = 0; c < 3; ++c) {
    const float old = at[c];
    at[c] = static_cast<std::uint8_t>(old + (static_cast<float>(wanted[c]) - old) * std::min(part, 1.0f) + 0.5f);
  }
}

/// A line with round ends; a dot where both are the same.
void draw_line(Image& image, Point a, Point b, float radius, Rgb color, float opacity = 1) {
  const float dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
  const auto low = [&](float p, float q) { return static_cast<int>(std::floor(std::min(p, q) - radius - 1)); };
  const auto high = [&](float p, float q) { return static_cast<int>(std::ceil(std::max(p, q) + radius + 1)); };
  for (int y = low(a.y, b.y); y <= high(a.y, b.y); ++y) {
    for (int x = low(a.x, b.x); x <= high(a.x, b.x); ++x) {
      const float px = static_cast<float>(x) + 0.5f - a.x, py = static_cast<float>(y) + 0.5f - a.y;
      const float t = squared > 0 ? std::clamp((px * dx + py * dy) / squared, 0.0f, 1.0f) : 0;
      const float far = std::hypot(px - t * dx, py - t * dy);
      blend(image, x, y, color, opacity * std::clamp(radius + 0.5f - far, 0.0f, 1.0f));
    }
  }
}

void fill(Image& image, const PixelBox& box, Rgb color, float opacity) {
  for (int y = static_cast<int>(std::lround(box.top)); y < static_cast<int>(std::lround(box.bottom)); ++y) {
    for (int x = static_cast<int>(std::lround(box.left)); x < static_cast<int>(std::lround(box.right)); ++x)
      blend(image, x, y, color, opacity);
  }
}

}  // namespace

std::vector<PlacedLabel> place_labels(std::span<const Label> labels, const LabelGround& ground) {
  std::vector<Point> places;
  for (const Label& label : labels) places.push_back(place_of(label.mesh, ground));
  const float line = line_of(ground.text_size), margin = kMargin * line;
  std::vector<PlacedLabel> out;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float wide = width_of(labels[i], ground.text_size);
    const float most_x = std::max(margin, static_cast<float>(ground.width) - margin - wide);
    const float most_y = std::max(margin, static_cast<float>(ground.height) - margin - line);
    PlacedLabel best;
    float least = 0;
    for (const float far : kDistances) {
      for (int k = 0; k < kAngles; ++k) {
        const double angle = 2 * std::numbers::pi * (k + 0.5) / kAngles;
        const auto x = static_cast<float>(std::cos(angle)), y = static_cast<float>(std::sin(angle));
        // The words' middle is as far away as their box reaches in that direction, and `far` more.
        const float middle_x = places[i].x + x * far * line + std::clamp(x * 2, -1.0f, 1.0f) * wide / 2;
        const float middle_y = places[i].y + y * far * line;
        const float left = std::clamp(middle_x - wide / 2, margin, most_x);
        const float top = std::clamp(middle_y - line / 2, std::min(most_y, ground.reserved + margin), most_y);
        const PlacedLabel tried{places[i].x, places[i].y, {left, top, left + wide, top + line}};
        const float sum = cost(tried, far, out, places, ground, line);
        if (best.box.right > 0 && !(sum < least)) continue;
        least = sum;
        best = tried;
      }
    }
    out.push_back(best);
  }
  return out;
}

void draw_labels(Image& image, std::span<const Label> labels, std::span<const PlacedLabel> places, float text_size) {
  const float line = line_of(text_size);
  for (const PlacedLabel& p : places) draw_line(image, {p.x, p.y}, end_of_line(p), kLine + 1, kPaper, 0.7f);
  for (const PlacedLabel& p : places) {
    draw_line(image, {p.x, p.y}, end_of_line(p), kLine / 2, kInk);
    draw_line(image, {p.x, p.y}, {p.x, p.y}, kDot + 1, kPaper);
    draw_line(image, {p.x, p.y}, {p.x, p.y}, kDot, kInk);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PixelBox& box = places[i].box;
    fill(image, box, kPaper, kPaperOpacity);
    fill(image, {box.left, box.top, box.left + kBar * line, box.bottom}, labels[i].color, 1);
    const auto baseline = static_cast<int>(std::lround(box.top + 0.75f * line));
    draw_text(image, box.left + (kBar + kPad) * line, baseline, labels[i].text, text_size, kInk);
  }
}

}  // namespace lamella::picture
