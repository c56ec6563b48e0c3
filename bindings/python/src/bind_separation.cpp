#include "lamella/separation.hpp"

#include "bind.hpp"
#include "inputs.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

using SharedSeparator = Locked<Separator>;
using SharedSweeper = Locked<Sweeper>;

/// Calls ask(object, a, b) with the object locked.
template <class Object, class Ask>
auto ask_locked(Object& self, py::handle a, py::handle b, const Ask& ask) {
  const MeshInput in_a(a, "a"), in_b(b, "b");
  return released({&in_a, &in_b}, [&] {
    const std::scoped_lock lock(self.mutex);
    return ask(self.object, in_a.view(), in_b.view());
  });
}

void bind_records(py::module_& m) {
  Record<Separation>(m, "Separation", "The shortest translation found that takes one mesh out of another.")
      .field("before", &Separation::before, "the verdict of the pair as given")
      .field("translation", &Separation::translation, "of a: direction times (length + margin)")
      .field("direction", &Separation::direction, "unit; 0 where nothing overlaps")
      .field("length", &Separation::length, "how far a must go along direction until nothing overlaps")
      .field("margin", &Separation::margin, "added so that rounding does not make them touch again")
      .field("after", &Separation::after, "the verdict after the translation")
      .field("certificate", &Separation::certificate, "of after: certain where it is proved")
      .field("directions", &Separation::directions, "looked along, counted once for each grid")
      .field("ms", &Separation::ms, "times")
      .field("engine", &Separation::engine, "of the search");
  Record<FreeInterval>(m, "FreeInterval", "The free shifts of a mesh along one direction, as rays see them.")
      .field("overlapping", &FreeInterval::overlapping, "some ray sees an overlap")
      .field("forward", &FreeInterval::forward, "how far a must go along the direction; 0 where nothing overlaps")
      .field("backward", &FreeInterval::backward, "the same against the direction; not negative")
      .field("room_forward", &FreeInterval::room_forward, "how far a may go on from there")
      .field("room_backward", &FreeInterval::room_backward, "the same against the direction")
      .field("cell", &FreeInterval::cell, "the larger distance of neighbouring rays")
      .field("open", &FreeInterval::open, "columns that do not close were left out");
  Record<SweepHit>(m, "SweepHit", "The first touch of a mesh that moves along a line.")
      .field("time", &SweepHit::time, "the part of the motion before the touch, 0 to 1")
      .field("position", &SweepHit::position, "where the surfaces touch then")
      .field("normal", &SweepHit::normal, "unit, of b's surface there, towards a")
      .field("triangle_a", &SweepHit::triangle_a, "that touches")
      .field("triangle_b", &SweepHit::triangle_b, "that is touched")
      .field("overlapping", &SweepHit::overlapping, "they overlap at the start already");
}

}  // namespace

void bind_separation(py::module_& m) {
  OptionsClass<SeparationOptions>(m, "SeparationOptions", "Options of separation().")
      .field("engine", &SeparationOptions::engine, "of the search: \"software\" or \"cuda\"")
      .field("resolution", &SeparationOptions::resolution, "columns and rows of the search's grids")
      .field("directions", &SeparationOptions::directions, "about how many are looked along, each both ways")
      .field("threads", &SeparationOptions::threads, "0: all cores this process may use")
      .field("device", &SeparationOptions::device, "which GPU");
  bind_records(m);
  m.def(
      "separation",
      [](py::handle a, py::handle b, const py::object& options, const py::kwargs& keywords) {
        const MeshInput in_a(a, "a"), in_b(b, "b");
        const auto asked = options_of<SeparationOptions>(options, keywords);
        return released({&in_a, &in_b}, [&] { return separation(in_a.view(), in_b.view(), asked); });
      },
      py::arg("a"), py::arg("b"), py::arg("options") = py::none(),
      R"(The shortest way to take `a` out of `b` by a translation.

>>> import lamella
>>> box = lamella.model("box")
>>> way = lamella.separation(box, lamella.transformed(box, (1.9, 0, 0)))
>>> round(way.length, 4), way.after
(0.1, Verdict.clear))");
  m.def(
      "free_shifts",
      [](py::handle a, py::handle b, Vec3d direction, std::uint32_t resolution) {
        const MeshInput in_a(a, "a"), in_b(b, "b");
        return released({&in_a, &in_b}, [&] { return free_shifts(in_a.view(), in_b.view(), direction, resolution); });
      },
      py::arg("a"), py::arg("b"), py::arg("direction"), py::arg("resolution") = 256,
      "How far `a` must go, or may go, along a direction and against it.");
  m.def(
      "sweep",
      [](py::handle a, py::handle b, Vec3d motion, unsigned threads) {
        const MeshInput in_a(a, "a"), in_b(b, "b");
        return released({&in_a, &in_b}, [&] { return sweep(in_a.view(), in_b.view(), motion, threads); });
      },
      py::arg("a"), py::arg("b"), py::arg("motion"), py::arg("threads") = 0,
      "Moves `a` by `motion` and tells where it first touches `b`; None where it does not.");

  py::class_<SharedSeparator>(m, "Separator", "separation() and free_shifts() for many pairs: keeps its memory.")
      .def(py::init([](const py::object& options, const py::kwargs& keywords) {
             return std::make_unique<SharedSeparator>(options_of<SeparationOptions>(options, keywords));
           }),
           py::arg("options") = py::none())
      .def(
          "separation",
          [](SharedSeparator& self, py::handle a, py::handle b) {
            return ask_locked(self, a, b, [](Separator& s, MeshView x, MeshView y) { return s.separation(x, y); });
          },
          py::arg("a"), py::arg("b"), "As lamella.separation.")
      .def(
          "free_shifts",
          [](SharedSeparator& self, py::handle a, py::handle b, Vec3d direction, std::uint32_t resolution) {
            return ask_locked(self, a, b, [&](Separator& s, MeshView x, MeshView y) {
              return s.free_shifts(x, y, direction, resolution);
            });
          },
          py::arg("a"), py::arg("b"), py::arg("direction"), py::arg("resolution") = 256, "As lamella.free_shifts.");
  py::class_<SharedSweeper>(m, "Sweeper", "sweep() for many pairs: keeps its memory.")
      .def(py::init<unsigned>(), py::arg("threads") = 0)
      .def(
          "sweep",
          [](SharedSweeper& self, py::handle a, py::handle b, Vec3d motion) {
            return ask_locked(self, a, b, [&](Sweeper& s, MeshView x, MeshView y) { return s.sweep(x, y, motion); });
          },
          py::arg("a"), py::arg("b"), py::arg("motion"), "As lamella.sweep.");
}

}  // namespace lamella::python
