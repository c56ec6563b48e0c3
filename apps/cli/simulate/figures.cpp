#include "cli/simulate/figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"

namespace lamella::cli {
namespace {

using simulate::Figures;

/// Which simulations have a figure: all but those of soft bodies, those that sample, those that have a scene, soft
/// bodies, tools in them, images.
enum class Of { all, hard, samples, scenes, soft, tools, images, budgets };

struct Count {
  const char* name;
  std::uint32_t Figures::*member;
  Of of = Of::samples;
};
constexpr Count kCounts[] = {{"objects", &Figures::objects, Of::all},
                             {"candidates", &Figures::candidates, Of::all},
                             {"pairs", &Figures::pairs, Of::all},
                             {"points", &Figures::points, Of::scenes},
                             {"contacts", &Figures::contacts},
                             {"sphere_tests", &Figures::sphere_tests, Of::images},
                             {"triangle_tests", &Figures::triangle_tests, Of::images},
                             {"level", &Figures::level, Of::images},
                             {"cut_short", &Figures::cut_short, Of::budgets}};

struct Amount {
  const char* name;
  double Figures::*member;
  Of of = Of::soft;
};
constexpr Amount kAmounts[] = {{"shared_volume", &Figures::shared_volume},
                               {"self_volume", &Figures::self_volume, Of::tools},
                               {"kinetic_energy", &Figures::kinetic_energy},
                               {"force", &Figures::force, Of::tools}};

struct Stage {
  const char* name;   ///< in the CSV and in JSON
  const char* words;  ///< in the summary
  double (*ms)(const Figures&);
  Of of = Of::samples;
};
constexpr Stage kStages[] = {
    {"broad", "broad phase", [](const Figures& f) { return f.ms.broad; }, Of::hard},
    {"place", "placing", [](const Figures& f) { return f.ms.voi; }, Of::scenes},
    {"ldi", "sampling", [](const Figures& f) { return f.ms.ldi; }},
    {"pairs", "pairs", [](const Figures& f) { return f.ms.query; }, Of::hard},
    {"points", "points", [](const Figures& f) { return f.ms.points; }, Of::scenes},
    {"contacts", "contacts", [](const Figures& f) { return f.ms.contacts; }},
    {"response", "response", [](const Figures& f) { return f.ms.solve; }, Of::all},
    {"total", "total", [](const Figures& f) { return f.ms.total(); }, Of::all},
};

bool has(const Figures& figures, Of of) {
  switch (of) {
    case Of::hard:
      return !figures.soft;
    case Of::samples:
      return !figures.images;
    case Of::scenes:
      return !figures.images && !figures.soft;
    case Of::soft:
      return figures.soft;
    case Of::tools:
      return figures.tool;
    case Of::images:
      return figures.images;
    case Of::budgets:
      return figures.budget_ms > 0;
    case Of::all:
      break;
  }
  return true;
}

/// Those of the table that this simulation has.
template <class Figure, std::size_t N>
std::vector<Figure> of_these(const Figure (&table)[N], const std::vector<FrameFigures>& frames) {
  const Figures last = frames.empty() ? Figures{} : frames.back().figures;
  std::vector<Figure> found;
  std::copy_if(std::begin(table), std::end(table), std::back_inserter(found),
               [&](const Figure& figure) { return has(last, figure.of); });
  return found;
}

struct Spread {
  double median = 0, max = 0;
};

template <class Value>
Spread spread_of(const std::vector<FrameFigures>& frames, Value value) {
  std::vector<double> values;
  for (const FrameFigures& f : frames) values.push_back(value(f.figures));
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.back()};
}

/// How a budget was kept.
struct BudgetUse {
  double ms = 0;              ///< 0: there was none
  std::size_t cut_short = 0;  ///< frames with a search that did not end
  double slowest_ms = 0;
};

BudgetUse budget_use(const std::vector<FrameFigures>& frames) {
  BudgetUse use;
  for (const FrameFigures& f : frames) {
    use.ms = f.figures.budget_ms;
    if (f.figures.cut_short > 0) ++use.cut_short;
    use.slowest_ms = std::max(use.slowest_ms, f.figures.ms.total());
  }
  return use;
}

/// A name as people read it.
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string state_text(const std::vector<FrameFigures>& frames) {
  return fmt::format("{:016x}", frames.empty() ? 0 : frames.back().state);
}

}  // namespace

std::uint64_t hash_of(const simulate::Drawing& drawing) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto add = [&](float value) { hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001b3ull; };
  const auto add_all = [&](std::span<const Vec3> positions) {
    for (const Vec3 p : positions) add(p.x), add(p.y), add(p.z);
  };
  for (const auto& solid : drawing.solids) add_all(solid.mesh.positions);
  for (const auto& dots : drawing.dots) add_all(dots.positions);
  return hash;
}

