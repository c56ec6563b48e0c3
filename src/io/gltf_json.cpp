// The JSON of a glTF document, event by event: only what a mesh needs is kept, in compact records, so that memory stays
// a small multiple of the text's size whatever else is in it, and however deep.
#include "io/gltf_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "io/data_uri.hpp"
#include "io/messages.hpp"
#include "io/text_cursor.hpp"

namespace lamella::io {
namespace {

constexpr std::size_t kMaxNesting = 128;

/// What the object or array that is being read is to us.
enum class Part : std::uint8_t {
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
struct Rule {
  Part parent;
  std::string_view key;
  Part part;
  bool is_array;
};

constexpr Rule kRules[] = {{Part::document, "", Part::root, false},
                           {Part::root, "asset", Part::asset, false},
                           {Part::root, "scenes", Part::scenes, true},
                           {Part::scenes, "", Part::scene, false},
                           {Part::scene, "nodes", Part::roots, true},
                           {Part::root, "nodes", Part::nodes, true},
                           {Part::nodes, "", Part::node, false},
                           {Part::node, "children", Part::children, true},
                           {Part::node, "matrix", Part::matrix, true},
                           {Part::node, "translation", Part::translation, true},
                           {Part::node, "rotation", Part::rotation, true},
                           {Part::node, "scale", Part::scale, true},
                           {Part::node, "extensions", Part::node_extensions, false},
                           {Part::root, "meshes", Part::meshes, true},
                           {Part::meshes, "", Part::mesh, false},
                           {Part::mesh, "primitives", Part::primitives, true},
                           {Part::primitives, "", Part::primitive, false},
                           {Part::primitive, "attributes", Part::attributes, false},
                           {Part::primitive, "extensions", Part::primitive_extensions, false},
                           {Part::root, "accessors", Part::accessors, true},
                           {Part::accessors, "", Part::accessor, false},
                           {Part::accessor, "sparse", Part::sparse, false},
                           {Part::sparse, "indices", Part::sparse_indices, false},
                           {Part::sparse, "values", Part::sparse_values, false},
                           {Part::root, "bufferViews", Part::views, true},
                           {Part::views, "", Part::view, false},
                           {Part::view, "extensions", Part::view_extensions, false},
                           {Part::root, "buffers", Part::buffers, true},
                           {Part::buffers, "", Part::buffer, false}};

const Rule* find_rule(Part parent, std::string_view key) {
  const auto* rule = std::ranges::find_if(kRules, [&](const Rule& r) { return r.parent == parent && r.key == key; });
  return rule == std::end(kRules) ? nullptr : rule;
}

/// Arrays of records or numbers: an element of another type is an Error.
bool is_list(Part part) {
  return find_rule(part, "") != nullptr || part == Part::roots || part == Part::children || part == Part::matrix ||
         part == Part::translation || part == Part::rotation || part == Part::scale;
}

/// Takes nlohmann::json's events. All functions return true: they go on, or throw.
class GltfHandler final : public nlohmann::json_sax<nlohmann::json> {
 public:
  GltfHandler(const Source& source, std::size_t offset) : source_(source), memory_(source.memory), offset_(offset) {}

  GltfModel take_model() {
    check_version();
    return std::move(model_);
  }

  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (part() == Part::ignored) return true;
    key_.assign(name, 0, kLongestKey + 1);
    if (part() == Part::node_extensions) model_.nodes.back().instanced |= key_ == "EXT_mesh_gpu_instancing";
    if (part() == Part::primitive_extensions) {
      model_.primitives.back().compressed |= key_ == "KHR_draco_mesh_compression";
    }
    if (part() == Part::view_extensions) model_.views.back().compressed |= key_ == "EXT_meshopt_compression";
    return true;
  }

