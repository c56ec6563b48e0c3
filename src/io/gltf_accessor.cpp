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
  const char* data = nullptr;
  std::size_t stride = 0;
};

/// Where in the document something is read, for messages.
struct Place {
  const GltfContext& context;
  std::int64_t accessor;

  [[noreturn]] void fail(std::string_view message) const {
    io::fail(context.name, fmt::format("accessor {}: {}", accessor, message));
  }
};

std::size_t component_size(const Place& place, std::int64_t type) {
  switch (static_cast<GltfComponent>(type)) {
    case GltfComponent::int8:
    case GltfComponent::uint8:
      return 1;
    case GltfComponent::int16:
    case GltfComponent::uint16:
      return 2;
    case GltfComponent::uint32:
    case GltfComponent::float32:
      return 4;
  }
  place.fail(fmt::format("expected a component type from 5120 to 5126, found {}", type));
}

/// The bytes of a buffer view.
std::string_view view_bytes(const Place& place, std::int64_t index) {
  const GltfView& view = at(place.context, place.context.model.views, index, "bufferView");
  if (view.compressed) {
    place.fail("its data is compressed by EXT_meshopt_compression, which is not supported; export without compression");
  }
  const std::string_view data = at(place.context, place.context.model.buffers, view.buffer, "buffer").contents;
  const auto size = static_cast<std::int64_t>(data.size());
  if (view.offset < 0 || view.length < 0 || view.offset > size || view.length > size - view.offset) {
    place.fail(fmt::format("expected bufferView {} within its buffer of {} bytes, found offset {} and length {}", index,
                           size, view.offset, view.length));
  }
  return data.substr(static_cast<std::size_t>(view.offset), static_cast<std::size_t>(view.length));
}

/// `count` records of `size` bytes; `stride` 0 means packed.
Records records(const Place& place, const GltfValues& values, std::int64_t count, std::size_t size,
                std::int64_t stride) {
  const std::string_view bytes = view_bytes(place, values.view);
  if (count < 0 || values.offset < 0 || stride < 0) place.fail("expected a count, an offset and a stride from 0");
  const auto offset = static_cast<std::size_t>(values.offset);
  const std::size_t step = stride == 0 ? size : static_cast<std::size_t>(stride);
  const bool fit = count == 0 || (offset <= bytes.size() && size <= bytes.size() - offset &&
                                  fits(static_cast<std::uint64_t>(count) - 1, step, bytes.size() - offset - size));
  if (!fit) {
    place.fail(fmt::format("expected {} records of {} bytes at offset {}, found a bufferView of {} bytes", count, size,
                           offset, bytes.size()));
  }
  return {bytes.data() + (count == 0 ? 0 : offset), step};
}

template <class T>
T load(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

/// One component as glTF 2.0, section 3.6.2.2, says: normalised integers map to [0, 1] or [-1, 1].
double load_component(const char* p, GltfComponent type, bool normalized) {
  switch (type) {
    case GltfComponent::int8:
      return normalized ? std::max(load<std::int8_t>(p) / 127.0, -1.0) : load<std::int8_t>(p);
    case GltfComponent::uint8:
      return load<std::uint8_t>(p) / (normalized ? 255.0 : 1.0);
    case GltfComponent::int16:
      return normalized ? std::max(load<std::int16_t>(p) / 32767.0, -1.0) : load<std::int16_t>(p);
    case GltfComponent::uint16:
      return load<std::uint16_t>(p) / (normalized ? 65535.0 : 1.0);
    case GltfComponent::uint32:
      return load<std::uint32_t>(p);
    case GltfComponent::float32:
      break;
  }
  return load<float>(p);
}

std::uint32_t load_index(const char* p, std::size_t size) {
  if (size == 1) return load<std::uint8_t>(p);
  return size == 2 ? load<std::uint16_t>(p) : load<std::uint32_t>(p);
}

bool is_index_type(std::int64_t type) {
  const auto component = static_cast<GltfComponent>(type);
  return component == GltfComponent::uint8 || component == GltfComponent::uint16 || component == GltfComponent::uint32;
}

/// Positions as an accessor stores them.
struct PositionType {
  GltfComponent component;
  std::size_t size;  ///< bytes of a component
  bool normalized;
};

Vec3 load_position(const Place& place, const char* p, const PositionType& type) {
  Vec3 out;
  for (std::size_t i = 0; i < 3; ++i) {
    out[static_cast<int>(i)] = static_cast<float>(load_component(p + i * type.size, type.component, type.normalized));
  }
  if (place.context.finite && !is_finite(out)) {
    place.fail(fmt::format("expected finite coordinates, found {} {} {}", out.x, out.y, out.z));
  }
  return out;
}

/// Overwrites the positions that the accessor's sparse part lists.
void apply_sparse(const Place& place, const GltfAccessor& accessor, const PositionType& type, std::span<Vec3> out) {
  if (!is_index_type(accessor.sparse_indices.component)) {
    place.fail("expected sparse indices of an unsigned integer type");
  }
  if (accessor.sparse_count > accessor.count) {
    place.fail(fmt::format("expected at most {} sparse values, found {}", accessor.count, accessor.sparse_count));
  }
  const std::size_t index_size = component_size(place, accessor.sparse_indices.component);
  const Records indices = records(place, accessor.sparse_indices, accessor.sparse_count, index_size, 0);
  const Records values = records(place, accessor.sparse_values, accessor.sparse_count, 3 * type.size, 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(accessor.sparse_count); ++i) {
    const std::uint32_t index = load_index(indices.data + i * indices.stride, index_size);
    if (index >= out.size()) place.fail(fmt::format("expected sparse indices below {}, found {}", out.size(), index));
    out[index] = load_position(place, values.data + i * values.stride, type);
  }
}

}  // namespace

