#pragma once

#include <optional>
#include <string>

#include "mpi/processes.hpp"

namespace lamella::mpi {

/// What a process of a node may use: its part of the cores, and a GPU of its own where there are some.
struct PlaceOnNode {
  unsigned threads = 1;
  std::optional<unsigned> device = std::nullopt;  ///< set where the engine is "cuda"
};

[[nodiscard]] PlaceOnNode place_on(const Processes& node, const std::string& engine);

/// Sets threads and device of options that leave them open.
template <class Options>
void take_place(const Processes& node, Options& options) {
  const PlaceOnNode place = place_on(node, options.engine);
  if (options.threads == 0) options.threads = place.threads;
  if (!options.device) options.device = place.device;
}

}  // namespace lamella::mpi
