#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "bench/peers/method.hpp"
#include "lamella/detector.hpp"
#include "lamella/scene.hpp"

namespace lamella::bench::peers {
namespace {

constexpr std::uint32_t kResolution = 128;
constexpr std::uint32_t kResolutions[] = {kResolution, 64, 256};  ///< the first is what others are compared with

Method our_method(const std::string& call, const std::string& gives, bool detail) {
  return {.library = "Lamella", .call = call, .gives = gives, .run = {}, .answer = {}, .ours = true, .detail = detail};
}

/// A query of a Detector at each resolution. `ask` gets the detector and a pose and returns what the query does, of
/// which `answer` makes an Answer.
template <class Ask, class ToAnswer>
Methods at_resolutions(const std::string& query, const std::string& gives, const Ask& ask, const ToAnswer& to_answer) {
  Methods methods;
  for (const std::uint32_t resolution : kResolutions) {
    using Result = std::remove_reference_t<decltype(ask(std::declval<Detector&>(), 0))>;
    struct State {
      Detector detector;
      Result* last = nullptr;
    };
    const auto state =
        std::make_shared<State>(State{Detector({.engine = "software", .resolution = resolution, .threads = 1})});
    Method& method = methods.emplace_back(
        our_method(fmt::format("{}, {} x {}", query, resolution, resolution), gives, resolution != kResolution));
    method.chart_call = query;
    method.run = [state, ask](std::size_t pose) { state->last = &ask(state->detector, pose); };
    method.answer = [state, to_answer] { return to_answer(*state->last); };
  }
  return methods;
}

Methods points(const PointsWork& work) {
  return at_resolutions(
      "contains", "points inside",
      [&work](Detector& d, std::size_t pose) -> const Containment& {
        return d.contains(work.solid.at(pose), work.points);
      },
      [](const Containment& result) { return Answer{.inside = result.inside}; });
}

Methods pair(const PairWork& work) {
  return at_resolutions(
      "intersect", "volume",
      [&work](Detector& d, std::size_t pose) -> const Overlap& {
        return d.intersect(work.a.at(pose), work.b.at(pose));
      },
      [](const Overlap& result) { return Answer{.meets = result.colliding(), .volume = result.volume}; });
}

Methods self(const SelfWork& work) {
  return at_resolutions(
      "self_intersect", "volume",
      [&work](Detector& d, std::size_t pose) -> const SelfOverlap& { return d.self_intersect(work.mesh.at(pose)); },
      [](const SelfOverlap& result) { return Answer{.meets = result.colliding(), .volume = result.volume}; });
}

struct SceneState {
  Scene scene;
  const SceneResult* last = nullptr;
};

Answer pairs_of(const SceneResult& result) {
  std::vector<BodyPair> pairs;
  for (const ScenePair& p : result.pairs) pairs.emplace_back(p.a.number, p.b.number);
  return {.bodies = std::move(pairs)};
}

/// How a scene is sampled.
struct Sampling {
  std::string call;
  SceneOptions options;
  bool detail = false;
};

/// Coarsely, as a game would: cells of a 128th of the scene's width. And with 128 x 128 columns for every group.
std::vector<Sampling> samplings(const BodiesWork& work) {
  const Vec3 size = extent(bounds_of(work));
  const float cell = std::max({size.x, size.y, size.z}) / static_cast<float>(kResolution);
  const SceneOptions common{.engine = "software", .threads = 1, .max_contacts = 0};
  std::vector<Sampling> out;
  for (const unsigned views : {1u, 3u}) {
    SceneOptions options = common;
    options.cell = cell;
    options.views = views;
    out.push_back({fmt::format("Scene, {} view{}", views, views == 1 ? "" : "s"), options});
  }
  SceneOptions fine = common;
  fine.views = 1;
  fine.resolution = kResolution;
  out.push_back({fmt::format("Scene, 1 view, {0} x {0} for each group", kResolution), fine, true});
  return out;
}

/// `move` brings a scene to a pose. Objects of a new scene are numbered from 0.
Methods scenes_of(const BodiesWork& placed, const std::function<void(Scene&)>& fill,
                  const std::function<void(Scene&, std::size_t)>& move) {
  Methods methods;
  for (const Sampling& sampling : samplings(placed)) {
    const auto state = std::make_shared<SceneState>(SceneState{Scene(sampling.options)});
    fill(state->scene);
    Method& method = methods.emplace_back(our_method(sampling.call, "pairs, volumes, points", sampling.detail));
    method.run = [state, move](std::size_t pose) {
      move(state->scene, pose);
      state->last = &state->scene.collide();
    };
    method.answer = [state] { return pairs_of(*state->last); };
  }
  return methods;
}

Methods bodies(const BodiesWork& work) {
  return scenes_of(
      work,
      [&work](Scene& scene) {
        for (const MovingMesh& body : work.bodies) scene.add(body.at(0));
      },
      [&work](Scene& scene, std::size_t pose) {
        for (std::uint32_t i = 0; i < work.bodies.size(); ++i) scene.deform({i}, work.bodies[i].positions[pose]);
      });
}

Methods rigid(const RigidWork& work) {
  return scenes_of(
      work.placed,
      [&work](Scene& scene) {
        for (std::size_t i = 0; i < work.shapes.size(); ++i) scene.add(work.shapes[i], work.poses[0][i]);
      },
      [&work](Scene& scene, std::size_t pose) {
        for (std::uint32_t i = 0; i < work.shapes.size(); ++i) scene.move({i}, work.poses[pose][i]);
      });
}

}  // namespace

Peer our_peer() {
  return {.name = "Lamella", .points = points, .pair = pair, .self = self, .bodies = bodies, .rigid = rigid};
}

}  // namespace lamella::bench::peers
