#include "io/formats.hpp"
#include "io/text_cursor.hpp"

namespace lamella::io {

Mesh read_xyz(const Source& source) {
  Mesh mesh;
  TextCursor cursor(source, {.comment = '#', .commas = true});
  while (cursor.next_content()) {
    mesh.positions.push_back(cursor.position());
    cursor.next_line();
  }
  return mesh;
}

}  // namespace lamella::io
