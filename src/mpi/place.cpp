#include "mpi/place.hpp"

#include <sched.h>
#include <sys/sysinfo.h>

#include <algorithm>

#include "lamella/engine.hpp"

namespace lamella::mpi {
namespace {

/// Cores that this process may run on: those of all processes of the node, unless the launcher bound it to some.
unsigned usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace

PlaceOnNode place_on(const Processes& node, const std::string& engine) {
  PlaceOnNode place;
  // Launchers either bind each process to cores of its own, which are then fewer than the machine has, or leave all
  // cores to all.
  const unsigned cores = usable_cores();
  const bool bound = cores < static_cast<unsigned>(get_nprocs());
  place.threads = bound ? cores : std::max(1u, cores / static_cast<unsigned>(node.size()));
  if (engine == "cuda") {
    for (const EngineInfo& info : engines())
      if (info.name == "cuda" && !info.devices.empty())
        place.device = static_cast<unsigned>(node.rank()) % static_cast<unsigned>(info.devices.size());
  }
  return place;
}

}  // namespace lamella::mpi
