#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "answer/layers.hpp"
#include "cli/common.hpp"
#include "cli/html/report.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/query/answer.hpp"
#include "cli/query/pictures.hpp"
#include "cli/subcommands.hpp"
#include "lamella/engine.hpp"
#include "picture/layers.hpp"
#include "picture/spans.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::string mesh;
  double scale = 1;
  Options options;
  std::filesystem::path picture, html;
  picture::Size size;                 ///< of the picture; 0 x 0: as large as it turns out, or the usual
  std::optional<picture::Up> up;      ///< of spans
  std::optional<picture::View> view;  ///< likewise
  Drawn drawn = Drawn::sheet;
  bool json = false;
};

using Sampled = answer::SampledLayers;

picture::Image draw_as_spans(const Args& args, MeshView mesh, std::string_view engine, const Sampled& sampled) {
  PictureArgs usual;
  if (args.size.width != 0) usual.size = args.size;
  usual.up = args.up;
  usual.view = args.view;
  const std::vector<Span> spans = picture::inside_spans(sampled.grid, sampled.layers);
  picture::Picture blank = usual.blank(
      {fmt::format("{}: {}", engine, file_name(args.mesh)),
       fmt::format("{} x {} columns, {}", sampled.grid.columns, sampled.grid.rows, counted(spans.size(), "span"))});
  return draw_spans({&mesh, 1}, sampled.grid, spans, SpanColors::mesh, std::move(blank), args.options.threads);
}

void draw(const Args& args, MeshView mesh, std::string_view engine, const Sampled& sampled) {
  if (args.picture.empty()) return;
  if (sampled.grid.column_count() == 0) return complain("no picture is written: the mesh's box has no volume");
  if (args.drawn == Drawn::spans) {
    return picture::write_png(args.picture, draw_as_spans(args, mesh, engine, sampled));
  }
  const picture::LayerSheet sheet{.grid = sampled.grid,
                                  .layers = sampled.layers,
                                  .lengths = sampled.lengths,
                                  .title = fmt::format("{}: {}, {} x {} columns", engine, file_name(args.mesh),
                                                       sampled.grid.columns, sampled.grid.rows),
                                  .lengths_title = engine == "gl-lists" ? "list length" : "crossings",
                                  .size = args.size};
  picture::write_png(args.picture, picture::draw_layers(sheet));
}

/// "front 2", or "layer 2" where a layer has both facings.
std::string layer_name(const DepthLayer& layer, std::size_t number) {
  return fmt::format("{} {}", layer.mixed ? "layer" : answer::facing_of(layer), number);
}

void print_text(std::string_view engine, const Sampled& sampled) {
  const auto& layers = sampled.layers;
  const auto mixed = std::count_if(layers.begin(), layers.end(), [](const DepthLayer& l) { return l.mixed; });
  const auto fronts = static_cast<std::size_t>(
      std::count_if(layers.begin(), layers.end(), [](const DepthLayer& l) { return l.entry; }));
  const std::string kinds = mixed != 0 ? fmt::format("{} of both facings", mixed)
                                       : fmt::format("{} front, {} back", fronts, layers.size() - fronts);
  print_line("layers", fmt::format("{}; the fullest column has {}", kinds, counted(sampled.max_layers, "crossing")));
  for (std::size_t i = 0; i < layers.size(); ++i)
    print_line(layer_name(layers[i], layers[i].entry ? i + 1 : i - fronts + 1),
               counted(sampled.crossings[i], "crossing"));
  print_line("crossings", grouped(sampled.total));
  const Grid& grid = sampled.grid;
  print_line("grid", grid.column_count() == 0 ? "none: the mesh's box has no volume, nothing was sampled"
                                              : fmt::format("{} x {} columns along {}, box {}", grid.columns, grid.rows,
                                                            "xyz"[grid.w()], to_text(grid.box)));
  print_line("engine", engine);
}

