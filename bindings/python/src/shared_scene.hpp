#pragma once

#include <memory>
#include <mutex>

#include "inputs.hpp"
#include "lamella/scene.hpp"

namespace lamella::python {

/// A Scene that Python's threads may share: its own, or that of a RigidWorld, behind the world's lock.
struct SharedScene {
  std::shared_ptr<void> owner;  ///< of both below
  Scene* scene = nullptr;
  std::mutex* mutex = nullptr;
  bool of_world = false;

  /// Calls `call(scene)` without the GIL, with the lock.
  template <class Call>
  auto locked(const Call& call) const {
    return released([&] {
      const std::scoped_lock lock(*mutex);
      return call(*scene);
    });
  }
  /// Throws Error: a world would not know of what is added or removed.
  void check_own() const {
    if (of_world) throw Error("add and remove bodies through the world, not through its scene");
  }
};

}  // namespace lamella::python
