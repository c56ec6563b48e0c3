#include "answer/clash.hpp"

#include <array>
#include <cmath>

#include "answer/scene.hpp"

namespace lamella::answer {
namespace {

/// Of JSON, handed on at a time.
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json box_json(Vec3d min, Vec3d max) { return {{"min", plain_json(min)}, {"max", plain_json(max)}}; }

Json rule_json(const ClashOptions& options, std::uint32_t rule) {
  if (rule == kNoRule) return nullptr;
  const std::string& name = options.rules[rule].name;
  return name.empty() ? "rule " + std::to_string(rule + 1) : name;
}

Json mesh_json(const Assembly& assembly, std::uint32_t mesh) {
  return mesh < assembly.mesh_names.size() ? text_or_null(assembly.mesh_names[mesh]) : Json(nullptr);
}

Json regions_json(const std::vector<ClashRegion>& regions) {
  Json out = Json::array();
  for (const ClashRegion& r : regions)
    out.push_back({{"volume", r.volume}, {"centroid", plain_json(r.centroid)}, {"bounds", box_json(r.min, r.max)}});
  return out;
}

Json doubts_json(const ClashPair& pair, const Assembly& assembly) {
  const std::array<std::string, 2> names{assembly.parts[pair.a].name, assembly.parts[pair.b].name};
  Json out = Json::array();
  for (const Doubt& doubt : pair.doubts) {
    Json d{{"cause", cause_word(doubt.cause)}, {"count", doubt.count}};
    if (doubt.mesh >= 0) d["part"] = names[doubt.mesh == 0 ? 0 : 1];
    d["why"] = describe(doubt, names);
    out.push_back(std::move(d));
  }
  return out;
}

Json finding_json(const ClashFinding& finding, const ClashReport& report, const ClashAsked& asked) {
  Json out{{"class", to_string(finding.kind)},
           {"meshes", {mesh_json(asked.assembly, finding.mesh_a), mesh_json(asked.assembly, finding.mesh_b)}},
           {"rule", rule_json(asked.options, finding.rule)},
           {"allowed", finding.allowed},
           {"undecided", finding.undecided},
           {"places", finding.pairs.size()},
           {"largest_volume", finding.largest_volume},
           {"total_volume", finding.total_volume},
           {"largest_depth", finding.largest_depth},
           {"smallest_distance", finite_or_null(finding.smallest_distance)}};
  const ClashPair& worst = report.pairs[finding.pairs.front()];
  out["worst"] = {asked.assembly.parts[worst.a].name, asked.assembly.parts[worst.b].name};
  out["pairs"] = finding.pairs;
  return out;
}

Json names_json(const std::vector<std::uint32_t>& parts, const Assembly& assembly) {
  Json names = Json::array();
  for (const std::uint32_t part : parts) names.push_back(assembly.parts[part].name);
  return names;
}

Json head_json(const ClashReport& report, const ClashAsked& asked) {
  Json head{{"query", "clash"}, {"format", 1}, {"title", asked.title}, {"complete", report.complete}};
  head.update(asked.head);
  head["unit"] = text_or_null(asked.unit);
  head["parts"] = report.part_count;
  head["meshes"] = report.mesh_count;
  head["triangles"] = report.triangle_count;
  head["candidates"] = report.candidate_count;
  head["tested"] = report.tested_count;
  head["ignored"] = report.ignored_count;
  head["unusable_parts"] = names_json(report.unusable_parts, asked.assembly);
  head["damaged_parts"] = names_json(report.damaged_parts, asked.assembly);
  Json counts = Json::object();
  for (std::size_t i = 1; i < kClashClasses; ++i) {
    const auto kind = static_cast<ClashClass>(i);
    counts[std::string(to_string(kind))] = report.count(kind);
  }
  std::uint64_t allowed = 0;
  for (const ClashPair& pair : report.pairs) allowed += pair.allowed ? 1 : 0;
  counts["allowed"] = allowed;
  counts["undecided"] = report.undecided_count();
  head["counts"] = std::move(counts);
  return head;
}

const char* name_of(WayOut way) { return way == WayOut::none ? "none" : way == WayOut::normal ? "normal" : "shortest"; }

Json options_json(const ClashOptions& options) {
  Json out{{"clearance", options.clearance},      {"touch", options.touch},     {"resolution", options.resolution},
           {"way_out", name_of(options.way_out)}, {"certify", options.certify}, {"close_holes", options.close_holes},
           {"keep_clear", options.keep_clear},    {"tolerance", nullptr}};
  if (options.tolerance && options.tolerance->relative > 0)
    out["tolerance"] = {{"relative", options.tolerance->relative}};
  if (options.tolerance && options.tolerance->absolute > 0)
    out["tolerance"] = {{"absolute", options.tolerance->absolute}};
  return out;
}

Json tail_json(const ClashReport& report, const ClashAsked& asked) {
  Json out{
      {"options", options_json(asked.options)},
      {"engine", report.engine},
      {"ms",
       {{"broad", report.broad_ms}, {"pairs", report.pairs_ms}, {"total", report.total_ms}, {"load", asked.load_ms}}}};
  out.update(asked.tail);
  return out;
}

}  // namespace

Json clash_pair_json(const ClashReport& report, std::uint32_t index, const ClashAsked& asked) {
  const ClashPair& pair = report.pairs[index];
  const AssemblyPart &a = asked.assembly.parts[pair.a], &b = asked.assembly.parts[pair.b];
  const bool apart = pair.volume == 0 && pair.verdict != Verdict::colliding && std::isfinite(pair.distance);
  const auto number = [&](std::uint32_t part) { return asked.part_number ? asked.part_number(part) : part; };
  Json out{{"a", a.name},
           {"b", b.name},
           {"part_a", number(pair.a)},
           {"part_b", number(pair.b)},
           {"class", to_string(pair.kind)},
           {"result", asked.result(index)},
           {"verdict", to_string(pair.verdict)},
           {"certain", pair.certain},
           {"allowed", pair.allowed},
           {"rule", rule_json(asked.options, pair.rule)},
           {"volume", pair.volume},
           {"volume_error", pair.volume_error},
           {"tolerance_met", pair.tolerance_met},
           {"depth", pair.depth},
           {"way_out", pair.way_out == Vec3d{} ? Json(nullptr) : plain_json(pair.way_out)},
           {"distance", finite_or_null(pair.distance)},
           {"on_a", apart ? plain_json(pair.on_a) : Json(nullptr)},
           {"on_b", apart ? plain_json(pair.on_b) : Json(nullptr)},
           {"centroid", plain_json(pair.centroid)},
           {"bounds", box_json(pair.min, pair.max)},
           {"region_count", pair.region_count},
           {"regions", regions_json(pair.regions)},
           {"doubts", doubts_json(pair, asked.assembly)}};
  if (asked.change) out["change"] = asked.change(index);
  return out;
}

void write_clash_json(const ClashReport& report, const ClashAsked& asked,
                      const std::function<void(std::string_view)>& sink) {
  std::string text = to_line(head_json(report, asked));
  const auto list = [&](const char* name, std::size_t count, const auto& item) {
    text.append(",\"").append(name).append("\":[");
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) text += ',';
      text += to_line(item(i));
      if (text.size() < kPieceBytes) continue;
      sink(text);
      text.clear();
    }
    text += ']';
  };
  text.pop_back();
  list("findings", report.findings.size(),
       [&](std::size_t i) { return finding_json(report.findings[i], report, asked); });
  list("pairs", report.pairs.size(),
       [&](std::size_t i) { return clash_pair_json(report, static_cast<std::uint32_t>(i), asked); });
  text += ',';
  sink(text);
  sink(to_line(tail_json(report, asked)).substr(1));
}

}  // namespace lamella::answer
