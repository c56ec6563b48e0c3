// Every option reaches every query, one-off, of a Detector and of a Batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lamella/batch.hpp"
#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using testing::HasSubstr;

const Mesh kA = box_mesh({0, 0, 0}, {2, 3, 4}), kB = box_mesh({1, 1, 1}, {3, 4, 5});
const std::vector<Vec3> kPoints{{1.5f, 1.5f, 1.5f}};
const Aabb kBox{{0.5f, 0.5f, 0.5f}, {2, 2, 2}};

/// What can be seen of the options in an answer.
struct Seen {
  Grid grid;
  std::string engine;
};

using Query = Seen (*)(const Mesh& a, const Mesh& b, const Options& options);

/// The same queries one-off, by views and by kept meshes.
const std::vector<std::pair<const char*, Query>> kQueries{
    {"intersect",
     [](const Mesh& a, const Mesh& b, const Options& o) {
       const Overlap r = intersect(a, b, o);
       return Seen{r.grid, r.engine};
     }},
    {"self_intersect",
     [](const Mesh& a, const Mesh&, const Options& o) {
       const SelfOverlap r = self_intersect(a, o);
       return Seen{r.grid, r.engine};
     }},
    {"contains",
     [](const Mesh& a, const Mesh&, const Options& o) {
       const Containment r = contains(a, kPoints, o);
       return Seen{r.grid, r.engine};
     }},
    {"contains in a box",
     [](const Mesh& a, const Mesh&, const Options& o) {
       const Containment r = contains(a, kPoints, kBox, o);
       return Seen{r.grid, r.engine};
     }},
    {"vertices_inside",
     [](const Mesh& a, const Mesh& b, const Options& o) {
       const VerticesInside r = vertices_inside(a, b, o);
       return Seen{r.a_in_b.grid, r.engine};
     }},
    {"Detector::intersect",
     [](const Mesh& a, const Mesh& b, const Options& o) {
       Detector detector(o);
       const ObjectId x = detector.add(a), y = detector.add(b);
       EXPECT_EQ(detector.intersect(x, y).grid, detector.intersect(a, b).grid);
       return Seen{detector.intersect(x, y).grid, detector.intersect(x, y).engine};
     }},
    {"Detector::self_intersect",
     [](const Mesh& a, const Mesh&, const Options& o) {
       Detector detector(o);
       const ObjectId x = detector.add(a);
       EXPECT_EQ(detector.self_intersect(x).grid, detector.self_intersect(a).grid);
       return Seen{detector.self_intersect(x).grid, detector.self_intersect(x).engine};
     }},
    {"Detector::contains",
     [](const Mesh& a, const Mesh&, const Options& o) {
       Detector detector(o);
       const ObjectId x = detector.add(a);
       EXPECT_EQ(detector.contains(x, kPoints).grid, detector.contains(a, kPoints).grid);
       EXPECT_EQ(detector.contains(x, kPoints, kBox).grid, detector.contains(a, kPoints, kBox).grid);
       EXPECT_EQ(detector.contains(x, kPoints, kBox).box, kBox);
       return Seen{detector.contains(x, kPoints).grid, detector.contains(x, kPoints).engine};
     }},
    {"Detector::vertices_inside",
     [](const Mesh& a, const Mesh& b, const Options& o) {
       Detector detector(o);
       const ObjectId x = detector.add(a), y = detector.add(b);
       EXPECT_EQ(detector.vertices_inside(x, y).a_in_b.grid, detector.vertices_inside(a, b).a_in_b.grid);
       return Seen{detector.vertices_inside(x, y).a_in_b.grid, detector.vertices_inside(x, y).engine};
     }},
    {"Detector, rigid",
     [](const Mesh& a, const Mesh&, const Options& o) {
       Detector detector(o);
       const ObjectId x = detector.add_rigid(a);
       EXPECT_EQ(detector.contains(x, kPoints).grid, detector.rigid(x).ldi.grid);
       return Seen{detector.rigid(x).ldi.grid, detector.rigid(x).engine};
     }},
};

TEST(QueryOptions, ResolutionAxisAndEngineReachEveryQuery) {
  for (const auto& [name, query] : kQueries)
    for (const Axis axis : {Axis::x, Axis::y, Axis::z})
      for (const char* engine : {"software", "reference"}) {
        SCOPED_TRACE(testing::Message() << name << " along " << static_cast<int>(axis) << " by " << engine);
        const Seen seen = query(kA, kB, {.engine = engine, .resolution = 11, .axis = axis});
        EXPECT_EQ(seen.grid.columns, 11u);
        EXPECT_EQ(seen.grid.rows, 11u);
        EXPECT_EQ(seen.grid.axis, axis);
        EXPECT_EQ(seen.engine, engine);
      }
}

