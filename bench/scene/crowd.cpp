#include "bench/scene/crowd.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "bench/measure.hpp"
#include "cli/common.hpp"
#include "core/broad_phase.hpp"
#include "lamella/error.hpp"
#include "scenes/motions.hpp"

namespace lamella::cli {
namespace {

constexpr double kStep = 1.0 / 60;
constexpr std::size_t kWobblePhases = 32;

struct Frames {
  std::shared_ptr<const scenes::Crowd> crowd;
  std::vector<std::vector<Transform>> poses;           ///< by frame and body
  std::vector<std::vector<std::vector<Vec3>>> shapes;  ///< by kind and phase; none where bodies are rigid
};

std::vector<std::vector<std::vector<Vec3>>> wobbling_shapes(const scenes::Crowd& crowd) {
  std::vector<std::vector<std::vector<Vec3>>> shapes;
  for (const Mesh& mesh : crowd.meshes()) {
    auto& phases = shapes.emplace_back();
    for (std::size_t i = 0; i < kWobblePhases; ++i) {
      const float t = static_cast<float>(i) / kWobblePhases;
      scenes::wobble(mesh.positions, t, 1, phases.emplace_back(mesh.positions.size()));
    }
  }
  return shapes;
}

std::vector<BoxPair> all_pairs(const std::vector<Aabb>& boxes, std::vector<BoxPair> out) {
  out.clear();
  const auto count = static_cast<std::uint32_t>(boxes.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j = i + 1; j < count; ++j) {
      if (overlap(boxes[i], boxes[j])) out.push_back({i, j});
    }
  }
  return out;
}

void place_boxes(const scenes::Crowd& crowd, double seconds, std::vector<Aabb>& out) {
  out.resize(crowd.size());
  const double r = crowd.radius();
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    const Vec3d at = crowd.pose(i, seconds).translation;
    out[i] = {to_float(at - Vec3d{r, r, r}), to_float(at + Vec3d{r, r, r})};
  }
}

}  // namespace

SceneMotion crowd_motion(std::shared_ptr<const scenes::Crowd> crowd, std::size_t frames, bool deforming) {
  const auto all = std::make_shared<Frames>();
  all->crowd = std::move(crowd);
  for (std::size_t f = 0; f < frames; ++f) {
    auto& poses = all->poses.emplace_back();
    for (std::size_t i = 0; i < all->crowd->size(); ++i) {
      poses.push_back(all->crowd->pose(i, static_cast<double>(f) * kStep));
    }
  }
  if (deforming) all->shapes = wobbling_shapes(*all->crowd);
  const auto add = [all](Scene& scene) {
    for (std::size_t i = 0; i < all->crowd->size(); ++i) scene.add(all->crowd->mesh(i), all->poses[0][i]);
  };
  // Objects of a new scene are numbered from 0.
  const auto move = [all](Scene& scene, std::size_t frame) {
    for (std::uint32_t i = 0; i < all->crowd->size(); ++i) {
      if (!all->shapes.empty()) scene.deform({i}, all->shapes[all->crowd->kind(i)][(frame + i) % kWobblePhases]);
      scene.move({i}, all->poses[frame][i]);
    }
  };
  return {frames, add, move};
}

BroadTimes time_broad_phase(const scenes::Crowd& crowd, std::size_t frames) {
  BroadPhase broad;
  std::vector<Aabb> boxes;
  std::vector<BoxPair> pairs;
  place_boxes(crowd, 0, boxes);
  for (const Aabb& box : boxes) (void)broad.add(box);
  (void)broad.update();
  std::vector<double> sweep_ms, all_pairs_ms;
  for (std::size_t f = 1; f <= frames; ++f) {
    place_boxes(crowd, static_cast<double>(f) * kStep, boxes);
    const Stopwatch sweep;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) broad.move(i, boxes[i]);
    const auto found = broad.update();
    sweep_ms.push_back(sweep.ms());
    const Stopwatch plain;
    pairs = all_pairs(boxes, std::move(pairs));
    all_pairs_ms.push_back(plain.ms());
    if (!std::equal(pairs.begin(), pairs.end(), found.begin(), found.end())) {
      throw Error("sweep and prune and all pairs disagree on which boxes overlap: please report this");
    }
  }
  return {median(std::move(sweep_ms)), median(std::move(all_pairs_ms))};
}

}  // namespace lamella::cli
