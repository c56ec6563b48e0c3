#pragma once

// Many objects in one layered depth image, as its kernels see it. Two classes use them: the PairFinder, where the host
// chooses grid, windows and candidates, and DeviceScene, which chooses them on the device.
//
//   (boxes ──► candidates) ──► raster ──► large ──► places ──► scatter ──► sweep ──► (points)
//
// Triangles are read once. A crossing is appended to one list of fragments, with its column and its rank: how many came
// to that column before it. Then columns are given places in one array, and the fragments are moved there. So memory
// depends only on the number of crossings, for columns of any depth. If a list was too short, its counter gives the
// length needed, and the frame is repeated.

#include <cstdint>

#include "engines/cuda/triangle.hpp"
#include "engines/meetings.hpp"
#include "engines/pair_finder.hpp"
#include "lamella/cuda.hpp"

namespace lamella::cuda {

/// An object in one of its windows.
struct SceneJob {
  DeviceMesh mesh;
  std::uint32_t first_face = 0;  ///< number of its first triangle in the group, a multiple of kFaceBlock
  std::uint32_t object = 0;
};

/// The triangles of a job, or vertices of an object, that one block processes.
struct SceneChunk {
  std::uint32_t job = 0, begin = 0, end = 0;
};
inline constexpr std::uint32_t kTriangleChunk = 256;
inline constexpr std::uint32_t kVertexChunk = 1024;

/// Rows of a triangle too large for a warp of its block.
struct SceneLarge {
  std::uint32_t job = 0, triangle = 0, first_row = 0, row_count = 0;
};

/// A crossing on its way to its column.
struct alignas(16) SceneFragment {
  unsigned long long key = 0;  ///< as FaceCrossing
  std::uint32_t column = 0;
  std::uint32_t rank = 0;  ///< among the fragments of its column
};

/// Where a column's crossings are.
struct alignas(8) ColumnPlace {
  std::uint32_t begin = 0, count = 0;
};

/// In Meeting::candidate: not a meeting, but the length of a ray with winding 2 or more in the object that the other
/// bits name, as a double in the bits of `begin_a`.
inline constexpr std::uint32_t kSelfLength = 0x80000000u;

/// Results of a block of columns.
struct SweepBlock {
  std::uint32_t keys_begin = 0, keys_count = 0;
  std::uint32_t meetings_begin = 0, meetings_count = 0;  ///< zero where there was no room
  std::uint64_t points = 0;                              ///< of its meetings
  std::uint64_t points_begin = 0;                        ///< how many earlier blocks have
};
inline constexpr std::uint32_t kSweepColumns = 128;  ///< columns and threads of a block

/// Candidates of an object as the smaller of two: numbers [begin, end).
struct CandidateRow {
  std::uint32_t begin = 0, end = 0;
};

/// Sums of a candidate pair.
struct PairSums {
  unsigned long long length = 0;  ///< of its spans, in units of SceneState::length_unit
  std::uint32_t spans = 0, points = 0;
};

/// Bits of a box in the order of floats; low ends complemented, so that 0 means empty.
struct OrderedBox {
  std::uint32_t high[3], low[3];
};

/// Data passed from kernel to kernel. The counters are zero when a frame begins.
struct SceneState {
  Grid grid;      ///< zero columns: nothing to sample
  Target target;  ///< of the whole grid
  float thickness = 0, threshold = 0;
  double length_unit = 0;
  std::uint32_t candidates = 0;

