#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "lamella/scene.hpp"
#include "session/objects.hpp"

namespace lamella::session {

/// Asks a scene of objects, with the answers of a scene that has seen nothing before, to the bit. Keeps the scene with
/// its copies of meshes, so that objects that only move are not copied again.
class SceneKeeper {
 public:
  /// In the result the objects are numbered from 0, in the order given. Valid until the next call.
  const SceneResult& collide(std::span<Object* const> objects, const SceneOptions& options);

 private:
  struct Known {
    ObjectId in_scene;
    std::uint64_t shape = 0;  ///< Object::shape
  };
  [[nodiscard]] ObjectId put_again(Object& object);

  std::optional<Scene> scene_;
  std::map<std::uint32_t, Known> known_;  ///< by Object::id
  std::uint64_t added_ = 0;               ///< since the scene was made: their numbers must not run out
  SceneResult result_;
};

}  // namespace lamella::session
