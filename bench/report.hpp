#pragma once

#include <string>

#include "bench/table.hpp"

namespace lamella::bench {

/// Where a benchmark's figures go: to stdout as tables for people, or as JSON, one object per line. Each object begins
/// with "bench" and, where there is one, "table"; after the row's own values come "cpu" and "version".
class Report {
 public:
  /// `bench` is the name of the subcommand.
  Report(std::string bench, bool json) : bench_(std::move(bench)), json_(json) {}

  [[nodiscard]] bool json() const { return json_; }
  /// Text for people; nothing where JSON was asked for.
  void say(const std::string& text) const;
  void print(const Table& table) const;
  /// A line of JSON; nothing for people.
  void print(const Row& row, const std::string& table = "") const;

 private:
  std::string bench_;
  bool json_;
};

}  // namespace lamella::bench
