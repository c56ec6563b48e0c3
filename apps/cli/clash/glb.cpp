// The overlaps of a clash report as one binary glTF 2.0 file. Each solid is written as soon as it is made, so that only
// one is in memory. The JSON, which comes first in the file, is known last: there is room left for the longest that it
// can become, the rest of which stays blank.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/clash/answer.hpp"
#include "cli/clash/pair_solid.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "lamella/version.hpp"

namespace lamella::cli {
namespace {

/// How the document begins; between them is the program's version.
constexpr std::string_view kStart = R"({"asset":{"version":"2.0","generator":"Lamella )";
constexpr std::string_view kTitle = R"(","extras":{"title":)";

constexpr std::uint32_t kMagic = 0x46546C67, kVersion2 = 2, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
constexpr std::uint64_t kHeaderBytes = 12, kChunkBytes = 8, kMostBytes = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kVertexBytes = 3 * sizeof(float), kTriangleBytes = 3 * sizeof(std::uint32_t);

/// Cells along an overlap's sides. Files of many pairs have coarser solids, so that their size stays about the same.
constexpr std::uint32_t kFinest = 64, kCoarsest = 8;
constexpr double kPairsAtFinest = 150;
constexpr std::uint32_t kFinestPrisms = 1024;  ///< columns and rows, where fewer do not show the volume

std::uint32_t resolution_for(std::size_t pairs) {
  const double wished = kFinest * std::sqrt(kPairsAtFinest / std::max(kPairsAtFinest, static_cast<double>(pairs)));
  return std::clamp(static_cast<std::uint32_t>(wished), kCoarsest, kFinest);
}

/// What the JSON says of a pair.
struct GlbNode {
  std::uint32_t pair = 0;
  Vec3d translation{};                        ///< metres
  std::uint32_t vertices = 0, triangles = 0;  ///< 0: no mesh
  bool normals = false;
  std::uint64_t offset = 0;  ///< of its vertices in the binary chunk
  Vec3 low{}, high{};        ///< of its positions
  bool approximate = false;  ///< PairSolid::approximate

