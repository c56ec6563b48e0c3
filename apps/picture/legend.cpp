#include "picture/legend.hpp"

#include <algorithm>
#include <cmath>

#include "picture/canvas.hpp"
#include "picture/font.hpp"

namespace lamella::picture {
namespace {

constexpr Rgb kInk{0.20f, 0.20f, 0.22f};
constexpr float kPart = 0.0215f, kUsualLeast = 13, kLeast = 7, kMost = 96;  // of the picture's height; pixels
// In sizes of the letters:
constexpr float kBorder = 0.75f, kCapital = 0.71f, kAscent = 0.95f;
constexpr float kPatch = 0.9f, kBehindPatch = 0.35f, kBetween = 1.2f, kScale = 7, kLongest = 32;

struct Layout {
  TextBlock block;
  float width = 0;  ///< of the longest line, with the border on both sides

  void add(float x, std::string text) {
    width = std::max(width, x + text_width(text, block.size) + kBorder * block.size);
    block.words.push_back({x, block.lines - 1, std::move(text)});
  }
};

void add_captions(Layout& out, const Picture& picture) {
  for (const std::string& caption : picture.captions) {
    ++out.block.lines;
    out.add(kBorder * out.block.size, caption);
  }
}

void add_legend(Layout& out, const Picture& picture) {
  const float size = out.block.size;
  float x = 0;
  for (const LegendEntry& entry : picture.legend) {
    const float wide = (kPatch + kBehindPatch) * size + text_width(entry.text, size);
    if (x == 0 || x + wide > (kBorder + kLongest) * size) {
      ++out.block.lines;
      x = kBorder * size;
    }
    out.block.patches.push_back({x, x + kPatch * size, out.block.lines - 1, entry.color});
    out.add(x + (kPatch + kBehindPatch) * size, entry.text);
    x += wide + kBetween * size;
  }
}

void add_scales(Layout& out, const Picture& picture) {
  const float size = out.block.size;
  for (const ColorScale& scale : picture.scales) {
    ++out.block.lines;
    float x = kBorder * size;
    out.add(x, scale.low);
    x += text_width(scale.low, size) + kBehindPatch * size;
    out.block.patches.push_back({x, x + kScale * size, out.block.lines - 1, {}, scale.color});
    x += (kScale + kBehindPatch) * size;
    out.add(x, scale.high);
    out.add(x + text_width(scale.high, size) + kBetween * size, scale.text);
  }
}

Layout lay_out(const Picture& picture, float size) {
  Layout out;
  out.block.size = size;
  add_captions(out, picture);
  add_legend(out, picture);
  add_scales(out, picture);
  return out;
}

int baseline_of(const TextBlock& block, std::size_t line) {
  const float top = kBorder / 2 + kAscent;
  return static_cast<int>(std::lround(top * block.size + static_cast<float>(line) * line_height(block.size)));
}

void draw(Image& image, const TextBlock& block, const TextBlock::Patch& patch) {
  const int bottom = baseline_of(block, patch.line);
  const int top = bottom - static_cast<int>(std::lround(kCapital * block.size));
  const auto left = static_cast<int>(std::lround(patch.left));
  const int right = left + static_cast<int>(std::lround(patch.right - patch.left));
  for (int x = left; x < std::min(right, static_cast<int>(image.width)); ++x) {
    const float t = (static_cast<float>(x - left) + 0.5f) / static_cast<float>(right - left);
    const Pixel pixel = to_pixel(patch.scale == nullptr ? patch.color : patch.scale(t));
    for (int y = std::max(0, top); y < std::min(bottom, static_cast<int>(image.height)); ++y) {
      set_pixel(image, static_cast<unsigned>(x), static_cast<unsigned>(y), pixel);
    }
  }
}

}  // namespace

unsigned TextBlock::height() const {
  if (lines == 0) return 0;
  return static_cast<unsigned>(std::lround(kBorder * size + static_cast<float>(lines) * line_height(size)));
}

TextBlock text_block(const Picture& picture) {
  const auto width = static_cast<float>(picture.width);
  const float usual = std::clamp(kPart * static_cast<float>(picture.height), kUsualLeast, kMost) * picture.text_scale;
  Layout out = lay_out(picture, usual);
  if (out.width > width) out = lay_out(picture, std::max(kLeast, std::floor(usual * width / out.width * 4) / 4));
  return out.block;
}

void draw(Image& image, const TextBlock& block) {
  for (const TextBlock::Words& words : block.words) {
    draw_text_with_rim(image, words.x, baseline_of(block, words.line), words.text, block.size, kInk);
  }
  for (const TextBlock::Patch& patch : block.patches) draw(image, block, patch);
}

}  // namespace lamella::picture
