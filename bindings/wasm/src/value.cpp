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
    throw Error("a request is not well formed");
  }

 private:
  template <class T>
  T raw() {
    if (bytes_.size() < sizeof(T)) throw Error("a request is not well formed");
    T x;
    std::memcpy(&x, bytes_.data(), sizeof x);
    bytes_ = bytes_.subspan(sizeof x);
    return x;
  }
  std::string_view text() {
    const auto size = raw<std::uint32_t>();
    if (bytes_.size() < size) throw Error("a request is not well formed");
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

const Value& Value::operator[](std::string_view name) const {
  static const Value none;
  const auto* record = get<Record>();
  if (record == nullptr) return none;
  for (const auto& [key, value] : *record)
    if (key == name) return value;
  return none;
}

Value decode(std::span<const std::byte> bytes) { return Decoder(bytes).value(); }

}  // namespace lamella::wasm