  [[nodiscard]] std::uint64_t vertex_bytes() const { return kVertexBytes * vertices * (normals ? 2 : 1); }
};

std::string json_text(std::string_view text) {
  return nlohmann::json(printable(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// JSON has no infinity and no NaN.
std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string node_json(const ClashAnswer& answer, const GlbNode& node, std::size_t mesh) {
  const ClashPair& pair = answer.report.pairs[node.pair];
  const std::string &a = answer.assembly.parts[pair.a].name, &b = answer.assembly.parts[pair.b].name;
  return fmt::format(
      R"({{"name":{},{}"translation":[{},{},{}],"extras":{{"a":{},"b":{},"class":"{}","allowed":{},"volume":{},"volume_error":{},"depth":{}{}}}}})",
      json_text(a + " × " + b), node.triangles > 0 ? fmt::format(R"("mesh":{},)", mesh) : "", node.translation.x,
      node.translation.y, node.translation.z, json_text(a), json_text(b), to_string(pair.kind), pair.allowed,
      number(pair.volume), number(pair.volume_error), number(pair.depth),
      node.approximate ? R"(,"approximate":true)" : "");
}

/// The members of a mesh: three arrays of the document grow by what one solid needs.
struct MeshArrays {
  std::string meshes, accessors, views;
  std::size_t accessor_count = 0, view_count = 0, mesh_count = 0;

  void add(const GlbNode& node) {
    const char* comma = mesh_count == 0 ? "" : ",";
    const std::size_t position = accessor_count, view = view_count;
    accessors += fmt::format(
        R"({}{{"bufferView":{},"componentType":5126,"count":{},"type":"VEC3","min":[{},{},{}],"max":[{},{},{}]}})",
        comma, view, node.vertices, node.low.x, node.low.y, node.low.z, node.high.x, node.high.y, node.high.z);
    std::string attributes = fmt::format(R"("POSITION":{})", position);
    accessor_count += 2;
    if (node.normals) {
      accessors += fmt::format(R"(,{{"bufferView":{},"byteOffset":{},"componentType":5126,"count":{},"type":"VEC3"}})",
                               view, kVertexBytes * node.vertices, node.vertices);
      attributes += fmt::format(R"(,"NORMAL":{})", position + 1);
      ++accessor_count;
    }
    accessors += fmt::format(R"(,{{"bufferView":{},"componentType":5125,"count":{},"type":"SCALAR"}})", view + 1,
                             std::uint64_t{3} * node.triangles);
    views += fmt::format(
        R"({}{{"buffer":0,"byteOffset":{},"byteLength":{},"byteStride":12,"target":34962}},{{"buffer":0,"byteOffset":{},"byteLength":{},"target":34963}})",
        comma, node.offset, node.vertex_bytes(), node.offset + node.vertex_bytes(), kTriangleBytes * node.triangles);
    view_count += 2;
    meshes += fmt::format(R"({}{{"primitives":[{{"attributes":{{{}}},"indices":{},"material":0}}]}})", comma,
                          attributes, accessor_count - 1);
    ++mesh_count;
  }
};

std::string document(const ClashAnswer& answer, std::span<const GlbNode> nodes, std::uint64_t binary_bytes) {
  MeshArrays arrays;
  std::string list, roots;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    list += (i == 0 ? "" : ",") + node_json(answer, nodes[i], arrays.mesh_count);
    roots += fmt::format("{}{}", i == 0 ? "" : ",", i);
    if (nodes[i].triangles > 0) arrays.add(nodes[i]);
  }
  std::string out = fmt::format(R"({}{}{}{},"length_unit":{},"complete":{}}}}},"scene":0,"scenes":[{{{}}}])", kStart,
                                kVersion, kTitle, json_text(answer.title), json_text(answer.unit.name),
                                answer.report.complete, roots.empty() ? "" : "\"nodes\":[" + roots + "]");
  if (!nodes.empty()) out += ",\"nodes\":[" + list + "]";
  if (arrays.mesh_count > 0) {
    out +=
        ",\"meshes\":[" + arrays.meshes + "],\"accessors\":[" + arrays.accessors + "],\"bufferViews\":[" + arrays.views;
    // The red of overlaps in pictures, as linear light.
    out += fmt::format(
        R"(],"buffers":[{{"byteLength":{}}}],"materials":[{{"name":"overlap","pbrMetallicRoughness":{{"baseColorFactor":[0.828,0.0100,0.0086,1],"metallicFactor":0,"roughnessFactor":0.8}},"doubleSided":true}}])",
        binary_bytes);
  }
  return out + "}";
}

/// At least as long as any document of these pairs: every number has as many characters as one can have.
std::uint64_t most_json_bytes(const ClashAnswer& answer, std::span<const std::uint32_t> pairs) {
  constexpr double kLong = -2.2250738585072014e-308;
  constexpr float kLongFloat = -1.17549435e-38f;
  constexpr std::uint32_t kMany = std::numeric_limits<std::uint32_t>::max();
  std::vector<GlbNode> nodes;
  for (const std::uint32_t pair : pairs) {
    nodes.push_back({.pair = pair,
                     .translation = {kLong, kLong, kLong},
                     .vertices = kMany,
                     .triangles = kMany,
                     .normals = true,
                     .offset = std::numeric_limits<std::uint64_t>::max(),
                     .low = {kLongFloat, kLongFloat, kLongFloat},
                     .high = {kLongFloat, kLongFloat, kLongFloat},
                     .approximate = true});
  }
  const std::uint64_t bytes = document(answer, nodes, std::numeric_limits<std::uint64_t>::max()).size();
  return (bytes + 3) / 4 * 4;
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

class GlbFile {
 public:
  GlbFile(const std::filesystem::path& path, std::uint64_t json_bytes) : path_(path), file_(path), json_(json_bytes) {
    check_size(0);
    file_.write(std::string(kHeaderBytes + kChunkBytes, '\0'));
    const std::string blank(1 << 16, ' ');
    for (std::uint64_t left = json_; left > 0; left -= std::min<std::uint64_t>(left, blank.size()))
      file_.write(std::string_view(blank).substr(0, std::min<std::uint64_t>(left, blank.size())));
    file_.write(std::string(kChunkBytes, '\0'));
  }

  [[nodiscard]] std::uint64_t binary_bytes() const { return file_.size() - kHeaderBytes - 2 * kChunkBytes - json_; }

  template <class T>
  void add(const std::vector<T>& values) {
    check_size(values.size() * sizeof(T));
    file_.write(bytes_of(values));
  }

  void finish(std::string json) {
    if (json.size() > json_) throw Error("the JSON of '" + printable(path_.string()) + "' is longer than its room");
    json.resize(json_, ' ');
    const std::array<std::uint32_t, 5> head{kMagic, kVersion2, static_cast<std::uint32_t>(file_.size()),
                                            static_cast<std::uint32_t>(json_), kJsonChunk};
    const std::array<std::uint32_t, 2> chunk{static_cast<std::uint32_t>(binary_bytes()), kBinaryChunk};
    file_.overwrite(0, std::as_bytes(std::span(head)));
    file_.overwrite(kHeaderBytes + kChunkBytes, std::as_bytes(std::span(json.data(), json.size())));
    file_.overwrite(kHeaderBytes + kChunkBytes + json_, std::as_bytes(std::span(chunk)));
    file_.commit();
  }

 private:
  void check_size(std::uint64_t more) const {
    if (file_.size() + more + json_ < kMostBytes) return;
    throw Error("cannot write '" + printable(path_.string()) +
                "': the overlaps do not fit into 4 GiB, the most that a GLB file can have; allow or ignore some pairs");
  }

  std::filesystem::path path_;
  NewFile file_;
  std::uint64_t json_;
};

Vec3d middle(std::span<const Vec3> positions) {
  Aabb box;
  for (const Vec3 p : positions) box = extend(box, p);
  return box.empty() ? Vec3d{} : (to_double(box.min) + to_double(box.max)) * 0.5;
}

/// Around the solid's own middle, and in metres: floats are then as fine as they can be, wherever it is.
void add_solid(GlbFile& file, GlbNode& node, PairSolid solid, double metres) {
  const Vec3d center = middle(solid.positions);
  Aabb box;
  for (Vec3& p : solid.positions) {
    p = to_float((to_double(p) - center) * metres);
    box = extend(box, p);
  }
  node.translation = (solid.origin + center) * metres;
  node.vertices = static_cast<std::uint32_t>(solid.positions.size());
  node.triangles = static_cast<std::uint32_t>(solid.triangles.size());
  node.normals = !solid.normals.empty();
  node.offset = file.binary_bytes();
  node.low = box.min, node.high = box.max;
  file.add(solid.positions);
  if (node.normals) file.add(solid.normals);
  file.add(solid.triangles);
}

}  // namespace

void write_clash_glb(const std::filesystem::path& path, const ClashAnswer& answer) {
  std::vector<std::uint32_t> pairs = worst_first(answer.report);
  std::erase_if(pairs, [&](std::uint32_t i) { return !shares_volume(answer.report.pairs[i]); });
  GlbFile file(path, most_json_bytes(answer, pairs));
  PlacedParts parts(answer.assembly);
  std::vector<GlbNode> nodes;
  Progress progress("overlap solids");
  for (const std::uint32_t i : pairs) {
    const ClashPair& pair = answer.report.pairs[i];
    GlbNode& node = nodes.emplace_back(GlbNode{.pair = i, .translation = pair.centroid * answer.unit.metres});
    PairSolid solid =
        pair_solid(parts, pair, answer.options, {.resolution = resolution_for(pairs.size()), .finest = kFinestPrisms});
    node.approximate = solid.approximate;
    if (!solid.empty()) add_solid(file, node, std::move(solid), answer.unit.metres);
    progress.update(nodes.size(), pairs.size());
  }
  file.finish(document(answer, nodes, file.binary_bytes()));
}

bool is_clash_glb(const std::filesystem::path& path) {
  constexpr std::size_t kHeader = 20, kLongestVersion = 32;  // of the file, and of its first chunk
  std::string start(kHeader + kStart.size() + kLongestVersion + kTitle.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  const std::string_view text = std::string_view(start).substr(kHeader);
  return start.starts_with("glTF") && text.starts_with(kStart) && text.find(kTitle) != std::string_view::npos;
}

}  // namespace lamella::cli
