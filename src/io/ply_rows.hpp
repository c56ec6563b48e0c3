#pragma once

#include <algorithm>
#include <string>

#include "io/checks.hpp"
#include "io/ply_header.hpp"

namespace lamella::io {

// The general way to read an element, whatever its properties, from text or bytes. `Rows` has:
//   void begin_row(element, row), end_row()
//   double coordinate(type)              finite, or it throws where the source asks for that; a float's value
//                                        unless the source asks for doubles
//   std::uint64_t list_count(property)   not more than the rest of the file can hold
//   std::uint32_t index(type, vertices)  below `vertices`
//   void skip(type, count)
//   [[noreturn]] void fail_polygon(count)

template <class Rows>
void read_corners(Rows& rows, MemoryLimit& memory, const PlyProperty& property, std::uint64_t vertices,
                  std::vector<Triangle>& triangles) {
  const std::uint64_t count = rows.list_count(property);
  if (count < 3) rows.fail_polygon(count);
  Fan fan(triangles, memory);
  for (std::uint64_t i = 0; i < count; ++i) fan.add(rows.index(property.type, vertices));
}

template <class Rows>
void read_property(Rows& rows, MemoryLimit& memory, const PlyProperty& property, std::uint64_t vertices,
                   Vec3d& position, std::vector<Triangle>& triangles) {
  switch (property.role) {
    case PlyRole::x:
      position.x = rows.coordinate(property.type);
      break;
    case PlyRole::y:
      position.y = rows.coordinate(property.type);
      break;
    case PlyRole::z:
      position.z = rows.coordinate(property.type);
      break;
    case PlyRole::corners:
      read_corners(rows, memory, property, vertices, triangles);
      break;
    case PlyRole::ignored:
      rows.skip(property.type, property.is_list ? rows.list_count(property) : 1);
      break;
  }
}

/// Reads rows `first` to `last` of `element` into `mesh`, as far as they matter to it.
template <class Rows>
void read_rows(Rows& rows, const Source& source, const PlyElement& element, std::uint64_t first, std::uint64_t last,
               std::uint64_t vertices, FileMesh& mesh) {
  if (element.properties.empty()) return;
  const bool is_vertex = element.name == "vertex";
  for (std::uint64_t row = first; row < last; ++row) {
    rows.begin_row(element, row);
    Vec3d position;
    for (const PlyProperty& property : element.properties) {
      read_property(rows, source.memory, property, vertices, position, mesh.triangles);
    }
    if (is_vertex) append_position(source, mesh, position);
    rows.end_row();
  }
}

/// Makes room for an element whose count has been checked against the file's `remaining` bytes. The shortest triangle
/// takes four: its count and three indices.
inline void reserve(const Source& source, const PlyElement& element, std::size_t remaining, FileMesh& mesh) {
  if (element.name == "vertex") reserve_vertices(source, mesh, element.count);
  if (element.name == "face")
    source.memory.reserve(mesh.triangles, std::min<std::uint64_t>(element.count, remaining / 4));
}

/// Binary data, behind the header.
[[nodiscard]] FileMesh read_ply_binary(const Source& source, const PlyHeader& header);

}  // namespace lamella::io
