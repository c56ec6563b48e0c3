#pragma once

// For programs whose meshes live in the memory of an NVIDIA GPU: queries take device pointers and a stream, and leave
// their answers on the device or bring them to the host. Needs none of CUDA's headers. Where the library was built
// without CUDA, or there is no GPU, everything here throws Error (device); `unavailable()` says why.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lamella/batch.hpp"
#include "lamella/export.hpp"
#include "lamella/object_id.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"

struct CUstream_st;

namespace lamella::cuda {

/// CUDA's cudaStream_t.
using Stream = CUstream_st*;

/// Empty when queries can be made here, otherwise why not.
[[nodiscard]] LAMELLA_API std::string unavailable();

/// A mesh in the caller's device memory: packed positions and triangles, as in MeshView. Both arrays must stay where
/// they are for as long as a query refers to them; what is in them may change between frames.
struct DeviceMesh {
  const Vec3* positions = nullptr;
  const Triangle* triangles = nullptr;
  std::uint32_t vertex_count = 0;
  std::uint32_t triangle_count = 0;
};

/// Points in the caller's device memory, under the same rule.
struct DevicePoints {
  const Vec3* positions = nullptr;
  std::uint32_t count = 0;
};

/// Why a result is not ready, as bits. wait() handles all of them; a caller that reads results on the device alone must
/// check. A PairBatch and a DeviceScene are sure to find bad indices only where boxes overlap: elsewhere few are read.
enum Status : std::uint32_t {
  kComplete = 0,
  kNeedsMemory = 1,  ///< more crossings or spans than there was room for: not an answer, wait() repeats the frame
  kBadIndex = 2,     ///< a triangle names a vertex that the mesh does not have; wait() throws
};

/// Options of Query and PairBatch: members as in Options.
struct DeviceOptions {
  std::uint32_t resolution = 128;
  std::optional<Axis> axis = std::nullopt;
  std::optional<unsigned> device = std::nullopt;
  bool strict = false;
  float min_thickness = 0x1p-20f;
  std::uint64_t max_crossings = std::uint64_t{1} << 28;

  [[nodiscard]] QueryOptions for_query() const { return {resolution, axis, strict, min_thickness}; }
};

/// What a frame finds out, beside spans and flags.
struct Answer {
  Grid grid;                     ///< zero columns when there was nothing to sample
  double volume = 0;             ///< shared, or covered more than once
  Vec3d centroid;                ///< of that volume; the origin when there is none
  Aabb bounds;                   ///< of the cells' prisms; empty when there is none
  double inside_out_volume = 0;  ///< self_intersect: where the winding is below 0
  std::uint64_t span_count = 0;
  std::uint64_t inside_out_count = 0;  ///< self_intersect: spans of winding below 0
  std::uint64_t inside_count = 0;      ///< contains: points inside
  std::uint64_t crossing_count = 0;    ///< of all meshes together
  Health health;
  std::uint32_t status = kComplete;  ///< Status bits

  [[nodiscard]] bool colliding() const { return span_count != 0; }
};

/// A query on given arrays: captured once, replayed as a graph for every frame. Keeps its memory between frames.
class LAMELLA_API Query {
 public:
  /// With `spans` also the spans are made, on the device.
  [[nodiscard]] static Query intersect(const DeviceMesh& a, const DeviceMesh& b, const DeviceOptions& options = {},
                                       bool spans = false);
  [[nodiscard]] static Query self_intersect(const DeviceMesh& mesh, const DeviceOptions& options = {},
                                            bool spans = false);
  /// One flag per point goes to `inside`, in device memory with room for all; when not given, to memory of the query's.
  [[nodiscard]] static Query contains(const DeviceMesh& mesh, const DevicePoints& points,
                                      const DeviceOptions& options = {}, std::uint8_t* inside = nullptr);
  ~Query();
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;

  /// Puts one frame on the stream and returns at once. One frame at a time: wait() or synchronise before the next, or
  /// use the same stream. The stream must live until wait() returns, which may repeat the frame on it.
  void launch(Stream stream);
  /// Waits for the last frame. Where memory did not suffice it is made and the frame repeated, with what is in the
  /// arrays then. Throws Error for an index out of range, more crossings than allowed, memory that the device does not
  /// have, or a strict query whose health is not ok; the query can be launched again after any of them.
  const Answer& wait();

