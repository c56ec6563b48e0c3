#include "cli/clash/table.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "cli/clash/words.hpp"
#include "cli/common.hpp"

namespace lamella::cli {
namespace {

/// Lines that fit on a screen.
constexpr std::size_t kMostFindings = 16, kMostGone = 4, kMostDoubts = 4, kMostOpen = 4;

/// Far from the origin, as many digits as it takes to tell places apart.
std::string place_text(Vec3d p) {
  constexpr double kFar = 1e4;
  const double largest = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  return largest < kFar ? to_text(p) : fmt::format("{:.12g}, {:.12g}, {:.12g}", p.x, p.y, p.z);
}

std::string or_dash(double value) { return value > 0 && std::isfinite(value) ? to_text(value) : "-"; }

std::string volume_of(const ClashPair& pair) {
  return pair.volume > 0 ? volume_text(pair.volume, pair.volume_error, Bound::unsaid) : "-";
}

/// 0 is a distance, too: of parts that touch.
std::string distance_of(const ClashPair& pair) {
  const bool shared = pair.volume > 0 || pair.verdict == Verdict::colliding;
  return shared || !std::isfinite(pair.distance) ? "-" : to_text(pair.distance);
}

std::string class_text(const ClashPair& pair) {
  return fmt::format("{}{}", to_string(pair.kind), pair.verdict == Verdict::undecided ? "?" : "");
}

/// Of a finding, the result that counts most.
ClashResult worst_of(const ClashFinding& finding, const std::vector<ClashResult>& results) {
  ClashResult worst = ClashResult::passes;
  for (const std::uint32_t pair : finding.pairs) worst = std::max(worst, results[pair]);
  return worst;
}

std::string changes_of(const ClashAnswer& answer, const ClashFinding& finding) {
  std::vector<std::string> words;
  for (const ClashChange change : {ClashChange::added, ClashChange::changed, ClashChange::same}) {
    const auto count = std::count_if(finding.pairs.begin(), finding.pairs.end(),
                                     [&](std::uint32_t pair) { return answer.changes[pair] == change; });
    if (count != 0)
      words.push_back(fmt::format("{} {}", grouped(static_cast<std::uint64_t>(count)), to_string(change)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

/// What all tables of pairs have.
class PairTable {
 public:
  PairTable(const ClashAnswer& answer, bool findings) : answer_(answer) {
    table_.columns = {{"finding", true}, {"class"}, {"result"}};
    if (findings) table_.columns.push_back({"places", true});
    for (const char* number : {"volume", "depth", "distance"}) table_.columns.push_back({number, true});
    table_.columns.insert(table_.columns.end(), {{"a"}, {"b"}, {"where"}});
    if (!answer.options.rules.empty()) table_.columns.push_back({"rule"});
    if (!answer.changes.empty()) table_.columns.push_back({"change"});
  }

  void add(std::size_t finding, std::uint32_t index, ClashResult result, const std::string& places,
           const std::string& change) {
    const ClashPair& pair = answer_.report.pairs[index];
    std::vector<std::string> row{std::to_string(finding), class_text(pair), std::string(to_string(result))};
    if (!places.empty()) row.push_back(places);
    row.insert(row.end(), {volume_of(pair), or_dash(pair.depth), distance_of(pair), answer_.assembly.parts[pair.a].name,
                           answer_.assembly.parts[pair.b].name, place_text(pair.centroid)});
    if (!answer_.options.rules.empty())
      row.push_back(pair.rule == kNoRule ? "-" : rule_name(answer_.options.rules, pair.rule));
    if (!answer_.changes.empty()) row.push_back(change);
    table_.rows.push_back(std::move(row));
  }

  void print() const { cli::print(fmt::format("\n{}", to_text(table_))); }

 private:
  const ClashAnswer& answer_;
  Table table_;
};

void print_findings(const ClashAnswer& answer, const ClashTableArgs& args) {
  const auto& findings = answer.report.findings;
  if (findings.empty()) return;
  const std::size_t shown = args.all ? findings.size() : std::min(kMostFindings, findings.size());
  PairTable table(answer, true);
  for (std::size_t i = 0; i < shown; ++i) {
    const ClashFinding& finding = findings[i];
    table.add(i + 1, finding.pairs.front(), worst_of(finding, args.results), grouped(finding.pairs.size()),
              answer.changes.empty() ? "" : changes_of(answer, finding));
  }
  table.print();
  if (shown < findings.size()) {
    print(fmt::format("and {} more: --all lists all, with every place\n", counted(findings.size() - shown, "finding")));
  }
  print("\n");
}

void print_places(const ClashAnswer& answer, const ClashTableArgs& args) {
  if (!args.all || answer.report.pairs.empty()) return;
  print("Every place:\n");
  PairTable table(answer, false);
  std::vector<bool> listed(answer.report.pairs.size());
  const auto add = [&](std::size_t finding, std::uint32_t pair) {
    listed[pair] = true;
    table.add(finding, pair, args.results[pair], "",
              answer.changes.empty() ? "" : std::string(to_string(answer.changes[pair])));
  };
  for (std::size_t i = 0; i < answer.report.findings.size(); ++i)
    for (const std::uint32_t pair : answer.report.findings[i].pairs) add(i + 1, pair);
  for (std::uint32_t pair = 0; pair < listed.size(); ++pair)
    if (!listed[pair]) add(0, pair);  // clear, with --keep-clear
  table.print();
  print("\n");
}

std::string class_counts(const ClashReport& report) {
  std::vector<std::string> words;
  for (std::size_t i = kClashClasses; i-- > 1;) {
    const auto kind = static_cast<ClashClass>(i);
    if (const std::uint64_t count = report.count(kind); count != 0)
      words.push_back(fmt::format("{} {}", grouped(count), to_string(kind)));
  }
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string verdict_text(const ClashReport& report, const std::vector<ClashResult>& results) {
  std::vector<std::string> words;
  const std::uint64_t failing = count_of(results, ClashResult::fails);
  const std::uint64_t doubtful = count_of(results, ClashResult::undecided);
  if (failing != 0) words.push_back(fmt::format("yes: {}", counted(failing, "pair")));
  if (doubtful != 0) words.push_back(fmt::format("{} undecided", counted(doubtful, "pair")));
  if (words.empty()) words.emplace_back(report.complete ? "none" : "none so far");
  return fmt::format("{}", fmt::join(words, "; "));
}

void print_comparison(const ClashAnswer& answer, const ClashTableArgs& args) {
  if (args.baseline.empty()) return;
  print_line("compared",
             fmt::format("with {}: {} new, {} changed, {} same, {}", args.baseline,
                         grouped(count_of(answer, ClashChange::added)), grouped(count_of(answer, ClashChange::changed)),
                         grouped(count_of(answer, ClashChange::same)),
                         answer.report.complete ? grouped(answer.gone.size()) + " gone" : "gone: not known"));
  const std::size_t shown = args.all ? answer.gone.size() : std::min(kMostGone, answer.gone.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const GoneClash& gone = answer.gone[i];
    print_line(i == 0 ? "gone" : "", fmt::format("{}: {} and {}", to_string(gone.kind), gone.a, gone.b));
  }
  if (shown < answer.gone.size())
    print_line("", fmt::format("and {} more: --all lists all", counted(answer.gone.size() - shown, "pair")));
}

/// Of a pair whose meshes have no faults.
std::string unproved_text(const ClashAnswer& answer, const ClashPair& pair) {
  if (!answer.options.certify) return "exact arithmetic is needed; try --certify";
  return pair.volume > 0
             ? "rays see a shared volume, and exact arithmetic found no proof of any: it may be rounding alone"
             : "rays see no shared volume, and exact arithmetic found no proof that there is none";
}

void print_doubts(const ClashAnswer& answer, bool all) {
  std::size_t count = 0;
  const std::size_t most = all ? SIZE_MAX : kMostDoubts;
  for (const ClashPair& pair : answer.report.pairs) {
    if (pair.verdict != Verdict::undecided) continue;
    const std::array<std::string, 2> names{answer.assembly.parts[pair.a].name, answer.assembly.parts[pair.b].name};
    const std::string why = pair.doubts.empty() ? unproved_text(answer, pair) : describe(pair.doubts.front(), names);
    if (++count <= most) print_line("undecided", fmt::format("{} and {}: {}", names[0], names[1], why));
  }
  if (count > most) print_line("", fmt::format("and {} more: --all lists all", counted(count - most, "pair")));
}

/// What is wrong with a part's mesh, though the verdicts of its pairs do not depend on it: short. Empty for what is not
/// about one part.
std::string fault_of(const Doubt& doubt) {
  switch (doubt.cause) {
    case Doubt::Cause::closed_holes:
      return fmt::format("its holes, of {}, were closed", counted(doubt.count, "edge"));
    case Doubt::Cause::open_columns:
      return "it has holes";
    case Doubt::Cause::inside_out:
      return "faces look inwards";
    case Doubt::Cause::skipped_triangles:
      return fmt::format("{} left out", counted(doubt.count, "triangle"));
    default:
      return "";
  }
}

struct Fault {
  std::string part, text;
  std::size_t pairs = 0;
};

/// Of pairs that are decided, those of the most pairs first.
std::vector<Fault> faults_of(const ClashAnswer& answer) {
  std::map<std::tuple<std::uint32_t, Doubt::Cause>, Fault> found;
  for (const ClashPair& pair : answer.report.pairs) {
    if (pair.verdict == Verdict::undecided) continue;
    for (const Doubt& doubt : pair.doubts) {
      const std::string text = fault_of(doubt);
      if (text.empty() || doubt.mesh < 0) continue;
      const std::uint32_t part = doubt.mesh == 0 ? pair.a : pair.b;
      Fault& fault = found[{part, doubt.cause}];
      if (fault.pairs++ == 0) fault.part = answer.assembly.parts[part].name, fault.text = text;
    }
  }
  std::vector<Fault> faults;
  for (auto& [key, fault] : found) faults.push_back(std::move(fault));
  std::stable_sort(faults.begin(), faults.end(), [](const Fault& x, const Fault& y) { return x.pairs > y.pairs; });
  return faults;
}

void print_faults(const ClashAnswer& answer, bool all) {
  const std::vector<Fault> faults = faults_of(answer);
  const std::size_t shown = all ? faults.size() : std::min(kMostOpen, faults.size());
  for (std::size_t i = 0; i < shown; ++i)
    print_line(i == 0 ? "mesh faults" : "",
               fmt::format("{}: {} (in {} above)", faults[i].part, faults[i].text, counted(faults[i].pairs, "pair")));
  if (shown < faults.size())
    print_line("", fmt::format("and {} more: --all lists all", counted(faults.size() - shown, "part")));
  if (shown > 0) print_line("", "lamella info shows where; lamella repair closes holes and turns faces");
}

void print_tolerance(const ClashAnswer& answer) {
  if (!answer.options.tolerance) return;
  const auto& pairs = answer.report.pairs;
  const auto missed = static_cast<std::uint64_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const ClashPair& pair) { return !pair.tolerance_met; }));
  if (missed == 0) return;
  print_line("tolerance",
             fmt::format("not met by {}: rounding of their meshes, or the finest grid, sets their error bars; give a "
                         "larger --tolerance",
                         counted(missed, "pair")));
}

/// How meshes came to the processes that tested pairs.
void print_travels(const mpi::MeshTravels& t) {
  std::string text = fmt::format("used in place {}", counted(t.in_place, "time"));
  if (t.fetched != 0)
    text += fmt::format("; {} fetched from other machines ({:.1f} MB), and used again there {}", grouped(t.fetched),
                        static_cast<double>(t.fetched_bytes) / 1e6, counted(t.shared, "time"));
  print_line("meshes", text);
  if (t.dropped != 0 || t.unshared != 0)
    print_line("", fmt::format("of these {} made room for others, and {} found no room", grouped(t.dropped),
                               grouped(t.unshared)));
}

void print_circumstances(const ClashAnswer& answer, double load_ms) {
  const ClashReport& report = answer.report;
  if (!answer.unit.name.empty())
    print_line("unit", fmt::format("{}; volumes in {}³", answer.unit.name, answer.unit.name));
  print_line("engine", fmt::format("{}, {:.1f} ms (boxes {:.1f}, pairs {:.1f}; loading apart: {:.1f})", report.engine,
                                   report.total_ms, report.broad_ms, report.pairs_ms, load_ms));
}

}  // namespace

void print_clashes(const ClashAnswer& answer, const ClashTableArgs& args) {
  const ClashReport& report = answer.report;
  print_line("clashes", verdict_text(report, args.results));
  if (!report.complete) print_line("incomplete", incomplete_text(report) + ": there may be more than is listed here");
  print_line("parts", fmt::format("{} of {} ({})", grouped(report.part_count), counted(report.mesh_count, "mesh"),
                                  counted(report.triangle_count, "triangle")));
  if (!report.unusable_parts.empty())
    print_line("not tested", fmt::format("{} without a usable triangle: see the warnings",
                                         counted(report.unusable_parts.size(), "part")));
  if (!report.damaged_parts.empty())
    print_line("damaged", fmt::format("{} with triangles that were left out: see the warnings",
                                      counted(report.damaged_parts.size(), "part")));
  print_line("candidates",
             fmt::format("{} of boxes that are close{}", counted(report.candidate_count, "pair"),
                         report.ignored_count == 0 ? "" : fmt::format("; {} ignored", grouped(report.ignored_count))));
  if (!args.cache.empty())
    print_line("reused", fmt::format("{} of {}", counted(report.reused_count, "pair"), args.cache));
  const std::uint64_t allowed = count_of(args.results, ClashResult::allowed);
  print_line("pairs", class_counts(report) + (allowed == 0 ? "" : fmt::format("; {} allowed", grouped(allowed))));
  print_comparison(answer, args);
  print_findings(answer, args);
  print_places(answer, args);
  print_doubts(answer, args.all);
  print_faults(answer, args.all);
  print_tolerance(answer);
  if (args.travels) print_travels(*args.travels);
  print_circumstances(answer, args.load_ms);
}

}  // namespace lamella::cli
