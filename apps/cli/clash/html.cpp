// A clash report as a page: the findings with their pictures, and the parts that they are of to turn around
// (viewer/PROTOCOL.md, "clash").

#include "cli/clash/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cli/clash/snapshot.hpp"
#include "cli/clash/texts.hpp"
#include "cli/clash/words.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "lamella/file.hpp"
#include "session/simplify.hpp"

namespace lamella::cli {
namespace {

using session::Json;

Json vector_json(Vec3d v) { return {v.x, v.y, v.z}; }

/// Which parts are in the page, in the order of their numbers, and where each is in its list of objects.
struct PageParts {
  std::vector<std::uint32_t> parts;
  std::map<std::uint32_t, std::size_t> places;

  explicit PageParts(const std::set<std::uint32_t>& chosen) : parts(chosen.begin(), chosen.end()) {
    for (std::size_t i = 0; i < parts.size(); ++i) places[parts[i]] = i;
  }
  [[nodiscard]] Json place(std::uint32_t part) const {
    const auto found = places.find(part);
    return found == places.end() ? Json(nullptr) : Json(found->second);
  }
};

PageParts parts_for(const ClashAnswer& answer, std::span<const std::uint32_t> pairs, const ClashPageLimits& limits) {
  std::set<std::uint32_t> chosen;
  for (const std::uint32_t i : pairs) {
    const ClashPair& pair = answer.report.pairs[i];
    const std::size_t more = (chosen.contains(pair.a) ? 0 : 1) + (chosen.contains(pair.b) ? 0 : 1);
    if (chosen.size() + more <= limits.parts) chosen.insert({pair.a, pair.b});
  }
  const auto all = static_cast<std::uint32_t>(answer.assembly.parts.size());
  for (std::uint32_t i = 0; all <= limits.all_parts && i < all; ++i) chosen.insert(i);
  return PageParts(chosen);
}

/// How many faces parts have in the page. Those that a click on a finding shows first are whole, as long as they take
/// no more than half of what there is; the others share the rest.
struct FaceBudget {
  std::set<std::uint32_t> whole;  ///< parts
  std::size_t limit = 0;          ///< of each other part
};

std::size_t faces_of(const Assembly& assembly, std::uint32_t part) {
  return assembly.meshes[assembly.parts[part].mesh].triangles.size();
}

FaceBudget budget_for(const ClashAnswer& answer, const PageParts& parts, std::size_t most) {
  const Assembly& assembly = answer.assembly;
  FaceBudget budget;
  std::size_t used = 0;
  for (const ClashFinding& finding : answer.report.findings) {
    if (finding.pairs.empty()) continue;
    const ClashPair& worst = answer.report.pairs[finding.pairs.front()];
    for (const std::uint32_t part : {worst.a, worst.b}) {
      if (!parts.places.contains(part) || used + faces_of(assembly, part) > most / 2) continue;
      if (budget.whole.insert(part).second) used += faces_of(assembly, part);
    }
  }
  const auto total = [&](std::size_t limit) {
    std::size_t sum = used;
    for (const std::uint32_t part : parts.parts)
      sum += budget.whole.contains(part) ? 0 : std::min(limit, faces_of(assembly, part));
    return sum;
  };
  std::size_t low = 1, high = most + 1;
  while (low + 1 < high) (total(low + (high - low) / 2) <= most ? low : high) = low + (high - low) / 2;
  budget.limit = low;
  return budget;
}

/// The parts as objects. A mesh with fewer faces is made once for all parts that need it, in `meshes`.
void add_objects(Report& report, const ClashAnswer& answer, const PageParts& parts, const FaceBudget& budget,
                 std::vector<Mesh>& meshes) {
  const Assembly& assembly = answer.assembly;
  meshes.resize(assembly.meshes.size());
  std::size_t simplified = 0;
  for (const std::uint32_t part : parts.parts) {
    const AssemblyPart& placed = assembly.parts[part];
    const Mesh& whole = assembly.meshes[placed.mesh];
    const bool fewer = whole.triangles.size() > budget.limit && !budget.whole.contains(part);
    if (fewer && meshes[placed.mesh].triangles.empty()) meshes[placed.mesh] = session::simplified(whole, budget.limit);
    simplified += fewer ? 1 : 0;
    report.objects.push_back({.name = printable(placed.name),
                              .mesh = fewer ? MeshView(meshes[placed.mesh]) : MeshView(whole),
                              .pose = placed.pose,
                              .source = {{"report", true}}});
  }
  if (simplified > 0) {
    report.more["clash"]["simplified"] = true;
    report.notes.push_back(
        fmt::format("{} of the parts have fewer triangles here: the findings are of the whole ones, what this page "
                    "measures and draws of overlaps is of these.",
                    grouped(simplified)));
  }
  if (const std::size_t out = assembly.parts.size() - parts.parts.size(); out > 0)
    report.notes.push_back(fmt::format("{} of {} parts are not in this page: they are in none of the worst pairs.",
                                       grouped(out), grouped(assembly.parts.size())));
}

Json pair_json(const ClashAnswer& answer, std::uint32_t index, const PageParts& parts, PlacedParts& placed) {
  const ClashPair& pair = answer.report.pairs[index];
  const ClashView view = view_of(pair, placed);
  Json out{{"a", parts.place(pair.a)},
           {"b", parts.place(pair.b)},
           {"names", {printable(answer.assembly.parts[pair.a].name), printable(answer.assembly.parts[pair.b].name)}},
           {"class", to_string(pair.kind)},
           {"volume", pair.volume},
           {"volume_error", pair.volume_error},
           {"depth", pair.depth},
           {"distance", pair.distance},
           {"at", vector_json(pair.centroid)},
           {"target", vector_json(view.target)},
           {"looking", vector_json(view.direction)},
           {"reach", view.reach}};
  if (pair.allowed) out["allowed"] = true;
  if (pair.verdict == Verdict::undecided) out["undecided"] = true;
  if (index < answer.changes.size()) out["change"] = to_string(answer.changes[index]);
  return out;
}

Json finding_json(const ClashAnswer& answer, const ClashFinding& finding, std::vector<std::size_t> places) {
  Json out{{"title", printable(finding_title(answer, finding))},
           {"class", to_string(finding.kind)},
           {"places", finding.pairs.size()},
           {"pairs", std::move(places)},
           {"volume", finding.largest_volume},
           {"total_volume", finding.total_volume},
           {"depth", finding.largest_depth},
           {"lines", Json::array()}};
  for (const std::string& line : finding_facts(answer, finding)) out["lines"].push_back(printable(line));
  if (finding.kind <= ClashClass::touching && std::isfinite(finding.smallest_distance))
    out["distance"] = finding.smallest_distance;
  if (finding.allowed) out["allowed"] = true;
  if (finding.undecided) out["undecided"] = true;
  if (const std::string_view change = to_string(change_of(answer, finding)); !change.empty()) out["change"] = change;
  return out;
}

/// Of class `clear` there are only findings that are undecided (group_clashes()).
bool is_listed(const ClashFinding& finding) { return !finding.pairs.empty(); }

/// Findings, and of their pairs as many as the limits allow. `pairs` gets the numbers of these in the report.
Json findings_json(const ClashAnswer& answer, const ClashPageLimits& limits, std::vector<std::uint32_t>& pairs) {
  Json out = Json::array();
  for (const ClashFinding& finding : answer.report.findings) {
    if (out.size() >= limits.findings) break;
    if (!is_listed(finding)) continue;
    std::vector<std::size_t> places;
    for (const std::uint32_t pair : finding.pairs) {
      if (pairs.size() >= limits.pairs) break;
      places.push_back(pairs.size());
      pairs.push_back(pair);
    }
    out.push_back(finding_json(answer, finding, std::move(places)));
  }
  return out;
}

void note_missing(Report& report, const ClashAnswer& answer, std::size_t findings, std::size_t pairs) {
  std::size_t all_findings = 0, all_pairs = 0;
  for (const ClashFinding& finding : answer.report.findings) {
    if (!is_listed(finding)) continue;
    ++all_findings;
    all_pairs += finding.pairs.size();
  }
  if (findings < all_findings)
    report.notes.push_back(fmt::format("The worst {} of {} findings are listed: --json and --csv have them all.",
                                       grouped(findings), grouped(all_findings)));
  if (pairs < all_pairs)
    report.notes.push_back(fmt::format("Of {} pairs, the worst {} are listed.", grouped(all_pairs), grouped(pairs)));
  if (!answer.report.complete)
    report.notes.push_back(fmt::format("The report was stopped early: {} of {} candidates were tested.",
                                       grouped(answer.report.tested_count), grouped(answer.report.candidate_count)));
}

void add_pictures(Report& report, const ClashAnswer& answer, std::span<const std::uint32_t> pairs,
                  const ClashPageLimits& limits) {
  Json& findings = report.more["clash"]["findings"];
  PlacedParts parts(answer.assembly);
  Progress progress("pictures");
  const std::size_t count = std::min(findings.size(), limits.pictures);
  for (std::size_t i = 0; i < count; ++i) {
    const Json& places = findings[i]["pairs"];
    if (places.empty()) continue;
    const ClashPair& worst = answer.report.pairs[pairs[places.front().get<std::size_t>()]];
    findings[i]["png"] = report.packet.add(picture::to_png(draw_clash(parts, answer, worst, limits.picture)));
    progress.update(i + 1, count);
  }
  if (count < findings.size())
    report.notes.push_back(fmt::format("The worst {} findings have pictures.", grouped(count)));
}

Json gone_json(const ClashAnswer& answer) {
  Json out = Json::array();
  for (const GoneClash& gone : answer.gone)
    out.push_back(
        {{"a", printable(gone.a)}, {"b", printable(gone.b)}, {"class", to_string(gone.kind)}, {"volume", gone.volume}});
  return out;
}

std::string summary(const ClashAnswer& answer) {
  const ClashReport& report = answer.report;
  std::string text = fmt::format("parts         {}\ntriangles     {}\npairs tested  {}\n", grouped(report.part_count),
                                 grouped(report.triangle_count), grouped(report.tested_count));
  for (std::size_t k = kClashClasses; k-- > 1;) {
    const auto kind = static_cast<ClashClass>(k);
    const std::uint64_t count = report.count(kind);
    if (count > 0) text += fmt::format("{:<12}  {}\n", to_string(kind), grouped(count));
  }
  if (report.undecided_count() > 0) text += fmt::format("undecided     {}\n", grouped(report.undecided_count()));
  return text;
}

}  // namespace

Report clash_page(const ClashAnswer& answer, std::vector<Mesh>& meshes, const ClashPageLimits& limits) {
  Report report{.kind = "clash", .title = printable(answer.title), .text = summary(answer)};
  report.options = {{"resolution", answer.options.resolution}};
  if (!answer.options.close_holes) report.options["as_is"] = true;
  std::vector<std::uint32_t> pairs;
  Json& clash = report.more["clash"] = {{"unit", printable(answer.unit.name)}};
  clash["findings"] = findings_json(answer, limits, pairs);
  const PageParts parts = parts_for(answer, pairs, limits);
  PlacedParts placed(answer.assembly);
  clash["pairs"] = Json::array();
  for (const std::uint32_t pair : pairs) clash["pairs"].push_back(pair_json(answer, pair, parts, placed));
  clash["gone"] = gone_json(answer);
  note_missing(report, answer, clash["findings"].size(), pairs.size());
  add_objects(report, answer, parts, budget_for(answer, parts, limits.faces), meshes);
  add_pictures(report, answer, pairs, limits);
  return report;
}

void write_clash_html(const std::filesystem::path& path, const ClashAnswer& answer) {
  HtmlFile file(path);
  std::vector<Mesh> meshes;
  file.write(clash_page(answer, meshes));
}

}  // namespace lamella::cli
