#include "cli/scene/located_json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

std::string read_text(const std::filesystem::path& path, const LocatedLimits& limits) {
  const std::uint64_t max_bytes = std::min<std::uint64_t>(limits.max_bytes, UINT32_MAX);
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) throw Error(fmt::format("{}: there is no such file", path.string()));
  if (!std::filesystem::is_regular_file(status)) throw Error(fmt::format("{}: is no file", path.string()));
  const std::uint64_t size = std::filesystem::file_size(path, failure);
  if (!failure && size > max_bytes) {
    throw Error(fmt::format("{}: has {} bytes; {} is the most for a {}: {}", path.string(), size, max_bytes,
                            limits.name, limits.remedy));
  }
  std::string text(failure ? 0 : size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (failure || !file) throw Error(fmt::format("{}: cannot be read; may you read it?", path.string()));
  return text;
}

/// What the parser says, without its prefix and place.
std::string plain_words(const std::string& what) {
  const std::size_t column = what.find("column ");
  const std::size_t start = column == std::string::npos ? what.find("] ") : what.find(": ", column);
  return start == std::string::npos ? what : what.substr(start + 2);
}

/// Takes the grammar's word for everything, and keeps the first complaint.
struct Checker : nlohmann::json_sax<nlohmann::json> {
  std::size_t byte = 0;
  std::string complaint;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    byte = position;
    complaint = plain_words(error.what());
    return false;
  }
};

LocatedValue::Kind kind_of(char first) {
  switch (first) {
    case '{':
      return LocatedValue::Kind::object;
    case '[':
      return LocatedValue::Kind::array;
    case '"':
      return LocatedValue::Kind::string;
    case 't':
    case 'f':
      return LocatedValue::Kind::boolean;
    case 'n':
      return LocatedValue::Kind::null;
    default:
      return LocatedValue::Kind::number;
  }
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// One past the closing quote of the string that begins at `at`, or the text's end.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

}  // namespace

LocatedJson::LocatedJson(const std::filesystem::path& path, const LocatedLimits& limits)
    : path_(path), text_(read_text(path, limits)) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);  // a byte order mark, as some editors leave it
  check_depth(limits.name);
  Checker checker;
  if (!nlohmann::json::sax_parse(text_, &checker)) {
    fail_at(checker.byte == 0 ? 0 : checker.byte - 1, "is no JSON: " + checker.complaint);
  }
  std::size_t at = 0;
  root_ = locate(at);
}

void LocatedJson::check_depth(const std::string& name) const {
  unsigned depth = 0;
  for (std::size_t at = 0; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == '"') at = end_of_string(text_, at) - 1;
    if (c == ']' || c == '}') depth -= depth > 0 ? 1 : 0;
    if ((c == '[' || c == '{') && ++depth > kMaxDepth) {
      fail_at(at, fmt::format("is nested deeper than {} brackets; no {} is", kMaxDepth, name));
    }
  }
}

void LocatedJson::skip_blanks(std::size_t& at) const {
  while (at < text_.size() && is_blank(text_[at])) ++at;
}

/// The text is known to be JSON: brackets match, and what stands between values is blanks, commas and colons.
LocatedValue LocatedJson::locate(std::size_t& at) const {
  skip_blanks(at);
  LocatedValue value{kind_of(text_[at]), static_cast<std::uint32_t>(at), 0, {}};
  if (value.kind == Kind::array || value.kind == Kind::object) {
    const char close = value.kind == Kind::array ? ']' : '}';
    for (++at, skip_blanks(at); text_[at] != close; skip_blanks(at)) {
      value.items.push_back(locate(at));
      skip_blanks(at);
      if (text_[at] == ',' || text_[at] == ':') ++at;
    }
    ++at;
    if (value.kind == Kind::object) check_keys(value);
  } else if (value.kind == Kind::string) {
    at = end_of_string(text_, at);
  } else {
    while (at < text_.size() && !is_blank(text_[at]) &&
           std::string_view(",]}").find(text_[at]) == std::string_view::npos)
      ++at;
  }
  value.end = static_cast<std::uint32_t>(at);
  return value;
}

void LocatedJson::check_keys(const LocatedValue& object) const {
  std::vector<std::pair<std::string_view, std::size_t>> keys;
  std::deque<std::string> decoded;  // few keys have escapes
  keys.reserve(object.items.size() / 2);
  for (std::size_t i = 0; i < object.items.size(); i += 2) {
    const LocatedValue& key = object.items[i];
    keys.emplace_back(is_plain(key) ? between_quotes(key) : decoded.emplace_back(text(key)), i);
  }
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end(), [](auto& a, auto& b) { return a.first == b.first; });
  if (twice == keys.end()) return;
  fail(object.items[(twice + 1)->second], fmt::format("\"{}\" is there twice; keep one", twice->first));
}

const LocatedValue* LocatedJson::find(const LocatedValue& object, std::string_view key) const {
  for (std::size_t i = 0; i < object.items.size(); i += 2) {
    if (is_text(object.items[i], key)) return &object.items[i + 1];
  }
  return nullptr;
}

std::string_view LocatedJson::between_quotes(const LocatedValue& value) const {
  return std::string_view(text_).substr(value.begin + 1, value.end - value.begin - 2);
}

bool LocatedJson::is_plain(const LocatedValue& value) const {
  return between_quotes(value).find('\\') == std::string_view::npos;
}

bool LocatedJson::is_text(const LocatedValue& value, std::string_view wanted) const {
  return is_plain(value) ? between_quotes(value) == wanted : text(value) == wanted;
}

std::string LocatedJson::text(const LocatedValue& value) const {
  if (is_plain(value)) return std::string(between_quotes(value));
  const std::string_view quoted = std::string_view(text_).substr(value.begin, value.end - value.begin);
  return nlohmann::json::parse(quoted).get<std::string>();
}

double LocatedJson::number(const LocatedValue& value) const {
  double result = 0;
  std::from_chars(text_.data() + value.begin, text_.data() + value.end, result);
  return result;  // the grammar allows neither NaN nor infinity, and the check refused what is too large
}

std::string_view LocatedJson::name_of(Kind kind) {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "true or false";
    case Kind::number:
      return "a number";
    case Kind::string:
      return "a text";
    case Kind::array:
      return "a list";
    default:
      return "an object";
  }
}

void LocatedJson::fail(const LocatedValue& at, const std::string& message) const { fail_at(at.begin, message); }

void LocatedJson::fail_at(std::size_t byte, const std::string& message) const {
  const std::string_view before = std::string_view(text_).substr(0, std::min(byte, text_.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0: the first line
  // Spelt out here, not only when it is shown: a NUL would end the message.
  throw Error(fmt::format("{}:{}:{}: {}", path_.string(), line, column, printable(message)));
}

}  // namespace lamella::cli
