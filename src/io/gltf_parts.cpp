#include "io/gltf_parts.hpp"

#include <algorithm>

namespace lamella::io {
namespace {

constexpr GltfRule kRules[] = {{GltfPart::document, "", GltfPart::root, false},
                               {GltfPart::root, "asset", GltfPart::asset, false},
                               {GltfPart::root, "scenes", GltfPart::scenes, true},
                               {GltfPart::scenes, "", GltfPart::scene, false},
                               {GltfPart::scene, "nodes", GltfPart::roots, true},
                               {GltfPart::root, "nodes", GltfPart::nodes, true},
                               {GltfPart::nodes, "", GltfPart::node, false},
                               {GltfPart::node, "children", GltfPart::children, true},
                               {GltfPart::node, "matrix", GltfPart::matrix, true},
                               {GltfPart::node, "translation", GltfPart::translation, true},
                               {GltfPart::node, "rotation", GltfPart::rotation, true},
                               {GltfPart::node, "scale", GltfPart::scale, true},
                               {GltfPart::node, "extensions", GltfPart::node_extensions, false},
                               {GltfPart::root, "meshes", GltfPart::meshes, true},
                               {GltfPart::meshes, "", GltfPart::mesh, false},
                               {GltfPart::mesh, "primitives", GltfPart::primitives, true},
                               {GltfPart::primitives, "", GltfPart::primitive, false},
                               {GltfPart::primitive, "attributes", GltfPart::attributes, false},
                               {GltfPart::primitive, "extensions", GltfPart::primitive_extensions, false},
                               {GltfPart::root, "accessors", GltfPart::accessors, true},
                               {GltfPart::accessors, "", GltfPart::accessor, false},
                               {GltfPart::accessor, "sparse", GltfPart::sparse, false},
                               {GltfPart::sparse, "indices", GltfPart::sparse_indices, false},
                               {GltfPart::sparse, "values", GltfPart::sparse_values, false},
                               {GltfPart::root, "bufferViews", GltfPart::views, true},
                               {GltfPart::views, "", GltfPart::view, false},
                               {GltfPart::view, "extensions", GltfPart::view_extensions, false},
                               {GltfPart::root, "buffers", GltfPart::buffers, true},
                               {GltfPart::buffers, "", GltfPart::buffer, false}};

std::int64_t* member_of(GltfValues& values, std::string_view key) {
  return key == "bufferView"      ? &values.view
         : key == "byteOffset"    ? &values.offset
         : key == "componentType" ? &values.component
                                  : nullptr;
}
std::int64_t* member_of(GltfView& view, std::string_view key) {
  return key == "buffer"       ? &view.buffer
         : key == "byteOffset" ? &view.offset
         : key == "byteLength" ? &view.length
         : key == "byteStride" ? &view.stride
                               : nullptr;
}

}  // namespace

const GltfRule* find_rule(GltfPart parent, std::string_view key) {
  const auto* rule =
      std::ranges::find_if(kRules, [&](const GltfRule& r) { return r.parent == parent && r.key == key; });
  return rule == std::end(kRules) ? nullptr : rule;
}

std::string_view key_of(GltfPart part) {
  const auto* rule = std::ranges::find(kRules, part, &GltfRule::part);
  return rule == std::end(kRules) ? std::string_view() : rule->key;
}

bool is_list(GltfPart part) {
  constexpr GltfPart kOfValues[] = {GltfPart::roots,       GltfPart::children, GltfPart::matrix,
                                    GltfPart::translation, GltfPart::rotation, GltfPart::scale};
  return find_rule(part, "") != nullptr || std::ranges::find(kOfValues, part) != std::end(kOfValues);
}

void begin_part(GltfModel& model, MemoryLimit& memory, GltfPart part) {
  const auto links = GltfRange{static_cast<std::uint32_t>(model.links.size()), 0};
  const auto numbers = GltfRange{static_cast<std::uint32_t>(model.numbers.size()), 0};
  switch (part) {
    case GltfPart::scene:
      return memory.append(model.scenes, links);
    case GltfPart::node:
      return memory.append(model.nodes, {});
    case GltfPart::roots:
    case GltfPart::children:
      *links_of(model, part) = links;
      return;
    case GltfPart::matrix:
    case GltfPart::translation:
    case GltfPart::rotation:
    case GltfPart::scale:
      *numbers_of(model, part) = numbers;
      return;
    case GltfPart::mesh:
      memory.append(model.mesh_names, {});
      return memory.append(model.meshes, {static_cast<std::uint32_t>(model.primitives.size()), 0});
    case GltfPart::primitive:
      ++model.meshes.back().count;
      return memory.append(model.primitives, {});
    case GltfPart::accessor:
      return memory.append(model.accessors, {});
    case GltfPart::sparse:
      model.accessors.back().sparse = true;
      return;
    case GltfPart::view:
      return memory.append(model.views, {});
    case GltfPart::buffer:
      return memory.append(model.buffers, {});
    default:
      return;
  }
}

std::int64_t* integer_of(GltfModel& model, GltfPart part, std::string_view key) {
  switch (part) {
    case GltfPart::root:
      return key == "scene" ? &model.scene : nullptr;
    case GltfPart::node:
      return key == "mesh" ? &model.nodes.back().mesh : nullptr;
    case GltfPart::primitive:
      return key == "indices" ? &model.primitives.back().indices
             : key == "mode"  ? &model.primitives.back().mode
                              : nullptr;
    case GltfPart::attributes:
      return key == "POSITION" ? &model.primitives.back().position : nullptr;
    case GltfPart::accessor:
      return key == "count" ? &model.accessors.back().count : member_of(model.accessors.back().values, key);
    case GltfPart::sparse:
      return key == "count" ? &model.accessors.back().sparse_count : nullptr;
    case GltfPart::sparse_indices:
      return member_of(model.accessors.back().sparse_indices, key);
    case GltfPart::sparse_values:
      return member_of(model.accessors.back().sparse_values, key);
    case GltfPart::view:
      return member_of(model.views.back(), key);
    case GltfPart::buffer:
      return key == "byteLength" ? &model.buffers.back().length : nullptr;
    default:
      return nullptr;
  }
}

GltfRange* links_of(GltfModel& model, GltfPart part) {
  if (part == GltfPart::roots) return &model.scenes.back();
  return part == GltfPart::children ? &model.nodes.back().children : nullptr;
}

GltfRange* text_of(GltfModel& model, GltfPart part, std::string_view key) {
  if (key != "name") return nullptr;
  if (part == GltfPart::node) return &model.nodes.back().name;
  return part == GltfPart::mesh ? &model.mesh_names.back() : nullptr;
}

GltfRange* numbers_of(GltfModel& model, GltfPart part) {
  switch (part) {
    case GltfPart::matrix:
      return &model.nodes.back().matrix;
    case GltfPart::translation:
      return &model.nodes.back().translation;
    case GltfPart::rotation:
      return &model.nodes.back().rotation;
    case GltfPart::scale:
      return &model.nodes.back().scale;
    default:
      return nullptr;
  }
}

std::size_t entries_of(const GltfModel& model, GltfPart section) {
  switch (section) {
    case GltfPart::scenes:
      return model.scenes.size();
    case GltfPart::nodes:
      return model.nodes.size();
    case GltfPart::meshes:
      return model.meshes.size();
    case GltfPart::accessors:
      return model.accessors.size();
    case GltfPart::views:
      return model.views.size();
    case GltfPart::buffers:
      return model.buffers.size();
    default:
      return 0;
  }
}

void note_extension(GltfModel& model, GltfPart part, std::string_view name) {
  if (part == GltfPart::node_extensions && name == "EXT_mesh_gpu_instancing") model.nodes.back().instanced = true;
  if (part == GltfPart::primitive_extensions && name == "KHR_draco_mesh_compression") {
    model.primitives.back().compressed = true;
  }
  if (part == GltfPart::view_extensions && name == "EXT_meshopt_compression") model.views.back().compressed = true;
}

}  // namespace lamella::io
