#pragma once

#include <vector>

#include "picture/surface.hpp"

namespace lamella::picture {

/// The soft shadow of everything that is drawn on a plane below it, under a sky that is bright all over: dark where
/// something touches the plane, faint and wide where it is high above.
class Ground {
 public:
  /// No plane, no shadow.
  Ground() = default;
  /// `up` is the picture's. The plane is below the box that the picture is fitted to, or else below all surfaces.
  /// There is none where the eye does not look down on it.
  Ground(const Camera& camera, std::span<const Surface> surfaces, const Picture& picture);

  /// Share of light that is missing where the plane is seen at a sample position, 0 to 1.
  [[nodiscard]] float shadow(double x, double y) const;

 private:
  /// What is above each cell of the plane.
  struct Heights {
    std::vector<float> lowest, highest;  ///< in the scaled scene, above the plane; infinity and -1 where nothing is
    std::vector<float> weight;           ///< of its shadow, 1 for what is opaque
  };

  /// False where nothing is drawn.
  bool set_plane(std::span<const Surface> surfaces, const Picture& picture);
  [[nodiscard]] Heights heights_of(std::span<const Surface> surfaces) const;
  void set_shadow(const Heights& heights, float strength);
  [[nodiscard]] float at(double u, double v) const;

  const Camera* camera_ = nullptr;
  Vec3d up_, u_, v_;   // of the plane, in the view's axes
  double height_ = 0;  // along up_, in the scaled scene
  double low_u_ = 0, low_v_ = 0, cell_ = 1;
  int columns_ = 0, rows_ = 0;
  std::vector<float> shadow_;  // row-major; empty: none
};

}  // namespace lamella::picture
