#include <fmt/format.h>

#include "bind.hpp"
#include "columns.hpp"
#include "inputs.hpp"
#include "lamella/image_collide.hpp"
#include "lamella/image_scene.hpp"
#include "records.hpp"
#include "seconds.hpp"

namespace lamella::python {
namespace {

using SharedCollider = Locked<ImageCollider>;
using SharedImageScene = Locked<ImageScene>;

const py::dtype& triangle_pair_dtype() {
  return kept_dtype([] {
    return struct_dtype(sizeof(TrianglePair), {{"image_a", "u4", offsetof(TrianglePair, image_a)},
                                               {"triangle_a", "u4", offsetof(TrianglePair, triangle_a)},
                                               {"image_b", "u4", offsetof(TrianglePair, image_b)},
                                               {"triangle_b", "u4", offsetof(TrianglePair, triangle_b)}});
  });
}

/// The spheres of a level, (2^level, 2^level, 4), which share the pyramid's memory.
py::array level_of(py::handle self, int level) {
  const auto& pyramid = self.cast<const SpherePyramid&>();
  if (level < 0 || level > pyramid.n())
    throw py::index_error(fmt::format("level {}: the levels are 0 to {}", level, pyramid.n()));
  const std::size_t side = std::size_t{1} << level;
  return read_only(py::array(py::dtype::of<float>(), {side, side, std::size_t{4}},
                             {pyramid.width() * sizeof(Sphere), sizeof(Sphere), sizeof(float)},
                             &pyramid.at(level, 0, 0), self));
}

void bind_bodies(py::module_& m) {
  py::class_<SpherePyramid, std::shared_ptr<SpherePyramid>>(
      m, "SpherePyramid", "A hierarchy of bounding spheres of a geometry image: level 0 is one, level n one per quad.")
      .def(py::init([](const GeometryImage& image, SphereFit fit) {
             return released([&] { return std::make_shared<SpherePyramid>(image, fit); });
           }),
           py::arg("image"), py::arg("fit") = SphereFit::tight)
      .def_property_readonly("n", &SpherePyramid::n, "the number of the deepest level")
      .def("level", &level_of, py::arg("level"), "float32 (2^level, 2^level, 4): x, y, z and radius; shares memory.")
      .def_property_readonly("open_quad_count", &SpherePyramid::open_quad_count,
                             "quads with a vertex outside of their sphere: 0 but for the fit \"published\"");
  bind_items<SpherePyramid>(m, "SpherePyramids", "The pyramids of an ImageBody, as a sequence.");

  py::class_<ImageBody, std::shared_ptr<ImageBody>>(m, "ImageBody", R"(Geometry images that move as one body.

Made by make_body. Images share memory with the body: after changing their positions call refit().)")
      .def_property_readonly(
          "images",
          [](const std::shared_ptr<ImageBody>& b) {
            return Items<GeometryImage>{b, &b->images};
          },
          "sequence of GeometryImage")
      .def_property_readonly(
          "pyramids",
          [](const std::shared_ptr<ImageBody>& b) {
            return Items<SpherePyramid>{b, &b->pyramids};
          },
          "sequence of SpherePyramid")
      .def("__repr__",
           [](const ImageBody& b) { return fmt::format("<lamella.ImageBody: {} images>", b.images.size()); });
  py::class_<CompactBody, std::shared_ptr<CompactBody>>(
      m, "CompactBody", "The same in half the memory, of CompactImages; for bodies that do not deform.")
      .def("__repr__",
           [](const CompactBody& b) { return fmt::format("<lamella.CompactBody: {} images>", b.images.size()); });
  m.def(
      "make_body",
      [](const py::iterable& images, SphereFit fit, unsigned threads) -> py::object {
        const py::list all(images);
        if (!all.empty() && py::isinstance<CompactImage>(all[0])) {
          auto compact = copies_of<CompactImage>(all);
          return py::cast(
              released([&] { return std::make_shared<CompactBody>(make_body(std::move(compact), fit, threads)); }));
        }
        auto floats = copies_of<GeometryImage>(all);
        return py::cast(released([&] { return std::make_shared<ImageBody>(make_body(std::move(floats), fit)); }));
      },
      py::arg("images"), py::arg("fit") = SphereFit::tight, py::arg("threads") = 1,
      R"(An ImageBody of copies of GeometryImages, or a CompactBody of CompactImages. `threads`: for the latter.

>>> import lamella
>>> ball = lamella.make_body([lamella.image_of_sphere(5)])
>>> lamella.collide(ball, ball, pose_b=(1.9, 0, 0)).colliding, lamella.collide(ball, ball, pose_b=(2.1, 0, 0)).colliding
(True, False))");
  m.def(
      "refit", [](ImageBody& body, unsigned threads) { released([&] { refit(body, threads); }); }, py::arg("body"),
      py::arg("threads") = 1, "Fits the pyramids to changed positions.");
  m.def(
      "relative_pose",
      [](py::handle frame, py::handle placed) { return relative_pose(pose_of(frame), pose_of(placed)); },
      py::arg("frame"), py::arg("placed"), "The pose of `placed` in the coordinates of `frame`.");
}

void bind_collisions(py::module_& m) {
  OptionsClass<ImageCollideOptions>(m, "ImageCollideOptions", "Options of collide() for geometry images.")
      .field("all", &ImageCollideOptions::all, "find all pairs of triangles; otherwise the first ends the search")
      .field("max_level", &ImageCollideOptions::max_level, "go no deeper; negative: down to the triangles")
      .field("budget", &ImageCollideOptions::budget, "seconds for one search; 0: no limit")
      .field("max_tests", &ImageCollideOptions::max_tests, "tests for one search; 0: no limit")
      .field("walk", &ImageCollideOptions::walk, "order of the search: \"guided\" or \"zigzag\"");
  Record<ImageCollision>(m, "ImageCollision", "What a search of two bodies found.")
      .field("verdict", &ImageCollision::verdict, "clear, colliding, or undecided where the search ended early")
      .value(
          "colliding", [](const ImageCollision& c) { return c.colliding(); }, "the verdict is `colliding`")
      .field("complete", &ImageCollision::complete, "the search was not cut short")
      .field("enclosing", &ImageCollision::enclosing, "False: spheres leave out a part of a surface")
      .array(
          "pairs",
          [](const ImageCollision& c, py::handle owner) {
            return structs_of<TrianglePair>(c.pairs, triangle_pair_dtype(), owner);
          },
          "structured array: image_a, triangle_a, image_b, triangle_b; one unless `all`")
      .field("sphere_pair_count", &ImageCollision::sphere_pair_count, "with max_level and all: spheres that overlap")
      .field("level", &ImageCollision::level, "deepest level at which spheres overlap; -1: none")
      .field("position", &ImageCollision::position, "where triangles meet, or the smallest spheres overlap")
      .field("within", &ImageCollision::within, "upper bound of the distance between the surfaces near position")
      .field("sphere_test_count", &ImageCollision::sphere_test_count, "tests of spheres")
      .field("triangle_test_count", &ImageCollision::triangle_test_count, "tests of triangles");
  Record<VisitedSphere>(m, "VisitedSphere", "A sphere of a body that a search visits.")
      .field("image", &VisitedSphere::image, "of the body")
      .field("level", &VisitedSphere::level, "of the pyramid")
      .field("x", &VisitedSphere::x, "place in the level")
      .field("y", &VisitedSphere::y, "place in the level")
      .value(
          "center",
          [](const VisitedSphere& v) {
            return Vec3{v.sphere.x, v.sphere.y, v.sphere.z};
          },
          "in the world")
      .value(
          "radius", [](const VisitedSphere& v) { return v.sphere.radius; }, "of the sphere");
}

bool is_body(py::handle h) { return py::isinstance<ImageBody>(h) || py::isinstance<CompactBody>(h); }
BodyRef body_of(py::handle h, const char* name) {
  if (py::isinstance<ImageBody>(h)) return {h.cast<const ImageBody&>()};
  if (py::isinstance<CompactBody>(h)) return {h.cast<const CompactBody&>()};
  throw py::type_error(fmt::format("{}: must be an ImageBody or a CompactBody (make_body)", name));
}

std::shared_ptr<ImageCollision> collide_bodies(SharedCollider& self, py::handle a, py::handle b, py::handle pose_a,
                                               py::handle pose_b, const py::object& options, const py::object& visited,
                                               const py::kwargs& keywords) {
  auto asked = options_of<ImageCollideOptions>(options, keywords);
  if (!visited.is_none())
    asked.visited = [&visited](const VisitedSphere& x, const VisitedSphere& y) {
      const py::gil_scoped_acquire acquire;
      visited(VisitedSphere(x), VisitedSphere(y));
    };
  const BodyRef first = body_of(a, "a");
  const Transform at_a = pose_of(pose_a), at_b = pose_of(pose_b);
  if (is_body(b)) {
    const BodyRef second = body_of(b, "b");
    return released([&] {
      const std::scoped_lock lock(self.mutex);
      return std::make_shared<ImageCollision>(self.object.collide(first, at_a, second, at_b, asked));
    });
  }
  const MeshInput mesh(b, "b");
  return released({&mesh}, [&] {
    const std::scoped_lock lock(self.mutex);
    return std::make_shared<ImageCollision>(self.object.collide(first, at_a, mesh.view(), at_b, asked));
  });
}

void bind_collide(py::module_& m) {
  py::class_<SharedCollider>(m, "ImageCollider", "collide() for many calls: keeps its memory.")
      .def(py::init<>())
      .def("collide", &collide_bodies, py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(),
           py::arg("pose_b") = py::none(), py::arg("options") = py::none(), py::arg("visited") = py::none(),
           "As lamella.collide.");
  m.def(
      "collide",
      [](py::handle a, py::handle b, py::handle pose_a, py::handle pose_b, const py::object& options,
         const py::object& visited, const py::kwargs& keywords) {
        SharedCollider collider;
        return collide_bodies(collider, a, b, pose_a, pose_b, options, visited, keywords);
      },
      py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(), py::arg("pose_b") = py::none(),
      py::arg("options") = py::none(), py::arg("visited") = py::none(),
      "Whether the surfaces of two bodies of geometry images meet (GI-COLLIDE); `b` may be a mesh too. Options are "
      "keywords (see ImageCollideOptions). `visited` is called with every two spheres that overlap.");
}

void bind_scene_result(py::module_& m) {
  OptionsClass<ImageSceneOptions>(m, "ImageSceneOptions", "Options of an ImageScene.")
      .field("collide", &ImageSceneOptions::collide, "ImageCollideOptions for every pair")
      .field("budget", &ImageSceneOptions::budget, "seconds for one collide(); 0: no limit")
      .field("threads", &ImageSceneOptions::threads, "0: all cores this process may use");
  Record<ImageScenePair>(m, "ImageScenePair", "Two objects whose boxes share a volume, and what was found.")
      .field("a", &ImageScenePair::a, "id of the first object; below b")
      .field("b", &ImageScenePair::b, "id of the second object")
      .field("verdict", &ImageScenePair::verdict, "as in ImageCollision")
      .field("complete", &ImageScenePair::complete, "as in ImageCollision")
      .field("level", &ImageScenePair::level, "as in ImageCollision")
      .field("position", &ImageScenePair::position, "as in ImageCollision")
      .field("within", &ImageScenePair::within, "as in ImageCollision")
      .field("enclosing", &ImageScenePair::enclosing, "as in ImageCollision")
      .field("first_triangle_pair", &ImageScenePair::first_triangle_pair, "in ImageSceneResult.triangle_pairs")
      .field("triangle_pair_count", &ImageScenePair::triangle_pair_count, "pairs of triangles");
  bind_items<ImageScenePair>(m, "ImageScenePairs", "The candidates of an ImageSceneResult, as a sequence.");
  using Result = const ImageSceneResult&;
  Record<ImageSceneResult>(m, "ImageSceneResult", "What ImageScene.collide found; stays valid after the next call.")
      .value(
          "colliding", [](Result r) { return r.colliding(); }, "whether some pair collides")
      .value(
          "candidates",
          [](const std::shared_ptr<ImageSceneResult>& r) {
            return Items<ImageScenePair>{r, &r->candidates};
          },
          "sequence of ImageScenePair, ascending by (a, b); look at their verdicts")
      .array(
          "triangle_pairs",
          [](Result r, py::handle owner) {
            return structs_of<TrianglePair>(r.triangle_pairs, triangle_pair_dtype(), owner);
          },
          "structured array: image_a, triangle_a, image_b, triangle_b")
      .field("colliding_count", &ImageSceneResult::colliding_count, "of the candidates")
      .field("sphere_test_count", &ImageSceneResult::sphere_test_count, "tests of spheres")
      .field("triangle_test_count", &ImageSceneResult::triangle_test_count, "tests of triangles")
      .field("ms", &ImageSceneResult::ms, "times")
      .def(
          "triangle_pairs_of",
          [](py::handle self, const ImageScenePair& p) {
            Result r = self.cast<Result>();
            if (std::size_t{p.first_triangle_pair} + p.triangle_pair_count > r.triangle_pairs.size())
              throw py::value_error("the pair is not one of this result");
            return structs_of<TrianglePair>(r.triangle_pairs_of(p), triangle_pair_dtype(), self);
          },
          py::arg("pair"), "The pairs of triangles of one of `candidates`.");
}

template <class Call>
auto locked(SharedImageScene& self, const Call& call) {
  return released([&] {
    const std::scoped_lock lock(self.mutex);
    return call(self.object);
  });
}

void bind_image_scene(py::module_& m) {
  py::class_<SharedImageScene>(m, "ImageScene", R"(Many moving bodies of geometry images. Objects share bodies.

>>> import lamella
>>> ball = lamella.make_body([lamella.image_of_sphere(4)])
>>> scene = lamella.ImageScene()
>>> ids = [scene.add(ball, (1.5 * i, 0, 0)) for i in range(3)]
>>> [(p.a, p.b) for p in scene.collide().candidates]
[(0, 1), (1, 2)])")
      .def(py::init([](const py::object& options, const py::kwargs& keywords) {
             const auto asked = options_of<ImageSceneOptions>(options, keywords);
             return released([&] { return std::make_unique<SharedImageScene>(asked); });
           }),
           py::arg("options") = py::none())
      .def(
          "add",
          [](SharedImageScene& self, py::handle body, py::handle pose) {
            const Transform at = pose_of(pose);
            if (py::isinstance<CompactBody>(body)) {
              const auto compact = body.cast<std::shared_ptr<CompactBody>>();
              return locked(self, [&](ImageScene& s) { return s.add(compact, at); });
            }
            (void)body_of(body, "body");
            const auto floats = body.cast<std::shared_ptr<ImageBody>>();
            return locked(self, [&](ImageScene& s) { return s.add(floats, at); });
          },
          py::arg("body"), py::arg("pose") = py::none(), "Adds an object that shares the body; returns its id.")
      .def(
          "remove", [](SharedImageScene& self, ObjectId o) { locked(self, [&](ImageScene& s) { s.remove(o); }); },
          py::arg("object"), "Takes an object out; its id is not used again.")
      .def(
          "move",
          [](SharedImageScene& self, ObjectId o, py::handle pose) {
            const Transform at = pose_of(pose);
            locked(self, [&](ImageScene& s) { s.move(o, at); });
          },
          py::arg("object"), py::arg("pose"), "Places an object.")
      .def(
          "deformed", [](SharedImageScene& self, ObjectId o) { locked(self, [&](ImageScene& s) { s.deformed(o); }); },
          py::arg("object"), "The body's images changed in place (and refit() was called): computes its box anew.")
      .def("__len__", [](SharedImageScene& self) { return locked(self, [](ImageScene& s) { return s.size(); }); })
      .def_property_readonly(
          "size", [](SharedImageScene& self) { return locked(self, [](ImageScene& s) { return s.size(); }); },
          "number of objects")
      .def(
          "pose",
          [](SharedImageScene& self, ObjectId o) {
            return locked(self, [&](ImageScene& s) { return Transform(s.pose(o)); });
          },
          py::arg("object"), "Where an object is.")
      .def(
          "collide",
          [](SharedImageScene& self) {
            return locked(self, [](ImageScene& s) { return std::make_shared<ImageSceneResult>(s.collide()); });
          },
          "Tests all objects as they are now.");
}

}  // namespace

void bind_collider(py::module_& m) {
  bind_bodies(m);
  bind_collisions(m);
  bind_collide(m);
  bind_scene_result(m);
  bind_image_scene(m);
}

}  // namespace lamella::python
