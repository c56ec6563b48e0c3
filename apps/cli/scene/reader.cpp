// The scene file's reader: what docs/scene-file.md describes, and nothing else.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

#include "cli/common.hpp"
#include "cli/model_input.hpp"
#include "cli/scene/file.hpp"
#include "cli/scene/located_reader.hpp"
#include "cli/scene/names.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{512} << 20;
constexpr std::size_t kMaxMeshes = 1'000'000, kMaxIgnored = 1'000'000;
constexpr double kMaxFaces = 10'000'000;
constexpr std::size_t kDefaultFaces = 3000;
/// Each takes 12 bytes, and a triangle about as much for its vertices.
constexpr std::uint64_t kMaxTriangles = kMaxSceneTriangles, kMaxShapeVertices = std::uint64_t{1} << 27;
/// How far from 1 a quaternion's length may be: a few digits typed by hand.
constexpr double kUnitSlack = 1e-3;

/// Objects of the scene that one object of the file stands for.
struct Range {
  std::uint32_t first = 0, count = 1;
};
struct NamedRange {
  Range range;
  std::size_t entry = 0;  ///< the object's number in the file
};

class Reader : private LocatedReader {
 public:
  Reader(const std::filesystem::path& path, SceneFiles allowed, std::uint64_t max_placed, const MeshLoader& loader)
      : LocatedReader(path, {.max_bytes = kMaxBytes, .name = "scene file", .remedy = "keep geometry in mesh files"}),
        allowed_(allowed),
        max_placed_(max_placed),
        loader_(loader) {}

  SceneFile read() {
    const Value& root = json_.root();
    expect(root, Kind::object, "a scene");
    check_keys(root, {"frames", "cell", "resolution", "screen", "meshes", "objects", "ignore"}, "a scene");
    read_sampling(root);
    if (const Value* frames = json_.find(root, "frames")) out_.frames = whole(*frames, "\"frames\"", 1, kMaxFrames);
    read_meshes(required(root, "meshes", "a scene"));
    read_objects(required(root, "objects", "a scene"));
    if (const Value* ignored = json_.find(root, "ignore")) read_ignored(*ignored);
    return std::move(out_);
  }

 private:
  Vec3d vector(const Value& value, const std::string& what) const {
    const auto v = numbers(value, what, 3);
    return {v[0], v[1], v[2]};
  }

