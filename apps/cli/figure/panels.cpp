#include "cli/figure/panels.hpp"

#include <algorithm>

#include "picture/canvas.hpp"

namespace lamella::cli {
namespace {

constexpr unsigned kGap = 6;  ///< pixels between panels

unsigned part(unsigned whole, unsigned count) {
  const unsigned gaps = kGap * (count - 1);
  return std::max(1u, (whole - std::min(whole, gaps)) / count);
}

}  // namespace

Panels::Panels(const FigureTask& task, unsigned columns, unsigned rows)
    : task_(task),
      columns_(columns),
      rows_(rows),
      panel_{part(task.size.width, columns), part(task.size.height, rows)},
      image_(picture::blank(task.size.width, task.size.height, {1, 1, 1})) {}

picture::Picture Panels::blank(picture::Up up, std::vector<std::string> captions) const {
  picture::Picture out;
  out.width = panel_.width;
  out.height = panel_.height;
  out.captions = std::move(captions);
  picture::look(out, up);
  return out;
}

void Panels::add(const picture::Image& panel) {
  picture::paste(panel, image_, done_ % columns_ * (panel_.width + kGap), done_ / columns_ * (panel_.height + kGap));
  ++done_;
  task_.progress(done_, columns_ * rows_);
}

Aabb snug(const Aabb& box) {
  constexpr float kPart = 0.88f;
  const Vec3 middle = center(box), half = extent(box) * (kPart / 2);
  return {middle - half, middle + half};
}

}  // namespace lamella::cli
