// Jang, Jeong, Han: GPU-based Image-space Approach to Collision Detection among Closed Objects: its models and pairs.

#include <fmt/core.h>

#include <array>

#include "cli/common.hpp"
#include "cli/figure/objects.hpp"
#include "cli/figure/panels.hpp"
#include "cli/scene/picture.hpp"
#include "lamella/scene.hpp"
#include "scenes/scenes.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kResolution = 512;  ///< the middle one of the paper's three

constexpr StandIn kJangDragon{"dragon", "serpent", 902'000}, kGoldman{"Goldman", "torus_knot", 521'000},
    kBuddha{"Buddha", "blob", 106'000}, kDinosaur{"dinosaur", "serpent", 108'000};
constexpr std::array<std::array<StandIn, 2>, 4> kPairs{
    {{kJangDragon, kGoldman}, {kJangDragon, kDinosaur}, {kGoldman, kBuddha}, {kDinosaur, kBuddha}}};

void draw_pair(const FigureTask& task, Panels& panels, std::size_t number, bool heavy) {
  const auto& [a, b] = kPairs[number];
  const scenes::Pair pair = scenes::overlapping(a.model, task.faces(a.faces), b.model, task.faces(b.faces), heavy);
  SceneOptions options{.engine = task.options.engine, .threads = task.options.threads, .max_contacts = 0};
  options.device = task.options.device;
  options.resolution = task.sampled(kResolution).resolution;
  Scene scene(options);
  scene.add(pair.a);
  scene.add(pair.b);
  const SceneResult& result = scene.collide();
  const auto title =
      fmt::format("({}) {}: {}, {}", static_cast<char>('a' + number), heavy ? "heavy" : "light", a.name, b.name);
  const auto counts = fmt::format("{} faces, {}", grouped(pair.a.triangles.size() + pair.b.triangles.size()),
                                  counted(result.points.size(), "point"));
  panels.add(draw_scene(scene, result, {.contacts = true, .view = snug(unite(bounds(pair.a), bounds(pair.b)))},
                        panels.blank(kUpY, {title, counts}), task.options.threads));
}

}  // namespace

void draw_jang_12(const FigureTask& task) { draw_objects(task, std::array{kJangDragon, kGoldman, kBuddha, kDinosaur}); }

void draw_jang_13(const FigureTask& task) {
  Panels panels(task, kPairs.size(), 2);
  for (const bool heavy : {false, true}) {
    for (std::size_t i = 0; i < kPairs.size(); ++i) draw_pair(task, panels, i, heavy);
  }
  task.add(panels.image());
}

}  // namespace lamella::cli
