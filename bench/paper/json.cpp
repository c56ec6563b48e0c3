#include <nlohmann/json.hpp>

#include "bench/paper/result.hpp"

namespace lamella::cli {
namespace {

using Json = nlohmann::ordered_json;

void add_paper(Json& out, const Result& result) {
  const PaperFigures& paper = result.paper_case->paper;
  if (paper.software > 0) {
    out["paper_ordered_ms"] = paper.ordered;
    out["paper_unordered_ms"] = paper.unordered;
    if (result.engine->gpu) out["paper_software_ms"] = paper.software;  // otherwise paper_ms says it
  }
  if (paper.software_max > 0) {
    out["paper_ordered_max_ms"] = paper.ordered_max;
    out["paper_unordered_max_ms"] = paper.unordered_max;
    if (result.engine->gpu) out["paper_software_max_ms"] = paper.software_max;
    out["paper_max_ms"] = result.to_beat().max;
  }
  if (paper.stage3 > 0) {
    out["paper_stage12_ms"] = paper.stage12;
    out["paper_stage3_ms"] = paper.stage3;
  }
  if (paper.fps > 0) out["paper_fps"] = paper.fps;
}

void add_gpu(Json& out, const Result& result, const Measured& ours) {
  out["upload_ms"] = rounded(ours.upload);
  out["gpu_ms"] = rounded(ours.gpu);
  out["read_back_bytes"] = ours.read_back;
  if (result.still) out["still_ms"] = rounded(result.still->total);
}

}  // namespace

Json to_json(const Result& result, const Result::Timing& timing) {
  const PaperCase& c = *result.paper_case;
  const Measured& ours = timing.ms;
  Json out{{"bench", "paper"},
           {"table", c.table},
           {"row", c.row},
           {"faces", c.faces},
           {"points", c.points},
           {"resolution", c.resolution},
           {"engine", result.engine->name},
           {"threads", timing.threads},
           {"ms", {{"ldi", rounded(ours.ldi)}, {"query", rounded(ours.query)}, {"total", rounded(ours.total)}}},
           {"paper_ms", nullptr}};
  if (result.to_beat().ms > 0) {
    out["paper_ms"] = rounded(result.to_beat().ms);
    add_paper(out, result);
    out["speedup"] = rounded(result.speed_up(ours));
  }
  out["min_ms"] = rounded(ours.min);
  out["max_ms"] = rounded(ours.max);
  if (c.paper.fps > 0) {
    out["motion_ms"] = rounded(ours.motion);
    out["fps"] = rounded(fps(ours));
  }
  if (result.engine->gpu) add_gpu(out, result, ours);
  out["models"] = c.models;
  out["actual_faces"] = result.faces;
  out["runs"] = ours.runs;
  out[c.points > 0 ? "inside" : "volume"] = ours.answer;
  return out;
}

}  // namespace lamella::cli
