#include "session/coding.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "lamella/error.hpp"

namespace lamella::session {
namespace {

constexpr std::size_t kStride = 3;  ///< coordinates of a vertex, corners of a triangle
constexpr double kSteps = 65535;

/// Differences of either sign as small numbers: 0, -1, 1, -2, 2 …
template <class U>
U zigzag(U d) {
  using S = std::make_signed_t<U>;
  return static_cast<U>(static_cast<U>(d << 1) ^ static_cast<U>(static_cast<S>(d) >> (8 * sizeof(U) - 1)));
}
template <class U>
U unzigzag(U z) {
  return static_cast<U>(static_cast<U>(z >> 1) ^ static_cast<U>(U{0} - static_cast<U>(z & 1)));
}

/// Each number less the third before it, then the lowest bytes of all, the second bytes of all, and so on.
template <class U>
Bytes to_planes(std::span<const U> numbers) {
  const std::size_t n = numbers.size();
  Bytes out(n * sizeof(U));
  for (std::size_t i = 0; i < n; ++i) {
    const U before = i < kStride ? U{0} : numbers[i - kStride];
    const U z = zigzag(static_cast<U>(numbers[i] - before));
    for (std::size_t k = 0; k < sizeof(U); ++k) out[k * n + i] = static_cast<std::byte>(z >> (8 * k));
  }
  return out;
}

template <class U>
std::vector<U> from_planes(std::span<const std::byte> bytes) {
  const std::size_t n = bytes.size() / sizeof(U);
  std::vector<U> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    U z = 0;
    for (std::size_t k = 0; k < sizeof(U); ++k)
      z = static_cast<U>(z | static_cast<U>(static_cast<U>(bytes[k * n + i]) << (8 * k)));
    numbers[i] = static_cast<U>(unzigzag(z) + (i < kStride ? U{0} : numbers[i - kStride]));
  }
  return numbers;
}

template <class T>
std::vector<T> copied(std::span<const std::byte> bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

template <class T>
Bytes bytes_of(const std::vector<T>& numbers) {
  const auto bytes = std::as_bytes(std::span(numbers));
  return {bytes.begin(), bytes.end()};
}

struct Range {
  double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
};

/// Of floats in threes; false when one is not finite, or there are none.
bool find_range(std::span<const float> numbers, Range& range) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) return false;
    range.min[i % kStride] = std::min(range.min[i % kStride], double{numbers[i]});
    range.max[i % kStride] = std::max(range.max[i % kStride], double{numbers[i]});
  }
  return !numbers.empty();
}

Bytes to_steps(std::span<const float> numbers, const Range& range) {
  std::vector<std::uint16_t> steps(numbers.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double low = range.min[i % kStride], size = range.max[i % kStride] - low;
    steps[i] = static_cast<std::uint16_t>(size > 0 ? std::lround((numbers[i] - low) / size * kSteps) : 0);
  }
  return to_planes<std::uint16_t>(steps);
}

std::vector<float> from_steps(std::span<const std::byte> bytes, const Range& range) {
  const std::vector<std::uint16_t> steps = from_planes<std::uint16_t>(bytes);
  std::vector<float> numbers(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double low = range.min[i % kStride], size = range.max[i % kStride] - low;
    numbers[i] = static_cast<float>(low + steps[i] * size / kSteps);
  }
  return numbers;
}

Range read_range(const Json& value, std::string_view what) {
  Range range;
  const Json box = value.value("box", Json());
  const bool has = box.is_array() && box.size() == 6 &&
                   std::all_of(box.begin(), box.end(), [](const Json& n) { return n.is_number(); });
  if (!has) throw Error("'" + std::string(what) + "' has no box of six numbers to take its steps of");
  for (std::size_t k = 0; k < kStride; ++k) {
    range.min[k] = box[k].get<double>();
    range.max[k] = box[k + kStride].get<double>();
    constexpr double kMost = 3e38;
    if (!(std::abs(range.min[k]) <= kMost && std::abs(range.max[k]) <= kMost))
      throw Error("'" + std::string(what) + "' has a box beyond the range of floats");
  }
  return range;
}

}  // namespace

Json add_coded(PacketWriter& writer, std::span<const std::byte> bytes, NumberType type, Loss loss) {
  Json out{{"array", 0}, {"type", name_of(type)}, {"count", bytes.size() / size_of(type)}};
  const bool threes = bytes.size() / size_of(type) % kStride == 0;
  if (threes && type == NumberType::f32) {
    if (Range range; loss == Loss::steps && find_range(copied<float>(bytes), range)) {
      out["coding"] = "steps";
      out["box"] = {range.min[0], range.min[1], range.min[2], range.max[0], range.max[1], range.max[2]};
      writer.add_coded(to_steps(copied<float>(bytes), range), out);
      return out;
    }
    out["coding"] = "floats";
    writer.add_coded(to_planes<std::uint32_t>(copied<std::uint32_t>(bytes)), out);
  } else if (threes && type == NumberType::u32) {
    out["coding"] = "corners";
    writer.add_coded(to_planes<std::uint32_t>(copied<std::uint32_t>(bytes)), out);
  } else {
    writer.add_coded({bytes.begin(), bytes.end()}, out);
  }
  return out;
}

Numbers decode(const Packet& packet, const Json& value, std::string_view what) {
  const ArrayOf array = find_array(packet, value, what);
  const std::string coding = value.contains("coding") && value["coding"].is_string() ? value["coding"] : Json("");
  const bool steps = coding == "steps", planes = coding == "floats" || coding == "corners";
  const std::size_t size = steps ? sizeof(std::uint16_t) : size_of(array.type);
  const bool fits = planes ? size == sizeof(std::uint32_t) : !steps || array.type == NumberType::f32;
  if (!fits || array.count * size != array.bytes.size())
    throw Error("'" + std::string(what) + "' has another size or type than its coding needs");
  if (steps) return {array.type, bytes_of(from_steps(array.bytes, read_range(value, what)))};
  if (planes) return {array.type, bytes_of(from_planes<std::uint32_t>(array.bytes))};
  if (!coding.empty()) throw Error("'" + std::string(what) + "' has a coding that is not known here: a newer file?");
  return {array.type, {array.bytes.begin(), array.bytes.end()}};
}

Bytes decode_as(const Packet& packet, const Json& value, NumberType type, std::size_t element, std::string_view what) {
  Numbers numbers = decode(packet, value, what);
  if (numbers.type != type || numbers.bytes.size() % element != 0)
    throw Error("'" + std::string(what) + "' has numbers of another type, or no whole number of elements");
  return std::move(numbers.bytes);
}

}  // namespace lamella::session
