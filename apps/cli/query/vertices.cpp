#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/options.hpp"
#include "cli/query/answer.hpp"
#include "cli/query/pictures.hpp"
#include "cli/repair_input.hpp"
#include "cli/stopwatch.hpp"
#include "cli/subcommands.hpp"

namespace lamella::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Args {
  std::string a, b, list;
  Placement place_a, place_b;
  QueryArgs query;
};

std::string vertices_text(std::uint64_t n) { return n == 1 ? "1 vertex" : grouped(n) + " vertices"; }

/// Null for a way out that the box cuts off.
Json way_json(float way) { return std::isfinite(way) ? Json(shortest(way)) : Json(nullptr); }

Json json_of(const VerticesOfOne& found, std::size_t vertices) {
  Json list = Json::array();
  for (const VertexInside& v : found.inside) {
    list.push_back({{"vertex", v.vertex},
                    {"depth", way_json(v.depth())},
                    {"back", way_json(v.back)},
                    {"ahead", way_json(v.ahead)}});
  }
  return {
      {"inside", found.inside.size()}, {"looked_up", found.looked_up}, {"of", vertices}, {"vertices", std::move(list)}};
}

Json vertices_json(const VerticesInside& answer, const Mesh& a, const Mesh& b, const Args& args, double load_ms) {
  Json out;
  out["query"] = "vertices";
  out["inside"] = answer.a_in_b.inside.size() + answer.b_in_a.inside.size();
  out["a_in_b"] = json_of(answer.a_in_b, a.positions.size());
  out["b_in_a"] = json_of(answer.b_in_a, b.positions.size());
  answer::add_grid(out, answer.a_in_b.grid, answer.origin, args.query.options.resolution);
  answer::add_engine_health_ms(out, answer.engine, answer.health, answer.ms, answer.read_back_bytes, load_ms);
  if (answer.alternating) out["alternating"] = true;
  out["health"]["untrusted_points"] = answer.health.untrusted_points;
  out["files"] = {args.a, args.b};
  return out;
}

std::string describe(const VerticesOfOne& found, std::size_t vertices, const std::string& mesh) {
  std::string text = fmt::format("{} of {} of {} ({} in the sampled box)", grouped(found.inside.size()),
                                 vertices_text(vertices), file_name(mesh), grouped(found.looked_up));
  if (found.inside.empty()) return text;
  const auto deepest =
      std::max_element(found.inside.begin(), found.inside.end(),
                       [](const VertexInside& v, const VertexInside& w) { return v.depth() < w.depth(); });
  return fmt::format("{}; deepest: vertex {}, {} along the ray", text, deepest->vertex, to_text(deepest->depth()));
}

void print_text(const VerticesInside& answer, const Mesh& a, const Mesh& b, const Args& args,
                const Subjects& subjects) {
  const std::size_t inside = answer.a_in_b.inside.size() + answer.b_in_a.inside.size();
  print_line("inside", inside == 0 ? "none" : vertices_text(inside));
  print_line("A in B", describe(answer.a_in_b, a.positions.size(), args.a));
  print_line("B in A", describe(answer.b_in_a, b.positions.size(), args.b));
  print_assumption(answer.alternating, answer.engine);
  const auto doubt = fmt::format("{} in them are not counted", vertices_text(answer.health.untrusted_points));
  print_circumstances(answer.a_in_b.grid, answer.origin, cli::describe(answer.health, subjects, doubt), answer.ms,
                      answer.engine, subjects);
}

void write_list(const std::string& path, const VerticesInside& answer) {
  std::string text = "mesh,vertex,depth,back,ahead\n";
  const auto add = [&](std::string_view mesh, const VerticesOfOne& found) {
    for (const VertexInside& v : found.inside)
      text += fmt::format("{},{},{},{},{}\n", mesh, v.vertex, v.depth(), v.back, v.ahead);
  };
  add("A", answer.a_in_b);
  add("B", answer.b_in_a);
  write_file(path, text);
}

int run(const Args& args) {
  hint_at_up(args.query.picture, std::array{args.a, args.b});
  const Stopwatch loading;
  const Mesh a = load_mesh(args.a, args.place_a);
  const Mesh b = load_mesh(args.b, args.place_b);
  Subjects subjects{.names = {args.a, args.b}, .volumes = {}, .load_ms = loading.ms()};

  Options options = args.query.options;
  options.close_holes = !args.query.as_is;
  const VerticesInside answer = vertices_inside(a, b, options);
  if (!args.list.empty()) write_list(args.list, answer);
  if (args.query.picture.wanted()) {
    const auto names = fmt::format("{} and {}", file_name(args.a), file_name(args.b));
    const auto caption =
        fmt::format("{} inside the other", vertices_text(answer.a_in_b.inside.size() + answer.b_in_a.inside.size()));
    picture::write_png(args.query.picture.file,
                       draw_vertices(relative_to(a, answer.origin), relative_to(b, answer.origin), answer,
                                     args.query.picture.blank({names, caption}), options.threads));
  }

  if (args.query.json) {
    print_json(vertices_json(answer, a, b, args, subjects.load_ms));
  } else {
    subjects.volumes = {signed_volume(a), signed_volume(b)};
    print_text(answer, a, b, args, subjects);
  }
  const bool undecided = !answer.any() && answer.health.untrusted_points != 0;
  return status_of(answer.any() ? Verdict::colliding
                   : undecided  ? Verdict::undecided
                                : Verdict::clear,
                   args.query.exit_zero);
}

}  // namespace

void add_vertices(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command =
      app.add_subcommand("vertices", "Which vertices of two meshes lie inside the other, and how deep");
  add_mesh_argument(command, "A", args->a, "first mesh").required();
  add_mesh_argument(command, "B", args->b, "second mesh").required();
  add_placement_options(command, "-a", args->place_a, "A");
  add_placement_options(command, "-b", args->place_b, "B");
  add_query_options(command, args->query);
  add_repair_option(command);
  command.options_under("Answer");
  command
      .add_option("-o,--output", args->list,
                  "file to write: mesh, vertex number and depths, one line per vertex inside")
      .type_name("OUT.csv");
  command.footer(fmt::format(
      "{}\n\n"
      "Depths are distances along the rays to where they leave the other mesh: back towards smaller\n"
      "coordinates, ahead towards larger ones, depth the smaller of both. A way beyond the sampled box is\n"
      "null, in the CSV file inf. Meshes can overlap although no vertex is inside: ask `lamella intersect`.\n\n"
      "Examples:\n"
      "  lamella vertices model:hand model:phone --picture vertices.png\n"
      "  lamella vertices tool.ply tissue.ply --resolution 256 -o vertices.csv",
      kPoseForms));
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
