#pragma once

#include <cstdint>
#include <string_view>

#include "io/gltf_model.hpp"

namespace lamella::io {

// Which objects and arrays of a glTF document matter to a mesh, and where in the model their values go.

/// What the object or array that is being read is to us.
enum class GltfPart : std::uint8_t {
  ignored,
  document,
  root,
  asset,
  scenes,
  scene,
  roots,
  nodes,
  node,
  children,
  matrix,
  translation,
  rotation,
  scale,
  node_extensions,
  meshes,
  mesh,
  primitives,
  primitive,
  attributes,
  primitive_extensions,
  accessors,
  accessor,
  sparse,
  sparse_indices,
  sparse_values,
  views,
  view,
  view_extensions,
  buffers,
  buffer
};

/// `key` of `parent`, or with no key each of its elements, is `part`.
struct GltfRule {
  GltfPart parent;
  std::string_view key;
  GltfPart part;
  bool is_array;
};

/// The rule for a value of `parent`; null when the value is of no use here. `key` is empty in arrays.
[[nodiscard]] const GltfRule* find_rule(GltfPart parent, std::string_view key);

/// The key of a part in its parent; empty for elements of arrays.
[[nodiscard]] std::string_view key_of(GltfPart part);

/// Whether it is an array whose elements all matter.
[[nodiscard]] bool is_list(GltfPart part);

/// A record in the model for an object or array that begins.
void begin_part(GltfModel& model, MemoryLimit& memory, GltfPart part);

/// Where the whole number `key` of the latest `part` belongs; null when it is of no use here.
[[nodiscard]] std::int64_t* integer_of(GltfModel& model, GltfPart part, std::string_view key);

/// The range of links, or of numbers, that the elements of the latest `part` belong to; null when it has no such
/// elements.
[[nodiscard]] GltfRange* links_of(GltfModel& model, GltfPart part);
[[nodiscard]] GltfRange* numbers_of(GltfModel& model, GltfPart part);

/// The range of texts that the text `key` of the latest `part` belongs to; null when it is of no use here.
[[nodiscard]] GltfRange* text_of(GltfModel& model, GltfPart part, std::string_view key);

/// How many entries a section of the document has so far.
[[nodiscard]] std::size_t entries_of(const GltfModel& model, GltfPart section);

/// Notes an extension of the latest `part` that changes how its values are stored.
void note_extension(GltfModel& model, GltfPart part, std::string_view name);

}  // namespace lamella::io
