#pragma once

#include <span>
#include <unordered_map>

#include "lamella/detector.hpp"

namespace lamella::cli {

/// One run of a workload, in milliseconds unless said otherwise.
struct Sample {
  double ldi = 0;        ///< the papers' stages 1 and 2: bounds, volume of interest, LDIs
  double query = 0;      ///< their stage 3
  double upload = 0;     ///< of positions to a GPU
  double total = 0;      ///< wall clock around the calls, uploads included
  double gpu = 0;        ///< of the total, by the GPU's own timer
  double read_back = 0;  ///< bytes fetched from the GPU
  double motion = 0;     ///< moving the meshes, where that is timed; not in the total
  double answer = 0;     ///< shared volume, or points inside
};

/// How meshes come to the engine.
enum class Supply {
  view,      ///< the caller's arrays, read in place: for engines on the CPU
  uploaded,  ///< kept by the detector; every run uploads all positions, since any may have moved
  resident,  ///< kept by the detector and standing still: no run uploads any
};

/// A detector that times its calls into samples.
class TimedDetector {
 public:
  TimedDetector(const Options& options, Supply supply) : detector_(options), supply_(supply) {}

  /// A mesh as the queries of one run take it.
  struct Subject {
    MeshView view;
    MeshId kept;
  };

  /// Brings a mesh to where the engine wants it, once in every run. It is known by its array of triangles, which must
  /// stay in place; it is added in the first run, which is one to warm up.
  [[nodiscard]] Subject ready(MeshView mesh, Sample& sample);

  [[nodiscard]] bool on_gpu() const { return supply_ != Supply::view; }

  void intersect(const Subject& a, const Subject& b, Sample& sample);
  void self_intersect(const Subject& mesh, Sample& sample);
  void contains(const Subject& mesh, std::span<const Vec3> points, Sample& sample);

 private:
  Detector detector_;
  Supply supply_;
  std::unordered_map<const Triangle*, MeshId> kept_;
};

}  // namespace lamella::cli
