#pragma once

// Parts and pairs on their way between processes.

#include <array>

#include "lamella/clash.hpp"
#include "mpi/bytes.hpp"

namespace lamella::mpi {

/// A part with its number in the source; its mesh is numbered as there, too.
struct NumberedPart {
  std::uint32_t number = 0;
  AssemblyPart part;
};

inline void put(Bytes& to, const NumberedPart& p) {
  put(to, p.number);
  put(to, p.part.mesh);
  put(to, p.part.pose);
  put(to, std::string_view(p.part.name));
  put(to, std::string_view(p.part.group));
  put(to, std::string_view(p.part.layer));
}

[[nodiscard]] inline NumberedPart take_part(Taker& from) {
  NumberedPart p;
  from.take(p.number);
  from.take(p.part.mesh);
  from.take(p.part.pose);
  p.part.name = from.take_text();
  p.part.group = from.take_text();
  p.part.layer = from.take_text();
  return p;
}

inline void put(Bytes& to, const ClashPair& p) {
  put(to, std::array{p.a, p.b, p.rule, p.region_count});
  put(to, p.kind);
  put(to, p.verdict);
  put(to, std::array{p.certain, p.allowed, p.tolerance_met});
  put(to, std::array{p.volume, p.volume_error, p.distance, p.depth});
  put(to, std::array{p.on_a, p.on_b, p.way_out, p.centroid, p.min, p.max});
  put_all(to, std::span<const ClashRegion>(p.regions));
  put_all(to, std::span<const Doubt>(p.doubts));
}

[[nodiscard]] inline ClashPair take_pair(Taker& from) {
  ClashPair p;
  const auto numbers = from.take<std::array<std::uint32_t, 4>>();
  p.a = numbers[0], p.b = numbers[1], p.rule = numbers[2], p.region_count = numbers[3];
  from.take(p.kind);
  from.take(p.verdict);
  const auto flags = from.take<std::array<bool, 3>>();
  p.certain = flags[0], p.allowed = flags[1], p.tolerance_met = flags[2];
  const auto measures = from.take<std::array<double, 4>>();
  p.volume = measures[0], p.volume_error = measures[1], p.distance = measures[2], p.depth = measures[3];
  const auto places = from.take<std::array<Vec3d, 6>>();
  p.on_a = places[0], p.on_b = places[1], p.way_out = places[2], p.centroid = places[3];
  p.min = places[4], p.max = places[5];
  from.take_all(p.regions);
  from.take_all(p.doubts);
  return p;
}

}  // namespace lamella::mpi
