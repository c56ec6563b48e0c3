#include "scenes/catalogue.hpp"

#include <array>

#include "scenes/models.hpp"
#include "scenes/scenes.hpp"
#include "scenes/terrain.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {
namespace {

/// What stands along y and faces +z, as some models do.
Mesh upright(Mesh mesh) {
  for (Vec3& p : mesh.positions) p = {p.x, -p.z, p.y};
  return mesh;
}

Mesh placed(Mesh mesh, double scale, Vec3d at) {
  for (Vec3& p : mesh.positions) p = to_float(to_double(p) * scale + at);
  return mesh;
}

/// How far the fingers are closed: they hold the phone, and do not meet one another.
constexpr float kGrip = 0.5f;

constexpr std::array kCatalogue{
    CatalogueModel{"hand",
                   12'000,
                   {0.4f, 0.8f, 0.43f},
                   "a hand that grips the phone",
                   [](std::size_t faces) { return hand(faces, kGrip); }},
    CatalogueModel{"phone",
                   4'000,
                   {1.1f, 0.42f, 0.31f},
                   "a telephone handset in the palm of the hand",
                   [](std::size_t faces) { return phone_in_palm(faces); }},
    CatalogueModel{"fist",
                   12'000,
                   {0.37f, 0.7f, 0.38f},
                   "the hand closed further: it overlaps itself",
                   [](std::size_t faces) { return hand(faces, 1); }},
    CatalogueModel{"knot",
                   12'000,
                   {2.8f, 3, 1.3f},
                   "a tube along a trefoil knot",
                   [](std::size_t faces) { return torus_knot(faces); },
                   [](std::size_t faces) { return knot_surface(faces); }},
    CatalogueModel{"serpent",
                   40'000,
                   {2.3f, 2.3f, 1.9f},
                   "a coiled snake that winds through the knot",
                   [](std::size_t faces) {
                     return placed(upright(serpent(faces)), 1.6, {0.1, 0, 0});
                   }},
    CatalogueModel{"mouse",
                   12'000,
                   {1, 1.2f, 1.2f},
                   "a mouse that sits up",
                   [](std::size_t faces) { return upright(mouse(faces)); }},
    CatalogueModel{"hat",
                   4'000,
                   {0.69f, 0.76f, 0.35f},
                   "a hat on the mouse's head",
                   [](std::size_t faces) { return upright(hat_on_head(faces, 0)); }},
    CatalogueModel{"rabbit",
                   12'000,
                   {0.67f, 1.1f, 1.3f},
                   "a rabbit with its ears up, one piece without holes",
                   [](std::size_t faces) { return upright(rabbit(faces)); }},
    CatalogueModel{"figure",
                   12'000,
                   {0.59f, 0.76f, 1.3f},
                   "a seated person",
                   [](std::size_t faces) { return upright(seated_figure(faces)); }},
    CatalogueModel{"helicopter",
                   12'000,
                   {0.87f, 0.5f, 0.39f},
                   "a light helicopter whose skids are in the terrain",
                   [](std::size_t faces) {
                     return placed(helicopter(faces), 0.5, {0, 0, 0.13});
                   }},
    CatalogueModel{"terrain",
                   20'000,
                   {3, 3, 0.85f},
                   "a block with a fractal landscape on top",
                   [](std::size_t faces) { return terrain_block(faces); }},
    CatalogueModel{"blob",
                   12'000,
                   {2.1f, 2.1f, 1.6f},
                   "a ball with bumps and dents",
                   [](std::size_t faces) { return blob(faces); }},
    CatalogueModel{"sphere", 5'000, {2, 2, 2}, "radius 1", [](std::size_t faces) { return sphere(faces); }},
    CatalogueModel{"box", 12, {2, 2, 2}, "edges of length 2", [](std::size_t faces) { return box(faces); }},
    CatalogueModel{"torus",
                   5'000,
                   {2.7f, 2.7f, 0.7f},
                   "a ring of radius 1, 0.7 thick",
                   [](std::size_t faces) { return torus(faces); },
                   [](std::size_t faces) { return torus_surface(faces); }},
};

}  // namespace

std::span<const CatalogueModel> catalogue() { return kCatalogue; }

const CatalogueModel* find_model(std::string_view name) {
  for (const CatalogueModel& model : kCatalogue)
    if (model.name == name) return &model;
  return nullptr;
}

}  // namespace lamella::scenes
