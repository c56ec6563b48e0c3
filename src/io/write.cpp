#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/mesh_check.hpp"
#include "core/positions.hpp"
#include "io/messages.hpp"
#include "lamella/file.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella {
namespace io {
namespace {

/// What is written can be read again, also by other programs, of which many refuse or misread NaN.
void check_mesh(const std::filesystem::path& path, MeshView mesh) {
  const auto finite = [](Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); };
  if (const auto bad = std::ranges::find_if_not(mesh.positions, finite); bad != mesh.positions.end()) {
    fail(display(path), fmt::format("cannot write a mesh whose vertex {} is not finite", bad - mesh.positions.begin()));
  }
  if (!mesh.triangles.empty() && max_index(mesh.triangles) >= mesh.positions.size()) fail_index(mesh);
}

void write_ply(const std::filesystem::path& path, MeshView mesh, NewFile& file) {
  // Indices are declared int, which every program reads, rather than uint, which some do not.
  if (mesh.positions.size() > std::size_t{std::numeric_limits<std::int32_t>::max()}) {
    fail(display(path), "cannot write more vertices to a PLY file than its 31-bit indices can name");
  }
  file.write(
      fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\n"
                  "property float z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
                  mesh.positions.size(), mesh.triangles.size()));
  file.write(std::as_bytes(mesh.positions));
  for (const Triangle& t : mesh.triangles) {
    char record[1 + sizeof t] = {3};
    std::memcpy(record + 1, &t, sizeof t);
    file.write(std::string_view(record, sizeof record));
  }
}

void write_obj(const std::filesystem::path&, MeshView mesh, NewFile& file) {
  // The longest numbers: an index of 10 digits, a float such as -1.17549435e-38 of 15 characters.
  constexpr std::size_t kLongest = 16;
  const auto write_line = [&](char statement, auto... values) {
    char line[2 + 3 * (1 + kLongest)];
    char* end = line;
    *end++ = statement;
    ((*end++ = ' ', end = std::to_chars(end, end + kLongest, values).ptr), ...);
    *end++ = '\n';
    file.write(std::string_view(line, end));
  };
  for (const Vec3& p : mesh.positions) write_line('v', p.x, p.y, p.z);
  for (const Triangle& t : mesh.triangles) {
    write_line('f', std::uint64_t{t.a} + 1, std::uint64_t{t.b} + 1, std::uint64_t{t.c} + 1);
  }
}

Vec3 facet_normal(Vec3 a, Vec3 b, Vec3 c) {
  const Vec3d n = cross(to_double(b) - to_double(a), to_double(c) - to_double(a));
  const double size = std::sqrt(dot(n, n));
  return size > 0 ? to_float(n * (1 / size)) : Vec3{};
}

void write_stl(const std::filesystem::path& path, MeshView mesh, NewFile& file) {
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max()) {
    fail(display(path), "cannot write more triangles to an STL file than its 32-bit count can name");
  }
  std::string header = "binary STL";  // must not begin with "solid", which marks text
  header.resize(80);
  file.write(header);
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  file.write(std::as_bytes(std::span(&count, 1)));
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.positions[t.a], b = mesh.positions[t.b], c = mesh.positions[t.c];
    const Vec3 record[4] = {facet_normal(a, b, c), a, b, c};
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
