// What every whole query refuses: options, meshes of another engine, poses, boxes, and under `strict` meshes that do
// not close.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::box_mesh;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

/// Every whole query, with a mesh or two at places that a test can make bad.
struct Call {
  const char* name;
  std::function<void(Engine&, MeshRef, MeshRef, const QueryOptions&)> run;
  bool second_mesh;
};
std::vector<Call> calls(const RigidMesh& rigid) {
  static const std::vector<Vec3> points{{0.5f, 0.5f, 0.5f}};
  static const Aabb box{{0, 0, 0}, {1, 1, 1}};
  return {
      {"intersect",
       [](Engine& e, MeshRef a, MeshRef b, const QueryOptions& o) {
         Overlap out;
         e.intersect(a, b, o, out);
       },
       true},
      {"self_intersect",
       [](Engine& e, MeshRef a, MeshRef, const QueryOptions& o) {
         SelfOverlap out;
         e.self_intersect(a, o, out);
       },
       false},
      {"contains",
       [](Engine& e, MeshRef a, MeshRef, const QueryOptions& o) {
         Containment out;
         e.contains(a, points, o, out);
       },
       false},
      {"contains in a box",
       [](Engine& e, MeshRef a, MeshRef, const QueryOptions& o) {
         Containment out;
         e.contains(a, points, box, o, out);
       },
       false},
      {"vertices_inside",
       [](Engine& e, MeshRef a, MeshRef b, const QueryOptions& o) {
         VerticesInside out;
         e.vertices_inside(a, b, o, out);
       },
       true},
      {"vertices_inside of a rigid mesh",
       [&rigid](Engine& e, MeshRef a, MeshRef, const QueryOptions& o) {
         VerticesInside out;
         e.vertices_inside(a, rigid, {}, o, out);
       },
       false},
      {"sample_rigid",
       [](Engine& e, MeshRef a, MeshRef, const QueryOptions& o) {
         RigidMesh out;
         e.sample_rigid(a, o, out);
       },
       false},
  };
}
/// Those of rigid meshes alone.
std::vector<Call> rigid_calls(const RigidMesh& a, const RigidMesh& b) {
  return {
      {"contains of a rigid mesh",
       [&a](Engine& e, MeshRef, MeshRef, const QueryOptions& o) {
         Containment out;
         e.contains(a, {}, std::vector<Vec3>{{0.5f, 0.5f, 0.5f}}, o, out);
       },
       false},
      {"vertices_inside of rigid meshes",
       [&a, &b](Engine& e, MeshRef, MeshRef, const QueryOptions& o) {
         VerticesInside out;
         e.vertices_inside(a, {}, b, {}, o, out);
       },
       false},
      {"vertices_inside of rigid meshes, swapped",
       [&a, &b](Engine& e, MeshRef, MeshRef, const QueryOptions& o) {
         VerticesInside out;
         e.vertices_inside(b, {}, a, {}, o, out);
       },
       false},
  };
}

TEST(QueryChecks, OptionsOutOfRangeAreErrorsOfEveryQuery) {
  const auto engine = make_engine({.engine = "software"});
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  RigidMesh rigid;
  engine->sample_rigid(mesh, {.resolution = 2}, rigid);
  auto all_calls = calls(rigid);
  for (const Call& c : rigid_calls(rigid, rigid)) all_calls.push_back(c);
  for (const Call& call : all_calls) {
    SCOPED_TRACE(call.name);
    EXPECT_NO_THROW(call.run(*engine, mesh, mesh, {.resolution = 2}));
    for (const std::uint32_t resolution : {0u, kMaxResolution + 1})
      EXPECT_THROW(call.run(*engine, mesh, mesh, {.resolution = resolution}), Error);
    for (const float thickness : {-0x1p-30f, kNan, kInfinity})
      EXPECT_THROW(call.run(*engine, mesh, mesh, {.resolution = 2, .min_thickness = thickness}), Error);
  }
}

