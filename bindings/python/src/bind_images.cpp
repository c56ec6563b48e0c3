#include "lamella/geometry_image.hpp"

#include <fmt/format.h>

#include "bind.hpp"
#include "columns.hpp"
#include "inputs.hpp"
#include "lamella/compact_image.hpp"
#include "lamella/geometry_image_io.hpp"
#include "lamella/heights.hpp"
#include "pair_inputs.hpp"
#include "progress.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

/// Pixels as (side, side, 3), which share the image's memory.
py::object pixels_of(const std::vector<Vec3>& pixels, std::uint32_t side, py::handle owner) {
  if (pixels.empty()) return py::none();
  return py::array(py::dtype::of<float>(), {side, side, 3u}, {side * sizeof(Vec3), sizeof(Vec3), sizeof(float)},
                   pixels.data(), owner);
}

/// (side, side, 3) or (side * side, 3) as a list of vertices.
std::vector<Vec3> vertices_of(const py::array& given) {
  const auto array = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array) throw py::error_already_set();
  const bool square = array.ndim() == 3 && array.shape(2) == 3 && array.shape(0) == array.shape(1);
  if (!square && !(array.ndim() == 2 && array.shape(1) == 3))
    throw py::value_error("positions: must have the shape (side, side, 3), where side is 2^n + 1");
  const auto* first = reinterpret_cast<const Vec3*>(array.data());
  return {first, first + array.size() / 3};
}

GeometryImage image_of(const py::array& positions) { return image_from_positions(vertices_of(positions)); }

void bind_image_class(py::module_& m) {
  py::class_<GeometryImage, std::shared_ptr<GeometryImage>>(m, "GeometryImage",
                                                            R"(A surface as a square image whose pixels are vertices.

`positions` and `normals` are arrays (side, side, 3) that share the image's memory; positions may be written to.

>>> import lamella
>>> sphere = lamella.image_of_sphere(4, radius=2)
>>> sphere
<lamella.GeometryImage: 17 x 17 vertices>
>>> sphere.positions.shape, lamella.is_closed(sphere.to_mesh())
((17, 17, 3), True))")
      .def(py::init(&image_of), py::arg("positions"))
      .def_readonly("n", &GeometryImage::n, "the image has (2^n + 1)^2 vertices")
      .def_property_readonly(
          "side", [](const GeometryImage& i) { return i.side(); }, "vertices along a side")
      .def_property_readonly(
          "triangle_count", [](const GeometryImage& i) { return i.triangle_count(); }, "two for each quad")
      .def_property_readonly(
          "positions",
          [](py::handle self) {
            const auto& image = self.cast<const GeometryImage&>();
            return pixels_of(image.positions, image.side(), self);
          },
          "float32 (side, side, 3); shares memory")
      .def_property_readonly(
          "normals",
          [](py::handle self) {
            const auto& image = self.cast<const GeometryImage&>();
            return pixels_of(image.normals, image.side(), self);
          },
          "the same of unit normals; None where there are none")
      .def(
          "to_mesh", [](const GeometryImage& i) { return released([&] { return to_mesh(i); }); },
          "The image as a Mesh, triangle for triangle; closed where the surface is.")
      .def(
          "compute_normals", [](GeometryImage& i) { released([&] { compute_normals(i); }); },
          "Computes normals anew, for images that deformed or have none.")
      .def("__repr__",
           [](const GeometryImage& i) { return fmt::format("<lamella.GeometryImage: {0} x {0} vertices>", i.side()); })
      .def(py::pickle([](py::handle self) { return py::make_tuple(self.attr("positions"), self.attr("normals")); },
                      [](const py::tuple& state) {
                        GeometryImage image = image_of(state[0].cast<py::array>());
                        if (!state[1].is_none()) image.normals = vertices_of(state[1].cast<py::array>());
                        return image;
                      }));
  py::class_<CompactImage, std::shared_ptr<CompactImage>>(
      m, "CompactImage", "A geometry image as the 16-bit codes that its file has: half the memory.")
      .def_readonly("n", &CompactImage::n, "the image has (2^n + 1)^2 vertices")
      .def_property_readonly(
          "side", [](const CompactImage& i) { return i.side(); }, "vertices along a side")
      .def_property_readonly(
          "box", [](const CompactImage& i) { return i.box; }, "code 0 is its low face, 65535 its high face")
      .def_property_readonly(
          "positions",
          [](py::handle self) {
            const auto& image = self.cast<const CompactImage&>();
            const std::size_t side = image.side();
            return read_only(py::array(py::dtype::of<std::uint16_t>(), {side, side, std::size_t{3}},
                                       {side * 6, 6ul, 2ul}, image.positions.data(), self));
          },
          "uint16 (side, side, 3); shares memory")
      .def(
          "expanded", [](const CompactImage& i) { return released([&] { return expanded(i); }); },
          "The GeometryImage that read_images would return.");
}