  // On the device; valid after wait(), or once the stream is done and the answer's status is kComplete.
  [[nodiscard]] const Answer* device_answer() const;
  [[nodiscard]] const Span* device_spans() const;       ///< ascending by column, then by depth
  [[nodiscard]] const Span* device_inside_out() const;  ///< likewise
  [[nodiscard]] const std::uint8_t* device_flags() const;
  /// Device memory that the query holds, in bytes.
  [[nodiscard]] std::size_t device_bytes() const;

  struct LAMELLA_LOCAL State;

 private:
  explicit Query(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Many pairs at once, each answered for itself: one sequence of launches for all. See Batch in batch.hpp for meshes on
/// the host.
class LAMELLA_API PairBatch {
 public:
  /// The meshes are numbered in this order.
  PairBatch(std::span<const DeviceMesh> meshes, const DeviceOptions& options = {});
  ~PairBatch();
  PairBatch(PairBatch&&) noexcept;
  PairBatch& operator=(PairBatch&&) noexcept;

  /// Puts a run on the stream; first waits for one that is still under way. `pairs` is read during the call alone. The
  /// stream must live until wait() returns, which may repeat the run on it. Pairs that cannot be are an Error and leave
  /// all as it was.
  void launch(std::span<const BatchPair> pairs, Stream stream);
  /// One answer per pair, in their order; valid until the next launch. Throws as Query::wait(); of a run that failed,
  /// here or in launch(), there are no answers.
  std::span<const PairOverlap> wait();
  /// On the device; valid only after wait() has returned, until the next launch: before, pairs may lack memory.
  [[nodiscard]] const PairOverlap* device_answers() const;

  struct LAMELLA_LOCAL State;

 private:
  std::unique_ptr<State> state_;
};

/// Two objects of a DeviceScene that share a volume.
struct DevicePair {
  ObjectId a, b;  ///< in the order given, a < b
  double volume = 0;
  std::uint32_t span_count = 0;   ///< stretches of rays inside both
  std::uint32_t point_count = 0;  ///< collision points
};

/// Members as in DeviceOptions and SceneOptions.
struct DeviceSceneOptions {
  std::uint32_t resolution = 128;  ///< columns and rows of the grid
  std::optional<Axis> axis = std::nullopt;
  std::optional<unsigned> device = std::nullopt;
  bool strict = false;
  float min_thickness = 0x1p-20f;
  std::uint64_t max_crossings = std::uint64_t{1} << 28;
  bool points = true;   ///< make collision points
  float threshold = 1;  ///< of collision points, in cells
};

struct DeviceSceneAnswer {
  Grid grid;  ///< over all that boxes of different objects share; zero columns when there is nothing
  std::uint32_t candidate_count = 0;  ///< pairs whose boxes share a volume
  std::uint32_t pair_count = 0;       ///< that collide
  std::uint64_t point_count = 0;      ///< collision points of all pairs
  std::uint64_t crossing_count = 0;
  Health health;
  std::uint32_t status = kComplete;  ///< Status bits
};

/// Collisions among many objects whose vertices are on the device, in the world: boxes, candidates, one grid over all
/// of them, inconsistent pairs and collision points, as a graph. Objects are sampled where their boxes overlap others';
/// health covers those parts, and broken vertices anywhere. Volumes are the same bits in every run. All pairs of boxes
/// are tested, which is fine for thousands of objects; 65,536 are the most.
class LAMELLA_API DeviceScene {
 public:
  DeviceScene(std::span<const DeviceMesh> objects, const DeviceSceneOptions& options = {});
  ~DeviceScene();
  DeviceScene(DeviceScene&&) noexcept;
  DeviceScene& operator=(DeviceScene&&) noexcept;

  void launch(Stream stream);       ///< as Query::launch()
  const DeviceSceneAnswer& wait();  ///< as Query::wait()
  [[nodiscard]] const DeviceSceneAnswer* device_answer() const;
  [[nodiscard]] const DevicePair* device_pairs() const;       ///< ascending by (a, b)
  [[nodiscard]] const CollisionPoint* device_points() const;  ///< ascending by column; `pair` counts device_pairs()
  /// Copies to the host, after wait().
  void read(std::vector<DevicePair>& pairs, std::vector<CollisionPoint>& points) const;

  struct LAMELLA_LOCAL State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace lamella::cuda
