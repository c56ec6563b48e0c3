#include <nlohmann/json.hpp>

#include "bench/measure.hpp"
#include "bench/scene/tables.hpp"

namespace lamella::cli {
namespace {

using Json = nlohmann::ordered_json;

void add_case(Json& out, const SceneRow& row) {
  if (!row.models.empty()) {
    out["models"] = row.models;
    out["overlap"] = row.overlap;
    out["resolution"] = row.resolution;
    out["stream_ms"] = rounded(row.stream_ms);
  }
  if (row.side > 0) out["side"] = rounded(row.side);
  if (row.cell > 0) out["cell"] = rounded(row.cell);
  if (row.distance > 0) out["distance"] = rounded(row.distance * row.side);
}

}  // namespace

Json to_json(const SceneTable& table, const SceneRow& row) {
  const SceneSample& s = row.ms();
  Json out{{"bench", "scene"},
           {"table", table.name},
           {"objects", row.objects},
           {"faces", row.faces},
           {"motion", row.motion},
           {"views", row.views},
           {"engine", row.runner.engine->name},
           {"threads", row.runner.threads}};
  add_case(out, row);
  out["candidates"] = rounded(s.candidates);
  out["pairs"] = rounded(s.pair_count);
  out["points"] = rounded(s.point_count);
  out["contacts"] = rounded(s.contact_count);
  out["ms"] = {{"update", rounded(s.update)},     {"broad", rounded(s.broad)}, {"place", rounded(s.place)},
               {"ldi", rounded(s.ldi)},           {"pairs", rounded(s.pairs)}, {"points", rounded(s.points)},
               {"contacts", rounded(s.contacts)}, {"test", rounded(s.test())}, {"total", rounded(s.total)}};
  if (table.name == "JANG-1") {
    out["paper_ms"] = nullptr;
    if (row.paper_ms > 0) {
      out["paper_ms"] = row.paper_ms;
      out["speedup"] = rounded(row.paper_ms / s.test());
    }
  }
  if (row.all_pairs_ms > 0) {
    out["sweep_and_prune_ms"] = rounded(row.sweep_ms);
    out["all_pairs_ms"] = rounded(row.all_pairs_ms);
  }
  if (row.runner.engine->gpu) {
    out["gpu_ms"] = rounded(s.gpu);
    out["rounds"] = rounded(s.rounds);
    out["read_back_bytes"] = rounded(s.read_back);
  }
  out["groups"] = rounded(s.groups);
  out["columns"] = rounded(s.columns);
  out["min_cell"] = rounded(row.measured.min_cell);
  out["max_cell"] = rounded(row.measured.max_cell);
  out["worst_frame_ms"] = rounded(row.measured.worst);
  out["frames"] = row.measured.frames;
  out["runs"] = row.measured.runs;
  return out;
}

}  // namespace lamella::cli
