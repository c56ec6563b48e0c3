#pragma once

// An assembly with a pair of each class, in millimetres, whose shared volumes are known by geometry.

#include <map>
#include <string>
#include <utility>

#include "cli/clash/answer.hpp"
#include "cli/program.hpp"
#include "scenes/models.hpp"

namespace lamella::test {

/// A kilometre away: there, floats are a sixteenth of a millimetre apart.
inline constexpr double kFarAway = 1e6;

inline Transform at_place(double x, double y, double z) { return {{x, y, z}, {}}; }

class SampleAssembly {
 public:
  SampleAssembly() {
    const std::uint32_t plate = mesh("plate", make_box({0, 0, 0}, {100, 100, 10}));
    const std::uint32_t bolt = mesh("bolt", make_box({-4, -4, -20}, {4, 4, 20}));
    const std::uint32_t block = mesh("block", make_box({0, 0, 0}, {20, 20, 20}));
    const std::uint32_t ball = mesh("ball", scenes::sphere(4000, 5));
    part("plate", plate, at_place(0, 0, 0));
    part("bolt 1", bolt, at_place(20, 20, 5));
    part("bolt 2", bolt, at_place(50, 50, 5));
    part("bolt 3", bolt, at_place(80, 80, 5));
    part("block 1", block, at_place(200, 0, 0));
    part("block 2", block, at_place(215, 5, 10));  // 5 x 15 x 10
    part("shell", block, at_place(300, 0, 0));
    part("core", ball, at_place(310, 10, 10));
    part("copy 1", block, at_place(400, 0, 0));
    part("copy 2", block, at_place(400, 0, 0));
    part("left", block, at_place(500, 0, 0));
    part("right", block, at_place(520, 0, 0));
    part("lower", block, at_place(600, 0, 0));
    part("upper", block, at_place(600, 0, 21.5));
    part("far 1", block, at_place(kFarAway, kFarAway, 0));
    part("far 2", block, at_place(kFarAway + 19.5, kFarAway + 10, 0));  // 0.5 x 10 x 20
  }

  [[nodiscard]] cli::ClashAnswer answer() const {
    cli::ClashAnswer out;
    out.title = "sample";
    out.assembly = assembly;
    out.options.clearance = 3;
    out.options.touch = 0.001;
    out.report = find_clashes(out.assembly, out.options);
    out.unit = {"mm", 0.001};
    return out;
  }

  /// Cubic millimetres that the parts of these names share.
  [[nodiscard]] static double volume(const std::string& a, const std::string& b) {
    static const std::map<std::pair<std::string, std::string>, double> known{
        {{"plate", "bolt 1"}, 640},    {{"plate", "bolt 2"}, 640}, {{"plate", "bolt 3"}, 640},
        {{"block 1", "block 2"}, 750}, {{"shell", "core"}, 523},   {{"copy 1", "copy 2"}, 8000},
        {{"far 1", "far 2"}, 100}};
    const auto found = known.find({a, b});
    return found == known.end() ? 0 : found->second;
  }

  Assembly assembly;

 private:
  std::uint32_t mesh(const std::string& name, Mesh mesh) {
    assembly.meshes.push_back(std::move(mesh));
    assembly.mesh_names.push_back(name);
    return static_cast<std::uint32_t>(assembly.meshes.size() - 1);
  }
  void part(const std::string& name, std::uint32_t mesh, const Transform& pose) {
    assembly.parts.push_back({.name = name, .mesh = mesh, .pose = pose});
  }
};

/// The answer about the two blocks "lower" and "upper": they seem clear, and it is undecided.
inline cli::ClashAnswer undecided_answer() {
  cli::ClashAnswer out;
  out.title = "undecided";
  out.unit = {"mm", 0.001};
  out.assembly.meshes = {make_box({0, 0, 0}, {20, 20, 20})};
  out.assembly.mesh_names = {"block"};
  out.assembly.parts = {{.name = "lower", .mesh = 0}, {.name = "upper", .mesh = 0, .pose = at_place(0, 0, 21.5)}};
  out.options.clearance = 3;
  out.report = find_clashes(out.assembly, out.options);
  for (ClashPair& pair : out.report.pairs) {
    pair.kind = ClashClass::clear;
    pair.verdict = Verdict::undecided;
    pair.doubts = {{.cause = Doubt::Cause::open_columns, .mesh = 0, .count = 3}};
  }
  out.report.findings = group_clashes(out.assembly.parts, out.report.pairs);
  return out;
}

}  // namespace lamella::test
