// Sampling a mesh beside reading it once, by faces, resolution and threads.

#include <fmt/core.h>

#include <map>

#include "bench/commands.hpp"
#include "bench/report.hpp"
#include "bench/scaling/builds.hpp"
#include "bench/scaling/pairs.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"
#include "scenes/models.hpp"

namespace lamella::bench {
namespace {

const std::vector<std::uint32_t> kFaces{5'000, 15'000, 50'000, 150'000, 520'000, 1'000'000, 2'000'000};
const std::vector<std::uint32_t> kThreadFaces{150'000, 520'000, 2'000'000};
const std::vector<std::uint32_t> kResolutions{32, 64, 128, 256, 512, 1024};
constexpr std::uint32_t kUsualFaces = 520'000;
constexpr std::uint32_t kUsualResolution = 128;

/// All of the one with all of the other.
struct Sweep {
  std::string name, title;
  std::vector<std::uint32_t> faces, resolutions;
  std::vector<unsigned> threads;
};

/// 1, 2, 4 and so on, and all cores.
std::vector<unsigned> doubling_threads() {
  std::vector<unsigned> counts;
  for (unsigned n = 1; n < core_count(); n *= 2) counts.push_back(n);
  counts.push_back(core_count());
  return counts;
}

std::vector<Sweep> chosen_sweeps(const ScalingArgs& args) {
  // A user's mesh has the faces that it has.
  const auto faces = [&](const std::vector<std::uint32_t>& usual) {
    return args.faces || !args.mesh.empty() ? std::vector{args.faces.value_or(0)} : usual;
  };
  const auto resolutions = [&](const std::vector<std::uint32_t>& usual) {
    return args.resolution ? std::vector{*args.resolution} : usual;
  };
  const std::vector<unsigned> threads = thread_counts(args.threads);
  std::vector<Sweep> all{{"faces", "By faces", faces(kFaces), resolutions({kUsualResolution}), threads},
                         {"resolution", "By resolution", faces({kUsualFaces}), resolutions(kResolutions), threads},
                         {"threads", "By threads; speed-up is over one", faces(kThreadFaces),
                          resolutions({kUsualResolution}), doubling_threads()}};
  std::string only = args.sweep;
  if (only.empty() && args.faces) only = "faces";
  if (only.empty() && args.resolution) only = "resolution";
  if (only.empty()) return all;
  std::erase_if(all, [&](const Sweep& sweep) { return sweep.name != only; });
  if (all.empty())
    throw Error(fmt::format("--sweep: '{}' is none; type one of: faces, resolution, threads, pairs", only));
  return all;
}

std::string model_text(const ScalingArgs& args) { return args.mesh.empty() ? args.model : cli::file_name(args.mesh); }

/// The mesh with so many faces; 0: the user's. Made or loaded once.
const Mesh& mesh_of(const ScalingArgs& args, std::uint32_t faces, std::map<std::uint32_t, Mesh>& known) {
  const auto [entry, fresh] = known.try_emplace(faces);
  if (fresh) entry->second = faces == 0 ? cli::load_world_mesh(args.mesh) : scenes::make_model(args.model, faces);
  return entry->second;
}

double ns_per_face(const Row& row) { return row.number("ms.ldi") * 1e6 / row.number("actual_faces"); }

std::string columns_of(const std::string& sweep) {
  const std::string common =
      "faces=actual_faces|grid=resolution:square|threads|crossings|stream ms=stream_ms|"
      "build ms=ms.ldi|ratio|";
  if (sweep == "resolution") return common + "ns/crossing=ms.ldi/crossings:nano";
  return common + "ns/face=ms.ldi/actual_faces:nano" + (sweep == "threads" ? "|speed-up=speedup" : "");
}

/// Where the image's own cost (clearing and sorting columns, crossings) exceeds that of the mesh, seen from the mesh.
std::string face_findings(const std::vector<Row>& rows) {
  const double largest = ns_per_face(rows.back());
  const std::string most = whole(rows.back().number("actual_faces"));
  const Row* dominated = nullptr;
  const Row* middle = nullptr;
  for (const Row& row : rows) {
    if (ns_per_face(row) > 2 * largest) dominated = &row;
    if (row.number("faces") == 150'000) middle = &row;
  }
  std::string text =
      dominated != nullptr
          ? fmt::format("The image dominates at {} faces and below: a face costs more than twice what it does at {}.\n",
                        whole(dominated->number("actual_faces")), most)
          : fmt::format("The mesh dominates throughout: a face never costs more than twice what it does at {}.\n",
                        most);
  if (middle == nullptr) return text;
  return text + fmt::format("Linear in faces: {:.2f} ns a face at {}, {:.2f} at {} ({:.2f} times).\n",
                            ns_per_face(*middle), whole(middle->number("actual_faces")), largest, most,
                            largest / ns_per_face(*middle));
}

/// The same seen from the image.
std::string resolution_findings(const std::vector<Row>& rows) {
  const std::string smallest = square(rows.front().number("resolution"));
  for (const Row& row : rows) {
    if (row.number("ms.ldi") <= 2 * rows.front().number("ms.ldi")) continue;
    return fmt::format("The image dominates from {} on: there the build takes more than twice that at {}.\n",
                       square(row.number("resolution")), smallest);
  }
  return fmt::format("The mesh dominates throughout: no build takes more than twice that at {}.\n", smallest);
}

Table run(const Sweep& sweep, const BenchEngine& engine, const ScalingArgs& args,
          std::map<std::uint32_t, Mesh>& meshes) {
  Table table{.title = sweep.title, .columns = columns(columns_of(sweep.name))};
  cli::Progress progress(sweep.name);
  for (const std::uint32_t faces : sweep.faces) {
    for (const std::uint32_t resolution : sweep.resolutions) {
      progress.update(table.rows.size(), sweep.faces.size() * sweep.resolutions.size() * sweep.threads.size());
      for (Row& row : time_builds(mesh_of(args, faces, meshes), resolution, engine, sweep.threads)) {
        if (faces != 0) row.set({"faces", faces});
        row.set({"sweep", sweep.name});
        row.set({"model", model_text(args)});
        table.rows.push_back(std::move(row));
      }
    }
  }
  if (sweep.name == "faces" && table.rows.size() > 1) table.findings = face_findings(table.rows);
  if (sweep.name == "resolution" && table.rows.size() > 1) table.findings = resolution_findings(table.rows);
  return table;
}

}  // namespace

void run_scaling(const ScalingArgs& args) {
  if (args.sweep == "pairs") {  // of queries, not of builds
    const Report report("scaling", args.json);
    report.print(pairs_table(args));
    return;
  }
  const std::vector<BenchEngine> engines = bench_engines(Use::queries, args.engine, args.device);
  const std::vector<Sweep> sweeps = chosen_sweeps(args);
  std::map<std::uint32_t, Mesh> meshes;
  const Report report("scaling", args.json);
  report.say(fmt::format(
      "{}\nMesh: {}. Build: bounds, grid, rasterise, sort, of the mesh in its own box. Stream: one thread reads the "
      "mesh's\nindex and vertex arrays once, just before each build. Medians of at least 36 runs after warm-up.\n{}",
      describe_machine(engines), model_text(args),
      any_gpu(engines) ? "Engines on a GPU keep the mesh; each build uploads its positions again and reads the LDI "
                         "back.\n"
                       : ""));
  for (const BenchEngine& engine : engines) {
    report.say(fmt::format("\nEngine {}\n", engine.name));
    for (const Sweep& sweep : sweeps) report.print(run(sweep, engine, args, meshes));
  }
}

}  // namespace lamella::bench