void bind_making(py::module_& m) {
  m.def("image_from_positions", &image_of, py::arg("positions"),
        "A GeometryImage of an array (side, side, 3), where side is 2^n + 1.");
  m.def(
      "image_from_heights",
      [](const py::array_t<float, py::array::c_style | py::array::forcecast>& heights, std::array<float, 2> low,
         std::array<float, 2> high) {
        if (heights.ndim() != 2 || heights.shape(0) != heights.shape(1))
          throw py::value_error("heights: must have the shape (side, side), where side is 2^n + 1");
        return image_from_heights({heights.data(), static_cast<std::size_t>(heights.size())}, {low[0], low[1], 0},
                                  {high[0], high[1], 0});
      },
      py::arg("heights"), py::arg("low") = std::array{0.0f, 0.0f}, py::arg("high") = std::array{1.0f, 1.0f},
      "An open sheet that faces +z: heights (side, side), rows along y, over the rectangle (x, y) from low to high.");
  m.def("image_of_sphere", &image_of_sphere, py::arg("n"), py::arg("center") = Vec3{}, py::arg("radius") = 1.0f,
        "A sphere of (2^n + 1)^2 vertices, mapped to the square as an octahedron.");
  m.def(
      "image_of_terrain",
      [](const py::array_t<float, py::array::c_style | py::array::forcecast>& heights, int n, Vec3 size, float most) {
        if (heights.ndim() != 2) throw py::value_error("heights: must have the shape (height, width)");
        const Heights picture{static_cast<std::uint32_t>(heights.shape(1)),
                              static_cast<std::uint32_t>(heights.shape(0)),
                              most,
                              {heights.data(), heights.data() + heights.size()}};
        return released([&] { return image_of_terrain(picture, n, size); });
      },
      py::arg("heights"), py::arg("n"), py::arg("size"), py::arg("most") = 1.0f,
      "A terrain of `size` with its lowest corner at the origin: heights (height, width) as a picture has them, the "
      "top "
      "row first, from 0 to `most`; resampled where they are not (2^n + 1)^2.");
  m.def(
      "compacted", [](const GeometryImage& image) { return released([&] { return compacted(image); }); },
      py::arg("image"), "Rounds positions and normals to codes in the image's own box.");

  Record<MakeImageReport>(m, "MakeImageReport", "How the image of one component turned out.")
      .field("triangle_count", &MakeImageReport::triangle_count, "of the component")
      .field("genus", &MakeImageReport::genus, "handles")
      .field("cut_edge_count", &MakeImageReport::cut_edge_count, "of the cut graph")
      .field("cut_length", &MakeImageReport::cut_length, "of the cut graph")
      .field("cut_path_count", &MakeImageReport::cut_path_count, "of the cut graph, from node to node")
      .field("flipped_count", &MakeImageReport::flipped_count, "triangles turned over in the map")
      .field("stretch", &MakeImageReport::stretch, "L2 stretch of the map, 1 is best")
      .field("volume", &MakeImageReport::volume, "of the component")
      .field("image_volume", &MakeImageReport::image_volume, "of the image as a mesh")
      .field("map_distance", &MakeImageReport::map_distance, "an upper bound of both Hausdorff distances")
      .field("distance", &MakeImageReport::distance, "largest distance of a mesh vertex from the image");
  bind_items<GeometryImage>(m, "GeometryImages", "Geometry images that belong together, as a sequence.");
  Record<MadeImages>(m, "MadeImages", "What make_geometry_images makes.")
      .value(
          "images",
          [](const std::shared_ptr<MadeImages>& made) {
            return Items<GeometryImage>{made, &made->images};
          },
          "one GeometryImage per component of the mesh, largest area first")
      .field("reports", &MadeImages::reports, "a MakeImageReport for each");
  m.def(
      "make_geometry_images",
      [](py::handle mesh, int n, int max_cuts, unsigned threads, const py::object& progress) {
        const MeshInput input(mesh, "mesh");
        const Progress shown(progress, "geometry images");
        const MakeImageOptions options{n, max_cuts, threads, shown.callback()};
        return released({&input}, [&] { return make_geometry_images(input.view(), options); });
      },
      py::arg("mesh"), py::arg("n") = MakeImageOptions{}.n, py::arg("max_cuts") = MakeImageOptions{}.max_cuts,
      py::arg("threads") = 0, py::arg("progress") = py::none(),
      "Cuts every component of a closed mesh open, maps it to the square and samples positions and normals.");
}

