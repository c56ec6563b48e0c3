#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"
#include "lamella/verdict.hpp"

namespace lamella {

struct SeparationOptions {
  std::string engine = "automatic";               ///< "software" or "cuda"; "automatic" picks the faster
  std::uint32_t resolution = 64;                  ///< columns and rows of each direction's grid
  std::uint32_t directions = 1000;                ///< about how many are looked along, each both ways
  unsigned threads = 0;                           ///< as Options::threads
  std::optional<unsigned> device = std::nullopt;  ///< as Options::device
};

/// The shortest translation found that takes one mesh out of another.
struct Separation {
  Verdict before = Verdict::clear;  ///< of the pair as given, proved where `certain_before`
  Vec3d translation;                ///< of a, margin included: `direction` times (`length` + `margin`); 0 where clear
  Vec3d direction;                  ///< unit; 0 where the pair is clear
  double length = 0;                ///< how far the sampled rays need
  double margin = 0;                ///< added for what lies between rays
  Verdict after = Verdict::clear;   ///< of the pair once a is moved by `translation`
  Certificate certificate;          ///< of `after`: proved by exact arithmetic where it is certain
  std::uint32_t directions = 0;     ///< that were looked along
  Timings ms;
  std::string engine;
};

/// The shortest way to take `a` out of `b` by a translation.
[[nodiscard]] LAMELLA_API Separation separation(MeshView a, MeshView b, const SeparationOptions& options = {});

/// The first touch of a mesh that moves along a line.
struct SweepHit {
  double time = 0;  ///< the part of the motion before the touch, 0 to 1
  Vec3d position;   ///< where the surfaces touch then, in world coordinates
  Vec3d normal;     ///< unit, of b's surface there, towards a
  std::uint32_t triangle_a = 0, triangle_b = 0;
  bool overlapping = false;  ///< they overlap at the start already; `time` is 0
};

/// Moves `a` by `motion` and tells where it first touches `b`; nothing where it does not. No feature is missed, however
/// thin and however fast: rays find a touch, and exact tests of triangles find whether there is an earlier one.
[[nodiscard]] LAMELLA_API std::optional<SweepHit> sweep(MeshView a, MeshView b, Vec3d motion, unsigned threads = 0);

}  // namespace lamella
