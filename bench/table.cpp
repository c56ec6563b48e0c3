#include "bench/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include "cli/common.hpp"

namespace lamella::bench {
namespace {

using Format = std::string (*)(double);

Format format_of(std::string_view name) {
  if (name == "square") return square;
  if (name == "plain") return [](double v) { return fmt::format("{:g}", v); };
  if (name == "percent") return [](double v) { return fmt::format("{:.1f} %", 100 * v); };
  if (name == "kilo") return [](double v) { return decimal(v * 1e-3); };
  if (name == "mega") return [](double v) { return decimal(v * 1e-6); };
  if (name == "micro") return [](double v) { return decimal(v * 1e3); };
  if (name == "nano") return [](double v) { return decimal(v * 1e6); };
  return decimal;
}

/// The part of `text` before `separator`, which goes from it; all of it where there is none.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

Column column(std::string_view specification) {
  const bool same = specification.find('=') == std::string_view::npos;
  std::string_view rest = specification;
  const std::string_view heading = take(rest, '=');
  std::string_view keys = take(same ? specification : rest, ':');
  const std::string format_name(same ? specification : rest);
  const std::string over(take(keys, '/')), under(keys);
  const Format format = format_of(format_name);
  return {std::string(same ? over : heading), [=](const Row& row) -> std::string {
            if (!row.text(over).empty() || !row.has_number(over)) return row.text(over);
            const double value = row.number(over);
            if (!under.empty()) return format(value / row.number(under));
            return format_name.empty() && value == std::floor(value) && value >= 0 ? whole(value) : format(value);
          }};
}

bool is_number(const std::string& cell) {
  return cell.empty() || std::isdigit(static_cast<unsigned char>(cell[0])) != 0 ||
         ((cell[0] == '-' || cell[0] == '+') && cell.size() > 1 && std::isdigit(static_cast<unsigned char>(cell[1])));
}

}  // namespace

std::string whole(double n) { return cli::grouped(static_cast<std::uint64_t>(std::llround(n))); }

std::string decimal(double value) {
  const double size = std::abs(value);
  if (size >= 1000) return fmt::format("{}{}", value < 0 ? "-" : "", whole(size));
  if (size < 0.1) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

std::string square(double side) { return fmt::format("{0:.0f} x {0:.0f}", side); }

std::vector<Column> columns(std::string_view specification) {
  std::vector<Column> all;
  while (!specification.empty()) all.push_back(column(take(specification, '|')));
  return all;
}

void append(std::vector<Column>& to, std::vector<Column> more) {
  to.insert(to.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

std::string to_text(const Table& table) {
  cli::Table text{{}, std::vector<std::vector<std::string>>(table.rows.size())};
  for (const Column& column : table.columns) {
    std::vector<std::string> cells;
    for (const Row& row : table.rows) cells.push_back(column.cell(row));
    if (std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty(); })) continue;
    text.columns.push_back({column.heading, std::all_of(cells.begin(), cells.end(), is_number)});
    for (std::size_t i = 0; i < cells.size(); ++i) text.rows[i].push_back(cells[i].empty() ? "-" : cells[i]);
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
