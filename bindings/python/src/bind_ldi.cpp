#include "lamella/ldi.hpp"

#include "bind.hpp"
#include "columns.hpp"
#include "inputs.hpp"
#include "lamella/engine.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/query.hpp"
#include "lamella/repair.hpp"
#include "lamella/triangles_meet.hpp"
#include "pair_inputs.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

/// A layered depth image, and what its grid is relative to.
struct Sampled : Ldi {
  Vec3d origin{};
};

/// A mesh that engines can sample: floats. Those of doubles are rounded.
class FloatMesh {
 public:
  explicit FloatMesh(const MeshInput& input) : view_(input.view()) {
    if (view_.wide.empty()) return;
    rounded_ = rounded(view_);
    view_ = rounded_;
  }
  [[nodiscard]] const MeshView& view() const { return view_; }

 private:
  Mesh rounded_;
  MeshView view_;
};

/// The grid that was given, or one over the whole mesh.
Grid grid_for(MeshView mesh, const std::optional<Grid>& given, const Options& options) {
  if (given) return *given;
  const Aabb box = bounds(mesh);
  const std::optional<Axis> shallowest = choose_axis(box);
  if (!shallowest) throw Error("the mesh's box encloses no volume: give a grid");
  return square_grid(box, options.axis.value_or(*shallowest), options.resolution);
}

void check_grid(const Grid& grid) {
  if (grid.columns == 0 || grid.rows == 0 || grid.columns > kMaxResolution || grid.rows > kMaxResolution)
    throw Error("a grid has 1 to " + std::to_string(kMaxResolution) + " columns and rows");
  if (!choose_axis(grid.box)) throw Error("the grid's box encloses no volume");
}

std::shared_ptr<Sampled> sample(py::handle mesh, const std::optional<Grid>& grid, const py::object& options,
                                const py::kwargs& keywords) {
  const MeshInput input(mesh, "mesh");
  const auto asked = options_of<Options>(options, keywords);
  return released({&input}, [&] {
    const FloatMesh floats(input);
    const Grid over = grid_for(floats.view(), grid, asked);
    check_grid(over);
    auto out = std::make_shared<Sampled>();
    make_engine(asked)->build(floats.view(), over, *out);
    out->origin = floats.view().origin;
    return out;
  });
}

/// Layers as pairs (entry, depth), where depth has the grid's shape.
py::list layers_list(std::vector<DepthLayer> layers, const Grid& grid) {
  py::list out;
  for (DepthLayer& layer : layers) {
    auto* kept = new std::vector<float>(std::move(layer.depth));
    const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<float>*>(p); });
    py::object kind = layer.mixed ? py::object(py::none()) : py::object(py::bool_(layer.entry));
    out.append(py::make_tuple(kind, py::array(py::dtype::of<float>(), {grid.rows, grid.columns},
                                              {grid.columns * sizeof(float), sizeof(float)}, kept->data(), owner)));
  }
  return out;
}

void bind_ldi_queries(Record<Sampled>& record) {
  record
      .def(
          "intersect",
          [](const Sampled& a, const Sampled& b, float min_thickness) {
            if (!(a.grid == b.grid) || !(a.origin == b.origin))
              throw Error("both images must have the same grid: sample the second with grid=first.grid");
            auto out = std::make_shared<Overlap>();
            released([&] { intersect(a, b, min_thickness, *out); });
            out->verdict = out->span_count != 0 ? Verdict::colliding : Verdict::clear;
            out->origin = a.origin;
            return out;
          },
          py::arg("other"), py::arg("min_thickness") = Options{}.min_thickness,
          "The volume shared with another image of the same grid, by samples alone.")
      .def(
          "self_intersect",
          [](const Sampled& a, float min_thickness) {
            auto out = std::make_shared<SelfOverlap>();
            released([&] { self_intersect(a, min_thickness, *out); });
            out->verdict = out->span_count != 0 ? Verdict::colliding : Verdict::clear;
            out->origin = a.origin;
            return out;
          },
          py::arg("min_thickness") = Options{}.min_thickness, "Volume that is covered more than once.")
      .def(
          "contains",
          [](const Sampled& a, py::handle points) {
            const FloatRows at(points, "points");
            auto out = std::make_shared<Containment>();
            released([&] { contains(a, at.rows(), *out); });
            out->origin = a.origin;
            return out;
          },
          py::arg("points"), "Which points, relative to origin, lie inside.")
      .def(
          "layers", [](const Sampled& a) { return layers_list(depth_layers(a), a.grid); },
          "List of (entry, depth): layers of entries, then of exits; depth (rows, columns) is below 0 where there is "
          "none.")
      .def(
          "validate", [](const Sampled& a) { return released([&] { return validate(a); }); },
          "Checks that it is well formed.");
}

