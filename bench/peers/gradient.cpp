#include "bench/peers/gradient.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>
#include <set>

#include "bench/peers/certify_poses.hpp"
#include "bench/peers/exact_gradient.hpp"
#include "bench/report.hpp"
#include "cli/common.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "lamella/detector.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "scenes/scenes.hpp"

namespace lamella::bench::peers {
namespace {

struct GradientArgs {
  std::filesystem::path meshes;
  std::uint32_t poses = 60, differences = 4, seed = 1, rounds = 31;
  bool json = false;
};

constexpr std::uint32_t kResolutions[] = {64, 128, 256};
/// Of the smaller mesh's volume: pairs that share less are no deep pairs.
constexpr double kDeep = 0.02;
/// Of the area of b inside a: where the force is less, nearly all of b lies inside a, or a inside b.
constexpr double kLeastForce = 0.02;
/// Of the diagonal of the overlap's bounds: the radius of the patch whose vertices are averaged.
constexpr double kPatch = 0.25;

struct Pose {
  Mesh a, b;
  ExactGradient exact;
};

/// Random deep pairs.
class Poses {
 public:
  Poses(const std::vector<Mesh>& meshes, std::uint32_t seed) : meshes_(meshes), random_(seed) {}

  Pose next() {
    for (;;) {
      const Mesh &a = any(), &b = any();
      Pose pose{turned(a, {}, 1),
                turned(b, random_.direction() * (0.6 * std::cbrt(random_.uniform())), 0.3 + 0.9 * random_.uniform()),
                {}};
      const double least = kDeep * std::min(signed_volume(pose.a), signed_volume(pose.b));
      if (intersect(pose.a, pose.b, {.resolution = 64, .keep_spans = false}).volume < least) continue;
      auto exact = exact_gradient(pose.a, pose.b);
      if (!exact || !(exact->volume > least) || !(length(exact->force) > kLeastForce * exact->area)) continue;
      pose.exact = std::move(*exact);
      return pose;
    }
  }

 private:
  const Mesh& any() { return meshes_[random_.next() % meshes_.size()]; }
  Mesh turned(Mesh mesh, Vec3d shift, double scale) {
    const Transform pose{shift, rotation_about(random_.direction(), random_.uniform(0, 6.283185307179586))};
    for (Vec3& p : mesh.positions) p = to_float(apply(pose, to_double(p) * scale));
    return mesh;
  }

  const std::vector<Mesh>& meshes_;
  scenes::Random random_;
};

/// A smooth bump on b: how much each vertex moves.
struct Patch {
  Vec3d centre;
  double radius;

  [[nodiscard]] double weight(Vec3 p) const {
    const Vec3d d = to_double(p) - centre;
    const double x = 1 - dot(d, d) / (radius * radius);
    return x > 0 ? x * x : 0;
  }
};

/// Around the vertex of b with the longest exact gradient, so that it lies in the overlap.
Patch patch_of(const Pose& pose, const Aabb& overlap) {
  const auto longest = std::max_element(pose.exact.vertices.begin(), pose.exact.vertices.end(),
                                        [](Vec3d x, Vec3d y) { return dot(x, x) < dot(y, y); });
  const Vec3 centre = pose.b.positions[static_cast<std::size_t>(longest - pose.exact.vertices.begin())];
  return {to_double(centre), kPatch * static_cast<double>(length(extent(overlap)))};
}

double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

/// Relative errors of all poses at one resolution.
struct Errors {
  std::vector<double> force, force_by_normals, torque, patch, area;

