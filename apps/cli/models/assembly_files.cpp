#include "cli/models/assembly_files.hpp"

#include <fmt/core.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A mesh's name as one of a file, without blanks and slashes; a number follows where that would be two of one name.
std::string file_stem(const std::string& name, std::set<std::string>& used) {
  std::string stem;
  for (const char c : name) stem += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  std::string free = stem;
  for (int i = 2; !used.insert(free).second; ++i) free = fmt::format("{}-{}", stem, i);
  return free;
}

Json pose_json(const Transform& pose) {
  const Quaternion& q = pose.rotation;
  return {{"translation", to_json(pose.translation)}, {"rotation", Json::array({q.x, q.y, q.z, q.w})}};
}

/// Writes the meshes too.
Json scene_json(const std::filesystem::path& folder, const std::string& name, const Assembly& assembly) {
  const std::filesystem::path meshes = folder / name;
  std::error_code failure;
  std::filesystem::create_directories(meshes, failure);
  Json out{{"comment", fmt::format("{} parts of {} meshes", assembly.parts.size(), assembly.meshes.size())},
           {"meshes", Json::object()},
           {"objects", Json::array()}};
  std::set<std::string> used;
  Progress progress("meshes");
  for (std::size_t i = 0; i < assembly.meshes.size(); ++i) {
    const std::string file = file_stem(assembly.mesh_names[i], used) + ".ply";
    write_mesh(meshes / file, assembly.meshes[i]);
    out["meshes"][assembly.mesh_names[i]] = fmt::format("{}/{}", name, file);
    progress.update(i + 1, assembly.meshes.size());
  }
  for (const AssemblyPart& part : assembly.parts) {
    Json object{{"mesh", assembly.mesh_names[part.mesh]}, {"name", part.name}, {"pose", pose_json(part.pose)}};
    if (!part.group.empty()) object["group"] = part.group;
    if (!part.layer.empty()) object["layer"] = part.layer;
    out["objects"].push_back(std::move(object));
  }
  return out;
}

Json rules_json(const scenes::SampleAssembly& sample) {
  Json rules = Json::array();
  for (const ClashRule& rule : sample.rules) {
    Json entry{{"name", rule.name}, {"a", rule.a}, {"b", rule.b}};
    if (rule.ignore) entry["ignore"] = true;
    if (rule.clearance) entry["clearance"] = *rule.clearance;
    if (rule.allowed_depth > 0) entry["allowed_depth"] = rule.allowed_depth;
    if (rule.allowed_volume > 0) entry["allowed_volume"] = rule.allowed_volume;
    if (rule.allow_contact) entry["allow_contact"] = true;
    rules.push_back(std::move(entry));
  }
  return {{"clearance", sample.clearance}, {"touch", sample.touch}, {"rules", std::move(rules)}};
}

Json truth_json(const std::vector<scenes::PlantedClash>& truth) {
  Json pairs = Json::array();
  for (const scenes::PlantedClash& clash : truth) {
    Json entry{{"a", clash.a}, {"b", clash.b}, {"class", to_string(clash.kind)}, {"allowed", clash.allowed}};
    if (clash.volume) {
      entry["volume"] = *clash.volume;
      entry["regions"] = clash.regions;
    }
    if (clash.distance) entry["distance"] = *clash.distance;
    entry["why"] = clash.why;
    pairs.push_back(std::move(entry));
  }
  return {{"comment", "pairs that are less than clear; all others are clear"}, {"pairs", std::move(pairs)}};
}

}  // namespace

std::filesystem::path write_assembly(const std::filesystem::path& folder, const std::string& name,
                                     const scenes::SampleAssembly& sample) {
  const auto file = [&](const char* ending) { return folder / (name + ending); };
  // The scene last: where it is, everything that it names is.
  const Json scene = scene_json(folder, name, sample.assembly);
  write_file(file(".rules.json"), rules_json(sample).dump(1) + "\n");
  if (!sample.truth.empty()) write_file(file(".truth.json"), truth_json(sample.truth).dump(1) + "\n");
  // People read the small ones.
  const int indent = sample.assembly.parts.size() > 1000 ? -1 : 1;
  write_file(file(".json"), scene.dump(indent) + "\n");
  return file(".json");
}

}  // namespace lamella::cli
