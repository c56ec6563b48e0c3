#include "bind.hpp"
#include "lamella/gradient.hpp"
#include "lamella/options.hpp"
#include "lamella/solid.hpp"
#include "records.hpp"

namespace lamella::python {

void bind_options(py::module_& m) {
  OptionsClass<Tolerance>(m, "Tolerance", "How far off a volume may be: by the larger of both.")
      .field("relative", &Tolerance::relative, "of the volume: 0.001 is 0.1 %")
      .field("absolute", &Tolerance::absolute, "a volume");
  // A plain number is a relative tolerance.
  py::class_<Tolerance> tolerance = m.attr("Tolerance");
  tolerance.def(py::init([](double relative) { return Tolerance{.relative = relative}; }), py::arg("relative"));
  py::implicitly_convertible<double, Tolerance>();

  OptionsClass<Options>(m, "Options", R"(Options of every query, given as keywords or as one object.

>>> import lamella
>>> lamella.Options(resolution=256, axis="z")
Options(resolution=256, axis=Axis.z))")
      .field("engine", &Options::engine, "a name from engines(); \"automatic\" picks the fastest that is available")
      .field("resolution", &Options::resolution, "columns and rows of the grid")
      .field("axis", &Options::axis, "of the rays: \"x\", \"y\", \"z\"; None: the one with the shallowest box")
      .field("threads", &Options::threads, "0: all cores this process may use")
      .field("device", &Options::device, "which GPU: its index in EngineInfo.devices")
      .field("strict", &Options::strict, "a result that is not ok, or undecided, becomes an Error")
      .field("min_thickness", &Options::min_thickness,
             "spans not longer than this fraction of the box's depth do not count")
      .field("max_crossings", &Options::max_crossings, "most crossings of a mesh that are kept at a time")
      .field("keep_spans", &Options::keep_spans, "False: an overlap has its sums, but no spans")
      .field("around_points", &Options::around_points, "contains(): sample only the part around the points")
      .field("tolerance", &Options::tolerance,
             "in place of resolution: how far off the volume may be; a number is relative (0.001 is 0.1 %)")
      .field("certify", &Options::certify, "prove the verdict of an overlap by exact arithmetic")
      .field("exact", &Options::exact, "contains(): every flag by exact arithmetic")
      .field("ends", &Options::ends, "also tell which triangles end each span (Overlap.ends)")
      .field("explain", &Options::explain, "say of every doubt which mesh it is about")
      .field("close_holes", &Options::close_holes, "close holes by fans before sampling")
      .field("close_views", &Options::close_views, "the same for the meshes that a Detector is given in each call");

  OptionsClass<SolidOptions>(m, "SolidOptions",
                             "How a solid is made (overlap_solid), given as keywords or as one object.")
      .field("resolution", &SolidOptions::resolution, "cells along each axis of the overlap's own box, at most 1024")
      .field("threads", &SolidOptions::threads, "0: all cores this process may use")
      .field("max_crossings", &SolidOptions::max_crossings, "most crossings along an axis; with more, Error")
      .field("close_holes", &SolidOptions::close_holes, "close holes by fans before sampling");

  OptionsClass<GradientOptions>(m, "GradientOptions", "Which parts of a gradient are wanted.")
      .field("vertices", &GradientOptions::vertices, "also for each vertex; else for rigid motions alone");
}

}  // namespace lamella::python
