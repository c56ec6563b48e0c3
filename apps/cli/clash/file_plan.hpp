#pragma once

#include <cstdint>
#include <vector>

#include "cli/clash/input.hpp"
#include "cli/clash/packed.hpp"

namespace lamella::cli {

/// Which process of an MPI job reads which file.
struct FilePlan {
  std::vector<MeshRequest> requests;
  std::vector<std::uint32_t> readers;  ///< of the requests
};

/// On rank 0. What the readers of scenes ask for, up to the first error: they meet it again, with what was read in
/// place. Shapes are compared with meshes: rank 0 then reads all.
[[nodiscard]] FilePlan make_plan(const ClashInputArgs& args);

void put(Packer& to, const FilePlan& plan);
[[nodiscard]] FilePlan take_plan(Unpacker from);

}  // namespace lamella::cli
