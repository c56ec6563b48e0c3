#pragma once

// What callers give for many pairs at once, and arrays as floats.

#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "inputs.hpp"
#include "lamella/batch.hpp"

namespace lamella::python {

/// Pairs of ids and poses, each a single one, used for all pairs, or an array or sequence with one for each.
[[nodiscard]] std::vector<BatchPair> pairs_of(py::handle a, py::handle b, py::handle pose_a, py::handle pose_b);
/// A sequence of (a, b), (a, b, pose_a) or (a, b, pose_a, pose_b), or an array of ids (n, 2).
[[nodiscard]] std::vector<BatchPair> pairs_of(py::handle pairs);

/// How many pairs there are: as many as each of these has; one that has a single item stands for every pair. `each`:
/// what a message calls it, and how many it has.
[[nodiscard]] std::size_t common_count(std::initializer_list<std::pair<const char*, std::size_t>> each);
/// A pose, or one for each pair: poses of one or more.
[[nodiscard]] std::vector<Transform> one_or_more_poses(py::handle source);

/// One for each of so many pairs: None, which is 0, a number for all, or a sequence.
[[nodiscard]] std::vector<std::uint32_t> resolutions_of(const py::object& given, std::size_t pairs);

/// An array of no vertices.
inline py::object no_rows() { return py::array_t<float>(std::vector<py::ssize_t>{0, 3}); }

/// Rows of three for the length of a call, as floats: float32 in place, everything else rounded.
class FloatRows {
 public:
  FloatRows(py::handle source, const char* name) : input_(source, name) {
    rounded_.reserve(input_.doubles().size());
    for (const Vec3d& p : input_.doubles())
      rounded_.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  [[nodiscard]] std::span<const Vec3> rows() const { return input_.wide() ? std::span(rounded_) : input_.floats(); }

 private:
  PointsInput input_;
  std::vector<Vec3> rounded_;
};

/// The same as doubles: float64 in place. None: no rows.
class DoubleRows {
 public:
  DoubleRows(py::handle source, const char* name) {
    if (source.is_none()) return;
    input_.emplace(source, name);
    for (const Vec3& p : input_->floats()) widened_.push_back(to_double(p));
  }
  [[nodiscard]] std::span<const Vec3d> rows() const {
    if (!input_) return {};
    return input_->wide() ? input_->doubles() : std::span<const Vec3d>(widened_);
  }

 private:
  std::optional<PointsInput> input_;
  std::vector<Vec3d> widened_;
};

}  // namespace lamella::python
