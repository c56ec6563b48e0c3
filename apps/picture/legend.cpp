#include "picture/legend.hpp"

#include "picture/font.hpp"

namespace lamella::picture {
namespace {

constexpr std::size_t kColorLetters = 2, kBeforeWords = 3, kBetween = 3;  ///< letters
constexpr std::size_t kLongest = 46;  ///< letters of a line with more than one entry
constexpr std::size_t kScaleLetters = 14;

/// Where an entry is.
struct Place {
  std::size_t line = 0, first = 0;
};

/// Adds the legend to `lines` and returns where each entry begins.
std::vector<Place> place_legend(const Picture& picture, std::vector<std::string>& lines) {
  std::vector<Place> places;
  for (const LegendEntry& entry : picture.legend) {
    const std::size_t width = kBeforeWords + entry.text.size();
    if (places.empty() || lines.back().size() + kBetween + width > kLongest) {
      lines.emplace_back();
    } else {
      lines.back().append(kBetween, ' ');
    }
    places.push_back({lines.size() - 1, lines.back().size()});
    lines.back().append(kBeforeWords, ' ').append(entry.text);
  }
  return places;
}

/// Adds the colour scales to `lines` and returns where the bar of each begins.
std::vector<Place> place_scales(const Picture& picture, std::vector<std::string>& lines) {
  std::vector<Place> places;
  for (const ColorScale& scale : picture.scales) {
    places.push_back({lines.size(), scale.low.size() + 1});
    lines.push_back(scale.low + std::string(kScaleLetters + 2, ' ') + scale.high + "  " + scale.text);
  }
  return places;
}

}  // namespace

std::vector<std::string> lines_of(const Picture& picture) {
  std::vector<std::string> lines = picture.captions;
  place_legend(picture, lines);
  place_scales(picture, lines);
  return lines;
}

void draw_legend_colors(Image& image, const Picture& picture) {
  std::vector<std::string> lines = picture.captions;
  const std::vector<Place> places = place_legend(picture, lines), scales = place_scales(picture, lines);
  for (std::size_t i = 0; i < places.size(); ++i) {
    fill_letters(image, lines, places[i].line, places[i].first, kColorLetters, picture.legend[i].color);
  }
  for (std::size_t i = 0; i < scales.size(); ++i) {
    fill_letters(image, lines, scales[i].line, scales[i].first, kScaleLetters, picture.scales[i].color);
  }
}

}  // namespace lamella::picture
