#include "bench/gi/queries.hpp"

#include <algorithm>
#include <numeric>

#include "bench/measure.hpp"

namespace lamella::bench {
namespace {

/// Again when another program got in between, up to a few times.
template <class Other>
const ImageCollision& time_one(ImageCollider& collider, BodyRef a, const Other& b, const PosePair& pose,
                               const ImageCollideOptions& options, double& taken_ms) {
  for (int tries = 0;; ++tries) {
    const std::uint64_t before = interruptions();
    const cli::Stopwatch watch;
    const ImageCollision& found = collider.collide(a, pose.a, b, pose.b, options);
    taken_ms = watch.ms();
    if (tries == 4 || interruptions() == before) return found;
  }
}

void set_mean_and_worst(Row& row, const std::string& key, const std::vector<std::uint64_t>& counts) {
  const std::uint64_t sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  row.set({key + ".mean", static_cast<double>(sum) / static_cast<double>(counts.size())});
  row.set({key + ".worst", *std::max_element(counts.begin(), counts.end())});
}

/// Without the least and the largest.
double trimmed_mean(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return std::accumulate(values.begin() + 1, values.end() - 1, 0.0) / static_cast<double>(values.size() - 2);
}

/// `typical`: one time of a pose's passes.
template <class Other, class Typical>
Row time_all(BodyRef a, const Other& b, const std::vector<PosePair>& poses, unsigned passes,
             const ImageCollideOptions& options, const Typical& typical) {
  ImageCollider collider;
  std::vector<std::vector<double>> by_pose(poses.size());
  std::vector<std::uint64_t> sphere_tests, triangle_tests;
  std::size_t colliding = 0;
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const ImageCollision& found = time_one(collider, a, b, poses[i], options, by_pose[i].emplace_back());
      if (pass > 0) continue;
      colliding += found.colliding() ? 1 : 0;
      sphere_tests.push_back(found.sphere_test_count);
      triangle_tests.push_back(found.triangle_test_count);
    }
  }
  std::vector<double> times;
  for (std::vector<double>& of_pose : by_pose) times.push_back(typical(std::move(of_pose)));
  Row row{{"poses", poses.size()}, {"colliding", colliding}};
  set_mean_and_worst(row, "sphere_tests", sphere_tests);
  set_mean_and_worst(row, "triangle_tests", triangle_tests);
  row.set({"ms.median", median(times)});
  row.set({"ms.mean", std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size())});
  row.set({"ms.worst", *std::max_element(times.begin(), times.end())});
  return row;
}

}  // namespace

Row time_queries(const ImageBody& a, const ImageBody& b, const std::vector<PosePair>& poses, unsigned passes) {
  return time_all(a, b, poses, passes, {}, median);
}

Row time_queries(const ImageBody& a, MeshView b, const std::vector<PosePair>& poses, unsigned passes) {
  return time_all(a, b, poses, passes, {}, median);
}

Row time_trimmed(BodyRef a, BodyRef b, const std::vector<PosePair>& poses, unsigned runs, ImageWalk walk) {
  return time_all(a, b, poses, runs, {.walk = walk}, trimmed_mean);
}

std::vector<Column> query_columns(const std::string& first) {
  return columns(first +
                 "|poses|colliding|sphere tests=sphere_tests.mean|worst=sphere_tests.worst|"
                 "triangle tests=triangle_tests.mean|worst=triangle_tests.worst|median us=ms.median:micro|"
                 "worst us=ms.worst:micro|paper ms=paper_ms|of=paper_is|speed-up=speedup");
}

}  // namespace lamella::bench
