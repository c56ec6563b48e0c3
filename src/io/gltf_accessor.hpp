#pragma once

#include <tiny_gltf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lamella/math.hpp"

namespace lamella::io {

/// What reading accessors needs: the document, how messages name it, and how much may still be produced from it.
struct GltfContext {
  const tinygltf::Model& model;
  const std::string& name;
  std::uint64_t budget;  ///< bytes
};

/// Takes `count` records of `size` bytes from the budget. A small file can place one mesh many times, or declare an
/// accessor without data, so the output is not bounded by the input alone.
void claim(GltfContext& context, std::uint64_t count, std::uint64_t size);

/// The element `index` of one of the model's arrays, or Error: "NAME: what N: ..."
template <class T>
const T& at(const GltfContext& context, const std::vector<T>& array, int index, const char* what);

/// All positions of an accessor: VEC3 of floats, or of integers as KHR_mesh_quantization allows. Finite.
[[nodiscard]] std::vector<Vec3> read_positions(GltfContext& context, int accessor);

/// All indices of an accessor, each below `vertices`.
[[nodiscard]] std::vector<std::uint32_t> read_indices(GltfContext& context, int accessor, std::size_t vertices);

/// Throws: the array `what` has no element `index`.
[[noreturn]] void fail_reference(const GltfContext& context, const char* what, int index, std::size_t size);

template <class T>
const T& at(const GltfContext& context, const std::vector<T>& array, int index, const char* what) {
  if (index < 0 || static_cast<std::size_t>(index) >= array.size()) fail_reference(context, what, index, array.size());
  return array[static_cast<std::size_t>(index)];
}

}  // namespace lamella::io
