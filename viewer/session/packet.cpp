#include "session/packet.hpp"

#include <array>
#include <limits>

#include "lamella/error.hpp"

namespace lamella::session {
namespace {

constexpr char kMagic[] = "LMP1";
constexpr std::size_t kHead = 16, kAlign = 8;
constexpr std::size_t kMostJson = std::size_t{1} << 26;
constexpr std::size_t kMostDepth = 64;     ///< of nested JSON: it is written by recursion
constexpr std::size_t kMostMembers = 256;  ///< of one object: looking one up takes a walk over all

constexpr std::array<std::string_view, 5> kTypeNames{"f32", "f64", "u32", "u16", "u8"};
constexpr std::array<std::size_t, 5> kTypeSizes{4, 8, 4, 2, 1};

template <class T>
T read_at(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void put(Bytes& out, T value) {
  const auto raw = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), raw.begin(), raw.end());
}

std::size_t padded(std::size_t size) { return (size + kAlign - 1) / kAlign * kAlign; }

/// Takes the next `size` bytes, and zeros up to a multiple of 8; the end may lack those.
std::span<const std::byte> take(std::span<const std::byte>& rest, std::uint64_t size) {
  if (size > rest.size()) throw Error("the packet is cut off: it says that it is longer than it is");
  const auto taken = rest.first(static_cast<std::size_t>(size));
  rest = rest.subspan(std::min(padded(taken.size()), rest.size()));
  return taken;
}

/// Looks at JSON before it is read, and stops where it is nested too deeply or has too many members. nlohmann's own
/// callback would do both at once, but takes a time that grows with the square of a list of objects.
class Limits : public Json::json_sax_t {
 public:
  bool null() override { return inside(); }
  bool boolean(bool) override { return inside(); }
  bool number_integer(number_integer_t) override { return inside(); }
  bool number_unsigned(number_unsigned_t) override { return inside(); }
  bool number_float(number_float_t, const string_t&) override { return inside(); }
  bool string(string_t&) override { return inside(); }
  bool binary(binary_t&) override { return inside(); }
  bool start_object(std::size_t) override { return begin(); }
  bool key(string_t&) override {
    if (++members_.back() > kMostMembers) throw Error("the packet's JSON has an object with too many members");
    return inside();
  }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  [[nodiscard]] bool inside() const {
    if (members_.size() > kMostDepth) throw Error("the packet's JSON is nested too deeply");
    return true;
  }
  bool begin() {
    (void)inside();
    members_.push_back(0);
    return true;
  }
  bool end() {
    members_.pop_back();
    return true;
  }

  std::vector<std::size_t> members_;  ///< of each object, and list, that is not over yet
};

Json read_json(std::span<const std::byte> bytes) {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  Limits limits;
  if (!Json::sax_parse(text, text + bytes.size(), &limits)) throw Error("the packet's JSON cannot be read");
  Json json = Json::parse(text, text + bytes.size(), nullptr, false);
  if (!json.is_object()) throw Error("the packet's JSON is no object");
  return json;
}

}  // namespace

std::string_view name_of(NumberType type) { return kTypeNames[static_cast<std::size_t>(type)]; }
std::size_t size_of(NumberType type) { return kTypeSizes[static_cast<std::size_t>(type)]; }

Packet read_packet(std::span<const std::byte> bytes) {
  if (bytes.size() < kHead || std::memcmp(bytes.data(), kMagic, 4) != 0)
    throw Error("this is no packet: it does not begin with LMP1");
  const auto json_size = read_at<std::uint32_t>(bytes, 4), count = read_at<std::uint32_t>(bytes, 8);
  std::span<const std::byte> rest = bytes.subspan(kHead);
  if (json_size > kMostJson) throw Error("the packet's JSON is longer than 64 MiB");
  const auto sizes = take(rest, std::uint64_t{count} * sizeof(std::uint64_t));
  Packet packet;
  const auto json = take(rest, json_size);
  packet.arrays.reserve(count);
  for (std::size_t i = 0; i < count; ++i) packet.arrays.push_back(take(rest, read_at<std::uint64_t>(sizes, i * 8)));
  packet.json = read_json(json);
  return packet;
}

bool is_array(const Json& value) { return value.is_object() && value.contains("array"); }

ArrayOf find_array(const Packet& packet, const Json& value, std::string_view what) {
  const auto fail = [&](const char* why) { throw Error("'" + std::string(what) + "' " + why); };
  if (!is_array(value)) fail("is no array of the packet");
  const Json &number = value["array"], type = value.value("type", Json()), count = value.value("count", Json());
  const auto counts = [](const Json& n) { return n.is_number_integer() && (n.is_number_unsigned() || n >= 0); };
  if (!counts(number) || number.get<std::uint64_t>() >= packet.arrays.size())
    fail("names an array that the packet does not have");
  if (!counts(count) || count.get<std::uint64_t>() > std::numeric_limits<std::size_t>::max() / 8)
    fail("does not say how many numbers it has");
  ArrayOf out{.count = count.get<std::size_t>(), .bytes = packet.arrays[number.get<std::size_t>()]};
  for (std::size_t i = 0; i < kTypeNames.size(); ++i) {
    if (!type.is_string() || type.get_ref<const std::string&>() != kTypeNames[i]) continue;
    out.type = static_cast<NumberType>(i);
    return out;
  }
  fail("does not say which numbers it has: f32, f64, u32, u16 or u8");
  return out;
}

Bytes copy_array(const Packet& packet, const Json& value, NumberType type, std::size_t element, std::string_view what) {
  const ArrayOf array = find_array(packet, value, what);
  if (array.type != type)
    throw Error("'" + std::string(what) + "' has numbers of type " + std::string(name_of(array.type)) + " instead of " +
                std::string(name_of(type)));
  if (array.count * size_of(type) != array.bytes.size() || array.bytes.size() % element != 0)
    throw Error("'" + std::string(what) + "' has another size than it says, or no whole number of elements");
  return {array.bytes.begin(), array.bytes.end()};
}

Json PacketWriter::add_bytes(std::span<const std::byte> bytes, NumberType type, std::shared_ptr<const void> owner) {
  arrays_.push_back({bytes, std::move(owner)});
  return {{"array", arrays_.size() - 1}, {"type", name_of(type)}, {"count", bytes.size() / size_of(type)}};
}

void PacketWriter::add_coded(Bytes bytes, Json& value) {
  const auto kept = std::make_shared<Bytes>(std::move(bytes));
  value["array"] = arrays_.size();
  arrays_.push_back({*kept, kept});
}

void PacketWriter::finish(const Json& json, Bytes& out) const {
  const std::string text = answer::to_line(json);
  if (text.size() > kMostJson) throw Error("the answer's JSON would be longer than 64 MiB: ask for less at a time");
  std::size_t size = kHead + arrays_.size() * 8 + padded(text.size());
  for (const Entry& array : arrays_) size += padded(array.bytes.size());
  out.clear();
  out.reserve(size);
  const auto append = [&](std::span<const std::byte> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
    out.resize(padded(out.size()));
  };
  const auto magic = std::as_bytes(std::span(kMagic, 4));
  out.insert(out.end(), magic.begin(), magic.end());
  put(out, static_cast<std::uint32_t>(text.size()));
  put(out, static_cast<std::uint32_t>(arrays_.size()));
  put(out, std::uint32_t{0});
  for (const Entry& array : arrays_) put(out, std::uint64_t{array.bytes.size()});
  append(std::as_bytes(std::span(text)));
  for (const Entry& array : arrays_) append(array.bytes);
}

}  // namespace lamella::session
