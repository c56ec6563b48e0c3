// Views as files, and the data of reports.

#include <algorithm>

#include "lamella/error.hpp"
#include "session/compress.hpp"
#include "session/simplify.hpp"
#include "session/workspace.hpp"

namespace lamella::session {
namespace {

constexpr std::uint32_t kVersion = 1;

/// How many faces each object may keep, so that all together have at most `most`: small ones keep all.
std::size_t faces_for_each(std::span<Object* const> objects, std::uint64_t most) {
  std::vector<std::uint64_t> faces;
  for (const Object* object : objects) faces.push_back(object->mesh.triangles.size());
  std::sort(faces.begin(), faces.end());
  std::uint64_t room = most;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const std::uint64_t share = room / (faces.size() - i);
    if (faces[i] > share) return static_cast<std::size_t>(std::max<std::uint64_t>(share, 4));
    room -= faces[i];
  }
  return ~std::size_t{0};
}

Json saved_object(const Object& object, std::size_t most_faces, PacketWriter& writer) {
  Json out = object_json(object);
  const std::size_t faces = object.mesh.triangles.size();
  if (faces <= most_faces) {
    out["positions"] = add_coded<Vec3>(writer, object.mesh.positions);
    out["triangles"] = add_coded<Triangle>(writer, object.mesh.triangles);
    if (object.deformed()) out["as_read"] = add_coded<Vec3>(writer, object.as_read);
    return out;
  }
  const Mesh fewer = simplified(object.mesh, most_faces);
  if (fewer.triangles.empty())
    throw Error("'" + object.name + "' cannot be simplified to " + std::to_string(most_faces) +
                " faces: choose a higher 'most_faces'");
  // Thin parts lose much of their volume: the source's is what people know them by.
  out["simplified"] = object.source_faces == 0 ? source_json(faces, object.facts.volume)
                                               : source_json(object.source_faces, object.source_volume);
  out["positions"] = add_coded<Vec3>(writer, fewer.positions, Loss::steps);
  out["triangles"] = add_coded<Triangle>(writer, fewer.triangles);
  return out;
}

/// The report with its arrays coded. One that says "steps" may be rounded.
Json saved_report(const Report& report, const Json& part, PacketWriter& writer) {
  if (is_array(part)) {
    const Numbers& numbers = report.arrays[part["array"].get<std::size_t>()];
    const bool steps = part.contains("steps") && part["steps"] == true;
    return add_coded(writer, numbers.bytes, numbers.type, steps ? Loss::steps : Loss::none);
  }
  if (!part.is_structured()) return part;
  Json out = part;
  for (auto it = out.begin(); it != out.end(); ++it) *it = saved_report(report, *it, writer);
  return out;
}

/// The other way: arrays of the packet go into `report`.
Json read_report(const Packet& packet, const Json& part, Report& report) {
  if (is_array(part)) {
    report.arrays.push_back(decode(packet, part, "report"));
    Json out{{"array", report.arrays.size() - 1}};
    if (part.contains("steps")) out["steps"] = part["steps"];
    return out;
  }
  if (!part.is_structured()) return part;
  Json out = part;
  for (auto it = out.begin(); it != out.end(); ++it) *it = read_report(packet, *it, report);
  return out;
}

Report report_of(const Packet& packet, const Json* json) {
  Report report;
  if (json == nullptr) return report;
  if (!json->is_object()) throw Error("'report' is no object");
  report.json = read_report(packet, *json, report);
  return report;
}

void check_corners(const Mesh& mesh) {
  for (const Triangle& t : mesh.triangles) {
    if (t.a >= mesh.positions.size() || t.b >= mesh.positions.size() || t.c >= mesh.positions.size())
      throw Error("'triangles' names a vertex that the object does not have");
  }
}

/// A small object that says where a mesh came from, and nothing else.
Json read_source(const Request& json) {
  const Request source = json.inside("source");
  if (source.has("model")) {
    Json out{{"model", short_name(source.text("model"))}};
    if (source.has("faces")) out["faces"] = source.whole("faces", 0, ~std::uint32_t{0});
    return out;
  }
  if (source.has("file")) return {{"file", short_name(source.text("file"))}};
  return {{"report", true}};
}

Object read_object(const Packet& packet, const Json& value) {
  const Request json(packet, value);
  Object object;
  object.id = json.id("id");
  object.name = short_name(json.text("name"));
  object.source = read_source(json);
  if (const Request from = json.inside("simplified"); from.has("faces")) {
    object.source_faces = from.whole("faces", 1, ~std::uint32_t{0});
    if (from.has("volume")) object.source_volume = from.number("volume");
  }
  object.mesh.origin = json.has("origin") ? json.vector("origin") : Vec3d{};
  object.mesh.positions = decode_array<Vec3>(packet, json.member("positions"), "positions");
  object.mesh.triangles = decode_array<Triangle>(packet, json.member("triangles"), "triangles");
  check_corners(object.mesh);
  inspect(object);
  if (json.has("as_read")) {
    object.as_read = decode_array<Vec3>(packet, json.member("as_read"), "as_read");
    if (object.as_read.size() != object.mesh.positions.size())
      throw Error("'as_read' has another number of vertices than the object");
  }
  if (json.has("pose")) object.set_pose(read_pose(json.member("pose"), json.flag("pose_as_is")));
  return object;
}

}  // namespace

