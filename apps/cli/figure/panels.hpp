#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/figure/figures.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// One image made of equal panels, row by row, that fills a figure's size.
class Panels {
 public:
  Panels(const FigureTask& task, unsigned columns, unsigned rows = 1);

  /// A picture of a panel's size, with this axis up and nothing but captions in it.
  [[nodiscard]] picture::Picture blank(picture::Up up, std::vector<std::string> captions) const;
  /// Puts the next panel in its place, and tells the task's progress.
  void add(const picture::Image& panel);
  [[nodiscard]] const picture::Image& image() const { return image_; }

 private:
  const FigureTask& task_;
  unsigned columns_, rows_;
  picture::Size panel_;
  picture::Image image_;
  unsigned done_ = 0;
};

/// The box that frames of an animation are fitted to when this one holds all that they show: bodies seldom reach into
/// its corners, so a somewhat smaller one shows them larger and still whole.
[[nodiscard]] Aabb snug(const Aabb& box);

/// What stands along y.
inline constexpr picture::Up kUpY{Axis::y, false};

}  // namespace lamella::cli
