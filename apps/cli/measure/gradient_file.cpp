#include "cli/measure/gradient_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "cli/common.hpp"
#include "cli/parse.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "picture/canvas.hpp"
#include "picture/color_map.hpp"

namespace lamella::cli {
namespace {

constexpr picture::Rgb kNoForce{0.80f, 0.80f, 0.80f};

Vec3d position_of(MeshView mesh, std::size_t vertex) {
  return (mesh.wide.empty() ? to_double(mesh.positions[vertex]) : mesh.wide[vertex]) + mesh.origin;
}

bool finite(Vec3d p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

/// Whether floats of world coordinates would lose digits.
bool has_doubles(const VertexGradients& g) { return !g.mesh.wide.empty() || !(g.mesh.origin == Vec3d{}); }

template <class Number>
void put(std::string& bytes, Number value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof raw);
}

std::string header(std::size_t vertices, std::size_t faces, bool doubles) {
  const std::string_view type = doubles ? "double" : "float";
  return fmt::format(
      "ply\nformat binary_little_endian 1.0\n"
      "comment gx gy gz: how the volume changes when the vertex moves, per unit of length; quality: their length\n"
      "comment mesh: 0 for the first mesh, 1 for the second\n"
      "element vertex {0}\nproperty {2} x\nproperty {2} y\nproperty {2} z\n"
      "property float gx\nproperty float gy\nproperty float gz\nproperty float quality\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar mesh\n"
      "element face {1}\nproperty list uchar int vertex_indices\nend_header\n",
      vertices, faces, type);
}

void put_vertex(std::string& bytes, Vec3d p, bool doubles, Vec3 gradient, float longest, std::uint8_t mesh) {
  for (int i = 0; i < 3; ++i) doubles ? put(bytes, p[i]) : put(bytes, static_cast<float>(p[i]));
  for (int i = 0; i < 3; ++i) put(bytes, gradient[i]);
  const float size = length(gradient);
  put(bytes, size);
  const picture::Pixel color = picture::to_pixel(size > 0 ? picture::count_color(size / longest) : kNoForce);
  for (const std::uint8_t part : {color.r, color.g, color.b, mesh}) put(bytes, part);
}

}  // namespace

void add_gradient_option(const Command& command, std::filesystem::path& path) {
  command.options_under("Answer");
  command.add_text(
      "--gradient", "OUT.ply",
      [&](const std::string& text) {
        path = check_extension("--gradient", text, std::array<std::string_view, 1>{".ply"});
      },
      "write the vertices with how the volume changes when each of them moves");
}

float usual_longest(std::span<const VertexGradients> meshes) {
  constexpr double kPart = 0.98;
  std::vector<float> lengths;
  for (const VertexGradients& g : meshes) {
    for (const Vec3 v : g.gradients) {
      if (!(v == Vec3{})) lengths.push_back(length(v));
    }
  }
  if (lengths.empty()) return 0;
  const auto at = lengths.begin() + static_cast<std::ptrdiff_t>(kPart * static_cast<double>(lengths.size() - 1));
  std::nth_element(lengths.begin(), at, lengths.end());
  return *at;
}

void write_gradients(const std::filesystem::path& path, std::span<const VertexGradients> meshes) {
  std::size_t vertices = 0, faces = 0;
  bool doubles = false;
  for (const VertexGradients& g : meshes) {
    vertices += g.mesh.vertex_count();
    faces += g.mesh.triangles.size();
    doubles |= has_doubles(g);
    for (std::size_t i = 0; i < g.mesh.vertex_count(); ++i) {
      if (!finite(position_of(g.mesh, i)))
        throw Error(fmt::format("{}: cannot write a mesh whose vertex {} is not finite", printable(path.string()), i));
    }
  }
  if (vertices > std::size_t{std::numeric_limits<std::int32_t>::max()})
    throw Error(fmt::format("{}: cannot write more vertices to a PLY file than its 31-bit indices can name",
                            printable(path.string())));
  NewFile file(path);
  file.write(header(vertices, faces, doubles));
  const float longest = usual_longest(meshes);
  std::string bytes;
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    for (std::size_t i = 0; i < meshes[m].mesh.vertex_count(); ++i) {
      bytes.clear();
      put_vertex(bytes, position_of(meshes[m].mesh, i), doubles, meshes[m].gradients[i], longest,
                 static_cast<std::uint8_t>(m));
      file.write(bytes);
    }
  }
  std::uint32_t first = 0;
  for (const VertexGradients& g : meshes) {
    for (const Triangle& t : g.mesh.triangles) {
      bytes.assign(1, 3);
      for (int i = 0; i < 3; ++i) put(bytes, t[i] + first);
      file.write(bytes);
    }
    first += static_cast<std::uint32_t>(g.mesh.vertex_count());
  }
  file.commit();
}

void print_gradient(const GradientSums& sums, std::span<const std::string> names) {
  const bool pair = names.size() > 1;
  const auto print = [&](std::string_view label, const MotionGradient& motion) {
    print_line(label, fmt::format("{} per unit of length, {} per radian about the centroid",
                                  to_text(motion.translation), to_text(motion.rotation)));
  };
  if (pair) {
    print("gradient A", sums.a);
    print("gradient B", sums.b);
  }
  print_line("surface", pair ? fmt::format("{} of {} and {} of {} inside the other", to_text(sums.inner_a.area),
                                           file_name(names[0]), to_text(sums.inner_b.area), file_name(names[1]))
                             : fmt::format("{} inside the mesh itself", to_text(sums.inner_a.area)));
}

}  // namespace lamella::cli
