#include "bench/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/common.hpp"

namespace lamella::bench {
namespace {

constexpr const char* kNothing = "-";

}  // namespace

std::string whole(double n) { return cli::grouped(static_cast<std::uint64_t>(std::llround(n))); }
std::string mean_count(double n) { return n < 100 ? fixed1(n) : whole(n); }
std::string plain(double value) { return fmt::format("{:g}", value); }
std::string fixed1(double value) { return fmt::format("{:.1f}", value); }
std::string fixed2(double value) { return fmt::format("{:.2f}", value); }
std::string fixed3(double value) { return fmt::format("{:.3f}", value); }
std::string fixed4(double value) { return fmt::format("{:.4f}", value); }
std::string ms(double value) { return fmt::format("{:.{}f}", value, value >= 100 ? 0 : 3); }
std::string us(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0); }
std::string ms_as_us(double value) { return us(1000 * value); }
std::string times(double ratio) { return fmt::format("{:.{}f}", ratio, ratio < 10 ? 2 : 1); }
std::string times_x(double ratio) { return times(ratio) + " x"; }
std::string square(double side) { return fmt::format("{0:.0f} x {0:.0f}", side); }
std::string kilo(double n) { return fixed1(n / 1000); }

Column::Column(std::string name, std::string key)
    : heading(std::move(name)), cell([key](const Row& row) { return row.text(key); }), right(false) {}

Column::Column(std::string name, std::string key, Format format)
    : heading(std::move(name)),
      cell([key, format](const Row& row) { return row.has(key) ? format(row.number(key)) : ""; }) {}

Column::Column(std::string name, std::function<std::string(const Row&)> make)
    : heading(std::move(name)), cell(std::move(make)) {}

std::string to_text(const Table& table) {
  cli::Table text{{}, std::vector<std::vector<std::string>>(table.rows.size())};
  for (const Column& column : table.columns) {
    std::vector<std::string> cells;
    for (const Row& row : table.rows) cells.push_back(column.cell(row));
    if (std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty(); })) continue;
    text.columns.push_back({column.heading, column.right});
    for (std::size_t i = 0; i < cells.size(); ++i) text.rows[i].push_back(cells[i].empty() ? kNothing : cells[i]);
  }
  return cli::to_text(text);
}

std::string to_lines(const std::vector<Column>& columns, const Row& row) {
  std::string text;
  for (const Column& column : columns) {
    if (const std::string cell = column.cell(row); !cell.empty())
      text += fmt::format("  {:<10} {}\n", column.heading, cell);
  }
  return text;
}

}  // namespace lamella::bench
