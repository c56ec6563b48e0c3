#pragma once

#include <vector>

#include "bench/gi/methods.hpp"
#include "bench/table.hpp"

namespace lamella::bench {

/// Many first collisions of two bodies: one time per pair of poses, the median of several passes over all of them.
/// Every pass goes through the poses in order, so that the caches hold what a moving object would have left there.
/// Gives "poses", "colliding", mean and worst "sphere_tests" and "triangle_tests", median and worst "ms".
[[nodiscard]] Row time_queries(const ImageBody& a, const ImageBody& b, const std::vector<PosePair>& poses,
                               unsigned passes);
/// The same against a plain mesh.
[[nodiscard]] Row time_queries(const ImageBody& a, MeshView b, const std::vector<PosePair>& poses, unsigned passes);

/// As section 5.4 of the paper measures: the mean of a pose's runs without the least and the largest of them. Gives
/// "ms.mean" over the poses too. `runs` is at least 3.
[[nodiscard]] Row time_trimmed(BodyRef a, BodyRef b, const std::vector<PosePair>& poses, unsigned runs,
                               ImageWalk walk = ImageWalk::guided);

/// Columns for these, and for the paper's figures where there are any, after `first`.
[[nodiscard]] std::vector<Column> query_columns(const std::string& first);

}  // namespace lamella::bench
