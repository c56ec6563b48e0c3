// Letters are drawn from their outlines, at any size: each line of an outline adds to the cells that it passes what it
// covers of them and of all cells to their right, with its direction as sign; sums along rows are then the exact shares
// of the pixels that lie inside.

#include "picture/font.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "picture/canvas.hpp"
#include "picture/font_outlines.hpp"

namespace lamella::picture {
namespace {

constexpr std::uint32_t kUnknown = '?', kNoBreakSpace = 0xA0, kFigureSpaceCode = 0x2007;
constexpr float kRimPart = 0.14f, kLeastRim = 1.5f;  // of the size; pixels
constexpr Rgb kRim{0.985f, 0.982f, 0.976f};
constexpr float kRimOpacity = 0.85f;

/// Takes the next character off the text.
std::uint32_t next_code(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  const std::size_t more = first < 0x80                    ? 0
                           : first >= 0xC2 && first < 0xE0 ? 1
                           : first >= 0xE0 && first < 0xF0 ? 2
                           : first >= 0xF0 && first < 0xF5 ? 3
                                                           : 4;
  std::uint32_t code = more == 0 ? first : first & (0x3Fu >> more);
  for (std::size_t i = 1; i <= more; ++i) {
    if (more == 4 || i >= text.size() || (byte(i) & 0xC0) != 0x80) {
      text.remove_prefix(1);
      return kUnknown;
    }
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  text.remove_prefix(more + 1);
  return code;
}

const FontLetter& letter_of(std::uint32_t code) {
  const auto found = std::lower_bound(kFont.letters.begin(), kFont.letters.end(), code,
                                      [](const FontLetter& l, std::uint32_t c) { return l.code < c; });
  return found != kFont.letters.end() && found->code == code ? *found : letter_of(kUnknown);
}

/// Calls visit(letter, units from the text's start) for each letter, and returns the text's length in units.
template <class Visit>
int for_each_letter(std::string_view text, Visit visit) {
  int at = 0;
  while (!text.empty()) {
    const std::uint32_t code = next_code(text);
    if (code == kFigureSpaceCode) {
      at += letter_of('0').advance;
      continue;
    }
    const FontLetter& letter = letter_of(code == kNoBreakSpace ? ' ' : code);
    visit(letter, at);
    at += letter.advance;
  }
  return at;
}

struct Point {
  float x = 0, y = 0;
};

Point mix(Point a, Point b, float t) { return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }

/// How much of each pixel text covers, in a box of the image.
class Stencil {
 public:
  Stencil(int x, int y, int width, int height)
      : x_(x), y_(y), width_(width), height_(height), cells_(static_cast<std::size_t>((width + 1) * height)) {}

  /// A line of an outline, in the image's pixels. It must be inside the box.
  void add_line(Point a, Point b) {
    a = {a.x - static_cast<float>(x_), a.y - static_cast<float>(y_)};
    b = {b.x - static_cast<float>(x_), b.y - static_cast<float>(y_)};
    const float sign = a.y < b.y ? 1.0f : -1.0f;
    if (a.y > b.y) std::swap(a, b);
    if (!(b.y > a.y)) return;
    for (int row = std::max(0, static_cast<int>(a.y)); row < height_ && static_cast<float>(row) < b.y; ++row) {
      const float top = std::max(a.y, static_cast<float>(row)), bottom = std::min(b.y, static_cast<float>(row + 1));
      const float from = (top - a.y) / (b.y - a.y), to = (bottom - a.y) / (b.y - a.y);
      add_in_row(row, mix(a, b, from), mix(a, b, to), sign);
    }
  }

  void finish() {
    for (int row = 0; row < height_; ++row) {
      float sum = 0;
      for (int i = 0; i <= width_; ++i) {
        sum += cell(i, row);
        cell(i, row) = std::min(1.0f, std::abs(sum));
      }
    }
  }

  /// Blends the colour in, `opacity` where the stencil is whole.
  void paint(Image& image, Rgb color, float opacity) const {
    const Pixel ink = to_pixel(color);
    const int left = std::max(0, -x_), right = std::min(width_, static_cast<int>(image.width) - x_);
    for (int row = std::max(0, -y_); row < std::min(height_, static_cast<int>(image.height) - y_); ++row) {
      for (int i = left; i < right; ++i) {
        const float part = cell(i, row) * opacity;
        if (part <= 0) continue;
        const auto at = static_cast<std::size_t>(y_ + row) * image.width + static_cast<std::size_t>(x_ + i);
        std::uint8_t* pixel = image.rgb.data() + 3 * at;
        const std::uint8_t wanted[] = {ink.r, ink.g, ink.b};
        for (int c = 0; c < 3; ++c) {
          const float old = pixel[c];
          pixel[c] = static_cast<std::uint8_t>(old + (static_cast<float>(wanted[c]) - old) * part + 0.5f);
        }
      }
    }
  }

  /// Every pixel as covered as the most covered one within the radius, which fades out over the last pixel.
  [[nodiscard]] Stencil grown(float radius) const {
    const int reach = static_cast<int>(std::ceil(radius));
    Stencil out(x_, y_, width_, height_);
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) {
        const float far = std::sqrt(static_cast<float>(dx * dx + dy * dy));
        const float part = std::clamp(radius + 0.5f - far, 0.0f, 1.0f);
        if (part > 0) out.spread(*this, dx, dy, part);
      }
    }
    return out;
  }

