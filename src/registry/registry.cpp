// The only list of engines: to add an engine, add one entry here.

#include "registry/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engines/cuda/engines.hpp"
#include "engines/opengl/engines.hpp"
#include "engines/reference/reference.hpp"
#include "engines/software/engines.hpp"
#include "engines/wscg/wscg.hpp"
#include "lamella/error.hpp"
#include "registry/automatic.hpp"

namespace lamella {
namespace {

/// The API by which an engine uses a GPU, if any; each numbers the devices in its own way.
enum class Api { none, cuda, opengl };

/// An engine and the tasks it supports; the maker of a task it does not support is null.
struct Entry {
  std::string_view name;
  Api api = Api::none;
  std::string_view summary = {};        ///< of its queries
  std::string_view scene_summary = {};  ///< of what it does in scenes
  const char* (*detail)() = nullptr;    ///< added to both
  bool self_overlap = true;             ///< as in EngineInfo
  std::unique_ptr<Engine> (*make_engine)(const EngineOptions&) = nullptr;
  std::unique_ptr<PairFinder> (*make_pair_finder)(const EngineOptions&) = nullptr;
  std::unique_ptr<BatchEngine> (*make_batch_engine)(const EngineOptions&, const QueryOptions&) = nullptr;
  std::unique_ptr<ShiftFinder> (*make_shift_finder)(const EngineOptions&) = nullptr;
};

/// In order of preference.
constexpr Entry kEntries[] = {
    {.name = "software",
     .summary = "vectorised rasteriser on the CPU",
     .scene_summary = "vectorised rasteriser on the CPU",
     .detail = software::instruction_set,
     .make_engine = software::make_engine,
     .make_pair_finder = software::make_pair_finder,
     .make_batch_engine = [](const EngineOptions& engine, const QueryOptions& query) -> std::unique_ptr<BatchEngine> {
       return software::make_batch_engine(engine, query);
     },
     .make_shift_finder = software::make_shift_finder},
    {.name = "cuda",
     .api = Api::cuda,
     .summary = "columns and queries on the GPU, the same as software's (CUDA)",
     .scene_summary = "inconsistent pairs and points on the GPU, the same as software's (CUDA)",
     .make_engine = cuda::make_engine,
     .make_pair_finder = cuda::make_pair_finder,
     .make_batch_engine = cuda::make_batch_engine,
     .make_shift_finder = cuda::make_shift_finder},
    {.name = "gl-lists",
     .api = Api::opengl,
     .summary = "one pass into per-pixel lists, queries on the GPU (OpenGL)",
     .make_engine = opengl::make_lists_engine},
    {.name = "gl-unordered",
     .api = Api::opengl,
     .summary = "stencil-routed layers, sorted on the CPU (OpenGL)",
     .make_engine = opengl::make_unordered_engine},
    {.name = "gl-ordered",
     .api = Api::opengl,
     .summary = "depth peeling (OpenGL)",
     .make_engine = opengl::make_ordered_engine},
    {.name = "gl-tr395",
     .api = Api::opengl,
     .summary =
         "TR 395 as published: stencil layers, alternation (OpenGL); wrong, unseen, where a mesh overlaps itself",
     .self_overlap = false,
     .make_engine = opengl::make_tr395_engine},
    {.name = "gl-pairs",
     .api = Api::opengl,
     .scene_summary = "inconsistent pairs by peeling; pairs and points, no volumes (OpenGL)",
     .make_pair_finder = opengl::make_pair_finder},
    {.name = "software-wscg",
     .summary = "WSCG 2004's software generator as published: culled, clipped to the box, one thread",
     .make_engine = wscg::make_engine},
    {.name = "reference",
     .summary = "brute force in exact arithmetic on the CPU; slow, for checking the others",
     .make_engine = make_reference_engine},
};

/// Empty when the engine is available here, otherwise the reason why not.
std::string unavailable(const Entry& e) {
  if (e.api == Api::cuda) return cuda::unavailable();
  if (e.api == Api::opengl) return opengl::unavailable();
  return {};
}

EngineInfo make_info(const Entry& e, std::string_view summary) {
  EngineInfo info;
  info.name = e.name;
  info.summary = e.detail != nullptr ? fmt::format("{} ({})", summary, e.detail()) : std::string(summary);
  info.why = unavailable(e);
  info.available = info.why.empty();
  info.gpu = e.api != Api::none;
  info.self_overlap = e.self_overlap;
  if (e.api == Api::cuda) {
    info.hardware = info.available;
    info.devices = cuda::device_lines();
  } else if (e.api == Api::opengl) {
    info.hardware = opengl::is_hardware(std::nullopt);
    info.devices = opengl::device_lines();
  }
  return info;
}

template <class Maker>
std::vector<std::string> names_with(Maker Entry::*maker) {
  std::vector<std::string> names;
  for (const Entry& e : kEntries)
    if (e.*maker != nullptr) names.emplace_back(e.name);
  return names;
}

/// The named engine's maker. `task` is for error messages.
template <class Maker>
Maker find_maker(std::string_view name, Maker Entry::*maker, std::string_view task) {
  for (const Entry& e : kEntries) {
    if (e.name != name) continue;
    if (e.*maker == nullptr)
      throw Error(fmt::format("engine {} cannot answer {}; use one of: automatic, {}", name, task,
                              fmt::join(names_with(maker), ", ")));
    if (const std::string why = unavailable(e); !why.empty())
      throw Error(fmt::format("engine {} is not available here: {}", name, why), Error::Kind::device);
    return e.*maker;
  }
  throw Error(fmt::format("there is no engine \"{}\" for {}; use one of: automatic, {}", name, task,
                          fmt::join(names_with(maker), ", ")));
}

}  // namespace

std::vector<EngineInfo> engines() {
  std::vector<EngineInfo> infos;
  for (const Entry& e : kEntries)
    if (e.make_engine != nullptr) infos.push_back(make_info(e, e.summary));
  return infos;
}

std::vector<EngineInfo> scene_engines() {
  std::vector<EngineInfo> infos;
  for (const Entry& e : kEntries)
    if (e.make_pair_finder != nullptr) infos.push_back(make_info(e, e.scene_summary));
  return infos;
}

std::vector<std::string> engine_names() { return names_with(&Entry::make_engine); }

std::unique_ptr<Engine> make_engine(const Options& options) {
  if (options.engine == "automatic") return make_automatic_engine(options.for_engine());
  return find_maker(options.engine, &Entry::make_engine, "queries")(options.for_engine());
}

std::unique_ptr<PairFinder> make_pair_finder(std::string_view engine, const EngineOptions& options) {
  return find_maker(engine == "automatic" ? "software" : engine, &Entry::make_pair_finder, "scenes")(options);
}

std::unique_ptr<ShiftFinder> make_shift_finder(std::string_view engine, const EngineOptions& options) {
  return find_maker(engine == "automatic" ? "software" : engine, &Entry::make_shift_finder, "separations")(options);
}

std::unique_ptr<BatchEngine> make_batch_engine(const Options& options) {
  if (options.engine == "automatic") return make_automatic_batch(options.for_engine(), options.for_query());
  return find_maker(options.engine, &Entry::make_batch_engine, "batches")(options.for_engine(), options.for_query());
}

}  // namespace lamella
