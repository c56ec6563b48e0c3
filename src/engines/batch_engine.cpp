#include "engines/batch_engine.hpp"

#include <fmt/format.h>

#include "core/check_pose.hpp"
#include "lamella/error.hpp"

namespace lamella {

void check_mesh(ObjectId mesh, std::size_t mesh_count) {
  if (mesh.number >= mesh_count)
    throw Error(fmt::format("there is no mesh {} in this batch of {} meshes", mesh.number, mesh_count));
}

void check_pairs(std::span<const BatchPair> pairs, std::size_t mesh_count) {
  std::size_t i = 0;
  try {
    for (; i < pairs.size(); ++i) {
      const BatchPair& p = pairs[i];
      check_mesh(p.a, mesh_count);
      check_mesh(p.b, mesh_count);
      check_pose(p.pose_a, kPoseTolerance);
      check_pose(p.pose_b, kPoseTolerance);
    }
  } catch (const Error& e) {
    throw Error(fmt::format("pair {} of the batch: {}", i, e.what()), e.kind());
  }
}

std::span<const PairGradient> BatchEngine::volume_gradients(std::span<const BatchPair>) {
  throw Error("this engine gives no gradients of batches: use software or cuda");
}

}  // namespace lamella
