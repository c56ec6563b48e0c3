// The JSON of a glTF document, event by event: only what a mesh needs is kept, in compact records, so that memory stays
// a small multiple of the text's size whatever else is in it, and however deep.
#include "io/gltf_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "io/data_uri.hpp"
#include "io/gltf_parts.hpp"
#include "io/messages.hpp"
#include "io/text_cursor.hpp"

namespace lamella::io {
namespace {

constexpr std::size_t kMaxNesting = 128;

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
    if (part() == GltfPart::ignored) return true;
    key_.assign(name, 0, kLongestKey + 1);
    note_extension(model_, part(), key_);
    return true;
  }

  bool null() override { return ignore("null"); }
  bool boolean(bool value) override {
    if (part() != GltfPart::accessor || key_ != "normalized") return ignore(value ? "true" : "false");
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
    if (part() == GltfPart::asset && key_ == "version") {
      version_ = value.substr(0, kLongestKey);
    } else if (part() == GltfPart::accessor && key_ == "type") {
      model_.accessors.back().type = value == "VEC3"     ? GltfType::vec3
                                     : value == "SCALAR" ? GltfType::scalar
                                                         : GltfType::other;
    } else if (part() == GltfPart::buffer && key_ == "uri") {
      set_uri(value);
    } else if (GltfRange* range = text_of(model_, part(), key_)) {
      add_text(*range, value);
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
  static constexpr std::size_t kLongestName = 256;
  /// Every whole number below is one as a double.
  static constexpr double kExact = 9007199254740992.0;

  [[nodiscard]] GltfPart part() const { return parts_.empty() ? GltfPart::document : parts_.back(); }

  bool open(bool is_array) {
    if (parts_.size() >= kMaxNesting) {
      fail(source_.name, fmt::format("expected JSON nested less than {} deep{}", kMaxNesting, place()));
    }
    const GltfRule* rule = rule_of_next();
    if (rule == nullptr && (is_list(part()) || wants_integer()))
      wrong_type("a number", is_array ? "a list" : "an object");
    if (rule != nullptr && rule->is_array != is_array) {
      wrong_type(rule->is_array ? "a list" : "an object", is_array ? "a list" : "an object");
    }
    parts_.push_back(rule == nullptr ? GltfPart::ignored : rule->part);
    arrays_.push_back(is_array);
    if (rule != nullptr) begin_part(model_, memory_, rule->part);
    return true;
  }

  bool close() {
    parts_.pop_back();
    arrays_.pop_back();
    return true;
  }

  bool integer(std::int64_t value, double as_double) {
    if (GltfRange* links = links_of(model_, part())) {
      ++links->count;
      memory_.append(model_.links, value);
    } else if (std::int64_t* member = integer_of(model_, part(), key_)) {
      *member = value;
    } else if (part() == GltfPart::asset && key_ == "version") {
      version_ = fmt::format("{:.1f}", as_double);  // early files of 1.0 have a number
    } else if (!add_number(as_double)) {
      return ignore("a number");
    }
    return true;
  }

  bool add_number(double value) {
    GltfRange* range = numbers_of(model_, part());
    if (range == nullptr) return false;
    ++range->count;
    memory_.append(model_.numbers, value);
    return true;
  }

  /// Only its beginning, when it is long.
  void add_text(GltfRange& range, std::string_view text) {
    text = text.substr(0, kLongestName);
    const std::size_t begin = model_.texts.size();
    if (text.empty() || begin > std::numeric_limits<std::uint32_t>::max() - kLongestName) return;
    range = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(text.size())};
    memory_.resize(model_.texts, begin + text.size());
    std::ranges::copy(text, model_.texts.begin() + static_cast<std::ptrdiff_t>(begin));
  }

  [[nodiscard]] bool wants_integer() {
    return links_of(model_, part()) != nullptr || integer_of(model_, part(), key_) != nullptr;
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
  [[nodiscard]] const GltfRule* rule_of_next() const {
    const bool is_element = parts_.empty() || arrays_.back();
    return find_rule(part(), is_element ? std::string_view() : std::string_view(key_));
  }

  /// A plain value, unless something else belongs in its place.
  bool ignore(std::string_view found) {
    if (const GltfRule* rule = rule_of_next()) wrong_type(rule->is_array ? "a list" : "an object", found);
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

  /// " as "mesh" in "nodes" 3", as far as it is known.
  [[nodiscard]] std::string place() const {
    std::string out;
    if (!arrays_.empty() && !arrays_.back()) out += fmt::format(" as {}", excerpt(key_));
    if (parts_.size() < 2 || parts_[1] == GltfPart::ignored) return out;
    out += fmt::format(" in {}", excerpt(key_of(parts_[1])));
    const std::size_t entries = entries_of(model_, parts_[1]);
    return parts_.size() > 2 && entries > 0 ? out + fmt::format(" {}", entries - 1) : out;
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
  std::vector<GltfPart> parts_;  ///< from the root to where we are
  std::vector<bool> arrays_;     ///< which of them are arrays
  std::string key_;              ///< of the value that comes next, in an object
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