  /// Times a power of two, so that the square of a tiny vector's length does not vanish; the direction keeps its bits.
  static Vec3d scaled_to_one(Vec3d v) {
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0)) return v;
    const int exponent = -std::ilogb(largest);
    return {std::scalbn(v.x, exponent), std::scalbn(v.y, exponent), std::scalbn(v.z, exponent)};
  }

  Quaternion rotation(const Value& value, const std::string& what) const {
    if (value.kind == Kind::object) {
      check_keys(value, {"axis", "degrees"}, what);
      const Value& axis_value = required(value, "axis", what);
      const Vec3d axis = scaled_to_one(vector(axis_value, "the axis of " + what));
      if (!(dot(axis, axis) > 0)) fail(axis_value, fmt::format("the axis of {} has length 0; write a direction", what));
      const double degrees =
          number(required(value, "degrees", what), "the degrees of " + what, -kMaxLength, kMaxLength);
      return rotation_about(axis, degrees * std::numbers::pi / 180);
    }
    if (value.kind != Kind::array) {
      fail(value,
           fmt::format("{} must be [x, y, z, w], a unit quaternion, or {{\"axis\": [x, y, z], \"degrees\": d}}", what));
    }
    const auto q = numbers(value, what, 4);
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    if (!(std::abs(1 - length) < kUnitSlack)) {
      fail(value, fmt::format("the quaternion of {} has length {:.6g}; divide its four numbers by that: a rotation has "
                              "length 1",
                              what, length));
    }
    return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
  }

  Transform pose(const Value& value, const std::string& what) const {
    Transform result;
    if (const Value* v = json_.find(value, "translation"))
      result.translation = vector(*v, "the translation of " + what);
    if (const Value* v = json_.find(value, "rotation")) result.rotation = rotation(*v, "the rotation of " + what);
    return result;
  }

  void read_sampling(const Value& root) {
    const Value* cell = json_.find(root, "cell");
    const Value* resolution = json_.find(root, "resolution");
    const Value* screen = json_.find(root, "screen");
    if (cell) out_.cell = static_cast<float>(above_zero(*cell, "\"cell\""));
    if (resolution) out_.resolution = whole(*resolution, "\"resolution\"", 1, kMaxResolution);
    if (screen) {
      expect(*screen, Kind::object, "\"screen\"");
      check_keys(*screen, {"eye", "degrees", "pixels"}, "\"screen\"");
      const double degrees =
          number(required(*screen, "degrees", "\"screen\""), "the degrees of \"screen\"", 0.001, 170);
      const std::uint32_t pixels = whole(required(*screen, "pixels", "\"screen\""), "the pixels of \"screen\"", 1, 1e6);
      out_.screen = Screen{vector(required(*screen, "eye", "\"screen\""), "the eye of \"screen\""),
                           2 * std::tan(degrees * std::numbers::pi / 360) / pixels};
    }
    if ((cell != nullptr) + (resolution != nullptr) + (screen != nullptr) > 1) {
      fail(screen ? *screen : *resolution,
           "\"cell\", \"resolution\" and \"screen\" all say how finely to sample; keep one");
    }
  }

  void count_mesh(const Value& at, std::size_t triangles) {
    mesh_triangles_ += triangles;
    if (mesh_triangles_ > kMaxTriangles) fail(at, too_many_triangles());
  }

  static std::string too_many_triangles() {
    return fmt::format("the meshes have more than {} triangles; split the scene", kMaxTriangles);
  }

  /// The file that a text of the scene names. Scenes come from elsewhere: they must not have other files read, parts of
  /// which errors would show.
  std::filesystem::path named_file(const Value& at) const {
    const std::string name = json_.text(at);
    if (printable(name) != name) {
      fail(at, fmt::format("the file name {} has control characters; rename the file", in_quotes(name)));
    }
    if (is_model(name)) return name;
    const std::filesystem::path folder = json_.path().parent_path();
    if (allowed_ == SceneFiles::anywhere || stays_in(folder, name)) return folder / name;
    fail(at,
         fmt::format("the file {} must be in the scene file's folder or below it, and named from there; copy it, or "
                     "add --allow-any-path to the command if you trust this scene",
                     in_quotes(name)));
  }

  LoadedMeshes load(const Value& at, const MeshRequest& request) const {
    try {
      return loader_(request);
    } catch (const Error& error) {
      fail(at, error.what());
    }
  }

  MeshRequest model(const Value& value, const std::string& what, Split split) {
    const Value& name_value = required(value, "model", what);
    expect(name_value, Kind::string, "the model of " + what);
    const std::string name = json_.text(name_value);
    std::vector<std::string> known;
    for (const std::string_view n : scenes::model_names()) known.emplace_back(n);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail(name_value, fmt::format("there is no model {}{}", in_quotes(name), suggestion(name, known, "\"", "\"")));
    }
    const Value* faces = json_.find(value, "faces");
    const Value* seed = json_.find(value, "seed");
    const std::size_t count = faces ? whole(*faces, "the faces of " + what, 4, kMaxFaces) : kDefaultFaces;
    if (count > kMaxTriangles - mesh_triangles_) fail(value, too_many_triangles());
    const std::uint32_t number = seed ? whole(*seed, "the seed of " + what, 0, 4294967295.0) : 1;
    return {MeshRequest::Kind::model, split, name, count, number};
  }

  /// The meshes of one entry of "meshes": the parts of its file, or one.
  struct Entry {
    std::uint32_t first = 0;
    std::vector<std::string> parts;  ///< their names; of one mesh alone it does not count
  };

  void read_mesh_entry(const std::string& name, const Value& value) {
    const std::string what = "the mesh " + in_quotes(name);
    if (value.kind != Kind::string && value.kind != Kind::object) {
      fail(value, fmt::format("{} must be a file's name, or an object with \"file\" or \"model\"", what));
    }
    const Value* file = value.kind == Kind::string ? &value : file_of(value, what);
    const Split split = value.kind == Kind::object ? split_of(value, what) : Split::none;
    const Entry& entry =
        entries_.emplace(name, file ? entry_of_file(*file, split) : entry_of_model(value, what, split)).first->second;
    mesh_names_.push_back(name);
    // A file that another mesh has named before keeps the name that it got then.
    for (std::size_t i = out_.mesh_names.size(); i < out_.meshes.size(); ++i) {
      const std::size_t part = i - entry.first;
      out_.mesh_names.push_back(entry.parts.size() > 1 ? fmt::format("{}/{}", name, entry.parts[part]) : name);
    }
  }

  Split split_of(const Value& value, const std::string& what) const {
    const Value* given = json_.find(value, "split");
    if (!given) return Split::none;
    expect(*given, Kind::string, "the split of " + what);
    if (const auto split = parse_split(json_.text(*given))) return *split;
    fail(*given,
         fmt::format("the split of {} is {}; write one of: {}", what, in_quotes(json_.text(*given)), kSplitWords));
  }

  /// The file's name in an object that describes a mesh, or nullptr for a model.
  const Value* file_of(const Value& value, const std::string& what) const {
    check_keys(value, {"file", "model", "faces", "seed", "split"}, what);
    const Value* file = json_.find(value, "file");
    if ((file != nullptr) == (json_.find(value, "model") != nullptr)) {
      fail(value, what + " needs either \"file\" or \"model\"");
    }
    if (!file) return nullptr;
    expect(*file, Kind::string, "the file of " + what);
    for (const char* key : {"faces", "seed"}) {
      if (const Value* v = json_.find(value, key)) fail(*v, fmt::format("{} is a file: it has no \"{}\"", what, key));
    }
    return file;
  }

  /// A file that several meshes name is loaded once.
  Entry entry_of_file(const Value& at, Split split) {
    const std::filesystem::path file = named_file(at);
    const auto [known, is_new] = loaded_.try_emplace({identity_of(file), split});
    if (is_new)
      known->second = add_parts(at, load(at, {MeshRequest::Kind::parts, split, file.string()}), file.string());
    return known->second;
  }

  Entry entry_of_model(const Value& value, const std::string& what, Split split) {
    return add_parts(value, loader_(model(value, what, split)), "");
  }

  Entry add_parts(const Value& at, LoadedMeshes loaded, const std::string& file) {
    Entry entry{static_cast<std::uint32_t>(out_.meshes.size()), {}};
    for (std::size_t i = 0; i < loaded.all.meshes.size(); ++i) {
      count_mesh(at, loaded.triangle_counts[i]);
      out_.meshes.push_back(std::move(loaded.all.meshes[i]));
      out_.triangle_counts.push_back(loaded.triangle_counts[i]);
      out_.mesh_files.push_back(file);
      entry.parts.push_back(std::move(loaded.all.mesh_names[i]));
    }
    return entry;
  }

  void read_meshes(const Value& meshes) {
    expect(meshes, Kind::object, "\"meshes\"");
    if (meshes.items.size() / 2 > kMaxMeshes) fail(meshes, fmt::format("more than {} meshes", kMaxMeshes));
    for (std::size_t i = 0; i < meshes.items.size(); i += 2) {
      read_mesh_entry(json_.text(meshes.items[i]), meshes.items[i + 1]);
    }
  }

  const Entry& mesh_entry(const Value& value, const std::string& what) const {
    expect(value, Kind::string, "the mesh of " + what);
    const std::string name = json_.text(value);
    const auto found = entries_.find(name);
    if (found != entries_.end()) return found->second;
    const std::string meant = nearest(name, mesh_names_);
    fail(value, fmt::format("{} names the mesh {}, which is not among \"meshes\"; {}", what, in_quotes(name),
                            meant.empty() ? "add it there" : fmt::format("did you mean {}?", in_quotes(meant))));
  }

  std::vector<KeyPose> keys(const Value& value, const std::string& what) const {
    expect(value, Kind::array, "the keys of " + what);
    if (value.items.empty()) fail(value, fmt::format("the keys of {} are none; write one at least", what));
    std::vector<KeyPose> result;
    for (const Value& item : value.items) {
      const std::string name = fmt::format("key {} of {}", result.size(), what);
      expect(item, Kind::object, name);
      check_keys(item, {"frame", "translation", "rotation"}, name);
      const Value& frame = required(item, "frame", name);
      const KeyPose key{whole(frame, "the frame of " + name, 0, kMaxFrames), pose(item, name)};
      if (!result.empty() && key.frame <= result.back().frame) {
        fail(frame, fmt::format("{} is at frame {}, and the one before it at {}; keys must ascend", name, key.frame,
                                result.back().frame));
      }
      result.push_back(key);
    }
    return result;
  }

  void read_motion(const Value& value, const std::string& what, bool posed, SceneObject& object) const {
    expect(value, Kind::object, "the motion of " + what);
    check_keys(value, {"velocity", "angular_velocity", "keys"}, "the motion of " + what);
    need_frames(value, what + " moves");
    const Value* velocity = json_.find(value, "velocity");
    const Value* turning = json_.find(value, "angular_velocity");
    if (const Value* list = json_.find(value, "keys")) {
      if (velocity || turning || posed) {
        fail(*list, fmt::format("the keys of {} say where it is at every frame; leave out its {}", what,
                                posed ? "\"pose\"" : "velocities"));
      }
      object.keys = keys(*list, what);
      return;
    }
    if (velocity) object.velocity = vector(*velocity, "the velocity of " + what);
    if (turning) {
      object.angular_velocity = vector(*turning, "the angular velocity of " + what) * (std::numbers::pi / 180);
    }
  }

  void need_frames(const Value& at, const std::string& what) const {
    if (json_.find(json_.root(), "frames")) return;
    fail(at, fmt::format("{}, but the scene has one frame; say how many with \"frames\": N", what));
  }

  void read_shapes(const Value& value, const std::string& what, SceneObject& object) {
    expect(value, Kind::array, "the shapes of " + what);
    need_frames(value, what + " changes its shape");
    if (value.items.empty()) fail(value, fmt::format("the shapes of {} are none; write one at least", what));
    const Mesh& mesh = out_.meshes[object.mesh];
    for (const Value& item : value.items) {
      expect(item, Kind::string, "a shape of " + what);
      const MeshRequest request{MeshRequest::Kind::shape, Split::none, named_file(item).string()};
      Mesh shape = std::move(load(item, request).all.meshes.front());
      if (shape.positions.size() != mesh.positions.size() || shape.triangles != mesh.triangles) {
        fail(item, fmt::format("the shape {} of {} has other faces than its mesh ({} vertices and {} faces, not {} and "
                               "{}); save all shapes from one mesh",
                               in_quotes(json_.text(item)), what, shape.positions.size(), shape.triangles.size(),
                               mesh.positions.size(), mesh.triangles.size()));
      }
      shape_vertices_ += shape.positions.size();
      if (shape_vertices_ > kMaxShapeVertices) {
        fail(item, fmt::format("the shapes of the scene have more than {} vertices", kMaxShapeVertices));
      }
      // Shapes are measured from where the mesh is.
      if (!(shape.origin == mesh.origin)) shape.positions = placed_positions(shape, {}, mesh.origin);
      scale(shape.positions, object.scale);
      object.shapes.push_back(std::move(shape.positions));
    }
  }

  void read_object(const Value& value) {
    const std::string what = fmt::format("object {}", ranges_.size());
    expect(value, Kind::object, what);
    check_keys(value, {"mesh", "name", "group", "layer", "pose", "scale", "fixed", "motion", "shapes"}, what);
    SceneObject object;
    const Value& mesh = required(value, "mesh", what);
    const Entry& entry = mesh_entry(mesh, what);
    object.mesh = entry.first;
    const Value* place = json_.find(value, "pose");
    if (place) {
      expect(*place, Kind::object, "the pose of " + what);
      check_keys(*place, {"translation", "rotation"}, "the pose of " + what);
      object.pose = pose(*place, what);
    }
    if (const Value* v = json_.find(value, "scale")) object.scale = above_zero(*v, "the scale of " + what);
    if (const Value* v = json_.find(value, "fixed")) object.fixed = flag(*v, "\"fixed\" of " + what);
    if (const Value* v = json_.find(value, "group")) object.group = text(*v, "the group of " + what);
    if (const Value* v = json_.find(value, "layer")) object.layer = text(*v, "the layer of " + what);
    if (const Value* v = json_.find(value, "motion")) read_motion(*v, what, place != nullptr, object);
    if (const Value* v = json_.find(value, "shapes")) {
      if (entry.parts.size() > 1) fail(*v, fmt::format("{} has shapes and a mesh of several parts; choose one", what));
      read_shapes(*v, what, object);
    }
    add_object(value, what, entry, std::move(object));
  }

  /// One object for each part of its mesh, which move together.
  void add_object(const Value& value, const std::string& what, const Entry& entry, SceneObject object) {
    const auto count = static_cast<std::uint32_t>(entry.parts.size());
    const Range range{static_cast<std::uint32_t>(out_.objects.size()), count};
    if (out_.objects.size() + count > kMaxObjects) fail(value, fmt::format("more than {} objects", kMaxObjects));
    const Value* name = json_.find(value, "name");
    if (name) {
      expect(*name, Kind::string, "the name of " + what);
      add_name(*name, what, json_.text(*name), range);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string part = count > 1 ? "/" + entry.parts[i] : "";
      if (name) {
        object.name = json_.text(*name) + part;
        if (count > 1) add_name(*name, what, object.name, {range.first + i, 1});
      } else {
        unnamed_.emplace_back(out_.objects.size(), json_.text(required(value, "mesh", what)) + part);
      }
      object.mesh = entry.first + i;
      triangles_ += out_.triangle_counts[object.mesh];
      if (triangles_ > max_placed_)
        fail(value, fmt::format("the objects have more than {} triangles; split the scene", max_placed_));
      out_.objects.push_back(object);
    }
    ranges_.push_back(range);
  }

  void add_name(const Value& at, const std::string& what, const std::string& name, Range range) {
    const auto [known, is_new] = names_.emplace(name, NamedRange{range, ranges_.size()});
    if (!is_new) fail(at, fmt::format("{} has the name of object {}; choose another", what, known->second.entry));
  }

  void read_objects(const Value& objects) {
    expect(objects, Kind::array, "\"objects\"");
    if (objects.items.size() > kMaxObjects) fail(objects, fmt::format("more than {} objects", kMaxObjects));
    if (objects.items.empty()) fail(objects, "a scene without objects; write one at least");
    for (const Value& value : objects.items) read_object(value);
    name_the_unnamed();
    for (SceneObject& object : out_.objects) object.label = object.name;
  }

  /// After their meshes: "ball", "ball 2", ..., past the names that the file gives.
  void name_the_unnamed() {
    std::unordered_set<std::string> taken;
    for (const auto& [name, range] : names_) taken.insert(name);
    std::unordered_map<std::string, std::uint32_t> last;  // by the name of the mesh
    for (const auto& [object, mesh] : unnamed_) {
      std::uint32_t& number = last[mesh];
      std::string name;
      do {
        ++number;
        name = number == 1 ? mesh : fmt::format("{} {}", mesh, number);
      } while (!taken.insert(name).second);
      out_.objects[object].name = std::move(name);
    }
  }

  Range objects_of(const Value& value) const {
    if (value.kind == Kind::number) {
      return ranges_[whole(value, "an object to ignore", 0, static_cast<double>(ranges_.size()) - 1)];
    }
    expect(value, Kind::string, "an object to ignore that is not given by its number");
    const std::string name = json_.text(value);
    const auto found = names_.find(name);
    if (found != names_.end()) return found->second.range;
    std::vector<std::string> names;
    for (const auto& [known, range] : names_) names.push_back(known);
    std::sort(names.begin(), names.end());
    const std::string meant = nearest(name, names);
    fail(value, fmt::format("no object has the name {}; {}", in_quotes(name),
                            meant.empty() ? "give it one with \"name\", or write its number"
                                          : fmt::format("did you mean {}?", in_quotes(meant))));
  }

  void read_ignored(const Value& list) {
    expect(list, Kind::array, "\"ignore\"");
    if (list.items.size() > kMaxIgnored) fail(list, fmt::format("more than {} ignored pairs", kMaxIgnored));
    for (const Value& pair : list.items) {
      expect(pair, Kind::array, "a pair to ignore");
      if (pair.items.size() != 2)
        fail(pair, fmt::format("a pair to ignore has {} objects; write two", pair.items.size()));
      ignore(pair, objects_of(pair.items[0]), objects_of(pair.items[1]));
    }
  }

  /// Every object of the one range with every one of the other.
  void ignore(const Value& at, Range first, Range second) {
    const bool same = first.first == second.first && first.count == second.count;
    if (same && first.count == 1) {
      fail(at, "a pair to ignore is an object with itself; write two");
    }
    const std::uint64_t pairs = std::uint64_t{first.count} * second.count;
    if (out_.ignored.size() + pairs > kMaxIgnored) fail(at, fmt::format("more than {} ignored pairs", kMaxIgnored));
    for (std::uint32_t a = first.first; a < first.first + first.count; ++a)
      for (std::uint32_t b = second.first; b < second.first + second.count; ++b)
        if (a != b && (!same || a < b)) out_.ignored.emplace_back(std::min(a, b), std::max(a, b));
  }

  SceneFiles allowed_;
  std::uint64_t max_placed_;
  const MeshLoader& loader_;
  SceneFile out_;
  std::map<std::pair<std::string, Split>, Entry> loaded_;  ///< by the identities of files
  std::unordered_map<std::string, Entry> entries_;         ///< by the names of meshes
  std::vector<std::string> mesh_names_;
  std::vector<Range> ranges_;                          ///< by the numbers that objects have in the file
  std::unordered_map<std::string, NamedRange> names_;  ///< that the file gives, and of the parts of what it names
  std::vector<std::pair<std::size_t, std::string>> unnamed_;  ///< objects, and the names of their meshes
  std::uint64_t mesh_triangles_ = 0, triangles_ = 0, shape_vertices_ = 0;
};

}  // namespace

SceneFile read_scene_file(const std::filesystem::path& path, SceneFiles allowed, std::uint64_t max_placed,
                          const MeshLoader& loader) {
  return Reader(path, allowed, max_placed, loader).read();
}

}  // namespace lamella::cli