 private:
  float& cell(int i, int row) { return cells_[static_cast<std::size_t>(row * (width_ + 1) + i)]; }
  [[nodiscard]] float cell(int i, int row) const { return cells_[static_cast<std::size_t>(row * (width_ + 1) + i)]; }

  void spread(const Stencil& from, int dx, int dy, float part) {
    for (int row = std::max(0, dy); row < std::min(height_, height_ + dy); ++row) {
      for (int i = std::max(0, dx); i < std::min(width_, width_ + dx); ++i) {
        cell(i, row) = std::max(cell(i, row), part * from.cell(i - dx, row - dy));
      }
    }
  }

  /// A line from a down to b within one row: part by part, each within one cell.
  void add_in_row(int row, Point a, Point b, float sign) {
    const float left = std::min(a.x, b.x), right = std::max(a.x, b.x);
    int i = std::clamp(static_cast<int>(left), 0, width_ - 1);
    float from = left;
    do {
      const float to = std::min(right, static_cast<float>(i + 1));
      const float share = right > left ? (to - from) / (right - left) : 1;
      const float height = sign * (b.y - a.y) * share;
      const float beside = (from + to) / 2 - static_cast<float>(i);  // of the cell, left of the line
      cell(i, row) += height * (1 - beside);
      cell(i + 1, row) += height * beside;
      from = to;
      ++i;
    } while (from < right && i < width_);
  }

  int x_, y_, width_, height_;
  std::vector<float> cells_;  // one more in each row, for what lies to the right of the last
};

/// Curves become lines that are at most a tenth of a pixel off.
void add_curve(Stencil& stencil, Point a, Point control, Point b) {
  const float bend = std::abs(a.x - 2 * control.x + b.x) + std::abs(a.y - 2 * control.y + b.y);
  const int pieces = std::clamp(static_cast<int>(std::ceil(std::sqrt(bend * 2.5f))), 1, 32);
  Point last = a;
  for (int i = 1; i <= pieces; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(pieces);
    const Point next = i == pieces ? b : mix(mix(a, control, t), mix(control, b, t), t);
    stencil.add_line(last, next);
    last = next;
  }
}

/// The contour's points begin with one on the outline, and no two control points follow each other.
void add_contour(Stencil& stencil, std::size_t contour, float x, float y, float scale) {
  const std::size_t begin = kFont.contours[contour], count = kFont.contours[contour + 1] - begin;
  const auto on_outline = [&](std::size_t i) { return (kFont.points[2 * (begin + i % count)] & 1) != 0; };
  const auto point = [&](std::size_t i) -> Point {
    const std::size_t at = 2 * (begin + i % count);
    const int doubled = kFont.points[at] - (kFont.points[at] & 1);
    return {x + static_cast<float>(doubled) * 0.5f * scale, y - static_cast<float>(kFont.points[at + 1]) * scale};
  };
  for (std::size_t i = 0; i < count;) {
    if (on_outline(i + 1)) {
      stencil.add_line(point(i), point(i + 1));
      i += 1;
    } else {
      add_curve(stencil, point(i), point(i + 1), point(i + 2));
      i += 2;
    }
  }
}

Stencil stencil_of(std::string_view text, float x, int baseline, float size, float rim) {
  const float scale = size / static_cast<float>(kFont.units_per_em);
  const float around = rim + size / 4 + 2;  // letters reach beyond their own width
  const int left = static_cast<int>(std::floor(x - around));
  const int above = static_cast<int>(std::ceil(static_cast<float>(kFont.ascent) * scale * 1.2f + rim)) + 1;
  const int below = static_cast<int>(std::ceil(static_cast<float>(kFont.descent) * scale * 1.2f + rim)) + 1;
  const int width = static_cast<int>(std::ceil(text_width(text, size) + 2 * around)) + 1;
  Stencil stencil(left, baseline - above, width, above + below);
  for_each_letter(text, [&](const FontLetter& letter, int at) {
    for (std::size_t i = 0; i < letter.contour_count; ++i) {
      add_contour(stencil, letter.first_contour + i, x + static_cast<float>(at) * scale, static_cast<float>(baseline),
                  scale);
    }
  });
  stencil.finish();
  return stencil;
}

}  // namespace

float text_width(std::string_view text, float size) {
  const int units = for_each_letter(text, [](const FontLetter&, int) {});
  return static_cast<float>(units) * size / static_cast<float>(kFont.units_per_em);
}

void draw_text(Image& image, float x, int baseline, std::string_view text, float size, Rgb ink) {
  stencil_of(text, x, baseline, size, 0).paint(image, ink, 1);
}

void draw_text_with_rim(Image& image, float x, int baseline, std::string_view text, float size, Rgb ink) {
  const float rim = std::max(kLeastRim, kRimPart * size);
  const Stencil stencil = stencil_of(text, x, baseline, size, rim);
  stencil.grown(rim).paint(image, kRim, kRimOpacity);
  stencil.paint(image, ink, 1);
}

}  // namespace lamella::picture
