#pragma once

#include "bench/peers/method.hpp"

// One for each file of lamella-bench-peers that is about a library.

namespace lamella::bench::peers {

[[nodiscard]] Peer embree_peer();
[[nodiscard]] Peer cgal_peer();
[[nodiscard]] Peer fcl_peer();
[[nodiscard]] Peer bullet_peer();
[[nodiscard]] Peer openvdb_peer();

}  // namespace lamella::bench::peers
