#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/input_file.hpp"

namespace lamella::io {

// The parts of a glTF 2.0 document that a mesh is made of, as they are in its JSON: no reference between them is
// checked yet. Lists within entries are kept in one array for all, so that an entry takes few bytes.

inline constexpr std::int64_t kNoIndex = -1;

/// A part of one of GltfModel's common arrays.
struct GltfRange {
  std::uint32_t begin = 0, count = 0;
};

struct GltfNode {
  std::int64_t mesh = kNoIndex;
  GltfRange children;                              ///< of links
  GltfRange matrix, translation, rotation, scale;  ///< of numbers
  GltfRange name;                                  ///< of texts
  bool instanced = false;                          ///< by EXT_mesh_gpu_instancing
};

enum class GltfMode : std::int64_t { points, lines, line_loop, line_strip, triangles, strip, fan };

struct GltfPrimitive {
  std::int64_t position = kNoIndex, indices = kNoIndex;  ///< accessors
  std::int64_t mode = static_cast<std::int64_t>(GltfMode::triangles);
  bool compressed = false;  ///< by KHR_draco_mesh_compression
};

enum class GltfComponent : std::int64_t { int8 = 5120, uint8, int16, uint16, uint32 = 5125, float32 };

/// Values in a buffer view.
struct GltfValues {
  std::int64_t view = kNoIndex, offset = 0, component = 0;
};

enum class GltfType : std::uint8_t { other, scalar, vec3 };

struct GltfAccessor {
  GltfValues values;
  std::int64_t count = 0;
  GltfType type = GltfType::other;
  bool normalized = false;
  bool sparse = false;
  std::int64_t sparse_count = 0;
  GltfValues sparse_indices, sparse_values;
};

struct GltfView {
  std::int64_t buffer = kNoIndex, offset = 0, length = 0, stride = 0;
  bool compressed = false;  ///< by EXT_meshopt_compression
};

struct GltfBuffer {
  std::int64_t length = kNoIndex;
  std::string uri;            ///< of a separate file; empty when there is none
  FileBytes own;              ///< decoded from a data URI, or read from a file
  std::string_view contents;  ///< of `own`, or of the GLB
};

struct GltfModel {
  std::int64_t scene = kNoIndex;  ///< the default one
  std::vector<GltfRange> scenes;  ///< of links: their roots
  std::vector<GltfNode> nodes;
  std::vector<GltfRange> meshes;      ///< of primitives
  std::vector<GltfRange> mesh_names;  ///< of texts
  std::vector<GltfPrimitive> primitives;
  std::vector<GltfAccessor> accessors;
  std::vector<GltfView> views;
  std::vector<GltfBuffer> buffers;
  std::vector<std::int64_t> links;  ///< to nodes
  std::vector<double> numbers;
  std::vector<char> texts;
};

}  // namespace lamella::io
