#include "query/line_sums.hpp"

namespace lamella {

void LineSums::start(const Grid& grid) {
  columns_ = grid.columns;
  class_rows_ = lines_in_classes(grid.rows);
  of_columns_.assign(std::size_t{kLineClasses} * grid.columns, 0);
  of_rows_.assign(grid.rows, 0);
  scale_ = length_scale(grid);
}

void LineSums::add(std::span<const Span> spans) {
  // A column's lengths may be added one by one: each is cut to whole steps, far below what an estimate can tell.
  for (const Span& s : spans) add(s.column % columns_, s.column / columns_, static_cast<double>(s.end) - s.begin);
}

void LineSums::add(const LineSums& other) {
  for (std::size_t i = 0; i < of_columns_.size(); ++i) of_columns_[i] += other.of_columns_[i];
  for (std::size_t i = 0; i < of_rows_.size(); ++i) of_rows_[i] += other.of_rows_[i];
}

LineFacts LineSums::facts() const {
  LineFacts facts;
  for (std::uint32_t row = 0; row < kLineClasses; ++row)
    for (std::uint32_t u = 0; u < lines_in_classes(columns_); ++u)
      facts.classes[row * kLineClasses + u % kLineClasses] += of_columns_[std::size_t{row} * columns_ + u];
  const auto of_column = [&](std::uint32_t u) {
    const std::int64_t* at = of_columns_.data() + u;
    return at[0] + at[columns_] + at[2 * std::size_t{columns_}] + at[3 * std::size_t{columns_}];
  };
  const auto of_row = [&](std::uint32_t v) { return of_rows_[v]; };
  const auto rows = static_cast<std::uint32_t>(of_rows_.size());
  for (std::uint32_t u = 0; u < columns_; ++u) facts.squared_steps += squared_step(of_column, columns_, u);
  for (std::uint32_t v = 0; v < rows; ++v) facts.squared_steps += squared_step(of_row, rows, v);
  return facts;
}

}  // namespace lamella
