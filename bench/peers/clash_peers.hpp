#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/peers/candidates.hpp"
#include "lamella/clash.hpp"

// Which parts of an assembly collide, by other libraries.

namespace lamella::bench::peers {

struct ClashWork {
  const Assembly* assembly = nullptr;
  std::vector<BodyBox> boxes;                ///< of the parts, placed
  std::function<Mesh(std::uint32_t)> place;  ///< a part's mesh where it is; it may have an origin
};

struct ClashTimes {
  std::string library, call, gives;
  double prepare_ms = 0;  ///< once for each mesh
  double broad_ms = 0;    ///< boxes to pairs of parts
  double pairs_ms = 0;
  std::uint64_t candidates = 0;
  std::vector<BodyPair> meeting{};  ///< ascending
};

/// A tree for each mesh, shared by its parts; a dynamic tree of the parts' boxes; a pair is left at its first two
/// triangles that meet. Parts inside others are not found.
[[nodiscard]] ClashTimes fcl_clash(const ClashWork& work);

/// Box_intersection_d, then do_intersect on placed copies, one inside the other included. Exact, but for copies
/// that are rounded to floats as ours are.
[[nodiscard]] ClashTimes cgal_clash(const ClashWork& work);

/// The volumes that these pairs share, by corefinement of placed copies; below 0 where CGAL gives up.
struct ClashVolumes {
  double ms = 0;
  std::vector<double> volumes{};
};
[[nodiscard]] ClashVolumes cgal_volumes(const ClashWork& work, const std::vector<BodyPair>& pairs);

}  // namespace lamella::bench::peers
