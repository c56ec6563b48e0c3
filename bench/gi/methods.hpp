#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lamella/image_collide.hpp"

namespace lamella::cli {

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
};

/// The library's own search. The body must outlive the method, here and below.
[[nodiscard]] std::unique_ptr<PairMethod> make_image_method(const ImageBody& body);

/// The same spheres as nodes that are allocated one by one, each with pointers to its four children, searched in the
/// same order by the same vector code down to the same test of quads: section 5.2 of the paper.
[[nodiscard]] std::unique_ptr<PairMethod> make_tree_method(const ImageBody& body);

/// Why there are no methods of FCL; empty where there are.
[[nodiscard]] std::string fcl_unavailable();
/// FCL's trees of boxes over the same triangles, in double as FCL recommends: "OBB" or "OBBRSS" (which prunes by OBB
/// too and is FCL's usual choice), for section 5.3. Throws Error where there is no FCL.
[[nodiscard]] std::unique_ptr<PairMethod> make_fcl_method(const std::string& volume, const ImageBody& body);

}  // namespace lamella::cli
