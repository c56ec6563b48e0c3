#include "bench/paper/form.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/common.hpp"

namespace lamella::bench {
namespace {

bool has_ranges(const PublishedTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [](const PublishedRow& row) { return row.figures.has("paper_software_max_ms"); });
}

std::vector<std::string> published_line(const PublishedTable& table, const std::string& method) {
  std::vector<std::string> line{method + ", published"};
  const auto key = [&](const char* end) {
    return fmt::format("paper_{}{}_ms", static_cast<char>(method[0] - 'A' + 'a') + method.substr(1), end);
  };
  for (const PublishedRow& row : table.rows) {
    line.push_back(fmt::format("{:g}", row.figures.number(key(""))));
    if (row.figures.has(key("_max"))) line.back() += fmt::format(" / {:g}", row.figures.number(key("_max")));
  }
  return line;
}

std::string method_text(const Row& row) {
  if (row.has("gpu_ms")) return row.text("engine");
  return fmt::format("{}, {}", row.text("engine"),
                     cli::counted(static_cast<std::uint64_t>(row.number("threads")), "thread"));
}

}  // namespace

std::string paper_form(const PublishedTable& published, const std::vector<Row>& measured) {
  const bool ranges = has_ranges(published);
  cli::Table text{{{"method", false}}, {}};
  for (const PublishedRow& row : published.rows)
    text.columns.push_back({fmt::format("{}{}, ms", row.name, ranges ? " min / max" : ""), true});
  for (const char* method : {"Ordered", "Unordered", "Software"})
    text.rows.push_back(published_line(published, method));
  std::vector<std::string> methods;
  for (const Row& row : measured) {
    if (std::find(methods.begin(), methods.end(), method_text(row)) == methods.end())
      methods.push_back(method_text(row));
  }
  for (const std::string& method : methods) {
    std::vector<std::string> line{method};
    for (const PublishedRow& column : published.rows) {
      const auto row = std::find_if(measured.begin(), measured.end(), [&](const Row& r) {
        return method_text(r) == method && r.text("row") == column.name;
      });
      line.push_back(row == measured.end() ? "-"
                     : ranges ? fmt::format("{} / {}", decimal(row->number("min_ms")), decimal(row->number("max_ms")))
                              : decimal(row->number("ms.total")));
    }
    text.rows.push_back(std::move(line));
  }
  return cli::to_text(text);
}

}  // namespace lamella::bench