/// Of a path, or of the bytes of a file: read(path or bytes, name, options).
template <class Read>
auto read_from(py::handle source, const py::object& progress, std::optional<std::uint64_t> max_memory,
               bool skip_normals, const Read& read) {
  const Progress shown(progress, "reading");
  const ImageFileOptions options{shown.callback(), max_memory, skip_normals};
  if (py::isinstance<py::bytes>(source)) {
    const std::string_view text = source.cast<std::string_view>();
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return released([&] { return read.bytes(bytes, options); });
  }
  const auto path = source.cast<std::filesystem::path>();
  return released([&] { return read.path(path, options); });
}

struct ReadImages {
  [[nodiscard]] auto bytes(std::span<const std::byte> b, const ImageFileOptions& o) const {
    return read_images(b, "memory", o);
  }
  [[nodiscard]] auto path(const std::filesystem::path& p, const ImageFileOptions& o) const { return read_images(p, o); }
};
struct ReadCompactImages {
  [[nodiscard]] auto bytes(std::span<const std::byte> b, const ImageFileOptions& o) const {
    return read_compact_images(b, "memory", o);
  }
  [[nodiscard]] auto path(const std::filesystem::path& p, const ImageFileOptions& o) const {
    return read_compact_images(p, o);
  }
};
struct ReadPages {
  [[nodiscard]] auto bytes(std::span<const std::byte> b, const ImageFileOptions& o) const {
    return image_pages(b, "memory", o);
  }
  [[nodiscard]] auto path(const std::filesystem::path& p, const ImageFileOptions& o) const { return image_pages(p, o); }
};

void bind_files(py::module_& m) {
  Record<ImagePage>(m, "ImagePage", "A page of a file of geometry images.")
      .field("kind", &ImagePage::kind, "positions, normals or pyramid")
      .field("image", &ImagePage::image, "which image it belongs to")
      .field("n", &ImagePage::n, "of the image")
      .field("width", &ImagePage::width, "pixels")
      .field("height", &ImagePage::height, "pixels")
      .field("channels", &ImagePage::channels, "of a pixel")
      .field("box", &ImagePage::box, "range of positions")
      .field("stored_bytes", &ImagePage::stored_bytes, "of its pixels, compressed");
  m.def(
      "read_images",
      [](py::handle source, const py::object& progress, std::optional<std::uint64_t> max_memory, bool skip_normals) {
        return read_from(source, progress, max_memory, skip_normals, ReadImages{});
      },
      py::arg("path"), py::kw_only(), py::arg("progress") = py::none(), py::arg("max_memory") = py::none(),
      py::arg("skip_normals") = false, "A list of the geometry images in a TIFF file, or in its bytes.");
  m.def(
      "read_compact_images",
      [](py::handle source, const py::object& progress, std::optional<std::uint64_t> max_memory, bool skip_normals) {
        return read_from(source, progress, max_memory, skip_normals, ReadCompactImages{});
      },
      py::arg("path"), py::kw_only(), py::arg("progress") = py::none(), py::arg("max_memory") = py::none(),
      py::arg("skip_normals") = false, "The same as 16-bit codes, in half the memory.");
  m.def(
      "image_pages",
      [](py::handle source, std::optional<std::uint64_t> max_memory) {
        return read_from(source, py::none(), max_memory, false, ReadPages{});
      },
      py::arg("path"), py::kw_only(), py::arg("max_memory") = py::none(), "The pages of a file, without their pixels.");
  m.def(
      "write_images",
      [](const std::filesystem::path& path, const py::iterable& images, const py::object& progress) {
        const std::vector<GeometryImage> all = copies_of<GeometryImage>(images);
        const Progress shown(progress, "writing");
        released([&] { write_images(path, all, {.progress = shown.callback()}); });
      },
      py::arg("path"), py::arg("images"), py::kw_only(), py::arg("progress") = py::none(),
      "Writes a TIFF file that ordinary image tools open; it appears complete or not at all.");
}

}  // namespace

void bind_images(py::module_& m) {
  bind_image_class(m);
  bind_making(m);
  bind_files(m);
}

}  // namespace lamella::python