void fail_reference(const GltfContext& context, const char* what, std::int64_t index, std::size_t size) {
  fail(context.name, fmt::format("expected a valid {} (the file has {}), found {}", what, size, index));
}

void spend(GltfContext& context, std::uint64_t count) {
  if (count > context.work) {
    fail(context.name, "its nodes repeat its meshes far beyond the file's own size; store fewer instances");
  }
  context.work -= count;
}

void append_positions(const GltfContext& context, std::int64_t index, std::vector<Vec3>& out) {
  const Place place{context, index};
  const GltfAccessor& accessor = at(context, context.model.accessors, index, "accessor");
  if (accessor.type != GltfType::vec3) place.fail("expected positions of type VEC3");
  const PositionType type{static_cast<GltfComponent>(accessor.values.component),
                          component_size(place, accessor.values.component), accessor.normalized};
  const bool stored = accessor.values.view >= 0;
  if (!stored && !accessor.sparse) place.fail("expected positions with a bufferView, found none");
  if (accessor.count < 0) place.fail(fmt::format("expected a count from 0, found {}", accessor.count));

  Records source;
  if (stored) {
    const GltfView& view = at(context, context.model.views, accessor.values.view, "bufferView");
    source = records(place, accessor.values, accessor.count, 3 * type.size, view.stride);
  }
  const std::size_t start = out.size();
  // What is not stored is zero, says the specification. So the count is not bounded by the file.
  context.memory.resize(out, start + static_cast<std::size_t>(accessor.count));
  const std::span<Vec3> added = std::span(out).subspan(start);
  for (std::size_t i = 0; stored && i < added.size(); ++i) {
    added[i] = load_position(place, source.data + i * source.stride, type);
  }
  if (accessor.sparse) apply_sparse(place, accessor, type, added);
}

std::vector<std::uint32_t> read_indices(const GltfContext& context, std::int64_t index, std::size_t vertices) {
  const Place place{context, index};
  const GltfAccessor& accessor = at(context, context.model.accessors, index, "accessor");
  if (accessor.type != GltfType::scalar || !is_index_type(accessor.values.component)) {
    place.fail("expected indices as SCALAR of an unsigned integer type");
  }
  if (accessor.sparse) place.fail("sparse indices are not supported; export them in full");
  const std::size_t size = component_size(place, accessor.values.component);
  const Records source = records(place, accessor.values, accessor.count, size, 0);
  std::vector<std::uint32_t> out(static_cast<std::size_t>(accessor.count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = load_index(source.data + i * source.stride, size);
    if (out[i] >= vertices) place.fail(fmt::format("expected a vertex index below {}, found {}", vertices, out[i]));
  }
  return out;
}

}  // namespace lamella::io
