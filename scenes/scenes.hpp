#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenes/models.hpp"
#include "scenes/motions.hpp"

namespace lamella::scenes {

/// A placed pair whose solids overlap.
struct Pair {
  Mesh a, b;
};

/// WSCG 2004 table 1: a hand and a phone in its palm at time t of the grip (period 1, fully closed at 0.5).
[[nodiscard]] Pair hand_and_phone(std::size_t hand_faces, std::size_t phone_faces, float t);
/// WSCG 2004 table 3: a hat on a mouse's head, swaying with t.
[[nodiscard]] Pair hat_and_mouse(std::size_t hat_faces, std::size_t mouse_faces, float t);
/// The phone of the first pair and the hat of the second, without their partners.
[[nodiscard]] Mesh phone_in_palm(std::size_t faces);
[[nodiscard]] Mesh hat_on_head(std::size_t faces, float t);
/// TR 395 table 1: two models that overlap a little (`deep` false, its figure 8) or much (figure 9).
[[nodiscard]] Pair overlapping(std::string_view a, std::size_t a_faces, std::string_view b, std::size_t b_faces,
                               bool deep);
/// The same of meshes at hand; `b` is scaled to the size of `a`.
[[nodiscard]] Pair overlapping(Mesh a, Mesh b, bool deep);
/// Seeded points, uniform in the mesh's bounding box.
[[nodiscard]] std::vector<Vec3> random_points(MeshView mesh, std::size_t count, std::uint32_t seed = 1);

}  // namespace lamella::scenes
