#include "scenes/stand_ins.hpp"

#include <algorithm>
#include <string>

#include "lamella/error.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {
namespace {

constexpr StandIn kModels[] = {{"knot", "torus_knot", 12'000, 1, {45, 30, 0}},
                               {"rabbit", "rabbit", 50'000, 1, {120, 0, 0}},
                               {"reptile", "serpent", 110'000, 1, {75, 60, 0}},
                               {"santa", "seated_figure", 150'000, 1, {60, 30, 0}},
                               {"dragon", "serpent", 520'000, 2, {120, 30, 0}}};

// Found by trying poses at random.
constexpr StandInPair kPairs[] = {
    {"knot/rabbit shallow", "knot", "rabbit", {330, 45, 0}, {105, 75, 285}, {-0.32, 0.04, -0.28}},
    {"knot/rabbit deep", "knot", "rabbit", {345, 15, 0}, {255, 90, 120}, {-0.02, -0.08, 0.04}},
    {"rabbit/reptile shallow", "rabbit", "reptile", {90, 0, 0}, {75, 30, 105}, {-0.22, -0.30, 0.32}},
    {"rabbit/reptile deep", "rabbit", "reptile", {330, 90, 0}, {330, 150, 60}, {0.28, -0.48, -0.10}},
    {"reptile/santa shallow", "reptile", "santa", {90, 45, 0}, {105, 105, 75}, {-0.16, -0.10, 0.38}},
    {"reptile/santa deep", "reptile", "santa", {120, 105, 0}, {135, 0, 120}, {-0.02, 0, 0.02}},
    {"knot/dragon", "knot", "dragon", {165, 45, 0}, {30, 45, 180}, {0, -0.06, 0.04}}};

template <class List, class Name>
const auto& find(const List& list, std::string_view name, const Name& name_of, const char* what) {
  const auto found = std::find_if(std::begin(list), std::end(list), [&](const auto& e) { return name_of(e) == name; });
  if (found == std::end(list)) throw Error("TR 395 has no " + std::string(what) + " '" + std::string(name) + "'");
  return *found;
}

Vec3d middle(const Mesh& mesh) {
  const Aabb box = box_of(mesh.positions);
  return (to_double(box.min) + to_double(box.max)) * 0.5;
}

double diagonal(const Mesh& mesh) { return double(length(extent(box_of(mesh.positions)))); }

void turn(Mesh& mesh, Vec3d degrees) {
  const auto about = [&](Vec3d axis, double angle) { return Transform{{}, rotation_about(axis, angle * kPi / 180)}; };
  const Transform x = about({1, 0, 0}, degrees.x), y = about({0, 1, 0}, degrees.y), z = about({0, 0, 1}, degrees.z);
  for (Vec3& p : mesh.positions) p = to_float(apply(z, apply(y, apply(x, to_double(p)))));
}

Mesh make_unturned(std::string_view paper) {
  const StandIn& model = stand_in(paper);
  return make_model(model.model, model.faces, model.seed);
}

}  // namespace

std::span<const StandIn> stand_ins() { return kModels; }

const StandIn& stand_in(std::string_view paper) {
  return find(
      kModels, paper, [](const StandIn& m) { return m.paper; }, "model");
}

Mesh make_stand_in(const StandIn& model) {
  Mesh mesh = make_model(model.model, model.faces, model.seed);
  turn(mesh, model.turn);
  return mesh;
}

std::span<const StandInPair> stand_in_pairs() { return kPairs; }

const StandInPair& stand_in_pair(std::string_view name) {
  return find(
      kPairs, name, [](const StandInPair& p) { return p.name; }, "pair");
}

Pair make_stand_in_pair(const StandInPair& pair) {
  Pair out{make_unturned(pair.a), make_unturned(pair.b)};
  const double size = diagonal(out.a), scale = size / diagonal(out.b);
  turn(out.a, pair.turn_a);
  turn(out.b, pair.turn_b);
  for (Vec3& p : out.b.positions) p = to_float(to_double(p) * scale);
  const Vec3d shift = middle(out.a) - middle(out.b) + pair.aside * size;
  for (Vec3& p : out.b.positions) p = to_float(to_double(p) + shift);
  return out;
}

}  // namespace lamella::scenes
