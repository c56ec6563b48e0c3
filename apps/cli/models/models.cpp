#include <fmt/core.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "cli/assembly_input.hpp"
#include "cli/common.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_input.hpp"
#include "cli/models/assembly_files.hpp"
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
  for (const std::string& name : args.names)
    if (!names_assembly(name)) models.push_back(args.folder.empty() ? parse_model(name) : parse_written_model(name));
  if (!args.names.empty()) return models;
  for (const scenes::CatalogueModel& model : scenes::catalogue()) models.push_back({&model, model.faces});
  return models;
}

/// Those that were named; all where only a list was asked for. Files of models alone are written unless it is named.
std::vector<AssemblyInput> chosen_assemblies(const Args& args) {
  std::vector<AssemblyInput> assemblies;
  for (const std::string& name : args.names)
    if (names_assembly(name)) assemblies.push_back(parse_assembly(name));
  if (!args.names.empty() || !args.folder.empty()) return assemblies;
  for (const BuiltInAssembly& assembly : built_in_assemblies()) assemblies.push_back(parse_assembly(assembly.name));
  return assemblies;
}

/// One row of the list.
struct Row {
  ModelInput input;
  std::size_t faces = 0;  ///< about; those of the mesh once it is made
  Vec3 extent;
  std::string file;  ///< that was written; empty when none was
};

