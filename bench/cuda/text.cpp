#include "bench/cuda/text.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "bench/engines.hpp"
#include "bench/measure.hpp"
#include "cli/common.hpp"

namespace lamella::cli {
namespace {

/// Microseconds in three or four digits.
std::string us(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0); }
std::string ms_of(double microseconds) { return fmt::format("{:.3g} ms", microseconds / 1000); }

std::string spread_text(const Spread& s) {
  return fmt::format("{} us (p10 {}, p90 {}; {})", us(s.median), us(s.p10), us(s.p90), counted(s.frames, "frame"));
}

/// A time beside the device's.
std::string beside(const Spread& other, const CudaFigures& f) {
  const std::string time = other.median < 1000 ? us(other.median) + " us" : ms_of(other.median);
  return fmt::format("{} ({:.3g} times)", time, other.median / f.device.median);
}

std::string line(const char* label, const std::string& text) { return fmt::format("  {:<9} {}\n", label, text); }

Table device_table(const std::vector<CudaFigures>& all) {
  Table table{.columns = {{"work"},
                          {"floor", true},
                          {"device", true},
                          {"p10", true},
                          {"p90", true},
                          {"/ floor", true},
                          {"target", true},
                          {"met"},
                          {"latency", true},
                          {"cold", true},
                          {"answers"}},
              .rows = {}};
  for (const CudaFigures& f : all) {
    table.rows.push_back({f.name, us(f.floor), us(f.device.median), us(f.device.p10), us(f.device.p90),
                          fmt::format("{:.1f}", f.device.median / f.floor), us(f.target), f.met() ? "yes" : "no",
                          us(f.latency.median), us(f.cold.median), f.differences.empty() ? "agree" : "DIFFER"});
  }
  return table;
}

Table others_table(const std::vector<CudaFigures>& all) {
  Table table{.columns = {{"work"},
                          {"cuda", true},
                          {"software, 1 thread", true},
                          {counted(core_count(), "thread"), true},
                          {"OpenGL", true},
                          {"1 thread / cuda", true},
                          {"all / cuda", true},
                          {"OpenGL / cuda", true}},
              .rows = {}};
  const auto ratio = [](const Spread& other, const CudaFigures& f) {
    return fmt::format("{:.3g}", other.median / f.latency.median);
  };
  for (const CudaFigures& f : all) {
    if (f.software.frames == 0) continue;
    const bool opengl = f.opengl.frames > 0;
    table.rows.push_back({f.name, us(f.latency.median), us(f.software_1.median), us(f.software.median),
                          opengl ? us(f.opengl.median) : "-", ratio(f.software_1, f), ratio(f.software, f),
                          opengl ? ratio(f.opengl, f) : "-"});
  }
  return table;
}

nlohmann::ordered_json to_json(const Spread& s) {
  if (s.frames == 0) return nullptr;
  return {
      {"median_us", rounded(s.median)}, {"p10_us", rounded(s.p10)}, {"p90_us", rounded(s.p90)}, {"frames", s.frames}};
}

}  // namespace

std::string to_text(const CudaFigures& f) {
  const std::string each = f.units == 1 ? "" : fmt::format("; for each of {}", grouped(f.units));
  std::string text = fmt::format("\n{}: {}{}\n", f.name, f.description, each);
  text += line("device", spread_text(f.device));
  text += line("floor", fmt::format("{} us for {:.4g} MB; the device takes {:.1f} times that", us(f.floor),
                                    static_cast<double>(f.bytes) / 1e6, f.device.median / f.floor));
  text += line("target", fmt::format("{} us: {}", us(f.target), f.met() ? "met" : "not met"));
  text += line("latency", spread_text(f.latency));
  text += line("cold", spread_text(f.cold));
  if (f.software.frames > 0)
    text += line("software", fmt::format("1 thread {}, {} {}", beside(f.software_1, f), counted(core_count(), "thread"),
                                         beside(f.software, f)));
  if (f.opengl.frames > 0) text += line(f.opengl_engine.c_str(), beside(f.opengl, f));
  if (f.late > 0) text += line("late", counted(f.late, "frame") + " not wholly on the stream when it went on");
  text += line("answers", f.differences.empty()
                              ? fmt::format("as by software, on all {} sets of vertices: {}", f.sets, f.answer)
                              : "DIFFER from software's: " + f.differences);
  return text;
}

std::string to_text(const std::vector<CudaFigures>& all) {
  std::string text = fmt::format(
      "\nMicroseconds; of the pairs for each. Floor: all inputs read once at the speed of a copy. Device: by its own "
      "clock,\naround the launch. Latency: by the host's, until the answer is there. Cold: as device, when caches hold "
      "the new\nvertices alone.\n{}",
      cli::to_text(device_table(all)));
  const Table others = others_table(all);
  if (others.rows.empty()) return text;
  return text +
         fmt::format(
             "\nThe same works by other engines, microseconds by the host's clock; OpenGL with the upload of all "
             "vertices, cuda with\nthem on the device.\n{}",
             cli::to_text(others));
}

nlohmann::ordered_json to_json(const CudaFigures& f) {
  nlohmann::ordered_json out{{"bench", "cuda"},
                             {"work", f.name},
                             {"description", f.description},
                             {"units", f.units},
                             {"bytes", f.bytes},
                             {"floor_us", rounded(f.floor)},
                             {"target_us", f.target},
                             {"met", f.met()},
                             {"over_floor", rounded(f.device.median / f.floor)},
                             {"device", to_json(f.device)},
                             {"latency", to_json(f.latency)},
                             {"cold", to_json(f.cold)},
                             {"software_1_thread", to_json(f.software_1)},
                             {"software_all_threads", to_json(f.software)},
                             {"threads", core_count()},
                             {"late_frames", f.late},
                             {"vertex_sets", f.sets},
                             {"answer", f.answer},
                             {"agrees", f.differences.empty()}};
  if (f.opengl.frames > 0) out[f.opengl_engine] = to_json(f.opengl);
  if (!f.differences.empty()) out["differences"] = f.differences;
  return out;
}

}  // namespace lamella::cli
