#include "bench/scaling/scaling.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/engines.hpp"
#include "bench/measure.hpp"
#include "bench/scaling/builds.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kFaces[] = {5'000, 15'000, 50'000, 150'000, 520'000, 1'000'000, 2'000'000};
constexpr std::uint32_t kThreadFaces[] = {150'000, 520'000, 2'000'000};
constexpr std::uint32_t kResolutions[] = {32, 64, 128, 256, 512, 1024};
constexpr std::uint32_t kUsualFaces = 520'000;
constexpr std::uint32_t kUsualResolution = 128;

/// A mesh of the sweep at one resolution, for one or more numbers of threads.
struct Point {
  std::uint32_t faces;  ///< asked for; a user's mesh has its own
  std::uint32_t resolution;
  std::vector<unsigned> threads;
};

struct Sweep {
  std::string name;
  std::vector<Point> points;
};

/// A point of a sweep with its times.
struct Row {
  std::size_t asked_faces = 0;
  Build build;
  double speedup = 1;  ///< over the point's first number of threads
};

/// 1, 2, 4 and so on, and all cores.
std::vector<unsigned> thread_counts() {
  std::vector<unsigned> counts;
  for (unsigned n = 1; n < core_count(); n *= 2) counts.push_back(n);
  counts.push_back(core_count());
  return counts;
}

Sweep face_sweep(const ScalingArgs& args, unsigned threads) {
  Sweep sweep{"faces", {}};
  const std::uint32_t resolution = args.resolution.value_or(kUsualResolution);
  if (args.faces || !args.mesh.empty()) {
    sweep.points = {{args.faces.value_or(0), resolution, {threads}}};
  } else {
    for (const std::uint32_t faces : kFaces) sweep.points.push_back({faces, resolution, {threads}});
  }
  return sweep;
}

Sweep resolution_sweep(const ScalingArgs& args, unsigned threads) {
  Sweep sweep{"resolution", {}};
  const std::uint32_t faces = args.faces.value_or(kUsualFaces);
  if (args.resolution) return {"resolution", {{faces, *args.resolution, {threads}}}};
  for (const std::uint32_t resolution : kResolutions) sweep.points.push_back({faces, resolution, {threads}});
  return sweep;
}

Sweep thread_sweep(const ScalingArgs& args) {
  Sweep sweep{"threads", {}};
  const std::uint32_t resolution = args.resolution.value_or(kUsualResolution);
  if (args.faces || !args.mesh.empty()) {
    sweep.points = {{args.faces.value_or(0), resolution, thread_counts()}};
  } else {
    for (const std::uint32_t faces : kThreadFaces) sweep.points.push_back({faces, resolution, thread_counts()});
  }
  return sweep;
}

std::vector<Sweep> chosen_sweeps(const ScalingArgs& args) {
  const unsigned threads = args.threads == 0 ? core_count() : args.threads;
  if (args.sweep == "faces") return {face_sweep(args, threads)};
  if (args.sweep == "resolution") return {resolution_sweep(args, threads)};
  if (args.sweep == "threads") return {thread_sweep(args)};
  if (!args.sweep.empty()) {
    throw Error(fmt::format("--sweep: '{}' is none; type one of: faces, resolution, threads", args.sweep));
  }
  if (args.faces) return {face_sweep(args, threads)};
  if (args.resolution) return {resolution_sweep(args, threads)};
  return {face_sweep(args, threads), resolution_sweep(args, threads), thread_sweep(args)};
}

/// Hands out the mesh of a point, made or loaded once for all points in a row that ask for it.
class Meshes {
 public:
  explicit Meshes(const ScalingArgs& args) : model_(args.model), fixed_(!args.mesh.empty()) {
    if (fixed_) mesh_ = load_mesh(args.mesh);
  }

  const Mesh& get(std::uint32_t faces) {
    if (!fixed_ && faces != made_) mesh_ = scenes::make_model(model_, faces);
    made_ = faces;
    return mesh_;
  }
  /// Faces to report as asked for.
  [[nodiscard]] std::size_t asked(const Point& point) const { return fixed_ ? mesh_.triangles.size() : point.faces; }

 private:
  std::string model_;
  bool fixed_;
  Mesh mesh_;
  std::uint32_t made_ = 0;
};

std::vector<Row> run(const Sweep& sweep, const BenchEngine& engine, Meshes& meshes) {
  Progress progress(sweep.name);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const Point& point = sweep.points[i];
    progress.update(i, sweep.points.size());
    const std::vector<Build> builds = time_builds(meshes.get(point.faces), point.resolution, engine, point.threads);
    for (const Build& build : builds) rows.push_back({meshes.asked(point), build, builds.front().ms / build.ms});
  }
  return rows;
}

nlohmann::ordered_json to_json(const Row& row, const std::string& sweep, const std::string& engine,
                               const std::string& model) {
  const Build& b = row.build;
  nlohmann::ordered_json out{{"bench", "scaling"},
                             {"faces", row.asked_faces},
                             {"resolution", b.resolution},
                             {"threads", b.threads},
                             {"engine", engine},
                             {"ms", {{"ldi", rounded(b.ms)}}},
                             {"stream_ms", rounded(b.stream_ms)},
                             {"ratio", rounded(b.ratio())},
                             {"sweep", sweep},
                             {"model", model},
                             {"actual_faces", b.faces},
                             {"crossings", b.crossings},
                             {"bytes", b.bytes}};
  if (sweep == "threads") out["speedup"] = rounded(row.speedup);
  return out;
}

