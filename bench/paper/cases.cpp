// The tables of Heidelberger, Teschner and Gross: "Detection of Collisions and Self-collisions Using Image-space
// Techniques" (WSCG 2004) and "Volumetric Collision Detection for Deformable Objects" (ETH TR 395, 2003).
// Their models are not public; procedural ones of the same face counts stand in for them.

#include "bench/paper/cases.hpp"

#include <fmt/core.h>

#include <array>
#include <memory>

#include "bench/workloads.hpp"
#include "cli/common.hpp"
#include "scenes/models.hpp"

namespace lamella::bench {
namespace {

struct Model {
  std::string_view paper, ours;
  std::size_t faces;  ///< in TR 395
};

constexpr Model kKnot{"knot", "torus_knot", 12'000};
constexpr Model kRabbit{"rabbit", "blob", 50'000};
constexpr Model kReptile{"reptile", "serpent", 110'000};
constexpr Model kSanta{"santa", "seated_figure", 150'000};
constexpr Model kDragon{"dragon", "serpent", 520'000};

/// In the order of the paper's columns.
Row wscg(double ordered, double unordered, double software) {
  return {{"paper_ordered_ms", ordered}, {"paper_unordered_ms", unordered}, {"paper_software_ms", software}};
}

Row wscg(double ordered, double unordered, double software, double ordered_max, double unordered_max,
         double software_max) {
  Row row = wscg(ordered, unordered, software);
  row.set({"paper_ordered_max_ms", ordered_max});
  row.set({"paper_unordered_max_ms", unordered_max});
  row.set({"paper_software_max_ms", software_max});
  return row;
}

Row stages(double stage12, double stage3) { return {{"paper_stage12_ms", stage12}, {"paper_stage3_ms", stage3}}; }

PaperTable wscg1() {
  PaperTable table{
      "WSCG-1", "WSCG 2004, table 1: a hand closes around a phone, 64 x 64; min - max over the sequence", {}};
  const auto add = [&](const char* row, std::size_t faces, const Row& paper, Grip asked) {
    const char* models = asked == Grip::self_collision ? "hand" : "hand + phone";
    table.cases.push_back({row, models, faces, 0, 64, paper, [asked] { return grip(4'800, 900, asked); }});
  };
  add("collision", 5'700, wscg(28.6, 9.5, 2.8, 37.3, 12.2, 4.1), Grip::collision);
  add("self-collision", 4'800, wscg(40.0, 12.3, 4.9, 54.2, 17.7, 7.1), Grip::self_collision);
  add("overall", 5'700, wscg(68.6, 21.8, 7.7, 91.5, 29.9, 11.2), Grip::overall);
  return table;
}

PaperTable wscg2() {
  PaperTable table{"WSCG-2", "WSCG 2004, table 2: particles in a dragon, 64 x 64", {}};
  const auto add = [&](const char* row, std::size_t faces, std::size_t points, const Row& paper) {
    table.cases.push_back(
        {row, "serpent", faces, points, 64, paper, [=] { return points_inside(scenes::serpent(faces), points); }});
  };
  add("high", 520'000, 100'000, wscg(453.1, 225.2, 398.7));
  add("medium", 150'000, 30'000, wscg(160.6, 74.5, 105.2));
  add("low", 50'000, 10'000, wscg(50.3, 24.4, 37.1));
  return table;
}

PaperTable wscg3() {
  PaperTable table{"WSCG-3", "WSCG 2004, table 3: a hat sways on a mouse's head, by resolution", {}};
  const auto scene = std::make_shared<std::optional<Workload>>();  // made once for all rows
  const auto add = [&](std::uint32_t resolution, const Row& paper) {
    table.cases.push_back({fmt::format("{0} x {0}", resolution), "hat + mouse", 16'500, 0, resolution, paper, [scene] {
                             if (!*scene) *scene = swaying_hat(1'500, 15'000);
                             return **scene;
                           }});
  };
  add(32, wscg(24.0, 8.0, 2.1));
  add(64, wscg(26.0, 8.7, 3.0));
  add(128, wscg(51.1, 17.2, 5.9));
  return table;
}

PaperCase tr_pair(std::string row, const Model& a, const Model& b, bool deep, const Row& paper) {
  return {std::move(row), fmt::format("{} + {}", a.ours, b.ours), a.faces + b.faces, 0, 128, paper, [=] {
            return placed_pair(a.ours, a.faces, b.ours, b.faces, deep);
          }};
}

PaperTable tr1() {
  PaperTable table{"TR-1", "TR 395, table 1: intersection volume of a pair, 128 x 128", {}};
  const auto add = [&](const Model& a, const Model& b, double shallow, double deep) {
    const auto row = fmt::format("{}/{}", a.paper, b.paper);
    table.cases.push_back(tr_pair(row + " shallow", a, b, false, stages(shallow, 1)));
    table.cases.push_back(tr_pair(row + " deep", a, b, true, stages(deep, 1)));
  };
  add(kKnot, kRabbit, 19, 56);
  add(kRabbit, kReptile, 36, 48);
  add(kReptile, kSanta, 25, 114);
  return table;
}

PaperTable tr2() {
  PaperTable table{"TR-2", "TR 395, table 2: 100,000 points in an object, 128 x 128", {}};
  const auto add = [&](const Model& model, double stage12, double stage3) {
    constexpr std::size_t kPoints = 100'000;
    table.cases.push_back({std::string(model.paper), std::string(model.ours), model.faces, kPoints, 128,
                           stages(stage12, stage3),
                           [=] { return points_inside(scenes::make_model(model.ours, model.faces), kPoints); }});
  };
  add(kKnot, 11, 26);
  add(kRabbit, 29, 27);
  add(kReptile, 83, 28);
  add(kSanta, 79, 26);
  add(kDragon, 307, 27);
  return table;
}

PaperTable tr_figure10() {
  PaperTable table{"TR-fig10", "TR 395, figure 10: a complex intersection volume, 128 x 128", {}};
  table.cases = {tr_pair("knot/dragon", kKnot, kDragon, true, {{"paper_stage12_ms", 256.0}})};
  return table;
}

PaperTable tr_figure12() {
  PaperTable table{"TR-fig12", "TR 395, figure 12: 20,000 particles fall through a deforming santa, 128 x 128", {}};
  table.cases = {{"particles", "seated_figure", 10'000, 20'000, 128, {{"paper_loop_fps", 29.0}}, [] {
                    return falling_particles(10'000, 20'000);
                  }}};
  return table;
}

}  // namespace

std::vector<PaperTable> paper_tables() {
  return {wscg1(), wscg2(), wscg3(), tr1(), tr2(), tr_figure10(), tr_figure12()};
}

PaperTable mesh_table(const std::filesystem::path& path) {
  constexpr std::size_t kPoints = 100'000;
  const auto mesh = std::make_shared<const Mesh>(cli::load_mesh(path));
  const std::string name = cli::file_name(path);
  PaperTable table{"mesh", fmt::format("{}: 100,000 points in it, and its self-overlap", name), {}};
  for (const std::uint32_t resolution : {64u, 128u}) {
    const std::string at = fmt::format(" {0} x {0}", resolution);
    const std::size_t faces = mesh->triangles.size();
    table.cases.push_back(
        {"points" + at, name, faces, kPoints, resolution, {}, [mesh] { return points_inside(*mesh, kPoints); }});
    table.cases.push_back(
        {"self-overlap" + at, name, faces, 0, resolution, {}, [mesh] { return self_overlap(*mesh); }});
  }
  return table;
}

std::string stand_ins() {
  std::string text;
  for (const Model& m : {kKnot, kRabbit, kReptile, kSanta, kDragon}) {
    text += fmt::format("{}{} -> {}", text.empty() ? "" : ", ", m.paper, m.ours);
  }
  return text + ";\nhand, phone, hat and mouse are our own of the same name";
}

}  // namespace lamella::bench
