#pragma once

#include <functional>
#include <span>
#include <unordered_map>

#include "bench/measure.hpp"
#include "lamella/detector.hpp"

namespace lamella::bench {

/// How meshes come to the engine.
enum class Supply {
  view,      ///< the caller's arrays, read in place: for engines on the CPU
  uploaded,  ///< kept by the detector; every run uploads all positions, since any may have moved
  resident,  ///< kept by the detector and standing still: no run uploads any
};

/// A detector that adds the times of its calls to a sample, in milliseconds: "ms.ldi" (the papers' stages 1 and 2:
/// bounds, volume of interest, LDIs), "ms.query" (their stage 3) and "ms.total" (wall clock around the calls, uploads
/// included); on a GPU also "upload_ms", "gpu_ms" (of the total, by the GPU's own timer) and "read_back_bytes". What
/// was found is added to "answer": shared volume, or points inside.
class TimedDetector {
 public:
  TimedDetector(const Options& options, Supply supply) : detector_(options), supply_(supply) {}

  /// A mesh as the queries of one run take it.
  struct Subject {
    MeshView view;
    ObjectId kept;
  };

  /// Brings a mesh to where the engine wants it, once in every run. It is known by its array of triangles, which must
  /// stay in place; it is added in the first run, which is one to warm up.
  [[nodiscard]] Subject ready(MeshView mesh, Row& sample);

  [[nodiscard]] bool on_gpu() const { return supply_ != Supply::view; }

  void intersect(const Subject& a, const Subject& b, Row& sample);
  void self_intersect(const Subject& mesh, Row& sample);
  void contains(const Subject& mesh, std::span<const Vec3> points, Row& sample);

 private:
  template <class Answer>
  void add(Row& sample, const Answer& answer, double total) const;

  Detector detector_;
  Supply supply_;
  std::unordered_map<const Triangle*, ObjectId> kept_;
};

/// Something to time: `run` answers the frame's question, with all it needs made beforehand.
struct Workload {
  std::size_t faces = 0;  ///< triangles of all its meshes
  std::size_t frames = 1;
  std::function<Row(TimedDetector& detector, std::size_t frame)> run;
  bool self_overlap = false;  ///< asks where a mesh overlaps itself, which not every engine can answer

  [[nodiscard]] bool stands_still() const { return frames == 1; }
};

/// At least 15 runs after warm-up, and one of each frame; more as long as they take little time.
[[nodiscard]] Samples measure(const Workload& workload, TimedDetector& detector);

}  // namespace lamella::bench
