// How the tables of WSCG 2004 and TR 395 are reproduced. Their models are not public; procedural ones of the same face
// counts stand in for them. The published figures are in published.cpp.

#include "bench/paper/cases.hpp"

#include <fmt/core.h>

#include <memory>

#include "bench/workloads.hpp"
#include "cli/common.hpp"
#include "scenes/models.hpp"
#include "scenes/stand_ins.hpp"

namespace lamella::bench {
namespace {

using Cases = std::vector<PaperCase>;

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
    cases.push_back(
        {row, "serpent", faces, points, 64, {}, [=] { return points_inside(scenes::serpent(faces), points); }});
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

PaperCase tr_pair(std::string_view name) {
  const scenes::StandInPair& pair = scenes::stand_in_pair(name);
  const scenes::StandIn &a = scenes::stand_in(pair.a), &b = scenes::stand_in(pair.b);
  return {std::string(name), fmt::format("{} + {}", a.model, b.model), a.faces + b.faces, 0, 128, {}, [&pair] {
            return placed_pair(scenes::make_stand_in_pair(pair));
          }};
}

Cases tr1() {
  Cases cases;
  for (const PublishedRow& row : published_table("TR-1").rows) cases.push_back(tr_pair(row.name));
  return cases;
}

Cases tr2() {
  Cases cases;
  for (const scenes::StandIn& model : scenes::stand_ins()) {
    constexpr std::size_t kPoints = 100'000;
    cases.push_back({std::string(model.paper), std::string(model.model), model.faces, kPoints, 128, {}, [&model] {
                       return points_inside(scenes::make_stand_in(model), kPoints);
                     }});
  }
  return cases;
}

/// The query of figure 12 without the rest of its loop, for which there is no published figure.
Cases tr_figure12() {
  return {{"query alone", "seated_figure", 10'000, 20'000, 128, {}, [] { return falling_particles(10'000, 20'000); }}};
}

}  // namespace

std::vector<PaperCase> paper_cases(std::string_view table) {
  Cases cases;
  if (table == "WSCG-1") cases = wscg1();
  if (table == "WSCG-2") cases = wscg2();
  if (table == "WSCG-3") cases = wscg3();
  if (table == "TR-1") cases = tr1();
  if (table == "TR-2") cases = tr2();
  if (table == "TR-fig10") cases = {tr_pair("knot/dragon")};
  if (table == "TR-fig12") cases = tr_figure12();
  for (PaperCase& c : cases) c.paper = published_figures(table, c.row);
  return cases;
}

std::vector<PaperCase> mesh_cases(const std::filesystem::path& path) {
  constexpr std::size_t kPoints = 100'000;
  const auto mesh = std::make_shared<const Mesh>(cli::load_mesh(path));
  const std::string name = cli::file_name(path);
  Cases cases;
  for (const std::uint32_t resolution : {64u, 128u}) {
    const std::string at = fmt::format(" {0} x {0}", resolution);
    const std::size_t faces = mesh->triangles.size();
    cases.push_back(
        {"points" + at, name, faces, kPoints, resolution, {}, [mesh] { return points_inside(*mesh, kPoints); }});
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