/// One row of the list of assemblies.
struct AssemblyRow {
  AssemblyInput input;
  std::size_t parts = 0, meshes = 0, planted = 0;
  std::string file;  ///< the scene file that was written; empty when none was
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

/// By a signal; what was being written is removed.
struct Stopped {
  int signal = 0;
};

Row write_whole(const ModelInput& input, const std::filesystem::path& file) {
  const Mesh mesh = input.make();
  write_mesh(file, mesh);
  return {input, mesh.triangles.size(), extent(bounds(mesh)), file.string()};
}

/// Without the mesh in memory.
Row write_rings(const ModelInput& input, const std::filesystem::path& file) {
  const scenes::RingSurface surface = input.model->rings(input.faces);
  Progress progress(file_name(file));
  const Interrupt interrupt;
  const Aabb box = scenes::write_ply(file, surface, [&](std::uint64_t done, std::uint64_t total) {
    if (interrupt.signal() != 0) throw Stopped{interrupt.signal()};
    progress.update(done, total);
  });
  return {input, surface.triangle_count(), extent(box), file.string()};
}

std::vector<Row> write(const Args& args, const std::vector<ModelInput>& models) {
  check_names(models);
  Progress progress("models");
  std::vector<Row> rows;
  for (const ModelInput& input : models) {
    const std::filesystem::path file = args.folder / fmt::format("{}.ply", input.model->name);
    rows.push_back(input.is_large() ? write_rings(input, file) : write_whole(input, file));
    progress.update(rows.size(), models.size());
  }
  return rows;
}

std::vector<Row> list(const std::vector<ModelInput>& models) {
  std::vector<Row> rows;
  for (const ModelInput& input : models) rows.push_back({input, input.faces, input.model->extent, ""});
  return rows;
}

AssemblyRow write_one(const AssemblyInput& input, const std::filesystem::path& folder) {
  const scenes::SampleAssembly sample = input.make();
  const std::filesystem::path file = write_assembly(folder, input.name(), sample);
  return {input, sample.assembly.parts.size(), sample.assembly.meshes.size(), sample.truth.size(), file.string()};
}

std::vector<AssemblyRow> assembly_rows(const Args& args) {
  std::vector<AssemblyRow> rows;
  for (const AssemblyInput& input : chosen_assemblies(args)) {
    if (args.folder.empty())
      rows.push_back({input, input.parts, input.kind->meshes, 0, ""});
    else
      rows.push_back(write_one(input, args.folder));
  }
  return rows;
}

nlohmann::ordered_json models_json(const std::vector<Row>& rows, const std::vector<AssemblyRow>& assemblies) {
  nlohmann::ordered_json out{{"query", "models"}, {"models", nlohmann::ordered_json::array()}};
  for (const AssemblyRow& row : assemblies) {
    nlohmann::ordered_json assembly{
        {"name", row.input.kind->name}, {"parts", row.parts}, {"summary", row.input.kind->summary}};
    if (!row.file.empty()) {
      assembly["meshes"] = row.meshes;
      assembly["file"] = row.file;
    }
    out["assemblies"].push_back(std::move(assembly));
  }
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

void print_assemblies(const std::vector<AssemblyRow>& rows, bool written) {
  Table table{.columns = {{"assembly"}, {"parts", true}, {"what it is"}}, .rows = {}};
  if (written) table.columns.push_back({"file"});
  for (const AssemblyRow& row : rows) {
    table.rows.push_back(
        {fmt::format("assembly:{}", row.input.kind->name), grouped(row.parts), std::string(row.input.kind->summary)});
    if (written) table.rows.back().push_back(row.file);
  }
  fmt::print("{}", to_text(table));
}

void print_models(const std::vector<Row>& rows, bool written) {
  Table table{.columns = {{"model"}, {"faces", true}, {"extent"}, {"what it is"}}, .rows = {}};
  if (written) table.columns.push_back({"file"});
  for (const Row& row : rows) {
    table.rows.push_back({fmt::format("model:{}", row.input.model->name), grouped(row.faces), extent_text(row.extent),
                          std::string(row.input.model->summary)});
    if (written) table.rows.back().push_back(row.file);
  }
  fmt::print("{}", to_text(table));
}

void print_text(const std::vector<Row>& rows, const std::vector<AssemblyRow>& assemblies, bool written) {
  if (!rows.empty()) print_models(rows, written);
  if (!rows.empty() && !assemblies.empty()) fmt::print("\n");
  if (!assemblies.empty()) print_assemblies(assemblies, written);
  if (written) return;
  fmt::print(
      "\nType one in place of a mesh file, with another number of faces if you like:\n"
      "  lamella intersect model:hand model:phone:50000\n");
}

void run(const Args& args) {
  const std::vector<ModelInput> models = chosen(args);
  const bool written = !args.folder.empty();
  if (written) make_folder(args.folder);
  const std::vector<Row> rows = written ? write(args, models) : list(models);
  const std::vector<AssemblyRow> assemblies = assembly_rows(args);
  args.json ? print_json(models_json(rows, assemblies)) : print_text(rows, assemblies, written);
}

}  // namespace

void add_models(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("models", "Built-in models to try things on: what there is, or as files");
  command.add_option("NAME", args->names, "only these: NAME, NAME:FACES, or an assembly: gearbox, crowd:PARTS")
      .type_name("");
  command
      .add_option("-o,--output", args->folder,
                  "write them there as .ply, assemblies as scene files; the folder is made when missing")
      .type_name("DIR");
  command.add_flag("--json", args->json, "one JSON object on stdout");
  command.footer(
      "Wherever a command takes a mesh, model:NAME or model:NAME:FACES stands for one of them.\n"
      "With -o, knot and torus may have up to 1,000,000,000 faces: they are written without being in memory.\n"
      "All stand along z. Hand and phone, hat and mouse, knot and serpent, helicopter and terrain overlap.\n"
      "An assembly is written as NAME.json, a scene file with its meshes in NAME/, NAME.rules.json, the rules of its\n"
      "clash report, and NAME.truth.json, the clashes that were planted.\n\n"
      "Examples:\n"
      "  lamella models\n"
      "  lamella models -o meshes hand phone knot:100000\n"
      "  lamella models -o meshes knot:100000000 torus:100000000\n"
      "  lamella models -o out gearbox");
  command.callback([args, &status] {
    try {
      run(*args);
      status = kAnswered;
    } catch (const Stopped& stopped) {
      complain("stopped by a signal (Ctrl-C, SIGTERM); the file that was being written is removed");
      status = 128 + stopped.signal;
    }
  });
}

}  // namespace lamella::cli
