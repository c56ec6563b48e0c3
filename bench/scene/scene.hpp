#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lamella::cli {

struct SceneBenchArgs {
  std::string engine = "automatic";           ///< or "all"
  std::optional<unsigned> device;             ///< of cuda or gl-pairs
  std::optional<unsigned> threads;            ///< both 1 and all cores when not given
  std::string table;                          ///< only this one; all when empty
  std::optional<std::uint32_t> objects;       ///< only crowds of this many
  std::uint32_t frames = 60;                  ///< of a crowd's motion
  std::optional<std::uint32_t> resolution;    ///< only this one of JANG-fig14
  std::vector<std::filesystem::path> meshes;  ///< two in place of the models of JANG-fig14, or none
  bool quick = false;                         ///< few runs, to try it out
  bool json = false;
};

/// Prints what a Scene costs: beside the figures of Jang, Jeong and Han, by triangles and resolution, by the number of
/// objects, and by what a viewer sees.
void bench_scene(const SceneBenchArgs& args);

}  // namespace lamella::cli
