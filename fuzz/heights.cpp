// Any bytes as a greyscale TIFF picture of heights.

#include "lamella/heights.hpp"

#include <cmath>

#include "reading.hpp"

namespace lamella::fuzz {
namespace {

constexpr std::string_view kName = "a.tiff";
/// A picture this large takes long; small files make them when they are compressed.
constexpr std::size_t kMaxTerrain = 1 << 16;

void run(std::span<const std::byte> bytes) {
  // Two bytes of a picture become eight: what the file's bytes can hold at most, packed, is about 4096 times as much.
  const std::uint64_t limit = (4096 + 2 * 4096) * std::uint64_t{4} * bytes.size() + (4 << 20);
  const auto read = [&] {
    return outcome_within(limit, bytes.size(), kName, [&] { return read_tiff_heights(bytes, kName); });
  };
  const Outcome<Heights> heights = read();
  if (!heights.result) return;
  const Heights& found = *heights.result;
  require(found.width >= 2 && found.height >= 2, "there are two points on either side at least");
  require(found.values.size() == std::size_t{found.width} * found.height, "there is a value for every point");
  require(found.most == 255 || found.most == 65535, "white is that of 8 or 16 bits");
  require(std::ranges::all_of(found.values, [&](float v) { return v >= 0 && v <= found.most; }),
          "heights go from black to white");
  if (found.values.size() > kMaxTerrain) return;

  const Outcome<Heights> again = read();
  require(again.result && again.result->values == found.values, "reading again gives the same");
  const int n = 1 + static_cast<int>(hash_of(bytes) % 4);
  const GeometryImage image = image_of_terrain(found, n, {2, 3, 1});
  require(image.n == n && image.positions.size() == std::size_t{image.side()} * image.side(), "the terrain is of n");
  for (const Vec3 p : image.positions) {
    require(p.x >= 0 && p.x <= 2 && p.y >= 0 && p.y <= 3 && p.z >= 0 && p.z <= 1, "the terrain is in its box");
  }
  const double error = resampling_error(found, n);
  require(error >= 0 && error <= found.most, "the error of a terrain is one of heights");
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lamella::fuzz::run(lamella::fuzz::bytes_of(data, size));
  return 0;
}