void bind_images_of_depths(py::module_& m) {
  py::class_<Grid, std::shared_ptr<Grid>> grid = m.attr("Grid");
  grid.def(py::init([](const Aabb& box, Axis axis, std::uint32_t columns, std::optional<std::uint32_t> rows) {
             return Grid{box, axis, columns, rows.value_or(columns)};
           }),
           py::arg("box"), py::arg("axis"), py::arg("columns"), py::arg("rows") = py::none());
  grid.def(
      "positions",
      [](const Grid& g) {
        py::array_t<double> out({std::size_t{g.rows}, std::size_t{g.columns}, std::size_t{3}});
        auto* to = reinterpret_cast<Vec3d*>(out.mutable_data());
        for (std::size_t i = 0; i < g.column_count(); ++i) to[i] = sample_position(g, i, 0);
        return out;
      },
      "(rows, columns, 3): where the rays start, on the box's low face.");
  Record<LdiReport>(m, "LdiReport", "What Ldi.validate found.")
      .field("well_formed", &LdiReport::well_formed, "sizes agree, columns are sorted, depths lie in the box")
      .field("problem", &LdiReport::problem, "the first thing that is not well formed")
      .field("open_columns", &LdiReport::open_columns, "columns that do not close")
      .field("max_layers", &LdiReport::max_layers, "crossings of the fullest column")
      .field("occupied_columns", &LdiReport::occupied_columns, "columns with a crossing");

  Record<Sampled> record(m, "Ldi", R"(A layered depth image: for each column of a grid the sorted crossings of one mesh.

Column i, of row i // columns, has the crossings offsets[i] to offsets[i + 1].

>>> import lamella
>>> ldi = lamella.sample("model:box", resolution=4)
>>> ldi.offsets[:3].tolist(), ldi.depths[:2].tolist(), ldi.entries[:2].tolist()
([0, 2, 4], [0.0, 2.0], [True, False]))");
  record.field("grid", &Sampled::grid, "that was sampled")
      .field("origin", &Sampled::origin, "what grid is relative to")
      .field("outside", &Sampled::outside, "ends at which the winding is known to be 0")
      .array(
          "offsets",
          [](const Sampled& s, py::handle owner) { return read_only(view_of<std::uint32_t>(s.offsets, owner)); },
          "uint32, one more than columns")
      .array(
          "keys",
          [](const Sampled& s, py::handle owner) {
            return column_of<std::uint32_t>(
                s.crossings, [](const Crossing& c) -> auto& { return c.key; }, {}, owner);
          },
          "uint32: the crossings as they are kept; shares memory")
      .value(
          "depths", [](const Sampled& s) { return computed<float>(s.crossings, [](Crossing c) { return c.depth(); }); },
          "float32: of each crossing, from the box's low face")
      .value(
          "entries", [](const Sampled& s) { return computed<bool>(s.crossings, [](Crossing c) { return c.entry(); }); },
          "bool: the ray enters the solid there, or leaves it")
      .field("skipped_triangles", &Sampled::skipped_triangles, "NaN, infinite or too far away")
      .field("dropped_crossings", &Sampled::dropped_crossings, "known to be missing")
      .field("alternating", &Sampled::alternating, "entries and exits were assumed to alternate (gl-tr395)");
  bind_ldi_queries(record);
  m.def("sample", &sample, py::arg("mesh"), py::arg("grid") = py::none(), py::arg("options") = py::none(),
        "Samples a mesh into an Ldi: on `grid`, which is relative to the mesh's origin, or over its whole box. Options "
        "are keywords: engine, resolution, axis, threads, device, max_crossings.");
  m.def(
      "layers",
      [](py::handle mesh, const std::optional<Grid>& given, const py::object& options, const py::kwargs& keywords) {
        const MeshInput input(mesh, "mesh");
        const auto asked = options_of<Options>(options, keywords);
        Grid over;
        auto made = released({&input}, [&] {
          const FloatMesh floats(input);
          over = grid_for(floats.view(), given, asked);
          check_grid(over);
          return make_engine(asked)->layers(floats.view(), over);
        });
        return layers_list(std::move(made), over);
      },
      py::arg("mesh"), py::arg("grid") = py::none(), py::arg("options") = py::none(),
      "The depth layers as the engine's method makes them: a list of (entry, depth); entry is None where a layer has "
      "both.");
}

