// Any bytes as a scene file, in a folder with meshes that it may name.

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/scene/file.hpp"
#include "reading.hpp"

namespace lamella::fuzz {
namespace {

using nlohmann::json;

constexpr std::string_view kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                           kMoved = "v 0 0 1\nv 2 0 0\nv 0 1 0\nf 1 2 3\n",
                           kOther = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 3 2 1\n", kBroken = "v 0 0\n";
/// Most faces of built-in models in a scene: more only take time.
constexpr double kMaxFaces = 20'000;

const Folder& folder() {
  static const Folder made;
  static const bool filled = [] {
    std::filesystem::create_directory(made / "sub");
    std::filesystem::create_directory(made / "outside");
    made.save("a.obj", std::as_bytes(std::span(kTriangle)));
    made.save("b.obj", std::as_bytes(std::span(kMoved)));
    made.save("sub/c.obj", std::as_bytes(std::span(kOther)));
    made.save("bad.obj", std::as_bytes(std::span(kBroken)));
    return true;
  }();
  require(filled, "the meshes are there");
  return made;
}

/// About what the built-in models take that a scene names.
double faces_of(const json& value) {
  constexpr double kByDefault = 3000;
  double sum = 0;
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    if (!text.starts_with("model:")) return 0;
    const std::size_t digits = text.find_first_of("0123456789");
    return digits == std::string::npos ? kByDefault : std::strtod(text.c_str() + digits, nullptr);
  }
  if (value.is_object() && value.contains("model")) {
    const json faces = value.value("faces", json(kByDefault));
    sum += faces.is_number() ? faces.get<double>() : 0;
  }
  if (value.is_structured()) {
    for (const json& item : value) sum += faces_of(item);
  }
  return sum;
}

bool is_finite(Vec3d p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

void check_pose(const Transform& pose) {
  const Quaternion& q = pose.rotation;
  const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  require(is_finite(pose.translation), "objects are at finite places");
  require(std::abs(length - 1) < 1e-6, "rotations have length 1");
}

void check_object(const cli::SceneFile& scene, const cli::SceneObject& object) {
  require(object.mesh < scene.meshes.size(), "an object has one of the meshes");
  require(object.scale > 0 && std::isfinite(object.scale), "scales are above 0");
  for (std::size_t i = 1; i < object.keys.size(); ++i) {
    require(object.keys[i - 1].frame < object.keys[i].frame, "keys ascend");
  }
  for (const auto& shape : object.shapes) {
    require(shape.size() == scene.meshes[object.mesh].positions.size(), "shapes have the mesh's vertices");
  }
  for (const std::uint32_t frame : {0u, 1u, scene.frames / 2, scene.frames - 1}) check_pose(pose_at(object, frame));
}

void check_scene(const cli::SceneFile& scene) {
  require(!scene.objects.empty(), "a scene has objects");
  require(scene.frames >= 1 && scene.frames <= cli::kMaxFrames, "frames are in their range");
  require(scene.meshes.size() == scene.mesh_files.size(), "every mesh says where it is from");
  require(scene.cell.has_value() + scene.resolution.has_value() + scene.screen.has_value() <= 1, "one way to sample");
  require(!scene.cell || (*scene.cell > 0 && std::isfinite(*scene.cell)), "cells are above 0");
  for (const Mesh& mesh : scene.meshes) {
    for (const Triangle& t : mesh.triangles) {
      require(std::max({t.a, t.b, t.c}) < mesh.positions.size(), "indices are those of vertices");
    }
  }
  std::set<std::string> names;
  for (const cli::SceneObject& object : scene.objects) {
    check_object(scene, object);
    require(names.insert(object.name).second, "every object has a name of its own");
  }
  for (const auto& [a, b] : scene.ignored) require(a < b && b < scene.objects.size(), "ignored pairs are of objects");
}

/// "FILE:LINE:COLUMN: what is wrong", or "FILE: what is wrong" where it has no place.
void check_place(const std::string& message, const std::string& file) {
  require(message.starts_with(file + ":"), "messages begin with the scene's file");
  require(printable(message) == message, "messages are one line of printable characters");
}

int run(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const json parsed = json::parse(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text, nullptr, false);
  if (!parsed.is_discarded() && !(faces_of(parsed) <= kMaxFaces)) return -1;  // not kept

  const std::filesystem::path path = folder().save("scene.json", bytes);
  try {
    const cli::SceneFile scene = cli::read_scene_file(path, cli::SceneFiles::in_its_folder);
    require(!parsed.is_discarded(), "a scene is JSON");
    check_scene(scene);
    for (const std::string& file : scene.mesh_files) {
      require(file.empty() || file.starts_with("model:") || file.starts_with(folder().path().string() + '/'),
              "meshes come from the scene's folder");
    }
  } catch (const Error& error) {
    require(error.kind() == Error::Kind::input, "an unreadable scene is an Error of the kind input");
    check_place(error.what(), path.string());
  }
  return 0;
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return lamella::fuzz::run(lamella::fuzz::bytes_of(data, size));
}