TEST(QueryOptions, StrictReachesEveryQuery) {
  Mesh open = kA;
  open.triangles.erase(open.triangles.begin() + 2, open.triangles.begin() + 4);  // its high face along z
  for (const auto& [name, query] : kQueries) {
    SCOPED_TRACE(name);
    const Options options{.engine = "software", .resolution = 8, .axis = Axis::z};
    EXPECT_NO_THROW(query(open, kB, options));
    Options strict = options;
    strict.strict = true;
    EXPECT_THAT(test::error_of([&] { query(open, kB, strict); }).what(), HasSubstr("strict"));
    EXPECT_NO_THROW(query(kA, kB, strict));
  }
}

TEST(QueryOptions, TheLimitOfCrossingsReachesEveryQuery) {
  for (const auto& [name, query] : kQueries) {
    SCOPED_TRACE(name);
    EXPECT_NO_THROW(query(kA, kB, {.engine = "software", .resolution = 8, .max_crossings = 128}));
    EXPECT_THAT(test::error_of([&, q = query] {
                  q(kA, kB, {.engine = "software", .resolution = 8, .max_crossings = 127});
                }).what(),
                HasSubstr("127"));
  }
}

TEST(QueryOptions, ThatAreOutOfRangeAreRefusedByEveryQuery) {
  for (const auto& [name, query] : kQueries) {
    SCOPED_TRACE(name);
    for (const Options& bad :
         {Options{.resolution = 0}, {.resolution = kMaxResolution + 1}, {.min_thickness = -1}, {.engine = "nonsense"}})
      EXPECT_THROW(query(kA, kB, bad), Error);
  }
}

TEST(QueryOptions, TheMinimumThicknessReachesQueriesOfVolumesAndVertices) {
  Mesh twice = kA;
  test::append(twice, box_mesh({0, 0, 3}, {2, 3, 6}));  // 1 of 6 deep
  for (const float thickness : {0.1f, 0.2f}) {
    const Options options{.engine = "software", .resolution = 8, .axis = Axis::z, .min_thickness = thickness};
    EXPECT_EQ(self_intersect(twice, options).colliding(), thickness < 0.15f);
    Detector detector(options);
    EXPECT_EQ(detector.self_intersect(twice).colliding(), thickness < 0.15f);
    EXPECT_EQ(detector.self_intersect(detector.add(twice)).colliding(), thickness < 0.15f);
  }
  for (const float thickness : {0.5f, 1.0f}) {  // the box of the pair is what they share
    const Options options{.engine = "software", .resolution = 8, .axis = Axis::z, .min_thickness = thickness};
    EXPECT_EQ(intersect(kA, kB, options).colliding(), thickness < 1);
    EXPECT_EQ(vertices_inside(kA, kB, options).any(), thickness < 1);
    Batch batch(options);
    const BatchPair pair{batch.add(kA), batch.add(kB), {}, {}};
    EXPECT_EQ(batch.intersect({&pair, 1})[0].colliding(), thickness < 1);
  }
  EXPECT_THROW(Batch({.engine = "software", .min_thickness = -1}), Error);
}

/// Knows what it was asked.
class AskedEngine final : public Engine {
 public:
  explicit AskedEngine(std::vector<Grid>& grids) : grids_(grids) {}
  [[nodiscard]] std::string_view name() const override { return "asked"; }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override { return lamella::bounds(mesh.view); }
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override {
    grids_.push_back(grid);
    inner_->build(mesh.view, grid, out);
  }

 private:
  std::vector<Grid>& grids_;
  std::unique_ptr<Engine> inner_ = make_engine({.engine = "software", .threads = 1});
};

TEST(Detector, WithAnEngineOfTheCallersHasItsNameAndTheOptionsGiven) {
  std::vector<Grid> grids;
  Detector detector(std::make_unique<AskedEngine>(grids),
                    {.resolution = 9, .axis = Axis::y, .strict = true, .min_thickness = 0.25f});
  const Options& options = detector.options();
  EXPECT_EQ(options.engine, "asked");
  EXPECT_EQ(options.resolution, 9u);
  EXPECT_EQ(options.axis, Axis::y);
  EXPECT_TRUE(options.strict);
  EXPECT_EQ(options.min_thickness, 0.25f);
  (void)detector.self_intersect(kA);
  ASSERT_EQ(grids.size(), 1u);
  EXPECT_EQ(grids[0].columns, 9u);
  EXPECT_EQ(grids[0].axis, Axis::y);
  Mesh open = kA;
  open.triangles.erase(open.triangles.begin() + 4, open.triangles.begin() + 6);
  EXPECT_THROW((void)detector.self_intersect(open), Error);
}

