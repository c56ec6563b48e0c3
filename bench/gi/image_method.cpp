// The library's search as a method, by its own spheres and walk or by those of the paper.

#include "bench/gi/methods.hpp"
#include "bench/measure.hpp"

namespace lamella::bench {
namespace {

class ImageMethod final : public PairMethod {
 public:
  ImageMethod(const ImageBody& body, SphereFit fit, ImageWalk walk) : body_{body.images, {}}, walk_(walk) {
    for (GeometryImage& image : body_.images) image.normals.clear();
    body_.pyramids.resize(body_.images.size());
    const CpuStopwatch watch;
    for (std::size_t i = 0; i < body_.images.size(); ++i)
      body_.pyramids[i].build(body_.images[i].n, body_.images[i].positions, 1, fit);
    build_ms_ = watch.ms();
  }

  void take(std::span<const PosePair> pairs) override { pairs_ = pairs; }
  void decide(std::span<std::uint8_t> colliding) override {
    const ImageCollideOptions options{.walk = walk_};
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const ImageCollision& found = collider_.collide(body_, pairs_[i].a, body_, pairs_[i].b, options);
      colliding[i] = found.colliding() ? 1 : 0;
      tests_ += found.sphere_test_count;
    }
  }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t bytes = 0;
    for (const SpherePyramid& pyramid : body_.pyramids) bytes += pyramid.pixels().size_bytes();
    return bytes;
  }
  [[nodiscard]] std::uint64_t volume_tests() const override { return tests_; }
  [[nodiscard]] double build_ms() const override { return build_ms_; }

 private:
  ImageBody body_;
  ImageWalk walk_;
  ImageCollider collider_;
  std::span<const PosePair> pairs_;
  std::uint64_t tests_ = 0;
  double build_ms_ = 0;
};

}  // namespace

std::unique_ptr<PairMethod> make_image_method(const ImageBody& body) {
  return std::make_unique<ImageMethod>(body, SphereFit::tight, ImageWalk::guided);
}
std::unique_ptr<PairMethod> make_published_method(const ImageBody& body, SphereFit fit) {
  return std::make_unique<ImageMethod>(body, fit, ImageWalk::zigzag);
}

}  // namespace lamella::bench
