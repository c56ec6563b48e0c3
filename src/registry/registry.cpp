#include "lamella/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engines/cuda/engines.hpp"
#include "engines/opengl/engines.hpp"
#include "engines/reference/reference.hpp"
#include "engines/software/kernels.hpp"
#include "engines/software/software.hpp"
#include "lamella/error.hpp"
#include "registry/automatic.hpp"

namespace lamella {
namespace {

/// Through what an engine reaches a GPU, if at all; each numbers the devices in its own way.
enum class Api { none, cuda, opengl };

/// An engine as the library knows it.
struct Entry {
  std::string_view name;
  Api api = Api::none;
  std::string (*summary)();
  /// Empty when the engine can be made here, otherwise why not.
  std::string (*unavailable)();
  std::unique_ptr<Engine> (*make)(const Options&);
};

const Entry kEntries[] = {
    {"software", Api::none,
     [] { return fmt::format("vectorised rasteriser on the CPU ({})", software::instruction_set()); },
     [] { return std::string(); },
     [](const Options& o) { return software::make_software_engine(o.threads, o.max_crossings); }},
    {"cuda", Api::cuda, [] { return std::string("columns and queries on the GPU, the same as software's (CUDA)"); },
     cuda::unavailable, [](const Options& o) { return cuda::make_engine(o); }},
    {"gl-lists", Api::opengl, [] { return std::string("one pass into per-pixel lists, queries on the GPU (OpenGL)"); },
     opengl::unavailable, [](const Options& o) { return opengl::make_lists_engine(o); }},
    {"gl-unordered", Api::opengl, [] { return std::string("stencil-routed layers, sorted on the CPU (OpenGL)"); },
     opengl::unavailable, [](const Options& o) { return opengl::make_unordered_engine(o); }},
    {"gl-ordered", Api::opengl, [] { return std::string("depth peeling (OpenGL)"); }, opengl::unavailable,
     [](const Options& o) { return opengl::make_ordered_engine(o); }},
    {"reference", Api::none,
     [] { return std::string("brute force in exact arithmetic on the CPU; slow, for checking the others"); },
     [] { return std::string(); }, [](const Options&) { return make_reference_engine(); }},
};

/// For scenes alone; made by the Scene.
constexpr std::string_view kScenePairs = "gl-pairs";

EngineInfo make_info(std::string_view name, std::string summary, const std::string& why, Api api) {
  EngineInfo info{.name = std::string(name),
                  .summary = std::move(summary),
                  .available = why.empty(),
                  .why = why,
                  .gpu = api != Api::none,
                  .hardware = false,
                  .devices = {}};
  if (api == Api::cuda) {
    info.hardware = info.available;
    info.devices = cuda::device_lines();
  } else if (api == Api::opengl) {
    info.hardware = opengl::is_hardware(std::nullopt);
    info.devices = opengl::device_lines();
  }
  return info;
}

}  // namespace

std::vector<EngineInfo> engines() {
  std::vector<EngineInfo> infos;
  for (const Entry& e : kEntries) infos.push_back(make_info(e.name, e.summary(), e.unavailable(), e.api));
  return infos;
}

std::vector<EngineInfo> scene_engines() {
  const Entry& software = kEntries[0];
  return {make_info(software.name, software.summary(), software.unavailable(), software.api),
          make_info("cuda", "inconsistent pairs and points on the GPU, the same as software's (CUDA)",
                    cuda::unavailable(), Api::cuda),
          make_info(kScenePairs, "inconsistent pairs by peeling; pairs and points, no volumes (OpenGL)",
                    opengl::unavailable(), Api::opengl)};
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const Entry& e : kEntries) names.emplace_back(e.name);
  return names;
}

std::unique_ptr<Engine> make_engine(const Options& options) {
  if (options.engine == "automatic") return make_automatic_engine(options);
  for (const Entry& e : kEntries) {
    if (e.name != options.engine) continue;
    const std::string why = e.unavailable();
    if (why.empty()) return e.make(options);
    throw Error(fmt::format("engine {} is not available here: {}", e.name, why), Error::Kind::device);
  }
  if (options.engine == kScenePairs)
    throw Error(fmt::format("engine {} is for scenes of many objects alone: use it in a Scene", kScenePairs));
  throw Error(fmt::format("there is no engine \"{}\"; use one of: automatic, {}", options.engine,
                          fmt::join(engine_names(), ", ")));
}

}  // namespace lamella
