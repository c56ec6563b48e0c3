// Answers of sweeps on the GPU do not depend on how jobs come in blocks: their last bits, too.

#include "batch_fixture.hpp"
#include "lamella/job_sweep.hpp"
#include "sweep/block_size.hpp"

namespace lamella {
namespace {

using namespace batches;

/// Jobs that a sweep answers together: few, so that the test is quick.
class SmallUnit {
 public:
  explicit SmallUnit(std::size_t unit) { sweep_parts::gpu_unit = unit; }
  ~SmallUnit() { sweep_parts::gpu_unit = before_; }
  SmallUnit(const SmallUnit&) = delete;
  SmallUnit& operator=(const SmallUnit&) = delete;

 private:
  std::size_t before_ = sweep_parts::gpu_unit;
};

using SweepUnits = test::CudaTest;

/// Mesh 0 is far larger than the others, and only one job uses it.
std::vector<PairJob> jobs_with_one_large_mesh(std::size_t count) {
  const std::vector<BatchPair> pairs = random_pairs(2, count, 0.3f, 5);
  std::vector<PairJob> jobs;
  for (const BatchPair& p : pairs)
    jobs.push_back({p.a.number + 1, p.b.number + 1, jobs.size() % 3 == 0 ? 12u : 0u, p.pose_a, p.pose_b});
  jobs.back().a = 0;
  return jobs;
}

std::vector<PairOverlap> answered_in_blocks(const std::vector<PairJob>& jobs, std::size_t first, std::size_t size) {
  const MeshLoader load = [](const std::string& name) {
    return name == "large" ? scenes::torus(kEmulated ? 6000 : 60'000) : scenes::sphere(name == "small" ? 100 : 200);
  };
  const std::vector<std::string> names{"large", "small", "other"};
  Sweep sweep({.engine = "cuda", .resolution = 24}, load);
  sweep.add_meshes(names);
  std::vector<PairOverlap> all, some;
  for (std::size_t begin = 0, end; begin < jobs.size(); begin = end) {
    end = std::min(jobs.size(), begin == 0 ? first : begin + size);
    JobBlock block;
    block.first = begin;
    block.jobs.assign(jobs.begin() + static_cast<std::ptrdiff_t>(begin),
                      jobs.begin() + static_cast<std::ptrdiff_t>(end));
    sweep.answer(block, some);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST_F(SweepUnits, LongBlocksAreCutWhereShortOnesEnd) {
  constexpr std::size_t kUnit = 16;
  const SmallUnit unit(kUnit);
  const std::vector<PairJob> jobs = jobs_with_one_large_mesh(5 * kUnit - 3);
  const std::vector<PairOverlap> expected = answered_in_blocks(jobs, kUnit, kUnit);
  for (const std::size_t size : {2 * kUnit, 4 * kUnit, 10 * kUnit}) {
    const std::vector<PairOverlap> found = answered_in_blocks(jobs, kUnit, size);
    const std::vector<PairOverlap> together = answered_in_blocks(jobs, size, size);
    ASSERT_EQ(found.size(), jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i)
      for (const PairOverlap& answer : {found[i], together[i]}) {
        EXPECT_EQ(std::memcmp(&answer.volume, &expected[i].volume, sizeof(double)), 0) << i << " of " << size;
        EXPECT_EQ(std::memcmp(&answer.volume_error, &expected[i].volume_error, sizeof(double)), 0) << i;
        EXPECT_EQ(answer.centroid, expected[i].centroid) << i;
      }
  }
}

}  // namespace
}  // namespace lamella
