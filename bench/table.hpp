#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/row.hpp"

namespace lamella::bench {

// How numbers look in tables.

using Format = std::string (*)(double);
[[nodiscard]] std::string whole(double n);       ///< 12,345
[[nodiscard]] std::string mean_count(double n);  ///< one decimal where it is small
[[nodiscard]] std::string plain(double value);   ///< as few digits as it takes: the papers' figures
[[nodiscard]] std::string fixed1(double value);
[[nodiscard]] std::string fixed2(double value);
[[nodiscard]] std::string fixed3(double value);
[[nodiscard]] std::string fixed4(double value);
[[nodiscard]] std::string ms(double value);  ///< to a microsecond; whole from 100 on
[[nodiscard]] std::string us(double value);  ///< three or four digits
[[nodiscard]] std::string ms_as_us(double value);
[[nodiscard]] std::string times(double ratio);    ///< "3.14", "31.4"
[[nodiscard]] std::string times_x(double ratio);  ///< "3.14 x"
[[nodiscard]] std::string square(double side);    ///< "64 x 64"
[[nodiscard]] std::string kilo(double n);         ///< bytes as KB

/// A column of a table: how a row's cell is made. A value that the row does not have is a dash.
struct Column {
  std::string heading;
  std::function<std::string(const Row&)> cell;
  bool right = true;

  Column(std::string name, std::string key);                 ///< a text, to the left
  Column(std::string name, std::string key, Format format);  ///< a number, to the right
  /// Made from several values; empty is a dash.
  Column(std::string name, std::function<std::string(const Row&)> make);
};

/// Rows and how to show them.
struct Table {
  std::string name{};  ///< for --table and JSON; may be empty
  std::string title{};
  std::vector<Column> columns{};
  std::string reading{};  ///< lines above the rows: how to read them
  std::vector<Row> rows{};
  std::string findings{};  ///< lines below
};

/// Columns in which no row has anything would only take up width: they are left out.
[[nodiscard]] std::string to_text(const Table& table);
/// One row as lines, "heading  cell".
[[nodiscard]] std::string to_lines(const std::vector<Column>& columns, const Row& row);

}  // namespace lamella::bench
