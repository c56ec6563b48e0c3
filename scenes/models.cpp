#include "scenes/models.hpp"

#include <string>

#include "lamella/error.hpp"

namespace lamella::scenes {
namespace {

struct Entry {
  std::string_view name;
  Mesh (*make)(std::size_t faces, std::uint32_t seed);
};

constexpr Entry kModels[] = {
    {"sphere", [](std::size_t faces, std::uint32_t) { return sphere(faces); }},
    {"box", [](std::size_t faces, std::uint32_t) { return box(faces); }},
    {"torus", [](std::size_t faces, std::uint32_t) { return torus(faces); }},
    {"torus_knot", [](std::size_t faces, std::uint32_t) { return torus_knot(faces); }},
    {"blob", [](std::size_t faces, std::uint32_t seed) { return blob(faces, seed); }},
    {"serpent", [](std::size_t faces, std::uint32_t seed) { return serpent(faces, seed); }},
    {"hand", [](std::size_t faces, std::uint32_t) { return hand(faces); }},
    {"phone", [](std::size_t faces, std::uint32_t) { return phone(faces); }},
    {"hat", [](std::size_t faces, std::uint32_t) { return hat(faces); }},
    {"mouse", [](std::size_t faces, std::uint32_t seed) { return mouse(faces, seed); }},
    {"seated_figure", [](std::size_t faces, std::uint32_t) { return seated_figure(faces); }},
    {"rabbit", [](std::size_t faces, std::uint32_t) { return rabbit(faces); }},
    {"helicopter", [](std::size_t faces, std::uint32_t) { return helicopter(faces); }},
};

}  // namespace

std::vector<std::string_view> model_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kModels) names.push_back(entry.name);
  return names;
}

Mesh make_model(std::string_view name, std::size_t faces, std::uint32_t seed) {
  std::string known;
  for (const Entry& entry : kModels) {
    if (entry.name == name) return entry.make(faces, seed);
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error("no model is named '" + std::string(name) + "'; choose one of " + known);
}

}  // namespace lamella::scenes
