#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "session/packet.hpp"
#include "simulate/simulation.hpp"

namespace lamella::session {

/// A simulation that the page watches.
class RunningSimulation {
 public:
  explicit RunningSimulation(std::unique_ptr<simulate::Simulation> simulation);

  void step();
  /// What there is to see now. Triangles are told once, and again where they change.
  [[nodiscard]] Json drawn(PacketWriter& writer);

 private:
  std::unique_ptr<simulate::Simulation> simulation_;
  simulate::Drawing drawing_;
  std::uint64_t step_ = 0;
  std::vector<std::vector<Triangle>> told_;  ///< of each solid
};

}  // namespace lamella::session
