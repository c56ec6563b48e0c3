#include "cli/sweep/make_jobs.hpp"

#include <fmt/core.h>

#include <csignal>
#include <system_error>

#include "cli/common.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_input.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"
#include "lamella/job_file.hpp"
#include "lamella/mesh.hpp"
#include "scenes/random.hpp"

namespace lamella::cli {
namespace {

namespace fs = std::filesystem;

struct Ball {
  Vec3d center;
  double radius = 0;  ///< half of the box's longest edge
};

Ball ball_of(const std::string& name) {
  const Mesh mesh = load_mesh(name);
  const Aabb box = bounds(mesh);
  if (box.empty()) throw Error(fmt::format("{}: has no finite vertex to place", name));
  double edge = 0;
  for (int i = 0; i < 3; ++i) edge = std::max(edge, double{box.max[i]} - double{box.min[i]});
  return {to_double(center(box)) + mesh.origin, edge / 2};
}

/// A name as the jobs have it: from their own folder.
std::string name_in_jobs(const std::string& mesh, const fs::path& jobs) {
  if (is_model(mesh)) return mesh;
  std::error_code failure;
  const fs::path folder = jobs.has_parent_path() ? jobs.parent_path() : fs::path(".");
  const fs::path name = fs::relative(mesh, folder, failure);
  if (failure || name.empty()) throw Error(fmt::format("{}: cannot be named from the jobs' folder", mesh));
  return name.string();
}

/// Turned at random, with the ball's middle at `place`.
Transform random_pose(scenes::Random& random, const Ball& ball, Vec3d place) {
  Transform pose;
  pose.rotation = rotation_about(random.direction(), random.uniform(0, 6));
  pose.translation = place - rotate(pose.rotation, ball.center);
  return pose;
}

int stopped_by(int signal) {
  complain(fmt::format("stopped by {}; nothing was written", signal == SIGINT ? "Ctrl-C" : "a signal (SIGTERM)"));
  return 128 + signal;
}

}  // namespace

int make_jobs(const std::vector<std::string>& meshes, std::uint32_t count, std::uint32_t seed, const fs::path& out) {
  std::vector<std::string> names;
  std::vector<Ball> balls;
  bool outside = false;
  for (const std::string& mesh : meshes) {
    balls.push_back(ball_of(mesh));
    names.push_back(name_in_jobs(mesh, out));
    outside = outside || names.back().starts_with("..");
  }
  const Interrupt interrupt;
  JobWriter writer(out, names);
  scenes::Random random(seed);
  const auto pick = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random.uniform(0, below)); };
  const auto kinds = static_cast<std::uint32_t>(names.size());
  Progress progress("jobs");
  for (std::uint32_t i = 0; i < count; ++i) {
    PairJob job;
    job.a = pick(kinds);
    job.b = kinds == 1 ? 0 : (job.a + 1 + pick(kinds - 1)) % kinds;
    const double reach = 0.5 * (balls[job.a].radius + balls[job.b].radius);
    job.pose_a = random_pose(random, balls[job.a], {});
    job.pose_b = random_pose(random, balls[job.b], random.direction() * random.uniform(0.2 * reach, 1.2 * reach));
    writer.add(job);
    if (i % 4096 != 0) continue;
    progress.update(i, count);
    if (interrupt.signal() != 0) return stopped_by(interrupt.signal());
  }
  writer.commit();
  if (outside)
    complain(fmt::format("{}: names meshes outside its folder: run it with --allow-any-path", file_name(out)));
  return kAnswered;
}

}  // namespace lamella::cli
