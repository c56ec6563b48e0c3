#include "lamella/compact_image.hpp"

#include <fmt/format.h>

#include <cmath>

#include "geometry_image/image_codes.hpp"
#include "lamella/error.hpp"

namespace lamella {

CompactImage compacted(const GeometryImage& image) {
  check(image);
  CompactImage out{.n = image.n, .box = {}, .positions = {}, .normals = {}};
  for (const Vec3 p : image.positions) out.box = extend(out.box, p);
  const io::BoxCodes codes(out.box);
  out.positions.resize(3 * image.positions.size());
  for (std::size_t i = 0; i < image.positions.size(); ++i) codes.encode(image.positions[i], &out.positions[3 * i]);
  out.normals.resize(3 * image.normals.size());
  for (std::size_t i = 0; i < image.normals.size(); ++i) io::encode_normal(image.normals[i], &out.normals[3 * i]);
  return out;
}

GeometryImage expanded(const CompactImage& image) {
  check(image);
  const io::BoxCodes codes(image.box);
  GeometryImage out{.n = image.n, .positions = {}, .normals = {}};
  out.positions.resize(image.positions.size() / 3);
  for (std::size_t i = 0; i < out.positions.size(); ++i) out.positions[i] = codes.decode(&image.positions[3 * i]);
  out.normals.resize(image.normals.size() / 3);
  for (std::size_t i = 0; i < out.normals.size(); ++i) out.normals[i] = io::decode_normal(&image.normals[3 * i]);
  return out;
}

void check(const CompactImage& image) {
  if (image.n < kMinImageLevels || image.n > kMaxImageLevels)
    throw Error(
        fmt::format("compact image: n is {}; it must be from {} to {}", image.n, kMinImageLevels, kMaxImageLevels));
  const std::size_t codes = std::size_t{3} * image.side() * image.side();
  if (image.positions.size() != codes || (!image.normals.empty() && image.normals.size() != codes))
    throw Error(fmt::format(
        "compact image: {} codes of positions and {} of normals for n = {}; there must be 3 x {} x {} = {} of each, or "
        "no normals",
        image.positions.size(), image.normals.size(), image.n, image.side(), image.side(), codes));
  for (int k = 0; k < 3; ++k) {
    const float low = image.box.min[k], high = image.box.max[k];
    if (!(low <= high && std::abs(low) <= kMaxImageCoordinate && std::abs(high) <= kMaxImageCoordinate))
      throw Error(
          fmt::format("compact image: its box goes from {} to {} on axis {}; it must be finite, within {:g}, and not "
                      "inverted",
                      low, high, "xyz"[k], kMaxImageCoordinate));
  }
}

}  // namespace lamella
