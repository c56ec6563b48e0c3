#pragma once

#include <cstdlib>
#include <filesystem>

namespace lamella::test {

/// Folder of extra meshes, which are not part of the project: the environment's LAMELLA_MESHES, or CMake's.
inline std::filesystem::path shared_meshes() {
  const char* set = std::getenv("LAMELLA_MESHES");
  return set != nullptr ? set : LAMELLA_MESHES;
}

}  // namespace lamella::test

#define LAMELLA_NEED_SHARED_MESHES()                                              \
  if (!std::filesystem::exists(lamella::test::shared_meshes() / "manifest.json")) \
  GTEST_SKIP() << "needs extra meshes, which are not part of the project: set LAMELLA_MESHES to their folder"