std::string to_csv(const std::vector<FrameFigures>& frames) {
  const std::vector<Count> counts = of_these(kCounts, frames);
  const std::vector<Amount> amounts = of_these(kAmounts, frames);
  const std::vector<Stage> stages = of_these(kStages, frames);
  std::string text = "frame,time";
  for (const Count& count : counts) text += fmt::format(",{}", count.name);
  for (const Amount& amount : amounts) text += fmt::format(",{}", amount.name);
  text += ",state";
  for (const Stage& stage : stages) text += fmt::format(",{}_ms", stage.name);
  text += '\n';
  for (const FrameFigures& f : frames) {
    text += fmt::format("{},{:.6f}", f.frame, f.frame / kFrameRate);
    for (const Count& count : counts) text += fmt::format(",{}", f.figures.*count.member);
    for (const Amount& amount : amounts) text += fmt::format(",{:.6g}", f.figures.*amount.member);
    text += fmt::format(",{:016x}", f.state);
    for (const Stage& stage : stages) text += fmt::format(",{:.4f}", stage.ms(f.figures));
    text += '\n';
  }
  return text;
}

/// Over all frames; see SceneResult.
std::uint64_t passed_over(const std::vector<FrameFigures>& frames) {
  std::uint64_t sum = 0;
  for (const FrameFigures& f : frames) sum += f.figures.passed_over;
  return sum;
}

void print_summary(const std::string& name, const std::vector<FrameFigures>& frames) {
  const Figures last = frames.empty() ? Figures{} : frames.back().figures;
  print_line("simulation",
             fmt::format("{}, {}, {} ({:.2f} s)", name, counted(last.objects, "object"),
                         counted(frames.size(), "frame"), static_cast<double>(frames.size()) / kFrameRate));
  print_line("state", state_text(frames));
  if (const BudgetUse use = budget_use(frames); use.ms > 0) {
    print_line("budget", fmt::format("{:g} ms a frame: {} of {} cut short, the slowest took {:.3f} ms", use.ms,
                                     use.cut_short, counted(frames.size(), "frame"), use.slowest_ms));
    if (use.cut_short > 0)
      print_line("", "a frame that is cut short may miss a collision; its verdict is undecided, not clear");
  }
  Table table{{{"per frame"}, {"median", true}, {"max", true}}, {}};
  for (const Count& count : of_these(kCounts, frames)) {
    if (count.member == &Figures::objects) continue;
    const Spread s = spread_of(frames, [&](const Figures& f) { return static_cast<double>(f.*count.member); });
    table.rows.push_back({spaced(count.name), grouped(static_cast<std::uint64_t>(s.median)),
                          grouped(static_cast<std::uint64_t>(s.max))});
  }
  for (const Amount& amount : of_these(kAmounts, frames)) {
    const Spread s = spread_of(frames, [&](const Figures& f) { return f.*amount.member; });
    table.rows.push_back({spaced(amount.name), fmt::format("{:.3g}", s.median), fmt::format("{:.3g}", s.max)});
  }
  for (const Stage& stage : of_these(kStages, frames)) {
    const Spread s = spread_of(frames, stage.ms);
    table.rows.push_back(
        {fmt::format("ms {}", stage.words), fmt::format("{:.3f}", s.median), fmt::format("{:.3f}", s.max)});
  }
  print(fmt::format("\n{}", to_text(table)));
  if (const std::uint64_t passed = passed_over(frames); passed != 0) {
    print_line("method",
               fmt::format("jang, as published: it passed over {} of surfaces, so that pairs of objects may be "
                           "missing; --method complete compares them",
                           counted(passed, "pair")));
  }
}

nlohmann::ordered_json frame_json(const FrameFigures& frame) {
  nlohmann::ordered_json out{{"frame", frame.frame}, {"time", frame.frame / kFrameRate}};
  for (const Count& count : kCounts)
    if (has(frame.figures, count.of)) out[count.name] = frame.figures.*count.member;
  for (const Amount& amount : kAmounts)
    if (has(frame.figures, amount.of)) out[amount.name] = frame.figures.*amount.member;
  out["ms"] = frame.figures.ms.total();
  return out;
}

nlohmann::ordered_json summary_json(const std::string& name, const std::vector<FrameFigures>& frames) {
  nlohmann::ordered_json out{{"query", "simulate"}, {"simulation", name}, {"frames", frames.size()}};
  out["objects"] = frames.empty() ? 0 : frames.back().figures.objects;
  out["state"] = state_text(frames);
  if (const BudgetUse use = budget_use(frames); use.ms > 0)
    out["budget"] = {{"ms", use.ms}, {"frames_cut_short", use.cut_short}, {"slowest_ms", use.slowest_ms}};
  for (const Count& count : of_these(kCounts, frames)) {
    if (count.member == &Figures::objects) continue;
    const Spread s = spread_of(frames, [&](const Figures& f) { return static_cast<double>(f.*count.member); });
    out[count.name] = {{"median", static_cast<std::uint64_t>(s.median)}, {"max", static_cast<std::uint64_t>(s.max)}};
  }
  for (const Amount& amount : of_these(kAmounts, frames)) {
    const Spread s = spread_of(frames, [&](const Figures& f) { return f.*amount.member; });
    out[amount.name] = {{"median", s.median}, {"max", s.max}};
  }
  for (const Stage& stage : of_these(kStages, frames)) {
    const Spread s = spread_of(frames, stage.ms);
    out["ms"][stage.name] = {{"median", s.median}, {"max", s.max}};
  }
  if (const std::uint64_t passed = passed_over(frames); passed != 0) out["passed_over"] = passed;
  return out;
}

}  // namespace lamella::cli
