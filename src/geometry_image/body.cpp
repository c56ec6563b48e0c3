#include "lamella/image_collide.hpp"

namespace lamella {

ImageBody make_body(std::vector<GeometryImage> images, SphereFit fit) {
  for (const GeometryImage& image : images) check(image);
  ImageBody body{.images = std::move(images), .pyramids = {}};
  for (const GeometryImage& image : body.images) body.pyramids.emplace_back(image, fit);
  return body;
}

void refit(ImageBody& body, unsigned threads) {
  body.pyramids.resize(body.images.size());
  for (std::size_t i = 0; i < body.images.size(); ++i)
    body.pyramids[i].build(body.images[i].n, body.images[i].positions, threads);
}

}  // namespace lamella
