#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lamella/detector.hpp"

namespace lamella::cli {

/// One run of a workload, in milliseconds.
struct Sample {
  double ldi = 0;     ///< the papers' stages 1 and 2: bounds, volume of interest, LDIs
  double query = 0;   ///< their stage 3
  double total = 0;   ///< wall clock around the calls
  double motion = 0;  ///< moving the meshes, where that is timed; not in the total
  double answer = 0;  ///< shared volume, or points inside
};

/// Something to time: `run` answers the frame's question, with all it needs made beforehand.
struct Workload {
  std::size_t faces = 0;  ///< triangles of all its meshes
  std::size_t frames = 1;
  std::function<Sample(Detector& detector, std::size_t frame)> run;
};

/// Medians over all runs.
struct Measured {
  double ldi = 0, query = 0, total = 0, motion = 0;
  double min = 0, max = 0;  ///< of the frames' median totals
  double answer = 0;        ///< of the frame where it is largest
  std::size_t runs = 0;
};

/// At least 15 runs after warm-up; more as long as they take little time. Every run is of the next frame.
[[nodiscard]] Measured measure(const Workload& workload, Detector& detector);

/// Of a list that is not empty.
[[nodiscard]] double median(std::vector<double> values);

/// To a millionth: what a clock can tell, in fewer digits.
[[nodiscard]] double rounded(double value);

/// Names of the engines meant by `name`: itself; "automatic": the one that picks; "all": every available one but the
/// reference. Throws Error like make_engine.
[[nodiscard]] std::vector<std::string> engine_names(const std::string& name);

/// Cores that this process may use.
[[nodiscard]] unsigned core_count();

/// What a benchmark ran on, as lines for people.
[[nodiscard]] std::string describe_machine();

}  // namespace lamella::cli
