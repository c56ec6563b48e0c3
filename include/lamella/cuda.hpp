#pragma once

// For programs whose meshes are in the memory of an NVIDIA GPU: queries take device pointers and a stream, and leave
// their answers on the device or copy them to the host. Needs no CUDA headers. If the library was built without CUDA,
// or there is no GPU, everything here throws Error (device); `unavailable()` gives the reason.

#include <array>
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

/// Empty when CUDA queries can run here, otherwise the reason why not.
[[nodiscard]] LAMELLA_API std::string unavailable();

/// A mesh in the caller's device memory: packed positions and triangles, as in MeshView. Both arrays must stay at their
/// addresses for as long as a query refers to them; their contents may change between frames.
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

/// Why a result is not ready, as bits. wait() handles all of them; a caller that reads results only on the device must
/// check them. A PairBatch and a DeviceScene find every bad index only where boxes overlap: elsewhere few indices are
/// read.
enum Status : std::uint32_t {
  kComplete = 0,
  kNeedsMemory = 1,  ///< more crossings or spans than memory was allocated for: no answer yet, wait() repeats the frame
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

/// The result of a frame, without spans and flags.
struct Answer {
  /// By the sums alone: undecided also where an overlap is so small or so thin that only a look at the meshes could
  /// tell it from surfaces that touch. A Detector and a Batch, which have the meshes, take that look.
  Verdict verdict = Verdict::clear;
  Grid grid;                     ///< zero columns when there was nothing to sample
  double volume = 0;             ///< intersect: shared; self_intersect: covered more than once
  double volume_error = 0;       ///< of `volume`, as in Overlap
  Vec3d centroid;                ///< of that volume; the origin when there is none
  Aabb bounds;                   ///< of the cells' prisms; empty when there is none
  double inside_out_volume = 0;  ///< self_intersect: where the winding is below 0
  std::uint64_t span_count = 0;
  std::uint64_t inside_out_count = 0;  ///< self_intersect: spans of winding below 0
  std::uint64_t inside_count = 0;      ///< contains: points inside
  std::uint64_t crossing_count = 0;    ///< of all meshes together
  Health health;
  std::uint32_t status = kComplete;  ///< Status bits

  /// Whether spans were found; `verdict` says whether their sums prove an overlap.
  [[nodiscard]] bool colliding() const { return span_count != 0; }
};

/// A query on fixed arrays: captured once as a CUDA graph, replayed for every frame. Keeps its memory between frames.
class LAMELLA_API Query {
 public:
  /// With `spans`, the spans are made too, on the device.
  [[nodiscard]] static Query intersect(const DeviceMesh& a, const DeviceMesh& b, const DeviceOptions& options = {},
                                       bool spans = false);
  [[nodiscard]] static Query self_intersect(const DeviceMesh& mesh, const DeviceOptions& options = {},
                                            bool spans = false);
  /// Writes one flag per point to `inside`, in device memory with room for all; when not given, to memory of its own.
  [[nodiscard]] static Query contains(const DeviceMesh& mesh, const DevicePoints& points,
                                      const DeviceOptions& options = {}, std::uint8_t* inside = nullptr);
  ~Query();
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;

  /// Puts one frame on the stream and returns at once. One frame at a time: wait() or synchronise before the next, or
  /// use the same stream. The stream must live until wait() returns, which may repeat the frame on it.
  void launch(Stream stream);
  /// Waits for the last frame. If there was too little memory, allocates more and repeats the frame, with the arrays'
  /// contents at that time. Throws Error for an index out of range, more crossings than allowed, too little device
  /// memory, or a strict query whose health is not ok; the query can be launched again after any of these.
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

/// Many pairs at once, with an answer for each: one sequence of launches for all. For meshes on the host, see Batch in
/// batch.hpp.
class LAMELLA_API PairBatch {
 public:
  /// Mesh ids are the indices into `meshes`.
  PairBatch(std::span<const DeviceMesh> meshes, const DeviceOptions& options = {});
  ~PairBatch();
  PairBatch(PairBatch&&) noexcept;
  PairBatch& operator=(PairBatch&&) noexcept;

  /// Puts a run on the stream; first waits for a run that is still in progress. `pairs` is read only during the call.
  /// The stream must live until wait() returns, which may repeat the run on it. Invalid pairs throw Error and change
  /// nothing.
  void launch(std::span<const BatchPair> pairs, Stream stream);
  /// The same with gradients for rigid motions: samples each pair along all three axes. Its answers come from
  /// wait_gradients(). Volumes are those of launch(). Gradients have software's bits, except for the area of inner
  /// surfaces (normals are floats: within 1e-5 of it) and their mean normal, which is the force divided by that area.
  void launch_gradients(std::span<const BatchPair> pairs, Stream stream);
  /// One answer per pair, in the same order; valid until the next launch. Throws as Query::wait(). A run that failed,
  /// here or in launch(), has no answers. Error after launch_gradients().
  std::span<const PairOverlap> wait();
  std::span<const PairGradient> wait_gradients();  ///< likewise, after launch_gradients()
  /// On the device; valid only after wait() has returned, until the next launch: before that, some pairs may still need
  /// memory.
  [[nodiscard]] const PairOverlap* device_answers() const;
  [[nodiscard]] const PairGradient* device_gradients() const;  ///< likewise, after wait_gradients()

