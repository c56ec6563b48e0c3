#include "arrays.hpp"
#include "bind.hpp"
#include "inputs.hpp"
#include "lamella/batch.hpp"
#include "lamella/gradient.hpp"
#include "lamella/query.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

const py::dtype& span_dtype() {
  return kept_dtype([] {
    return struct_dtype(sizeof(Span), {{"column", "u4", offsetof(Span, column)},
                                       {"begin", "f4", offsetof(Span, begin)},
                                       {"end", "f4", offsetof(Span, end)}});
  });
}

const py::dtype& ends_dtype() {
  return kept_dtype([] {
    constexpr std::size_t kEnd = offsetof(SpanEnds, end);
    return struct_dtype(sizeof(SpanEnds), {{"begin_triangle", "u4", offsetof(SpanEnd, triangle)},
                                           {"begin_mesh", "u4", offsetof(SpanEnd, mesh)},
                                           {"begin_weight_b", "f4", offsetof(SpanEnd, weight_b)},
                                           {"begin_weight_c", "f4", offsetof(SpanEnd, weight_c)},
                                           {"end_triangle", "u4", kEnd + offsetof(SpanEnd, triangle)},
                                           {"end_mesh", "u4", kEnd + offsetof(SpanEnd, mesh)},
                                           {"end_weight_b", "f4", kEnd + offsetof(SpanEnd, weight_b)},
                                           {"end_weight_c", "f4", kEnd + offsetof(SpanEnd, weight_c)}});
  });
}

const py::dtype& vertex_dtype() {
  return kept_dtype([] {
    return struct_dtype(sizeof(VertexInside), {{"vertex", "u4", offsetof(VertexInside, vertex)},
                                               {"back", "f4", offsetof(VertexInside, back)},
                                               {"ahead", "f4", offsetof(VertexInside, ahead)}});
  });
}

void bind_parts(py::module_& m) {
  Record<Timings>(m, "Timings", "Milliseconds by stage; a stage that a query does not have stays 0.")
      .field("broad", &Timings::broad, "boxes that moved, sweep and prune; trees")
      .field("voi", &Timings::voi, "bounds and volume of interest")
      .field("ldi", &Timings::ldi, "sampling")
      .field("query", &Timings::query, "the query itself")
      .field("points", &Timings::points, "collision points")
      .field("contacts", &Timings::contacts, "normals, depths, manifolds")
      .field("solve", &Timings::solve, "collision response")
      .field("gpu", &Timings::gpu, "of these, by the GPU's own timer")
      .value(
          "total", [](const Timings& t) { return t.total(); }, "all stages");

  Record<Grid>(m, "Grid", "The sample grid: one ray through the centre of each cell of the box's face.")
      .field("box", &Grid::box, "the volume of interest: two rows, min and max")
      .field("axis", &Grid::axis, "of the rays")
      .field("columns", &Grid::columns, "cells along the next axis")
      .field("rows", &Grid::rows, "cells along the one after it")
      .value(
          "cell_area", [](const Grid& g) { return g.column_count() == 0 ? 0.0 : g.cell_area(); }, "of one cell");

  Record<Health>(m, "Health", "How far an answer can be trusted.")
      .value(
          "ok", [](const Health& h) { return h.ok(); }, "nothing was left out and nothing was added")
      .field("open_columns", &Health::open_columns, "columns where a mesh's winding does not return to 0")
      .field("occupied_columns", &Health::occupied_columns, "columns with at least one crossing")
      .field("inside_out_columns", &Health::inside_out_columns, "closed columns with a winding below 0")
      .field("skipped_triangles", &Health::skipped_triangles, "NaN, infinite or too far away")
      .field("dropped_crossings", &Health::dropped_crossings, "lost by the engine's method")
      .field("untrusted_volume", &Health::untrusted_volume, "upper bound of the volume in the columns left out")
      .field("untrusted_points", &Health::untrusted_points, "points of which it is not known where they are")
      .field("uncertain_spans", &Health::uncertain_spans, "spans no longer than their own error: surfaces touch")
      .field("closed_edges", &Health::closed_edges, "edges of holes that were closed by fans")
      .field("fan_area", &Health::fan_area, "of those fans")
      .field("closing_volume", &Health::closing_volume, "the most that other ways to close the holes could change");

  Record<Doubt>(m, "Doubt", "Something about the meshes of a query that makes its answer doubtful.")
      .field("cause", &Doubt::cause, "what it is")
      .field("mesh", &Doubt::mesh, "0: the first mesh, 1: the second; -1: not known which, or both")
      .field("count", &Doubt::count, "of columns, triangles, crossings, spans or edges")
      .def(
          "describe", [](const Doubt& d, const std::vector<std::string>& names) { return describe(d, names); },
          py::arg("names") = std::vector<std::string>{},
          "One sentence on what is wrong and what to do about it. `names`: what to call the meshes.");

  Record<Certificate>(m, "Certificate", "The proof of a verdict, made with the option certify.")
      .field("certain", &Certificate::certain, "the verdict is proved")
      .field("touching", &Certificate::touching, "the surfaces share points, but nothing overlaps")
      .field("witness", &Certificate::witness, "a point inside both meshes")
      .field("triangles", &Certificate::triangles, "two triangles that meet");
}

