#include "scenes/crowded_assembly.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "scenes/outlines.hpp"
#include "scenes/prism_stack.hpp"
#include "scenes/random.hpp"

namespace lamella::scenes {
namespace {

/// A generator of its own for each number: mixed as in SplitMix64 (Steele, Lea, Flood 2014).
Random random_of(std::uint32_t seed, std::uint64_t what, std::uint64_t number) {
  std::uint64_t x = number * 0x9E3779B97F4A7C15ull + (std::uint64_t{seed} << 32 ^ what * 0xBF58476D1CE4E5B9ull);
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  Random random(0);
  random.state = x ^ x >> 31;
  random.next();
  return random;
}
constexpr std::uint64_t kOfMesh = 1, kOfPart = 2, kOfPair = 3;

/// A wheel with teeth of their own number and width.
Mesh toothed(std::size_t faces, Random& random) {
  const int teeth = 8 + static_cast<int>(random.uniform(0, 12));
  const int corners = static_cast<int>(faces / 4) - 24, each = std::max(3, corners / teeth / 2);
  GearShape shape{.teeth = teeth, .module = 2.0 / teeth, .backlash = random.uniform(0, 0.05), .flank_points = each};
  const double half = random.uniform(0.1, 0.8);
  return plate(-half, half, gear(shape), {circle(random.uniform(0.2, 0.5), {}, 24)}).mesh();
}

Mesh stepped(std::size_t faces, Random& random) {
  const int corners = std::max(3, static_cast<int>(faces / 22));
  std::vector<Polygon> outlines;
  for (int i = 1; i <= 4; ++i) outlines.push_back(circle(0.15 * i + random.uniform(0, 0.1), {}, corners));
  return stepped_shaft(
             -1,
             {{random.uniform(-0.9, -0.5), 0}, {random.uniform(-0.4, -0.1), 3}, {random.uniform(0, 0.5), 2}, {1, 1}},
             outlines)
      .mesh();
}

Mesh shape(const CrowdedOptions& options, std::uint32_t number, Random& random) {
  switch (number % 4) {
    case 0:
      return blob(options.faces, options.seed * 0x9E3779B9u + number);
    case 1:
      return toothed(options.faces, random);
    case 2:
      return torus(options.faces, 1, static_cast<float>(random.uniform(0.15, 0.6)));
    default:
      return stepped(options.faces, random);
  }
}

// Parts come in sets of six: four of them alone, two close to each other. Each of the four, and each pair, has a place
// of its own in a cubic lattice, wide enough for a pair.
constexpr std::uint64_t kSet = 6, kPlaces = 5;
constexpr double kSpacing = 4.5;

struct Place {
  std::uint64_t site = 0;
  int side = 0;  ///< of a pair: -1 and 1
};

Place place_of(const CrowdedOptions& options, std::uint64_t number) {
  const std::uint64_t sets = options.parts / kSet;
  if (number >= sets * kSet) return {sets * kPlaces + number - sets * kSet};
  const std::uint64_t member = number / sets, set = number % sets;
  if (member < kPlaces - 1) return {set * kPlaces + member};
  return {set * kPlaces + kPlaces - 1, member == kPlaces - 1 ? -1 : 1};
}

}  // namespace

Mesh crowded_mesh(const CrowdedOptions& options, std::uint32_t number) {
  Random random = random_of(options.seed, kOfMesh, number);
  Mesh mesh = shape(options, number, random);
  double farthest = 0;
  for (const Vec3 p : mesh.positions) farthest = std::max(farthest, length(to_double(p)));
  const double scale = random.uniform(0.5, 1) / farthest;
  for (Vec3& p : mesh.positions) p = to_float(to_double(p) * scale);
  return mesh;
}

AssemblyPart crowded_part(const CrowdedOptions& options, std::uint64_t number) {
  const Place place = place_of(options, number);
  const std::uint64_t sites = options.parts / kSet * kPlaces + options.parts % kSet;
  auto side = static_cast<std::uint64_t>(std::ceil(elementary::cbrt(double(sites))));
  while (side * side * side < sites) ++side;
  Vec3d at{double(place.site % side), double(place.site / side % side), double(place.site / side / side)};
  at = at * kSpacing;
  if (place.side != 0) {
    // Both of a pair draw the same way and distance.
    Random pair = random_of(options.seed, kOfPair, place.site);
    const Vec3d way = pair.direction();
    at = at + way * (0.5 * place.side * pair.uniform(0.2, 1.4));
  }
  Random random = random_of(options.seed, kOfPart, number);
  const Vec3d axis = random.direction();
  return {.name = "part " + std::to_string(number),
          .mesh = static_cast<std::uint32_t>(number % options.meshes),
          .pose = {at, normalized(rotation_about(axis, random.uniform(0, 2 * kPi)))},
          .group = "crowd",
          .layer = place.side == 0 ? "alone" : "pairs"};
}

std::string crowded_mesh_name(std::uint32_t number) { return "mesh " + std::to_string(number); }

Assembly crowded_assembly(const CrowdedOptions& options) {
  if (options.parts >= ~std::uint32_t{0})
    throw Error("a crowded assembly of " + std::to_string(options.parts) +
                " parts has more than there are numbers for; make its parts one at a time");
  Assembly assembly;
  for (std::uint32_t i = 0; i < options.meshes; ++i) {
    assembly.meshes.push_back(crowded_mesh(options, i));
    assembly.mesh_names.push_back(crowded_mesh_name(i));
  }
  assembly.parts.reserve(options.parts);
  for (std::uint64_t i = 0; i < options.parts; ++i) assembly.parts.push_back(crowded_part(options, i));
  return assembly;
}

}  // namespace lamella::scenes
