#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/image_collide.hpp"
#include "lamella/object_id.hpp"
#include "lamella/timings.hpp"

namespace lamella {

struct ImageSceneOptions {
  /// For every pair; its budget and max_tests are those of one pair.
  ImageCollideOptions collide{};
  /// Time for one collide(): pairs that are not reached in time are undecided. 0: no limit; negative: it is spent
  /// already.
  std::chrono::nanoseconds budget{0};
  unsigned threads = 0;  ///< 0: all cores this process may use; no more than 1,024 are used
};

/// Two objects whose boxes share a volume, and what was found.
struct ImageScenePair {
  ObjectId a, b;  ///< a < b
  Verdict verdict = Verdict::clear;
  bool complete = true;  ///< this and the next three: as in ImageCollision
  int level = -1;
  Vec3d position{};
  double within = std::numeric_limits<double>::infinity();
  bool enclosing = true;                                           ///< as in ImageCollision
  std::uint32_t first_triangle_pair = 0, triangle_pair_count = 0;  ///< in ImageSceneResult::triangle_pairs
};

/// All vectors keep their memory from call to call.
struct ImageSceneResult {
  std::vector<ImageScenePair> candidates;    ///< ascending by (a, b); look at their verdicts
  std::vector<TrianglePair> triangle_pairs;  ///< of candidate 0, then of candidate 1, ...
  std::uint32_t colliding_count = 0;         ///< of the candidates
  std::uint64_t sphere_test_count = 0, triangle_test_count = 0;
  Timings ms;

  [[nodiscard]] bool colliding() const { return colliding_count != 0; }
  [[nodiscard]] std::span<const TrianglePair> triangle_pairs_of(const ImageScenePair& p) const {
    return std::span(triangle_pairs).subspan(p.first_triangle_pair, p.triangle_pair_count);
  }
};

/// Many moving bodies: sweep and prune over their boxes finds the candidates, GI-COLLIDE decides each. Objects share
/// bodies: 256 bunnies are one ImageBody and 256 poses. Without time budgets the bits are the same for any number of
/// threads. Once warm, a collide() that searches for first pairs allocates nothing. Use one from one thread at a time.
///
/// Throws Error for an id that is not in this scene or was removed, for a pose that is not finite, and for a quaternion
/// whose squared length is further than 1e-6 from 1.
class LAMELLA_API ImageScene {
 public:
  explicit ImageScene(const ImageSceneOptions& options = {});
  ~ImageScene();
  ImageScene(ImageScene&&) noexcept;
  ImageScene& operator=(ImageScene&&) noexcept;

  /// The scene keeps the pointer. The caller may deform the body between calls of collide(): change positions, refit(),
  /// then call deformed() for every object that uses the body.
  ObjectId add(std::shared_ptr<const ImageBody> body, const Transform& pose = {});
  ObjectId add(std::shared_ptr<const CompactBody> body, const Transform& pose = {});
  void remove(ObjectId object);
  void move(ObjectId object, const Transform& pose);
  /// The body's images changed in place: computes its box anew.
  void deformed(ObjectId object);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const Transform& pose(ObjectId object) const;

  /// Tests all objects as they are now. The result stays valid until the next call.
  const ImageSceneResult& collide();

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
