#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/origin.hpp"
#include "io/messages.hpp"
#include "lamella/file.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella {
namespace io {
namespace {

bool finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

/// Whether floats of world coordinates would lose digits.
bool has_doubles(MeshView mesh) { return !mesh.wide.empty() || !(mesh.origin == Vec3d{}); }

/// In the world.
Vec3d wide_position(MeshView mesh, std::size_t vertex) {
  return (mesh.wide.empty() ? to_double(mesh.positions[vertex]) : mesh.wide[vertex]) + mesh.origin;
}

/// What is written can be read again, also by other programs, of which many refuse or misread NaN.
void check_mesh(const std::filesystem::path& path, MeshView mesh) {
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    if (finite(has_doubles(mesh) ? narrow(wide_position(mesh, i)) : mesh.positions[i])) continue;
    fail(display(path), fmt::format("cannot write a mesh whose vertex {} is not finite", i));
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    const std::uint32_t highest = std::max({t.a, t.b, t.c});
    if (highest < mesh.vertex_count()) continue;
    fail(display(path), fmt::format("triangle {} names vertex {}, but the mesh has only {} vertices", i, highest,
                                    mesh.vertex_count()));
  }
}

void write_ply(const std::filesystem::path& path, MeshView mesh, NewFile& file) {
  // Indices are declared int, which every program reads, rather than uint, which some do not.
  if (mesh.vertex_count() > std::size_t{std::numeric_limits<std::int32_t>::max()}) {
    fail(display(path), "cannot write more vertices to a PLY file than its 31-bit indices can name");
  }
  const std::string_view type = has_doubles(mesh) ? "double" : "float";
  file.write(
      fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {0}\nproperty {2} x\nproperty {2} y\n"
                  "property {2} z\nelement face {1}\nproperty list uchar int vertex_indices\nend_header\n",
                  mesh.vertex_count(), mesh.triangles.size(), type));
  if (has_doubles(mesh)) {
    for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
      const Vec3d p = wide_position(mesh, i);
      file.write(std::as_bytes(std::span(&p, 1)));
    }
  } else {
    file.write(std::as_bytes(mesh.positions));
  }
  for (const Triangle& t : mesh.triangles) {
    char record[1 + sizeof t] = {3};
    std::memcpy(record + 1, &t, sizeof t);
    file.write(std::string_view(record, sizeof record));
  }
}

/// A statement and three numbers, with as few digits as give them back.
template <class Number>
void write_line(NewFile& file, std::string_view statement, Number a, Number b, Number c) {
  // The longest numbers: an index of 10 digits, a double such as -1.7976931348623157e+308 of 24 characters.
  constexpr std::size_t kLongest = 25, kStatement = 16;
  char line[kStatement + 3 * (1 + kLongest) + 1];
  char* end = std::ranges::copy(statement, line).out;
  for (const Number value : {a, b, c}) {
    *end++ = ' ';
    end = std::to_chars(end, end + kLongest, value).ptr;
  }
  *end++ = '\n';
  file.write(std::string_view(line, static_cast<std::size_t>(end - line)));
}

/// Whether readers take a mesh there for one that needs an origin, unless all of its numbers are floats.
bool is_far(MeshView mesh) { return !(origin_for(wide_box(mesh), kFarFromOrigin) == Vec3d{}); }

void write_obj(const std::filesystem::path&, MeshView mesh, NewFile& file) {
  const bool all_digits = has_doubles(mesh) || is_far(mesh);
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    if (all_digits) {
      const Vec3d p = wide_position(mesh, i);
      write_line(file, "v", p.x, p.y, p.z);
    } else {
      const Vec3 p = mesh.positions[i];
      write_line(file, "v", p.x, p.y, p.z);
    }
  }
  for (const Triangle& t : mesh.triangles) {
    write_line(file, "f", std::uint64_t{t.a} + 1, std::uint64_t{t.b} + 1, std::uint64_t{t.c} + 1);
  }
}

Vec3 facet_normal(Vec3d a, Vec3d b, Vec3d c) {
  const Vec3d n = cross(b - a, c - a);
  const double size = std::sqrt(dot(n, n));
  return size > 0 ? to_float(n * (1 / size)) : Vec3{};
}

/// Binary STL has floats alone, text any number of digits.
void write_stl_text(MeshView mesh, NewFile& file) {
  file.write("solid lamella\n");
  for (const Triangle& t : mesh.triangles) {
    const Vec3d corners[3] = {wide_position(mesh, t.a), wide_position(mesh, t.b), wide_position(mesh, t.c)};
    const Vec3 normal = facet_normal(corners[0], corners[1], corners[2]);
    write_line(file, "facet normal", normal.x, normal.y, normal.z);
    file.write("outer loop\n");
    for (const Vec3d& p : corners) write_line(file, "vertex", p.x, p.y, p.z);
    file.write("endloop\nendfacet\n");
  }
  file.write("endsolid lamella\n");
}

void write_stl(const std::filesystem::path& path, MeshView mesh, NewFile& file) {
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max()) {
    fail(display(path), "cannot write more triangles to an STL file than its 32-bit count can name");
  }
  const bool doubles = has_doubles(mesh);
  if (doubles && is_far(mesh)) return write_stl_text(mesh, file);
  std::string header = "binary STL";  // must not begin with "solid", which marks text
  header.resize(80);
  file.write(header);
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  file.write(std::as_bytes(std::span(&count, 1)));
  const auto corner = [&](std::uint32_t v) { return doubles ? narrow(wide_position(mesh, v)) : mesh.positions[v]; };
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = corner(t.a), b = corner(t.b), c = corner(t.c);
    const Vec3 record[4] = {facet_normal(to_double(a), to_double(b), to_double(c)), a, b, c};
    file.write(std::as_bytes(std::span(record)));
    file.write(std::string_view("\0", 2));
  }
}

using Writer = void (*)(const std::filesystem::path&, MeshView, NewFile&);

Writer find_writer(const std::filesystem::path& path) {
  const auto format = mesh_format(path);
  if (format == MeshFormat::ply) return write_ply;
  if (format == MeshFormat::obj) return write_obj;
  if (format == MeshFormat::stl) return write_stl;
  fail(display(path), fmt::format("expected a file name that ends in one of .ply .obj .stl, found {}",
                                  excerpt(path.extension().string())));
}

}  // namespace
}  // namespace io

void write_mesh(const std::filesystem::path& path, MeshView mesh) {
  const io::Writer writer = io::find_writer(path);
  io::check_mesh(path, mesh);
  NewFile file(path);
  writer(path, mesh, file);
  file.commit();
}

}  // namespace lamella