// Text.

std::string ms_text(double ms) { return fmt::format("{:.3f}", ms); }
std::string grid_text(std::uint32_t resolution) { return fmt::format("{0} x {0}", resolution); }

Table to_table(const std::vector<Row>& rows) {
  Table table{.columns = {{"faces", true},
                          {"grid", true},
                          {"threads", true},
                          {"crossings", true},
                          {"stream ms", true},
                          {"build ms", true},
                          {"ratio", true},
                          {"ns/face", true},
                          {"ns/crossing", true},
                          {"speed-up", true}},
              .rows = {}};
  for (const Row& row : rows) {
    const Build& b = row.build;
    table.rows.push_back({grouped(b.faces), grid_text(b.resolution), std::to_string(b.threads), grouped(b.crossings),
                          ms_text(b.stream_ms), ms_text(b.ms), fmt::format("{:.2f}", b.ratio()),
                          fmt::format("{:.2f}", b.ns_per_face()), fmt::format("{:.1f}", b.ns_per_crossing()),
                          fmt::format("{:.2f}", row.speedup)});
  }
  return table;
}

void drop_column(Table& table, const std::string& heading) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Table::Column& column) { return column.heading == heading; });
  const auto at = found - table.columns.begin();
  table.columns.erase(found);
  for (auto& row : table.rows) row.erase(row.begin() + at);
}

/// Where the image's own cost (clearing and sorting columns, crossings) exceeds that of the mesh, seen from the mesh.
void print_face_findings(const std::vector<Row>& rows) {
  const Build& largest = rows.back().build;
  const Row* dominated = nullptr;
  for (const Row& row : rows) {
    if (row.build.ns_per_face() > 2 * largest.ns_per_face()) dominated = &row;
  }
  if (dominated != nullptr) {
    fmt::print("The image dominates at {} faces and below: a face costs more than twice what it does at {}.\n",
               grouped(dominated->build.faces), grouped(largest.faces));
  } else {
    fmt::print("The mesh dominates throughout: a face never costs more than twice what it does at {}.\n",
               grouped(largest.faces));
  }
  const auto middle = std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.asked_faces == 150'000; });
  if (middle == rows.end()) return;
  fmt::print("Linear in faces: {:.2f} ns a face at {}, {:.2f} at {} ({:.2f} times).\n", middle->build.ns_per_face(),
             grouped(middle->build.faces), largest.ns_per_face(), grouped(largest.faces),
             largest.ns_per_face() / middle->build.ns_per_face());
}

/// The same seen from the image.
void print_resolution_findings(const std::vector<Row>& rows) {
  const Build& smallest = rows.front().build;
  const auto dominated =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.build.ms > 2 * smallest.ms; });
  if (dominated == rows.end()) {
    fmt::print("The mesh dominates throughout: no build takes more than twice that at {}.\n",
               grid_text(smallest.resolution));
  } else {
    fmt::print("The image dominates from {} on: there the build takes more than twice that at {}.\n",
               grid_text(dominated->build.resolution), grid_text(smallest.resolution));
  }
}

void print_text(const Sweep& sweep, const std::vector<Row>& rows) {
  static const std::map<std::string, std::string> kTitles{
      {"faces", "By faces"}, {"resolution", "By resolution"}, {"threads", "By threads; speed-up is over one"}};
  Table table = to_table(rows);
  if (sweep.name != "threads") drop_column(table, "speed-up");
  if (sweep.name == "threads") drop_column(table, "ns/crossing");
  if (sweep.name == "resolution") drop_column(table, "ns/face");
  if (sweep.name == "faces") drop_column(table, "ns/crossing");
  fmt::print("\n{}\n{}", kTitles.at(sweep.name), to_text(table));
  if (sweep.name == "faces" && rows.size() > 1) print_face_findings(rows);
  if (sweep.name == "resolution" && rows.size() > 1) print_resolution_findings(rows);
}

void print_introduction(const std::string& model, const std::vector<BenchEngine>& engines) {
  fmt::print("{}\n", describe_machine(engines));
  fmt::print(
      "Mesh: {}. Build: bounds, grid, rasterise, sort, of the mesh in its own box. Stream: one thread reads the "
      "mesh's\n"
      "index and vertex arrays once, just before each build. Medians of at least 31 runs after warm-up.\n",
      model);
  if (any_gpu(engines)) {
    fmt::print("Engines on a GPU keep the mesh; each build uploads its positions again and reads the LDI back.\n");
  }
}

}  // namespace

void bench_scaling(const ScalingArgs& args) {
  const std::vector<BenchEngine> engines = bench_engines(args.engine, args.device);
  const std::vector<Sweep> sweeps = chosen_sweeps(args);
  const std::string model = args.mesh.empty() ? args.model : file_name(args.mesh);
  Meshes meshes(args);
  if (!args.json) print_introduction(model, engines);
  for (const BenchEngine& engine : engines) {
    if (!args.json) fmt::print("\nEngine {}\n", engine.name);
    for (const Sweep& sweep : sweeps) {
      const std::vector<Row> rows = run(sweep, engine, meshes);
      if (args.json) {
        for (const Row& row : rows) print_json(to_json(row, sweep.name, engine.name, model));
      } else {
        print_text(sweep, rows);
      }
      std::fflush(stdout);
    }
  }
}

}  // namespace lamella::cli
