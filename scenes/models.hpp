#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::scenes {

/// Every model's name, in the order of the functions below.
[[nodiscard]] std::vector<std::string_view> model_names();

/// A model by name at about `faces` triangles (the nearest count its parametrisation allows, never fewer than it
/// needs to be closed). `seed` varies those that have randomness (blob, serpent, mouse); the others ignore it.
/// Throws Error for an unknown name. Every model is closed, outward-facing, one unit or so in size, near the origin.
[[nodiscard]] Mesh make_model(std::string_view name, std::size_t faces, std::uint32_t seed = 1);

[[nodiscard]] Mesh sphere(std::size_t faces, float radius = 1);
[[nodiscard]] Mesh box(std::size_t faces, Vec3 half_size = {1, 1, 1});
[[nodiscard]] Mesh torus(std::size_t faces, float ring_radius = 1, float tube_radius = 0.35f);
/// (p, q) torus knot; at the default tube radius it does not touch itself, at 0.6 it overlaps itself.
[[nodiscard]] Mesh torus_knot(std::size_t faces, float tube_radius = 0.25f, int p = 2, int q = 3);
[[nodiscard]] Mesh blob(std::size_t faces, std::uint32_t seed = 1);
/// A long body with coils that come close to one another without touching; stands in for the papers' dragon.
[[nodiscard]] Mesh serpent(std::size_t faces, std::uint32_t seed = 1);
/// An open right hand with five fingers; `close` from 0 (open) to 1 (a fist, which overlaps itself).
[[nodiscard]] Mesh hand(std::size_t faces, float close = 0);
[[nodiscard]] Mesh phone(std::size_t faces);
[[nodiscard]] Mesh hat(std::size_t faces);
[[nodiscard]] Mesh mouse(std::size_t faces, std::uint32_t seed = 1);
[[nodiscard]] Mesh seated_figure(std::size_t faces);
/// Crouches with its ears up; stands in for the Stanford bunny. Genus 0: one geometry image holds it.
[[nodiscard]] Mesh rabbit(std::size_t faces);
/// Nose towards +x, rotor up in +z. Genus 0.
[[nodiscard]] Mesh helicopter(std::size_t faces);

}  // namespace lamella::scenes