  void add(const Pose& pose, const OverlapGradient& g) {
    const ExactGradient& exact = pose.exact;
    const double size = length(exact.force);
    force.push_back(length(g.sums.b.translation - exact.force) / size);
    force_by_normals.push_back(length(g.sums.inner_b.normal * g.sums.inner_b.area - exact.force) / size);
    area.push_back(std::abs(g.sums.inner_b.area - exact.area) / exact.area);
    // About the middle of b's box.
    const Aabb box = bounds(pose.b);
    const Vec3d pivot = to_double(center(box));
    const Vec3d found = g.sums.b.rotation + cross(g.centroid - pivot, g.sums.b.translation);
    const Vec3d wanted = exact.torque - cross(pivot, exact.force);
    const double arm = static_cast<double>(length(extent(box))) / 2;
    torque.push_back(length(found - wanted) / std::max(length(wanted), 0.1 * arm * size));
    const Patch bump = patch_of(pose, g.bounds);
    Vec3d patch_found, patch_wanted;
    for (std::size_t i = 0; i < pose.b.positions.size(); ++i) {
      const double w = bump.weight(pose.b.positions[i]);
      patch_found += to_double(g.vertices_b[i]) * w;
      patch_wanted += exact.vertices[i] * w;
    }
    patch.push_back(length(patch_found - patch_wanted) / length(patch_wanted));
  }
};

/// In percent.
void set_errors(Row& row, const char* name, const std::vector<double>& values) {
  const auto percent = [&](double part) { return fmt::format("{:.2f}", 100 * quantile(values, part)); };
  row.set({fmt::format("{}.median", name), percent(0.5)});
  row.set({fmt::format("{}.p90", name), percent(0.9)});
}

Table accuracy_table(const std::vector<Errors>& errors, std::size_t poses, std::size_t models) {
  Table table{
      .name = "gradient",
      .title =
          fmt::format("Gradients of the volume of {} random deep pairs of {} meshes against exact ones", poses, models),
      .columns = columns("columns=side:square|force=force.median|90 below=force.p90|"
                         "by normals=normals.median|90 below=normals.p90|"
                         "torque=torque.median|90 below=torque.p90|"
                         "patch=patch.median|90 below=patch.p90|"
                         "area=area.median|90 below=area.p90"),
      .reading =
          "Medians of relative errors in percent, and what 90 of 100 are below: of b's force by the axes' views, and "
          "by normals (all\n"
          "three views, each end by the normal); of its torque about the middle of its box, relative to the exact "
          "one,\n"
          "or to a tenth of force times half the box's diagonal where that is more; of vertices, summed over a smooth\n"
          "bump with a radius of a quarter of the overlap's diagonal; of the area of b inside a.\n"};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    Row row{{"side", kResolutions[i]}};
    set_errors(row, "force", errors[i].force);
    set_errors(row, "normals", errors[i].force_by_normals);
    set_errors(row, "torque", errors[i].torque);
    set_errors(row, "patch", errors[i].patch);
    set_errors(row, "area", errors[i].area);
    table.rows.push_back(row);
  }
  return table;
}

/// The largest difference, relative to the force or torque, between the exact gradient and central differences of exact
/// volumes; Richardson's rule on two steps.
double check_by_differences(const Pose& pose) {
  constexpr double kStep = 1e-3;
  double worst = 0;
  const auto slope = [&](int axis, bool turn) {
    const auto at = [&](double s) {
      SmallMotion motion{.shift = {}, .axis = axis, .angle = turn ? s : 0};
      if (!turn) motion.shift[axis] = s;
      return exact_moved_volume(pose.a, pose.b, motion).value_or(NAN);
    };
    const double coarse = (at(kStep) - at(-kStep)) / (2 * kStep), fine = (at(kStep / 2) - at(-kStep / 2)) / kStep;
    return (4 * fine - coarse) / 3;
  };
  for (int axis = 0; axis < 3; ++axis) {
    worst = std::max(worst, std::abs(slope(axis, false) - pose.exact.force[axis]) / length(pose.exact.force));
    worst = std::max(worst, std::abs(slope(axis, true) - pose.exact.torque[axis]) / length(pose.exact.torque));
  }
  return worst;
}

/// Processor time of this thread: other programs on the machine do not count.
double processor_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

struct TimedPair {
  const char* name;
  scenes::Pair pair;
};

/// Times of one pair, in turns: three queries, the gradient without and with vertices.
Row times_of(const TimedPair& work, std::uint32_t resolution, std::uint32_t rounds) {
  Options options{.engine = "software", .resolution = resolution, .threads = 1, .keep_spans = false};
  Detector gradients(options);
  std::vector<Detector> views;
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    options.axis = axis;
    views.emplace_back(options);
  }
  std::vector<double> three, rigid, vertices, ratio, ratio_rigid;
  const auto time = [](const auto& call) {
    const double start = processor_ms();
    call();
    return processor_ms() - start;
  };
  for (std::uint32_t i = 0; i < rounds + 2; ++i) {
    const double q = time([&] {
      for (Detector& d : views) (void)d.intersect(work.pair.a, work.pair.b);
    });
    const double r = time([&] { (void)gradients.volume_gradient(work.pair.a, work.pair.b, {.vertices = false}); });
    const double v = time([&] { (void)gradients.volume_gradient(work.pair.a, work.pair.b); });
    if (i < 2) continue;
    three.push_back(q);
    rigid.push_back(r);
    vertices.push_back(v);
    ratio.push_back(v / q);
    ratio_rigid.push_back(r / q);
  }
  return {{"pair", work.name},
          {"faces", static_cast<double>(work.pair.a.triangles.size() + work.pair.b.triangles.size())},
          {"side", resolution},
          {"three", quantile(three, 0.5)},
          {"rigid", quantile(rigid, 0.5)},
          {"vertices", quantile(vertices, 0.5)},
          {"ratio.rigid", quantile(ratio_rigid, 0.5)},
          {"ratio", quantile(ratio, 0.5)}};
}