/// The columns as the page's own query of them has them.
void add_columns(Report& report, const Sampled& sampled, Vec3d origin) {
  constexpr std::size_t kMostColumns = 1 << 20, kMostCrossings = 1 << 22;
  const std::size_t columns = sampled.grid.column_count();
  if (columns > kMostColumns || sampled.total > kMostCrossings) {
    report.notes.push_back(fmt::format("The sampled columns are not here: {} with {} are too many for a page.",
                                       counted(columns, "column"), counted(sampled.total, "crossing")));
    return;
  }
  std::vector<std::uint32_t> offsets{0};
  std::vector<float> depths;
  std::vector<std::uint8_t> entering;
  std::vector<Crossing> column;
  for (std::size_t i = 0; i < columns; ++i) {
    column.clear();
    bool mixed = false;
    for (const DepthLayer& layer : sampled.layers) {
      if (layer.depth[i] < 0) continue;
      column.push_back(Crossing::make(layer.depth[i], layer.entry));
      mixed = mixed || layer.mixed;
    }
    std::sort(column.begin(), column.end());
    for (std::size_t k = 0; k < column.size(); ++k) {
      depths.push_back(column[k].depth());
      entering.push_back((mixed ? k % 2 == 0 : column[k].entry()) ? 1 : 0);  // mixed ones alternate
    }
    offsets.push_back(static_cast<std::uint32_t>(depths.size()));
  }
  report.more["columns"] = {{"grid",
                             {{"box", to_json(sampled.grid.box)},
                              {"axis", std::string(1, "xyz"[sampled.grid.w()])},
                              {"columns", sampled.grid.columns},
                              {"rows", sampled.grid.rows},
                              {"origin", to_json(origin)}}},
                            {"offsets", report.packet.add(std::move(offsets))},
                            {"depths", report.packet.add(std::move(depths))},
                            {"entering", report.packet.add(std::move(entering))}};
}

void run(const Args& args) {
  const std::unique_ptr<HtmlFile> html = html_file(args.html);
  Mesh mesh = load_mesh(args.mesh, {.scale = args.scale, .pose = {}});
  const Vec3d origin = std::exchange(mesh.origin, {});  // layers are those of the mesh in its own frame
  Options options = args.options;
  if (options.engine == "automatic") options.engine = "software";
  const std::unique_ptr<Engine> engine = make_engine(options);
  Sampled sampled;
  {
    Progress progress("layers");
    sampled = answer::sample_layers(*engine, mesh, options);
    progress.update(1, 2);
    draw(args, mesh, engine->name(), sampled);
  }
  const bool moved = !(origin == Vec3d{});
  const auto json = [&] {
    nlohmann::ordered_json out = answer::layers_json(sampled, engine->name(), options.resolution);
    if (moved) out["origin"] = to_json(origin);
    return out;
  };
  const auto text = [&] {
    print_text(engine->name(), sampled);
    if (moved) print_line("origin", fmt::format("{}, which the box is relative to", to_text(origin)));
  };
  if (html) {
    mesh.origin = origin;
    Report report{.kind = "layers",
                  .title = object_name(args.mesh),
                  .answer = json(),
                  .text = printed(text),
                  .options = options_json(options, false),
                  .objects = {report_object(args.mesh, mesh)}};
    add_columns(report, sampled, origin);
    html->write(std::move(report));
  }
  args.json ? print_json(json()) : text();
}

void add_options(const Command& command, Args& args) {
  add_mesh_argument(command, "MESH", args.mesh).required();
  command.options_under("Placement");
  add_scale_option(command, "--scale", args.scale, "the mesh");
  command.options_under("Sampling");
  add_engine_option(command, args.options.engine);
  add_device_option(command, args.options.device);
  add_resolution_option(command, args.options.resolution);
  add_axis_option(command, args.options.axis);
  add_crossings_option(command, args.options.max_crossings);
  add_memory_option(command);
  command.options_under("Answer");
  command.add_flag("--json", args.json, "one JSON object on stdout");
  add_html_option(command, args.html);
  command.options_under("Picture");
  const Option picture = add_picture_option(command, args.picture, "draw the layers");
  add_draw_option(command, args.drawn, {Drawn::sheet, Drawn::spans},
                  "the layers side by side; or the columns' spans inside the mesh as sticks, coloured by layer");
  add_up_option(command, args.up).needs(picture);
  add_view_option(command, args.view).needs(picture);
  add_size_option(command, args.size, "as many as the layers take; of spans 1280x960").needs(picture);
}

}  // namespace

void add_layers(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("layers", "A mesh's layers of depth, as an engine's method makes them");
  add_options(command, *args);
  command.footer(
      "Examples:\n"
      "  lamella layers model:hand --resolution 64 --picture layers.png\n"
      "  lamella layers model:serpent --resolution 64 --picture spans.png --draw spans");
  command.callback([args, &status] {
    run(*args);
    status = kAnswered;
  });
}

}  // namespace lamella::cli
