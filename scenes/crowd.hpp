#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lamella/mesh.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {

/// Models of which a crowd is made, in turn: convex and concave, with and without holes.
[[nodiscard]] std::span<const std::string_view> crowd_models();

/// The model with its box's middle at the origin and all of it within `radius`, which it touches.
[[nodiscard]] Mesh crowd_body(std::string_view model, std::size_t faces, double radius);

struct CrowdOptions {
  std::uint32_t objects = 100;
  std::size_t faces = 3000;  ///< of each, about
  double radius = 0.35;      ///< of the ball that holds a body, in metres
  /// Volume of all balls over that of the cube that their middles move in. Bodies pass through one another, so it may
  /// be anything above 0.
  double density = 0.2;
  double speed = 2, spin = 4;  ///< at most: metres and radians a second
  std::uint32_t seed = 1;
};

/// Bodies that fly straight through a cube about the origin, turn, and bounce off its walls but not off one another:
/// after Jang, Jeong and Han's experiment, without a response that would depend on what was detected. Where they are is
/// a function of time alone.
class Crowd {
 public:
  explicit Crowd(const CrowdOptions& options);

  [[nodiscard]] std::size_t size() const { return flights_.size(); }
  [[nodiscard]] double radius() const { return options_.radius; }
  /// Edge of the cube that holds all bodies at all times.
  [[nodiscard]] double side() const { return room_ + 2 * options_.radius; }

  /// One for each of crowd_models(), shared by its bodies.
  [[nodiscard]] std::span<const Mesh> meshes() const { return meshes_; }
  [[nodiscard]] std::size_t kind(std::size_t body) const { return body % meshes_.size(); }
  [[nodiscard]] const Mesh& mesh(std::size_t body) const { return meshes_[kind(body)]; }
  /// Triangles of all bodies.
  [[nodiscard]] std::size_t face_count() const;

  /// `seconds` of any sign.
  [[nodiscard]] Transform pose(std::size_t body, double seconds) const;

 private:
  struct Flight {
    Vec3d start, velocity;  ///< from the low corner of the room
    Vec3d axis;
    double angle = 0, spin = 0;
  };

  CrowdOptions options_;
  double room_ = 0;  ///< edge of the cube that the middles move in
  std::vector<Mesh> meshes_;
  std::vector<Flight> flights_;
};

}  // namespace lamella::scenes
