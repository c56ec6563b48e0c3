// A pair of meshes at many poses on the CPU, for lamella/torch.py.

#include <algorithm>
#include <optional>

#include "bind.hpp"
#include "inputs.hpp"
#include "lamella/batch.hpp"
#include "pose_gradients.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

template <class T>
bool same(std::span<const T> given, const std::vector<T>& kept) {
  return std::ranges::equal(given, kept);
}

/// A mesh as it was last given, so that meshes that stay the same are added to the Batch once.
class KnownMesh {
 public:
  [[nodiscard]] bool is(const MeshView& mesh) const {
    return same(mesh.positions, positions_) && same(mesh.wide, wide_) && same(mesh.triangles, triangles_) &&
           mesh.origin == origin_;
  }
  void set(const MeshView& mesh) {
    positions_.assign(mesh.positions.begin(), mesh.positions.end());
    wide_.assign(mesh.wide.begin(), mesh.wide.end());
    triangles_.assign(mesh.triangles.begin(), mesh.triangles.end());
    origin_ = mesh.origin;
  }

 private:
  std::vector<Vec3> positions_;
  std::vector<Vec3d> wide_;
  std::vector<Triangle> triangles_;
  Vec3d origin_{};
};

class PoseBatch {
 public:
  explicit PoseBatch(Options options) : options_(std::move(options)) {}

  void set(const MeshView& a, const MeshView& b) {
    if (batch_ && a_.is(a) && b_.is(b)) return;
    batch_.emplace(options_);
    try {
      (void)batch_->add(a);
      (void)batch_->add(b);
    } catch (...) {
      batch_.reset();
      throw;
    }
    a_.set(a);
    b_.set(b);
  }
  [[nodiscard]] Batch& batch() { return *batch_; }

 private:
  Options options_;
  std::optional<Batch> batch_;
  KnownMesh a_, b_;
};

using SharedPoses = Locked<PoseBatch>;

/// Answers belong to the Batch until its next call: they are read under its lock. Whoever waits for that lock has
/// released the GIL, so that taking the GIL here cannot block for ever.
py::tuple ask_poses(SharedPoses& self, py::handle a, py::handle b, py::handle poses_a, py::handle poses_b,
                    bool gradients) {
  const MeshInput in_a(a, "a"), in_b(b, "b");
  const PosedPairs posed(ObjectId{0}, ObjectId{1}, poses_a, poses_b);
  return released({&in_a, &in_b}, [&] {
    const std::scoped_lock lock(self.mutex);
    self.object.set(in_a.view(), in_b.view());
    if (gradients) {
      const auto answers = self.object.batch().volume_gradients(posed.pairs());
      const py::gil_scoped_acquire acquire;
      return posed.gradients(answers);
    }
    const auto answers = self.object.batch().intersect(posed.pairs());
    const py::gil_scoped_acquire acquire;
    return posed.volumes(answers);
  });
}

}  // namespace

void bind_poses(py::module_& m) {
  py::class_<SharedPoses>(m, "_PoseBatch", "Two meshes at many poses, for lamella.torch.")
      .def(py::init([](const py::object& options, const py::kwargs& keywords) {
             return std::make_unique<SharedPoses>(options_of<Options>(options, keywords));
           }),
           py::arg("options") = py::none())
      .def("ask", &ask_poses, py::arg("a"), py::arg("b"), py::arg("poses_a"), py::arg("poses_b"), py::arg("gradients"),
           "Volumes (n,), doubts (n,) as bits, and gradients (n, 14) of both poses or None.");
}

}  // namespace lamella::python
