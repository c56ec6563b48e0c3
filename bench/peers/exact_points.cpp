#include "bench/peers/exact_points.hpp"

#include <fmt/core.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/peers/race.hpp"
#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "scenes/scenes.hpp"

namespace lamella::bench::peers {
namespace {

/// Points near the surface and on it: off a face by 10^-2 to 10^-7 of the diagonal, at vertices and the floats next to
/// them, and in the middle of edges.
Vec3 near_point(MeshView mesh, double diagonal, scenes::Random& random) {
  const Triangle& t = mesh.triangles[random.next() % mesh.triangles.size()];
  const Vec3d a = to_double(mesh.positions[t.a]), b = to_double(mesh.positions[t.b]),
              c = to_double(mesh.positions[t.c]);
  const std::uint32_t kind = random.next() % 8;
  if (kind == 0) return mesh.positions[t.a];
  if (kind == 1) return to_float((a + b) * 0.5);
  if (kind == 2) {
    Vec3 p = mesh.positions[t.b];
    float& x = p[static_cast<int>(random.next() % 3)];
    x = std::nextafter(x, random.next() % 2 == 0 ? INFINITY : -INFINITY);
    return p;
  }
  double s = random.uniform(), r = random.uniform();
  if (s + r > 1) {
    s = 1 - s;
    r = 1 - r;
  }
  const double away = diagonal * std::pow(10, random.uniform(-7, -2));
  return to_float(a * (1 - s - r) + b * s + c * r + random.direction() * away);
}

/// Points of which some are near the surface and the others anywhere in the box.
PointsWork make_work(Mesh mesh, std::size_t count, double near) {
  PointsWork work;
  work.points = scenes::random_points(mesh, count);
  scenes::Random random(11);
  const double diagonal = length(to_double(extent(bounds(mesh))));
  for (std::size_t i = 0; i < static_cast<std::size_t>(near * static_cast<double>(count)); ++i)
    work.points[i] = near_point(mesh, diagonal, random);
  work.solid.triangles = std::move(mesh.triangles);
  for (auto& pose : work.solid.positions) pose = mesh.positions;
  return work;
}

Method ours(const PointsWork& work, bool exact) {
  struct State {
    Detector detector;
    const Containment* last = nullptr;
  };
  const auto state = std::make_shared<State>(State{Detector({.engine = "software", .threads = 1, .exact = exact})});
  Method method{
      .library = "Lamella",
      .call = exact ? "contains, exact" : "contains",
      .gives = "points inside",
      .run = [state,
              &work](std::size_t pose) { state->last = &state->detector.contains(work.solid.at(pose), work.points); },
      .answer = [state] { return Answer{.inside = state->last->inside}; },
      .ours = true};
  return method;
}

std::size_t differences(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

/// Prints a line for each method. Returns how many of our exact flags differ from those of an exact library, 0 when
/// there is none.
std::size_t compare(const std::string& title, const PointsWork& work, const Libraries& others, std::size_t rounds) {
  Methods methods{ours(work, false), ours(work, true)};
  for (const Peer& peer : others.found) {
    if (!peer.points) continue;
    for (Method& method : peer.points(work))
      if (method.exact || method.library.starts_with("Embree")) methods.push_back(std::move(method));
  }
  RaceOptions options;
  options.rounds = rounds;
  options.least = 1;
  const std::vector<Finished> done = race(std::move(methods), options);
  const auto judge = std::find_if(done.begin(), done.end(), [](const Finished& f) { return f.method.exact; });
  std::size_t wrong = 0;
  fmt::print("{}: {} faces, {} points\n", title, work.solid.triangles.size(), work.points.size());
  for (const Finished& f : done) {
    const auto& flags = f.answers[0].inside;
    const std::size_t differ = judge == done.end() ? 0 : differences(flags, judge->answers[0].inside);
    if (&f == &done[1]) wrong = differ;
    fmt::print("  {:<16} {:<28} {:>9.2f} ms  {:>6.2f} times  {:>8} inside  {:>6} differ\n", f.method.library,
               f.method.call, quartiles(f.ms).median, quartiles(f.ratio).median,
               std::count(flags.begin(), flags.end(), 1), differ);
  }
  std::fflush(stdout);
  return wrong;
}

/// Those of the folder that are closed and do not intersect themselves: an exact library answers for no others.
std::vector<std::filesystem::path> closed_meshes(const std::filesystem::path& folder) {
  std::ifstream file(folder / "manifest.json");
  if (!file) throw Error(fmt::format("there is no manifest.json in {}", folder.string()));
  const nlohmann::json manifest = nlohmann::json::parse(file);
  std::vector<std::filesystem::path> paths;
  for (const auto& mesh : manifest.at("meshes"))
    if (mesh.at("closed") == true && mesh.at("self_intersecting") == false &&
        mesh.at("components_with_negative_volume") == 0)
      paths.push_back(folder / mesh.at("file").get<std::string>());
  return paths;
}

}  // namespace

bool run_exact_points(const ExactPointsArgs& args, const Libraries& others) {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  std::size_t wrong = 0, points = 0;
  const auto add = [&](const std::string& title, const PointsWork& work, std::size_t rounds) {
    wrong += compare(title, work, others, rounds);
    points += work.points.size();
  };
  fmt::print("One thread; medians of processor time, and times the first line's.\n");
  const WorkSizes sizes;
  add("W1, points anywhere", make_work(scenes::blob(sizes.blob_faces), 100'000, 0), args.rounds);
  add("W1, more points", make_work(scenes::blob(sizes.blob_faces), 1'000'000, 0), args.rounds);
  add("W1, half of them near the surface", make_work(scenes::blob(sizes.blob_faces), 1'000'000, 0.5), args.rounds);
  for (const char* model : {"torus", "torus_knot", "blob"})
    add(model, make_work(scenes::make_model(model, 5000), args.points, 0.75), 1);
  if (!args.meshes.empty())
    for (const auto& path : closed_meshes(args.meshes))
      add(path.stem().string(), make_work(read_mesh(path), args.points, 0.75), 1);
  fmt::print("{} of {} flags differ\n", wrong, points);
  return wrong == 0;
}

}  // namespace lamella::bench::peers
