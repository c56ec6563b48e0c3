#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lamella/math.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// How a volume changes when one of the meshes moves as a rigid body. A force that separates the meshes is a negative
/// multiple of `translation`, its torque the same multiple of `rotation`.
struct MotionGradient {
  Vec3d translation;  ///< volume per unit of translation
  /// Volume per radian of rotation about the world's axes through a pivot, which is the centroid of the overlap. About
  /// another point p: rotation + cross(centroid - p, translation).
  Vec3d rotation;
};

/// The part of a mesh's surface that lies inside the other mesh (of self-overlaps: inside the mesh itself).
struct InnerSurface {
  double area = 0;
  Vec3d normal;  ///< mean of its outward normals, by area: of length 1 where it is flat, shorter where they cancel
};

/// Which parts of a gradient are wanted.
struct GradientOptions {
  bool vertices = true;  ///< also for each vertex; else for rigid motions alone
};

/// What all gradients have: rigid motions and surfaces, sampled along the three axes, each with a grid of
/// Options::resolution columns and rows over the box of the overlap; and moments, from the overlap's own view.
struct GradientSums {
  MotionGradient a, b;  ///< when the first or the second mesh moves; of self-overlaps: `a`, which is 0 to rounding
  /// Rows of the matrix of second moments about the centroid: integrals of (x - centroid)_i (x - centroid)_j over the
  /// overlap. Of a solid of density 1; its eigenvectors are the principal axes of the overlap.
  std::array<Vec3d, 3> moments{};
  InnerSurface inner_a, inner_b;  ///< of self-overlaps: `inner_a`
};

/// A shared volume, and how it changes when meshes move. Where nothing overlaps, all of it is 0.
struct OverlapGradient : Overlap {
  GradientSums sums;
  /// For each vertex: how the volume changes when the vertex moves, per unit of length. Empty without
  /// GradientOptions::vertices.
  std::vector<Vec3> vertices_a, vertices_b;
};

/// The same of the volume that a mesh covers more than once.
struct SelfGradient : SelfOverlap {
  GradientSums sums;
  std::vector<Vec3> vertices;
};

}  // namespace lamella
