#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/gltf_model.hpp"
#include "lamella/math.hpp"

namespace lamella::io {

/// What reading accessors needs.
struct GltfContext {
  const GltfModel& model;
  const std::string& name;  ///< as messages show it
  MemoryLimit& memory;
  bool finite, wide;   ///< as in Source
  std::uint64_t work;  ///< corners and primitives that may still be visited
};

/// Takes `count` from the work that is left. A small file can place one mesh very many times, and have nothing in it:
/// memory alone does not bound the time.
void spend(GltfContext& context, std::uint64_t count);

/// The element `index` of one of the model's arrays, or Error: "NAME: what N: ..."
template <class T>
const T& at(const GltfContext& context, const std::vector<T>& array, std::int64_t index, const char* what);

/// Appends all positions of an accessor: VEC3 of floats, or of integers as KHR_mesh_quantization allows.
void append_positions(const GltfContext& context, std::int64_t accessor, std::vector<Vec3>& out);

/// All indices of an accessor, each below `vertices`. They are the caller's to count as memory: 4 bytes each.
[[nodiscard]] std::vector<std::uint32_t> read_indices(const GltfContext& context, std::int64_t accessor,
                                                      std::size_t vertices);

/// Throws: the array `what` has no element `index`.
[[noreturn]] void fail_reference(const GltfContext& context, const char* what, std::int64_t index, std::size_t size);

template <class T>
const T& at(const GltfContext& context, const std::vector<T>& array, std::int64_t index, const char* what) {
  if (index < 0 || static_cast<std::size_t>(index) >= array.size()) fail_reference(context, what, index, array.size());
  return array[static_cast<std::size_t>(index)];
}

}  // namespace lamella::io
