#include "bench/peers/certify_poses.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <string_view>
#include <thread>
#include <utility>

#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"

namespace lamella::bench::peers {
namespace {

constexpr std::size_t kMostFaces = 40'000;
constexpr std::size_t kModelFaces = 4000;

Options certified() { return {.engine = "software", .resolution = 64, .threads = 1, .certify = true}; }

void scale_to_one(Mesh& mesh) {
  const Aabb box = bounds(mesh);
  const float scale = 1 / length(extent(box));
  for (Vec3& p : mesh.positions) p = (p - center(box)) * scale;
}

bool is_fit(const Mesh& mesh) {
  if (mesh.triangles.empty() || mesh.triangles.size() > kMostFaces || !inspect(mesh).closed) return false;
  const SelfOverlap self = self_intersect(mesh, certified());
  return self.verdict == Verdict::clear && self.certificate.certain;
}

Mesh placed(const Mesh& mesh, const Transform& pose) {
  Mesh out = mesh;
  for (Vec3& p : out.positions) p = to_float(apply(pose, to_double(p)));
  return out;
}

struct PosedPair {
  Mesh a, b;
  PoseKind kind = PoseKind::random;
};

/// A place along the way on which b leaves a, within a chosen distance of where they part: before it or behind.
void slide(PosedPair& pair, const Mesh& b, const Quaternion& turn, scenes::Random& random, Detector& detector) {
  const Vec3d way = random.direction();
  const double close = std::pow(10, -random.uniform(3, 7.5));
  double low = 0, high = 1.2;
  const auto at = [&](double s) { return placed(b, {way * s, turn}); };
  while (high - low > close) {
    const double middle = (low + high) / 2;
    const Overlap& overlap = detector.intersect(pair.a, at(middle));
    const bool apart = overlap.verdict == Verdict::clear && !overlap.certificate.touching;
    (apart ? high : low) = middle;
  }
  pair.b = at(pair.kind == PoseKind::grazing ? low : high);
}

/// The vertex that is highest along an axis, or lowest.
Vec3 extreme(const Mesh& mesh, int axis, bool highest) {
  return *std::max_element(mesh.positions.begin(), mesh.positions.end(),
                           [&](Vec3 p, Vec3 q) { return highest ? p[axis] < q[axis] : p[axis] > q[axis]; });
}

/// The highest vertex of a and the lowest of b at one place.
void touch_corners(PosedPair& pair, int axis) {
  const Vec3 top = extreme(pair.a, axis, true), bottom = extreme(pair.b, axis, false);
  for (Vec3& p : pair.b.positions) p = (p - bottom) + top;
}

/// a with a flat face, and its mirror image behind that face.
void mirror(PosedPair& pair, int axis, float where) {
  const Aabb box = bounds(pair.a);
  const float plane = box.min[axis] + where * extent(box)[axis];
  for (Vec3& p : pair.a.positions) p[axis] = std::min(p[axis], plane);
  pair.b = pair.a;
  for (Vec3& p : pair.b.positions) p[axis] = 2 * plane - p[axis];
  for (Triangle& t : pair.b.triangles) std::swap(t.b, t.c);
}

PosedPair make_pose(const std::vector<Mesh>& models, std::size_t number, Detector& detector) {
  scenes::Random random(static_cast<std::uint32_t>(number + 1));
  const auto any = [&] {
    return static_cast<std::size_t>(random.uniform(0, static_cast<double>(models.size()))) % models.size();
  };
  const auto turn = [&] { return rotation_about(random.direction(), random.uniform(0, 2 * std::numbers::pi)); };
  const Mesh &one = models[any()], &other = models[any()];
  const Quaternion turn_b = turn();
  const int axis = static_cast<int>(random.uniform(0, 3)) % 3;
  PosedPair pair{placed(one, {{}, turn()}), {}, static_cast<PoseKind>(number % kPoseKinds.size())};
  pair.b = placed(other, {random.direction() * random.uniform(0, 0.9), turn_b});
  switch (pair.kind) {
    case PoseKind::random:
      break;
    case PoseKind::grazing:
    case PoseKind::just_apart:
      slide(pair, other, turn_b, random, detector);
      break;
    case PoseKind::corners:
      touch_corners(pair, axis);
      break;
    case PoseKind::mirrored:
      mirror(pair, axis, static_cast<float>(random.uniform(0.5, 1)));
      break;
  }
  return pair;
}

/// Whether the solids share a point.
bool meet_exactly(const PosedPair& pair, const Peer& exact) {
  BodiesWork work;
  for (const Mesh* mesh : {&pair.a, &pair.b})
    work.bodies.push_back({mesh->triangles, {mesh->positions, mesh->positions}});
  const Method method = exact.bodies(work).front();
  method.run(0);
  const Answer answer = method.answer();
  return !answer.bodies.value_or(std::vector<BodyPair>{}).empty() || !answer.nested.empty();
}

Agreement judge(const Overlap& overlap, bool meet) {
  Agreement one{.poses = 1};
  if (!overlap.certificate.certain) {
    one.undecided = 1;
    return one;
  }
  const bool collide = overlap.colliding(), touch = overlap.certificate.touching;
  ++(collide ? one.colliding : touch ? one.touching : one.clear);
  one.wrong = (collide || touch) != meet ? 1 : 0;
  return one;
}

}  // namespace

std::vector<Mesh> models_for_poses(const std::filesystem::path& folder) {
  std::vector<Mesh> models;
  if (folder.empty()) {
    for (const std::string_view name : scenes::model_names())
      if (Mesh mesh = scenes::make_model(name, kModelFaces); is_fit(mesh)) models.push_back(std::move(mesh));
  } else {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".ply") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files)
      if (Mesh mesh = in_world(read_mesh(file)); is_fit(mesh)) models.push_back(std::move(mesh));
  }
  if (models.empty()) throw Error("--meshes: no mesh there is closed, free of self-intersections and small enough");
  for (Mesh& mesh : models) scale_to_one(mesh);
  return models;
}

std::array<Agreement, kPoseKinds.size()> compare_poses(const std::vector<Mesh>& models, std::size_t poses,
                                                       const Peer& exact, unsigned threads) {
  std::array<Agreement, kPoseKinds.size()> total;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    Detector detector(certified());
    for (std::size_t i = next++; i < poses; i = next++) {
      const PosedPair pair = make_pose(models, i, detector);
      const bool meet = meet_exactly(pair, exact);
      const Agreement one = judge(detector.intersect(pair.a, pair.b), meet);
      const std::scoped_lock lock(mutex);
      total[static_cast<std::size_t>(pair.kind)].add(one);
    }
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 1; i < threads; ++i) workers.emplace_back(work);
  work();
  workers.clear();
  return total;
}

}  // namespace lamella::bench::peers
