#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/image_collide.hpp"

namespace lamella {

struct ImageSceneOptions {
  /// For every pair; its budget and max_tests are those of one pair.
  ImageCollideOptions collide{};
  /// For the whole update: pairs that are not reached in time are undecided. 0: however long it takes.
  std::chrono::nanoseconds budget{0};
  unsigned threads = 0;  ///< 0: as many as there are cores
};

/// Two objects whose boxes overlap, first < second, and what is known of them.
struct ImageScenePair {
  std::uint32_t first = 0, second = 0;  ///< ids
  Verdict verdict = Verdict::separate;
  bool complete = true;  ///< and the following as in ImageCollision
  int level = -1;
  Vec3d place{};
  double within = std::numeric_limits<double>::infinity();
  std::uint32_t pairs_begin = 0, pairs_end = 0;  ///< its triangles in ImageSceneResult::pairs
};

struct ImageSceneResult {
  std::vector<ImageScenePair> active;  ///< by first, then second
  std::vector<TrianglePair> pairs;     ///< of all active pairs, in their order
  std::uint32_t colliding = 0;         ///< of the active pairs
  std::uint64_t sphere_tests = 0, triangle_tests = 0;
  double broad_ms = 0, narrow_ms = 0;
};

/// Many moving bodies: sweep and prune over their boxes finds the active pairs, GI-COLLIDE decides them.
/// Bodies are shared: 256 bunnies are one ImageBody and 256 poses. Without budgets in time the same bits for any number
/// of threads. Once warm an update for first pairs allocates nothing.
class LAMELLA_API ImageScene {
 public:
  explicit ImageScene(const ImageSceneOptions& options = {});
  ~ImageScene();
  ImageScene(ImageScene&&) noexcept;
  ImageScene& operator=(ImageScene&&) noexcept;

  // Errors: an id that is not in the scene, a pose that is not finite or whose quaternion is not of length 1.

  /// Ids are small and reused after removal. The body may be changed and refit() between updates; call moved() then.
  std::uint32_t add(std::shared_ptr<const ImageBody> body, const Transform& pose = {});
  void remove(std::uint32_t id);
  void set_pose(std::uint32_t id, const Transform& pose);
  /// The body's images deformed: its extent is looked at again.
  void moved(std::uint32_t id);
  [[nodiscard]] const Transform& pose(std::uint32_t id) const;

  /// Valid until the next call.
  const ImageSceneResult& update();

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