  struct LAMELLA_LOCAL State;

 private:
  std::unique_ptr<State> state_;
};

/// Where one body of a SelfBatch overlaps itself, or the pair of a GradientBatch overlaps; members as in SelfOverlap.
struct BodyOverlap {
  Verdict verdict = Verdict::clear;  ///< by the sums alone, as Answer::verdict
  Grid grid;                         ///< of the volume; zero columns when there was nothing to sample
  double volume = 0;
  double volume_error = 0;
  Vec3d centroid;
  Aabb bounds;
  std::uint32_t span_count = 0;
  Health health;

  [[nodiscard]] bool colliding() const { return verdict == Verdict::colliding; }
};

/// Many bodies at once: the volume that each covers more than once, and how it changes when each of its vertices moves.
/// Each body is sampled along all three axes, over its own box.
class LAMELLA_API SelfBatch {
 public:
  /// Gradients of all bodies' vertices, one body after another, go to `gradients`: device memory with room for all;
  /// when not given, memory of its own.
  SelfBatch(std::span<const DeviceMesh> bodies, const DeviceOptions& options = {}, Vec3* gradients = nullptr);
  ~SelfBatch();
  SelfBatch(SelfBatch&&) noexcept;
  SelfBatch& operator=(SelfBatch&&) noexcept;

  /// Puts a run over all bodies on the stream; first waits for a run that is still in progress. The stream must live
  /// until wait() returns, which may repeat the run on it.
  void launch(Stream stream);
  /// One answer per body, in the same order; valid until the next launch. Throws as Query::wait().
  std::span<const BodyOverlap> wait();
  // On the device; valid after wait() has returned, until the next launch.
  [[nodiscard]] const BodyOverlap* device_answers() const;
  /// Volume per unit of length, for each vertex. Software's bits.
  [[nodiscard]] const Vec3* device_gradients() const;

  struct LAMELLA_LOCAL State;

 private:
  std::unique_ptr<State> state_;
};

/// Many pairs of meshes that deform: the volume that each pair shares, and how it changes when each vertex of both
/// moves. Each pair is sampled along all three axes, over the box that it shares. Answers are those of
/// volume_gradient() on meshes without holes. For meshes that keep their shape, a PairBatch is faster.
class LAMELLA_API GradientBatch {
 public:
  /// Gradients of all vertices go to `gradients`: of the first pair's first mesh, of its second mesh, of the second
  /// pair's first mesh and so on. Device memory with room for all; when not given, memory of its own.
  GradientBatch(std::span<const std::array<DeviceMesh, 2>> pairs, const DeviceOptions& options = {},
                Vec3* gradients = nullptr);
  ~GradientBatch();
  GradientBatch(GradientBatch&&) noexcept;
  GradientBatch& operator=(GradientBatch&&) noexcept;

  void launch(Stream stream);           ///< as SelfBatch::launch()
  std::span<const BodyOverlap> wait();  ///< one answer per pair; as SelfBatch::wait()
  /// For rigid motions, one per pair; after wait(), until the next launch.
  [[nodiscard]] std::span<const GradientSums> sums() const;
  // On the device; valid after wait() has returned, until the next launch.
  [[nodiscard]] const BodyOverlap* device_answers() const;
  /// Volume per unit of length, for each vertex. Software's bits.
  [[nodiscard]] const Vec3* device_gradients() const;

  struct LAMELLA_LOCAL State;

 private:
  std::unique_ptr<State> state_;
};

/// Two objects of a DeviceScene that share a volume. It has no error bar: the objects share one grid, and each pair
/// would need sums of its own for every line of it.
struct DevicePair {
  ObjectId a, b;  ///< indices into the objects, a < b
  double volume = 0;
  std::uint32_t span_count = 0;   ///< intervals of rays inside both
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
  Grid grid;  ///< covers all volume that boxes of different objects share; zero columns when there is none
  std::uint32_t candidate_count = 0;  ///< pairs whose boxes share a volume
  std::uint32_t pair_count = 0;       ///< pairs that collide
  std::uint64_t point_count = 0;      ///< collision points of all pairs
  std::uint64_t crossing_count = 0;
  Health health;
  std::uint32_t status = kComplete;  ///< Status bits
};

/// Collisions among many objects whose vertices are on the device, in world coordinates. One CUDA graph finds boxes,
/// candidate pairs, one grid over all of them, inconsistent pairs and collision points. Objects are sampled where their
/// boxes overlap others'; health covers those parts, and broken vertices anywhere. Volumes are the same bits in every
/// run. All pairs of boxes are tested, which is fast enough for thousands of objects; at most 65,536 objects.
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
  [[nodiscard]] const CollisionPoint* device_points() const;  ///< ascending by column; `pair` indexes device_pairs()
  /// Copies to the host, after wait().
  void read(std::vector<DevicePair>& pairs, std::vector<CollisionPoint>& points) const;

  struct LAMELLA_LOCAL State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace lamella::cuda
