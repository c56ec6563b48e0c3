#include "value.hpp"

namespace lamella::wasm {
namespace {

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes) : bytes_(bytes) {}

  Value value() {
    switch (raw<std::uint8_t>()) {
      case 0:
        return {};
      case 1:
        return Value(false);
      case 2:
        return Value(true);
      case 3:
        return Value(raw<double>());
      case 4:
        return Value(text());
      case 5:
        return list();
      case 6:
        return record();
      case 7:
        return array();
    }
    fail();
  }

 private:
  [[noreturn]] static void fail() { throw Error("a request is not well formed"); }
  template <class T>
  T raw() {
    if (bytes_.size() < sizeof(T)) fail();
    T x;
    std::memcpy(&x, bytes_.data(), sizeof x);
    bytes_ = bytes_.subspan(sizeof x);
    return x;
  }
  std::string_view text() {
    const auto size = raw<std::uint32_t>();
    if (bytes_.size() < size) fail();
    const std::string_view x(reinterpret_cast<const char*>(bytes_.data()), size);
    bytes_ = bytes_.subspan(size);
    return x;
  }
  Value list() {
    Value::List out(raw<std::uint32_t>());
    for (Value& v : out) v = value();
    return Value(std::move(out));
  }
  Value record() {
    Value::Record out(raw<std::uint32_t>());
    for (auto& [name, v] : out) {
      name = text();
      v = value();
    }
    return Value(std::move(out));
  }
  Value array() {
    const auto kind = static_cast<Kind>(raw<std::uint8_t>());
    const auto address = raw<std::uint32_t>();
    return Value(Array{kind, address, raw<std::uint32_t>()});
  }

  std::span<const std::byte> bytes_;
};

}  // namespace

void Array::check(const char* name, Kind expected, std::size_t numbers) const {
  if (kind != expected) throw Error(std::string(name) + ": a typed array of another type was expected");
  if (count % numbers != 0) throw Error(std::string(name) + ": three numbers for each item were expected");
}

const Value& Value::operator[](std::string_view name) const {
  static const Value none;
  const auto* record = get<Record>();
  if (record == nullptr) return none;
  for (const auto& [key, value] : *record)
    if (key == name) return value;
  return none;
}

Value decode(std::span<const std::byte> bytes) { return Decoder(bytes).value(); }

void Writer::append(const void* data, std::size_t size) {
  const std::size_t at = bytes_.size();
  bytes_.resize(at + size);
  if (size != 0) std::memcpy(&bytes_[at], data, size);
}
void Writer::count(std::size_t x) {
  const auto n = static_cast<std::uint32_t>(x);
  append(&n, sizeof n);
}
void Writer::number(double x) {
  tag(3);
  append(&x, sizeof x);
}
void Writer::text(std::string_view x) {
  tag(4);
  name(x);
}
void Writer::name(std::string_view x) {
  count(x.size());
  append(x.data(), x.size());
}
void Writer::array(Kind kind, const void* data, std::size_t size) {
  tag(7);
  tag(static_cast<std::uint8_t>(kind));
  count(reinterpret_cast<std::uintptr_t>(data));
  count(size);
}
void Writer::list(std::size_t size) {
  tag(5);
  count(size);
}
std::size_t Writer::begin_record() {
  tag(6);
  count(0);
  return bytes_.size() - sizeof(std::uint32_t);
}

}  // namespace lamella::wasm
