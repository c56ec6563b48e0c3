#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/engines.hpp"
#include "bench/measure.hpp"
#include "bench/paper/cases.hpp"

namespace lamella::cli {

/// What one engine made of one of the papers' cases.
struct Result {
  struct Timing {
    unsigned threads = 1;
    Measured ms;
  };

  const PaperCase* paper_case = nullptr;
  const BenchEngine* engine = nullptr;
  std::size_t faces = 0;        ///< that the models really have
  std::vector<Timing> timings;  ///< for each number of threads; of an engine on a GPU one, with the most threads
  std::optional<Measured> still = std::nullopt;  ///< on a GPU, where nothing moves: without uploading anything

  /// The paper's figure for this engine.
  [[nodiscard]] PaperFigures::Figure to_beat() const { return paper_case->paper.to_beat(*engine); }
  [[nodiscard]] double speed_up(const Measured& ours) const { return to_beat().ms / ours.total; }
};

/// Frames per second with the motion of the scene.
[[nodiscard]] inline double fps(const Measured& ours) { return 1000 / (ours.motion + ours.total); }

/// One object of the JSON lines.
[[nodiscard]] nlohmann::ordered_json to_json(const Result& result, const Result::Timing& timing);

/// What was measured and how, above all tables.
[[nodiscard]] std::string introduction(const std::vector<BenchEngine>& engines, const std::vector<unsigned>& threads);

/// A paper's table with our figures, under its title. With engines on a GPU among the results each engine and number of
/// threads has a line of its own; otherwise numbers of threads are beside each other.
[[nodiscard]] std::string to_text(const PaperTable& table, const std::vector<Result>& results,
                                  const std::vector<unsigned>& threads);

}  // namespace lamella::cli