TEST(Detector, SaysWhichMeshIsMissingOrOfTheOtherKind) {
  Detector detector({.engine = "software", .resolution = 8});
  const ObjectId soft = detector.add(kA), rigid = detector.add_rigid(kB);
  const auto message = [](const auto& call) { return std::string(test::error_of(call).what()); };
  EXPECT_THAT(message([&] { (void)detector.self_intersect(ObjectId{7}); }), HasSubstr("no mesh 7"));
  EXPECT_THAT(message([&] { detector.move(soft, {}); }), HasSubstr("mesh 0 is not rigid"));
  EXPECT_THAT(message([&] { (void)detector.rigid(soft); }), HasSubstr("mesh 0 is not rigid"));
  EXPECT_THAT(message([&] { detector.deform(rigid, kB.positions); }), HasSubstr("mesh 1 is rigid"));
  EXPECT_THAT(message([&] { detector.deform(soft, std::span(kB.positions).first(5)); }),
              HasSubstr("5 positions for a mesh of 8 vertices"));
}

TEST(Detector, ARigidMeshThatWasMovedBackIsWhereItWas) {
  Detector detector({.engine = "software", .resolution = 8});
  const ObjectId a = detector.add_rigid(kA), b = detector.add_rigid(kB, {{10, 0, 0}, {}});
  EXPECT_FALSE(detector.intersect(a, b).colliding());
  detector.move(b, {});
  EXPECT_NEAR(detector.intersect(a, b).volume, 1 * 2 * 3, 1e-5);
  detector.move(a, {{0, 1, 0}, {}});
  EXPECT_NEAR(detector.intersect(a, b).volume, 1 * 3 * 3, 1e-5);
  detector.move(a, {});
  EXPECT_NEAR(detector.intersect(a, b).volume, 1 * 2 * 3, 1e-5);
  EXPECT_EQ(detector.contains(a, kPoints).inside_count, 1u);
}

TEST(Detector, VerticesOfARigidAndASoftMeshAreThoseOfTwoSoftOnesInEitherOrder) {
  // Three of a's corners are in the small box; none of the box's are in a.
  const Mesh cap = box_mesh({-1, -1, 3.5f}, {3, 2, 6});
  Detector detector({.engine = "software", .resolution = 16});
  const ObjectId soft_a = detector.add(kA), rigid_a = detector.add_rigid(kA);
  const ObjectId soft_b = detector.add(cap), rigid_b = detector.add_rigid(cap);
  const auto vertices = [](const VerticesOfOne& found) {
    std::vector<std::uint32_t> of;
    for (const VertexInside& v : found.inside) of.push_back(v.vertex);
    return of;
  };
  const std::vector<std::uint32_t> wanted{4, 5}, none;
  for (const auto& [a, b] : {std::pair{soft_a, soft_b}, {soft_a, rigid_b}, {rigid_a, soft_b}, {rigid_a, rigid_b}}) {
    EXPECT_EQ(vertices(detector.vertices_inside(a, b).a_in_b), wanted);
    EXPECT_EQ(vertices(detector.vertices_inside(a, b).b_in_a), none);
    EXPECT_EQ(vertices(detector.vertices_inside(b, a).a_in_b), none);
    EXPECT_EQ(vertices(detector.vertices_inside(b, a).b_in_a), wanted);
  }
}

TEST(Batch, DeformsTheMeshItIsToldToAndKeepsTheOthers) {
  Batch batch({.engine = "software", .resolution = 8});
  const ObjectId a = batch.add(kA), b = batch.add(kB), c = batch.add(Mesh{});
  EXPECT_EQ(a.number, 0u);
  EXPECT_EQ(b.number, 1u);
  EXPECT_EQ(c.number, 2u);
  batch.deform(b, box_mesh({1, 1, 1}, {1.5f, 2, 2}).positions);
  const std::vector<BatchPair> pairs{{a, a, {}, {}}, {a, b, {}, {}}, {b, b, {}, {}}, {a, c, {}, {}}};
  const auto answers = batch.intersect(pairs);
  EXPECT_NEAR(answers[0].volume, 24, 1e-4);
  EXPECT_NEAR(answers[1].volume, 0.5, 1e-5);
  EXPECT_NEAR(answers[2].volume, 0.5, 1e-5);
  EXPECT_FALSE(answers[3].colliding());
  EXPECT_THAT(test::error_of([&] { batch.deform(c, kA.positions); }).what(),
              HasSubstr("8 positions for a mesh of 0 vertices"));
  EXPECT_NO_THROW(batch.deform(c, {}));
}

}  // namespace
}  // namespace lamella
