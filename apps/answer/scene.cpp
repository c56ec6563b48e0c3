#include "answer/scene.hpp"

#include <algorithm>
#include <utility>

#include "answer/query.hpp"

namespace lamella::answer {
namespace {

/// Of JSON, handed on at a time.
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

template <class Of>
Json of_pairs(const SceneResult& result, const Of& of) {
  Json out = Json::array();
  for (const ScenePair& p : result.pairs) out.push_back(of(p));
  return out;
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json point_json(const SceneResult& result, const CollisionPoint& p) {
  const ScenePair& pair = result.pairs[p.pair];
  return {{"a", pair.a.number},      {"b", pair.b.number},      {"position", to_json((p.on_a + p.on_b) * 0.5)},
          {"on_a", to_json(p.on_a)}, {"on_b", to_json(p.on_b)}, {"front_a", p.front_a},
          {"front_b", p.front_b},    {"face_a", p.triangle_a},  {"face_b", p.triangle_b}};
}

/// With the numbers of the objects in front.
Json of_pair(const ScenePair& pair, const Json& item) {
  Json out{{"a", pair.a.number}, {"b", pair.b.number}};
  out.update(item);
  return out;
}

Json groups_json(const SceneResult& result, std::uint32_t asked) {
  Json groups = Json::array();
  for (const SceneGroup& group : result.groups) {
    Json out{{"objects", group.object_count}, {"candidates", group.candidate_count}};
    add_grid(out, group.grid, group.origin, asked);
    groups.push_back(std::move(out));
  }
  return groups;
}

Json defects_json(const SceneResult& result) {
  Json defects = Json::array();
  for (const SceneDefect& d : result.defects) {
    defects.push_back({{"object", d.object.number},
                       {"open_columns", d.open_columns},
                       {"skipped_triangles", d.skipped_triangles},
                       {"inside_out_columns", d.inside_out_columns},
                       {"closed_edges", d.closed_edges}});
  }
  return defects;
}

}  // namespace

std::string_view cause_word(Doubt::Cause cause) {
  switch (cause) {
    case Doubt::Cause::open_columns:
      return "open_columns";
    case Doubt::Cause::inside_out:
      return "inside_out";
    case Doubt::Cause::skipped_triangles:
      return "skipped_triangles";
    case Doubt::Cause::dropped_crossings:
      return "dropped_crossings";
    case Doubt::Cause::touching:
      return "touching";
    case Doubt::Cause::closed_holes:
      return "closed_holes";
  }
  return "";
}

namespace {

Json undecided_json(const SceneResult& result, const SceneAsked& asked) {
  Json undecided = Json::array();
  for (const SceneDoubt& d : result.undecided) {
    Json out{{"a", d.a.number}, {"b", d.b.number}, {"cause", cause_word(d.doubt.cause)}, {"count", d.doubt.count}};
    if (d.doubt.mesh >= 0) out["object"] = (d.doubt.mesh == 0 ? d.a : d.b).number;
    out["why"] = doubt_text(d, asked);
    undecided.push_back(std::move(out));
  }
  return undecided;
}

Json ms_json(const Timings& ms, double load_ms) {
  Json out{{"broad", ms.broad},   {"place", ms.voi},         {"ldi", ms.ldi},       {"pairs", ms.query},
           {"points", ms.points}, {"contacts", ms.contacts}, {"total", ms.total()}, {"load", load_ms}};
  if (ms.gpu > 0) out["gpu"] = ms.gpu;
  return out;
}

/// What comes before the points and contacts.
Json head_json(const SceneResult& result, const SceneJsonEnds& ends) {
  Json head = ends.head;
  head["pairs"] = of_pairs(result, [](const ScenePair& p) { return Json{p.a.number, p.b.number}; });
  head["volumes"] = of_pairs(result, [](const ScenePair& p) { return number_or_null(p.volume); });
  head["volume_errors"] = of_pairs(result, [](const ScenePair& p) { return number_or_null(p.volume_error); });
  return head;
}

/// What follows the points and contacts.
Json tail_json(const SceneResult& result, const SceneAsked& asked, const SceneJsonEnds& ends) {
  const SceneOptions& options = asked.options;
  Json out;
  out["groups"] = groups_json(result, options.resolution);
  out["self_overlaps"] = Json::array();
  for (const SceneSelfOverlap& s : result.self_overlaps) {
    out["self_overlaps"].push_back({{"object", s.object.number}, {"volume", s.volume}});
  }
  if (ends.engine) out["engine"] = result.engine;
  out["colliding"] = result.colliding();
  out["health"] = health_json(result.health);
  out["defects"] = defects_json(result);
  out["ms"] = ms_json(result.ms, asked.load_ms);
  out["verdict"] = to_string(result.verdict);
  out["undecided"] = undecided_json(result, asked);
  out["candidates"] = result.candidate_count;
  if (options.tolerance) {
    out["refined"] = result.refined_count;
    out["tolerance_met"] = missed_tolerances(result) == 0;
  }
  if (options.certify) {
    out["certified"] = result.certified_count;
    out["certificates"] = of_pairs(result, [](const ScenePair& p) { return certificate_json(p.certificate); });
  }
  out["more_contacts"] = of_pairs(result, [](const ScenePair& p) { return p.more_contacts; });
  if (options.method == PairMethod::jang) {
    out["method"] = "jang";
    out["passed_over"] = result.passed_over;
    out["pairs_may_be_missing"] = result.passed_over > 0;
  }
  if (result.round_count > 0) out["rounds"] = result.round_count;
  if (result.read_back_bytes > 0) out["read_back_bytes"] = result.read_back_bytes;
  out.update(ends.tail);
  return out;
}

/// Calls list(name) for "points", "contacts" and "patches", and after each item(json) for what belongs to it.
template <class List, class Item>
void list_all(const SceneResult& result, const List& list, const Item& item) {
  list("points");
  for (const CollisionPoint& p : result.points) item(point_json(result, p));
  list("contacts");
  for (const ScenePair& pair : result.pairs)
    for (const Contact& c : result.contacts_of(pair)) item(of_pair(pair, contact_json(c)));
  list("patches");
  for (const ScenePair& pair : result.pairs)
    for (const ContactPatch& p : result.patches_of(pair)) item(of_pair(pair, patch_json(p)));
}

}  // namespace

void write_scene_json(const SceneResult& result, const SceneAsked& asked, const SceneJsonEnds& ends,
                      const std::function<void(std::string_view)>& sink) {
  std::string text = to_line(head_json(result, ends));
  text.back() = ',';
  bool in_list = false;
  const char* before = "";  // the next item
  const auto list = [&](const char* name) {
    if (std::exchange(in_list, true)) text += "],";
    text += '"';
    text += name;
    text += "\":[";
    before = "";
  };
  const auto item = [&](const Json& value) {
    text += std::exchange(before, ",");
    text += to_line(value);
    if (text.size() < kPieceBytes) return;
    sink(text);
    text.clear();
  };
  list_all(result, list, item);
  text += "],";
  sink(text);
  sink(to_line(tail_json(result, asked, ends)).substr(1));
}

Json scene_json(const SceneResult& result, const SceneAsked& asked, const SceneJsonEnds& ends) {
  Json out = head_json(result, ends);
  Json* items = nullptr;
  list_all(
      result, [&](const char* name) { items = &(out[name] = Json::array()); },
      [&](Json value) { items->push_back(std::move(value)); });
  out.update(tail_json(result, asked, ends));
  return out;
}

Json contact_json(const Contact& c) {
  return {{"position", to_json(c.position)}, {"normal", to_json(c.normal)}, {"depth", shortest(c.depth)}, {"id", c.id}};
}

std::size_t missed_tolerances(const SceneResult& result) {
  return static_cast<std::size_t>(
      std::count_if(result.pairs.begin(), result.pairs.end(), [](const ScenePair& p) { return !p.tolerance_met; }));
}

std::string doubt_text(const SceneDoubt& d, const SceneAsked& asked) {
  const std::string names[] = {asked.label(d.a.number), asked.label(d.b.number)};
  return describe(d.doubt, names);
}

}  // namespace lamella::answer
