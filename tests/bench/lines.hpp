#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace lamella::test {

/// The objects that a benchmark left on stdout, one per line. Each must say what it ran on.
inline std::vector<nlohmann::ordered_json> lines(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "") << "a pipe sees no progress";
  std::vector<nlohmann::ordered_json> objects;
  std::istringstream stream(outcome.out);
  for (std::string line; std::getline(stream, line);) {
    objects.push_back(parse_json(line));
    for (const char* key : {"bench", "cpu", "version", "engine"}) EXPECT_TRUE(objects.back()[key].is_string()) << key;
  }
  return objects;
}

}  // namespace lamella::test
