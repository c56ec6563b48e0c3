#pragma once

#include <vector>

#include "lamella/mesh.hpp"

namespace lamella {

/// Two meshes as floats relative to one origin, as queries sample and prove them: views of the caller's arrays, or of
/// copies in the frame's own memory, which is reused.
class PairFrame {
 public:
  /// The views are valid until the next call, and as long as the meshes are.
  void settle(MeshView a, MeshView b);

  [[nodiscard]] MeshView a() const { return a_; }
  [[nodiscard]] MeshView b() const { return b_; }
  [[nodiscard]] Vec3d origin() const { return origin_; }

 private:
  MeshView a_, b_;
  Vec3d origin_;
  std::vector<Vec3> room_a_, room_b_;
};

}  // namespace lamella
