#include "io/gltf_accessor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

/// Records in a buffer; every byte of every record is known to lie in it.
struct Records {
  const unsigned char* data = nullptr;
  std::size_t stride = 0;
};

/// Where in the document something is read, for messages.
struct Place {
  GltfContext& context;
  int accessor;

  [[noreturn]] void fail(std::string_view message) const {
    io::fail(context.name, fmt::format("accessor {}: {}", accessor, message));
  }
};

std::size_t component_size(const Place& place, int type) {
  switch (type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return 1;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return 2;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
    case TINYGLTF_COMPONENT_TYPE_FLOAT:
      return 4;
    default:
      place.fail(fmt::format("expected a component type from 5120 to 5126, found {}", type));
  }
}

/// The bytes of a buffer view.
std::span<const unsigned char> view_bytes(const Place& place, int index) {
  const tinygltf::BufferView& view = at(place.context, place.context.model.bufferViews, index, "bufferView");
  if (view.extensions.contains("EXT_meshopt_compression")) {
    place.fail("its data is compressed by EXT_meshopt_compression, which is not supported; export without compression");
  }
  const auto& data = at(place.context, place.context.model.buffers, view.buffer, "buffer").data;
  if (view.byteOffset > data.size() || view.byteLength > data.size() - view.byteOffset) {
    place.fail(fmt::format("expected bufferView {} within its buffer of {} bytes, found offset {} and length {}", index,
                           data.size(), view.byteOffset, view.byteLength));
  }
  return std::span(data).subspan(view.byteOffset, view.byteLength);
}

/// `count` records of `size` bytes from `offset` in a view; `stride` 0 means packed.
Records records(const Place& place, int view, std::size_t offset, std::size_t count, std::size_t size,
                std::size_t stride) {
  const std::span<const unsigned char> bytes = view_bytes(place, view);
  if (stride == 0) stride = size;
  const bool fit = count == 0 || (offset <= bytes.size() && size <= bytes.size() - offset &&
                                  fits(count - 1, stride, bytes.size() - offset - size));
  if (!fit) {
    place.fail(fmt::format("expected {} records of {} bytes at offset {}, found a bufferView of {} bytes", count, size,
                           offset, bytes.size()));
  }
  return {bytes.data() + (count == 0 ? 0 : offset), stride};
}

template <class T>
T load(const unsigned char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

/// One component as glTF 2.0, section 3.6.2.2, says: normalised integers map to [0, 1] or [-1, 1].
double load_component(const unsigned char* p, int type, bool normalized) {
  switch (type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return normalized ? std::max(load<std::int8_t>(p) / 127.0, -1.0) : load<std::int8_t>(p);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return *p / (normalized ? 255.0 : 1.0);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return normalized ? std::max(load<std::int16_t>(p) / 32767.0, -1.0) : load<std::int16_t>(p);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return load<std::uint16_t>(p) / (normalized ? 65535.0 : 1.0);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return load<std::uint32_t>(p);
    default:
      return load<float>(p);
  }
}

std::uint32_t load_index(const unsigned char* p, std::size_t size) {
  if (size == 1) return *p;
  return size == 2 ? load<std::uint16_t>(p) : load<std::uint32_t>(p);
}

bool is_index_type(int type) {
  return type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE || type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ||
         type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
}

Vec3 load_position(const Place& place, const unsigned char* p, const tinygltf::Accessor& accessor, std::size_t size) {
  Vec3 out;
  for (int i = 0; i < 3; ++i) {
    const double value =
        load_component(p + static_cast<std::size_t>(i) * size, accessor.componentType, accessor.normalized);
    const auto narrowed = finite_float(value);
    if (!narrowed) place.fail(fmt::format("expected finite coordinates, found {}", value));
    out[i] = *narrowed;
  }
  return out;
}

/// Overwrites the positions that the accessor's sparse part lists.
void apply_sparse(const Place& place, const tinygltf::Accessor& accessor, std::size_t size, std::vector<Vec3>& out) {
  const auto& sparse = accessor.sparse;
  if (sparse.count < 0 || sparse.indices.byteOffset < 0 || sparse.values.byteOffset < 0) {
    place.fail("expected sparse counts and offsets from 0");
  }
  if (!is_index_type(sparse.indices.componentType)) place.fail("expected sparse indices of an unsigned integer type");
  const auto count = static_cast<std::size_t>(sparse.count);
  const std::size_t index_size = component_size(place, sparse.indices.componentType);
  const Records indices = records(place, sparse.indices.bufferView, static_cast<std::size_t>(sparse.indices.byteOffset),
                                  count, index_size, 0);
  const Records values =
      records(place, sparse.values.bufferView, static_cast<std::size_t>(sparse.values.byteOffset), count, 3 * size, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t index = load_index(indices.data + i * indices.stride, index_size);
    if (index >= out.size()) place.fail(fmt::format("expected sparse indices below {}, found {}", out.size(), index));
    out[index] = load_position(place, values.data + i * values.stride, accessor, size);
  }
}

}  // namespace

void fail_reference(const GltfContext& context, const char* what, int index, std::size_t size) {
  fail(context.name, fmt::format("expected a valid {} (the file has {}), found {}", what, size, index));
}

void claim(GltfContext& context, std::uint64_t count, std::uint64_t size) {
  if (!fits(count, size, context.budget)) {
    fail(context.name, "its nodes multiply its meshes far beyond the file's own size; store fewer instances");
  }
  context.budget -= count * size;
}

std::vector<Vec3> read_positions(GltfContext& context, int index) {
  const Place place{context, index};
  const tinygltf::Accessor& accessor = at(context, context.model.accessors, index, "accessor");
  if (accessor.type != TINYGLTF_TYPE_VEC3) place.fail("expected positions of type VEC3");
  const std::size_t size = component_size(place, accessor.componentType);
  const bool stored = accessor.bufferView >= 0;
  if (!stored && !accessor.sparse.isSparse) place.fail("expected positions with a bufferView, found none");

  Records source;
  if (stored) {
    const auto& view = at(context, context.model.bufferViews, accessor.bufferView, "bufferView");
    source = records(place, accessor.bufferView, accessor.byteOffset, accessor.count, 3 * size, view.byteStride);
  }
  claim(context, accessor.count, sizeof(Vec3));
  std::vector<Vec3> out(accessor.count);  // what is not stored is zero, says the specification
  for (std::size_t i = 0; stored && i < out.size(); ++i) {
    out[i] = load_position(place, source.data + i * source.stride, accessor, size);
  }
  if (accessor.sparse.isSparse) apply_sparse(place, accessor, size, out);
  return out;
}

std::vector<std::uint32_t> read_indices(GltfContext& context, int index, std::size_t vertices) {
  const Place place{context, index};
  const tinygltf::Accessor& accessor = at(context, context.model.accessors, index, "accessor");
  if (accessor.type != TINYGLTF_TYPE_SCALAR || !is_index_type(accessor.componentType)) {
    place.fail("expected indices as SCALAR of an unsigned integer type");
  }
  if (accessor.sparse.isSparse) place.fail("sparse indices are not supported; export them in full");
  const std::size_t size = component_size(place, accessor.componentType);
  const Records source = records(place, accessor.bufferView, accessor.byteOffset, accessor.count, size, 0);
  claim(context, accessor.count, sizeof(std::uint32_t));
  std::vector<std::uint32_t> out(accessor.count);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = load_index(source.data + i * source.stride, size);
    if (out[i] >= vertices) place.fail(fmt::format("expected a vertex index below {}, found {}", vertices, out[i]));
  }
  return out;
}

}  // namespace lamella::io
