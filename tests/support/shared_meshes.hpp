#pragma once

#include <cstdlib>
#include <filesystem>

namespace lamella::test {

/// Folder of real meshes kept beside the checkout, not part of the project; tests that use it skip where it is absent.
inline std::filesystem::path shared_meshes() {
  const char* set = std::getenv("LAMELLA_SHARED");
  return std::filesystem::path(set != nullptr ? set : LAMELLA_SHARED_DEFAULT) / "meshes";
}

}  // namespace lamella::test

#define LAMELLA_NEED_SHARED_MESHES()                                              \
  if (!std::filesystem::exists(lamella::test::shared_meshes() / "manifest.json")) \
  GTEST_SKIP() << "needs the real meshes, which are not part of the project (set LAMELLA_SHARED to their folder)"
