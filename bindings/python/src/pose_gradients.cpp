#include "pose_gradients.hpp"

#include <cmath>

namespace lamella::python {
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

struct PoseRows {
  Doubles array;
  std::size_t count = 0;  ///< of poses
  bool many = false;
};

PoseRows rows_of_poses(py::handle given, const char* name) {
  if (given.is_none()) return {};
  PoseRows out{Doubles::ensure(given)};
  if (!out.array) throw py::error_already_set();
  out.many = out.array.ndim() == 2;
  if (out.array.ndim() < 1 || out.array.ndim() > 2 || out.array.shape(out.array.ndim() - 1) != 7)
    throw py::value_error(std::string(name) + " must have the shape (7,) or (n, 7): x, y, z, qx, qy, qz, qw");
  out.count = out.many ? static_cast<std::size_t>(out.array.shape(0)) : 1;
  return out;
}

/// The pose with its quaternion normalised, and the quaternion's length before.
Transform pose_at(const PoseRows& rows, std::size_t i, double& length) {
  length = 1;
  if (rows.count == 0) return {};
  const double* n = rows.array.data() + (rows.many ? 7 * i : 0);
  length = std::sqrt(n[3] * n[3] + n[4] * n[4] + n[5] * n[5] + n[6] * n[6]);
  const double scale = 1 / length;  // a quaternion of 0s becomes NaN, which the library refuses
  return {{n[0], n[1], n[2]}, {n[3] * scale, n[4] * scale, n[5] * scale, n[6] * scale}};
}

/// The translation's gradient as it is; the rotation's from the volume per radian about the pose's own translation to
/// the quaternion q before it was normalised. With unit n = q / length = (v, w), a change dn turns by
/// 2 (w dv - dw v + v x dv); what it gives is already perpendicular to n.
void pose_gradient(const MotionGradient& motion, Vec3d centroid, const Transform& pose, double length, double* out) {
  const Vec3d& f = motion.translation;
  const Vec3d arm = centroid - pose.translation;
  const Vec3d torque = motion.rotation + cross(arm, f);
  const Vec3d v{pose.rotation.x, pose.rotation.y, pose.rotation.z};
  const double scale = 2 / length, w = pose.rotation.w;
  const Vec3d turned = cross(torque, v);
  for (int k = 0; k < 3; ++k) {
    out[k] = f[k];
    out[3 + k] = scale * (w * torque[k] + turned[k]);
  }
  out[6] = -scale * dot(torque, v);
}

template <class Answer>
py::tuple columns_of(std::span<const Answer> answers, py::object third) {
  py::array_t<double> volumes(static_cast<py::ssize_t>(answers.size()));
  py::array_t<std::uint32_t> doubts(static_cast<py::ssize_t>(answers.size()));
  double* volume = volumes.mutable_data();
  std::uint32_t* bits = doubts.mutable_data();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    volume[i] = answers[i].volume;
    bits[i] = doubt_bits(answers[i].verdict, answers[i].health);
  }
  return py::make_tuple(volumes, doubts, std::move(third));
}

}  // namespace

std::uint32_t doubt_bits(Verdict verdict, const Health& health) {
  const auto bit = [](bool on, Doubt::Cause cause) {
    return on ? std::uint32_t{1} << static_cast<unsigned>(cause) : std::uint32_t{0};
  };
  std::uint32_t bits = bit(health.open_columns != 0, Doubt::Cause::open_columns) |
                       bit(health.inside_out_columns != 0, Doubt::Cause::inside_out) |
                       bit(health.skipped_triangles != 0, Doubt::Cause::skipped_triangles) |
                       bit(health.dropped_crossings != 0, Doubt::Cause::dropped_crossings) |
                       bit(health.closed_edges != 0, Doubt::Cause::closed_holes);
  if (verdict == Verdict::undecided && bits == 0) bits = bit(true, Doubt::Cause::touching);
  return bits;
}

PosedPairs::PosedPairs(ObjectId a, ObjectId b, py::handle poses_a, py::handle poses_b) {
  const PoseRows rows_a = rows_of_poses(poses_a, "pose_a"), rows_b = rows_of_poses(poses_b, "pose_b");
  if (rows_a.many && rows_b.many && rows_a.count != rows_b.count)
    throw py::value_error("pose_a and pose_b must be as many: " + std::to_string(rows_a.count) + " and " +
                          std::to_string(rows_b.count));
  const std::size_t count = rows_a.many ? rows_a.count : rows_b.many ? rows_b.count : 1;
  pairs_.resize(count);
  lengths_a_.resize(count);
  lengths_b_.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    pairs_[i] = {a, b, pose_at(rows_a, i, lengths_a_[i]), pose_at(rows_b, i, lengths_b_[i])};
}

py::tuple PosedPairs::volumes(std::span<const PairOverlap> answers) const { return columns_of(answers, py::none()); }

py::tuple PosedPairs::gradients(std::span<const PairGradient> answers) const {
  py::array_t<double> rows({static_cast<py::ssize_t>(answers.size()), py::ssize_t{14}});
  for (std::size_t i = 0; i < answers.size(); ++i) {
    double* row = rows.mutable_data() + 14 * i;
    const PairGradient& answer = answers[i];
    pose_gradient(answer.sums.a, answer.centroid, pairs_[i].pose_a, lengths_a_[i], row);
    pose_gradient(answer.sums.b, answer.centroid, pairs_[i].pose_b, lengths_b_[i], row + 7);
  }
  return columns_of(answers, rows);
}

}  // namespace lamella::python