Json save(Workspace& workspace, const Request& request, PacketWriter& writer) {
  if (request.has("view")) workspace.view = request.member("view");
  const std::vector<Object*> objects = workspace.objects.all();
  const std::uint32_t most = request.whole_or("most_faces", ~std::uint32_t{0}, 1, ~std::uint32_t{0});
  const std::size_t each = faces_for_each(objects, most);
  PacketWriter saved;
  Json list = Json::array(), simplified_ids = Json::array(), simplified_objects = Json::array();
  for (const Object* object : objects) {
    list.push_back(saved_object(*object, each, saved));
    if (object->mesh.triangles.size() <= each) continue;
    simplified_ids.push_back(object->id);
    simplified_objects.push_back({{"object", object->id},
                                  {"faces", object->mesh.triangles.size()},
                                  {"kept", list.back()["triangles"]["count"].get<std::size_t>() / 3}});
  }
  Json json{{"lamella", kVersion}, {"objects", std::move(list)}, {"view", workspace.view}};
  json["report"] = saved_report(workspace.report, workspace.report.json, saved);
  if (json["report"].is_object() && !simplified_objects.empty())
    json["report"]["simplified"] = std::move(simplified_objects);
  Bytes packet;
  saved.finish(json, packet);
  return {{"file", writer.add(to_file(std::move(packet)))}, {"simplified", std::move(simplified_ids)}};
}

Json load(Workspace& workspace, const Request& request, PacketWriter& writer) {
  const ArrayOf file = find_array(request.packet(), request.member("file"), "file");
  const Bytes bytes = from_file(file.bytes);
  const Packet packet = read_packet(bytes);
  const Request saved(packet, packet.json);
  if (saved.whole("lamella", 1, ~std::uint32_t{0}) != kVersion)
    throw Error("the view was saved by a newer version of Lamella than this one");
  Objects objects;
  const Json& list = saved.member("objects");
  if (!list.is_array()) throw Error("'objects' is no list");
  for (const Json& item : list) objects.put(read_object(packet, item));
  Report report = report_of(packet, saved.find("report"));
  workspace.objects = std::move(objects);
  workspace.report = std::move(report);
  workspace.view = saved.has("view") ? saved.member("view") : Json();
  workspace.scenes = {};
  workspace.simulation.reset();
  return state(workspace, request, writer);
}

Json set_report(Workspace& workspace, const Request& request, PacketWriter&) {
  workspace.report = report_of(request.packet(), request.find("report"));
  return Json::object();
}

}  // namespace lamella::session