Table time_table(std::uint32_t rounds) {
  Table table{.name = "gradient-time",
              .title = "Gradients beside three queries along x, y and z, one thread, ms of processor time",
              .columns = columns("pair|faces|columns=side:square|three queries=three|rigid|with vertices=vertices|"
                                 "rigid / queries=ratio.rigid|with vertices / queries=ratio")};
  TimedPair knot{"knot and blob", {scenes::torus_knot(12'000), scenes::blob(520'000)}};
  for (Vec3& p : knot.pair.b.positions) p = p + Vec3{0.9f, 0.35f, 0.1f};
  TimedPair hand{"hand and phone", scenes::hand_and_phone(38'000, 4'000, 0.5f)};
  for (const std::uint32_t resolution : {64u, 128u, 256u})
    for (const TimedPair* work : {&knot, &hand}) table.rows.push_back(times_of(*work, resolution, rounds));
  return table;
}

/// One of each set of meshes with equally many faces: frames of a motion differ too little.
std::vector<Mesh> models(const std::filesystem::path& folder) {
  std::vector<Mesh> all = models_for_poses(folder);
  std::set<std::size_t> known;
  std::erase_if(all, [&](const Mesh& m) { return !known.insert(m.triangles.size()).second; });
  return all;
}

void run_gradient(const GradientArgs& args) {
  const Report report("gradient", args.json);
  if (args.poses > 0) {
    const std::vector<Mesh> meshes = models(args.meshes);
    Poses poses(meshes, args.seed);
    std::vector<Errors> errors(std::size(kResolutions));
    std::vector<Detector> detectors;
    for (const std::uint32_t resolution : kResolutions)
      detectors.emplace_back(
          Options{.engine = "software", .resolution = resolution, .threads = 1, .keep_spans = false});
    double worst = 0;
    cli::Progress progress("pairs");
    for (std::uint32_t i = 0; i < args.poses; ++i) {
      const Pose pose = poses.next();
      for (std::size_t k = 0; k < detectors.size(); ++k)
        errors[k].add(pose, detectors[k].volume_gradient(pose.a, pose.b));
      if (i < args.differences) worst = std::max(worst, check_by_differences(pose));
      progress.update(i + 1, args.poses);
    }
    Table table = accuracy_table(errors, args.poses, meshes.size());
    if (args.differences > 0)
      table.findings = fmt::format(
          "Exact gradients are integrals over the boundary of CGAL's intersection. On the first {} pairs they differ\n"
          "from central differences of its volumes by {:.1e} at most.\n",
          args.differences, worst);
    report.print(table);
  }
  report.print(time_table(args.rounds));
}

}  // namespace

void add_gradient(const cli::Command& app, int& status) {
  const auto args = std::make_shared<GradientArgs>();
  const cli::Command command =
      app.add_subcommand("gradient", "Gradients of shared volumes against exact ones, and their cost");
  command.add_option("--meshes", args->meshes, "a folder of meshes; without it, built-in models").type_name("DIR");
  cli::add_count(command, "--poses", 0, 1000000, args->poses, "random deep pairs");
  cli::add_count(command, "--differences", 0, 1000000, args->differences, "of them also by differences of volumes");
  cli::add_count(command, "--seed", 0, 1000000, args->seed, "of the pairs");
  cli::add_count(command, "--rounds", 1, 1000000, args->rounds, "of the times");
  command.add_flag("--json", args->json, "JSON, one object per line");
  command.callback([args, &status] {
    run_gradient(*args);
    status = 0;
  });
}

}  // namespace lamella::bench::peers