  std::uint32_t keys = 0;
  unsigned long long fragments = 0, meetings = 0, large_parts = 0;  ///< needed, even if there was no room
  std::uint32_t row_blocks = 0, sweep_blocks = 0;                   ///< blocks that are done
  std::uint32_t bad_index = 0, skipped = 0;
  std::uint32_t occupied_columns = 0, open_columns = 0, inside_out_columns = 0;
  std::uint32_t padding = 0;
};

/// Additional data of DeviceScene's kernels.
struct SceneSearch {
  const SceneChunk* vertex_chunks = nullptr;
  std::uint32_t vertex_chunk_count = 0;
  OrderedBox* boxes = nullptr;        ///< of objects; zero when a frame begins
  std::uint32_t* unusable = nullptr;  ///< whether an object has a vertex that is not usable; likewise
  Aabb* shared = nullptr;             ///< box around all that an object shares with others
  Vec3d* depths = nullptr;            ///< by object: depths of its candidates along the axes
  CandidateRow* rows = nullptr;
  std::uint32_t* partners = nullptr;
  Window* windows = nullptr;
  PairSums* sums = nullptr;
  std::uint32_t* pair_of = nullptr;  ///< candidate to pair
  std::uint32_t candidate_capacity = 0;
  std::uint32_t resolution = 0;
  std::int32_t axis = -1;  ///< forced, or -1
  float min_thickness = 0, threshold = 0;
  bool points = true;

  DevicePair* pairs = nullptr;  ///< candidate_capacity
  CollisionPoint* collision_points = nullptr;
  std::uint64_t point_capacity = 0;
  struct SceneReport* report = nullptr;       ///< on the device
  struct SceneReport* host_report = nullptr;  ///< pinned memory of the host, written last
};

/// What is copied back to the host.
struct SceneReport {
  DeviceSceneAnswer answer;
  std::uint32_t candidates = 0, bad_index = 0;
  std::uint64_t fragments = 0, meetings = 0, large_parts = 0;  ///< needed, even if there was no room
};

/// Passed to every kernel by value.
struct SceneFrame {
  const SceneJob* jobs = nullptr;
  const Window* windows = nullptr;  ///< of jobs
  const SceneChunk* chunks = nullptr;
  std::uint32_t chunk_count = 0, object_count = 0, column_count = 0;

  SceneState* state = nullptr;
  std::uint32_t* skipped = nullptr;     ///< triangles, by job
  std::uint32_t* open = nullptr;        ///< columns, by object; null: not asked for
  std::uint32_t* inside_out = nullptr;  ///< likewise
  const std::uint32_t* object_of_block = nullptr;
  const CandidateRow* rows = nullptr;       ///< by object
  const std::uint32_t* partners = nullptr;  ///< by candidate: the larger object

  SceneLarge* large = nullptr;
  std::uint32_t large_capacity = 0, large_blocks = 1;
  std::uint32_t* counts = nullptr;  ///< by column; zero when a frame begins
  ColumnPlace* places = nullptr;    ///< by column
  SceneFragment* fragments = nullptr;
  unsigned long long* keys = nullptr;  ///< these three arrays have one entry per fragment
  std::uint32_t* objects = nullptr;    ///< the object of a key
  std::uint32_t* ends = nullptr;       ///< where the stretch that begins at a key ends
  std::uint32_t capacity = 0;
  SweepBlock* blocks = nullptr;
  Meeting* meetings = nullptr;
  std::uint32_t meeting_capacity = 0;
  bool self_lengths = false;

  SceneSearch search;
};

LAMELLA_HOST_DEVICE constexpr std::uint32_t sweep_blocks(std::uint32_t column_count) {
  return (column_count + kSweepColumns - 1) / kSweepColumns;
}

using CudaStream = CUstream_st*;

/// Boxes of all objects, then candidates, grid and windows. DeviceScene only.
void launch_scene_candidates(const SceneFrame& frame, CudaStream stream);
/// From triangles to fragments.
void launch_scene_raster(const SceneFrame& frame, CudaStream stream);
/// From fragments to unsorted columns.
void launch_scene_columns(const SceneFrame& frame, CudaStream stream);
/// Sorts columns and finds meetings; with SceneSearch::report also the pairs and the report.
void launch_scene_sweep(const SceneFrame& frame, CudaStream stream);
/// Collision points of the meetings. DeviceScene only.
void launch_scene_points(const SceneFrame& frame, CudaStream stream);

}  // namespace lamella::cuda
