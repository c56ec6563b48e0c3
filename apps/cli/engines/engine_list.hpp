#pragma once

#include <string>
#include <vector>

#include "lamella/engine.hpp"

namespace lamella::cli {

// The library's list of engines in words.

/// What "automatic" answers with unless a query is large enough for a GPU: the first available engine on the CPU other
/// than the reference. None: nullptr.
[[nodiscard]] const EngineInfo* automatic_engine(const std::vector<EngineInfo>& known);

/// "automatic picks ...", or nothing when there is nothing to pick.
[[nodiscard]] std::string automatic_text(const std::vector<EngineInfo>& known);

/// The GPUs with their numbers for --device, once for all engines that have the same; nothing when there are none. An
/// engine may be listed twice: for meshes and for scenes.
[[nodiscard]] std::string devices_text(const std::vector<EngineInfo>& known);

}  // namespace lamella::cli
