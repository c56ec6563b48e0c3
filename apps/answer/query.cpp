#include "answer/query.hpp"

namespace lamella::answer {
namespace {

constexpr std::string_view axis_name(Axis axis) { return axis == Axis::x ? "x" : axis == Axis::y ? "y" : "z"; }

Json motion_json(const MotionGradient& motion) {
  return {{"translation", to_json(motion.translation)}, {"rotation", to_json(motion.rotation)}};
}

Json surface_json(const InnerSurface& surface) { return {{"area", surface.area}, {"normal", to_json(surface.normal)}}; }

}  // namespace

Json health_json(const Health& health) {
  Json out{{"open_columns", health.open_columns},
           {"skipped_triangles", health.skipped_triangles},
           {"ok", health.ok()},
           {"occupied_columns", health.occupied_columns},
           {"inside_out_columns", health.inside_out_columns},
           {"untrusted_volume", health.untrusted_volume}};
  out["dropped_crossings"] = health.dropped_crossings;
  out["uncertain_spans"] = health.uncertain_spans;
  out["closed_edges"] = health.closed_edges;
  if (health.closed_edges != 0) {
    out["fan_area"] = health.fan_area;
    out["closing_volume"] = health.closing_volume;
  }
  return out;
}

void add_grid(Json& out, const Grid& grid, Vec3d origin, std::uint32_t asked) {
  const bool sampled = grid.column_count() != 0;
  out["voi"] = sampled ? to_json(grid.box, origin) : Json(nullptr);
  out["axis"] = sampled ? Json(axis_name(grid.axis)) : Json(nullptr);
  out["resolution"] = sampled ? Json{grid.columns, grid.rows} : Json{asked, asked};
}

void add_engine_health_ms(Json& out, const std::string& engine, const Health& health, const Timings& ms,
                          std::uint64_t read_back_bytes, double load_ms) {
  out["engine"] = engine;
  out["health"] = health_json(health);
  out["ms"] = {{"voi", ms.voi}, {"ldi", ms.ldi}, {"query", ms.query}, {"total", ms.total()}, {"load", load_ms}};
  if (ms.gpu > 0) out["ms"]["gpu"] = ms.gpu;
  if (read_back_bytes > 0) out["read_back_bytes"] = read_back_bytes;
}

Json certificate_json(const Certificate& certificate) {
  Json out{{"certain", certificate.certain}, {"touching", certificate.touching}};
  out["witness"] = certificate.witness ? to_json(*certificate.witness) : Json(nullptr);
  out["triangles"] = certificate.triangles ? Json(*certificate.triangles) : Json(nullptr);
  return out;
}

Json patch_json(const ContactPatch& p) {
  return {{"normal", plain_json(p.normal)}, {"depth", p.depth},   {"area", p.area},
          {"center", to_json(p.center)},    {"volume", p.volume}, {"one_sided", p.one_sided}};
}

Json gradient_json(const GradientSums& sums, Vec3d centroid, bool pair) {
  Json out;
  out["pivot"] = to_json(centroid);
  out["a"] = motion_json(sums.a);
  if (pair) out["b"] = motion_json(sums.b);
  out["moments"] = {to_json(sums.moments[0]), to_json(sums.moments[1]), to_json(sums.moments[2])};
  out["inner_a"] = surface_json(sums.inner_a);
  if (pair) out["inner_b"] = surface_json(sums.inner_b);
  return out;
}

Json overlap_json(std::string_view query, const Overlap& overlap, std::uint32_t asked, const Subjects& subjects) {
  Json out;
  out["query"] = query;
  out["colliding"] = overlap.colliding();
  out["verdict"] = to_string(overlap.verdict);
  out["volume"] = overlap.volume;
  out["volume_error"] = overlap.volume_error;
  out["centroid"] = overlap.colliding() ? to_json(overlap.centroid) : Json(nullptr);
  out["bounds"] = overlap.colliding() ? to_json(overlap.bounds, overlap.origin) : Json(nullptr);
  add_grid(out, overlap.grid, overlap.origin, asked);
  out["spans"] = overlap.span_count;
  add_engine_health_ms(out, overlap.engine, overlap.health, overlap.ms, overlap.read_back_bytes, subjects.load_ms);
  if (subjects.tolerance) out["tolerance_met"] = overlap.tolerance_met;
  if (subjects.certify) out["certificate"] = certificate_json(overlap.certificate);
  out["doubts"] = Json::array();
  for (const Doubt& doubt : overlap.doubts) out["doubts"].push_back(describe(doubt, subjects.names));
  if (overlap.alternating) out["alternating"] = true;
  out["files"] = subjects.names;
  return out;
}

Json self_json(const SelfOverlap& overlap, std::uint32_t asked, const Subjects& subjects) {
  Json out = overlap_json("self", overlap, asked, subjects);
  out["inside_out"] = {{"volume", overlap.inside_out_volume}, {"spans", overlap.inside_out.size()}};
  return out;
}

Json contain_json(const Containment& answer, std::uint32_t asked, bool exact, const Subjects& subjects) {
  Json out;
  out["query"] = "contain";
  out["inside"] = answer.inside_count;
  out["points"] = answer.inside.size();
  out["unknown"] = answer.health.untrusted_points;
  if (exact) out["exact"] = true;
  if (answer.box) {
    out["box"] = to_json(*answer.box);
    out["not_looked_at"] = answer.not_looked_at;
  }
  add_grid(out, answer.grid, answer.origin, asked);
  add_engine_health_ms(out, answer.engine, answer.health, answer.ms, answer.read_back_bytes, subjects.load_ms);
  if (answer.alternating) out["alternating"] = true;
  out["health"]["untrusted_points"] = answer.health.untrusted_points;
  out["files"] = subjects.names;
  return out;
}

Json repair_json(const RepairReport& r) {
  return {{"changed", r.changed()},
          {"unusable_faces", r.unusable_faces},
          {"welded_vertices", r.welded_vertices},
          {"unused_vertices", r.unused_vertices},
          {"degenerate_faces", r.degenerate_faces},
          {"doubled_faces", r.doubled_faces},
          {"turned_faces", r.turned_faces},
          {"turned_shells", r.turned_shells},
          {"shells", r.shells},
          {"cavities", r.cavities},
          {"closed_holes", r.closed_holes},
          {"closed_edges", r.closed_edges},
          {"fan_area", r.fan_area},
          {"remaining",
           {{"open_edges", r.open_edges},
            {"one_sided_patches", r.one_sided_patches},
            {"unjudged_shells", r.unjudged_shells}}}};
}

}  // namespace lamella::answer
