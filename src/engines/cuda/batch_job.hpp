#pragma once

// A batch of pairs as its kernel sees it, see batch.cu.

#include <cstddef>
#include <cstdint>

#include "engines/cuda/frame.hpp"

namespace lamella::cuda {

/// What is wrong with a pair.
enum class BatchFault : std::uint32_t {
  bad_index_a,  ///< a triangle of its first mesh names a vertex that the mesh does not have
  bad_index_b,
  too_many,  ///< more crossings of a mesh than are allowed
  none,
};
inline constexpr std::uint32_t kBatchFaults = 4;

/// What a run reports to the host besides the answers; all zero when it begins. A pair is undecided if there was no
/// room for all its crossings, so that it has no answer, and may or may not have too many. Of several pairs the first
/// is reported: numbers count down from kFirst, so that the largest is the first pair and 0 means none.
struct BatchReport {
  std::uint32_t next = 0;  ///< pair to be taken
  std::uint32_t padding = 0;
  std::uint64_t fault = 0;      ///< kFirst - (kBatchFaults * pair + BatchFault)
  std::uint64_t undecided = 0;  ///< kFirst - pair
  std::uint64_t crossings = 0;  ///< of the undecided pair with the most

  static constexpr std::uint64_t kFirst = std::uint64_t{1} << 40;
};

/// A crossing in the list of its column: its key and the number of the next.
struct BatchNode {
  std::uint32_t key, next;
};

/// The most nodes that a pair may need. Their numbers have 32 bits, and the counter stops some way above this.
inline constexpr std::uint32_t kMaxBatchNodes = 0xe0000000u;

/// With slots (BatchPlan), numbers of nodes have a bit less.
inline constexpr std::uint32_t kMaxSlotNodes = 1u << 30;

/// Triangles are numbered over both meshes of a pair, with flags in the same word.
inline constexpr std::uint32_t kMaxBatchTriangles = (1u << 30) - 1;

/// Memory of a kernel in which each block does one thing after another. All blocks have the same.
struct BlockMemory {
  std::uint32_t resolution = 0;
  std::uint32_t lists = 2;  ///< per column: one for each mesh, or with slots one each for its entries and its exits
  /// Whether heads of columns and codes of vertices are in shared memory; otherwise in the block's scratch.
  bool near = false;
  std::uint32_t vertex_capacity = 0;  ///< of both meshes of a pair
  std::uint32_t near_nodes = 0;       ///< in shared memory
  std::uint32_t far_nodes = 0;        ///< further nodes, in scratch
  unsigned char* scratch = nullptr;
  std::size_t scratch_stride = 0;  ///< bytes per block
};

/// Passed by value.
struct BatchJob {
  const DeviceMesh* meshes = nullptr;
  const BatchPair* pairs = nullptr;
  PairOverlap* answers = nullptr;     ///< or
  PairGradient* gradients = nullptr;  ///< these
  BatchReport* report = nullptr;
  std::uint32_t pair_count = 0;
  std::uint32_t resolution = 0;
  std::int32_t axis = -1;  ///< forced, or -1
  float min_thickness = 0;
  std::uint64_t max_crossings = 0;  ///< of one mesh of a pair
  std::uint64_t most_nodes = 0;     ///< of both, if neither has too many
  BlockMemory memory;
};

/// How a kernel is started.
struct BatchPlan {
  bool near = false;
  bool slots = false;  ///< heads of columns are slots, see batch_slots.hpp; then they are near
  std::uint32_t threads = 0, blocks = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t near_nodes = 0;
};

/// The largest pair of a batch.
struct BatchSizes {
  std::uint32_t vertices = 0, triangles = 0;  ///< of both meshes
  std::size_t columns = 0;                    ///< of the grid
  std::uint32_t resolution = 0;
  std::uint32_t lists = 2;  ///< per column
  bool tags = false;        ///< nodes have tags
  bool slots = false;       ///< heads may be slots: four per column, in place of `lists`
};

struct DeviceFacts;
[[nodiscard]] BatchPlan plan_batch(const BatchSizes& sizes, std::uint32_t pairs, const DeviceFacts& device);
/// Bytes of scratch that each block needs.
[[nodiscard]] std::size_t batch_scratch_bytes(const BatchPlan& plan, const BatchSizes& sizes, std::uint32_t far_nodes);

/// On this device, which must be current.
void launch_batch(const BatchJob& job, const BatchPlan& plan, const DeviceFacts& device, CudaStream stream);

}  // namespace lamella::cuda
