#include "bench/peers/accuracy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <random>

#include "bench/peers/exact_volume.hpp"
#include "bench/peers/scatter.hpp"
#include "bench/report.hpp"
#include "cli/common.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/query.hpp"
#include "picture/picture.hpp"
#include "scenes/models.hpp"

namespace lamella::bench::peers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kResolutions[] = {64, 128, 256, 512};
constexpr double kTolerances[] = {1e-2, 1e-3, 1e-4};
constexpr picture::Rgb kColors[] = {
    {0.84f, 0.37f, 0.0f}, {0.0f, 0.45f, 0.70f}, {0.0f, 0.62f, 0.45f}, {0.8f, 0.47f, 0.65f}};
/// Overlaps smaller than this part of a cube of the meshes' diagonal are left out: they are films and specks.
constexpr double kSmallest = 1e-5;

/// Two placed meshes and what they share.
struct Pose {
  Mesh a, b;
  double exact = 0;
};

/// Of diagonal 1, around the origin.
Mesh normalised(Mesh mesh) {
  const Aabb box = bounds(mesh);
  const Vec3 size = extent(box);
  const double scale = 1 / std::sqrt(double{size.x} * size.x + double{size.y} * size.y + double{size.z} * size.z);
  const Vec3d centre = (to_double(box.min) + to_double(box.max)) * 0.5;
  for (Vec3& p : mesh.positions) p = to_float((to_double(p) - centre) * scale);
  return mesh;
}

std::vector<Mesh> load(const AccuracyArgs& args) {
  std::vector<Mesh> meshes;
  for (const auto& path : args.meshes) meshes.push_back(normalised(read_mesh(path)));
  if (!meshes.empty()) return meshes;
  constexpr std::size_t kFaces = 8000;
  for (const char* name :
       {"torus_knot", "serpent", "hand", "phone", "blob", "torus", "hat", "rabbit", "helicopter", "box"})
    meshes.push_back(normalised(scenes::make_model(name, kFaces)));
  return meshes;
}

/// Random pairs; a quarter of them keep their axes, as parts of machines do.
class Poses {
 public:
  Poses(const std::vector<Mesh>& meshes, std::uint32_t seed) : meshes_(meshes), random_(seed) {}

  Pose next() {
    for (;;) {
      const Mesh& a = any();
      const Mesh& b = any();
      const double away = 0.6 * std::cbrt(share());
      const bool aligned = share() < 0.25;
      Pose pose{transformed(a, {{}, share() < 0.5 ? Quaternion{} : turn()}), scaled(b, 0.3 + 0.9 * share()), 0};
      pose.b = transformed(pose.b, {direction() * away, aligned ? Quaternion{} : turn()});
      if (intersect(pose.a, pose.b, {.resolution = 64, .keep_spans = false}).volume < kSmallest) continue;
      const auto exact = exact_shared_volume(pose.a, pose.b);
      if (!exact || !(*exact > kSmallest)) continue;
      pose.exact = *exact;
      return pose;
    }
  }

 private:
  const Mesh& any() { return meshes_[std::uniform_int_distribution<std::size_t>(0, meshes_.size() - 1)(random_)]; }
  double share() { return std::uniform_real_distribution<>(0, 1)(random_); }
  double normal() { return std::normal_distribution<>()(random_); }
  Vec3d direction() {
    const Vec3d d{normal(), normal(), normal()};
    return d * (1 / std::sqrt(dot(d, d)));
  }
  Quaternion turn() {
    const double x = normal(), y = normal(), z = normal(), w = normal(),
                 size = std::sqrt(x * x + y * y + z * z + w * w);
    return {x / size, y / size, z / size, w / size};
  }
  static Mesh scaled(Mesh mesh, double factor) {
    for (Vec3& p : mesh.positions) p = to_float(to_double(p) * factor);
    return mesh;
  }

  const std::vector<Mesh>& meshes_;
  std::mt19937_64 random_;
};

double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

/// What was found with one setting, relative to the exact volume.
struct Found {
  std::vector<double> error, bar, ms, columns;
  std::size_t met = 0;  ///< tolerances, as told

  void add(const Overlap& overlap, double exact, double took) {
    error.push_back(std::abs(overlap.volume - exact) / exact);
    bar.push_back(overlap.volume_error / exact);
    columns.push_back(overlap.grid.columns);
    ms.push_back(took);
    met += overlap.tolerance_met ? 1 : 0;
  }
  template <class Test>
  [[nodiscard]] double share(const Test& test) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < error.size(); ++i) count += test(i) ? 1 : 0;
    return static_cast<double>(count) / static_cast<double>(error.size());
  }
};

struct Settings {
  Detector detector;
  Found found{};

  explicit Settings(const Options& options) : detector(options) {}
  void ask(const Pose& pose) {
    const auto start = Clock::now();
    const Overlap& overlap = detector.intersect(pose.a, pose.b);
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    found.add(overlap, pose.exact, took.count());
  }
};

