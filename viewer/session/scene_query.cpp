#include "answer/scene.hpp"

#include <algorithm>
#include <set>

#include "lamella/error.hpp"
#include "session/queries.hpp"

namespace lamella::session {
namespace {

constexpr double kLargest = 3e38;          ///< that is a float
constexpr double kMostThreshold = 1e6;     ///< as the command line's
constexpr std::size_t kMostDrawn = 2'000;  ///< pairs whose overlap is drawn

float read_cell(const Request& options) {
  const double size = options.number("cell");
  if (!(size > 0 && size <= kLargest)) throw Error("'cell' is no size: a number above 0");
  return static_cast<float>(size);
}

float read_threshold(const Request& options) {
  const double cells = options.number("threshold");
  if (!(cells >= 0 && cells <= kMostThreshold)) throw Error("'threshold' is no number of cells from 0 up");
  return static_cast<float>(cells);
}

Normals read_normals(const std::string& word) {
  if (word == "faces") return Normals::faces;
  if (word == "neighbours") return Normals::neighbours;
  throw Error("'normals' is none of: faces, neighbours");
}

/// Four numbers: where the eye is, and how many radians a pixel covers.
Screen read_screen(const Request& options) {
  const Json& list = options.member("screen");
  const bool numbers = list.is_array() && list.size() == 4 &&
                       std::all_of(list.begin(), list.end(), [](const Json& n) { return n.is_number(); });
  if (!numbers) throw Error("'screen' has not four numbers: the eye, and the angle of a pixel");
  const Screen screen{{list[0].get<double>(), list[1].get<double>(), list[2].get<double>()}, list[3].get<double>()};
  if (!(screen.pixel_angle > 0 && screen.pixel_angle <= kLargest)) throw Error("'screen' has no angle above 0");
  return screen;
}

/// What scenes alone have.
void read_sampling(const Request& given, SceneOptions& out) {
  if (given.has("cell")) out.cell = read_cell(given);
  if (given.has("screen")) out.screen = read_screen(given);
  if (given.has("views")) out.views = given.whole("views", 1, 3);
  if (given.has("normals")) out.normals = read_normals(given.text("normals"));
  if (given.has("threshold")) out.threshold = read_threshold(given);
  out.max_contacts = given.whole_or("max_contacts", out.max_contacts, 0, kMaxContacts);
}

SceneOptions scene_options(const Options& options, const Request& request) {
  const Request given = request.inside("options");
  SceneOptions out;
  read_sampling(given, out);
  out.engine = options.engine;
  out.resolution = options.resolution;
  out.axis = options.axis;
  out.threads = options.threads;
  out.tolerance = options.tolerance;
  out.certify = options.certify;
  out.max_crossings = options.max_crossings;
  out.close_holes = options.close_holes;
  out.self_overlap = request.flag("self", given.flag("self"));
  out.points = request.flag("points");
  if (!request.flag("contacts", true)) {
    out.max_contacts = 0;
    out.patches = false;
  }
  return out;
}

std::vector<Object*> read_objects(Workspace& workspace, const Request& request) {
  if (!request.has("ids")) return workspace.objects.all();
  std::vector<Object*> objects;
  std::set<std::uint32_t> seen;
  for (const std::uint32_t id : request.ids("ids")) {
    objects.push_back(&workspace.objects.at(id));
    if (!seen.insert(id).second) throw Error("'ids' names object " + std::to_string(id) + " twice");
  }
  return objects;
}

/// A pair of a scene, with the ids of its objects.
Json pair_json(const SceneResult& result, const ScenePair& pair, const Object& a, const Object& b) {
  const SceneGroup& group = result.groups[pair.group];
  Json out{{"a", a.id}, {"b", b.id}};
  out["volume"] = pair.volume ? Json(*pair.volume) : Json(nullptr);
  out["volume_error"] = pair.volume_error ? Json(*pair.volume_error) : Json(nullptr);
  out["depth"] = answer::shortest(pair.depth);
  out["centroid"] = answer::to_json(pair.centroid);
  out["bounds"] = answer::to_json(group.grid.box, group.origin);
  out["contacts"] = Json::array();
  for (const Contact& c : result.contacts_of(pair)) out["contacts"].push_back(answer::contact_json(c));
  out["patches"] = Json::array();
  for (const ContactPatch& p : result.patches_of(pair)) out["patches"].push_back(answer::patch_json(p));
  return out;
}

/// What the two share, to be drawn.
void add_drawn(Workspace& workspace, Options options, Object& a, Object& b, const Request& request, Json& out,
               PacketWriter& writer) {
  if (request.wants("solids")) out["solid"] = solid_json(a, b, options, request, writer);
  if (!request.wants("spans")) return;
  options.keep_spans = true;
  const Overlap& overlap = workspace.detectors.intersect(a, b, options);
  out["spans"] = spans_json(overlap.grid, overlap.origin, overlap.spans, writer);
}

}  // namespace

Json query_scene(Workspace& workspace, const Request& request, PacketWriter& writer) {
  const Options options = read_options(workspace, request);
  const std::vector<Object*> objects = read_objects(workspace, request);
  const answer::SceneAsked asked{scene_options(options, request), [&](std::uint32_t i) { return objects[i]->name; }};
  const SceneResult& result = workspace.scenes.collide(objects, asked.options);
  Json names = Json::array(), pairs = Json::array(), undecided = Json::array(), defects = Json::array();
  for (const Object* object : objects) names.push_back(object->name);
  const auto id_of = [&](ObjectId number) { return objects[number.number]->id; };
  for (const ScenePair& p : result.pairs) {
    Object &a = *objects[p.a.number], &b = *objects[p.b.number];
    pairs.push_back(pair_json(result, p, a, b));
    if (pairs.size() <= kMostDrawn) add_drawn(workspace, options, a, b, request, pairs.back(), writer);
  }
  for (const SceneDoubt& d : result.undecided)
    undecided.push_back({{"a", id_of(d.a)}, {"b", id_of(d.b)}, {"why", answer::doubt_text(d, asked)}});
  for (const SceneDefect& d : result.defects) {
    defects.push_back({{"id", id_of(d.object)},
                       {"open_columns", d.open_columns},
                       {"skipped_triangles", d.skipped_triangles},
                       {"inside_out_columns", d.inside_out_columns},
                       {"closed_edges", d.closed_edges}});
  }
  answer::SceneJsonEnds ends;
  ends.head = {{"query", "scene"}, {"objects", result.object_count}};
  ends.tail["names"] = std::move(names);
  Json out{{"answer", answer::scene_json(result, asked, ends)}};
  out["answer"]["pairs_detail"] = std::move(pairs);
  out["undecided"] = std::move(undecided);
  out["defects"] = std::move(defects);
  return out;
}

}  // namespace lamella::session
