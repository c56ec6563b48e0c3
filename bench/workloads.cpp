#include "bench/workloads.hpp"

#include <memory>
#include <utility>

#include "scenes/scenes.hpp"

namespace lamella::bench {
namespace {

constexpr std::size_t kGripFrames = 33;
constexpr std::size_t kSwayFrames = 16;
constexpr std::size_t kFallFrames = 32;

/// Positions of each frame; the triangles are those of the mesh they came from.
using Frames = std::vector<std::vector<Vec3>>;

/// Moves points down through the box, by its height in a period, and back in at the top.
void fall(std::span<const Vec3> rest, const Aabb& box, float t, std::span<Vec3> out) {
  const float height = extent(box).z;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    out[i] = rest[i];
    out[i].z -= t * height;
    if (out[i].z < box.min.z) out[i].z += height;
  }
}

}  // namespace

Workload grip(std::size_t hand_faces, std::size_t phone_faces, Grip asked) {
  struct Scene {
    scenes::Pair pair;
    Frames hand;
  };
  const auto scene = std::make_shared<Scene>();
  scene->pair = scenes::hand_and_phone(hand_faces, phone_faces, 0);
  const std::vector<Vec3>& rest = scene->pair.a.positions;
  for (std::size_t i = 0; i < kGripFrames; ++i) {
    const float t = 0.5f * static_cast<float>(i) / (kGripFrames - 1);  // opening again would repeat the frames
    scenes::close_hand(rest, t, scene->hand.emplace_back(rest.size()));
  }
  const auto run = [scene, asked](TimedDetector& detector, std::size_t frame) {
    Row sample;
    const auto hand = detector.ready({scene->hand[frame], scene->pair.a.triangles}, sample);
    if (asked != Grip::self_collision) detector.intersect(hand, detector.ready(scene->pair.b, sample), sample);
    if (asked != Grip::collision) detector.self_intersect(hand, sample);
    return sample;
  };
  const std::size_t hand_count = scene->pair.a.triangles.size(), phone_count = scene->pair.b.triangles.size();
  return {hand_count + (asked == Grip::self_collision ? 0 : phone_count), kGripFrames, run, asked != Grip::collision};
}

Workload swaying_hat(std::size_t hat_faces, std::size_t mouse_faces) {
  // Where the hat is does not depend on the mouse, which takes long to make: a crude one does for all other frames.
  constexpr std::size_t kCrudeMouse = 100;
  const auto pair = std::make_shared<scenes::Pair>(scenes::hat_and_mouse(hat_faces, mouse_faces, 0));
  const auto hat = std::make_shared<Frames>();
  for (std::size_t i = 0; i < kSwayFrames; ++i) {
    const float t = static_cast<float>(i) / kSwayFrames;
    hat->push_back(scenes::hat_and_mouse(hat_faces, kCrudeMouse, t).a.positions);
  }
  const auto run = [pair, hat](TimedDetector& detector, std::size_t frame) {
    Row sample;
    const auto moved = detector.ready({(*hat)[frame], pair->a.triangles}, sample);
    detector.intersect(moved, detector.ready(pair->b, sample), sample);
    return sample;
  };
  return {pair->a.triangles.size() + pair->b.triangles.size(), kSwayFrames, run};
}

Workload placed_pair(std::string_view a, std::size_t a_faces, std::string_view b, std::size_t b_faces, bool deep) {
  const auto pair = std::make_shared<scenes::Pair>(scenes::overlapping(a, a_faces, b, b_faces, deep));
  const auto run = [pair](TimedDetector& detector, std::size_t) {
    Row sample;
    detector.intersect(detector.ready(pair->a, sample), detector.ready(pair->b, sample), sample);
    return sample;
  };
  return {pair->a.triangles.size() + pair->b.triangles.size(), 1, run};
}

Workload points_inside(Mesh mesh, std::size_t points) {
  const auto solid = std::make_shared<Mesh>(std::move(mesh));
  const auto cloud = std::make_shared<std::vector<Vec3>>(scenes::random_points(*solid, points));
  const auto run = [solid, cloud](TimedDetector& detector, std::size_t) {
    Row sample;
    detector.contains(detector.ready(*solid, sample), *cloud, sample);
    return sample;
  };
  return {solid->triangles.size(), 1, run};
}

Workload falling_particles(std::size_t faces, std::size_t points) {
  struct Scene {
    Mesh figure;
    std::vector<Vec3> figure_rest, rest, particles;
    Aabb box;
  };
  const auto scene = std::make_shared<Scene>();
  scene->figure = scenes::seated_figure(faces);
  scene->figure_rest = scene->figure.positions;
  scene->box = bounds(scene->figure);
  scene->rest = scenes::random_points(scene->figure, points);
  scene->particles = scene->rest;
  const auto run = [scene](TimedDetector& detector, std::size_t frame) {
    const float t = static_cast<float>(frame) / kFallFrames;
    Row sample;
    const cli::Stopwatch watch;
    scenes::wobble(scene->figure_rest, t, 1, scene->figure.positions);
    fall(scene->rest, scene->box, t, scene->particles);
    sample.set({"motion_ms", watch.ms()});
    detector.contains(detector.ready(scene->figure, sample), scene->particles, sample);
    return sample;
  };
  return {scene->figure.triangles.size(), kFallFrames, run};
}

Workload self_overlap(Mesh mesh) {
  const auto solid = std::make_shared<Mesh>(std::move(mesh));
  const auto run = [solid](TimedDetector& detector, std::size_t) {
    Row sample;
    detector.self_intersect(detector.ready(*solid, sample), sample);
    return sample;
  };
  return {solid->triangles.size(), 1, run, true};
}

}  // namespace lamella::bench
