#include <filesystem>

#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "lamella/mesh_io.hpp"
#include "scenes/catalogue.hpp"
#include "session/workspace.hpp"

namespace lamella::session {
namespace {

constexpr std::uint32_t kFewestFaces = 4, kMostFaces = 10'000'000;
/// What reading may take: glTF can place one mesh very many times.
constexpr std::uint64_t kMostMemory = sizeof(void*) > 4 ? std::uint64_t{6} << 30 : std::uint64_t{3} << 29;

std::string megabytes(std::uint64_t bytes) { return std::to_string((bytes + 999'999) / 1'000'000) + " MB"; }

Split read_split(const Request& request) {
  if (!request.has("split")) return Split::automatic;
  const std::string word = request.text("split");
  if (word == "automatic") return Split::automatic;
  if (word == "none") return Split::none;
  if (word == "components") return Split::components;
  throw Error("'split' is none of: automatic, none, components");
}

MeshFormat format_of(const std::string& name) {
  const auto format = mesh_format(std::filesystem::path(name));
  if (format && *format != MeshFormat::xyz) return *format;
  throw Error(printable(name) + ": is no mesh, by its name; meshes end in .ply .obj .stl .off .gltf or .glb");
}

void check_size(const std::string& name, std::uint64_t size, std::uint64_t most) {
  if (size <= most) return;
  throw Error(printable(name) + ": the file has " + megabytes(size) + ", and " + megabytes(most) +
              " is the most that can be opened here; for larger ones run `lamella view " + printable(name) + "`");
}

/// What was added goes again when something fails on the way.
class Added {
 public:
  explicit Added(Objects& objects) : objects_(objects) {}
  ~Added() {
    for (const Object* object : added_) objects_.remove(object->id);
  }
  Added(const Added&) = delete;
  Added& operator=(const Added&) = delete;

  void add(Object& object) { added_.push_back(&object); }
  /// They stay.
  [[nodiscard]] Json keep() {
    Json out{{"objects", objects_json(added_)}};
    added_.clear();
    return out;
  }

 private:
  Objects& objects_;
  std::vector<Object*> added_;
};

void place(Object& object, const Request& request) {
  if (request.has("pose")) object.set_pose(read_pose(request.member("pose"), request.flag("pose_as_is")));
}

}  // namespace

Json open(Workspace& workspace, const Request& request, PacketWriter&) {
  const std::string name = request.text("name");
  const ArrayOf file = find_array(request.packet(), request.member("file"), "file");
  check_size(name, file.bytes.size(), workspace.options.most_bytes);
  const MeshFormat format = format_of(name);
  Added added(workspace.objects);
  for (MeshPart& part :
       read_parts(file.bytes, format, read_split(request), printable(name), {.max_memory = kMostMemory})) {
    const std::string title = part.name.empty() ? std::filesystem::path(name).filename().string() : part.name;
    Object& object = workspace.objects.add(printable(title), std::move(part.mesh), {{"file", printable(name)}});
    added.add(object);
    place(object, request);
  }
  return added.keep();
}

Json model(Workspace& workspace, const Request& request, PacketWriter&) {
  const std::string name = request.text("name");
  const scenes::CatalogueModel* const found = scenes::find_model(name);
  if (found == nullptr) throw Error("there is no model '" + printable(short_name(name)) + "'");
  const std::uint32_t faces =
      request.whole_or("faces", static_cast<std::uint32_t>(found->faces), kFewestFaces, kMostFaces);
  Added added(workspace.objects);
  Object& object = workspace.objects.add(name, found->make(faces), {{"model", name}, {"faces", faces}});
  added.add(object);
  place(object, request);
  return added.keep();
}

Json copy(Workspace& workspace, const Request& request, PacketWriter&) {
  const Object& from = workspace.objects.at(request.id("id"));
  Object& object = workspace.objects.add(from.name, from.mesh, from.source);
  object.source_faces = from.source_faces;
  object.source_volume = from.source_volume;
  object.as_read = from.as_read;
  object.set_pose(from.pose);
  Object* const added[] = {&object};
  return {{"objects", objects_json(added)}};
}

Json remove(Workspace& workspace, const Request& request, PacketWriter&) {
  const std::vector<std::uint32_t> ids = request.ids("ids");
  for (const std::uint32_t id : ids) (void)workspace.objects.at(id);  // all or none
  for (const std::uint32_t id : ids)
    if (workspace.objects.has(id)) workspace.objects.remove(id);
  return Json::object();
}

Json rename(Workspace& workspace, const Request& request, PacketWriter&) {
  Object& object = workspace.objects.at(request.id("id"));
  const std::string name = request.text("name");
  if (name.empty()) throw Error("'name' is empty: objects are told apart by their names");
  object.name = short_name(name);
  return {{"object", object_json(object)}};
}

Json pose(Workspace& workspace, const Request& request, PacketWriter&) {
  const Json& list = request.member("poses");
  if (!list.is_array()) throw Error("'poses' is no list");
  const bool as_is = request.flag("pose_as_is");
  std::vector<std::pair<Object*, Pose>> poses;
  for (const Json& item : list) {
    if (!item.is_array() || item.size() != 2) throw Error("'poses' has an item that is not [id, seven numbers]");
    poses.emplace_back(&workspace.objects.at(read_whole(item[0], "id", 0, ~std::uint32_t{0})),
                       read_pose(item[1], as_is));
  }
  for (const auto& [object, to] : poses) object->set_pose(to);
  return Json::object();
}

}  // namespace lamella::session
