#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/engines.hpp"
#include "bench/paper/published.hpp"
#include "bench/table.hpp"

// The tables of WSCG 2004 and TR 395, measured with all runners, with a bar on a terminal.

namespace lamella::bench {

struct QueryPlan {
  const std::vector<BenchEngine>& engines;
  std::vector<unsigned> threads;
  bool quick = false;
};

[[nodiscard]] Table query_table(const PublishedTable& published, const QueryPlan& plan);
/// The papers' queries on a mesh of the user's.
[[nodiscard]] Table mesh_table(const std::filesystem::path& path, const QueryPlan& plan);

/// How to read these tables, with what they ran on.
[[nodiscard]] std::string query_introduction(const QueryPlan& plan);

}  // namespace lamella::bench