  bool null() override { return ignore("null"); }
  bool boolean(bool value) override {
    if (part() != Part::accessor || key_ != "normalized") return ignore(value ? "true" : "false");
    model_.accessors.back().normalized = value;
    return true;
  }
  bool number_integer(number_integer_t value) override { return integer(value, static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return integer(static_cast<std::int64_t>(std::min<std::uint64_t>(value, kMost)), static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t& text) override {
    if (std::abs(value) < kExact && value == std::trunc(value)) return integer(static_cast<std::int64_t>(value), value);
    if (wants_integer()) wrong_type("a whole number", excerpt(text));
    return add_number(value) || ignore("a number");
  }
  bool string(string_t& value) override {
    if (part() == Part::asset && key_ == "version") {
      version_ = value.substr(0, kLongestKey);
    } else if (part() == Part::accessor && key_ == "type") {
      model_.accessors.back().type = value == "VEC3"     ? GltfType::vec3
                                     : value == "SCALAR" ? GltfType::scalar
                                                         : GltfType::other;
    } else if (part() == Part::buffer && key_ == "uri") {
      set_uri(value);
    } else {
      return ignore("a text");
    }
    return true;
  }
  bool binary(binary_t&) override { return true; }  // JSON has none

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    // "[json.exception...] parse error at line 1, column 2: what is wrong", or without the middle part
    std::string_view what = error.what();
    if (what.starts_with('[')) what.remove_prefix(std::min(what.find("] "), what.size() - 2) + 2);
    if (what.starts_with("parse error")) what.remove_prefix(std::min(what.find(": "), what.size() - 2) + 2);
    fail_at_byte(source_.name, offset_ + (position == 0 ? 0 : position - 1),
                 fmt::format("expected valid glTF 2.0, found: {}", one_line(what, 160)));
  }

 private:
  /// Longer ones are none that we know.
  static constexpr std::size_t kLongestKey = 64;
  /// Every whole number below is one as a double.
  static constexpr double kExact = 9007199254740992.0;

  [[nodiscard]] Part part() const { return parts_.empty() ? Part::document : parts_.back(); }

  bool open(bool is_array) {
    if (parts_.size() >= kMaxNesting) {
      fail(source_.name, fmt::format("expected JSON nested less than {} deep{}", kMaxNesting, place()));
    }
    const Rule* rule = rule_of_next();
    if (rule == nullptr && (is_list(part()) || wants_integer()))
      wrong_type("a number", is_array ? "a list" : "an object");
    if (rule != nullptr && rule->is_array != is_array) {
      wrong_type(rule->is_array ? "a list" : "an object", is_array ? "a list" : "an object");
    }
    parts_.push_back(rule == nullptr ? Part::ignored : rule->part);
    arrays_.push_back(is_array);
    if (rule != nullptr) begin(rule->part);
    return true;
  }

  bool close() {
    parts_.pop_back();
    arrays_.pop_back();
    return true;
  }

  /// A record for what has just been opened.
  void begin(Part opened) {
    const auto links = GltfRange{static_cast<std::uint32_t>(model_.links.size()), 0};
    const auto numbers = GltfRange{static_cast<std::uint32_t>(model_.numbers.size()), 0};
    switch (opened) {
      case Part::scene:
        return memory_.append(model_.scenes, links);
      case Part::roots:
        model_.scenes.back() = links;
        return;
      case Part::node:
        return memory_.append(model_.nodes, {});
      case Part::children:
        model_.nodes.back().children = links;
        return;
      case Part::matrix:
      case Part::translation:
      case Part::rotation:
      case Part::scale:
        *range_of(opened) = numbers;
        return;
      case Part::mesh:
        return memory_.append(model_.meshes, {static_cast<std::uint32_t>(model_.primitives.size()), 0});
      case Part::primitive:
        ++model_.meshes.back().count;
        return memory_.append(model_.primitives, {});
      case Part::accessor:
        return memory_.append(model_.accessors, {});
      case Part::sparse:
        model_.accessors.back().sparse = true;
        return;
      case Part::view:
        return memory_.append(model_.views, {});
      case Part::buffer:
        return memory_.append(model_.buffers, {});
      default:
        return;
    }
  }

  /// The range that the numbers of an array belong to.
  GltfRange* range_of(Part array) {
    if (model_.nodes.empty()) return nullptr;
    GltfNode& node = model_.nodes.back();
    return array == Part::matrix        ? &node.matrix
           : array == Part::translation ? &node.translation
           : array == Part::rotation    ? &node.rotation
           : array == Part::scale       ? &node.scale
                                        : nullptr;
  }

  bool integer(std::int64_t value, double as_double) {
    if (part() == Part::roots || part() == Part::children) {
      ++(part() == Part::roots ? model_.scenes.back() : model_.nodes.back().children).count;
      memory_.append(model_.links, value);
    } else if (std::int64_t* member = integer_member()) {
      *member = value;
    } else if (part() == Part::asset && key_ == "version") {
      version_ = fmt::format("{:.1f}", as_double);  // early files of 1.0 have a number
    } else if (!add_number(as_double)) {
      return ignore("a number");
    }
    return true;
  }

  bool add_number(double value) {
    GltfRange* range = range_of(part());
    if (range == nullptr) return false;
    ++range->count;
    memory_.append(model_.numbers, value);
    return true;
  }

  [[nodiscard]] bool wants_integer() {
    return part() == Part::roots || part() == Part::children || integer_member() != nullptr;
  }

  /// Where the whole number of the current key belongs; null when it is of no use here.
  std::int64_t* integer_member() {
    switch (part()) {
      case Part::root:
        return key_ == "scene" ? &model_.scene : nullptr;
      case Part::node:
        return key_ == "mesh" ? &model_.nodes.back().mesh : nullptr;
      case Part::primitive:
        return key_ == "indices" ? &model_.primitives.back().indices
               : key_ == "mode"  ? &model_.primitives.back().mode
                                 : nullptr;
      case Part::attributes:
        return key_ == "POSITION" ? &model_.primitives.back().position : nullptr;
      case Part::accessor:
        return key_ == "count" ? &model_.accessors.back().count : member_of(model_.accessors.back().values);
      case Part::sparse:
        return key_ == "count" ? &model_.accessors.back().sparse_count : nullptr;
      case Part::sparse_indices:
        return member_of(model_.accessors.back().sparse_indices);
      case Part::sparse_values:
        return member_of(model_.accessors.back().sparse_values);
      case Part::view:
        return member_of(model_.views.back());
      case Part::buffer:
        return key_ == "byteLength" ? &model_.buffers.back().length : nullptr;
      default:
        return nullptr;
    }
  }
  std::int64_t* member_of(GltfValues& values) const {
    return key_ == "bufferView"      ? &values.view
           : key_ == "byteOffset"    ? &values.offset
           : key_ == "componentType" ? &values.component
                                     : nullptr;
  }
  std::int64_t* member_of(GltfView& view) const {
    return key_ == "buffer"       ? &view.buffer
           : key_ == "byteOffset" ? &view.offset
           : key_ == "byteLength" ? &view.length
           : key_ == "byteStride" ? &view.stride
                                  : nullptr;
  }

  void set_uri(std::string& uri) {
    GltfBuffer& buffer = model_.buffers.back();
    if (!is_data_uri(uri)) {
      memory_.take(uri.size());
      buffer.uri = std::move(uri);
      return;
    }
    const MemoryLoan copies(memory_, uri.size(), 2);  // in the parser
    auto data = decode_data_uri(uri, memory_);
    if (!data) {
      fail(source_.name,
           fmt::format("expected a data URI of application/octet-stream in base64, found {}", excerpt(uri)));
    }
    buffer.own = std::move(*data);
    buffer.contents = buffer.own.bytes();
  }

  /// Of the value that comes next; null when there is none.
  [[nodiscard]] const Rule* rule_of_next() const {
    const bool is_element = parts_.empty() || arrays_.back();
    return find_rule(part(), is_element ? std::string_view() : std::string_view(key_));
  }

  /// A plain value, unless something else belongs in its place.
  bool ignore(std::string_view found) {
    if (const Rule* rule = rule_of_next()) wrong_type(rule->is_array ? "a list" : "an object", found);
    if (wants_integer() || is_list(part())) wrong_type("a number", found);
    return true;
  }

  [[noreturn]] void wrong_type(std::string_view expected, std::string_view found) {
    if (parts_.empty()) fail(source_.name, fmt::format("expected valid glTF 2.0, an object; found {}", found));
    // Where 2.0 has lists of entries, 1.0 has objects.
    const bool version_1 = parts_.size() == 1 && expected == "a list" && found == "an object";
    fail(source_.name, fmt::format("expected {}{}, found {}{}", expected, place(), found,
                                   version_1 ? "; this may be glTF 1.0: convert it to 2.0" : ""));
  }

  /// " as "mesh" of nodes 3".
  [[nodiscard]] std::string place() const {
    std::string out;
    if (!parts_.empty() && !arrays_.back()) out += fmt::format(" as {}", excerpt(key_));
    if (parts_.size() < 2) return out;
    const auto* section = std::ranges::find(kRules, parts_[1], &Rule::part);
    if (section == std::end(kRules) || section->part == Part::ignored) return out;
    const std::size_t sizes[] = {model_.scenes.size(),    model_.nodes.size(), model_.meshes.size(),
                                 model_.accessors.size(), model_.views.size(), model_.buffers.size()};
    constexpr Part kSections[] = {Part::scenes, Part::nodes, Part::meshes, Part::accessors, Part::views, Part::buffers};
    const auto* list = std::ranges::find(kSections, parts_[1]);
    out += fmt::format(" in {}", excerpt(section->key));
    if (list != std::end(kSections) && parts_.size() > 2) {
      out += fmt::format(" {}", sizes[list - std::begin(kSections)] - 1);
    }
    return out;
  }

  void check_version() const {
    if (version_.empty()) fail(source_.name, "expected valid glTF 2.0, found no \"version\" of its \"asset\"");
    if (version_ == "2" || version_.starts_with("2.")) return;
    fail(source_.name, fmt::format("expected glTF 2.0, found version {}; {}", excerpt(version_),
                                   version_.starts_with("1.") ? "convert it to 2.0" : "export it as glTF 2.0"));
  }

  const Source& source_;
  MemoryLimit& memory_;
  std::size_t offset_;  ///< of the text in the file
  GltfModel model_;
  std::vector<Part> parts_;   ///< from the root to where we are
  std::vector<bool> arrays_;  ///< which of them are arrays
  std::string key_;           ///< of the value that comes next, in an object
  std::string version_;
};

}  // namespace

GltfModel read_gltf_json(const Source& source, std::string_view text, std::size_t offset) {
  check_encoding(text, source.name);
  GltfHandler handler(source, offset);
  nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
  return handler.take_model();
}

}  // namespace lamella::io
