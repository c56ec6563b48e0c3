#pragma once

#include "lamella/scene.hpp"

namespace lamella {

/// Throw Error for what a caller cannot have meant.
void check(const Screen& screen);
void check(const SceneOptions& options);

}  // namespace lamella
