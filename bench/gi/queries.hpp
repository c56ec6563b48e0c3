#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/gi/methods.hpp"
#include "cli/common.hpp"

namespace lamella::cli {

/// Many first collisions of two bodies: one figure per pair of poses, the median of several passes over all of them.
struct QueryFigures {
  std::size_t poses = 0, colliding = 0;
  double sphere_tests_mean = 0, triangle_tests_mean = 0;
  std::uint64_t sphere_tests_worst = 0, triangle_tests_worst = 0;
  double median_ms = 0, worst_ms = 0;  ///< over the poses
};

/// Every pass goes through the poses in order, so that the caches hold what a moving object would have left there.
[[nodiscard]] QueryFigures time_queries(const ImageBody& a, const ImageBody& b, const std::vector<PosePair>& poses,
                                        unsigned passes);
/// The same against a plain mesh.
[[nodiscard]] QueryFigures time_queries(const ImageBody& a, MeshView b, const std::vector<PosePair>& poses,
                                        unsigned passes);

/// Cells for colliding / poses, sphere tests, triangle tests and times, with headings.
void add_query_columns(Table& table);
void add_query_cells(std::vector<std::string>& cells, const QueryFigures& figures);
void add_query_json(nlohmann::ordered_json& row, const QueryFigures& figures);

}  // namespace lamella::cli
