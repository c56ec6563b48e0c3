#pragma once

#include <optional>
#include <span>
#include <vector>

#include "answer/query.hpp"
#include "lamella/distance.hpp"
#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "lamella/separation.hpp"

namespace lamella::answer {

/// The free shifts along a direction that the user gave, and of meshes apart the first touch.
struct AlongDirection {
  Vec3d direction;  ///< unit
  FreeInterval shifts;
  double motion = 0;  ///< how far was swept; 0: not at all
  std::optional<SweepHit> touch;
};

/// All that `lamella depth` found out.
struct DepthAnswer {
  OverlapGradient overlap;
  Separation way;
  std::vector<ContactPatch> patches;    ///< the largest volume first
  std::optional<MeshDistance> apart;    ///< of meshes that do not collide
  std::optional<AlongDirection> along;  ///< with DepthOptions::direction
  double gradient_ms = 0, way_ms = 0, patches_ms = 0, other_ms = 0;

  /// Of the pair as given. The way out begins with a proof: it decides where sampling cannot.
  [[nodiscard]] Verdict verdict() const { return way.before == Verdict::undecided ? overlap.verdict : way.before; }
  [[nodiscard]] double total_ms() const { return gradient_ms + way_ms + patches_ms + other_ms; }
};

struct DepthOptions {
  Options query;  ///< with close_holes and keep_spans as wanted
  std::uint32_t directions = SeparationOptions{}.directions;
  std::optional<Vec3d> direction = std::nullopt;  ///< unit: also look along it
  bool vertices = false;                          ///< also gradients of each vertex
};

[[nodiscard]] DepthAnswer measure_depth(MeshView a, MeshView b, const DepthOptions& options);

/// Volume over area, of all patches together. Nothing where there are none.
[[nodiscard]] std::optional<double> mean_depth(std::span<const ContactPatch> patches);

[[nodiscard]] Json depth_json(const DepthAnswer& answer, const Subjects& subjects);

}  // namespace lamella::answer
