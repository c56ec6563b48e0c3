#include "bench/gi/queries.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/gi/clock.hpp"
#include "bench/gi/tables.hpp"
#include "bench/measure.hpp"

namespace lamella::cli {
namespace {

/// Again when another program got in between, up to a few times.
template <class Other>
const ImageCollision& time_one(ImageCollider& collider, const ImageBody& a, const Other& b, const PosePair& pose,
                               double& ms) {
  for (int tries = 0;; ++tries) {
    const std::uint64_t before = interruptions();
    const Stopwatch watch;
    const ImageCollision& found = collider.collide(a, pose.a, b, pose.b);
    ms = watch.ms();
    if (tries == 4 || interruptions() == before) return found;
  }
}

template <class Other>
QueryFigures time_all(const ImageBody& a, const Other& b, const std::vector<PosePair>& poses, unsigned passes) {
  QueryFigures figures;
  figures.poses = poses.size();
  ImageCollider collider;
  std::vector<std::vector<double>> ms(poses.size());
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const ImageCollision& found = time_one(collider, a, b, poses[i], ms[i].emplace_back());
      if (pass > 0) continue;
      figures.colliding += found.colliding() ? 1 : 0;
      figures.sphere_tests_mean += static_cast<double>(found.sphere_tests) / static_cast<double>(poses.size());
      figures.triangle_tests_mean += static_cast<double>(found.triangle_tests) / static_cast<double>(poses.size());
      figures.sphere_tests_worst = std::max(figures.sphere_tests_worst, found.sphere_tests);
      figures.triangle_tests_worst = std::max(figures.triangle_tests_worst, found.triangle_tests);
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& of_pose : ms) medians.push_back(median(std::move(of_pose)));
  figures.worst_ms = *std::max_element(medians.begin(), medians.end());
  figures.median_ms = median(std::move(medians));
  return figures;
}

std::string count_text(double mean) { return grouped(static_cast<std::uint64_t>(std::lround(mean))); }

}  // namespace

QueryFigures time_queries(const ImageBody& a, const ImageBody& b, const std::vector<PosePair>& poses, unsigned passes) {
  return time_all(a, b, poses, passes);
}

QueryFigures time_queries(const ImageBody& a, MeshView b, const std::vector<PosePair>& poses, unsigned passes) {
  return time_all(a, b, poses, passes);
}

void add_query_columns(Table& table) {
  for (const char* heading :
       {"colliding", "sphere tests", "worst", "triangle tests", "worst", "median us", "worst us"}) {
    table.columns.push_back({heading, true});
  }
}

void add_query_cells(std::vector<std::string>& cells, const QueryFigures& f) {
  cells.insert(cells.end(), {fmt::format("{} of {}", f.colliding, f.poses), count_text(f.sphere_tests_mean),
                             grouped(f.sphere_tests_worst), count_text(f.triangle_tests_mean),
                             grouped(f.triangle_tests_worst), gi_us_text(f.median_ms), gi_us_text(f.worst_ms)});
}

void add_query_json(nlohmann::ordered_json& row, const QueryFigures& f) {
  row["poses"] = f.poses;
  row["colliding"] = f.colliding;
  row["sphere_tests"] = {{"mean", rounded(f.sphere_tests_mean)}, {"worst", f.sphere_tests_worst}};
  row["triangle_tests"] = {{"mean", rounded(f.triangle_tests_mean)}, {"worst", f.triangle_tests_worst}};
  row["ms"] = {{"median", rounded(f.median_ms)}, {"worst", rounded(f.worst_ms)}};
}

}  // namespace lamella::cli