void bind_voi(py::module_& m) {
  Record<PairVoi>(m, "PairVoi", "The volume of interest of a pair: the box to sample and the axis of the rays.")
      .field("box", &PairVoi::box, "to sample")
      .field("axis", &PairVoi::axis, "of the rays")
      .field("outside_a", &PairVoi::outside_a, "the end of the box that lies outside the first object")
      .field("outside_b", &PairVoi::outside_b, "the end that lies outside the second");
  m.def("choose_pair_voi", &choose_pair_voi, py::arg("a"), py::arg("b"), py::arg("axis") = py::none(),
        "Of two boxes: the shallowest box with an outside face for each (TR 395); None where they share no volume.");
  m.def("choose_shared_voi", &choose_shared_voi, py::arg("a"), py::arg("b"), py::arg("axis") = py::none(),
        "The box that two boxes share, along its shortest side; None where they share no volume.");
  m.def("choose_axis", &choose_axis, py::arg("box"), "The axis along which a box is shallowest; None without volume.");
  m.def(
      "triangles_meet",
      [](const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) { return triangles_meet(a.data(), b.data()); },
      py::arg("a"), py::arg("b"), "Whether two triangles of three float32 points share a point; exact.");
  m.def(
      "prisms",
      [](const Grid& grid, const py::array& spans) {
        constexpr std::size_t kSpan = sizeof(Span);
        if (!spans.dtype().has_fields() || static_cast<std::size_t>(spans.itemsize()) != kSpan || spans.ndim() != 1 ||
            static_cast<std::size_t>(spans.strides(0)) != kSpan)
          throw py::type_error("spans: must be an array such as Overlap.spans");
        const std::span<const Span> all{static_cast<const Span*>(spans.data()), static_cast<std::size_t>(spans.size())};
        for (const Span& s : all)
          if (s.column >= grid.column_count()) throw py::value_error("spans: a column is not one of the grid");
        return released([&] { return prisms(grid, all); });
      },
      py::arg("grid"), py::arg("spans"), "Spans as a closed mesh: one box each.");
}

const py::dtype& rim_dtype() {
  return kept_dtype([] {
    using Rim = Closure::Rim;
    return struct_dtype(sizeof(Rim), {{"first", "u4", offsetof(Rim, first)},
                                      {"triangles", "u4", offsetof(Rim, triangles)},
                                      {"point", "u4", offsetof(Rim, point)}});
  });
}

void bind_closure(py::module_& m) {
  Record<Closure>(m, "Closure", "Triangles that close a mesh, found once for its connectivity.")
      .array(
          "fans", [](const Closure& c, py::handle owner) { return read_only(rows_of(c.fans, owner)); },
          "triangles (n, 3) of the mesh's own vertices, and fan points from vertex_count on")
      .array(
          "rims",
          [](const Closure& c, py::handle owner) { return structs_of<Closure::Rim>(c.rims, rim_dtype(), owner); },
          "structured array, one for each hole: first and triangles (in fans), point (2^32 - 1: none)")
      .field("vertex_count", &Closure::vertex_count, "of the mesh")
      .field("point_count", &Closure::point_count, "fan points")
      .field("edge_count", &Closure::edge_count, "of all rims")
      .value(
          "empty", [](const Closure& c) { return c.empty(); }, "the mesh was closed already");
  Record<ClosureFacts>(m, "ClosureFacts", "How much was closed.")
      .field("edges", &ClosureFacts::edges, "of all rims")
      .field("fan_area", &ClosureFacts::fan_area, "of what closes them")
      .field("rim_box_volume", &ClosureFacts::rim_box_volume, "of the boxes around the rims");
  m.def(
      "find_closure",
      [](py::handle mesh) {
        const MeshInput input(mesh, "mesh");
        return released({&input}, [&] { return find_closure(input.view()); });
      },
      py::arg("mesh"), "Finds the fans of triangles that close a mesh's holes.");
  m.def(
      "closed",
      [](py::handle mesh, const std::shared_ptr<Closure>& closure) {
        const MeshInput input(mesh, "mesh");
        if (closure && closure->vertex_count != input.view().vertex_count())
          throw py::value_error("the closure is of a mesh with another number of vertices");
        return released({&input},
                        [&] { return closed(input.view(), closure ? *closure : find_closure(input.view())); });
      },
      py::arg("mesh"), py::arg("closure") = py::none(), "The mesh with its holes closed by fans.");
  const auto check_count = [](const Closure& closure, const FloatRows& at) {
    if (at.rows().size() != closure.vertex_count)
      throw py::value_error("positions: must be as many as the mesh has vertices");
  };
  m.def(
      "closure_facts",
      [=](const Closure& closure, py::handle positions) {
        const FloatRows at(positions, "positions");
        check_count(closure, at);
        return closure_facts(closure, at.rows());
      },
      py::arg("closure"), py::arg("positions"), "How much was closed, for positions of the mesh's vertices.");
  m.def(
      "rim_boxes",
      [=](const Closure& closure, py::handle positions) {
        const FloatRows at(positions, "positions");
        check_count(closure, at);
        return rim_boxes(closure, at.rows());
      },
      py::arg("closure"), py::arg("positions"), "A box around each rim; None for one that is not finite.");
}

}  // namespace

void bind_ldi(py::module_& m) {
  bind_images_of_depths(m);
  bind_voi(m);
  bind_closure(m);
}

}  // namespace lamella::python
