#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/packet.hpp"
#include "simulate/simulation.hpp"

namespace lamella::cli {

struct FilmLimits {
  std::size_t vertices = 500'000;  ///< of all solids; beyond, vertices near each other are drawn as one
  std::size_t dots = 10'000;       ///< of a step; beyond, each n-th is kept
  std::size_t places = 4'000'000;  ///< of all steps; beyond, every second step is left out, again and again
};

/// A simulation's frames as a page plays them: `frames` of viewer/PROTOCOL.md. A solid that moves rigidly is kept once,
/// with a pose for each step.
class Film {
 public:
  /// `rate`: steps a second.
  explicit Film(double rate, const FilmLimits& limits = {}) : rate_(rate), limits_(limits) {}

  /// The next step. All have the same solids, with the same triangles.
  void add(const simulate::Drawing& drawing, session::Json figures);
  [[nodiscard]] std::size_t step_count() const { return steps_.size(); }

  /// The arrays go into `packet`. After the last step.
  [[nodiscard]] session::Json finish(session::PacketWriter& packet) const;
  /// What was left out: a sentence each.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  using Positions = std::shared_ptr<const std::vector<Vec3>>;
  struct Solid {
    std::vector<std::uint32_t> kept;  ///< vertices of the drawing
    std::vector<Triangle> triangles;  ///< of those
    std::size_t faces = 0;            ///< of the drawing
    simulate::Color color;
    float opacity = 1;
    Positions base;  ///< that the last step used
  };
  /// Where a solid is: `base`, placed by `pose`.
  struct Place {
    Positions base;
    Transform pose;
    simulate::Color color;
  };
  struct Step {
    std::vector<Place> solids;
    std::vector<std::vector<Vec3>> dots;
    session::Json figures;
    std::string note;
  };

  void begin(const simulate::Drawing& drawing);
  [[nodiscard]] Place place_of(Solid& solid, const simulate::Drawing::Solid& drawn) const;
  [[nodiscard]] std::vector<Vec3> thinned(std::vector<Vec3> dots, std::size_t all);
  [[nodiscard]] static std::size_t places_of(const Step& step, const Step* before);
  void drop_every_second();
  [[nodiscard]] session::Json step_json(const Step& step, const Step* before, session::PacketWriter& packet) const;

  double rate_;
  FilmLimits limits_;
  std::vector<Solid> solids_;
  std::vector<simulate::Drawing::Dots> dots_;  ///< without positions
  Aabb view_;
  Vec3 looking_;
  std::vector<Step> steps_;
  std::size_t places_ = 0;    ///< of all steps
  std::size_t given_ = 0;     ///< steps that add() got
  std::size_t stride_ = 1;    ///< each so many is kept
  std::size_t dot_part_ = 1;  ///< the largest n of dots of which each n-th was kept
};

/// The rigid motion that takes `from` to `to`, when there is one: within 2^-15 of its size. Both have the same number
/// of points, of which three must not be on a line, unless both are the same.
[[nodiscard]] std::optional<Transform> rigid_motion(std::span<const Vec3> from, std::span<const Vec3> to);

}  // namespace lamella::cli
