#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "lamella/image_collide.hpp"

namespace lamella::bench {

/// Where both bodies of a pair are.
struct PosePair {
  Transform a, b;
};

/// A way to tell whether one body collides with itself elsewhere: surfaces, by their first pair of triangles.
class PairMethod {
 public:
  virtual ~PairMethod() = default;

  /// What decide() will be asked, in the form that the method wants: an application would have it so, and this is not
  /// timed.
  virtual void take(std::span<const PosePair> pairs) = 0;
  /// 1 where a pair collides, 0 where it does not; as many as were taken.
  virtual void decide(std::span<std::uint8_t> colliding) = 0;
  /// Memory of its bounding volumes.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Tests of bounding volumes since it was made, 0 where they are not counted.
  [[nodiscard]] virtual std::uint64_t volume_tests() const { return 0; }
  /// What its bounding volumes took to build, from the triangles or the image.
  [[nodiscard]] virtual double build_ms() const { return 0; }
};

/// The library's own search. The body must outlive the method, here and below.
[[nodiscard]] std::unique_ptr<PairMethod> make_image_method(const ImageBody& body);
/// The paper's: its zigzag, on SphereFit::published or SphereFit::published_enclosing.
[[nodiscard]] std::unique_ptr<PairMethod> make_published_method(const ImageBody& body, SphereFit fit);

/// The benchmark's own search through the same spheres, for section 5.2 of the paper: by index in the library's
/// pyramids, and as nodes that are allocated one by one, each with pointers to its four children. Both are one code.
[[nodiscard]] std::unique_ptr<PairMethod> make_index_method(const ImageBody& body);
[[nodiscard]] std::unique_ptr<PairMethod> make_pointer_method(const ImageBody& body);

/// A method of another library, which a program may add.
struct OtherMethod {
  std::string name;
  std::function<std::unique_ptr<PairMethod>(const ImageBody& body)> make;
  /// Tests convex hulls, as I-COLLIDE does: its verdicts are of the hulls, and differ where surfaces are not convex.
  bool convex = false;
};

}  // namespace lamella::bench
