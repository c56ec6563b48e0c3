#include <fmt/core.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "cli/common.hpp"
#include "cli/model_input.hpp"
#include "cli/progress.hpp"
#include "cli/subcommands.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "scenes/catalogue.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::vector<std::string> names;  ///< none: all
  std::filesystem::path folder;    ///< where to write; empty: only list
  bool json = false;
};

std::vector<ModelInput> chosen(const Args& args) {
  std::vector<ModelInput> models;
  for (const std::string& name : args.names) models.push_back(parse_model(name));
  if (!args.names.empty()) return models;
  for (const scenes::CatalogueModel& model : scenes::catalogue()) models.push_back({&model, model.faces});
  return models;
}

/// One row of the list.
struct Row {
  ModelInput input;
  std::size_t faces = 0;  ///< about; those of the mesh once it is made
  Vec3 extent;
  std::string file;  ///< that was written; empty when none was
};

void make_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (std::filesystem::is_directory(folder, failure) && ::access(folder.c_str(), W_OK) == 0) return;
  throw Error(
      fmt::format("-o: {}: no models can be written there; name a folder that can be written to", folder.string()));
}

/// Each is a file of its name: two of one name would be one file.
void check_names(const std::vector<ModelInput>& models) {
  std::set<std::string_view> names;
  for (const ModelInput& input : models) {
    if (names.insert(input.model->name).second) continue;
    throw Error(
        fmt::format("-o: {0} is there twice, and both would be {0}.ply; write one at a time", input.model->name));
  }
}

std::vector<Row> write(const Args& args, const std::vector<ModelInput>& models) {
  check_names(models);
  make_folder(args.folder);
  Progress progress("models");
  std::vector<Row> rows;
  for (const ModelInput& input : models) {
    const Mesh mesh = input.make();
    const std::filesystem::path file = args.folder / fmt::format("{}.ply", input.model->name);
    write_mesh(file, mesh);
    rows.push_back({input, mesh.triangles.size(), extent(bounds(mesh)), file.string()});
    progress.update(rows.size(), models.size());
  }
  return rows;
}

std::vector<Row> list(const std::vector<ModelInput>& models) {
  std::vector<Row> rows;
  for (const ModelInput& input : models) rows.push_back({input, input.faces, input.model->extent, ""});
  return rows;
}

nlohmann::ordered_json models_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json out{{"query", "models"}, {"models", nlohmann::ordered_json::array()}};
  for (const Row& row : rows) {
    nlohmann::ordered_json model{{"name", row.input.model->name},
                                 {"faces", row.faces},
                                 {"extent", to_json(row.extent)},
                                 {"summary", row.input.model->summary}};
    if (!row.file.empty()) model["file"] = row.file;
    out["models"].push_back(std::move(model));
  }
  return out;
}

std::string extent_text(Vec3 extent) { return fmt::format("{:.2g} x {:.2g} x {:.2g}", extent.x, extent.y, extent.z); }

void print_text(const std::vector<Row>& rows, bool written) {
  Table table{.columns = {{"model"}, {"faces", true}, {"extent"}, {"what it is"}}, .rows = {}};
  if (written) table.columns.push_back({"file"});
  for (const Row& row : rows) {
    table.rows.push_back({fmt::format("model:{}", row.input.model->name), grouped(row.faces), extent_text(row.extent),
                          std::string(row.input.model->summary)});
    if (written) table.rows.back().push_back(row.file);
  }
  fmt::print("{}", to_text(table));
  if (written) return;
  fmt::print(
      "\nType one in place of a mesh file, with another number of faces if you like:\n"
      "  lamella intersect model:hand model:phone:50000\n");
}

void run(const Args& args) {
  const std::vector<ModelInput> models = chosen(args);
  const bool written = !args.folder.empty();
  const std::vector<Row> rows = written ? write(args, models) : list(models);
  args.json ? print_json(models_json(rows)) : print_text(rows, written);
}

}  // namespace

void add_models(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("models", "Built-in models to try things on: what there is, or as files");
  command.add_option("NAME", args->names, "only these: NAME or NAME:FACES").type_name("");
  command.add_option("-o,--output", args->folder, "write them there as .ply; the folder is made when missing")
      .type_name("DIR");
  command.add_flag("--json", args->json, "one JSON object on stdout");
  command.footer(
      "Wherever a command takes a mesh, model:NAME or model:NAME:FACES stands for one of them.\n"
      "All stand along z. Hand and phone, hat and mouse, knot and serpent, helicopter and terrain overlap.\n\n"
      "Examples:\n"
      "  lamella models\n"
      "  lamella models -o meshes hand phone knot:100000");
  command.callback([args, &status] {
    run(*args);
    status = kAnswered;
  });
}

}  // namespace lamella::cli