void bind_overlap(py::module_& m) {
  Record<Overlap>(m, "Overlap", "A shared volume, as spans with their sums.")
      .value(
          "colliding", [](const Overlap& o) { return o.colliding(); }, "the verdict is `colliding`")
      .field("verdict", &Overlap::verdict, "what the answer says: clear, colliding or undecided")
      .field("volume", &Overlap::volume, "span lengths times the cell area")
      .field("volume_error", &Overlap::volume_error, "the volume is off by no more than this in 95 of 100 cases")
      .field("centroid", &Overlap::centroid, "of the volume, in world coordinates")
      .field("bounds", &Overlap::bounds, "of the cells' prisms, relative to origin; None when there is none")
      .field("span_count", &Overlap::span_count, "number of spans")
      .array(
          "spans", [](const Overlap& o, py::handle owner) { return structs_of<Span>(o.spans, span_dtype(), owner); },
          "structured array with the fields column, begin and end (depths from the box's low face)")
      .array(
          "ends", [](const Overlap& o, py::handle owner) { return structs_of<SpanEnds>(o.ends, ends_dtype(), owner); },
          "with the option ends: triangle, mesh and weights of both ends of each span")
      .field("grid", &Overlap::grid, "that was sampled; zero columns when the boxes share no volume")
      .field("origin", &Overlap::origin, "what grid and bounds are relative to")
      .field("tolerance_met", &Overlap::tolerance_met, "whether volume_error is within the tolerance asked for")
      .field("certificate", &Overlap::certificate, "with the option certify")
      .field("doubts", &Overlap::doubts, "why the verdict is undecided, or the health not ok")
      .field("health", &Overlap::health, "how far it can be trusted")
      .field("ms", &Overlap::ms, "times")
      .field("read_back_bytes", &Overlap::read_back_bytes, "fetched from a GPU")
      .field("engine", &Overlap::engine, "that answered")
      .field("alternating", &Overlap::alternating, "entries and exits were assumed to alternate (gl-tr395)")
      .def(
          "to_mesh",
          [](const Overlap& o) {
            return released([&] {
              Mesh mesh = prisms(o.grid, o.spans);
              mesh.origin = o.origin;
              return mesh;
            });
          },
          "The overlap as a closed mesh: one box per span. See Mesh.to_trimesh().");

  Record<SelfOverlap, Overlap>(m, "SelfOverlap", "Where a mesh overlaps itself: winding 2 or more.")
      .array(
          "inside_out",
          [](const SelfOverlap& o, py::handle owner) { return structs_of<Span>(o.inside_out, span_dtype(), owner); },
          "spans of winding below 0: faces point inwards there")
      .field("inside_out_volume", &SelfOverlap::inside_out_volume, "of those");
}

