// How the tables of WSCG 2004 and TR 395 are reproduced. Their models are not public; procedural ones of the same face
// counts stand in for them. The published figures are in published.cpp.

#include "bench/paper/cases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <memory>

#include "bench/workloads.hpp"
#include "cli/common.hpp"
#include "scenes/models.hpp"
#include "scenes/stand_ins.hpp"

namespace lamella::bench {
namespace {

using Cases = std::vector<PaperCase>;

/// Made when it is first needed, for all rows that share it.
template <class Thing, class Make>
auto made_once(Make make) {
  return [make, made = std::make_shared<std::shared_ptr<const Thing>>()] {
    if (!*made) *made = std::make_shared<const Thing>(make());
    return *made;
  };
}

/// The published figures without stages 1 and 2, which are done in advance for rigid objects, or without both stages.
Row without(const Row& paper, std::initializer_list<std::string_view> keys) {
  Row rest;
  for (const Field& field : paper.fields())
    if (std::find(keys.begin(), keys.end(), field.key) == keys.end()) rest.set(field);
  return rest;
}

Cases wscg1() {
  Cases cases;
  const auto add = [&](const char* row, std::size_t faces, Grip asked) {
    const char* models = asked == Grip::self_collision ? "hand" : "hand + phone";
    cases.push_back({row, models, faces, 0, 64, {}, [asked] { return grip(4'800, 900, asked); }});
  };
  add("collision", 5'700, Grip::collision);
  add("self-collision", 4'800, Grip::self_collision);
  add("overall", 5'700, Grip::overall);
  return cases;
}

Cases wscg2() {
  Cases cases;
  const auto add = [&](const char* row, std::size_t faces, std::size_t points) {
    cases.push_back({row,
                     "serpent",
                     faces,
                     points,
                     64,
                     {},
                     [=] { return points_inside(std::make_shared<const Mesh>(scenes::serpent(faces)), points); },
                     "inside"});
  };
  add("high", 520'000, 100'000);
  add("medium", 150'000, 30'000);
  add("low", 50'000, 10'000);
  return cases;
}

Cases wscg3() {
  Cases cases;
  const auto scene = std::make_shared<std::optional<Workload>>();  // made once for all rows
  for (const std::uint32_t resolution : {32u, 64u, 128u}) {
    cases.push_back({fmt::format("{0} x {0}", resolution), "hat + mouse", 16'500, 0, resolution, {}, [scene] {
                       if (!*scene) *scene = swaying_hat(1'500, 15'000);
                       return **scene;
                     }});
  }
  return cases;
}

/// A pair, and the same as rigid objects: their shared volume needs new samples at every pose, but which vertices of
/// either lie in the other does not. The paper has no time of that for pairs.
void add_pair(Cases& cases, std::string_view table, std::string_view name) {
  const scenes::StandInPair& pair = scenes::stand_in_pair(name);
  const scenes::StandIn &a = scenes::stand_in(pair.a), &b = scenes::stand_in(pair.b);
  const std::string models = fmt::format("{} + {}", a.model, b.model);
  const Row paper = published_figures(table, name);
  const auto made = made_once<scenes::Pair>([&pair] { return scenes::make_stand_in_pair(pair); });
  cases.push_back(
      {std::string(name), models, a.faces + b.faces, 0, 128, paper, [made] { return placed_pair(made()); }});
  cases.push_back({fmt::format("{}, rigid", name), models, a.faces + b.faces, 0, 128,
                   without(paper, {"paper_stage12_ms", "paper_stage3_ms", "paper_layers_a", "paper_layers_b"}),
                   [made] { return vertices_in_rigid(made()); }, "vertices_inside"});
}

Cases tr1() {
  Cases cases;
  for (const PublishedRow& row : published_table("TR-1").rows) add_pair(cases, "TR-1", row.name);
  return cases;
}

Cases tr2() {
  constexpr std::size_t kPoints = 100'000;
  Cases cases;
  for (const scenes::StandIn& model : scenes::stand_ins()) {
    const Row paper = published_figures("TR-2", model.paper);
    const auto made = made_once<Mesh>([&model] { return scenes::make_stand_in(model); });
    cases.push_back({std::string(model.paper), std::string(model.model), model.faces, kPoints, 128, paper,
                     [made] { return points_inside(made(), kPoints); }, "inside"});
    cases.push_back({fmt::format("{}, rigid", model.paper), std::string(model.model), model.faces, kPoints, 128,
                     without(paper, {"paper_stage12_ms", "paper_layers_a"}),
                     [made] { return points_in_rigid(made(), kPoints); }, "inside"});
  }
  return cases;
}

Cases tr_figure10() {
  Cases cases;
  add_pair(cases, "TR-fig10", "knot/dragon");
  return cases;
}

/// The query of figure 12 without the rest of its loop, for which there is no published figure.
Cases tr_figure12() {
  return {{"query alone",
           "seated_figure",
           10'000,
           20'000,
           128,
           {},
           [] { return falling_particles(10'000, 20'000); },
           "inside"}};
}

}  // namespace

std::vector<PaperCase> paper_cases(std::string_view table) {
  Cases cases;
  if (table == "WSCG-1") cases = wscg1();
  if (table == "WSCG-2") cases = wscg2();
  if (table == "WSCG-3") cases = wscg3();
  if (table == "TR-1") cases = tr1();
  if (table == "TR-2") cases = tr2();
  if (table == "TR-fig10") cases = tr_figure10();
  if (table == "TR-fig12") cases = tr_figure12();
  for (PaperCase& c : cases)
    if (c.paper.fields().empty()) c.paper = published_figures(table, c.row);
  return cases;
}

std::vector<PaperCase> mesh_cases(const std::filesystem::path& path) {
  constexpr std::size_t kPoints = 100'000;
  const auto mesh = std::make_shared<const Mesh>(cli::load_world_mesh(path));
  const std::string name = cli::file_name(path);
  Cases cases;
  for (const std::uint32_t resolution : {64u, 128u}) {
    const std::string at = fmt::format(" {0} x {0}", resolution);
    const std::size_t faces = mesh->triangles.size();
    cases.push_back({"points" + at,
                     name,
                     faces,
                     kPoints,
                     resolution,
                     {},
                     [mesh] { return points_inside(mesh, kPoints); },
                     "inside"});
    cases.push_back({"self-overlap" + at, name, faces, 0, resolution, {}, [mesh] { return self_overlap(*mesh); }});
  }
  return cases;
}

std::string stand_in_text() {
  std::string text;
  for (const scenes::StandIn& m : scenes::stand_ins())
    text += fmt::format("{}{} -> {}", text.empty() ? "" : ", ", m.paper, m.model);
  return text + ";\nhand, phone, hat and mouse are our own of the same name";
}

}  // namespace lamella::bench