Row row_of(const Found& f) {
  return {{"median", quantile(f.error, 0.5)}, {"p90", quantile(f.error, 0.9)}, {"worst", quantile(f.error, 1)},
          {"ms", quantile(f.ms, 0.5)},        {"ms.p90", quantile(f.ms, 0.9)}, {"ms.worst", quantile(f.ms, 1)}};
}

Table bars_table(std::span<const std::unique_ptr<Settings>> settings) {
  Table table{.name = "bars",
              .title = "Error bars against exact volumes (CGAL's corefinement), one thread",
              .columns = columns("columns=side:square|bounded:percent|beyond twice=twice:percent|median error=median|"
                                 "90 % below=p90|worst|median bar=bar|bar / error=width|ms"),
              .reading = "Errors and bars are parts of the exact volume.\n"};
  for (std::size_t i = 0; i < std::size(kResolutions); ++i) {
    const Found& f = settings[i]->found;
    Row row{{"side", kResolutions[i]},
            {"bounded", f.share([&](std::size_t k) { return f.error[k] <= f.bar[k]; })},
            {"twice", f.share([&](std::size_t k) { return f.error[k] > 2 * f.bar[k]; })}};
    row.set(row_of(f));
    row.set({"bar", quantile(f.bar, 0.5)});
    row.set({"width", quantile(f.bar, 0.5) / quantile(f.error, 0.5)});
    table.rows.push_back(row);
  }
  return table;
}

Table tolerance_table(std::span<const std::unique_ptr<Settings>> settings) {
  Table table{
      .name = "tolerance",
      .title = "Asked for an accuracy, one thread",
      .columns = columns("tolerance|within:percent|told to be=told:percent|median error=median|worst|"
                         "columns=side:square|90 % below=side90:square|ms|ms, 90 % below=ms.p90|ms, worst=ms.worst")};
  for (std::size_t i = 0; i < std::size(kTolerances); ++i) {
    const Found& f = settings[i]->found;
    Row row{{"tolerance", fmt::format("{:g} %", 100 * kTolerances[i])},
            {"within", f.share([&](std::size_t k) { return f.error[k] <= kTolerances[i]; })},
            {"told", static_cast<double>(f.met) / static_cast<double>(f.error.size())},
            {"side", quantile(f.columns, 0.5)},
            {"side90", quantile(f.columns, 0.9)}};
    row.set(row_of(f));
    table.rows.push_back(row);
  }
  return table;
}

void draw_chart(const std::filesystem::path& path, std::span<const std::unique_ptr<Settings>> settings) {
  if (path.empty()) return;
  Scatter scatter{{fmt::format("True error of {} random poses over the error bar;", settings[0]->found.error.size()),
                   "below the line the bar holds"},
                  {}};
  for (std::size_t i = 0; i < std::size(kResolutions); ++i) {
    const Found& f = settings[i]->found;
    ScatterSeries series{fmt::format("{0} x {0}", kResolutions[i]), kColors[i], {}};
    for (std::size_t k = 0; k < f.error.size(); ++k) series.points.emplace_back(f.bar[k], f.error[k]);
    scatter.series.push_back(std::move(series));
  }
  picture::write_png(path, draw(scatter));
}

}  // namespace

void run_accuracy(const AccuracyArgs& args) {
  const std::vector<Mesh> meshes = load(args);
  Poses poses(meshes, args.seed);
  std::vector<std::unique_ptr<Settings>> settings;
  Options options{.engine = "software", .threads = 1, .keep_spans = false};
  for (const std::uint32_t resolution : kResolutions) {
    options.resolution = resolution;
    settings.push_back(std::make_unique<Settings>(options));
  }
  for (const double tolerance : kTolerances) {
    options.tolerance = Tolerance{.relative = tolerance};
    settings.push_back(std::make_unique<Settings>(options));
  }
  cli::Progress progress("poses");
  for (std::uint32_t i = 0; i < args.poses; ++i) {
    const Pose pose = poses.next();
    for (const auto& s : settings) s->ask(pose);
    progress.update(i + 1, args.poses);
  }
  const Report report("accuracy", args.json);
  const auto bars = std::span(settings).first(std::size(kResolutions));
  report.print(bars_table(bars));
  report.print(tolerance_table(std::span(settings).subspan(std::size(kResolutions))));
  draw_chart(args.chart, bars);
}

void add_accuracy(const cli::Command& app, int& status) {
  const auto args = std::make_shared<AccuracyArgs>();
  const cli::Command command =
      app.add_subcommand("accuracy", "Error bars and tolerances against exact volumes of random poses");
  command.add_option("MESH", args->meshes, "closed meshes that do not meet themselves; none: built-in models")
      .type_name("");
  cli::add_count(command, "--poses", 10, 1000000, args->poses, "random poses");
  cli::add_count(command, "--seed", 0, 1000000, args->seed, "of the poses");
  command.add_option("--chart", args->chart, "picture of errors over bars to write").type_name("OUT.png");
  command.add_flag("--json", args->json, "JSON, one object per line");
  command.callback([args, &status] {
    run_accuracy(*args);
    status = 0;
  });
}

}  // namespace lamella::bench::peers
