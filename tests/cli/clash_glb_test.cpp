// The overlaps of a clash report as binary glTF: read back by the library's own reader, they have the volumes that
// geometry says, where geometry says.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "cli/clash/pair_solid.hpp"
#include "cli/clash_support.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "scenes/sample_assembly.hpp"

namespace lamella::test {
namespace {

using cli::ClashAnswer;
using nlohmann::ordered_json;

std::uint32_t word_at(const std::string& bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

/// The JSON chunk, after the checks of a container that every reader makes.
ordered_json document_of(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(word_at(bytes, 4), 2u);
  EXPECT_EQ(word_at(bytes, 8), bytes.size());
  const std::uint32_t json = word_at(bytes, 12);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  EXPECT_EQ(json % 4, 0u);
  EXPECT_EQ(bytes.substr(20 + json + 4, 4), std::string("BIN\0", 4));
  EXPECT_EQ(word_at(bytes, 20 + json), bytes.size() - 28 - json);
  return parse_json(bytes.substr(20, json));
}

class ClashGlb : public Program {
 protected:
  std::string written(const ClashAnswer& answer) {
    write_clash_glb(at("out.glb"), answer);
    return content(at("out.glb"));
  }
};

TEST_F(ClashGlb, TwoBoxesAreOneNodeInMetres) {
  ClashAnswer answer;
  answer.assembly.meshes = {make_box({0, 0, 0}, {20, 20, 20})};
  answer.assembly.parts = {{.name = "a", .mesh = 0}, {.name = "b", .mesh = 0, .pose = at_place(10, 10, 10)}};
  answer.report = find_clashes(answer.assembly, answer.options);
  answer.unit = {"mm", 0.001};
  const ordered_json document = document_of(written(answer));
  ASSERT_EQ(document["nodes"].size(), 1u);
  EXPECT_EQ(document["nodes"][0]["name"], "a × b");
  EXPECT_EQ(document["nodes"][0]["extras"]["class"], "overlapping");
  const std::vector<MeshPart> parts = read_parts(at("out.glb"));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_NEAR(signed_volume(parts[0].mesh), 1e-6, 0.03e-6);
  const Aabb box = bounds(in_world(parts[0].mesh));
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(box.min[k], 0.01, 0.0003);
    EXPECT_NEAR(box.max[k], 0.02, 0.0003);
  }
}

TEST_F(ClashGlb, EveryPairThatOverlapsHasItsVolume) {
  const ClashAnswer answer = SampleAssembly().answer();
  (void)written(answer);
  std::map<std::string, double> volumes;
  for (const MeshPart& part : read_parts(at("out.glb"), Split::nodes))
    volumes[part.name] = signed_volume(part.mesh) * 1e9;
  std::size_t overlapping = 0;
  for (const ClashPair& pair : answer.report.pairs) {
    const std::string &a = answer.assembly.parts[pair.a].name, &b = answer.assembly.parts[pair.b].name;
    if (!cli::shares_volume(pair)) continue;
    ++overlapping;
    const double known = SampleAssembly::volume(a, b);
    ASSERT_GT(known, 0) << a << " and " << b;
    EXPECT_NEAR(volumes[a + " × " + b], known, 0.05 * known) << a << " and " << b;
  }
  EXPECT_EQ(volumes.size(), overlapping);
  EXPECT_EQ(overlapping, 7u);
}

TEST_F(ClashGlb, APairAKilometreAwayKeepsItsPlaceAndShape) {
  ClashAnswer answer = SampleAssembly().answer();
  const ordered_json document = document_of(written(answer));
  const auto far = std::find_if(document["nodes"].begin(), document["nodes"].end(),
                                [](const ordered_json& node) { return node["name"] == "far 1 × far 2"; });
  ASSERT_NE(far, document["nodes"].end());
  EXPECT_NEAR((*far)["translation"][0], 1000.01975, 1e-5);
  EXPECT_NEAR((*far)["translation"][1], 1000.015, 2e-4);
  const ordered_json& mesh = document["meshes"][(*far)["mesh"].get<std::size_t>()];
  const ordered_json& position =
      document["accessors"][mesh["primitives"][0]["attributes"]["POSITION"].get<std::size_t>()];
  EXPECT_NEAR(position["max"][0].get<double>() - position["min"][0].get<double>(), 0.0005, 0.00001)
      << "half a millimetre";
}

TEST_F(ClashGlb, AccessorsFitTheirViewsAndTheFile) {
  const ClashAnswer answer = SampleAssembly().answer();
  const ordered_json document = document_of(written(answer));
  const auto length = document["buffers"][0]["byteLength"].get<std::size_t>();
  std::size_t end = 0;
  for (const ordered_json& view : document["bufferViews"]) {
    EXPECT_EQ(view["byteOffset"], end) << "without gaps";
    end += view["byteLength"].get<std::size_t>();
    EXPECT_EQ(end % 4, 0u);
  }
  EXPECT_EQ(end, length);
  for (const ordered_json& accessor : document["accessors"]) {
    const ordered_json& view = document["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::size_t size = accessor["type"] == "VEC3" ? 12 : 4;
    EXPECT_LE(accessor.value("byteOffset", std::size_t{0}) + size * accessor["count"].get<std::size_t>(),
              view["byteLength"].get<std::size_t>());
  }
}

TEST_F(ClashGlb, AnOverlapThinnerThanACellIsItsPrisms) {
  ClashAnswer answer;
  answer.assembly.meshes = {make_box({0, 0, 0}, {100, 100, 1})};
  // Rotated a little, so that the overlap is a thin wedge in a large box.
  answer.assembly.parts = {{.name = "a", .mesh = 0},
                           {.name = "b", .mesh = 0, .pose = {{0, 0, 0.999}, rotation_about({0, 1, 0}, 1e-5)}}};
  answer.report = find_clashes(answer.assembly, answer.options);
  ASSERT_EQ(answer.report.pairs.size(), 1u);
  (void)written(answer);
  const std::vector<MeshPart> parts = read_parts(at("out.glb"));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_NEAR(signed_volume(parts[0].mesh), answer.report.pairs[0].volume, 0.1 * answer.report.pairs[0].volume);
}

TEST_F(ClashGlb, ThinWallsHaveTheVolumeOfTheirPairs) {
  // Press fits and seals: rings that are thinner than a column of 64.
  scenes::SampleAssembly sample = scenes::gearbox();
  ClashAnswer answer;
  answer.options = scenes::clash_options(sample);
  answer.assembly = std::move(sample.assembly);
  answer.report = find_clashes(answer.assembly, answer.options);
  const ordered_json document = document_of(written(answer));
  std::map<std::string, double> volumes;
  for (const MeshPart& part : read_parts(at("out.glb"), Split::nodes)) volumes[part.name] = signed_volume(part.mesh);
  ASSERT_GT(document["nodes"].size(), 20u);
  for (const ordered_json& node : document["nodes"]) {
    const auto name = node["name"].get<std::string>();
    const auto volume = node["extras"]["volume"].get<double>(), error = node["extras"]["volume_error"].get<double>();
    EXPECT_NEAR(volumes[name], volume, 1.001 * std::max(0.1 * volume, error)) << name;
    EXPECT_FALSE(node["extras"].contains("approximate")) << name;
  }
}

TEST_F(ClashGlb, ASolidWithAnotherVolumeIsMarkedApproximate) {
  ClashAnswer answer;
  answer.assembly.meshes = {make_box({0, 0, 0}, {2, 2, 2})};
  answer.assembly.parts = {{.name = "a", .mesh = 0}, {.name = "b", .mesh = 0, .pose = at_place(1, 1, 1)}};
  answer.report = find_clashes(answer.assembly, answer.options);
  ASSERT_EQ(answer.report.pairs.size(), 1u);
  EXPECT_FALSE(document_of(written(answer))["nodes"][0]["extras"].contains("approximate"));
  answer.report.pairs[0].volume *= 2;  // which no resolution shows
  EXPECT_EQ(document_of(written(answer))["nodes"][0]["extras"]["approximate"], true);
}

TEST_F(ClashGlb, NamesAreTextWhateverIsInThem) {
  ClashAnswer answer;
  answer.assembly.meshes = {make_box({0, 0, 0}, {2, 2, 2})};
  answer.assembly.parts = {{.name = "\"},{\\\n", .mesh = 0}, {.name = "\xff<b>", .mesh = 0, .pose = at_place(1, 1, 1)}};
  answer.report = find_clashes(answer.assembly, answer.options);
  const ordered_json document = document_of(written(answer));
  EXPECT_EQ(document["nodes"][0]["extras"]["a"], R"("},{\\n)");
  EXPECT_EQ(document["nodes"][0]["extras"]["b"], R"(\xff<b>)");
}

TEST_F(ClashGlb, AReportThatWasStoppedSaysSo) {
  ClashAnswer answer;
  EXPECT_EQ(document_of(written(answer))["asset"]["extras"]["complete"], true);
  answer.report.complete = false;
  EXPECT_EQ(document_of(written(answer))["asset"]["extras"]["complete"], false);
}

TEST_F(ClashGlb, AReportWithoutOverlapsIsAFileWithoutNodes) {
  const ordered_json document = document_of(written({}));
  EXPECT_FALSE(document.contains("nodes"));
  EXPECT_FALSE(document.contains("buffers"));
}

}  // namespace
}  // namespace lamella::test
