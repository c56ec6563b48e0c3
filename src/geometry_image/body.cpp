#include <algorithm>

#include "geometry_image/search.hpp"
#include "lamella/error.hpp"
#include "lamella/image_collide.hpp"

namespace lamella {
namespace gi {
namespace {

/// Calls use(body) with the body itself.
template <class Use>
auto visit(BodyRef body, const Use& use) {
  return body.floats() != nullptr ? use(*body.floats()) : use(*body.codes());
}

std::size_t position_count(const GeometryImage& image) { return image.positions.size(); }
std::size_t position_count(const CompactImage& image) { return image.positions.size() / 3; }

template <class Body>
bool sizes_fit(const Body& body) {
  if (body.pyramids.size() != body.images.size()) return false;
  for (std::size_t i = 0; i < body.images.size(); ++i) {
    const auto& image = body.images[i];
    if (image.n < kMinImageLevels || body.pyramids[i].n() != image.n ||
        position_count(image) != std::size_t{image.side()} * image.side())
      return false;
  }
  return true;
}

}  // namespace

std::size_t size_of(BodyRef body) {
  return visit(body, [](const auto& b) { return b.images.size(); });
}

Sphere root_of(BodyRef body, std::size_t image) {
  return visit(body, [&](const auto& b) -> Sphere { return b.pyramids[image].root(); });
}

Side side_of(BodyRef body, std::size_t image, int max_level) {
  return visit(body, [&](const auto& b) { return Side(b.images[image], b.pyramids[image], max_level); });
}

bool encloses(BodyRef body) {
  return visit(body, [](const auto& b) {
    return std::all_of(b.pyramids.begin(), b.pyramids.end(), [](const auto& p) { return p.open_quad_count() == 0; });
  });
}

void check_sizes(BodyRef body) {
  if (!visit(body, [](const auto& b) { return sizes_fit(b); }))
    throw Error("a body's pyramids do not have the size of its images: call refit() after changing an image's size");
}

}  // namespace gi

ImageBody make_body(std::vector<GeometryImage> images, SphereFit fit) {
  for (const GeometryImage& image : images) check(image);
  ImageBody body{.images = std::move(images), .pyramids = {}};
  for (const GeometryImage& image : body.images) body.pyramids.emplace_back(image, fit);
  return body;
}

CompactBody make_body(std::vector<CompactImage> images, SphereFit fit, unsigned threads) {
  for (const CompactImage& image : images) check(image);
  CompactBody body{.images = std::move(images), .pyramids = {}};
  for (const CompactImage& image : body.images) body.pyramids.emplace_back().build(image, fit, threads);
  return body;
}

void refit(ImageBody& body, unsigned threads) {
  body.pyramids.resize(body.images.size());
  for (std::size_t i = 0; i < body.images.size(); ++i)
    body.pyramids[i].build(body.images[i].n, body.images[i].positions, threads);
}

}  // namespace lamella