TEST(QueryChecks, AMeshOfAnotherEngineIsAnErrorOfEveryQueryAtEitherPlace) {
  const auto engine = make_engine({.engine = "software"}), other = make_engine({.engine = "software"});
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  const auto own = engine->keep(mesh), foreign = other->keep(mesh);
  RigidMesh rigid;
  engine->sample_rigid(mesh, {.resolution = 2}, rigid);
  for (const Call& call : calls(rigid)) {
    SCOPED_TRACE(call.name);
    EXPECT_NO_THROW(call.run(*engine, *own, *own, {.resolution = 2}));
    EXPECT_THROW(call.run(*engine, *foreign, *own, {.resolution = 2}), Error);
    if (call.second_mesh) {
      EXPECT_THROW(call.run(*engine, *own, *foreign, {.resolution = 2}), Error);
    }
  }
}

TEST(QueryChecks, StrictRefusesEitherMeshThatDoesNotClose) {
  const auto engine = make_engine({.engine = "software"});
  const Mesh closed = box_mesh({0, 0, 0}, {1, 1, 1});
  Mesh open = closed;
  open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 4);  // without the ends along z
  RigidMesh rigid_closed, rigid_open;
  const QueryOptions lenient{.resolution = 4, .axis = Axis::z},
      strict{.resolution = 4, .axis = Axis::z, .strict = true};
  Mesh half_open = closed;
  half_open.triangles.erase(half_open.triangles.begin());
  engine->sample_rigid(closed, lenient, rigid_closed);
  engine->sample_rigid(half_open, lenient, rigid_open);
  for (const Call& call : calls(rigid_closed)) {
    SCOPED_TRACE(call.name);
    EXPECT_NO_THROW(call.run(*engine, closed, closed, strict));
    EXPECT_NO_THROW(call.run(*engine, half_open, half_open, lenient));
    const Error error = test::error_of([&] { call.run(*engine, half_open, closed, strict); });
    EXPECT_NE(std::string(error.what()).find("strict: "), std::string::npos) << error.what();
    if (call.second_mesh) {
      EXPECT_THROW(call.run(*engine, closed, half_open, strict), Error);
    }
  }
  for (const Call& call : rigid_calls(rigid_open, rigid_closed)) {
    SCOPED_TRACE(call.name);
    EXPECT_NO_THROW(call.run(*engine, {}, {}, lenient));
    EXPECT_THROW(call.run(*engine, {}, {}, strict), Error);
  }
  VerticesInside found;
  EXPECT_THROW(engine->vertices_inside(closed, rigid_open, {}, strict, found), Error);
}

TEST(QueryChecks, PosesThatAreNotFiniteOrNotOfUnitLengthAreErrors) {
  const auto engine = make_engine({.engine = "software"});
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  RigidMesh rigid;
  engine->sample_rigid(mesh, {.resolution = 2}, rigid);
  const Transform good{{1, 2, 3}, {0.5, 0.5, 0.5, 0.5}};
  for (const Transform& bad : {Transform{{kNan, 0, 0}, {}}, Transform{{}, {0, 0, 0, 0.9}}}) {
    Containment in;
    VerticesInside found;
    EXPECT_NO_THROW(engine->contains(rigid, good, {}, {}, in));
    EXPECT_THROW(engine->contains(rigid, bad, {}, {}, in), Error);
    EXPECT_NO_THROW(engine->vertices_inside(mesh, rigid, good, {}, found));
    EXPECT_THROW(engine->vertices_inside(mesh, rigid, bad, {}, found), Error);
    EXPECT_NO_THROW(engine->vertices_inside(rigid, good, rigid, good, {}, found));
    EXPECT_THROW(engine->vertices_inside(rigid, bad, rigid, good, {}, found), Error);
    EXPECT_THROW(engine->vertices_inside(rigid, good, rigid, bad, {}, found), Error);
  }
}

TEST(QueryChecks, ABoxForPointsMustEncloseAVolumeOnEveryAxis) {
  const auto engine = make_engine({.engine = "software"});
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  Containment in;
  const Aabb good{{-1, -2, -3}, {4, 5, 6}};
  EXPECT_NO_THROW(engine->contains(mesh, std::span<const Vec3>{}, good, {.resolution = 2}, in));
  for (int k = 0; k < 3; ++k)
    for (const float high : {-kInfinity, -100.0f, good.min[k], kInfinity, kNan}) {
      Aabb bad = good;
      bad.max[k] = high;
      const Error error =
          test::error_of([&] { engine->contains(mesh, std::span<const Vec3>{}, bad, {.resolution = 2}, in); });
      EXPECT_NE(std::string(error.what()).find("the box from -1, -2, -3 to"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace lamella