void bind_gradients(py::module_& m) {
  Record<MotionGradient>(m, "MotionGradient", "How a volume changes when a mesh moves as a rigid body.")
      .field("translation", &MotionGradient::translation, "volume per unit of translation")
      .field("rotation", &MotionGradient::rotation,
             "volume per radian about the world's axes through the centroid of the overlap");
  Record<InnerSurface>(m, "InnerSurface", "The part of a mesh's surface that lies inside the other mesh.")
      .field("area", &InnerSurface::area, "of that part")
      .field("normal", &InnerSurface::normal, "the mean of its outward normals, by area");
  Record<GradientSums>(m, "GradientSums", "Rigid motions, moments and surfaces of a gradient.")
      .field("a", &GradientSums::a, "when the first mesh moves")
      .field("b", &GradientSums::b, "when the second mesh moves")
      .value(
          "moments",
          [](const GradientSums& s) {
            py::array_t<double> out({3, 3});
            for (std::size_t i = 0; i < 3; ++i)
              for (int k = 0; k < 3; ++k) out.mutable_at(i, static_cast<std::size_t>(k)) = s.moments[i][k];
            return out;
          },
          "3 x 3 matrix of second moments of the overlap about its centroid")
      .field("inner_a", &GradientSums::inner_a, "of the first mesh")
      .field("inner_b", &GradientSums::inner_b, "of the second mesh");
  Record<OverlapGradient, Overlap>(m, "OverlapGradient", "A shared volume, and how it changes when meshes move.")
      .field("sums", &OverlapGradient::sums, "for rigid motions")
      .array(
          "vertices_a",
          [](const OverlapGradient& g, py::handle owner) { return read_only(rows_of(g.vertices_a, owner)); },
          "for each vertex of the first mesh: volume per unit of length")
      .array(
          "vertices_b",
          [](const OverlapGradient& g, py::handle owner) { return read_only(rows_of(g.vertices_b, owner)); },
          "for each vertex of the second mesh");
  Record<SelfGradient, SelfOverlap>(m, "SelfGradient", "The same of the volume that a mesh covers more than once.")
      .field("sums", &SelfGradient::sums, "for rigid motions: 0 to rounding; moments and surfaces")
      .array(
          "vertices", [](const SelfGradient& g, py::handle owner) { return read_only(rows_of(g.vertices, owner)); },
          "for each vertex: volume per unit of length");
}

void bind_points(py::module_& m) {
  Record<Containment>(m, "Containment", "One flag per point.")
      .value(
          "inside",
          [](const Containment& c) {
            py::array_t<bool> out(static_cast<py::ssize_t>(c.inside.size()));
            bool* to = out.mutable_data();
            for (std::size_t i = 0; i < c.inside.size(); ++i) to[i] = c.inside[i] == kPointInside;
            return out;
          },
          "bool array: the point is inside")
      .value(
          "unknown",
          [](const Containment& c) {
            py::array_t<bool> out(static_cast<py::ssize_t>(c.inside.size()));
            bool* to = out.mutable_data();
            for (std::size_t i = 0; i < c.inside.size(); ++i) to[i] = c.inside[i] == kPointUnknown;
            return out;
          },
          "bool array: its column does not close, or the mesh is inside out there")
      .array(
          "flags",
          [](const Containment& c, py::handle owner) { return read_only(view_of<std::uint8_t>(c.inside, owner)); },
          "uint8 array that shares the answer's memory: 0 outside, 1 inside, 2 unknown")
      .field("inside_count", &Containment::inside_count, "points inside")
      .field("not_looked_at", &Containment::not_looked_at, "points outside the box that was given")
      .field("grid", &Containment::grid, "that was sampled")
      .field("origin", &Containment::origin, "what grid is relative to")
      .field("health", &Containment::health, "how far it can be trusted")
      .field("ms", &Containment::ms, "times")
      .field("read_back_bytes", &Containment::read_back_bytes, "fetched from a GPU")
      .field("engine", &Containment::engine, "that answered")
      .field("alternating", &Containment::alternating, "as in Overlap");

  Record<VerticesOfOne>(m, "VerticesOfOne", "The vertices of one mesh that lie inside another.")
      .array(
          "inside",
          [](const VerticesOfOne& v, py::handle owner) {
            return structs_of<VertexInside>(v.inside, vertex_dtype(), owner);
          },
          "structured array: vertex, and the ways out along its ray, back and ahead")
      .field("grid", &VerticesOfOne::grid, "on which the other mesh was sampled")
      .field("looked_up", &VerticesOfOne::looked_up, "vertices within the grid's box");
  Record<VerticesInside>(m, "VerticesInside", "Which vertices of each mesh of a pair lie inside the other.")
      .field("a_in_b", &VerticesInside::a_in_b, "of the first mesh")
      .field("b_in_a", &VerticesInside::b_in_a, "of the second mesh")
      .value(
          "any", [](const VerticesInside& v) { return v.any(); }, "whether there is any")
      .field("origin", &VerticesInside::origin, "what the grids are relative to")
      .field("health", &VerticesInside::health, "of both meshes")
      .field("alternating", &VerticesInside::alternating, "as in Overlap")
      .field("ms", &VerticesInside::ms, "times")
      .field("read_back_bytes", &VerticesInside::read_back_bytes, "fetched from a GPU")
      .field("engine", &VerticesInside::engine, "that answered");
}

}  // namespace

void bind_results(py::module_& m) {
  bind_parts(m);
  bind_overlap(m);
  bind_gradients(m);
  bind_points(m);
}

}  // namespace lamella::python
