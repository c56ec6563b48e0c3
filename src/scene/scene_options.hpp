#pragma once

#include "lamella/scene.hpp"

namespace lamella {

/// Throw Error for an option that is out of range.
void check(const Screen& screen);
void check(const SceneOptions& options);

}  // namespace lamella
