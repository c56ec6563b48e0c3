// Verdicts: the engine, a Batch and queries on arrays in device memory, against the software engine.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare.hpp"
#include "lamella/batch.hpp"
#include "lamella/cuda.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::OnDevice;
using test::round_sphere;

struct Case {
  std::string name;
  Mesh a, b;
  std::optional<Verdict> verdict;  ///< without: the surfaces touch, which is anything but a collision
  bool plain = false;              ///< the sums alone suffice for it
};

Mesh turned(const Mesh& mesh, double angle = 0.7) {
  return transformed(mesh, {{0.1, -0.2, 0.3}, rotation_about({1, 2, 3}, angle)});
}

std::vector<Case> cases() {
  const Mesh unit = box_mesh({0, 0, 0}, {1, 1, 1});
  const Mesh ball = round_sphere(12, 20), aside = round_sphere(12, 20, 1, {0.5f, 0.3f, 0.2f});
  const Mesh small = round_sphere(8, 12, 0.25f), large = box_mesh({-500, -500, -500}, {500, 500, 500});
  const Mesh corner = box_mesh({0.5f, 0.5f, 0.5f}, {2, 2, 2}), slice = box_mesh({0.99f, 0.2f, 0.1f}, {2, 0.8f, 0.7f});
  const Mesh beyond = round_sphere(12, 20, 1, {1.3f, 1.3f, 1.3f}), next = box_mesh({1, 0, 0}, {2, 1, 1});
  std::vector<Case> all{
      {"two balls", ball, aside, Verdict::colliding, true},
      {"turned boxes", turned(unit), turned(corner), Verdict::colliding},
      {"one within the other", small, ball, Verdict::colliding, true},
      {"in a large box", small, large, Verdict::colliding, true},
      {"boxes that share a little", turned(unit), turned(slice), Verdict::colliding},
      {"far apart", unit, box_mesh({5, 0, 0}, {6, 1, 1}), Verdict::clear, true},
      {"apart in boxes that overlap", ball, beyond, Verdict::clear, true},
      {"a common face", unit, next, Verdict::clear, true},
      {"a common tilted face with the same corners", turned(unit), turned(next), Verdict::clear},
      {"inside out", ball, test::inside_out(aside), Verdict::undecided, true},
  };
  const Mesh partly = box_mesh({1, 0.13f, 0.27f}, {2, 0.91f, 0.8f});
  for (const double angle : {0.2, 0.5, 0.7, 1.0, 1.3, 2.1})
    all.push_back({"a part of a tilted face", turned(unit, angle), turned(partly, angle), std::nullopt});
  return all;
}

class CudaVerdicts : public test::CudaTest {
 protected:
  static constexpr std::uint32_t kResolution = 32;

  /// Of a query on arrays in device memory, and of a batch of them.
  static std::pair<Verdict, Verdict> on_device(const Mesh& a, const Mesh& b) {
    const OnDevice<Vec3> positions_a(a.positions), positions_b(b.positions);
    const OnDevice<Triangle> triangles_a(a.triangles), triangles_b(b.triangles);
    const auto size = [](const auto& v) { return static_cast<std::uint32_t>(v.size()); };
    const std::vector<cuda::DeviceMesh> meshes{
        {positions_a.get(), triangles_a.get(), size(a.positions), size(a.triangles)},
        {positions_b.get(), triangles_b.get(), size(b.positions), size(b.triangles)}};
    auto query = cuda::Query::intersect(meshes[0], meshes[1], {.resolution = kResolution});
    query.launch(nullptr);
    const Verdict of_query = query.wait().verdict;
    cuda::PairBatch batch(meshes, {.resolution = kResolution});
    const BatchPair pair{0, 1, {}, {}};
    batch.launch({&pair, 1}, nullptr);
    return {of_query, batch.wait()[0].verdict};
  }
};

TEST_F(CudaVerdicts, AreTheSoftwareEnginesAndSumsNeverSayTheOpposite) {
  const auto engine = make_engine({.engine = "cuda", .threads = 1});
  const auto software = make_engine({.engine = "software", .threads = 1});
  const QueryOptions options{.resolution = kResolution};
  std::uint64_t uncertain = 0;
  for (const Case& c : cases())
    for (const bool swapped : {false, true}) {
      SCOPED_TRACE(c.name + (swapped ? ", swapped" : ""));
      const Mesh &a = swapped ? c.b : c.a, &b = swapped ? c.a : c.b;
      const Overlap expected = test::intersect(*software, a, b, options);
      EXPECT_EQ(expected.verdict, c.verdict.value_or(expected.verdict));
      EXPECT_TRUE(c.verdict || !expected.colliding());
      const Overlap found = test::intersect(*engine, a, b, options);
      EXPECT_EQ(found.verdict, expected.verdict);
      EXPECT_EQ(found.doubts, expected.doubts);
      EXPECT_EQ(found.health.uncertain_spans, expected.health.uncertain_spans);
      uncertain += found.health.uncertain_spans;
      const auto [of_query, of_batch] = on_device(a, b);
      EXPECT_EQ(of_batch, of_query);
      EXPECT_TRUE(of_query == expected.verdict || (of_query == Verdict::undecided && !c.plain));
    }
  EXPECT_GT(uncertain, 0u) << "else no surfaces touched";
}

/// Also far away, where both meshes are placed relative to an origin near them.
TEST_F(CudaVerdicts, OfABatchAreThoseOfABatchOnTheCpu) {
  Batch on_gpu({.engine = "cuda", .resolution = kResolution});
  Batch on_cpu({.engine = "software", .resolution = kResolution});
  std::vector<BatchPair> pairs;
  std::vector<std::optional<Verdict>> verdicts;
  for (const Case& c : cases()) {
    const ObjectId a = on_gpu.add(c.a), b = on_gpu.add(c.b);
    EXPECT_EQ(on_cpu.add(c.a), a);
    EXPECT_EQ(on_cpu.add(c.b), b);
    for (const double far : {0.0, 0x1p20}) {
      const Transform pose{{far, -far, far}, {}};
      pairs.push_back({a, b, pose, pose});
      pairs.push_back({b, a, pose, pose});
      verdicts.insert(verdicts.end(), 2, c.verdict);
    }
  }
  const auto found = on_gpu.intersect(pairs), expected = on_cpu.intersect(pairs);
  ASSERT_EQ(found.size(), pairs.size());
  ASSERT_EQ(expected.size(), pairs.size());
  std::uint64_t uncertain = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "pair " << i);
    EXPECT_EQ(found[i].verdict, expected[i].verdict);
    EXPECT_EQ(found[i].verdict, verdicts[i].value_or(found[i].verdict));
    EXPECT_TRUE(verdicts[i] || !found[i].colliding());
    EXPECT_EQ(found[i].health.uncertain_spans, expected[i].health.uncertain_spans);
    EXPECT_EQ(found[i].bounds, expected[i].bounds);
    EXPECT_EQ(found[i].span_count, expected[i].span_count);
    uncertain += found[i].health.uncertain_spans;
  }
  EXPECT_GT(uncertain, 0u) << "else no surfaces touched";
}

}  // namespace
}  // namespace lamella
