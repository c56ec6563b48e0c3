#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lamella/job_sweep.hpp"
#include "lamella/mesh_io.hpp"
#include "scenes/scenes.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {

/// A folder of its own for each test, with two meshes in it.
class Folder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "lamella-sweep-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    meshes_ = {box_mesh({0, 0, 0}, {1, 1, 1}), scenes::sphere(200)};
    for (std::size_t i = 0; i < meshes_.size(); ++i) write_mesh(folder_ / names_[i], meshes_[i]);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_ / name; }
  std::filesystem::path save(const std::string& name, const std::string& text) const {
    std::ofstream(at(name), std::ios::binary) << text;
    return at(name);
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream in(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Boxes and spheres at random places; most of them overlap.
  [[nodiscard]] static std::vector<PairJob> random_jobs(std::size_t count, unsigned seed = 1) {
    Random random(seed);
    std::vector<PairJob> jobs(count);
    for (PairJob& job : jobs) {
      job.a = random.below(2);
      job.b = random.below(2);
      for (Transform* pose : {&job.pose_a, &job.pose_b}) {
        const Vec3 t = random.in({{-1, -1, -1}, {1, 1, 1}});
        pose->translation = to_double(t);
        pose->rotation = rotation_about({0.6, 0, 0.8}, static_cast<double>(t.x));
      }
    }
    return jobs;
  }
  std::filesystem::path write_jobs(const std::string& name, std::span<const PairJob> jobs,
                                   bool resolutions = false) const {
    JobWriter writer(at(name), names_, resolutions);
    writer.add(jobs);
    writer.commit();
    return at(name);
  }

  std::vector<std::string> names_{"box.ply", "ball.obj"};
  std::vector<Mesh> meshes_;

 private:
  std::filesystem::path folder_;
};

/// Small, quick and the same everywhere.
inline SweepFileOptions quick() { return {.query = {.engine = "software", .resolution = 8}, .checkpoint_seconds = 0}; }

}  // namespace lamella::test
