#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/row.hpp"

namespace lamella::bench {

// Numbers for people.

[[nodiscard]] std::string whole(double n);        ///< 12,345
[[nodiscard]] std::string decimal(double value);  ///< three or four digits
[[nodiscard]] std::string square(double side);    ///< 64 x 64

/// A column of a table: how a row's cell is made; empty where the row has nothing for it.
struct Column {
  std::string heading;
  std::function<std::string(const Row&)> cell;
};

/// Columns that show values, as "objects|total ms=ms.total|broad share=ms.broad/ms.total:percent": the heading, the key
/// where it is not the same, or a quotient of two, and a format where the usual one does not do:
///   square   64 x 64                   plain  as few digits as it takes: the papers' figures
///   percent  of 1                      kilo   thousands, such as KB of bytes
///   mega     millions                  micro  milliseconds in microseconds
///   nano     milliseconds in nanoseconds
[[nodiscard]] std::vector<Column> columns(std::string_view specification);
void append(std::vector<Column>& to, std::vector<Column> more);

/// Rows and how to show them.
struct Table {
  std::string name{};  ///< for --table and JSON; may be empty
  std::string title{};
  std::vector<Column> columns{};
  std::string reading{};  ///< lines above the rows: how to read them
  std::vector<Row> rows{};
  std::string findings{};  ///< lines below
};

/// Columns in which no row has anything would only take up width: they are left out. Numbers align to the right.
[[nodiscard]] std::string to_text(const Table& table);
/// One row as lines, "heading  cell".
[[nodiscard]] std::string to_lines(const std::vector<Column>& columns, const Row& row);

}  // namespace lamella::bench
